// What Kotlin's compiler must refuse: an error in each line that says so, and in no other.

import dev.ketch.DumpOptions
import dev.ketch.Located
import dev.ketch.Options
import dev.ketch.SyckNode
import dev.ketch.SyckParser
import dev.ketch.Tagged
import dev.ketch.Yaml
import dev.ketch.YamlException
import dev.ketch.YamlParser
import dev.ketch.YamlWriter
import dev.ketch.extprot.Extprot
import dev.ketch.extprot.ExtprotException
import dev.ketch.extprot.TaggedValue
import dev.ketch.jackson.KetchYamlFactory
import dev.ketch.jackson.KetchYamlMapper
import dev.ketch.jackson.KetchYamlParser
import dev.ketch.rows.Format
import dev.ketch.rows.Rows
import java.io.ByteArrayInputStream
import java.io.OutputStream
import java.sql.Connection
import java.sql.ResultSet

fun loaded(): Any = Yaml.load("a") // error
fun documents(): List<Any> = Yaml.loadAll("a") // error
fun noText(text: String?) = Yaml.load(text) // error
fun noOptions(options: Options?) = Yaml.with(options) // error
fun noDumpOptions(options: DumpOptions?) = Yaml.with(options) // error
fun eachDocument() = Yaml.stream("a".reader()).mapToInt { it.javaClass.name.length } // error
fun line(located: Located): Long = located.position("a").line() // error
fun file(located: Located): Int? = located.nearestPosition("a")?.file()?.length
fun fileOf(located: Located): Int? = located.nearestPosition("a")!!.file().length // error
fun noTag() = Tagged(null, 1) // error
fun content(tagged: Tagged): Any = tagged.value() // error
fun setting(error: YamlException): String = error.setting() // error
fun text(parser: YamlParser): String = parser.text() // error
fun kind(parser: YamlParser): Int = parser.kind().ordinal // error
fun noText(writer: YamlWriter) = writer.text(null) // error
fun anchor(node: SyckNode<Int>): String = node.anchor() // error
fun child(node: SyckNode<Int>): Int = node.children()[0] // error
fun root(parser: SyckParser<Int>): Int = parser.root() // error

fun value(): Any = Extprot.load(Extprot.dump(1)) // error
fun next(): TaggedValue = Extprot.messages(ByteArrayInputStream(ByteArray(0)), TaggedValue::read).next() // error
fun settingOf(error: ExtprotException): String = error.setting() // error

fun token(parser: KetchYamlParser): String = parser.nextToken().name // error
fun alias(parser: KetchYamlParser): String = parser.currentAlias() // error
fun id(parser: KetchYamlParser): Any = parser.getObjectId() // error
fun noFactory(factory: KetchYamlFactory?) = KetchYamlMapper(factory) // error
fun noOptions() = KetchYamlFactory.builder().options(null) // error

fun cell(connection: Connection): Any = Rows.selectAll(connection, "select 1")[0].values.first() // error
fun textOf(connection: Connection): String = Rows.selectAllText(connection, "select 1")[0]["a"]!!
fun firstText(connection: Connection): String = Rows.selectAllText(connection, "select 1")[0].values.first() // error
fun noStream(rows: ResultSet, out: OutputStream?) = Rows.write(rows, out, Format.JSON) // error

// What Kotlin's compiler must accept: nothing here is null where the annotations do not say so.

import com.fasterxml.jackson.core.JsonToken
import com.fasterxml.jackson.core.ObjectCodec
import dev.ketch.Located
import dev.ketch.SyckHandler
import dev.ketch.SyckNode
import dev.ketch.SyckParser
import dev.ketch.Tagged
import dev.ketch.Yaml
import dev.ketch.YamlException
import dev.ketch.YamlParser
import dev.ketch.YamlWriter
import dev.ketch.extprot.Extprot
import dev.ketch.extprot.MessageStream
import dev.ketch.extprot.TaggedValue
import dev.ketch.jackson.KetchYamlFactory
import dev.ketch.jackson.KetchYamlGenerator
import dev.ketch.jackson.KetchYamlParser
import dev.ketch.rows.Rows
import java.io.ByteArrayInputStream
import java.sql.Connection

fun loaded(): Any? = Yaml.load("a")
fun documents(): List<Any?> = Yaml.loadAll("a")
fun lines(): String = Yaml.dump(null) + Yaml.dump(listOf(1, null))
fun tagged(): Int = Tagged("!point", null).tag().length
fun line(located: Located): Long? = located.position("a", null, 1)?.line()
fun message(error: YamlException): Int = error.help().length + error.problem().length + error.lineText().length
fun timestamps(writer: YamlWriter): YamlWriter = writer.timestamp(0, 0, null, false).text("a")

fun texts(parser: YamlParser): List<String> {
    val texts = mutableListOf<String>()
    while (parser.next()) {
        texts.add(parser.text() ?: parser.kind()?.name ?: "")
    }
    return texts
}

class Depth : SyckHandler<Int> {
    override fun handle(parser: SyckParser<Int>, node: SyckNode<Int>): Int? = node.children().maxOfOrNull { it ?: 0 }
}

fun values(): MessageStream<Any?> = Extprot.values(ByteArrayInputStream(Extprot.dump(null)))
fun trees(): TaggedValue? = Extprot.messages(ByteArrayInputStream(ByteArray(0)), TaggedValue::read).next()
fun tree(): TaggedValue = Extprot.decode(ByteArray(1), TaggedValue::read)

fun token(parser: KetchYamlParser): JsonToken? = parser.nextToken()
fun codec(parser: KetchYamlParser, codec: ObjectCodec?) = parser.setCodec(codec)
fun factory(): KetchYamlFactory = KetchYamlFactory.builder().build().copy()
fun nulls(generator: KetchYamlGenerator, text: String?) = generator.writeString(text)

fun rows(connection: Connection): List<Map<String, Any?>> = Rows.selectAll(connection, "select ?", null)
fun cells(connection: Connection): List<Map<String, String?>> = Rows.selectAllText(connection, "select ?", 1, null)

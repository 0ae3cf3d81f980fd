# frozen_string_literal: true

# Tests that Ruby can use ketch-rows, with the classes of the extension.
#
#   jruby -I target/lib -I ../../ruby/lib rows.rb ketch-rows.jar h2.jar

require "date"
require "ketch"
ARGV.shift(2).each { |jar| require File.expand_path(jar) }
require "minitest/autorun"

java_import "dev.ketch.rows.Format"
java_import "dev.ketch.rows.Rows"

class RowsTest < Minitest::Test
  def setup
    @connection = org.h2.Driver.new.connect("jdbc:h2:mem:", java.util.Properties.new)
    [
      "create table ships (name varchar, masts int, draught decimal(4, 2), launched date)",
      "insert into ships values ('Ariel', 2, 2.50, date '1902-05-01'), ('Zoë', 3, null, null)"
    ].each { |sql| @connection.create_statement.execute(sql) }
  end

  def teardown
    @connection.close
  end

  def test_rows_are_maps
    ships = Rows.select_all(@connection, "select * from ships where masts > ?", 1)
    assert_equal(%w[Ariel Zoë], ships.map { |ship| ship["NAME"] })
    first = ships.first.to_h
    assert_equal(["Ariel", 2], first.values_at("NAME", "MASTS"))
    assert_equal("2.50", first["DRAUGHT"].to_string)
    assert_equal(Date.new(1902, 5, 1), Date.iso8601(first["LAUNCHED"].to_s))
    assert_nil(ships.last["DRAUGHT"])
    assert_equal("2", Rows.select_all_text(@connection, "select * from ships").first["MASTS"])
    names = []
    Rows.for_each(@connection, "select * from ships where masts > ?", ->(ship) { names << ship["NAME"] }, 2)
    assert_equal(["Zoë"], names)
  end

  def test_rows_are_written
    expected = [{ "NAME" => "Ariel", "MASTS" => 2, "DRAUGHT" => 2.5, "LAUNCHED" => Date.new(1902, 5, 1) },
                { "NAME" => "Zoë", "MASTS" => 3, "DRAUGHT" => nil, "LAUNCHED" => nil }]
    assert_equal(expected, Ketch.load(written(Format::YAML)))
    assert_includes(written(Format::JSON), '{"NAME":"Ariel","MASTS":2,"DRAUGHT":2.50,"LAUNCHED":"1902-05-01"}')
  end

  private

  def written(format)
    text = StringIO.new
    Rows.write(@connection.create_statement.execute_query("select * from ships"), text.to_outputstream, format)
    text.string.force_encoding("UTF-8")
  end
end

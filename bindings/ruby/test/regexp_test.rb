# frozen_string_literal: true

require_relative "helper"

# Ketch::Regexp and Ketch::MatchData.
class RegexpTest < Minitest::Test
  PATTERNS = ["a", "(a)(b)?", '(?<x>\d+)-(?<y>\w+)?', "", "x*", '\s+', "(?=b)", '\b', "^", "$", "[aé]", "(?i)É",
              "(a|b)*c", ".", '\G.', '(?<=a)b', '\R', '\X', "[[:upper:]]", "(?<n>a)|(?<n>b)", "b|$", "l{2,}", "(?~b)",
              '\z', '\A', "é(?<z>x)?", '(?>a+)b', '(?:(a)|b)(?(1)b|a)'].freeze
  TEXTS = ["", "abc", "aabbab", "12-ab 3-", "a b\n c\r\nd\n", "éaÉxé", "hello world", " a  b c ", "日本語 a b", "xxaxx",
           "b", "a\u0300e\u0301", "ab\nab\n", "éx éy"].freeze

  def teardown
    GC.stress = false
    Ketch::Regexp.timeout = nil
  end

  # Returns the result of a call, or its exception.
  def self.outcome
    value = yield
    value.is_a?(Enumerator) ? value.to_a : value
  rescue StandardError => e
    [e.class.name.delete_prefix("Ketch::"), e.message.lines.first]
  end

  def outcome(&) = self.class.outcome(&)

  # Asserts that Ruby's Regexp and ours behave the same.
  def assert_like_ruby(patterns: PATTERNS, texts: TEXTS)
    patterns.each do |pattern|
      theirs, ours = ::Regexp.new(pattern), Ketch::Regexp.new(pattern)
      texts.each do |text|
        expected, found = [theirs, ours].map { |regexp| outcome { yield regexp, text.dup } }
        # A difference of nil is also a difference.
        assert(expected == found, "/#{pattern}/ on #{text.inspect}: #{found.inspect}, Ruby #{expected.inspect}")
      end
    end
  end

  def facts(found)
    return unless found

    groups = (0...found.size).map { |group| [found.begin(group), found.end(group), found.offset(group), found[group]] }
    [groups, found.to_a, found.captures, found.names, found.named_captures, found.pre_match, found.post_match,
     found.string, found.string.frozen?, found.to_s, found[-1], found[0..], found[0, 2], found.values_at(0, -1, 1),
     found.inspect.sub("Ketch::", "")]
  end

  def test_matches
    [[], [1], [-2], [100], [-100]].each do |position|
      assert_like_ruby { |regexp, text| facts(regexp.match(text, *position)) }
      assert_like_ruby { |regexp, text| regexp.match?(text, *position) }
    end
    assert_like_ruby { |regexp, text| [regexp =~ text, regexp === text, regexp === text.to_sym, regexp === 1] }
    assert_like_ruby(texts: ["ab"]) { |regexp, _| [regexp =~ nil, regexp.match(nil), regexp.match?(nil)] }
    assert_like_ruby(texts: ["ab"]) { |regexp, _| regexp.match(1) }
    assert_like_ruby(texts: ["ab"]) { |regexp, _| regexp.match }
    assert_equal "a!", Ketch::Regexp.new("a").match("xa") { |found| "#{found}!" }
    assert_nil Ketch::Regexp.new("a").match("x") { flunk }
  end

  def test_groups
    found = Ketch::Regexp.new('(?<year>\d+)-(?<month>\d+)?').match("on 2026- é")
    assert_equal ["2026", nil], [found[:year], found["month"]]
    assert_equal [[3, 8], [3, 7], [nil, nil]], [0, :year, "month"].map { |group| found.byteoffset(group) }
    assert_equal({ year: "2026", month: nil }, found.deconstruct_keys(nil))
    assert_equal({ year: "2026" }, found.deconstruct_keys([:year]))
    assert_equal({ year: "2026", month: nil }, found.named_captures(symbolize_names: true))
    assert_equal ["2026", nil], found.deconstruct
    assert_equal ["2026", 4, nil], [found.match(:year), found.match_length(:year), found.match_length(:month)]
    assert_equal "2026", (found in { year: }) && year
    assert_raises(IndexError) { found[:day] }
    assert_raises(IndexError) { found.begin(3) }
    assert_raises(TypeError) { found.deconstruct_keys(["year"]) }
    assert_raises(TypeError) { found.deconstruct_keys("year") }
    assert_equal found, found.regexp.match("on 2026- é")
    refute_equal found, found.regexp.match("on 2026-")
    found = Ketch::Regexp.new("é").match("日本 é")
    assert_equal [7, 9, 3, 4], [found.bytebegin(0), found.byteend(0), *found.offset(0)]
  end

  def test_scan
    assert_like_ruby { |regexp, text| scan(regexp, text) }
    assert_like_ruby { |regexp, text| [].tap { |found| scan(regexp, text) { |part| found << part } } }
    string = +"aaa"
    assert_raises(RuntimeError) { Ketch::Regexp.new("a").scan(string) { string << "a" } }
    assert_equal %w[a], [].tap { |found| Ketch::Regexp.new("a").scan("aab") { |part| found << part && break } }
  end

  # Calls a method of String with a `::Regexp`, or the method of the same name of a `Ketch::Regexp`.
  def string(name, regexp, text, *arguments, &block)
    return text.send(name, regexp, *arguments, &block) if regexp.is_a?(::Regexp)

    regexp.send(name, text, *arguments, &block)
  end

  %i[scan gsub sub split index rindex].each do |name|
    define_method(name) { |regexp, text, *arguments, &block| string(name, regexp, text, *arguments, &block) }
  end

  TEMPLATES = ['<\0|\1|\`|\\\'>', "", '[\k<x>]', '-\&-\+', '\k<x', '\\\\\\', '\x\2', "é"].freeze

  def test_replacement
    %i[gsub sub].each do |name|
      TEMPLATES.each { |template| assert_like_ruby { |regexp, text| string(name, regexp, text, template) } }
      assert_like_ruby { |regexp, text| string(name, regexp, text, "a" => "A", "b" => 1, "" => "_") }
      assert_like_ruby { |regexp, text| string(name, regexp, text) { |part| "#{part.upcase}!" } }
      assert_like_ruby(texts: ["ab"]) { |regexp, text| string(name, regexp, text, 1) }
      assert_like_ruby(texts: ["ab"]) { |regexp, text| string(name, regexp, text, "\xe9".b) }
    end
    assert_like_ruby { |regexp, text| gsub(regexp, text).to_a }
    assert_like_ruby(texts: ["ab"]) { |regexp, text| sub(regexp, text) }
    regexp = Ketch::Regexp.new('(\w)(\d)')
    assert_equal "1a-2b", regexp.gsub("a1-b2") { Ketch::Regexp.last_match.captures.reverse.join }
    assert_equal ["out", "x"], [regexp.gsub("a1") { break "out" }, regexp.gsub("x") { flunk }]
    refute_same "x", regexp.gsub("x", "y")
    defaults = Hash.new { |_, key| key * 2 }
    assert_equal "a1a1-", regexp.gsub("a1-", defaults)
  end

  def test_split
    [[], [0], [1], [2], [3], [-1]].each { |limit| assert_like_ruby { |regexp, text| split(regexp, text, *limit) } }
    assert_like_ruby { |regexp, text| [].tap { |parts| split(regexp, text) { |part| parts << part } } }
  end

  def test_index
    [[], [1], [-1], [2], [99], [-99]].each do |at|
      assert_like_ruby { |regexp, text| index(regexp, text, *at) }
      assert_like_ruby { |regexp, text| rindex(regexp, text, *at) }
    end
    regexp = Ketch::Regexp.new("b")
    assert_equal 1, regexp.rindex("abab", 2)
    assert_equal ["b", 1], [Ketch::Regexp.last_match[0], Ketch::Regexp.last_match.begin(0)]
  end

  SOURCES = PATTERNS + ["(?i)(?m)a", "(?i:a)", "(?i:a)b", "(?i:a)(b)", "(?i-m:a)", "(?-i:(?i:a))", "(?:a)", "(?i)(?i:a)",
                        "(?a)b", "(?i)", "a/b", "a\nb", '\/', "(?i-mx:(?m:a))", "(?mix:(?-m)a)", "é/[/]", '\xE9'.b, '\xC3\xA9', '\u00e9',
                        '\u0041', '\p{Greek}', "\x01é\u200b"]

  def test_patterns
    SOURCES.each do |source|
      [0, 1, 2, 4, 7].each do |options|
        described = [::Regexp, Ketch::Regexp].map do |kind|
          regexp = kind.new(source, options)
          outcome do
            [regexp.source, regexp.options, regexp.to_s, regexp.inspect, regexp.names, regexp.named_captures,
             regexp.casefold?, regexp.fixed_encoding?, regexp.encoding, kind.new(regexp).options,
             kind.new(regexp.to_s).to_s]
          end
        end
        assert_equal described[0], described[1]
      end
    end
  end

  def test_construction
    assert_equal 7, Ketch::Regexp.new("a", "imx").options
    assert_equal 1, Ketch::Regexp.new(/a/i).options
    assert_equal 1, Ketch::Regexp.new("a", true).options
    assert_raises(ArgumentError) { Ketch::Regexp.new("a", "iz") }
    assert_raises(TypeError) { Ketch::Regexp.new(1) }
    assert_raises(TypeError) { Ketch::Regexp.allocate.match("a") }
    assert_raises(TypeError, FrozenError) { Ketch::Regexp.new("a").send(:initialize, "b") }
    one, other = Ketch::Regexp.new("a"), Ketch::Regexp.compile("a")
    assert_equal [one], [one] & [other]
    refute_equal one, Ketch::Regexp.new("a", 1)
    refute_equal one, /a/
    assert_equal [one, one, one], [one.dup, one.clone, Marshal.load(Marshal.dump(one))]
    assert_equal(/a/mx, Ketch::Regexp.new("a", "mx").to_regexp)
    assert_equal [one, nil, Ketch::Regexp.new("b", 4)], [one, "a", /b/m].map { Ketch::Regexp.try_convert(_1) }
    assert_predicate one, :frozen?
    named = Class.new(Ketch::Regexp)
    assert_instance_of named, named.new("a")
  end

  def test_union_and_escape
    ["", "a.b*c", "é [x]\n\t", "-#{"\v\f\r"}#", "日本"].each do |text|
      assert_equal ::Regexp.escape(text), Ketch::Regexp.escape(text)
      assert_equal ::Regexp.escape(text).encoding, Ketch::Regexp.escape(text).encoding
    end
    [[], ["a.b"], ["a", "b|c"], [%w[a b]], [:a], ["é"]].each do |list|
      assert_equal ::Regexp.union(*list).source, Ketch::Regexp.union(*list).source
    end
    union = Ketch::Regexp.union(/a/i, Ketch::Regexp.new("b", "m"), "c.")
    assert_equal '(?i-mx:a)|(?m-ix:b)|c\.', union.source
    assert_raises(ArgumentError) { Ketch::Regexp.union("é", "é".encode("EUC-JP")) }
  end

  def test_errors_have_a_caret
    error = assert_raises(Ketch::Regexp::SyntaxError) { Ketch::Regexp.new("é(a") }
    assert_kind_of ::RegexpError, error
    assert_equal "end pattern with unmatched parenthesis: /é(a/\n    é(a\n     ^^\nClose the group with `)`.", error.message
    assert_equal [2, 2, :UnclosedGroup, "Close the group with `)`.", "end pattern with unmatched parenthesis"],
                 [error.column, error.offset, error.name, error.help, error.problem]
    ["a(", "[b", "(?<1>a)", "\\", "a{2,1}", "(?z)", "[[:foo:]]", '\p{nope}', "*", "(?<=a*)b", '\k<a>', "\xff"].each do |source|
      messages = [::Regexp, Ketch::Regexp].map { |kind| outcome { kind.new(source) }.last.chomp }
      assert_equal messages[0], messages[1]
    end
  end

  ENCODINGS = [Encoding::UTF_8, Encoding::BINARY, Encoding::US_ASCII, Encoding::EUC_JP, Encoding::Shift_JIS,
               Encoding::UTF_16LE, Encoding::ISO_8859_1].freeze

  def test_encodings
    texts = ENCODINGS.flat_map do |encoding|
      ["ab", "あb", "éb", "b\xff"].filter_map { |text| encoded(text, encoding) }
    end
    sources = ["b", "あ", "é", ".", '\xff', '\u3042', "[^a]"].flat_map do |source|
      ENCODINGS.first(5).filter_map { |encoding| encoded(source, encoding) }
    end
    templates = ["x", '[\\0]', "é"].flat_map { |template| ENCODINGS.first(4).filter_map { encoded(template, _1) } }.uniq
    sources.uniq.each do |source|
      theirs = outcome { ::Regexp.new(source) }
      ours = outcome { Ketch::Regexp.new(source) }
      next unless theirs.is_a?(::Regexp) && ours.is_a?(Ketch::Regexp)

      texts.each do |text|
        expected, found = [theirs, ours].map { |regexp| outcome { [regexp =~ text, regexp.match(text)&.to_a, split(regexp, text)] } }
        assert_equal expected, found, "#{source.inspect} (#{source.encoding}) on #{text.inspect} (#{text.encoding})"
        templates.select { Encoding.compatible?(text, _1) }.each do |template|
          expected, found = [theirs, ours].map { |regexp| outcome { replaced(regexp, text, template) } }
          assert_equal expected, found, "#{source.inspect} on #{text.inspect} (#{text.encoding}), #{template.inspect} (#{template.encoding})"
        end
      end
    end
    assert_equal Encoding::US_ASCII, Ketch::Regexp.new("a".encode("EUC-JP")).encoding
    assert_predicate Ketch::Regexp.new("a", 16), :fixed_encoding?
  end

  def replaced(regexp, text, template)
    result = gsub(regexp, text, template)
    [result, result.encoding]
  end

  def encoded(text, encoding)
    return text.b.force_encoding(encoding) if encoding == Encoding::BINARY || encoding == Encoding::UTF_8

    text.valid_encoding? ? text.encode(encoding) : nil
  rescue EncodingError
    nil
  end

  def test_invalid_text
    assert_like_ruby(texts: ["a\xff"]) { |regexp, text| [regexp.match?(text)] }
    assert_like_ruby(texts: ["a\xff"]) { |regexp, text| gsub(regexp, text, "") }
    assert_like_ruby(texts: ["a\xff"]) { |regexp, text| scan(regexp, text) }
  end

  def test_the_last_match_is_local_to_the_fiber
    regexp = Ketch::Regexp.new("(?<n>.)")
    regexp.match("a")
    fiber = Fiber.new do
      inner = Ketch::Regexp.last_match
      regexp.match("b")
      Fiber.yield [inner, Ketch::Regexp.last_match(:n)]
      Ketch::Regexp.last_match(1)
    end
    assert_equal [nil, "b"], fiber.resume
    assert_equal "a", Ketch::Regexp.last_match(1)
    assert_nil Thread.new { Ketch::Regexp.last_match }.value
    assert_equal "b", fiber.resume
    regexp.match?("c")
    assert_equal "a", Ketch::Regexp.last_match[0]
    regexp.match("")
    assert_nil Ketch::Regexp.last_match
    assert_nil Ketch::Regexp.last_match(1)
    regexp.gsub("xy", "z")
    assert_equal "y", Ketch::Regexp.last_match[0]
    "q" =~ /q/
    assert_equal ["q", "y"], [$~[0], Ketch::Regexp.last_match[0]]
  end

  # 20 letters already take Ruby 3.1 some minutes.
  def test_searches_are_linear
    text = "#{"a" * 200_000}!"
    ["^(a*)*$", "(?:a|aa)+$", 'a*(?>a*)ab', "(?:(?>a|aa)+(?=.*b))+c", "(?:x|(?=(a+))a)*b"].each do |source|
      assert Ketch::Regexp.linear_time?(source), source
      assert_nil Ketch::Regexp.new(source).match(text), source
    end
    refute Ketch::Regexp.linear_time?('(a)\1')
    refute Ketch::Regexp.linear_time?(/(a)\1/)
    assert_equal ["a back-reference", 4], Ketch::Regexp.new('(a)\1').not_linear
  end

  # A pattern whose search takes some seconds.
  SLOW = ['^(a+)+\1\1$', "#{"a" * 400}b"].freeze

  # JRuby has no clock for the time of the processor, and other programs may take some of the time.
  CLOCK, MOST = defined?(Process::CLOCK_PROCESS_CPUTIME_ID) ? [Process::CLOCK_PROCESS_CPUTIME_ID, 0.1] : [Process::CLOCK_MONOTONIC, 1]

  def test_timeout
    regexp = Ketch::Regexp.new(SLOW[0], timeout: 0.05)
    assert_in_delta 0.05, regexp.timeout
    started = Process.clock_gettime(CLOCK)
    error = assert_raises(Ketch::Regexp::TimeoutError) { regexp.match?(SLOW[1]) }
    assert_operator Process.clock_gettime(CLOCK) - started, :<, MOST
    assert_equal "regexp match timeout", error.message
    assert_kind_of ::RegexpError, error
    assert regexp.match?("aaaa")
    Ketch::Regexp.timeout = 0.01
    assert_in_delta 0.01, Ketch::Regexp.timeout
    assert_raises(Ketch::Regexp::TimeoutError) { Ketch::Regexp.new(SLOW[0]).scan(SLOW[1]) }
    [0, -1, "x"].each { |limit| assert_raises(ArgumentError) { Ketch::Regexp.new("a", timeout: limit) } }
  end

  def test_timeout_of_ruby_interrupts_a_search
    regexp = Ketch::Regexp.new(SLOW[0])
    [-> { regexp.match?(SLOW[1]) }, -> { regexp.gsub(SLOW[1], "") }, -> { regexp.split(SLOW[1]) }].each do |search|
      assert_ends_by_timeout do
        search.call
      rescue Ketch::Regexp::LimitError
        # The search took its 50,000,000 steps before the thread of the timeout had a turn.
      end
    end
  end

  def test_a_search_that_is_not_linear_has_a_limit
    error = assert_raises(Ketch::Regexp::LimitError) { Ketch::Regexp.new('(?:(?=(a*))\1b?)*$(?<!c)').match?("#{"a" * 300_000}c") }
    assert_equal [:Fuel, :fuel], [error.name, error.setting]
    assert_match(/steps/, error.message)
  end

  # A long search lets other threads run, which must not change the text that is searched.
  def test_other_threads_may_change_the_text
    text = +"#{"ab" * 100_000}c"
    regexp = Ketch::Regexp.new("(?:(a)b)*(c)")
    changer = Thread.new { 200.times { text << "x" && text.chop! && Thread.pass } }
    20.times { assert_equal [0, 200_001], regexp.match(text).byteoffset(0) }
    changer.join
  end

  def test_the_string_of_a_match_does_not_change
    text = +"abc"
    found = Ketch::Regexp.new("b").match(text)
    text.replace("xyz")
    assert_equal %w[abc a b c], [found.string, found.pre_match, found[0], found.post_match]
    assert_predicate found.string, :frozen?
  end

  def test_objects_survive_garbage_collection
    regexp = Ketch::Regexp.new('(?<key>\w+)=(?:\d+)?'.dup)
    GC.stress = NEW_OBJECTS
    found = regexp.match("a=1 bb=2 #{"c" * 40}=3".dup)
    parts = [found.to_a, regexp.scan("a=1 b=2".dup), regexp.gsub("a=1".dup) { |part| part * 30 }, regexp.split("x a=1 y".dup)]
    GC.stress = false
    assert_equal [["a=1", "a"], [["a"], ["b"]], "a=1" * 30, ["x ", "a", " y"]], parts
    GC.verify_compaction_references(double_heap: false, toward: :empty) if GC.respond_to?(:verify_compaction_references) && RUBY_VERSION < "3.2"
    assert_equal ["a=1", "a"], found.to_a
  end

  def test_memory_does_not_grow
    regexp = Ketch::Regexp.new('(\w+) (?=\d)')
    run = -> { 5_000.times { regexp.match("abc 1") && regexp.gsub("abc 1", '\1') && Ketch::Regexp.new("a|b") } }
    run.call
    growth = Array.new(6) do
      before = resident
      run.call
      resident - before
    end
    # The collector lets objects pile up in some rounds. A leak of 200 bytes would show in each.
    assert_operator growth.min, :<, 1_000
  end

  # Returns the resident memory in KiB.
  def resident
    GC.start
    File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i
  end

  def test_ractors_share_patterns
    program = <<~'RUBY'
      require "ketch"
      regexp = Ketch::Regexp.new('(?<n>\d)')
      exit 1 unless Ractor.shareable?(regexp)
      found = (1..4).map { |n| Ractor.new(regexp, n) { |shared, text| shared.match("a#{text}")[:n] + shared.gsub("1", "x") } }
      print found.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }.join
    RUBY
    assert_equal "1x2x3x4x", IO.popen([RbConfig.ruby, "-W0", "-I#{LIBRARY}", "-e", program], &:read)
  end
  def test_union_keeps_slashes
    [[%r{a/b}, ""], ["/", "a"], [::Regexp.new("a\\/"), %r{[/]}i]].each do |list|
      ours = list.map { |item| item.is_a?(::Regexp) ? Ketch::Regexp.new(item) : item }
      assert_equal ::Regexp.union(*list).source, Ketch::Regexp.union(*ours).source
    end
  end

  def test_option_n_warns_of_text
    pattern = Ketch::Regexp.new("a", ::Regexp::NOENCODING)
    _, warning = capture_io { assert pattern.match?("éa") }
    assert_match(%r{\A#{::Regexp.escape(__FILE__)}:\d+: warning: historical binary regexp match /a/n against UTF-8 string$}, warning)
    assert_silent { pattern.match?("a") && pattern.match?("\xFFa".b) }
  end

  def test_ascii_pattern_may_have_escaped_bytes
    pattern = Ketch::Regexp.new('\xff'.dup.force_encoding("US-ASCII"))
    assert_equal [Encoding::US_ASCII, false], [pattern.encoding, pattern.fixed_encoding?]
    assert_equal 1, pattern =~ "a\xFF".b
    assert_predicate Ketch::Regexp.new('\p{Alpha}'.dup.force_encoding("US-ASCII")), :fixed_encoding?
  end

  PROPERTIES = %w[Alnum alpha BLANK Cntrl Digit Graph Lower Print Punct Space Upper XDigit Word ASCII Han L Any Greek In_Thai].freeze

  # In binary and ASCII patterns, the properties are those of POSIX. `\p{Punct}` has more characters than in UTF-8.
  def test_properties_and_brackets_of_bytes
    ascii = (0..127).map(&:chr)
    [Encoding::US_ASCII, Encoding::BINARY].each do |encoding|
      texts = ascii.map { _1.dup.force_encoding(encoding) }
      texts += ["\xE9".b, "\u3042".b] if encoding == Encoding::BINARY
      sources = PROPERTIES.flat_map { |name| ["\\p{#{name}}", "\\p{^#{name}}", "(?i)[\\P{#{name}}]", "[[:#{name.downcase}:]]", "[[:^#{name.downcase}:]]"] }
      sources.each do |source|
        expected, found = [::Regexp, Ketch::Regexp].map do |kind|
          regexp = kind.new(source.dup.force_encoding(encoding))
          texts.select { regexp.match?(_1) }
        rescue RegexpError => error
          # JRuby 9.4 leaves out the name: `<>`. JRuby 10 reports an error of its own for `\p{^Han}`.
          RUBY_ENGINE == "jruby" ? RegexpError : error.message.lines.first.chomp
        end
        assert_equal expected, found, "#{source} #{encoding}"
      end
    end
  end

  def test_match_is_its_own_copy
    match = Ketch::Regexp.new("a").match("xa")
    assert_same match, match.dup
    assert_same match, match.clone
  end
end

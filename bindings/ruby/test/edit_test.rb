# frozen_string_literal: true

require_relative "helper"
require_relative "edit_cases"
require "tmpdir"

class EditTest < Minitest::Test
  YAML = <<~EOS
    # settings
    image:
      repository: app
      tag: '1.9'   # pinned
    hosts:   # of the site
    - a.example
    - b.example

    limits: {cpu: 0x10, memory: 2Gi}
    jobs:
      # the first
      - name: build
        steps: [compile, test]
      - name: deploy
    debug: yes
  EOS

  def edit = Ketch.edit(YAML)

  def teardown
    GC.stress = false
  end

  def test_cases_with_lists_of_operations
    cases = EditCases.all
    assert_operator cases.size, :>=, 60
    cases.each do |given|
      [->(text) { text }, ->(text) { text.gsub("\r\n", "\n").gsub("\n", "\r\n") }].each do |twin|
        # Without a line break, the text does not say which it has.
        next if twin.call("\n") != "\n" && (given.before.include?("\r") || !given.before.include?("\n"))

        edit = Ketch.edit(twin.call(given.before))
        assert_equal twin.call(given.after), edit.apply(given.operations).text, given.name
        assert_equal twin.call(given.before), patched(edit.text, edit.inverse), given.name
        assert_equal edit.text, patched(edit.original, edit.patches), given.name
      end
    end
  end

  def test_rejected_cases
    cases = EditCases.all("refusals.toml")
    assert_operator cases.size, :>=, 30
    cases.each do |given|
      edit = nil
      error = assert_raises(Ketch::Error, given.name) do
        edit = Ketch.edit(given.before)
        edit.apply(given.operations)
      end
      # The parser's errors have names of their own.
      assert_equal given.error.tr("-", "_").to_sym, error.name, given.name if error.is_a?(Ketch::EditError)
      assert_equal given.error == "invalid", !error.is_a?(Ketch::EditError), given.name
      assert_equal given.at, "#{error.line}:#{error.column}", given.name if given.at
      assert_equal given.before, edit.text, given.name if edit
    end
  end

  def test_dates_and_times
    require "date"
    edit = Ketch.edit("day: 2024-01-01 # d\nlist: []\n")
    edit["day"] = Date.new(2024, 2, 29)
    edit["at"] = Time.utc(2024, 2, 29, 12, 30)
    edit["list"] << DateTime.new(2024, 2, 29, 12, 30, 0, "+02:00")
    edit["deep"] = { "days" => [Date.new(1, 1, 1)] }
    loaded = Ketch.load(edit.text, schema: :yaml11)
    assert_equal Date.new(2024, 2, 29), loaded["day"]
    assert_equal Time.utc(2024, 2, 29, 12, 30), loaded["at"]
    assert_equal [Time.utc(2024, 2, 29, 10, 30)], loaded["list"]
    assert_equal({ "days" => [Date.new(1, 1, 1)] }, loaded["deep"])
    assert_match(/\Aday: 2024-02-29 # d$/, edit.text)
    assert_equal "day: 2024-01-01 # d\nlist: []\n", patched(edit.text, edit.inverse)
  end

  def test_a_timeout_ends_one_operation
    require "timeout"
    text = "r: [#{"{x: 1}, " * 200_000}]\n"
    edit = Ketch.edit(text)
    assert_raises(Timeout::Error) { Timeout.timeout(0.1) { edit.apply([{ op: "set", path: "r[*].x", value: 2 }]) } }
    assert_equal text, edit.text
    edit.apply([{ op: "set", path: %w[r] + [7, "x"], value: 2 }])
    assert_equal 2, edit["r"][7]["x"]
  end

  def patched(text, patches)
    bytes = text.b
    patches.reverse_each { |patch| bytes[patch.start...patch.end] = patch.new.b }
    bytes.force_encoding("UTF-8")
  end

  def test_cases_with_methods_of_views
    done = EditCases.all.count do |given|
      edit = Ketch.edit(given.before)
      next unless given.operations.all? { |operation| EditCases.by_method(edit, operation) }

      assert_equal given.after, edit.text, given.name
      # What a view reads is what a load of the new text gives, which may keep a lenient layout.
      assert_equal Ketch.load_stream(given.after, lenient: true), edit.documents.map(&:value), given.name
    end
    assert_operator done, :>=, 50
  end

  def test_a_mapping_reads_like_a_hash
    edit = self.edit
    assert_equal Ketch.load(YAML), edit.to_h
    assert_equal %w[image hosts limits jobs debug], edit.keys
    assert_equal "1.9", edit["image"]["tag"]
    assert_equal 16, edit.dig("limits", "cpu")
    assert_equal "deploy", edit.dig(:jobs, -1, :name)
    assert_nil edit["absent"]
    assert_nil edit.dig("absent", 1)
    assert edit.key?("image") && edit["image"].key?(:tag) && !edit.key?("tag")
    assert_equal "x", edit.fetch("absent", "x")
    assert_equal "absent!", edit.fetch("absent") { |key| "#{key}!" }
    error = assert_raises(KeyError) { edit.fetch("absent") }
    assert_equal "absent", error.key
    assert_equal 5, edit.size
    assert_equal [%w[repository app], ["tag", "1.9"]], edit["image"].each.to_a
    assert_equal({ "repository" => "app", "tag" => "1.9" }, edit["image"])
    refute_equal({ "tag" => "1.9" }, edit["image"])
    assert_equal ["yes", 2], [edit["debug"], edit["image"].values.size]
    assert_equal "image", edit["image"].path
    assert_equal "jobs[0].steps", edit["jobs"][0]["steps"].path
    assert edit["image"].value?("app")
    assert_equal [["cpu", 16]], edit["limits"].select { |_, value| value.is_a?(Integer) }
    case edit["image"]
    in { repository:, tag: } then assert_equal %w[app 1.9], [repository, tag]
    end
  end

  def test_a_sequence_reads_like_an_array
    hosts = edit["hosts"]
    assert_equal %w[a.example b.example], hosts.to_a
    assert_equal %w[a.example b.example], hosts
    assert_equal "b.example", hosts[-1]
    assert_nil hosts[2]
    assert_nil hosts[-3]
    assert_equal ["b.example"], hosts[1..]
    assert_equal %w[a.example b.example], hosts[0, 5]
    assert_equal %w[a.example b.example], [hosts.first, hosts.last]
    assert_equal 1, hosts.index("b.example")
    assert hosts.include?("a.example")
    assert_raises(IndexError) { hosts.fetch(2) }
    assert_equal 0, hosts.fetch(-3, 0)
    assert_equal %w[A.EXAMPLE B.EXAMPLE], hosts.map(&:upcase)
    assert_raises(TypeError) { hosts["a"] }
  end

  def test_scalars_that_are_read_are_frozen
    edit = self.edit
    assert_raises(FrozenError) { edit["image"]["tag"] << "!" }
    assert_raises(FrozenError) { edit["hosts"].each { |host| host << "!" } }
    refute edit.to_h.frozen?
    refute edit["image"].value["tag"].frozen?
  end

  def test_an_edit_of_each_kind
    edit = self.edit
    edit["image"]["tag"] = "1.10"
    edit["hosts"] << "c.example"
    edit["limits"]["cpu"] = 16
    edit["limits"]["disk"] = nil
    edit["jobs"][0]["steps"].insert(1, "lint")
    edit.rename("debug", "verbose")
    edit.insert("env", { "A" => 1 }, before: "jobs")
    edit["jobs"].node(1).leading_comment = "the second"
    edit.node("verbose").comment = "for now"
    assert_equal "yes", edit.delete("verbose")
    assert_nil edit.delete("verbose")
    assert_equal <<~EOS, edit.text
      # settings
      image:
        repository: app
        tag: '1.10'   # pinned
      hosts:   # of the site
      - a.example
      - b.example
      - c.example

      limits: {cpu: 0x10, memory: 2Gi, disk: null}
      env:
        A: 1
      jobs:
        # the first
        - name: build
          steps: [compile, lint, test]
        # the second
        - name: deploy
    EOS
  end

  # Calls, each with the text that it must produce.
  MAPPINGS = {
    ->(d) { d.store("a", 5) } => "a: 5\nb: 2 # two\n",
    ->(d) { d.merge!({ "b" => 3 }, { c: [4] }) } => "a: 1\nb: 3 # two\nc:\n  - 4\n",
    ->(d) { d.merge!({ "b" => 3 }) { |_, old, new| old + new } } => "a: 1\nb: 5 # two\n",
    ->(d) { d.update("a" => 0) } => "a: 0\nb: 2 # two\n",
    ->(d) { d.merge_patch("a" => nil, "b" => 7) } => "b: 7 # two\n",
    ->(d) { d.replace("b" => 2, "z" => 1) } => "b: 2 # two\nz: 1\n",
    ->(d) { d.delete_if { |key, _| key == "a" } } => "b: 2 # two\n",
    ->(d) { d.select! { |_, value| value < 2 } } => "a: 1\n",
    ->(d) { d.keep_if { |_, value| value > 1 } } => "b: 2 # two\n",
    ->(d) { d.reject! { |_, value| value > 2 } } => "a: 1\nb: 2 # two\n",
    ->(d) { d.transform_values! { |value| value * 10 } } => "a: 10\nb: 20 # two\n",
    ->(d) { d.shift } => "b: 2 # two\n",
    ->(d) { d.clear } => "{}\n",
    ->(d) { d.insert("c", 3, after: "a") } => "a: 1\nc: 3\nb: 2 # two\n",
    ->(d) { d.insert("c", 3, first: true) } => "c: 3\na: 1\nb: 2 # two\n",
    ->(d) { d.rewrite("a", "x") } => "a: x\nb: 2 # two\n",
    ->(d) { d[3] = { nil => true, 1.5 => [] } } => "a: 1\nb: 2 # two\n3:\n  null: true\n  1.5: []\n",
    ->(d) { d.each { |key, value| d[key] = value + 1 } } => "a: 2\nb: 3 # two\n",
    ->(d) { d["a"] = d } => "a:\n  a: 1\n  b: 2\nb: 2 # two\n",
    ->(d) { d.root.set("a", :sym) } => "a: sym\nb: 2 # two\n"
  }.freeze

  def test_methods_of_mappings
    MAPPINGS.each { |call, expected| assert_equal expected, Ketch.edit("a: 1\nb: 2 # two\n", &call), expected }
  end

  SEQUENCES = {
    ->(d) { d.push("c", 1) } => "- b # first\n- a\n- c\n- 1\n",
    ->(d) { d.concat(%w[c], ["d"]) } => "- b # first\n- a\n- c\n- d\n",
    ->(d) { d.unshift("z") } => "- z\n- b # first\n- a\n",
    ->(d) { d.insert(-2, "z", "y") } => "- b # first\n- z\n- y\n- a\n",
    ->(d) { d.insert(1, "z", "y") } => "- b # first\n- z\n- y\n- a\n",
    ->(d) { d[2] = "c" } => "- b # first\n- a\n- c\n",
    ->(d) { d[-1] = "c" } => "- b # first\n- c\n",
    ->(d) { d.pop } => "- b # first\n",
    ->(d) { d.shift } => "- a\n",
    ->(d) { d.delete("a") } => "- b # first\n",
    ->(d) { d.delete("x") } => "- b # first\n- a\n",
    ->(d) { d.reject! { |item| item == "b" } } => "- a\n",
    ->(d) { d.keep_if { |item| item == "b" } } => "- b # first\n",
    ->(d) { d.sort! } => "- a\n- b # first\n",
    ->(d) { d.map!(&:upcase) } => "- B # first\n- A\n",
    ->(d) { d.replace(%w[b c a]) } => "- b # first\n- c\n- a\n",
    ->(d) { d.clear } => "[]\n",
    ->(d) { d << { "k" => [1, { "x" => "y" }] } } => "- b # first\n- a\n- k:\n    - 1\n    - x: y\n"
  }.freeze

  def test_methods_of_sequences
    SEQUENCES.each { |call, expected| assert_equal expected, Ketch.edit("- b # first\n- a\n", &call), expected }
  end

  def test_return_values_are_those_of_hash_and_array
    edit = Ketch.edit("a: {b: [1, {c: 2}]}\n")
    list = edit["a"]["b"]
    assert_same list, list.push(3)
    assert_equal 3, list.pop
    assert_equal({ "c" => 2 }, list.delete_at(1))
    assert_nil list.delete_at(9)
    assert_nil list.reject!(&:nil?)
    assert_equal 1, list.delete(1)
    assert_nil list.pop
    assert_equal ["b", []], edit["a"].shift
    assert_nil edit["a"].shift
    assert_equal "none", edit.delete("x") { "none" }
    assert_equal 5, edit.set("x", 5)
  end

  def test_an_empty_document_becomes_a_mapping
    assert_equal "# only this\na: 1\n", Ketch.edit("# only this\n") { |d| d["a"] = 1 }
    edit = Ketch.edit("")
    assert_equal({}, edit.to_h)
    assert_nil edit["a"]
    assert_empty edit
    edit["a"] = [1]
    assert_equal({ "a" => [1] }, edit.to_h)
    assert_equal "a:\n  - 1\n", Ketch.edit("null\n") { |d| d["a"] = [1] }
  end

  def test_several_documents
    edit = Ketch.edit("a: 1\n---\n- x\n---\nb: 2\n")
    assert_equal 3, edit.document_count
    edit.root(1) << "y"
    edit.root(-1)["b"] = 3
    edit["a"] = 2
    assert_equal "a: 2\n---\n- x\n- y\n---\nb: 3\n", edit.text
    assert_equal [{ "a" => 2 }, %w[x y], { "b" => 3 }], edit.documents.map(&:value)
    assert_raises(IndexError) { edit.root(3) }
  end

  def test_views_follow_their_collections
    edit = self.edit
    image, hosts, deploy = edit["image"], edit["hosts"], edit["jobs"][1]
    edit.delete("debug")
    edit["jobs"].unshift({ "name" => "lint" })
    deploy["needs"] = "build"
    edit["jobs"].delete_at(0)
    deploy["needs"] = "all"
    edit.rename("image", "picture")
    image["tag"] = "2"
    hosts << "c"
    assert_equal "picture", image.path
    assert_equal "jobs[1]", deploy.path
    assert_equal({ "name" => "deploy", "needs" => "all" }, edit["jobs"][1])
    assert_equal "2", edit["picture"]["tag"]
  end

  STALE = {
    "deleted" => ->(d) { d.delete("l") },
    "its parent deleted" => ->(d) { d["m"] && d.delete("l") },
    "a scalar" => ->(d) { d["l"] = 1 },
    "another kind" => ->(d) { d["l"] = { "a" => 1 } },
    "by an operation" => ->(d) { d.apply(op: "delete", path: ".l") },
    "by many" => ->(d) { d.apply(op: "delete", path: ".*") },
    "moved" => ->(d) { d.move("l", into: d["m"]) }
  }.freeze

  def test_stale_views
    STALE.each do |name, call|
      edit = Ketch.edit("m: {}\nl: [[1]]\n")
      view, inner = edit["l"], edit["l"][0]
      call.call(edit)
      [view, inner].each do |stale|
        [-> { stale << 2 }, -> { stale[0] }, -> { stale.to_a }, -> { stale.size }, -> { stale.path }].each do |use|
          error = assert_raises(Ketch::StaleViewError, name, &use)
          assert_match(/the view of `l.*` is stale/, error.message)
        end
      end
    end
  end

  def test_items_of_a_sorted_sequence_are_stale
    edit = Ketch.edit("l: [b, [1], a]\n")
    item = edit["l"][1]
    edit["l"].sort!
    assert_raises(Ketch::StaleViewError) { item[0] }
    edit["l"][edit["l"].index([1])] << 3
    assert_includes edit["l"], [1, 3]
  end

  def test_a_replaced_collection_of_the_same_kind_is_not_stale
    edit = self.edit
    hosts, jobs, build = edit["hosts"], edit["jobs"], edit["jobs"][0]
    edit["hosts"] = %w[z]
    hosts << "y"
    jobs.replace([{ "name" => "x" }])
    assert_equal [{ "name" => "x" }], jobs
    assert_equal %w[z y], edit["hosts"]
    assert_raises(Ketch::StaleViewError) { build["name"] }
  end

  def test_a_refused_batch_changes_nothing
    edit = self.edit
    steps = edit["jobs"][0]["steps"]
    error = assert_raises(Ketch::NotFoundError) do
      edit.apply([{ op: "delete", path: ["jobs"] }, { op: "delete", path: ["absent"] }])
    end
    assert_equal 1, error.operation
    assert_match(/operation 2 of 2: there is no key `absent`/, error.message)
    assert_equal YAML, edit.text
    refute edit.changed?
    steps << "ship"
    assert_equal %w[compile test ship], edit["jobs"][0]["steps"]
    assert_raises(TypeError) { edit.merge!("debug" => 1, "image" => Object.new) }
    assert_equal "yes", edit["debug"]
  end

  def test_errors_have_a_location_an_excerpt_and_help
    edit = Ketch.edit("base: &base {a: 1}\nuse: *base\nown:\n  <<: *base\n", filename: "f.yml")
    error = assert_raises(Ketch::ThroughAliasError) { edit["use"]["a"] = 2 }
    assert_equal [:through_alias, "f.yml", 2, 6, "use: *base"],
                 [error.name, error.file, error.line, error.column, error.line_text]
    assert_match(/\Af.yml:2:6: .*\n    use: \*base\n         \^\n`alias: :through`/, error.message)
    assert_raises(Ketch::AnchorInUseError) { edit.delete("base") }
    assert_raises(Ketch::NotOwnedError) { Ketch.edit(edit.text, schema: :yaml11)["own"].delete("a") }
    assert_raises(Ketch::KindMismatchError) { edit["base"].node("a").style = :literal }
    assert_raises(Ketch::TestFailedError) { edit.apply(op: "test", path: ".base.a", value: 2) }
    duplicate = assert_raises(Ketch::EditError) { edit.rename("use", "own") }
    assert_equal :duplicate_key, duplicate.name
    assert_raises(Ketch::EditError) { edit.insert("own", 1) }
    assert_raises(Ketch::EditError) { edit.apply([{ op: "unknown", path: [] }]) }
    invalid = assert_raises(Ketch::SyntaxError) { Ketch.edit("a: [1\n", filename: "g.yml") }
    assert_equal ["g.yml", 1], [invalid.file, invalid.line]
  end

  def test_aliases
    text = "base: &base {a: 1}\nuse: *base\n"
    edit = Ketch.edit(text)
    assert_equal({ "a" => 1 }, edit["use"])
    assert_equal :alias, edit.node("use").kind
    edit["use"].set("a", 2, alias: :through)
    assert_equal "base: &base {a: 2}\nuse: *base\n", edit.text
    edit["use"].set("a", 3, alias: :detach)
    assert_equal "base: &base {a: 2}\nuse: {a: 3}\n", edit.text
    assert_equal "use: &base {a: 1}\n", Ketch.edit(text) { |d| d.root.delete("base", anchors: :promote) }
    assert_raises(ArgumentError) { edit["use"].set("a", 3, alias: :maybe) }
    assert_raises(ArgumentError) { edit["use"].set("a", 3, unknown: 1) }
  end

  def test_merge_keys_are_read_as_a_load_reads_them
    text = "base: &base {a: 1, b: [1]}\nown:\n  <<: *base\n  c: 2\n"
    %i[core yaml11].each do |schema|
      edit = Ketch.edit(text, schema: schema)
      assert_equal Ketch.load(text, schema: schema)["own"], edit["own"]
      assert_equal Ketch.load(text, schema: schema)["own"].keys, edit["own"].keys
      assert_equal Ketch.load(text, schema: schema)["own"].size, edit["own"].size
    end
    edit = Ketch.edit(text, schema: :yaml11)
    merged = edit["own"]["b"]
    assert_equal [1], merged
    edit["base"]["b"].unshift(0)
    assert_raises(Ketch::StaleViewError) { merged[0] }
  end

  def test_nodes
    edit = Ketch.edit("# why\n# so\na: 'x' # here\nl:\n- &b {c: 1}\n- *b\n")
    node = edit.node("a")
    assert_equal ["x", :scalar, :single, nil, "here", "why\nso"],
                 [node.value, node.kind, node.style, node.anchor, node.comment, node.leading_comment]
    node.style = :double
    node.comment = "there"
    node.leading_comment = nil
    item = edit["l"].node(0)
    assert_equal ["b", :flow], [item.anchor, item.style]
    item.anchor = "d"
    assert_equal "a: \"x\" # there\nl:\n- &d {c: 1}\n- *d\n", edit.text
    edit["l"].node.style = :flow
    assert_equal "a: \"x\" # there\nl: [&d {c: 1}, *d]\n", edit.text
    assert_raises(KeyError) { edit.node("absent") }
    assert_raises(IndexError) { edit["l"].node(9) }
    assert_equal "&d {c: 1}", edit.rename_anchor("d", "e").then { edit.text[/&. ..../] }.sub("e", "d").sub("{c:", "{c: 1}")[0, 9]
  end

  def test_patches_come_out_as_data
    edit = Ketch.edit("a: 😀\nb: 1\n")
    edit["b"] = 22
    assert_equal [Ketch::Edit::Patch.new(11, 12, "22")], edit.patches
    assert_equal [Ketch::Edit::Patch.new(11, 13, "1")], edit.inverse
    range = { "start" => { "line" => 1, "character" => 3 }, "end" => { "line" => 1, "character" => 4 } }
    assert_equal [{ "range" => range, "newText" => "22" }], edit.lsp_edits
    assert_equal "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a: 😀\n-b: 1\n+b: 22\n", edit.diff("x", "y")
  end

  def test_encodings
    text = "ä: ö\n"
    ["UTF-16LE", "UTF-16BE", "UTF-32LE"].each do |encoding|
      # A string that says its encoding is text; bytes go out as they came.
      assert_equal "ä: ü\n", Ketch.edit(text.encode(encoding)) { |d| d["ä"] = "ü" }
      bytes = "\uFEFF#{text}".encode(encoding).b
      edit = Ketch.edit(bytes)
      edit["ä"] = "ü"
      assert_equal "\uFEFFä: ü\n".encode(encoding).b, edit.bytes
    end
    latin = "ü".encode("ISO-8859-1")
    assert_equal "ü: ü\n", Ketch.edit("") { |d| d[latin] = latin }
    assert_equal "a: b\n".encode("UTF-8"), Ketch.edit("a: 1\n".b.freeze) { |d| d["a".b] = "b".b }
    broken = "\xFF".dup.force_encoding("UTF-8")
    assert_raises(EncodingError) { Ketch.edit("a: 1\n")["a"] = broken }
    assert_raises(EncodingError) { Ketch.edit("a: 1\n")[broken] = 1 }
    assert_raises(EncodingError) { Ketch.edit("a: 1\n")["a"] = "\xFF".b }
    assert_raises(Ketch::SyntaxError) { Ketch.edit("a: \xFF\n") }
  end

  def test_values_that_cannot_be_written
    edit = self.edit
    cycle = []
    cycle << cycle
    assert_raises(ArgumentError) { edit["a"] = cycle }
    assert_raises(ArgumentError) { edit["a"] = 200.times.reduce(1) { |value, _| [value] } }
    assert_raises(TypeError) { edit["a"] = Object.new }
    assert_raises(TypeError) { edit[Object.new] = 1 }
    assert_raises(TypeError) { edit["a"] = 1..2 }
    assert_equal YAML, edit.text
    values = [nil, true, 1.5, -0.0, 1e300, 10**30, Float::INFINITY, "null", "1", "", "a\nb\n", "\u2028\t\u0007", [[]], {}]
    edit["a"] = values
    assert_equal values, edit["a"]
    assert_equal values, Ketch.load(edit.text)["a"]
    edit["nan"] = Float::NAN
    assert edit["nan"].nan?
  end

  def test_edits_survive_a_collection_at_each_allocation
    GC.stress = NEW_OBJECTS
    edit = self.edit
    edit["image"]["tag"] = "1.10"
    edit["hosts"].push("c", ["d"])
    edit.merge!("x" => { "y" => [1, "z"] })
    found = edit["jobs"].map { |job| job["name"] }
    error = assert_raises(Ketch::NotFoundError) { edit.rename("absent", "b") }
    text = edit.text
    GC.stress = false
    assert_equal %w[build deploy], found
    assert_match(/there is no key `absent`/, error.message)
    assert_equal ["1.10", ["a.example", "b.example", "c", ["d"]], { "y" => [1, "z"] }],
                 Ketch.load(text).then { |value| [value["image"]["tag"], value["hosts"], value["x"]] }
  end

  def test_threads_may_share_an_edit_but_nested_calls_fail
    edit = Ketch.edit((0...200).map { |n| "k#{n}: [0]\n" }.join)
    threads = 4.times.map do |thread|
      Thread.new { (thread...200).step(4) { |n| edit["k#{n}"][0] = n } }
    end
    threads.each(&:join)
    assert_equal((0...200).to_h { |n| ["k#{n}", [n]] }, edit.to_h)
    # A value that edits while it is written.
    odd = Object.new
    edit.define_singleton_method(:odd) { odd }
    assert_raises(TypeError) { edit["k0"] = [odd] }
  end

  def test_a_timeout_ends_a_series_of_edits
    edit = Ketch.edit("l: [#{"1, " * 2000}1]\n")
    list = edit["l"]
    assert_raises(Timeout::Error) { Timeout.timeout(0.2) { loop { list[1000] = list[1000] + 1 } } }
    # The text is that of the last edit.
    assert_equal edit.text, Ketch.edit(edit.text).text
    list[0] = 7
    assert_equal 7, Ketch.load(edit.text)["l"][0]
  end

  def in_folder
    Dir.mktmpdir do |folder|
      path = "#{folder}/values.yml"
      File.binwrite(path, YAML)
      yield path
    end
  end

  def test_a_file_is_saved_when_the_block_ends
    in_folder do |path|
      File.chmod(0o640, path)
      assert_equal true, Ketch.edit_file(path) { |d| d["image"]["tag"] = "1.10" }
      assert_equal YAML.sub("'1.9'", "'1.10'"), File.binread(path)
      assert_equal 0o640, File.stat(path).mode & 0o777
      assert_equal [File.basename(path)], Dir.children(File.dirname(path))
      require "pathname"
      assert Ketch.edit_file(Pathname.new(path)) { |d| d["debug"] = false }
      edit = Ketch.edit_file(path)
      edit.delete("debug")
      assert edit.save
      refute_includes File.read(path), "debug"
    end
  end

  def test_a_file_without_changes_is_not_touched
    in_folder do |path|
      before = File.stat(path)
      assert_equal false, Ketch.edit_file(path) { |d| d["limits"]["cpu"] = 16 }
      assert_equal [before.ino, before.mtime], File.stat(path).then { |after| [after.ino, after.mtime] }
    end
  end

  def test_a_block_that_is_left_early_saves_nothing
    in_folder do |path|
      change = ->(d) { d.delete("image") }
      assert_raises(RuntimeError) { Ketch.edit_file(path) { |d| change.call(d) && raise("no") } }
      Ketch.edit_file(path) { |d| break change.call(d) }
      catch(:out) { Ketch.edit_file(path) { |d| throw :out, change.call(d) } }
      assert_raises(Ketch::NotFoundError) { Ketch.edit_file(path) { |d| change.call(d) && d.rename("a", "b") } }
      assert_raises(Timeout::Error) { Ketch.edit_file(path) { |d| change.call(d) && Timeout.timeout(0.01) { sleep } } }
      assert_equal YAML, File.binread(path)
      assert_equal [File.basename(path)], Dir.children(File.dirname(path))
    end
  end

  def test_a_file_that_has_changed_since_is_not_replaced
    in_folder do |path|
      error = assert_raises(Ketch::FileError) do
        Ketch.edit_file(path) do |d|
          d["debug"] = false
          File.binwrite(path, "by: another\n")
        end
      end
      assert_equal [:file_changed, path], [error.name, error.file]
      assert_equal "by: another\n", File.binread(path)
    end
  end

  # Each edit arrives, or raises an error.
  def test_several_processes_edit_one_file
    return unless Process.respond_to?(:fork) # JRuby cannot

    in_folder do |path|
      File.binwrite(path, "n: 0 # count\n")
      processes = Array.new(4) { fork { exit!(25.times.sum { increment(path) }) } }
      done = processes.sum { |process| Process.wait2(process).last.exitstatus }
      assert_operator done, :>, 0
      assert_equal "n: #{done} # count\n", File.binread(path)
      assert_equal [File.basename(path)], Dir.children(File.dirname(path))
    end
  end

  # Returns 1, or 0 if another process has changed the file meanwhile.
  def increment(path)
    Ketch.edit_file(path) { |d| d["n"] += 1 }
    1
  rescue Ketch::FileError => error
    error.name == :file_changed ? 0 : raise
  end

  def test_links_and_files_that_cannot_be_replaced
    in_folder do |path|
      link, hard = "#{path}.link", "#{path}.hard"
      File.symlink(path, link)
      assert Ketch.edit_file(link) { |d| d["debug"] = 1 }
      assert File.symlink?(link)
      assert_equal YAML.sub("debug: yes", "debug: 1"), File.binread(path)
      File.link(path, hard)
      error = assert_raises(Ketch::FileError) { Ketch.edit_file(path) { |d| d["debug"] = 2 } }
      assert_equal :not_replaced, error.name
      assert Ketch.edit_file(path, write_through: true) { |d| d["debug"] = 2 }
      assert_equal [YAML.sub("debug: yes", "debug: 2")] * 2, [File.binread(path), File.binread(hard)]
      assert_raises(Errno::ENOENT) { Ketch.edit_file("#{path}.absent") { flunk } }
      assert_raises(ArgumentError) { Ketch.edit_file(File.dirname(path)) { flunk } }
      assert_raises(IOError) { edit.save }
    end
  end

  def test_an_invalid_file_is_an_error_with_its_name
    in_folder do |path|
      File.binwrite(path, "a: [1\n")
      error = assert_raises(Ketch::SyntaxError) { Ketch.edit_file(path) { flunk } }
      assert_equal path, error.file
    end
  end

  # Makes the same random calls on views and on a Hash and an Array.
  def test_random_calls_act_as_on_a_hash_and_an_array
    random = Random.new(Integer(ENV.fetch("SEED", "18")))
    Integer(ENV.fetch("COUNT", "150")).times do
      value = { "m" => { "a" => 1, "b" => [1, "x"] }, "l" => ["p", { "q" => nil }, [2]], "s" => "t" }
      edit = Ketch.edit(Ketch.dump(value, flow: random.rand(2).zero?))
      log = []
      6.times do
        call = random_call(random, value)
        log << call[:text]
        expected = call[:run].call(value)
        found = call[:run].call(edit)
        assert_equal [expected, value], [found.is_a?(Ketch::Edit::View) || found.is_a?(Ketch::Edit) ? expected : found, edit.to_h], log.join("; ")
      end
      assert_equal value, Ketch.load(edit.text), log.join("; ")
      assert_equal value.keys, edit.keys
    end
  end

  NEW = [1, "x y", nil, [], {}, [1, { "k" => "v" }], { "n" => [true] }, "line\nline\n"].freeze

  def random_call(random, value)
    path = []
    at = value
    while (at.is_a?(Hash) || at.is_a?(Array)) && !at.empty? && random.rand(3).positive?
      key = at.is_a?(Hash) ? at.keys.sample(random: random) : random.rand(at.size)
      break unless at[key].is_a?(Hash) || at[key].is_a?(Array)

      path << key
      at = at[key]
    end
    name, *arguments = arguments_for(random, at)
    { text: "#{path.join(".")} #{name} #{arguments.inspect}",
      run: ->(root) { path.reduce(root) { |view, key| view[key] }.public_send(name, *Marshal.load(Marshal.dump(arguments))) } }
  end

  def arguments_for(random, at)
    new = NEW.sample(random: random)
    key = ((at.is_a?(Hash) ? at.keys : []) + %w[new other]).sample(random: random)
    if at.is_a?(Hash)
      [[:[]=, key, new], [:store, key, new], [:delete, key], [:key?, key], [:size], [:merge!, { key => new }]].sample(random: random)
    else
      index = random.rand(at.size + 1)
      choices = [[:push, new], [:insert, index, new], [:delete_at, index], [:pop], [:shift], [:unshift, new], [:size]]
      choices << [:[]=, index, new] << [:concat, [new, 3]]
      choices.sample(random: random)
    end
  end

  SORTED_BY = "b: 1 # one\n# two\na: 2\nc:\n- z # zz\n# y\n- yy\n- xxx\n"

  def test_sort_by
    edit = Ketch.edit(SORTED_BY)
    assert_same edit.root.edit, edit.sort_by! { |_, value| value.is_a?(Integer) ? -value : 0 }.edit
    assert_equal "# two\na: 2\nb: 1 # one\nc:\n- z # zz\n# y\n- yy\n- xxx\n", edit.text
    edit["c"].sort_by! { |item| -item.size }
    assert_equal "# two\na: 2\nb: 1 # one\nc:\n- xxx\n# y\n- yy\n- z # zz\n", edit.text
    edit["c"].sort! { |one, other| one.size <=> other.size }
    assert_equal "# two\na: 2\nb: 1 # one\nc:\n- z # zz\n# y\n- yy\n- xxx\n", edit.text
    assert_raises(RuntimeError) { edit.sort_by! { raise "no" } }
    list = edit["c"]
    list.sort_by! { |item| -item.size }
    assert_equal %w[xxx yy z], list.value
    assert_equal %w[z yy xxx], edit["c"].sort_by!.with_index { |_, index| -index }.to_a
  end

  def test_a_tag_that_yaml_does_not_define_is_dropped_unless_it_is_kept
    after = ->(**options) { Ketch.edit("count: !Ref Nodes  # c\n") { |d| d.set("count", 2, **options) } }
    assert_equal "count: 2  # c\n", after.call
    assert_equal "count: !Ref 2  # c\n", after.call(keep_tag: true)
    assert_equal "count: !Sub 2  # c\n", after.call(tag: "!Sub")
    kept = Ketch.edit("ports: !reset [70]\n") { |d| (d["ports"] << 80) && d["ports"] = [70, 80] }
    assert_equal "ports: !reset [70, 80]\n", kept
  end

  def test_sort_by_does_what_it_does_in_an_array
    random = Random.new(7)
    100.times do
      items = Array.new(random.rand(8)) { random.rand(5) }
      edit = Ketch.edit(items.each_with_index.map { |item, index| "- #{item} # #{index}\n" }.join.then { _1.empty? ? "[]" : _1 })
      expected = items.each_with_index.sort_by { |item, index| [item % 3, index] }
      edit.sort_by! { |item| item % 3 }
      assert_equal expected.map(&:first), edit.root.value
      assert_equal expected.map(&:last), edit.text.scan(/# (\d+)/).map { |(index)| index.to_i }
    end
  end
end

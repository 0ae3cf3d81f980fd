# frozen_string_literal: true

# Writes the inputs of the rows for Ruby and JRuby that are neither in the corpus nor made for all hosts.

require "fileutils"
require "json"

FOLDER = "#{ENV.fetch("KETCH_BOARD_OUT") { File.expand_path("../../../bench/out", __dir__) }}/inputs"
FileUtils.mkdir_p(FOLDER)

def write(name, text) = File.write("#{FOLDER}/#{name}", text)

write "small.yaml", "name: ketch\nmasts: [main, mizzen]\nrig: fore-and-aft\nlaunched: 1902\nid: 1\n"

# 53,922 messages of 34 bytes on average, and a tenth of them.
write "messages.json", JSON.generate(bytes: 1_850_000, seed: 42)
write "messages_tenth.json", JSON.generate(bytes: 185_000, seed: 42)

# The documents have the shape of small_yaml.yml and big_yaml.yml, the files of JRuby's benchmark, with other words.
WORDS = %w[oak elm ash].freeze
big = ["", "2", "3", "4"].map do |number|
  items = Array.new(39) { |at| "  - #{at == 7 ? "[1, 2, 3, 4, 5]" : WORDS[at % 3]}\n" }.join
  inner = Array.new(15) { |at| "   - #{WORDS[at % 3]}\n" }.join
  groves = ["", "2", "3", "4", "5", "6"].map { |key| "  key#{key}:\n#{inner}" }.join
  "key#{number}:\n#{items}\ngrove#{number}: \n#{groves}\n"
end
write "syck_small.yaml", "---\n- &fir oak\n- elm: a\n  maple: b\n  hazel: ash\n- 123\n- !str 123\n- *fir\n"
write "syck_big.yaml", big.join.prepend("---\n")

items = (0...140_000).map { |n| "- id: #{n}\n  name: item #{n}   # note #{n}\n  port: #{8000 + n % 1000}\n  tags: [a, b]\n" }
write "edit_items.yaml", "items:\n#{items.join}"

write "scalars.json", JSON.generate(
  ["", "~", "null", "true", "No", "on", "12", "-7", "0x1F", "017", "1_000", "685.230_15e+03", "3.14", "1e3", ".inf", ".NaN",
   "2026-11-27", "2026-11-27 10:00:00 Z", "2026-11-27T10:00:00.5+01:00", "12:30:45", ":symbol", "text", "a longer text", "1.2.3"]
)

short = Array.new(20_000) { |n| "line #{n}\n" }.join
write "lines_short.txt", short
write "lines_crlf.txt", short.gsub("\n", "\r\n")
write "lines_one.txt", "abcdefghijkl" * 1000

# Short strings, the lines of a log, and the log as a whole.
STRINGS = %w[ariel main-mizzen 2026-11-27 fleet@example.org 127.0.0.1 harbour].freeze
LOG = Array.new(2_000) do |n|
  ip = "10.#{n % 7}.#{n * 13 % 256}.#{n * 31 % 256}"
  "#{ip} - - [27/Nov/2026:10:#{format("%02d", n % 60)}:00 +0000] \"GET /ships/#{n}?q=é HTTP/1.1\" #{[200, 404, 500][n % 3]} #{n * 97 % 9000}"
end
PATTERNS = {
  "date" => '(\d{4})-(\d\d)-(\d\d)', "address" => '[\w.+-]+@[\w-]+\.[\w.]+', "word" => '\bmizzen\b',
  "log" => '^(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) (\S+)[^"]*" (\d{3}) (\d+)$', "status" => '" (?:404|500) ', "digits" => '\d+'
}.freeze
write "regexp_log.txt", LOG.join("\n")
{ %w[date address word] => STRINGS, %w[log status] => LOG, %w[log_text status_text digits_text] => ["@regexp_log.txt"] }.each do |names, texts|
  names.each { |name| write "regexp_#{name}.json", JSON.generate(texts.map { |text| ["", PATTERNS[name.delete_suffix("_text")], text] }) }
end

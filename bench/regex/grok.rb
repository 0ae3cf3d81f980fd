# The workload of grok patterns for bench/regex/run: patterns of Logstash, expanded, and lines of logs. The patterns come
# from the crate `grok` (conformance/regex/fetch grok).
module GrokLines
  FOLDER = File.expand_path("../../.cache/regex/grok-2.4.1", __dir__)
  LINES = [
    %q(203.0.113.7 - ada [27/Nov/2026:09:12:04 +0000] "GET /boats/12?deck=main HTTP/1.1" 200 2326 "https://example.org/" "Mozilla/5.0 (X11; Linux)"),
    "Nov 27 09:12:04 harbour sshd[4711]: Accepted publickey for ada from 203.0.113.7 port 52144 ssh2",
    "2026-11-27 09:12:04,311 INFO  [worker-7] org.example.Harbour - loaded 12 boats in 31 ms",
    "ts=2026-11-27T09:12:04Z level=warn component=queue msg=\"retrying the delivery\" attempt=3 delay=1.5s",
  ].freeze

  module_function

  # Returns the definitions of all files by name.
  def definitions
    system(File.expand_path("../../conformance/regex/fetch", __dir__), "grok", exception: true)
    lines = File.readlines("#{FOLDER}/all.pattern", chomp: true, encoding: "UTF-8")
    lines.grep(/\A\w+\s+\S/).to_h { _1.split(/\s+/, 2) }
  end

  # Replaces the references in a pattern by what they refer to. A field becomes a named group.
  def expand(pattern, known)
    pattern.gsub(/%\{(\w+)(?::([^}:]+))?(?::\w+)?\}/) do
      name, field = $1, $2
      field = field&.gsub(/\W+/, "_")
      "(?#{field ? "<_#{field}>" : ":"}#{expand(known.fetch(name), known)})"
    end
  end

  # Returns each of the 52 longest patterns with each line. Most of them do not match.
  def cases
    known = definitions
    patterns = known.values.map { expand(_1, known) }.max_by(52, &:size)
    patterns.product(LINES).map { |pattern, line| ["", pattern, line] }
  end
end

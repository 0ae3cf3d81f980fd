# frozen_string_literal: true

# Times a thousand edits in one session on a text of 10 MB: through Ruby's views, and in Rust
# (crates/ketch-edit/examples/edit_session.rs), alternately, by processor time. Both must write the same text.
# Compares the average edit with one parse of the text, too.
require "ketch"
require "tmpdir"

ROOT = File.expand_path("../../..", __dir__)
ROUNDS = Integer(ENV.fetch("ROUNDS", "9"))
COUNT = 140_000

def build
  command = %w[cargo build --release --quiet --locked -p ketch-edit --example edit_session]
  system(*command, chdir: ROOT) or abort "cargo build failed"
  "#{ENV.fetch("CARGO_TARGET_DIR", "#{ROOT}/target")}/release/examples/edit_session"
end

def in_ruby(text)
  edit = Ketch.edit(text)
  items = edit["items"]
  items[5]["port"] = 1
  started = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)
  1000.times { |index| items[index * 97 % 50_000]["port"] = index }
  [Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) - started, edit.text]
end

Dir.mktmpdir do |folder|
  items = (0...COUNT).map do |n|
    "- id: #{n}\n  name: item #{n}   # note #{n}\n  port: #{8000 + n % 1000}\n  tags: [a, b]\n"
  end
  text = "items:\n#{items.join}"
  File.write("#{folder}/in.yml", text)
  program = build
  parts = []
  ratios = Array.new(ROUNDS) do
    times = IO.popen([program, "#{folder}/in.yml", "#{folder}/out.yml"], &:read).split
    rust, parse = times.map { |time| Integer(time) / 1e6 }
    parts << parse / (rust / 1000)
    ruby, edited = in_ruby(text)
    edited == File.read("#{folder}/out.yml", encoding: "UTF-8") or abort "the texts differ"
    puts format("Rust %.1f ms, Ruby %.1f ms, %.2f", rust * 1e3, ruby * 1e3, ruby / rust)
    ruby / rust
  end.sort
  puts format("1000 edits on %.1f MB: Ruby takes %.2f times as long as Rust (%.2f to %.2f)", text.bytesize / 1e6,
              ratios[ROUNDS / 2], ratios.first, ratios.last)
  parts.sort!
  puts format("One parse takes as long as %.1f edits in Rust (%.1f to %.1f)", parts[ROUNDS / 2], parts.first, parts.last)
end

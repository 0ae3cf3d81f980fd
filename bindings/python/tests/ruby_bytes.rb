# frozen_string_literal: true

# Reads a JSON array of file names. Prints for each a line: the bytes of extprot of all its values in
# hexadecimal, or nothing if Ruby has no values for it.

require "json"
require "ketch"

JSON.parse($stdin.read).each do |name|
  puts Ketch::Extprot.dump(Ketch.load_stream(File.read(name))).unpack1("H*")
rescue Ketch::Error
  puts
end

# frozen_string_literal: true

# peak.rb FORMAT KIND FILE: reads all messages of a file, keeps them, and prints in KiB by how much peak memory grew.

require "msgpack"
require_relative "messages"

format, kind, path = ARGV

def resident(name) = File.read("/proc/self/status")[/^#{name}:\s+(\d+)/, 1].to_i

File.open(path, "rb") do |io|
  GC.start
  before = resident("VmRSS")
  values = case format
           when "Marshal" then [].tap { |all| all << Marshal.load(io) until io.eof? }
           when "MessagePack" then MessagePack::Unpacker.new(io).each.to_a
           else
             case kind
             when "tagged values" then Ketch::Extprot.decoder(io, as: :tagged).to_a
             when "plain arrays" then Ketch::Extprot.decoder(io).to_a
             else Messages::Complex.decoder(io).to_a
             end
           end
  raise if values.empty?

  print [resident("VmHWM") - before, 0].max
end

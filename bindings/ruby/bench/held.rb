# frozen_string_literal: true

# held.rb OPERATION ENGINE FILE: makes all values of the bytes in a file, keeps them, and prints the seconds of the user, the
# system and the clock, and the growth of the memory's peak in KiB.

require_relative "board"

name, engine, path = ARGV
source = File.binread(path)
source.force_encoding("UTF-8") if name.start_with?("yaml.")
GC.start
# Linux takes the peak from here on.
File.write("/proc/self/clear_refs", "5")
before = Board.memory("VmRSS")
values = nil
spent = Board.spent { values = Board::HELD.fetch(name).fetch(engine).(source) }
puts JSON.generate([*spent, [Board.memory("VmHWM") - before, 0].max])
raise "no values" if values.empty?

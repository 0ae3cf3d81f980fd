# Loads documents with Syck's Ruby layer on Yecht, and shows the values; for JRuby 1.7 as Ruby 1.8. Before each document
# and each answer is its length, as four bytes.
require 'yaml'
load File.join(File.dirname(__FILE__), 'values.rb')

STDOUT.binmode
while (length = STDIN.read(4))
  text = STDIN.read(length.unpack('N')[0]) || ''
  said = begin
    shown(YAML.load(text))
  rescue Exception => error
    "refused #{error.class} #{error.message}"
  end
  STDOUT.write([said.length].pack('N') + said)
  STDOUT.flush
end

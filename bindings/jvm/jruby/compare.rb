# frozen_string_literal: true

# Prints digests of Ketch's results for each valid case of yaml-test-suite: the dump and the bytes of extprot,
# and the dump in the dialect of Syck after reading in it, or the error. CRuby and JRuby have to print the same.

require "digest"
require "ketch"
require "ketch/syck"
require "suite"

Suite.cases.reject(&:fail).each do |kase|
  made = begin
    values = Ketch.load_stream(kase.yaml)
    [Ketch.dump_stream(values), Ketch::Extprot.dump(values).unpack1("H*")].join("\n")
  rescue Ketch::Error => e
    e.message
  end
  syck = begin
    Ketch::Syck.dump_stream(*Ketch::Syck.load_documents(kase.yaml))
  rescue Ketch::Error, TypeError => e
    e.message
  end
  puts "#{kase.id} #{Digest::SHA256.hexdigest(made)} #{Digest::SHA256.hexdigest(syck)}"
end

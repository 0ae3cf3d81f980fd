# frozen_string_literal: true

# Prints digests of Ketch's results for each valid case of yaml-test-suite: the dump and the bytes of extprot,
# the dump in the dialect of Syck after reading in it, and the dump, which JRuby gets from `Yaml` in Java, or the error.
# CRuby and JRuby have to print the same.

require "digest"
require "ketch"
require "ketch/syck"
require "suite"

# Loads and dumps a text, on JRuby in Java.
def dumped(yaml)
  return Ketch.dump_stream(Ketch.load_stream(yaml)) unless RUBY_ENGINE == "jruby"

  Java::DevKetch::Yaml.dumpAll(Java::DevKetch::Yaml.java_send(:loadAll, [java.lang.String], yaml))
end

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
  text = begin
    dumped(kase.yaml)
  rescue StandardError => e
    e.message
  end
  puts [kase.id, *[made, syck, text].map { Digest::SHA256.hexdigest(_1) }].join(" ")
end

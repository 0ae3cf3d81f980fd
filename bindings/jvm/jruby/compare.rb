# frozen_string_literal: true

# Prints digests of Ketch's results for each valid case of yaml-test-suite, and for the files of bench/corpus that are
# here: the dump and the bytes of extprot, the dump in the dialect of Syck after reading in it, and the dump and the
# bytes of extprot that JRuby gets from the classes of Java, or the error. CRuby and JRuby have to print the same.

require "digest"
require "ketch"
require "ketch/syck"
require "suite"

OPTIONS = { duplicate_keys: :last }.freeze

# Returns what the block returns, or the message of its error.
def outcome
  yield
rescue Ketch::Error, TypeError => e
  e.message
end

def made(yaml)
  values = Ketch.load_stream(yaml, **OPTIONS)
  [Ketch.dump_stream(values), Ketch::Extprot.dump(values).unpack1("H*")].join("\n")
end

# Does the same with the classes of Java.
def made_in_java(yaml)
  ketch = Java::DevKetch
  options = ketch::Options.builder.duplicateKeys(ketch::DuplicateKeys::LAST).build
  values = ketch::Yaml.java_send(:with, [ketch::Options], options).java_send(:loadAll, [java.lang.String], yaml)
  bytes = Java::DevKetchExtprot::Extprot.java_send(:dump, [java.lang.Object], values)
  [ketch::Yaml.dumpAll(values), String.from_java_bytes(bytes).unpack1("H*")].join("\n")
rescue Java::DevKetch::YamlException => e
  e.message
end

def in_dialect_of_syck(yaml) = Ketch::Syck.dump_stream(*Ketch::Syck.load_documents(yaml))

texts = Suite.cases.reject(&:fail).to_h { |kase| [kase.id, kase.yaml] }
corpus = Dir["#{__dir__}/../../../bench/out/corpus/*"]
texts.merge!(corpus.sort.to_h { |file| [File.basename(file), File.read(file, encoding: "UTF-8")] })
texts.each do |name, yaml|
  results = [outcome { made(yaml) }, outcome { in_dialect_of_syck(yaml) },
             RUBY_ENGINE == "jruby" ? made_in_java(yaml) : outcome { made(yaml) }]
  puts [name, *results.map { Digest::SHA256.hexdigest(_1) }].join(" ")
end

# frozen_string_literal: true

require_relative "lib/ketch/version"

Gem::Specification.new do |spec|
  spec.name = "ketch"
  spec.version = Ketch::VERSION
  spec.authors = ["The Ketch developers"]
  spec.summary = "YAML 1.2 at native speed"
  spec.description = "Loads YAML many times faster than Psych, safely and by the specification, " \
                     "with errors that show the line."
  spec.licenses = %w[MIT Apache-2.0]
  spec.required_ruby_version = ">= 3.1"
  patterns = ["lib/**/*.rb", "sig/**/*.rbs", "README.md", "LICENSE-*", ".yardopts"]
  if RUBY_ENGINE == "jruby"
    # bindings/jvm/jruby/package puts the jar and the native libraries here.
    spec.platform = "java"
    patterns += ["lib/ketch/ketch.jar", "lib/ketch/native/**/*.so"]
  else
    spec.extensions = ["ext/ketch/extconf.rb"]
    # `rake build` puts the sources of the crates there.
    crates = "ext/ketch/crates/{ketch-bytes,ketch-edit,ketch-extprot,ketch-files,ketch-host,ketch-query,ketch-regex,ketch-syck,ketch-yaml}"
    patterns += ["ext/ketch/{extconf.rb,build.rs,Cargo.toml,Cargo.lock}", "ext/ketch/src/**/*.rs",
                 "#{crates}/{Cargo.toml,README.md}", "#{crates}/{src,examples}/**/*.*"]
  end
  spec.files = Dir.chdir(__dir__) { Dir[*patterns] }
  spec.metadata["rubygems_mfa_required"] = "true"
end

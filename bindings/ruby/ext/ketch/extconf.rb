# frozen_string_literal: true

# Writes a Makefile that calls cargo. Needs Rust, a C compiler, Ruby's headers, and libclang to read
# them.

require "mkmf"
require "shellwords"

def stop(problem, help)
  abort "ketch: #{problem}\n#{help}"
end

find_executable("cargo") or
  stop("cargo is missing", "Install Rust 1.89 or newer: https://rustup.rs")
find_header("ruby.h") or
  stop("the headers of Ruby are missing", "On Debian: apt-get install ruby-dev")

libclang = ENV["LIBCLANG_PATH"] ? [ENV["LIBCLANG_PATH"]] : []
libclang += Dir["/usr/lib/llvm-*/lib", "/usr/lib", "/usr/lib64", "/usr/lib/*-linux-gnu", "/usr/local/lib",
                "/opt/homebrew/opt/llvm/lib", "/Library/Developer/CommandLineTools/usr/lib"]
libclang.any? { |folder| Dir["#{folder}/{libclang.{so,dylib},libclang-*.so*,libclang.so.*}"].any? } or
  stop("libclang is missing, by which Ruby's headers are read",
       "On Debian: apt-get install libclang-dev. Elsewhere: set LIBCLANG_PATH to its folder.")

# Cargo's build files are removed after the installation, unless they have a folder of their own.
target = ENV["CARGO_TARGET_DIR"] || File.join(Dir.pwd, "target")
library = RbConfig::CONFIG["host_os"].include?("darwin") ? "libketch.dylib" : "libketch.so"
extension = "ketch.#{RbConfig::CONFIG["DLEXT"]}"
# Tests compile without optimisation across crates, and share what the workspace has compiled.
profile = ENV.fetch("KETCH_PROFILE", "binding")
jobs = ENV["KETCH_JOBS"] ? " -j#{Integer(ENV["KETCH_JOBS"])}" : ""

File.write("Makefile", <<~MAKEFILE)
  # Written by extconf.rb.
  SOURCE = #{__dir__.shellescape}
  TARGET = #{target.shellescape}

  all: #{extension}

  .PHONY: all #{extension} install clean distclean

  #{extension}:
  \tRUBY=#{RbConfig.ruby.shellescape} CARGO_TARGET_DIR=$(TARGET) cargo build --manifest-path $(SOURCE)/Cargo.toml --profile #{profile} --locked#{jobs}
  \tcp $(TARGET)/#{profile}/#{library} $@.new
  \tmv $@.new $@

  # The library goes directly to the Ruby files. RubyGems would copy it there from $(sitearchdir), and to a second folder.
  install: all
  \tmv #{extension} $(SOURCE)/../../lib/ketch/#{extension}
  \t#{ENV["CARGO_TARGET_DIR"] ? ":" : "rm -rf $(TARGET)"}

  clean:

  distclean: clean
  \trm -f #{extension} Makefile
MAKEFILE

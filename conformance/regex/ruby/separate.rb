# frozen_string_literal: true

require "core_assertions"

# Assertions of MRI's tests, for patterns that are not Ruby's own. The code that tests run in a process of its own is
# rewritten, too.
module Separate
  SETUP = %W[-I#{__dir__} -I#{File.expand_path("../../../bindings/ruby/lib", __dir__)} -rketch -rrewrite -rseparate].freeze

  def assert_separately(arguments, *place, code, **options)
    super([*SETUP, *arguments], *place, Rewrite.file(code), **options)
  end

  def assert_in_out_err(arguments, code = "", *expected, **options)
    super([*SETUP, *arguments], Rewrite.file(code), *plain(expected), **options)
  end

  def assert_no_match(pattern, text, *message)
    pattern.is_a?(Ketch::Regexp) ? assert_nil(pattern =~ text, *message) : super
  end

  # These compare messages as text.
  %i[assert_warning assert_raise_with_message].each do |name|
    define_method(name) { |*arguments, **options, &block| super(*plain(arguments), **options, &block) }
  end

  # Ketch's error is a subclass of Ruby's, and this assertion wants the class itself.
  def assert_raise(*classes, &block)
    super(*(classes.include?(RegexpError) ? [Ketch::Regexp::SyntaxError] : []), *classes, &block)
  end

  private

  def plain(arguments) = arguments.map { |argument| KetchTest.plain(argument) }
end
Test::Unit::CoreAssertions.prepend(Separate)

# frozen_string_literal: true

require "ketch/syck"

# Replaces the constant YAML, and the methods of objects that Syck defined in Ruby 1.8: Object#to_yaml,
# Object#taguri, Object#to_yaml_properties, Object#to_yaml_style and Module#yaml_as.
Object.__send__(:remove_const, :YAML) if Object.const_defined?(:YAML, false)
YAML = Ketch::Syck

class Object # :nodoc:
  %i[to_yaml taguri to_yaml_properties to_yaml_style].each { |name| undef_method(name) if method_defined?(name, false) }

  # Returns the object as a document. A class that overrides this method passes the options to YAML.quick_emit.
  def to_yaml(_options = {}) = Ketch::Syck.dump(self)

  # Returns the tag with which the object is written.
  def taguri = Ketch::Syck.taguri(self)

  # Returns the names of the instance variables that are written.
  def to_yaml_properties = instance_variables.sort

  # Returns nil. Syck called this method to get the style of an object; Ketch always chooses the style itself.
  def to_yaml_style = nil
end

class Module # :nodoc:
  # Declares the tag for the objects of the class.
  def yaml_as(tag, _sub_class = true) = Ketch::Syck.yaml_as(self, tag) # rubocop:disable Style/OptionalBooleanParameter
end

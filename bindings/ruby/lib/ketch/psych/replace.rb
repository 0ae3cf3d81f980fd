# frozen_string_literal: true

require_relative "../psych"

# Sets `Psych` and `YAML` to Ketch::Psych, and prevents a later `require "yaml"` from loading
# Psych. If Psych is already loaded, the two constants change now, and `to_yaml` is replaced.
%w[psych yaml yaml/store].each do |feature|
  path = $LOAD_PATH.resolve_feature_path(feature)&.last
  $LOADED_FEATURES << path if path && !$LOADED_FEATURES.include?(path)
end

%i[Psych YAML].each do |name|
  Object.__send__(:remove_const, name) if Object.const_defined?(name, false)
  Object.const_set(name, Ketch::Psych)
end

# Defines the method that Psych adds to all objects.
class Object
  verbose, $VERBOSE = $VERBOSE, nil
  # Returns the object as YAML. The options are those of YAML.dump.
  def to_yaml(options = {}) = Ketch::Psych.dump(self, options)

  # This is not supported, see docs/migrating-from-psych.md.
  def self.yaml_tag(url) = Ketch::Psych.add_tag(url, self)
  $VERBOSE = verbose
end

# frozen_string_literal: true

# The tests of Psych that fail with Ketch::Psych in its place, each with its reason. All others pass.
module OwnTests
  MISSING = {
    # These tests use classes that are private to Psych.
    private: {
      "Psych::Handlers::Recorder is not there: it is private to Psych" => {
        "Psych::Handlers::TestRecorder" => %w[
          test_replay
        ]
      },
      "it counts how often ScalarScanner matches a text" => {
        "Psych::TestScalarScanner" => %w[
          test_scan_ascii_matches_quickly test_scan_unicode_matches_quickly
        ]
      },
      "Psych::Visitors::DepthFirst is not there: it is private to Psych" => {
        "Psych::Visitors::TestDepthFirst" => %w[
          test_alias test_mapping test_scalar test_sequence
        ]
      },
      "Psych::Visitors::Emitter is not there: it is private to Psych" => {
        "Psych::Visitors::TestEmitter" => %w[
          test_alias test_document test_document_implicit_end test_mapping test_options test_scalar
          test_scalar_with_tag test_sequence test_stream
        ]
      },
      "Psych::Visitors::ToRuby is not there: it is private to Psych" => {
        "Psych::Visitors::TestToRuby" => %w[
          test_alias test_anon_struct test_anon_struct_legacy test_binary test_boolean_false test_boolean_true
          test_complex test_complex_string test_date test_document test_exception test_exp_float test_float
          test_float_ignore test_int_ignore test_integer test_legacy_struct test_mapping test_mapping_with_str_tag
          test_object test_range_string test_range_string_triple test_rational test_rational_string test_regexp
          test_scalar test_sequence test_stream test_struct test_time test_time_utc test_time_utc_no_z
          test_tz_00_00_loads_without_error
        ]
      },
      "Psych::Visitors::YAMLTree is not there: it is private to Psych" => {
        "Psych::Visitors::TestYAMLTree" => %w[
          test_anon_class test_tree_can_be_called_twice test_yaml_tree_can_take_an_emitter
        ]
      }
    },
    # These tests create or write objects of arbitrary classes.
    objects: {
      "it restores or writes objects of classes, or instance variables; Ketch makes values" => {
        "Psych::JSON::TestStream" => %w[
          test_json_dump_exclude_tag
        ],
        "Psych::TestAliasAndAnchor" => %w[
          test_anchor_alias_round_trip test_anchor_alias_round_trip_object_with_ivars
          test_anchor_alias_round_trip_substring_with_ivars test_mri_compatibility
          test_mri_compatibility_object_with_ivars test_mri_compatibility_substring_with_ivars
        ],
        "Psych::TestArray" => %w[
          test_another_subclass_with_attributes test_backwards_with_syck test_subclass test_subclass_with_attributes
        ],
        "Psych::TestClass" => %w[
          test_cycle test_cycle_anonymous_class test_cycle_anonymous_module test_cycle_module test_dump
          test_dump_module
        ],
        "Psych::TestCoder" => %w[
          test_coder_style_map_any test_coder_style_map_block test_coder_style_map_default test_coder_style_map_flow
          test_coder_style_scalar_any test_coder_style_scalar_default test_coder_style_scalar_double_quoted
          test_coder_style_scalar_folded test_coder_style_scalar_literal test_coder_style_scalar_plain
          test_coder_style_scalar_single_quoted test_coder_style_seq_any test_coder_style_seq_block
          test_coder_style_seq_default test_coder_style_seq_flow test_dump_encode_with test_dump_init_with
          test_dump_with_tag test_json_dump_exclude_tag test_load_dumped_tagging test_map_takes_block
          test_map_with_tag test_map_with_tag_and_style test_represent! test_represent_map test_represent_sequence
          test_represent_with_init test_represent_with_object test_scalar_coder test_self_referential
        ],
        "Psych::TestDeprecated" => %w[
          test_coder_scalar test_recursive_quick_emit_encode_with test_yaml_initialize_and_init_with
        ],
        "Psych::TestException" => %w[
          test_backtrace test_convert test_naming_exception
        ],
        "Psych::TestHash" => %w[
          test_empty_subclass test_hash_subclass_with_ivars test_map
        ],
        "Psych::TestMarshalable" => %w[
          test_init_symbolize_names test_init_with_takes_priority_over_marshal_methods
          test_objects_defining_marshal_dump_and_marshal_load_can_be_dumped
        ],
        "Psych::TestMergeKeys" => %w[
          test_mergekey_with_object
        ],
        "Psych::TestObject" => %w[
          test_cyclic_references test_dump_with_tag test_tag_round_trip
        ],
        "Psych::TestObjectReferences" => %w[
          test_class_has_references test_module_has_references test_struct_has_references
        ],
        "Psych::TestSafeLoad" => %w[
          test_anon_struct test_foo test_struct_depends_on_sym
        ],
        "Psych::TestSerializeSubclasses" => %w[
          test_some_object test_struct_subclass
        ],
        "Psych::TestString" => %w[
          test_another_subclass_with_attributes test_backwards_with_syck test_empty_character_subclass
          test_empty_subclass test_self_referential_string test_subclass_with_attributes
        ],
        "Psych::TestStruct" => %w[
          test_load test_roundtrip test_self_referential_struct
        ],
        "Psych::Visitors::TestYAMLTree" => %w[
          test_delegator test_exception test_object_has_no_class test_override_method test_simple_delegator
          test_struct test_struct_anon test_struct_const
        ],
        "Psych_Unit_Tests" => %w[
          test_numeric_cycle test_ruby_struct
        ],
        "TestPsych" => %w[
          test_non_existing_class_on_deserialize test_safe_dump_extra_permitted_classes
        ]
      }
    },
    # Other differences, which docs/migrating-from-psych.md describes.
    values: {
      "strings are in UTF-8, whatever Encoding.default_internal says" => {
        "Psych::TestEncoding" => %w[
          test_default_internal
        ]
      },
      "YAML 1.2 has anchors of all letters, and libyaml of ASCII only" => {
        "Psych::TestEncoding" => %w[
          test_emit_alias
        ]
      },
      "Ketch reads all encodings that Ruby converts, and Psych refuses Shift JIS" => {
        "Psych::TestEncoding" => %w[
          test_io_shiftjis
        ]
      },
      "it wants BadAlias itself; Ketch raises AliasesNotEnabled, a BadAlias, as Psych 5 does" => {
        "Psych::TestMergeKeys" => %w[
          test_missing_merge_key
        ],
        "Psych::TestSafeLoad" => %w[
          test_no_recursion
        ]
      },
      "Ketch writes null, and Psych nothing" => {
        "Psych::TestNil" => %w[
          test_array_nil test_nil
        ]
      },
      "Parser#mark of a collection is where its token ends, and in Psych where the next token starts" => {
        "Psych::TestParser" => %w[
          test_column_numbers test_index_numbers test_line_numbers
        ]
      },
      "the end of a block collection is where its last line ends, and in Psych where the next token starts" => {
        "Psych::TestParser" => %w[
          test_event_location
        ],
        "Psych::TestTreeBuilder" => %w[
          test_documents
        ]
      },
      "Ketch chooses other quotes, and other styles for long text" => {
        "Psych::TestString" => %w[
          test_folded_strip_when_longer_than_line_width_and_no_newlines
          test_folded_when_longer_than_line_width_and_with_final_line_break
          test_plain_when_shorten_than_line_width_and_with_final_line_break test_string_with_base_60
        ],
        "Psych::Visitors::TestYAMLTree" => %w[
          test_binary_formatting test_string
        ]
      },
      "canonical: true writes collections in brackets, and no tags" => {
        "TestPsych" => %w[
          test_canonical
        ]
      }
    }
  }.freeze

  # The tests of Psych 4.0.3 that fail with a later Psych or Ruby itself, and since which version. Ketch::Psych does as
  # the host's Psych there.
  LATER = {
    "Psych 5 raises AliasesNotEnabled or AnchorNotDefined, and the test wants their superclass BadAlias itself" => {
      psych: "5.0", tests: %w[Psych::TestMergeKeys#test_missing_merge_key Psych::TestSafeLoad#test_no_recursion]
    },
    "Psych 5 dumps a symbol if the class Symbol is permitted, and the test wants the symbol listed as well" => {
      psych: "5.0", tests: %w[TestPsych#test_safe_dump_symbols]
    },
    "Regexp.new has no third argument since Ruby 3.3" => {
      ruby: "3.3", tests: %w[Psych_Unit_Tests#test_regexp_with_n]
    }
  }.freeze

  # Returns the names of the tests that fail with Psych itself, of these versions.
  def self.later(**versions)
    LATER.values.flat_map do |entry|
      host, since = entry.first
      Gem::Version.new(versions.fetch(host)) >= Gem::Version.new(since) ? entry.fetch(:tests) : []
    end
  end

  # Returns the names of the tests of some kinds.
  def self.missing(*kinds)
    MISSING.fetch_values(*kinds).flat_map(&:values).flat_map do |classes|
      classes.flat_map { |name, tests| tests.map { |test| "#{name}##{test}" } }
    end
  end
end

//! A stream as values, one per document: each crate's own type of any value.

use crate::data::Data;
use crate::{Done, Task};
use noyalib::{DuplicateKeyPolicy, MergeKeyPolicy, ParserConfig};
use saphyr::LoadableYamlNode;
use serde::Deserialize;

/// The values of a stream, one per document.
pub type Made = Vec<Data>;

type Result<T> = std::result::Result<T, String>;

pub fn ketch(text: &str) -> Result<Vec<ketch::Value>> {
    ketch::Deserializer::from_str(text)
        .map(|document| ketch::Value::deserialize(document).map_err(|error| error.to_string()))
        .collect()
}

pub fn serde_yaml(text: &str) -> Result<Vec<serde_yaml::Value>> {
    serde_yaml::Deserializer::from_str(text)
        .map(|document| serde_yaml::Value::deserialize(document).map_err(|error| error.to_string()))
        .collect()
}

/// Returns options without limits, and with duplicate keys as in the others.
pub fn noyalib_config() -> ParserConfig {
    let mut config = ParserConfig::default();
    config.max_depth = 100_000;
    config.alias_anchor_ratio = None;
    for limit in [
        &mut config.max_document_length,
        &mut config.max_stream_bytes,
        &mut config.max_alias_expansions,
        &mut config.max_mapping_keys,
        &mut config.max_sequence_length,
        &mut config.max_events,
        &mut config.max_nodes,
        &mut config.max_total_scalar_bytes,
        &mut config.max_documents,
    ] {
        *limit = usize::MAX;
    }
    config.merge_key_policy = MergeKeyPolicy::AsOrdinary;
    config.duplicate_key_policy = DuplicateKeyPolicy::Error;
    config
}

pub fn noyalib(text: &str) -> Result<Vec<noyalib::Value>> {
    noyalib::load_all_with_config(text, &noyalib_config())
        .and_then(Iterator::collect)
        .map_err(|error| error.to_string())
}

pub fn yaml_rust2(text: &str) -> Result<Vec<yaml_rust2::Yaml>> {
    yaml_rust2::YamlLoader::load_from_str(text).map_err(|error| error.to_string())
}

pub fn saphyr(text: &str) -> Result<Vec<saphyr::Yaml<'_>>> {
    saphyr::Yaml::load_from_str(text).map_err(|error| error.to_string())
}

/// It has no value type; its users use that of `serde_json`.
pub fn serde_saphyr(text: &str) -> Result<Vec<serde_json::Value>> {
    serde_saphyr::from_multiple_with_options(text, saphyr_options())
        .map_err(|error| error.to_string())
}

pub fn saphyr_options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: None,
        emit_comments: false,
        merge_keys: serde_saphyr::options::MergeKeyPolicy::AsOrdinary,
        with_snippet: false,
    }
}

macro_rules! tasks {
    ($text:ident, $($engine:literal $load:ident)*) => {
        vec![$(Task {
            engine: $engine,
            run: Box::new(move || {
                let values = $load($text).unwrap_or_default();
                Done::new(values.len(), values)
            }),
            made: Box::new(move || Ok($load($text)?.iter().map(Data::from).collect())),
        }),*]
    };
}

/// Returns all crates on one stream, Ketch first.
pub fn tasks(text: &str) -> Vec<Task<'_, Made>> {
    tasks! { text,
        "ketch" ketch
        "serde_yaml" serde_yaml
        "noyalib" noyalib
        "yaml-rust2" yaml_rust2
        "saphyr" saphyr
        "serde-saphyr" serde_saphyr
    }
}

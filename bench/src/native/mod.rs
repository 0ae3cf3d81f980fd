//! Crates that read YAML into values or types, and write it: `serde.values`, `serde.types`,
//! `serde.types_dropped`, `serde.write`.

mod data;
mod emitter;
pub mod types;
mod writing;

use std::path::Path;

use noyalib::{DuplicateKeyPolicy, MergeKeyPolicy, ParserConfig};
use saphyr::LoadableYamlNode;
use serde::Deserialize;

use crate::runner::read_text;
use crate::work::{Prepared, timed, unable};
use data::Plain;

/// The engines that are not those of the YAML levels, and their crates.
pub const ENGINES: &[(&str, &str)] =
    &[("clone", "ketch"), ("serde_yaml", "serde_yaml"), ("serde-saphyr", "serde-saphyr")];

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

/// Returns options without the limits that a file could exceed.
pub fn noyalib_config(duplicates: DuplicateKeyPolicy) -> ParserConfig {
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
    config.duplicate_key_policy = duplicates;
    config
}

pub fn noyalib(text: &str) -> Result<Vec<noyalib::Value>> {
    noyalib::load_all_with_config(text, &noyalib_config(DuplicateKeyPolicy::Error))
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

pub fn prepare(part: &str, engine: &str, input: &Path) -> Prepared {
    match part {
        "values" => values(engine, read_text(input)?),
        "types" => types::prepare(engine, input, false),
        "types_dropped" => types::prepare(engine, input, true),
        "write" => writing::prepare(engine, &read_text(input)?),
        _ => Err(unable()),
    }
}

/// Reads a stream into values of each crate, one per document, and drops them.
fn values(engine: &str, text: String) -> Prepared {
    macro_rules! readers {
        ($($name:literal $load:ident)*) => {
            match engine {
                $($name => {
                    let again = text.clone();
                    Ok(timed(move || Ok($load(&text)?.len()), move || Ok($load(&again)?.plain())))
                })*
                _ => Err(unable()),
            }
        };
    }
    readers! {
        "ketch" ketch
        "serde_yaml" serde_yaml
        "noyalib" noyalib
        "yaml-rust2" yaml_rust2
        "saphyr" saphyr
        "serde-saphyr" serde_saphyr
    }
}

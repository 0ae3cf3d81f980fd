//! Reads inputs in other formats than YAML: it converts their text to YAML in flow style, which the
//! engine then reads as any other input.
//!
//! `docs/formats.md` has the tables of what becomes what. Numbers keep all their digits, and text
//! is always quoted, so the engine gives it no other type.

mod delimited;
mod env;
mod flow;
mod properties;
mod sniff;
#[cfg(test)]
mod tests;
mod toml;
mod xml;

pub use sniff::looks_like;
pub use toml::{explain as explain_toml, token as toml_token};

use crate::args::Origin;
use crate::diagnostic::Diagnostic;
use crate::file_name;
use crate::shell;
use crate::status::Failure;
use flow::Flow;
pub use flow::{DEPTH_MAX, Wrong, quoted};

impl Origin {
    /// Returns the format that the name `file` says, or `None` if it says none.
    pub fn of_name(file: &str) -> Option<Origin> {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file).to_ascii_lowercase();
        if name == ".env" || name.starts_with(".env.") {
            return Some(Origin::Env);
        }
        Some(match name.rsplit_once('.')?.1 {
            "yaml" | "yml" => Origin::Yaml,
            "json" | "jsonl" | "ndjson" => Origin::Json,
            "toml" => Origin::Toml,
            "csv" => Origin::Csv,
            "tsv" => Origin::Tsv,
            "properties" => Origin::Properties,
            "env" => Origin::Env,
            "xml" => Origin::Xml,
            _ => return None,
        })
    }

    /// Returns the name of the format in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Origin::Yaml => "YAML",
            Origin::Json => "JSON",
            Origin::Toml => "TOML",
            Origin::Csv => "CSV",
            Origin::Tsv => "TSV",
            Origin::Properties => "properties",
            Origin::Env => "environment variables",
            Origin::Xml => "XML",
            Origin::Extprot => "extprot",
        }
    }

    /// Returns whether the engine cannot read the format itself.
    pub fn is_foreign(self) -> bool {
        !matches!(self, Origin::Yaml | Origin::Json | Origin::Extprot)
    }
}

/// Fails if `file` is neither YAML nor a single JSON text, judged by its name. `command` reads only
/// these.
pub fn refuse_others(command: &str, file: &str) -> Result<(), Failure> {
    refuse_origin(command, file, Origin::of_name(file))
}

/// Fails if `origin`, the format of `file`, is neither YAML nor JSON, or if the file has several JSON
/// texts.
pub fn refuse_origin(command: &str, file: &str, origin: Option<Origin>) -> Result<(), Failure> {
    let what = match origin {
        Some(Origin::Json) if file_name::is_json_lines(file) => "several JSON texts",
        Some(origin) if origin.is_foreign() || origin == Origin::Extprot => origin.title(),
        _ => return Ok(()),
    };
    let message = format!("{command} YAML and JSON, and this is {what}");
    let mut diagnostic = Diagnostic::sentence(file, "Format", "semantic", message);
    let command = shell::line(["ketch", "convert", file, "--to", "yaml"]);
    diagnostic.help = Some(format!("`{command}` converts it."));
    Err(Failure::Input(Box::new(diagnostic)))
}

/// Converts the text `bytes` of `file` to YAML that means the same. Fails if it is invalid in the
/// format `origin`.
pub fn to_yaml(origin: Origin, file: &str, bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
    to_yaml_where(true, origin, file, bytes)
}

/// Does the same as [`to_yaml`], but missing values are empty texts if `has_null` is not set.
pub fn to_yaml_where(
    has_null: bool,
    origin: Origin,
    file: &str,
    bytes: Vec<u8>,
) -> Result<Vec<u8>, Failure> {
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => rest.to_vec(),
        None => bytes,
    };
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let at = error.valid_up_to();
        let wrong = Wrong::new(at..at + 1, "this is not UTF-8");
        wrong.help("Convert the file to UTF-8, for example with `iconv -t UTF-8`.")
    });
    let converted = text.and_then(|text| match origin {
        Origin::Toml => toml::convert(text),
        Origin::Csv => delimited::convert(text, b','),
        Origin::Tsv => delimited::convert(text, b'\t'),
        Origin::Properties => properties::convert(text),
        Origin::Env => env::convert(text),
        Origin::Xml => xml::convert(text),
        Origin::Yaml | Origin::Json | Origin::Extprot => Ok(Flow::default()),
    });
    match converted {
        Ok(flow) => Ok(flow.finish(!has_null)),
        Err(wrong) => Err(wrong.failure(file, &bytes)),
    }
}

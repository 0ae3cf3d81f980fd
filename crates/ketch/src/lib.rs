//! YAML and extprot as one: the data model that both have, and conversion between them.
//!
//! | to | use |
//! |---|---|
//! | write a YAML document as extprot | [`Encoder`] |
//! | read extprot as a stream of [`Item`]s | [`Decoder`] |
//! | write items as YAML or JSON | [`YamlSink`], [`JsonSink`] |
//! | convert by a schema of extprot | [`typed`] |
//!
//! The table of the data model, with annotated bytes for every row, is `docs/data-model.md`. The
//! binary is canonical: equal values give equal bytes. Nothing recurses on the depth of the data.
#![forbid(unsafe_code)]

mod decode;
mod encode;
mod error;
mod json;
mod model;
pub mod typed;
mod yaml;

pub use decode::Decoder;
pub use encode::{EncodeOptions, Encoder};
pub use error::{Error, Problem, Where};
pub use json::{JsonSink, JsonSinkOptions};
pub use model::{Item, Sink};
pub use yaml::YamlSink;

//! Types that people read YAML into: a custom resource definition, an API description, records.
#![allow(clippy::large_enum_variant, reason = "as people write them")]

use std::collections::BTreeMap;
use std::path::Path;

use noyalib::DuplicateKeyPolicy;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Any;

use super::{noyalib_config, saphyr_options};
use crate::runner::{read_text, text as as_text};
use crate::work::{Clock, Prepared, Refusal, Work, same, unable};

type Map<T> = BTreeMap<String, T>;

/// A custom resource definition of Kubernetes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    pub api_version: String,
    pub kind: String,
    pub metadata: Metadata,
    pub spec: DefinitionSpec,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    pub name: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: Map<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: Map<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefinitionSpec {
    pub group: String,
    pub scope: String,
    pub names: Names,
    pub versions: Vec<Version>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Names {
    pub kind: String,
    pub list_kind: Option<String>,
    pub plural: String,
    pub singular: Option<String>,
    #[serde(default)]
    pub short_names: Vec<String>,
    #[serde(default)]
    pub categories: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    pub name: String,
    pub served: bool,
    pub storage: bool,
    #[serde(default)]
    pub additional_printer_columns: Vec<Column>,
    pub schema: VersionSchema,
    pub subresources: Option<Any>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    pub name: String,
    pub r#type: String,
    pub json_path: String,
    pub description: Option<String>,
    pub priority: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionSchema {
    #[serde(rename = "openAPIV3Schema")]
    pub schema: Properties,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Properties {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Any>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub r#enum: Vec<Any>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: Map<Properties>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Properties>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_properties: Option<Box<Additional>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any_of: Vec<Properties>,
    #[serde(rename = "x-kubernetes-int-or-string", skip_serializing_if = "Option::is_none")]
    pub int_or_string: Option<bool>,
    #[serde(
        rename = "x-kubernetes-preserve-unknown-fields",
        skip_serializing_if = "Option::is_none"
    )]
    pub preserve_unknown_fields: Option<bool>,
    #[serde(rename = "x-kubernetes-map-type", skip_serializing_if = "Option::is_none")]
    pub map_type: Option<String>,
    #[serde(rename = "x-kubernetes-list-type", skip_serializing_if = "Option::is_none")]
    pub list_type: Option<String>,
    #[serde(rename = "x-kubernetes-list-map-keys", skip_serializing_if = "Vec::is_empty")]
    pub list_map_keys: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Additional {
    Allowed(bool),
    Schema(Properties),
}

/// An API description by OpenAPI; extensions (`x-`) are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Api {
    pub openapi: String,
    pub info: Info,
    #[serde(default)]
    pub servers: Vec<Server>,
    pub paths: Map<PathItem>,
    pub components: Components,
    #[serde(default)]
    pub security: Vec<Map<Vec<String>>>,
    #[serde(default)]
    pub tags: Vec<Tag>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Info {
    pub title: String,
    pub version: String,
    pub description: Option<String>,
    pub contact: Option<Map<String>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Server {
    pub url: String,
    pub description: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tag {
    pub name: String,
    pub description: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PathItem {
    pub parameters: Vec<Parameter>,
    pub get: Option<Operation>,
    pub put: Option<Operation>,
    pub post: Option<Operation>,
    pub delete: Option<Operation>,
    pub patch: Option<Operation>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Operation {
    pub operation_id: Option<String>,
    pub summary: Option<String>,
    pub description: Option<String>,
    pub deprecated: bool,
    pub tags: Vec<String>,
    pub parameters: Vec<Parameter>,
    pub request_body: Option<Body>,
    pub responses: Map<Response>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Parameter {
    #[serde(rename = "$ref")]
    pub reference: Option<String>,
    pub name: Option<String>,
    pub r#in: Option<String>,
    pub description: Option<String>,
    pub required: bool,
    pub style: Option<String>,
    pub explode: Option<bool>,
    pub schema: Option<Schema>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Body {
    pub description: Option<String>,
    pub required: bool,
    pub content: Map<Media>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Response {
    #[serde(rename = "$ref")]
    pub reference: Option<String>,
    pub description: Option<String>,
    pub content: Map<Media>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Media {
    pub schema: Option<Schema>,
    pub encoding: Map<Encoding>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Encoding {
    pub content_type: Option<String>,
    pub style: Option<String>,
    pub explode: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Schema {
    #[serde(rename = "$ref")]
    pub reference: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub r#type: Option<String>,
    pub format: Option<String>,
    pub pattern: Option<String>,
    pub nullable: bool,
    pub deprecated: bool,
    pub read_only: bool,
    pub max_length: Option<u64>,
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
    pub required: Vec<String>,
    pub r#enum: Vec<Any>,
    pub default: Option<Any>,
    pub example: Option<Any>,
    pub properties: Map<Schema>,
    pub items: Option<Box<Schema>>,
    pub all_of: Vec<Schema>,
    pub any_of: Vec<Schema>,
    pub one_of: Vec<Schema>,
    pub additional_properties: Option<Box<AnySchema>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AnySchema {
    Allowed(bool),
    Schema(Schema),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Components {
    pub schemas: Map<Schema>,
    pub parameters: Map<Parameter>,
    pub responses: Map<Response>,
    pub request_bodies: Map<Body>,
    pub security_schemes: Map<Any>,
}

/// A line of a flat list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub id: u64,
    pub name: String,
    pub email: String,
    pub created: String,
    pub balance: f64,
    pub age: Option<u8>,
    pub is_active: bool,
    pub tags: Vec<String>,
}

type Result<T> = std::result::Result<T, String>;

fn ketch<T: DeserializeOwned>(text: &str) -> Result<Vec<T>> {
    ketch::Deserializer::from_str(text)
        .map(|document| T::deserialize(document).map_err(|error| error.to_string()))
        .collect()
}

fn serde_yaml<T: DeserializeOwned>(text: &str) -> Result<Vec<T>> {
    serde_yaml::Deserializer::from_str(text)
        .map(|document| T::deserialize(document).map_err(|error| error.to_string()))
        .collect()
}

fn noyalib<T: DeserializeOwned + 'static>(text: &str) -> Result<Vec<T>> {
    noyalib::load_all_as_with_config(text, &noyalib_config(DuplicateKeyPolicy::Error))
        .map_err(|error| error.to_string())
}

fn serde_saphyr<T: DeserializeOwned>(text: &str) -> Result<Vec<T>> {
    serde_saphyr::from_multiple_with_options(text, saphyr_options())
        .map_err(|error| error.to_string())
}

/// Chooses the type by the name of the input.
pub fn prepare(engine: &str, input: &Path, is_dropped: bool) -> Prepared {
    let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = read_text(input)?;
    match name.as_str() {
        "definitions.yaml" => typed::<Definition>(engine, text, is_dropped),
        "records.yaml" => typed::<Vec<Record>>(engine, text, is_dropped),
        name if name.starts_with("openapi_") => typed::<Api>(engine, text, is_dropped),
        _ => Err(Refusal::Unable("there is no type for this input".to_owned())),
    }
}

fn typed<T>(engine: &str, text: String, is_dropped: bool) -> Prepared
where
    T: DeserializeOwned + Serialize + Clone + 'static,
{
    let load: Load<T> = match engine {
        "ketch" => Box::new(ketch::<T>),
        "serde_yaml" => Box::new(serde_yaml::<T>),
        "noyalib" => Box::new(noyalib::<T>),
        "serde-saphyr" => Box::new(serde_saphyr::<T>),
        // A lower bound: allocates and fills the memory of the values.
        "clone" => {
            let values = ketch::<T>(&text)?;
            Box::new(move |_| Ok(values.clone()))
        }
        _ => return Err(unable()),
    };
    Ok(Box::new(Typed { load, text, is_dropped }))
}

type Load<T> = Box<dyn Fn(&str) -> Result<Vec<T>>>;

struct Typed<T> {
    load: Load<T>,
    text: String,
    /// Whether dropping is timed. Types belong to the caller, so that is not the reader's work.
    is_dropped: bool,
}

impl<T: Serialize> Work for Typed<T> {
    fn run(&mut self, times: usize, clock: &mut Clock) -> Result<()> {
        // As in other work, the engine first finds its own heap.
        let expected = (self.load)(&self.text)?.len();
        for _ in 0..times {
            let found = if self.is_dropped {
                clock.time(|| (self.load)(&self.text).map(|values| values.len()))?
            } else {
                clock.time(|| (self.load)(&self.text))?.len()
            };
            same(found == expected)?;
        }
        Ok(())
    }

    fn value(&mut self) -> Result<ketch::Value> {
        ketch::to_value(&(self.load)(&self.text)?).map_err(as_text)
    }
}

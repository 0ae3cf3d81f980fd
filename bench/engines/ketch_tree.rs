//! Ketch's tree.

use std::hint::black_box;
use std::mem;

use ketch_yaml::compose::Kind;
use ketch_yaml::{ComposeOptions, Document, Documents, DuplicateKeys, Options};

use super::{Engine, Level, Reports, Tally};
use crate::work::locked;

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![
        tree("ketch tree reused", true, DuplicateKeys::Off),
        tree("ketch tree fresh", false, DuplicateKeys::Off),
        tree("ketch tree checked", true, DuplicateKeys::Last),
    ]
}

/// Ketch's tree: whether the document's memory is reused, and whether keys are compared.
struct KetchTree {
    name: &'static str,
    is_reused: bool,
    compose: ComposeOptions,
    /// Keeps no text between runs, only memory.
    document: Document<'static>,
}

/// Returns an engine that builds documents, in reused or new memory.
fn tree(name: &'static str, is_reused: bool, duplicate_keys: DuplicateKeys) -> Box<dyn Engine> {
    let mut compose = ComposeOptions::default();
    compose.duplicate_keys = duplicate_keys;
    Box::new(KetchTree { name, is_reused, compose, document: Document::new() })
}

impl KetchTree {
    /// Composes all documents, passes each to `on_document`, and returns the number of nodes.
    fn documents(
        &mut self,
        input: &[u8],
        mut on_document: impl FnMut(&Document<'_>),
    ) -> Result<u64, String> {
        let mut nodes = 0;
        let mut document: Document<'_> = mem::take(&mut self.document).recycle();
        let mut documents = Documents::with_options(input, &Options::default(), &self.compose);
        while documents.next_into(&mut document).map_err(|error| error.to_string())? {
            nodes += document.node_count() as u64;
            on_document(&document);
        }
        if self.is_reused {
            self.document = document.recycle();
        }
        Ok(nodes)
    }
}

impl Engine for KetchTree {
    fn name(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> String {
        locked("ketch-yaml")
    }

    fn reports(&self, level: Level) -> Option<Reports> {
        (level == Level::Tree).then_some(Reports { aliases: true, text: false })
    }

    fn run(&mut self, _level: Level, input: &mut [u8]) -> Result<u64, String> {
        self.documents(input, |document| {
            black_box(document);
        })
    }

    fn tally(&mut self, _level: Level, input: &mut [u8]) -> Result<Tally, String> {
        let mut tally = Tally::default();
        self.documents(input, |document| {
            tally.documents += 1;
            for node in document.nodes() {
                *match node.kind() {
                    Kind::Scalar => &mut tally.scalars,
                    Kind::Sequence => &mut tally.sequences,
                    Kind::Mapping => &mut tally.mappings,
                    Kind::Alias => &mut tally.aliases,
                } += 1;
            }
        })?;
        Ok(tally)
    }
}

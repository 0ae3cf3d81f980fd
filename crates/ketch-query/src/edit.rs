//! Editing texts by programs: only what a program changes is written again.

use crate::difference::{Permissions, difference};
use crate::error::Failure;
use crate::host::{Host, Limits, NoHost};
use crate::options::no_document;
use crate::query::{Query, Run};
use crate::value::{Source, SourceText, Value, check_aliases};
use ketch_edit::{Edit, EditError};
use ketch_yaml::{ComposeOptions, Documents, Error, Location, Options};
use std::sync::Arc;

/// How a text is edited.
#[derive(Clone, Copy, Debug, Default)]
pub struct EditOptions {
    /// The options of the parser.
    pub parser: Options,
    /// How documents are composed.
    pub compose: ComposeOptions,
    /// The number of the document that is edited, counted from 0. By default, all are.
    pub document: Option<usize>,
    /// What operations may do to aliases and anchors.
    pub permissions: Permissions,
}

/// Why a text is not edited.
#[derive(Debug)]
pub enum QueryEditError {
    /// The text is not valid.
    Text(Error),
    /// There is no document with the chosen number, as this message says.
    NoDocument(String),
    /// The program fails.
    Program(Failure),
    /// The program has no result for a document, or several.
    ResultCount {
        /// Whether there are several.
        are_many: bool,
        /// The start of the document.
        location: Location,
    },
    /// The editor refuses the change.
    Edit(EditError),
}

impl QueryEditError {
    /// Returns the name of the kind of the error.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match self {
            QueryEditError::Text(_) => "invalid-input",
            QueryEditError::NoDocument(_) => "not-found",
            QueryEditError::Program(failure) => failure.kind.name(),
            QueryEditError::ResultCount { .. } => "result-count",
            QueryEditError::Edit(error) => error.kind().name(),
        }
    }
}

impl std::fmt::Display for QueryEditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            QueryEditError::Text(error) => error.fmt(f),
            QueryEditError::NoDocument(message) => f.write_str(message),
            QueryEditError::Program(failure) => failure.fmt(f),
            QueryEditError::ResultCount { are_many, .. } => {
                let found = if *are_many { "several results" } else { "no result" };
                write!(f, "the program has {found} for a document, which needs exactly one")
            }
            QueryEditError::Edit(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for QueryEditError {}

impl From<Failure> for QueryEditError {
    fn from(failure: Failure) -> QueryEditError {
        QueryEditError::Program(failure)
    }
}

impl Query {
    /// Edits a text: the program gets each document, and returns the new one. What it does not change keeps its bytes.
    ///
    /// ```
    /// use ketch_query::Query;
    ///
    /// let query = Query::new(".image.tag = \"1.10\" | del(.debug)", &[])?;
    /// let edited = query.edit("image: {tag: '1.9'}   # pinned\ndebug: true\n")?;
    /// assert_eq!(edited.text(), "image: {tag: '1.10'}   # pinned\n");
    /// assert_eq!(edited.patches().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails as [`Run::edit`] does.
    pub fn edit(&self, text: &str) -> Result<Edit, QueryEditError> {
        let mut edit = Edit::deferred(text.to_owned());
        let mut run = self.run(Vec::new(), Limits::default());
        run.edit(&mut edit, &"text".into(), &EditOptions::default(), &mut NoHost)?;
        Ok(edit)
    }
}

impl Run {
    /// Edits the text `edit`, which places call `name`. After an error, the text is as it was.
    ///
    /// # Errors
    ///
    /// Fails if the text is not valid, the program fails or has another number of results than one for a document, or
    /// the editor refuses a change, such as one through an alias.
    pub fn edit(
        &mut self,
        edit: &mut Edit,
        name: &Arc<str>,
        options: &EditOptions,
        host: &mut dyn Host,
    ) -> Result<(), QueryEditError> {
        let text = edit.text().to_owned();
        let mut documents =
            Documents::with_options(text.as_bytes(), &options.parser, &options.compose);
        let whole = Arc::new(SourceText::new(text.clone()));
        let mut operations = Vec::new();
        let mut number = 0;
        while let Some(document) = documents.next_owned() {
            let document = document.map_err(QueryEditError::Text)?;
            check_aliases(&document, &options.compose.limits).map_err(QueryEditError::Text)?;
            if options.document.is_none_or(|wanted| wanted == number) {
                let source = Source::new(document, name.clone(), number);
                let source = Arc::new(source.with_text(whole.clone()));
                let result = self.only_result(&source, host)?;
                operations.extend(difference(&source, &result, options.permissions)?);
            }
            number += 1;
        }
        if let Some(wanted) = options.document.filter(|wanted| *wanted >= number) {
            return Err(QueryEditError::NoDocument(no_document(wanted, number)));
        }
        edit.apply(&operations).map_err(QueryEditError::Edit)
    }

    /// Returns the only result for a document.
    fn only_result(
        &mut self,
        source: &Arc<Source>,
        host: &mut dyn Host,
    ) -> Result<Value, QueryEditError> {
        self.start(source.root());
        let result = self.next(host).transpose()?;
        let is_more = result.is_some() && self.next(host).transpose()?.is_some();
        match result {
            Some(result) if !is_more => Ok(result),
            _ => {
                let location = source.document().root().location();
                Err(QueryEditError::ResultCount { are_many: is_more, location })
            }
        }
    }
}

/// The text of a document that a program has changed.
#[derive(Debug, PartialEq, Eq)]
pub struct DocumentText {
    /// The text, up to the start of the next document.
    pub text: String,
    /// Whether a marker `---` starts the document.
    pub has_marker: bool,
    /// Whether the document has directives.
    pub has_directives: bool,
    /// Whether it is the first document of its file.
    pub is_first: bool,
}

/// Returns the text of the document that a value comes from, with the changes of the program, if the value is that
/// document, its [text is kept](crate::InputOptions::keeps_text), and the editor accepts the changes.
pub fn document_text(value: &Value) -> Option<DocumentText> {
    let (source, node) = value.origin()?;
    if node != source.document().root().id() {
        return None;
    }
    let (text, span) = source.text()?.document(source.number())?;
    let mut operations = difference(&source, value, Permissions::default()).ok()?;
    let mut edit = Edit::deferred(text.to_owned());
    if !operations.is_empty() {
        operations.iter_mut().for_each(|operation| operation.doc = 0);
        edit.apply(&operations).ok()?;
    }
    let (has_marker, has_directives) = (span.has_marker, span.has_directives);
    let (text, is_first) = (edit.text().to_owned(), source.number() == 0);
    Some(DocumentText { text, has_marker, has_directives, is_first })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_edit::{AliasMode, AnchorMode};

    /// Edits a text with options. Returns the new text, or the kind of the error.
    fn edited(program: &str, text: &str, options: &EditOptions) -> Result<String, &'static str> {
        let mut edit = Edit::deferred(text.to_owned());
        let query = Query::new(program, &[]).unwrap();
        let mut run = query.run(Vec::new(), Limits::default());
        match run.edit(&mut edit, &"text".into(), options, &mut NoHost) {
            Ok(()) => Ok(edit.text().to_owned()),
            Err(error) => {
                assert_eq!(edit.text(), text, "{program}");
                Err(error.kind_name())
            }
        }
    }

    fn with(alias: Option<AliasMode>, anchors: Option<AnchorMode>) -> EditOptions {
        EditOptions { permissions: Permissions { alias, anchors }, ..EditOptions::default() }
    }

    #[test]
    fn aliases_and_anchors_change_with_permission() {
        let text = "base: &b {x: 1}   # base\nuse: *b   # use\n";
        let through = with(Some(AliasMode::Through), None);
        let detach = with(Some(AliasMode::Detach), None);
        let program = ".use.x = 2";
        assert_eq!(edited(program, text, &EditOptions::default()), Err("through-alias"));
        let expected = "base: &b {x: 2}   # base\nuse: *b   # use\n";
        assert_eq!(edited(program, text, &through).as_deref(), Ok(expected));
        let expected = "base: &b {x: 1}   # base\nuse: {x: 2}   # use\n";
        assert_eq!(edited(program, text, &detach).as_deref(), Ok(expected));
        for options in [through, detach] {
            let expected = "base: &b {x: 1}   # base\nuse: 5   # use\n";
            assert_eq!(edited(".use = 5", text, &options).as_deref(), Ok(expected));
        }
        assert_eq!(edited("del(.base)", text, &EditOptions::default()), Err("anchor-in-use"));
        let promote = with(None, Some(AnchorMode::Promote));
        let expected = "use: &b {x: 1}   # use\n";
        assert_eq!(edited("del(.base)", text, &promote).as_deref(), Ok(expected));
    }

    #[test]
    fn merged_entries_belong_to_another_mapping() {
        let mut options = EditOptions::default();
        options.compose.merge_keys = Some(true);
        let text = "a: &a {k: 1, m: 2}\nb:\n  <<: *a   # all\n  l: 3\n";
        let edited = |program: &str| edited(program, text, &options);
        let with_b = |b: &str| Ok(format!("a: &a {{k: 1, m: 2}}\nb:\n{b}"));
        assert_eq!(edited("."), Ok(text.to_owned()));
        assert_eq!(edited(".b.l = 4"), with_b("  <<: *a   # all\n  l: 4\n"));
        assert_eq!(edited(".b.k = 4"), with_b("  <<: *a   # all\n  k: 4\n  l: 3\n"));
        assert_eq!(edited(".b |= {n: 5} + ."), with_b("  <<: *a   # all\n  n: 5\n  l: 3\n"));
        assert_eq!(edited("del(.b.k)"), Err("not-owned"));
    }

    #[test]
    fn aliases_of_aliases_cost_nothing() {
        let lists = |level: u8| {
            let items = format!("*{}, ", (b'a' + level - 1) as char).repeat(9);
            format!("{0}: &{0} [{1}0]\n", (b'a' + level) as char, items)
        };
        let text = "a: &a [0]\n".to_owned() + &(1..20).map(lists).collect::<String>();
        let mut options = with(Some(AliasMode::Detach), None);
        assert_eq!(edited(".t[1][9] = 1", &text, &options), Err("invalid-input"));
        options.compose.limits.max_alias_nodes = ketch_yaml::Budget::fixed(u64::MAX);
        let found = edited(".t[1][9] = 1", &text, &options).unwrap();
        let items = found.lines().last().unwrap();
        assert!(
            items.starts_with("t: &t [*s, [*r, ")
                && items.ends_with(", 1], *s, *s, *s, *s, *s, *s, *s, 0]"),
            "{items}"
        );
    }

    #[test]
    fn only_one_document_is_edited_on_request() {
        let options = EditOptions { document: Some(1), ..EditOptions::default() };
        let found = edited(".a += 1", "a: 1\n---\na: 1 # b\n---\n[]\n", &options);
        assert_eq!(found.as_deref(), Ok("a: 1\n---\na: 2 # b\n---\n[]\n"));
        assert_eq!(edited(".a += 1", "a: 1\n", &options), Err("not-found"));
    }

    #[test]
    fn a_text_that_is_refused_stays() {
        let options = EditOptions::default();
        assert_eq!(edited(".", "a: [", &options), Err("invalid-input"));
        assert_eq!(edited(".a, .b", "a: 1", &options), Err("result-count"));
        assert_eq!(edited("empty", "a: 1", &options), Err("result-count"));
        assert_eq!(edited(".a.b", "a: 1", &options), Err("wrong-kind"));
        assert_eq!(edited("error", "", &options).as_deref(), Ok(""));
    }
}

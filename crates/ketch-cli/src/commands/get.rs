//! `ketch get`: prints the values that a path leads to.

mod merged;
mod missing;
mod outline;
pub mod writer;

use crate::args::{GetArgs, Origin, Shape};
use crate::diagnostic::Diagnostic;
use crate::documents::Watched;
use crate::dropped_tags::DroppedTags;
use crate::file_name;
use crate::files;
use crate::input::{self, Input, WHOLE_BYTES_MAX};
use crate::merge_keys::MergeKeys;
use crate::position;
use crate::progress::Progress;
use crate::read::failure;
use crate::reports::Reports;
use crate::shell;
use crate::status::{Failure, Status};
use ketch_syck::ypath::{Hit, YPath, YPathError, select_within};
use ketch_yaml::compose::{Kind, Node, Reached, Selection, Source, Style};
use ketch_yaml::path::{Documents as Chosen, Path, PathError};
use ketch_yaml::schema::{ScalarTag, Schema};
use ketch_yaml::{
    Dialect, Document, Documents, DuplicateKeys, Error, Location, Options, Parser, Problem,
    ReadParser,
};
use writer::{Refused, Writer};

/// Searches all files in order, and prints results when they are found.
pub fn run(mut args: GetArgs) -> Result<Status, Failure> {
    args.input.is_failsafe = args.compose_options().schema == Schema::Failsafe;
    if let Some(failure) = swapped_arguments(&args) {
        return Err(failure);
    }
    let Query { paths, rest, files } = Query::of(&args)?;
    paths.iter().try_for_each(|path| check_options(&args, path))?;
    input::expects_files(&files)?;
    let files = files::expand(&files)?;
    let is_foreign = files.names.iter().all(|file| args.input.origin(file) != Origin::Yaml);
    let mut search = Search::new(&args, (&paths, rest.as_ref()), is_foreign);
    let mut reports = Reports::new(&files);
    let mut is_found = false;
    let mut missing = None;
    for file in &files.names {
        (search.file, search.count) = (file, 0);
        search.writer.name = args.with_filename.then(|| file_name::shown(file).to_owned());
        match search.current() {
            Ok(()) => {}
            Err(failure @ Failure::Closed) => return Err(failure),
            // That some files of a folder lack the path is no error.
            Err(failure @ Failure::Missing(_)) if files.is_group => missing = Some(failure),
            Err(failure) => {
                // The results must be printed before the error.
                search.writer.flush()?;
                reports.failure(&failure);
            }
        }
        is_found |= search.count > 0;
        if args.first && search.count > 0 {
            break;
        }
    }
    // Results that were found before an error are printed, too.
    search.writer.finish()?;
    if let Some(failure) = missing.filter(|_| !is_found) {
        reports.failure(&failure);
    }
    Ok(reports.finish(None))
}

/// Fails if options contradict the path or each other.
fn check_options(args: &GetArgs, path: &Path) -> Result<(), Failure> {
    if let (Some(Chosen::Index(_)), Some(_)) = (path.documents(), args.document) {
        let message = "the path and `--document` both choose a document";
        return Err(Failure::Usage(message.to_owned()));
    }
    if args.with_filename && !matches!(args.shape(), Shape::Yaml | Shape::Text | Shape::Raw) {
        let message = "only text and YAML have a place for the names of `--with-filename`";
        return Err(Failure::Usage(message.to_owned()));
    }
    if args.join && !matches!(args.shape(), Shape::Json | Shape::Raw) {
        let message = "`--join` is for text and JSON, which need no line breaks between results";
        return Err(Failure::Usage(message.to_owned()));
    }
    if !matches!(args.shape(), Shape::Yaml | Shape::Text) {
        args.yaml.refuse()?;
    }
    if !matches!(args.shape(), Shape::Json | Shape::Raw) {
        args.json.refuse()?;
    }
    Ok(())
}

/// Returns the failure for arguments that seem to be swapped: the path is the name of a file, and
/// the file is a path. Returns `None` if they do not seem to be swapped.
fn swapped_arguments(args: &GetArgs) -> Option<Failure> {
    let is_file = |name: &str| std::path::Path::new(name).is_file();
    let [path] = &args.files[..] else { return None };
    let path = match path.as_str() {
        "-" if input::is_default(&args.files) => ".",
        "-" => return None,
        path => path,
    };
    let is_path = args.ypath.is_none() && args.several.is_empty();
    let first = args.path.as_deref().filter(|_| is_path)?;
    let is_swapped = is_file(first) && !is_file(path) && path.parse::<Path>().is_ok();
    is_swapped.then(|| {
        let command = shell::line(["ketch", "get", path, first]);
        Failure::Usage(format!("the path comes first, then the files: `{command}`"))
    })
}

/// The paths to search for, and the files to search in.
struct Query {
    /// The paths that the selection follows; there is at least one.
    paths: Vec<Path>,
    /// The part of a YPath after `path`, which is searched for in the nodes that `path` leads to.
    rest: Option<YPath>,
    files: Vec<String>,
}

impl Query {
    /// Parses the arguments.
    fn of(args: &GetArgs) -> Result<Query, Failure> {
        let parse = |text: &String| text.parse().map_err(|error| wrong_query(args, text, &error));
        let mut files: Vec<String> = args.path.iter().cloned().collect();
        if files.is_empty() || !input::is_default(&args.files) {
            files.extend_from_slice(&args.files);
        }
        if !args.several.is_empty() {
            let paths = args.several.iter().map(parse).collect::<Result<_, _>>()?;
            return Ok(Query { paths, rest: None, files });
        }
        let Some(text) = &args.ypath else {
            let paths = args.path.iter().map(parse).collect::<Result<_, _>>()?;
            return Ok(Query { paths, rest: None, files: args.files.clone() });
        };
        let path: YPath = text.parse().map_err(|error| wrong_ypath(text, &error))?;
        let compose = args.compose_options();
        let is_plain = args.read.options().dialect == Dialect::Yaml
            && compose.duplicate_keys == DuplicateKeys::Error
            && !compose.merges();
        let (first, rest) = if is_plain { path.split() } else { (Path::default(), path) };
        Ok(Query { paths: vec![first], rest: Some(rest), files })
    }
}

struct Search<'a> {
    args: &'a GetArgs,
    path: &'a Path,
    /// All paths, of which `path` is the first.
    paths: &'a [Path],
    rest: Option<&'a YPath>,
    writer: Writer,
    merge_keys: MergeKeys,
    tags: DroppedTags,
    /// Whether the current file is read in pieces.
    is_stream: bool,
    /// The current file. `count` is the number of results in it so far.
    file: &'a str,
    count: u64,
}

/// The outcome of a search: an error in the input or, if nothing was found, how far the path led.
type Done = Result<Option<Reached>, Refusal>;

/// The reason why a search ended early: an error in the YAML, or a node that cannot be printed.
enum Refusal {
    Yaml(Error),
    Node(Box<Diagnostic>),
}

impl Refusal {
    /// Converts this to a failure in `file`, whose content starts with `head`.
    fn failure(self, file: &str, head: &[u8]) -> Failure {
        match self {
            Refusal::Yaml(error) => match failure(file, head, error) {
                Failure::Input(diagnostic) => in_whole_line(diagnostic, head),
                other => other,
            },
            Refusal::Node(diagnostic) => in_whole_line(diagnostic, head),
        }
    }
}

/// Returns the failure for `diagnostic`, with excerpts that show whole lines. They are completed
/// from `head`, the start of the file, because a result contains only its own part of a line.
fn in_whole_line(mut diagnostic: Box<Diagnostic>, head: &[u8]) -> Failure {
    let related = diagnostic.related.as_mut().map(|related| &mut related.location);
    for location in diagnostic.location.as_mut().into_iter().chain(related) {
        position::extend_excerpt(location, head);
    }
    Failure::Input(diagnostic)
}

impl<'a> Search<'a> {
    /// Creates a search for `paths` and the part `rest` of a YPath. `is_foreign` says that the inputs
    /// have no YAML styles.
    fn new(
        args: &'a GetArgs,
        (paths, rest): (&'a [Path], Option<&'a YPath>),
        is_foreign: bool,
    ) -> Search<'a> {
        Search {
            args,
            path: &paths[0],
            paths,
            rest,
            writer: Writer::new(args, is_foreign),
            merge_keys: MergeKeys::new(is_foreign || args.keeps_merge_keys()),
            tags: DroppedTags::new(
                args.keeps_tags(),
                args.shape() == Shape::Json,
                args.json.unknown_tags,
            ),
            is_stream: false,
            file: "",
            count: 0,
        }
    }
}

impl Search<'_> {
    /// Searches the current file, and shows no places in text that was converted.
    fn current(&mut self) -> Result<(), Failure> {
        let is_converted = self.args.input.origin(self.file).is_foreign();
        let found = self.file();
        if is_converted { found.map_err(Failure::of_converted) } else { found }
    }

    /// Searches the current file. If nothing is found, writes the default value or, if there is
    /// none, fails.
    fn file(&mut self) -> Result<(), Failure> {
        let args = self.args;
        let options = args.read.options_for(args.input.origin(self.file));
        if self.paths.len() > 1 || args.view.paths {
            return self.several();
        }
        let input = input::open_yaml(&args.input, self.file, WHOLE_BYTES_MAX)?;
        let input = match merged::is_needed(args, self.paths) {
            true => Input::Whole(merged::text(args, self.file, input)?),
            false => input,
        };
        self.is_stream = matches!(input, Input::Stream(_));
        let done = match input {
            Input::Whole(text) => {
                let done = self.run(Parser::with_options(&text, &options))?;
                done.map_err(|refused| refused.failure(self.file, &text))
            }
            Input::Stream(mut stream) => {
                let progress = Progress::new(stream.size, false);
                let parser = ReadParser::with_options(&mut stream, &options);
                let done = self.run(Watched { parser, progress, start: 0 })?;
                done.map_err(|refused| refused.failure(self.file, stream.head()))
            }
        };
        let reached = done?;
        if self.count > 0 {
            return Ok(());
        }
        let Some(value) = &args.default else {
            return Err(match &args.ypath {
                Some(path) => missing::for_ypath(self.file, path),
                None => missing::failure((args, self.file), self.path, reached.as_ref()),
            });
        };
        write_default(args, value, &mut self.writer)
    }

    /// Searches for all paths in each document of the current file, which is held in memory.
    fn several(&mut self) -> Result<(), Failure> {
        let (args, file) = (self.args, self.file);
        let mut input = input::open_yaml(&args.input, file, u64::MAX)?;
        if merged::is_needed(args, self.paths) {
            input = Input::Whole(merged::text(args, file, input)?);
        }
        let text = input.read_all();
        let text = text.map_err(|error| Failure::Read(file_name::shown(file).to_owned(), error))?;
        let options = args.read.options_for(args.input.origin(file));
        let mut counts = vec![0; self.paths.len()];
        let documents = Documents::with_options(&text, &options, &args.compose_options());
        for (index, document) in documents.enumerate() {
            let document = document.map_err(|error| failure(file, &text, error))?;
            self.in_document(index as u64, &document, &mut counts)
                .and_then(|done| done.map_err(|refusal| refusal.failure(file, &text)))?;
        }
        let lacking = self.paths.iter().zip(&counts).filter(|(_, count)| **count == 0);
        for (path, _) in lacking {
            // The search finds out how far the path leads.
            (self.path, self.count) = (path, 0);
            let reached = self.run(Parser::with_options(&text, &options))?;
            let reached = reached.map_err(|refusal| refusal.failure(file, &text))?;
            match &args.default {
                Some(value) => write_default(args, value, &mut self.writer)?,
                None => return Err(missing::failure((args, file), path, reached.as_ref())),
            }
        }
        self.count = counts.iter().sum();
        Ok(())
    }

    /// Writes the results of all paths in `document`, which has the number `index`, and counts them.
    fn in_document(
        &mut self,
        index: u64,
        document: &Document<'_>,
        counts: &mut [u64],
    ) -> Result<Result<(), Refusal>, Failure> {
        for (path, count) in self.paths.iter().zip(counts) {
            let chosen = match path.documents() {
                Some(Chosen::Index(number)) => Some(*number),
                _ => self.args.document,
            };
            if chosen.is_some_and(|chosen| chosen != index) {
                continue;
            }
            let nodes = match document.root().select(path) {
                Ok(nodes) => nodes,
                Err(error) => return Ok(Err(Refusal::Yaml(error))),
            };
            for node in nodes {
                *count += 1;
                let written = match self.args.view.paths {
                    true => Ok(outline::paths(node, index, |line| self.writer.write_text(line))?),
                    false => self.write(&Hit::Node(node))?,
                };
                if written.is_err() {
                    return Ok(written);
                }
                if self.args.first {
                    break;
                }
            }
        }
        Ok(Ok(()))
    }

    /// Searches `source`, and writes what is found. Fails only if the output fails; an error in the
    /// input is part of the outcome.
    fn run(&mut self, source: impl Source) -> Result<Done, Failure> {
        let args = self.args;
        let limits = args.compose_options().limits;
        let mut selection = Selection::new(source, self.path, &args.selection_options());
        let is_one = self.ends_at_first();
        while let Some(found) = selection.next() {
            let found = match found {
                Ok(found) => found,
                Err(error) => return Ok(Err(Refusal::Yaml(error))),
            };
            for node in found.nodes_within(&limits) {
                let node = match node {
                    Ok(node) => node,
                    Err(error) => return Ok(Err(Refusal::Yaml(error))),
                };
                let hits = match self.rest.map(|rest| select_within(rest, node, &limits)) {
                    Some(Ok(hits)) => hits,
                    Some(Err(error)) => return Ok(Err(Refusal::Yaml(error))),
                    None => vec![Hit::Node(node)],
                };
                for hit in &hits {
                    if let Err(refusal) = self.write(hit)? {
                        return Ok(Err(refusal));
                    }
                    if is_one {
                        return Ok(Ok(None));
                    }
                }
            }
            selection.recycle(found.into_parts().0);
            // The output is flushed before more input is waited for, so that a program that reads
            // the output gets the results that were found so far.
            if self.is_stream && selection.is_waiting() {
                self.writer.flush()?;
            }
        }
        Ok(Ok(selection.reached().cloned()))
    }

    /// Returns whether the search ends at the first result, because only one is wanted or there can
    /// be only one.
    fn ends_at_first(&self) -> bool {
        let is_in_one =
            self.args.document.is_some() || matches!(self.path.documents(), Some(Chosen::Index(_)));
        let has_wildcards =
            self.path.has_wildcards() || self.rest.is_some_and(YPath::has_wildcards);
        self.args.first || is_in_one && !has_wildcards
    }

    /// Returns the error for the first text without quotes in `hit` that has no type, if the file is
    /// JSON.
    fn untyped(&self, hit: &Hit<'_>) -> Option<Error> {
        let node = hit.node().filter(|_| self.args.schema.is_none())?.resolved();
        if self.args.input.origin(self.file) != Origin::Json {
            return None;
        }
        let is_untyped = |node: &Node<'_>| {
            let is_plain = node.kind() == Kind::Scalar && node.style() == Style::Plain;
            is_plain
                && node.tag().is_none()
                && matches!(Schema::Json.resolve(&node.content()), ScalarTag::Unresolved)
        };
        let subtree = node.subtree();
        let nodes = node.document().nodes().skip(subtree.start).take(subtree.len());
        let untyped = nodes.into_iter().find(is_untyped)?;
        Some(Error::at(Problem::UnresolvedScalar, untyped.location()))
    }

    /// Writes the result `hit`. Fails only if the output fails; an error in the result is returned
    /// as a refusal.
    fn write(&mut self, hit: &Hit<'_>) -> Result<Result<(), Refusal>, Failure> {
        if let Some(error) = self.untyped(hit) {
            return Ok(Err(Refusal::Yaml(error)));
        }
        let written = match hit {
            Hit::Node(node) => self.writer.write(*node),
            Hit::Line(line) => self.writer.write_string(line),
            Hit::None => self.writer.write_null(),
        };
        match (written, hit.node()) {
            (Err(Refused::Write(failure)), _) => Err(failure),
            (Err(Refused::Yaml(error)), _) => Ok(Err(Refusal::Yaml(error))),
            (Err(Refused::NoKeys), Some(node)) => {
                let diagnostic = writer::no_keys(self.file, node.location());
                Ok(Err(Refusal::Node(Box::new(diagnostic))))
            }
            (_, node) => {
                if let Some(node) = node {
                    self.merge_keys.look(self.file, node);
                    self.tags.look(self.file, node);
                }
                self.count += 1;
                Ok(Ok(()))
            }
        }
    }
}

/// Writes `value`, the default value, as a result.
fn write_default(args: &GetArgs, value: &str, writer: &mut Writer) -> Result<(), Failure> {
    if matches!(args.shape(), Shape::Raw | Shape::Text) {
        return writer.write_text(value);
    }
    let failed = |error: Error| {
        let mut diagnostic = Diagnostic::error("--default", value.as_bytes(), &error);
        diagnostic.file = "--default".to_owned();
        Failure::Argument(Box::new(diagnostic))
    };
    let compose = args.compose_options();
    let mut documents = Documents::with_options(value.as_bytes(), &Options::default(), &compose);
    // Empty text has no document, but is read as null.
    let document = documents.next().transpose().map_err(failed)?.unwrap_or_default();
    match writer.write(document.root()) {
        Err(Refused::Write(failure)) => Err(failure),
        Err(Refused::Yaml(error)) => Err(failed(error)),
        Ok(()) | Err(Refused::NoKeys) => Ok(()),
    }
}

/// Returns the failure for `path`, which is not a valid path.
pub fn wrong_path(path: &str, error: &PathError) -> Failure {
    let problem = error.problem();
    let mut diagnostic = Diagnostic::sentence("PATH", "Path", "syntax", problem.to_string());
    diagnostic.location = Some(Location::in_text(path.as_bytes(), error.offset() as u64, 1));
    diagnostic.help = Some(problem.help().to_owned());
    Failure::Argument(Box::new(diagnostic))
}

/// Returns the failure for `path`, which is not a valid path, and may be a program in jq's language.
fn wrong_query(args: &GetArgs, path: &str, error: &PathError) -> Failure {
    let help = missing::default_help(path).or_else(|| missing::query_help(args, path));
    match (wrong_path(path, error), help) {
        (Failure::Argument(diagnostic), Some(help)) => {
            Failure::Argument(Box::new(Diagnostic { help: Some(help), ..*diagnostic }))
        }
        (failure, _) => failure,
    }
}

/// Returns the failure for `path`, which is not a valid YPath.
fn wrong_ypath(path: &str, error: &YPathError) -> Failure {
    let problem = error.problem();
    let mut diagnostic = Diagnostic::sentence("YPATH", "Path", "syntax", problem.to_string());
    diagnostic.location = Some(Location::in_text(path.as_bytes(), error.offset() as u64, 1));
    diagnostic.help = Some(problem.help().to_owned());
    Failure::Argument(Box::new(diagnostic))
}

//! `ketch get`: prints the values that a path leads to.

mod missing;
mod writer;

use crate::args::{GetArgs, Shape};
use crate::diagnostic::Diagnostic;
use crate::documents::Watched;
use crate::draw;
use crate::input::{self, Input, WHOLE_BYTES_MAX};
use crate::position;
use crate::progress::Progress;
use crate::read::failure;
use crate::shell;
use crate::status::{Failure, Status};
use ketch_yaml::compose::{Reached, Selection, Source};
use ketch_yaml::path::{Documents as Chosen, Path, PathError};
use ketch_yaml::ypath::{Hit, YPath, YPathError, select_within};
use ketch_yaml::{Dialect, Documents, DuplicateKeys, Error, Location, Options, Parser, ReadParser};
use writer::{Refused, Writer};

/// Searches all files in order, and prints results when they are found.
pub fn run(args: GetArgs) -> Result<Status, Failure> {
    if let Some(failure) = swapped_arguments(&args) {
        return Err(failure);
    }
    let Query { path, rest, files } = Query::of(&args)?;
    check_options(&args, &path)?;
    input::expects_files(&files)?;
    let writer = Writer::new(&args);
    let mut search =
        Search { args: &args, path: &path, rest: rest.as_ref(), writer, file: "", count: 0 };
    let mut status = Status::Success;
    for file in &files {
        (search.file, search.count) = (file, 0);
        match search.file() {
            Ok(()) => {}
            Err(failure @ Failure::Closed) => return Err(failure),
            Err(failure) => {
                // The results must be printed before the error.
                search.writer.flush()?;
                status = status.max(draw::failure(&failure));
            }
        }
        if args.first && search.count > 0 {
            break;
        }
    }
    // Results that were found before an error are printed, too.
    search.writer.finish()?;
    Ok(status)
}

/// Fails if options contradict the path or each other.
fn check_options(args: &GetArgs, path: &Path) -> Result<(), Failure> {
    if let (Some(Chosen::Index(_)), Some(_)) = (path.documents(), args.document) {
        let message = "the path and `--document` both choose a document";
        return Err(Failure::Usage(message.to_owned()));
    }
    if args.to != Shape::Yaml {
        args.yaml.refuse()?;
    }
    if args.to != Shape::Json {
        super::convert::refuse_for_json(args.pretty, args.non_finite, args.unknown_tags)?;
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
    let first = args.path.as_deref().filter(|_| args.ypath.is_none())?;
    let is_swapped = is_file(first) && !is_file(path) && path.parse::<Path>().is_ok();
    is_swapped.then(|| {
        let command = shell::line(["ketch", "get", path, first]);
        Failure::Usage(format!("the path comes first, then the files: `{command}`"))
    })
}

/// The paths to search for, and the files to search in.
struct Query {
    /// The path that the selection follows.
    path: Path,
    /// The part of a YPath after `path`, which is searched for in the nodes that `path` leads to.
    rest: Option<YPath>,
    files: Vec<String>,
}

impl Query {
    /// Parses the arguments.
    fn of(args: &GetArgs) -> Result<Query, Failure> {
        let Some(text) = &args.ypath else {
            let text = args.path.as_deref().unwrap_or(".");
            let path = text.parse().map_err(|error| wrong_path(text, &error))?;
            return Ok(Query { path, rest: None, files: args.files.clone() });
        };
        let path: YPath = text.parse().map_err(|error| wrong_ypath(text, &error))?;
        let mut files: Vec<String> = args.path.iter().cloned().collect();
        if files.is_empty() || !input::is_default(&args.files) {
            files.extend_from_slice(&args.files);
        }
        let compose = args.compose_options();
        let is_plain = args.read.options().dialect == Dialect::Yaml
            && compose.duplicate_keys == DuplicateKeys::Error
            && !compose.merges();
        let (first, rest) = if is_plain { path.split() } else { (Path::default(), path) };
        Ok(Query { path: first, rest: Some(rest), files })
    }
}

struct Search<'a> {
    args: &'a GetArgs,
    path: &'a Path,
    rest: Option<&'a YPath>,
    writer: Writer,
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

impl Search<'_> {
    /// Searches the current file. If nothing is found, writes the default value or, if there is
    /// none, fails.
    fn file(&mut self) -> Result<(), Failure> {
        let args = self.args;
        let options = args.read.options_for(args.input.origin(self.file));
        let done = match input::open_yaml(&args.input, self.file, WHOLE_BYTES_MAX)? {
            Input::Whole(text) => {
                let done = self.run(Parser::with_options(&text, &options))?;
                done.map_err(|refused| refused.failure(self.file, &text))
            }
            Input::Stream(mut stream) => {
                let progress = Progress::new(stream.size, false);
                let parser = ReadParser::with_options(&mut stream, &options);
                let done = self.run(Watched { parser, progress })?;
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
            selection.recycle(found);
            // The output is flushed before more input is waited for, so that a program that reads
            // the output gets the results that were found so far.
            if selection.is_waiting() {
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

    /// Writes the result `hit`. Fails only if the output fails; an error in the result is returned
    /// as a refusal.
    fn write(&mut self, hit: &Hit<'_>) -> Result<Result<(), Refusal>, Failure> {
        let written = match hit {
            Hit::Node(node) => self.writer.write(*node),
            Hit::Line(line) => self.writer.write_string(line),
            Hit::None => self.writer.write_null(),
        };
        match (written, hit.node()) {
            (Err(Refused::Write(failure)), _) => Err(failure),
            (Err(Refused::Yaml(error)), _) => Ok(Err(Refusal::Yaml(error))),
            (Err(Refused::Collection(kind)), Some(node)) => {
                let diagnostic = writer::not_raw(self.file, kind, node.location());
                Ok(Err(Refusal::Node(Box::new(diagnostic))))
            }
            _ => {
                self.count += 1;
                Ok(Ok(()))
            }
        }
    }
}

/// Writes `value`, the default value, as a result.
fn write_default(args: &GetArgs, value: &str, writer: &mut Writer) -> Result<(), Failure> {
    if args.to == Shape::Raw {
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
        Ok(()) | Err(Refused::Collection(_)) => Ok(()),
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

/// Returns the failure for `path`, which is not a valid YPath.
fn wrong_ypath(path: &str, error: &YPathError) -> Failure {
    let problem = error.problem();
    let mut diagnostic = Diagnostic::sentence("YPATH", "Path", "syntax", problem.to_string());
    diagnostic.location = Some(Location::in_text(path.as_bytes(), error.offset() as u64, 1));
    diagnostic.help = Some(problem.help().to_owned());
    Failure::Argument(Box::new(diagnostic))
}

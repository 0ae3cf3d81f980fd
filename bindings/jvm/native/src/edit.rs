//! Editing sessions. Arguments and replies are bytes: a number takes four bytes,
//! big-endian; a text follows after its length, which is -1 if the text is missing.
//! `EditSession.java` uses the same order of fields.

use crate::failure::{edit_fields, refusal_fields};
use crate::nodes::Held;
use crate::options::LoadOptions;
use crate::packed::{Unpacked, put_int, put_text};
use ketch_edit::{
    Action, Edit, Field, FieldKind, Operation, Request, patches_to_lsp, unified_diff,
};
use ketch_files::{Error as FileError, Options, Replacement, Stamp};
use ketch_host::edit::{Child, Place, Reading, Refusal, Session, View};
use ketch_host::nodes;
use ketch_yaml::path::Step;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// The file from which a text was read, and the stamp that it had when it was last read or saved.
struct Origin {
    path: PathBuf,
    stamp: Stamp,
}

/// An editing session.
pub struct Editing {
    session: Session,
    options: LoadOptions,
    origin: Option<Origin>,
    /// Whether there are edits that have not been saved.
    is_dirty: bool,
    was_saved: bool,
}

/// The reason why a call has failed, encoded for Java.
pub type Failed = Vec<u8>;

impl Editing {
    /// Parses `bytes`, and starts a session with this text.
    pub fn open(bytes: Vec<u8>, options: LoadOptions) -> Result<Editing, Failed> {
        let file = options.file.as_deref();
        let edit = Edit::from_bytes(bytes).map_err(|error| edit_fields(&error, file, 1))?;
        let edit = edit.of_file(file.unwrap_or_default());
        let session = Session::with_options(edit, options.parse, options.compose);
        let mut editing =
            Editing { session, options, origin: None, is_dirty: false, was_saved: false };
        // Counting the documents parses the text, and fails if it is not valid YAML.
        let count = editing.session.document_count();
        count.map_err(|refusal| editing.refused(refusal))?;
        Ok(editing)
    }

    /// Reads the file at `path`, and starts a session with its content.
    pub fn open_file(path: PathBuf, options: LoadOptions) -> Result<Editing, Failed> {
        let failed = |error: io::Error| system(&error);
        let Some((content, stamp)) = ketch_files::read(&path).map_err(failed)? else {
            return Err(said(b'a', &format!("{} is not a regular file", path.display())));
        };
        Ok(Editing { origin: Some(Origin { path, stamp }), ..Editing::open(content, options)? })
    }

    /// Returns the length of the original text in bytes.
    pub fn len(&self) -> usize {
        self.session.edit().original().len()
    }

    fn refused(&self, refusal: Refusal) -> Failed {
        refusal_fields(refusal, self.options.file.as_deref())
    }

    /// Executes the call from Java that has the number `which`, and returns the reply.
    pub fn call(&mut self, which: i32, argument: &[u8]) -> Result<Vec<u8>, Failed> {
        let mut input = Input(Unpacked(argument));
        let mut reply = Reply(Vec::new());
        match which {
            0 => {
                let count = self.session.document_count();
                reply.int(count.map_err(|refusal| self.refused(refusal))?);
            }
            1 => reply.0.extend_from_slice(self.session.edit().text().as_bytes()),
            2 => reply.0.extend_from_slice(self.session.edit().original().as_bytes()),
            3 => reply.0 = self.session.edit().to_bytes().to_vec(),
            4 => reply.byte(self.session.edit().is_changed().into()),
            5 => self.patches(input.byte() != 0, &mut reply),
            6 => {
                let edit = self.session.edit();
                let text = patches_to_lsp(edit.original(), &edit.patches());
                reply.0 = text.into_bytes();
            }
            7 => {
                let (old, new) = (input.text(), input.text());
                let edit = self.session.edit();
                let text = unified_diff(edit.original(), &edit.patches(), &old, &new);
                reply.0 = text.into_bytes();
            }
            8 => reply.int(self.session.root(input.int()).0 as usize),
            9 => self.child(&mut input, &mut reply)?,
            10 => {
                let view = input.view();
                let child = self.session.look(view);
                let child = child.map_err(|refusal| self.refused(refusal))?;
                reply.byte(kind_of(&child));
            }
            11 => {
                let count = self.session.count(input.view());
                reply.int(count.map_err(|refusal| self.refused(refusal))?);
            }
            12 => {
                let reading = self.read(&mut input)?;
                self.reading(reading.as_ref(), &mut reply);
            }
            13 => self.entries(&mut input, &mut reply)?,
            14 => {
                let place = self.place(input.view())?;
                reply.0 = place.path().to_string().into_bytes();
            }
            15 => facts(self.read(&mut input)?.as_ref(), &mut reply),
            16 => self.comments(&mut input, &mut reply)?,
            17 => self.operate(&mut input)?,
            18 => {
                let parsed = Operation::parse_all(&input.text());
                let operations = parsed.map_err(|error| edit_fields(&error, None, 1))?;
                self.apply(&operations)?;
            }
            19 => reply.byte(self.save(input.byte() != 0)?.into()),
            20 => self.replace(&mut input, &mut reply)?,
            _ => return Err(said(b'a', "there is no such call")),
        }
        Ok(reply.0)
    }

    /// Replies with the patches or, if `is_inverse` is true, with the patches that undo them.
    fn patches(&self, is_inverse: bool, reply: &mut Reply) {
        let edit = self.session.edit();
        let patches = if is_inverse { edit.inverse() } else { edit.patches() };
        for patch in patches {
            reply.int(patch.at.start);
            reply.int(patch.at.end);
            reply.text(Some(&patch.new));
        }
    }

    /// Reads the key of an entry: `n` for no key, `t` and a text, `p` and a plain scalar, or `i`
    /// and an index. If the view is a sequence, a negative index counts from the end.
    fn step(&mut self, view: View, input: &mut Input<'_>) -> Result<Option<Step>, Failed> {
        let step = match input.byte() {
            b't' => Step::Key(input.text()),
            b'p' => Step::Plain(input.text()),
            b'i' => Step::Index(input.long()),
            _ => return Ok(None),
        };
        self.session.step(view, step).map(Some).map_err(|refusal| self.refused(refusal))
    }

    /// Reads a view and keys. Returns the last of the keys, and the view of the collection that the
    /// others lead to, or `None` if they lead to no collection.
    fn follow(&mut self, input: &mut Input<'_>) -> Result<Option<(View, Option<Step>)>, Failed> {
        let mut view = input.view();
        let mut last = self.step(view, input)?;
        while !input.is_empty() {
            let Some(step) = last else { break };
            let child = self.session.child(view, step);
            view = match child.map_err(|refusal| self.refused(refusal))? {
                Child::Mapping(view) | Child::Sequence(view) => view,
                Child::Missing | Child::Scalar(_) => return Ok(None),
            };
            last = self.step(view, input)?;
        }
        Ok(Some((view, last)))
    }

    /// Replies with the node that keys lead to from a view, or that of the view itself.
    fn child(&mut self, input: &mut Input<'_>, reply: &mut Reply) -> Result<(), Failed> {
        let child = match self.follow(input)? {
            None => Ok(Child::Missing),
            Some((view, Some(step))) => self.session.child(view, step),
            Some((view, None)) => self.session.look(view),
        };
        let child = child.map_err(|refusal| self.refused(refusal))?;
        self.answer(&child, reply);
        Ok(())
    }

    /// Replies with the kind of an entry, followed by the number of its view, or by its node if it
    /// is a scalar.
    fn answer(&self, child: &Child, reply: &mut Reply) {
        reply.byte(kind_of(child));
        match child {
            Child::Missing => {}
            Child::Mapping(view) | Child::Sequence(view) => reply.int(view.0 as usize),
            Child::Scalar(reading) => self.reading(Some(reading), reply),
        }
    }

    /// Replies with a document, which Java must free, and the number of a node in it, or with zero
    /// if there is no node.
    fn reading(&self, reading: Option<&Reading>, reply: &mut Reply) {
        let Some(reading) = reading else { return reply.long(0) };
        let held = Held::new(Arc::clone(reading.document()), self.options.clone());
        reply.long(Box::into_raw(Box::new(held)) as i64);
        reply.int(reading.node().id().index());
    }

    /// Reads the node that keys lead to from a view, or that of the view itself.
    fn read(&mut self, input: &mut Input<'_>) -> Result<Option<Reading>, Failed> {
        let Some((view, step)) = self.follow(input)? else { return Ok(None) };
        let reading = self.session.read(view, step);
        reading.map_err(|refusal| self.refused(refusal))
    }

    /// Replies with all entries of a view, each after its key.
    fn entries(&mut self, input: &mut Input<'_>, reply: &mut Reply) -> Result<(), Failed> {
        let entries = self.session.entries(input.view());
        for (key, child) in entries.map_err(|refusal| self.refused(refusal))? {
            reply.byte(key.is_some().into());
            if let Some(key) = key {
                self.reading(Some(&key), reply);
            }
            self.answer(&child, reply);
        }
        Ok(())
    }

    /// Replies with the comments before and after a node, as [`Editing::read`] finds it, or with
    /// nothing if keys before the last one lead to no collection.
    fn comments(&mut self, input: &mut Input<'_>, reply: &mut Reply) -> Result<(), Failed> {
        let Some((view, step)) = self.follow(input)? else { return Ok(()) };
        let comments = self.session.comments(view, step);
        let comments = comments.map_err(|refusal| self.refused(refusal))?;
        reply.text(comments.leading.as_deref());
        reply.text(comments.trailing.as_deref());
        Ok(())
    }

    fn place(&self, view: View) -> Result<Place, Failed> {
        self.session.place(view).map_err(|refusal| self.refused(refusal))
    }

    /// Applies operations. Each consists of its name, the number of a view, the number of keys, the
    /// keys that lead from the view to the node, the number of fields, and the names and values of
    /// the fields.
    fn operate(&mut self, input: &mut Input<'_>) -> Result<(), Failed> {
        let mut operations = Vec::new();
        while !input.is_empty() {
            operations.push(self.operation(input)?.0);
        }
        self.apply(&operations)
    }

    /// Applies operations as [`Editing::operate`] does. The views of collections that they set,
    /// replace or delete become stale, as do those of the entries if there were no keys. Replies
    /// with these views, each with its node as it was before.
    fn replace(&mut self, input: &mut Input<'_>, reply: &mut Reply) -> Result<(), Failed> {
        let (mut operations, mut replaced) = (Vec::new(), Vec::new());
        while !input.is_empty() {
            let (operation, has_keys) = self.operation(input)?;
            if matches!(operation.action, Action::Set { .. } | Action::Replace(_) | Action::Delete)
            {
                let place = Place { doc: operation.doc, steps: operation.path.clone() };
                for view in self.session.views(&place, !has_keys) {
                    // What cannot be read, for example because of duplicate keys, can be replaced.
                    replaced.extend(self.session.read(view, None).ok().flatten().zip(Some(view)));
                }
            }
            operations.push(operation);
        }
        self.apply(&operations)?;
        for (reading, view) in replaced {
            self.session.forget(view);
            reply.int(view.0 as usize);
            self.reading(Some(&reading), reply);
        }
        Ok(())
    }

    /// Reads an operation in this form. Returns also whether there were keys.
    fn operation(&mut self, input: &mut Input<'_>) -> Result<(Operation, bool), Failed> {
        let (op, view, keys) = (input.text(), input.view(), input.int());
        let mut place = self.place(view)?;
        for index in 0..keys {
            let step = match (index, input.0.0.first()) {
                (0, _) => self.step(view, input)?,
                (_, Some(b'i')) => {
                    input.byte();
                    Some(Step::Index(input.long()))
                }
                _ => self.step(view, input)?,
            };
            place = place.then(step.unwrap_or(Step::Plain("null".into())));
        }
        let mut request = place.request(&op);
        for _ in 0..input.int() {
            let (name, value) = (input.text(), input.text());
            let field = self.field(&name, value)?;
            request.give(&name, field);
        }
        let file = self.options.file.as_deref();
        let operation = request.operation().map_err(|error| edit_fields(&error, file, 1))?;
        Ok((operation, keys > 0))
    }

    /// Converts the field `name` of a request, whose value comes as text.
    fn field(&self, name: &str, value: String) -> Result<Field, Failed> {
        let unknown = || said(b'a', &format!("unknown keyword: :{name}"));
        Ok(match Request::kind(name).ok_or_else(unknown)? {
            FieldKind::Flag => Field::Flag(value == "true"),
            FieldKind::Number => Field::Number(value.parse().unwrap_or(usize::MAX)),
            FieldKind::Collection => {
                let view = View(value.parse().unwrap_or(u32::MAX));
                Field::Steps(self.place(view)?.steps)
            }
            _ => Field::Text(value),
        })
    }

    fn apply(&mut self, operations: &[Operation]) -> Result<(), Failed> {
        let applied = self.session.apply(operations);
        let file = self.options.file.as_deref();
        applied.map_err(|error| edit_fields(&error, file, operations.len()))?;
        self.is_dirty = true;
        Ok(())
    }

    /// Replaces the file if there are changes that have not been saved, and returns whether there
    /// were.
    fn save(&mut self, is_in_place: bool) -> Result<bool, Failed> {
        let Some(origin) = &mut self.origin else {
            return Err(said(b'i', "the text is not from a file: use Ketch.edit_file"));
        };
        if !self.is_dirty || !self.was_saved && !self.session.edit().is_changed() {
            return Ok(false);
        }
        let stamp = Some(origin.stamp.clone());
        let options = Options::default().with_write_through(is_in_place).with_stamp(stamp);
        let failed = |error: FileError| file_refused(&error, origin);
        let mut replacement = Replacement::open(&origin.path, &options).map_err(failed)?;
        let mut out = BufWriter::new(&mut replacement);
        let written = self.session.edit().write_to(&mut out).and_then(|()| out.flush());
        drop(out);
        let written = written.and_then(|()| replacement.sync());
        written.map_err(|error| failed(FileError::Io(error)))?;
        if let Some(stamp) = replacement.commit().map_err(failed)? {
            origin.stamp = stamp;
        }
        (self.is_dirty, self.was_saved) = (false, true);
        Ok(true)
    }
}

/// Returns the number for the kind of an entry, which `Edit.java` uses as well.
fn kind_of(child: &Child) -> u8 {
    match child {
        Child::Missing => 0,
        Child::Mapping(_) => 1,
        Child::Sequence(_) => 2,
        Child::Scalar(_) => 3,
    }
}

/// Replies with the kind, style, tag and anchor of a node, where an alias is described as an alias,
/// or with nothing if there is no such node.
fn facts(reading: Option<&Reading>, reply: &mut Reply) {
    let Some(reading) = reading else { return };
    for (_, fact) in nodes::facts(reading.written()) {
        reply.text(fact);
    }
}

/// Returns a failure that consists of a message: `a` if it is about an argument, `i` if it is about
/// input or output.
fn said(kind: u8, message: &str) -> Failed {
    [&[kind], message.as_bytes()].concat()
}

/// Returns the failure for an error of the operating system: `o`, its number and its message, or
/// only a message if it has no number.
fn system(error: &io::Error) -> Failed {
    match error.raw_os_error() {
        Some(number) => [b"o", &number.to_be_bytes()[..], error.to_string().as_bytes()].concat(),
        None => said(b'i', &error.to_string()),
    }
}

/// Returns the failure for a file that was not replaced: `f`, a name and a message.
fn file_refused(error: &FileError, origin: &Origin) -> Failed {
    let (name, message) = match error {
        FileError::Io(error) | FileError::Folder(error) => return system(error),
        FileError::Changed => {
            let help = "Edit it again: nothing was written.";
            ("file_changed", format!("it has changed since it was read\n{help}"))
        }
        other => {
            let help = "`write_through: true` writes into the file in place.";
            ("not_replaced", format!("it is left as it is: {other}\n{help}"))
        }
    };
    let mut reply = Reply(vec![b'f']);
    reply.text(Some(name));
    reply.text(Some(&format!("{}: {message}", origin.path.display())));
    reply.0
}

/// The rest of an argument. If bytes are missing, what is read is zero or empty.
struct Input<'a>(Unpacked<'a>);

impl Input<'_> {
    fn is_empty(&self) -> bool {
        self.0.0.is_empty()
    }

    fn byte(&mut self) -> u8 {
        self.0.byte().unwrap_or(0)
    }

    fn int(&mut self) -> usize {
        usize::try_from(self.0.int().unwrap_or(0)).unwrap_or(0)
    }

    fn long(&mut self) -> i64 {
        self.0.long().unwrap_or(0)
    }

    fn view(&mut self) -> View {
        View(self.int() as u32)
    }

    fn text(&mut self) -> String {
        let bytes = self.0.bytes().flatten().unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }
}

/// The bytes of a reply so far.
struct Reply(Vec<u8>);

impl Reply {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn int(&mut self, number: usize) {
        put_int(&mut self.0, number);
    }

    fn long(&mut self, number: i64) {
        self.0.extend_from_slice(&number.to_be_bytes());
    }

    fn text(&mut self, text: Option<&str>) {
        put_text(&mut self.0, text);
    }
}

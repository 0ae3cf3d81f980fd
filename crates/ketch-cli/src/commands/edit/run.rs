//! Edits many files: first, all edits are planned, and then the files are written.

use super::files;
use super::group::{Change, Operations};
use super::refusal::{self, refused, remark};
use super::text::text_of;
use super::toml;
use crate::args::{EditArgs, Origin};
use crate::draw;
use crate::file_name::shown;
use crate::files::Files;
use crate::formats;
use crate::front_matter;
use crate::input;
use crate::json_syntax::{self, Texts};
use crate::line_diff;
use crate::output::{Output, print};
use crate::progress::Phases;
use crate::quiet;
use crate::status::{Failure, Status};
use ketch_bytes::encoding::Encoding;
use ketch_edit::{Edit, Operation, Remark};
use ketch_files::Stamp;
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of times that a file is edited again if other processes change it meanwhile.
const RETRIES_MAX: usize = 100;

/// A file with its edits, which have not been written yet.
struct Planned {
    edit: Edit,
    /// The file before and after the edit, if it is not YAML. The edit is then one of its values.
    converted: Option<[Vec<u8>; 2]>,
    is_changed: bool,
    /// The bytes of the file before and after the part that is edited. They are not empty only in
    /// Markdown, where the part is the front matter.
    around: (Vec<u8>, Vec<u8>),
    /// The stamp of the file from the time when it was read, if it is to be replaced.
    stamp: Option<Stamp>,
}

impl Planned {
    /// Writes the content of the file with its edits to `out`.
    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some([_, new]) = &self.converted {
            return out.write_all(new);
        }
        out.write_all(&self.around.0)?;
        self.edit.write_to(out)?;
        out.write_all(&self.around.1)
    }

    fn result(&self) -> Vec<u8> {
        let mut result = Vec::new();
        // Writing to a vector does not fail.
        let _ = self.write_to(&mut result);
        result
    }

    fn original(&self) -> Vec<u8> {
        if let Some([old, _]) = &self.converted {
            return old.clone();
        }
        [&self.around.0[..], &self.edit.original_bytes(), &self.around.1].concat()
    }
}

/// What is planned for a file, once that is known.
type Plan = OnceLock<Result<Planned, Failure>>;

/// Applies `operations` to all files that `named` names.
pub fn edit_all(
    args: &EditArgs,
    named: &[String],
    operations: &[Operation],
) -> Result<Status, Failure> {
    let files = files::all(named, args.files_from.as_deref())?;
    let operations = Operations::new(operations, files.is_group);
    change_all(args, files, &operations)
}

/// Changes all `files`. After an error, continues with the other files, unless `--atomic` is given: then no file is
/// changed.
pub fn change_all(
    args: &EditArgs,
    Files { names: files, .. }: Files,
    change: &dyn Change,
) -> Result<Status, Failure> {
    check_usage(args, &files)?;
    let phases = Phases::new(true);
    let planned = plan_all(args, &files, change, &phases);
    let kept = kept(&files, &planned, change, &phases)?;
    let is_held = args.write.atomic && has_failed(&kept);
    let (mut status, mut done) = (Status::Success, Vec::<(&str, &Planned)>::new());
    for (index, (file, plan)) in kept.into_iter().enumerate() {
        phases.start("writing", (index, files.len()));
        let ended = match plan.get() {
            Some(Ok(plan)) => {
                let held = is_held.then_some(Ok(Status::Success));
                held.unwrap_or_else(|| write_or_retry(args, file, plan, change, &phases))
                    .inspect(|_| done.push((file, plan)))
            }
            Some(Err(failure)) => Ok(phases.paused(|| draw::failure(failure))),
            None => Ok(Status::Io),
        };
        match ended {
            Ok(ended) => status = status.max(ended),
            Err(failure @ Failure::Closed) => return Err(failure),
            Err(failure) => {
                status = status.max(phases.paused(|| draw::failure(&failure)));
                if args.write.atomic {
                    return restore(args, &done).map(|()| status);
                }
            }
        }
        // With `--atomic`, results are reported only after all files have been written.
        if !args.write.atomic {
            phases.paused(|| report(args, &files, done.drain(..), is_held))?;
        }
    }
    phases.paused(|| report(args, &files, done.drain(..), is_held)).map(|()| status)
}

/// Returns the files with their plans, but without the files of a folder or pattern that lack what is
/// edited. If all lack it, one stays, whose error is reported. Fails if they lack the path of an
/// operation.
fn kept<'p>(
    files: &'p [String],
    planned: &'p [Plan],
    change: &dyn Change,
    phases: &Phases,
) -> Result<Vec<(&'p String, &'p Plan)>, Failure> {
    let is_lacking =
        |plan: &Plan| change.is_on_group() && matches!(plan.get(), Some(Err(Failure::Missing(_))));
    let mut keeps_one = !planned.iter().any(|plan| matches!(plan.get(), Some(Ok(_))));
    let all = files.iter().zip(planned);
    let kept: Vec<_> =
        all.filter(|(_, plan)| !is_lacking(plan) || std::mem::take(&mut keeps_one)).collect();
    change.check_found().inspect_err(|_| show_others(&kept, phases))?;
    Ok(kept)
}

/// Shows why files cannot be edited, if not because they lack what is edited.
fn show_others(planned: &[(&String, &Plan)], phases: &Phases) {
    let failures = planned.iter().filter_map(|(_, plan)| plan.get()?.as_ref().err());
    for failure in failures.filter(|failure| !matches!(failure, Failure::Missing(_))) {
        phases.paused(|| draw::failure(failure));
    }
}

/// Returns whether one of the files could not be edited.
fn has_failed(planned: &[(&String, &Plan)]) -> bool {
    planned.iter().any(|(_, plan)| plan.get().is_none_or(Result::is_err))
}

/// Fails if the options do not fit the files.
fn check_usage(args: &EditArgs, files: &[String]) -> Result<(), Failure> {
    let prints = !args.write.is_given();
    if prints && files.len() > 1 {
        let message = "several files need `--in-place`, `--diff` or `--check`";
        return Err(Failure::Usage(message.to_owned()));
    }
    if args.write.in_place && files.iter().any(|file| file == "-") {
        let message = "standard input cannot be edited in place";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(())
}

/// Plans the edits of all files, using all processors.
fn plan_all(args: &EditArgs, files: &[String], change: &dyn Change, phases: &Phases) -> Vec<Plan> {
    let planned: Vec<_> = files.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((file, plan)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            phases.start("editing", (at.min(files.len().max(1) - 1), files.len()));
            files.get(at).zip(planned.get(at))
        } {
            plan.get_or_init(|| plan_file(args, file, change));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(files.len());
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    planned
}

/// Reads `file`, and applies `change` in memory.
fn plan_file(args: &EditArgs, file: &str, change: &dyn Change) -> Result<Planned, Failure> {
    let origin = args.input.known_origin(file);
    if origin != Some(Origin::Toml) {
        formats::refuse_origin("edits change TOML,", file, origin)?;
    }
    let (old, stamp) = match args.write.in_place {
        true => input::read_to_replace(file)?,
        false => (input::read(file)?, None),
    };
    let around = (Vec::new(), Vec::new());
    if origin == Some(Origin::Toml) {
        let (new, edit) = toml::edited(file, old.clone(), change)?;
        let (is_changed, converted) = (new != old, Some([old, new]));
        return Ok(Planned { edit, converted, is_changed, around, stamp });
    }
    let converted = None;
    if !args.input.takes_front_matter(file) {
        let edit = edited((file, origin), old, change)?;
        if origin == Some(Origin::Json) {
            stays_json(file, &edit)?;
        }
        return Ok(Planned { is_changed: edit.is_changed(), converted, edit, around, stamp });
    }
    let text = text_of(file, old)?;
    let Some(range) = front_matter::range(&text) else {
        return Err(front_matter::missing(file, &text));
    };
    let (before, inner, after) = (&text[..range.start], &text[range.clone()], &text[range.end..]);
    let edit = edited((file, origin), inner.into(), change).map_err(|failure| {
        let lines = before.matches('\n').count() as u64;
        shifted(failure, before.len() as u64, lines)
    })?;
    let around = (before.into(), after.into());
    Ok(Planned { is_changed: edit.is_changed(), converted, edit, around, stamp })
}

/// Returns the text `bytes` of `file`, whose format is `origin`, changed by `change`.
fn edited(
    (file, origin): (&str, Option<Origin>),
    bytes: Vec<u8>,
    change: &dyn Change,
) -> Result<Edit, Failure> {
    let edit = match Encoding::detect(&bytes).0 {
        Encoding::Utf8 => Edit::deferred(text_of(file, bytes)?),
        _ => Edit::from_bytes(bytes).map_err(|error| refused(file, &error))?,
    };
    let mut edit = edit.of_file(file);
    if origin == Some(Origin::Json) {
        edit = edit.as_json();
    }
    change.apply(file, &mut edit)?;
    Ok(edit)
}

/// Fails if `edit` has changed JSON in `file` to text that is not JSON.
fn stays_json(file: &str, edit: &Edit) -> Result<(), Failure> {
    if !edit.is_changed() {
        return Ok(());
    }
    let (old, new) = (edit.original_bytes(), edit.to_bytes());
    let check = |bytes: &[u8]| json_syntax::check(&json_syntax::as_utf8(bytes), Texts::One);
    match check(&new) {
        Err(wrong) if old.trim_ascii().is_empty() || check(&old).is_ok() => {
            Err(Failure::Input(Box::new(refusal::not_json(file, &wrong.message))))
        }
        _ => Ok(()),
    }
}

/// Moves the location in `failure` from a part of a file to the whole file. The part starts at the
/// offset `offset`, after `lines` lines.
fn shifted(mut failure: Failure, offset: u64, lines: u64) -> Failure {
    if let Failure::Input(diagnostic) | Failure::Missing(diagnostic) = &mut failure {
        let related = diagnostic.related.as_mut().map(|related| &mut related.location);
        for location in diagnostic.location.as_mut().into_iter().chain(related) {
            location.offset += offset;
            location.line += lines;
        }
    }
    failure
}

/// Writes or shows what was planned for `file`. If another process has changed the file since it
/// was read, edits it again, unless other files or a diff depend on the plan.
fn write_or_retry(
    args: &EditArgs,
    file: &str,
    plan: &Planned,
    change: &dyn Change,
    phases: &Phases,
) -> Result<Status, Failure> {
    // The edit of a TOML file is one of YAML.
    let new = change.operations().iter().filter(|_| plan.converted.is_some());
    let zeros = new.filter_map(|each| Remark::of_zeros(each.action.value()?, true));
    let is_said =
        |each: &Remark| plan.converted.is_none() || !matches!(each, Remark::LeadingZeros(_));
    for each in plan.edit.remarks().iter().filter(|each| is_said(each)).cloned().chain(zeros) {
        phases.paused(|| draw::to_stderr(&remark(file, &each)));
    }
    let mut result = write(args, file, plan, phases);
    for _ in 0..RETRIES_MAX {
        let is_final = !matches!(result, Err(Failure::Changed(_)));
        if is_final || args.write.atomic || args.write.diff {
            break;
        }
        result = plan_file(args, file, change).and_then(|plan| write(args, file, &plan, phases));
    }
    result
}

/// Writes or shows what was planned for `file`.
fn write(args: &EditArgs, file: &str, plan: &Planned, phases: &Phases) -> Result<Status, Failure> {
    if args.write.diff && !args.write.in_place {
        phases.paused(|| show_difference(file, plan))?;
    }
    if args.write.check {
        if plan.is_changed && !args.write.diff {
            phases.paused(|| print(|out| writeln!(out, "{}", shown(file))))?;
        }
        return Ok(if plan.is_changed { Status::WrongInput } else { Status::Success });
    }
    if args.write.in_place {
        if plan.is_changed {
            replace(args, file, plan.stamp.clone(), |out| plan.write_to(out))?;
        }
    } else if !args.write.diff {
        phases.paused(|| print(|mut out| plan.write_to(&mut out)))?;
    }
    Ok(Status::Success)
}

/// Prints what `plan` changes in `file` as a unified diff.
fn show_difference(file: &str, plan: &Planned) -> Result<(), Failure> {
    match plan.is_changed {
        true => line_diff::print(shown(file), &plan.original(), &plan.result()),
        false => Ok(()),
    }
}

/// Replaces the content of `file` with what `write` writes. Fails if there is a stamp, and the file
/// has changed since it was taken.
fn replace(
    args: &EditArgs,
    file: &str,
    stamp: Option<Stamp>,
    write: impl FnOnce(&mut BufWriter<&mut Output>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut output = Output::open_unchanged(file, args.write.write_through, stamp)?;
    let mut out = BufWriter::new(&mut output);
    let written = write(&mut out).and_then(|()| out.flush());
    drop(out);
    written.map_err(|error| Failure::write(output.name(), error))?;
    output.finish()
}

/// Restores the original content of the files in `written` that were changed.
fn restore(args: &EditArgs, written: &[(&str, &Planned)]) -> Result<(), Failure> {
    written.iter().filter(|(_, plan)| plan.is_changed).try_for_each(|(file, plan)| {
        let old = plan.original();
        replace(args, file, None, |out| out.write_all(&old))
    })
}

/// Prints the results for the files in `done`, if several files are edited in place, or their
/// differences. `is_held` says that no file was written because of an error in one of them.
fn report<'p>(
    args: &EditArgs,
    files: &[String],
    mut done: impl Iterator<Item = (&'p str, &'p Planned)>,
    is_held: bool,
) -> Result<(), Failure> {
    if args.write.in_place && args.write.diff && !is_held {
        return done.try_for_each(|(file, plan)| show_difference(file, plan));
    }
    if !args.write.in_place || files.len() < 2 || quiet::is_on() {
        return Ok(());
    }
    done.try_for_each(|(file, plan)| {
        let what = match (plan.is_changed, is_held) {
            (true, false) => "changed",
            (true, true) => "not changed",
            (false, _) => "unchanged",
        };
        print(|out| writeln!(out, "{what}: {}", shown(file)))
    })
}

//! The protocol of `docs/board.md`: requests and answers are lines of JSON.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead as _, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::work::{Clock, Prepared, Refusal, Usage, Work, locked, unable};
use crate::{digest, extprot, native, regex, syck, yaml};

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
    Hello,
    Prepare { slot: String, engine: String, operation: String, input: PathBuf },
    Verify { slot: String, write: Option<PathBuf> },
    Run { slot: String, times: usize },
    Drop { slot: String },
    Stop,
}

type Slots = HashMap<String, Box<dyn Work>>;

/// Answers requests until there are no more.
///
/// # Errors
/// Fails if the pipes break.
pub fn serve(mut answers: impl Write) -> io::Result<()> {
    let mut slots = Slots::new();
    for line in io::stdin().lock().lines() {
        let request = match serde_json::from_str(&line?) {
            Ok(Request::Stop) => break,
            request => request,
        };
        let attempt = AssertUnwindSafe(|| answer(&mut slots, request.map_err(text)?));
        let answer = catch_unwind(attempt).unwrap_or_else(|_| Err("panics".to_owned()));
        let answer = answer.unwrap_or_else(|error| json!({ "error": error }));
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}

fn answer(slots: &mut Slots, request: Request) -> Result<Json, String> {
    let held = |slots: &mut Slots, slot: &str| -> Result<Box<dyn Work>, String> {
        slots.remove(slot).ok_or_else(|| format!("nothing is prepared in slot {slot}"))
    };
    match request {
        Request::Hello => {
            let host = format!("{} {}", std::env::consts::ARCH, env!("KETCH_BENCH_RUSTC"));
            Ok(json!({ "protocol": 1, "host": host, "engines": engines() }))
        }
        Request::Prepare { slot, engine, operation, input } => {
            slots.remove(&slot);
            match prepare(&engine, &operation, &input) {
                Ok(work) => {
                    slots.insert(slot, work);
                    Ok(json!({}))
                }
                Err(Refusal::Unable(reason)) => Ok(json!({ "unable": reason })),
                Err(Refusal::Failed(message)) => Err(message),
            }
        }
        // The work is put back only if it has not failed: after a panic, nobody knows its state.
        Request::Verify { slot, write } => {
            let mut work = held(slots, &slot)?;
            let value = digest::sorted(&work.value()?)?;
            if let Some(path) = write {
                fs::write(&path, ketch::to_string(&value).map_err(text)?).map_err(text)?;
            }
            let mut answer = json!({ "digest": digest::of(&value)? });
            for (name, fact) in work.facts() {
                answer[name] = fact.into();
            }
            slots.insert(slot, work);
            Ok(answer)
        }
        Request::Run { slot, times } => {
            let (mut work, mut clock) = (held(slots, &slot)?, Clock::default());
            work.run(times, &mut clock)?;
            slots.insert(slot, work);
            let [user, system, real] =
                [clock.user, clock.system, clock.real].map(|time| time.as_secs_f64());
            let peak = Usage::now().peak;
            Ok(
                json!({ "user": user, "system": system, "real": real, "allocated": null, "peak": peak }),
            )
        }
        Request::Drop { slot } => {
            slots.remove(&slot);
            Ok(json!({}))
        }
        Request::Stop => Ok(json!({})),
    }
}

/// Returns the versions of all engines.
fn engines() -> BTreeMap<&'static str, String> {
    let mut engines: BTreeMap<_, _> = yaml::engines();
    let crates = native::ENGINES.iter().chain(extprot::ENGINES).chain(regex::ENGINES);
    engines.extend(crates.map(|&(name, package)| (name, locked(package))));
    engines
}

fn prepare(engine: &str, operation: &str, input: &Path) -> Prepared {
    let (family, kind) = operation.split_once('.').ok_or_else(unable)?;
    match family {
        "yaml" => yaml::prepare(kind, engine, input),
        "serde" => native::prepare(kind, engine, input),
        "extprot" => extprot::prepare(kind, engine, input),
        "regex" => regex::prepare(kind, engine, input),
        "syck" => syck::prepare(kind, engine, input),
        _ => Err(unable()),
    }
}

/// Returns an error as text.
pub fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Reads a file.
///
/// # Errors
/// Fails if it cannot be read; the message names it.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a file as text.
///
/// # Errors
/// Fails if it cannot be read, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, String> {
    String::from_utf8(read(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

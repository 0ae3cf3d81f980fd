//! Checks the laws of edits on the inputs of `documents.txt`, with the programs of `laws.txt`. The example `edit_laws`
//! checks them on any files.

#[path = "laws/mod.rs"]
mod laws;

use laws::{Outcome, programs};

/// Returns the inputs: the YAML texts of the cases.
fn inputs() -> Vec<String> {
    let mut inputs: Vec<String> = Vec::new();
    let mut is_input = false;
    for line in include_str!("documents.txt").lines() {
        if let Some(name) = line.strip_prefix("%% ") {
            is_input = matches!(name, "yaml" | "json" | "yaml+");
            inputs.extend(is_input.then(String::new));
        } else if is_input && let Some(input) = inputs.last_mut() {
            *input += line;
            input.push('\n');
        }
    }
    inputs
}

#[test]
fn edits_keep_the_laws() {
    let (programs, inputs) = (programs(), inputs());
    let (mut changed, mut refused) = (0, 0);
    let mut wrong = String::new();
    for program in &programs {
        for input in &inputs {
            match program.check(input) {
                Outcome::Done { is_changed } => changed += usize::from(is_changed),
                Outcome::None => {}
                Outcome::Refused(_) => refused += 1,
                Outcome::Wrong(what) => {
                    wrong += &format!("{} on\n{input}{what}\n\n", program.text);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(programs.len() >= 40 && changed > 800, "{changed} changes");
    assert!(refused * 20 < changed, "{refused} of {changed} are refused");
}

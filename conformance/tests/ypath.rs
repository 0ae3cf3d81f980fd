//! YPath: the cases that the tests of `ketch get` also use, and random pairs of documents and
//! paths.

use ketch_conformance::syck::{Pairs, found, found_alike, groups};

#[test]
fn results_have_their_paths() {
    for group in groups() {
        for case in group.paths {
            let lines = found(group.text.as_bytes(), &case.path).unwrap();
            let (search, select) = lines.split_once("\n\n").unwrap_or(("", lines.trim_start()));
            let search: Vec<&str> = search.lines().collect();
            assert_eq!(search, case.search, "{}\n{}", group.text, case.path);
            assert_eq!(select.lines().count(), case.select.len(), "{}", case.path);
        }
    }
}

#[test]
fn invalid_paths_are_errors() {
    for wrong in groups().into_iter().flat_map(|group| group.wrong) {
        let error = wrong.path.parse::<ketch_syck::ypath::YPath>().expect_err(&wrong.path);
        assert_eq!(
            wrong.path[..error.offset()].chars().count() + 1,
            wrong.column,
            "{}",
            wrong.path
        );
        let shown = error.to_string();
        let caret = shown.lines().nth(2).unwrap();
        assert_eq!(caret.find('^'), Some(wrong.column + 3), "{shown}");
    }
}

#[test]
fn random_paths_find_what_their_steps_find() {
    let mut pairs = Pairs::new(3);
    for _ in 0..3_000 {
        let (text, path) = (pairs.document(), pairs.path());
        if let Err(what) = found_alike(format!("{path}\n{text}").as_bytes()) {
            panic!("{text}{what}");
        }
    }
}

//! Characters that fold to several letters under `i`, in classes, properties and look-behinds. The
//! expected spans and errors are those of Ruby 3.1.

use std::ops::Range;

use ketch_regex::{Options, Problem, Regex};

fn check(rows: &[(&str, &str, Option<Range<usize>>)]) {
    for (pattern, text, expected) in rows {
        let regex = Regex::new(pattern, Options::default()).unwrap();
        assert_eq!(regex.find(text.as_bytes()).unwrap(), *expected, "{pattern} {text:?}");
        // Long texts are searched in another way.
        let long = format!("{text}{}", "\n".repeat(2_000));
        let pattern = pattern.replace("\\z", "$");
        let regex = Regex::new(&pattern, Options::default()).unwrap();
        assert_eq!(regex.find(long.as_bytes()).unwrap(), *expected, "{pattern} {text:?}, long");
    }
}

#[test]
fn properties_match_several_letters() {
    check(&[
        (r"(?i)\A\p{L}{3}\z", "ssab", Some(0..4)),
        (r"(?i)\A\p{L}\z", "ﬃ", Some(0..3)),
        (r"(?i)\A\p{L}\z", "FFI", Some(0..3)),
        (r"(?i)\A[ﬃx]\z", "Fﬁ", Some(0..4)),
        ("(?i)ﬃ", "ﬀi", Some(0..4)),
        ("(?i)ﬃ$", "xfﬁ", Some(1..5)),
        (r"(?i)\A\p{Greek}\z", "α\u{345}", Some(0..4)),
        (r"(?i)\A\p{Greek}\z", "αι", Some(0..4)),
        (r"(?i)\A\p{^N}\z", "ss", None),
        (r"(?i)\A\P{N}\z", "ss", None),
        (r"(?i)\A[\p{^N}]\z", "ss", Some(0..2)),
        (r"(?i)\A[^\P{L}]\z", "ss", None),
        (r"(?i)\A\p{ASCII}\z", "ss", None),
        // U+0345, which is no letter, is equal to iota.
        (r"(?i)\A[^\P{L}]", "ι", None),
        (r"(?i)[\P{L}]", "ι", Some(0..2)),
        (r"(?i)\A\P{L}", "ι", None),
        (r"\A\p{L}\z", "ss", None),
    ]);
}

/// In a text that is ASCII, Ruby matches a pattern that is ASCII by the rules of ASCII, where no
/// character folds to several letters.
#[test]
fn classes_of_ascii_patterns_match_one_ascii_letter() {
    check(&[
        (r"(?i)\A[[:alpha:]]{4}\z", "class", None),
        (r"(?i)\A[[:alpha:]]{5}\z", "class", Some(0..5)),
        (r"(?i)\A[[:alnum:]]{3}\z", "ssab", None),
        (r"(?i)\A[\w\W]{3}\z", "fish", None),
        (r"(?i)\A[[^a]]{3}\z", "fish", None),
        (r"(?i)\A[[:alpha:]]{2}\z", "ʼné", Some(0..5)),
        (r"(?i)\A[\w\W]\z", "i\u{307}", Some(0..3)),
        // A character beyond ASCII, even in a comment, or a property.
        (r"(?i)\A[[:alpha:]é]\z", "ss", Some(0..2)),
        (r"(?i)\A[[:alpha:]\u00e9]\z", "ss", Some(0..2)),
        (r"(?i)\A[[:alpha:]](?#é)\z", "ss", Some(0..2)),
        (r"(?i)\A(?<é>[[:alpha:]])\z", "ss", Some(0..2)),
        (r"(?i)\A[[:alpha:]]\p{N}?\z", "ss", Some(0..2)),
    ]);
}

#[test]
fn look_behinds_match_several_letters() {
    check(&[
        ("(?<=(?i)ß)a", "ssa", Some(2..3)),
        ("(?i)(?<=ß)a", "ssa", Some(2..3)),
        ("(?i)(?<=(ß))a", "xSsa", Some(3..4)),
        ("(?i)(?<=(?:ß))a", "xſsa", Some(4..5)),
        ("(?i)(?<=ss)a", "ßa", Some(2..3)),
        ("(?i)(?<=ss)a", "sa", None),
        // The character is not right before the position.
        ("(?i)(?<=ss)a", "ßxa", None),
        ("(?i)(?<=ß)a", "ssxa", None),
        ("(?i)(?<!ss)a", "ßa", None),
        ("(?i)(?<!ss)a", "ßxa", Some(3..4)),
        ("(?i)(?<=ffi)a", "ﬀia", Some(4..5)),
        ("(?i)(?<=ﬃ)a", "ffia", Some(3..4)),
        ("(?i)(?<=ﬁ{1})a", "fia", Some(2..3)),
        ("(?i)(?<=[ßx])a", "ssa", Some(2..3)),
        ("(?i)(?<=[ßx])a", "sa", None),
        (r"(?i)(?<=\p{L})a", "ssa", Some(2..3)),
        ("(?i)(?<=ʼn)a", "ŉa", Some(2..3)),
        ("(?i)(?<=ŉ)a", "ʼna", Some(3..4)),
        ("(?i)(?<=(?:s)s)a", "ßa", None),
        ("(?i)(?<=ß|s)a", "xsa", Some(2..3)),
    ]);
    let groups = Regex::new("(?i)(?<=(ﬁ))a", Options::default());
    assert_eq!(groups.unwrap_err().problem(), &Problem::InvalidLookBehind);
    let found = Regex::new("(?i)(?<=(ß))a", Options::default()).unwrap().captures(b"ssa").unwrap();
    assert_eq!(found.unwrap().get(1), Some(0..2));
}

/// Ruby looks back by the number of folded letters, and so does not find ß itself.
#[test]
fn literals_in_look_behinds_match_the_same_texts_as_elsewhere() {
    check(&[
        ("(?i)(?<=ß)a", "ßa", Some(2..3)),
        ("(?i)(?<=straße )1", "Straße 1", Some(8..9)),
        ("(?i)(?<=straße )1", "STRASSE 1", Some(8..9)),
        ("(?i)(?<=ffi)a", "fﬁa", Some(4..5)),
        ("(?i)(?<=sssé)a", "sßéa", Some(5..6)),
        ("(?i)(?<=s{2})a", "ßa", Some(2..3)),
        ("(?i)(?<=ﬃ)a", "ﬀia", Some(4..5)),
        ("(?i)(?<=[ﬃx])a", "fﬁa", Some(4..5)),
        ("(?i)(?<!ß)a", "ßa", None),
    ]);
}

#[test]
fn look_behinds_of_varying_length_are_rejected() {
    let rejected = [
        "(?<=ﬀi)a",
        "(?<=ss|ß)a",
        "(?<=(?:ss|é)y)a",
        "(?<=éss)a",
        "(?<!éss)a",
        "(?<=ksté)a",
        "(?<=(ﬁ))a",
        "(?<=(?i:ﬁ))a",
        "(?<=ﬁ|x)a",
        "(?<=ﬁ{2})a",
        "(?<=[ßẞ]x)a",
        r"(?<=\p{L}x)a",
        r"(?<=[\p{L}]|x)a",
        "(?<=ʼnʼn)a",
    ];
    for pattern in rejected.map(|pattern| format!("(?i){pattern}")) {
        let error = Regex::new(&pattern, Options::default()).unwrap_err();
        assert_eq!(error.problem(), &Problem::InvalidLookBehind, "{pattern}");
    }
    // ASCII patterns, and those whose literals Ruby only folds, are accepted.
    for pattern in ["(?<=xss)a", "(?<=ss|x)a", "(?<=(ss))a", "(?<=ß|s)a", "(?<=xß)é", "(?<=ßs)a"]
    {
        assert!(Regex::new(&format!("(?i){pattern}"), Options::default()).is_ok(), "{pattern}");
        assert!(Regex::new(pattern, Options::default()).is_ok(), "{pattern}");
    }
}

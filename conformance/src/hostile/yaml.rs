//! Hostile shapes of YAML.

use super::{Row, around, lines, nested, put, repeated};

pub(super) const SHAPES: &[Row] = &[
    // Tags and directives.
    ("tag-long-prefix", |n| {
        let head = format!("%TAG !e! tag:{}\n---\n", "p".repeat(n / 2));
        lines(&head, n, |out, i| put(out, format_args!("- !e!x{i} a\n")))
    }),
    ("tag-long-prefix-one-tag", |n| {
        around(&format!("%TAG !e! tag:{}\n---\n", "p".repeat(n / 2)), "- !e!x a\n", "", n / 2)
    }),
    ("tag-long-prefix-collections", |n| {
        around(
            &format!("%TAG !e! tag:{}\n---\n", "p".repeat(n / 2)),
            "- !e!x [!e!y {}]\n",
            "",
            n / 2,
        )
    }),
    ("tag-default-prefix", |n| {
        around(&format!("%TAG ! tag:{}\n---\n", "p".repeat(n / 2)), "- !x a\n", "", n / 2)
    }),
    ("tag-default-prefix-values", |n| {
        let head = format!("%TAG !! tag:{}\n---\n", "p".repeat(n / 2));
        around(&head, "- k: !!x a\n- [!!x b, &c !!x d]\n", "", n / 2)
    }),
    ("tag-many-directives", |n| {
        let mut text = lines("", n, |out, i| put(out, format_args!("%TAG !h{i}! tag:x{i}\n")));
        text.extend_from_slice(b"---\n- !h0!a b\n");
        text
    }),
    ("tag-many-directives-many-tags", |n| {
        let mut text = lines("", n / 2, |out, i| put(out, format_args!("%TAG !h{i}! tag:x{i}\n")));
        let handles = text.iter().filter(|&&byte| byte == b'\n').count();
        text.extend(lines("---\n", n / 2, |out, i| {
            put(out, format_args!("- !h{}!a b\n", (i * 7919) % handles));
        }));
        text
    }),
    ("tag-some-directives-many-tags", |n| {
        let mut text = lines("", 1_000, |out, i| put(out, format_args!("%TAG !h{i}! tag:x{i}\n")));
        let handles = text.iter().filter(|&&byte| byte == b'\n').count();
        text.extend(lines("---\n", n, |out, i| {
            put(out, format_args!("- !h{}!a b\n", (i * 7919) % handles));
        }));
        text
    }),
    ("tag-nested-prefixes", |n| {
        let mut text = String::new();
        let mut prefix = "x".to_owned();
        while text.len() < n / 2 {
            put(&mut text, format_args!("%TAG !{}! {prefix}\n", prefix.len()));
            prefix.push('x');
        }
        lines(&(text + "---\n"), n, |out, i| put(out, format_args!("- !<{}y{i}> a\n", &prefix)))
    }),
    ("tag-unknown-directives", |n| around("", "%FOO bar\n", "---\na\n", n)),
    ("tag-directives-per-document", |n| {
        repeated("%TAG !e! tag:e\n---\n!e!a b\n...\n", n).into_bytes()
    }),
    ("tag-different", |n| lines("", n, |out, i| put(out, format_args!("- !t{i} a\n")))),
    ("tag-verbatim", |n| lines("", n, |out, i| put(out, format_args!("- !<tag:{i}> a\n")))),
    ("tag-one-long", |n| around("!", "t", " a\n", n)),
    ("tag-escapes", |n| around("!", "%21", " a\n", n)),
    ("tag-ints", |n| repeated("- !!int 1\n", n).into_bytes()),
    ("tag-wrong", |n| repeated("- !!int x\n", n).into_bytes()),
    // Anchors, aliases and merges.
    ("anchor-many", |n| lines("", n, |out, i| put(out, format_args!("- &a{i} x\n")))),
    ("anchor-same", |n| repeated("- &a x\n- *a\n", n).into_bytes()),
    ("anchor-long-name", |n| around("- &", "a", &format!(" x\n- *{}\n", "a".repeat(n / 2)), n / 2)),
    ("anchor-nested", |n| {
        let mut text = lines("", n, |out, i| put(out, format_args!("&a{i} [")));
        text.push(b'x');
        text
    }),
    ("anchor-nested-closed", |n| {
        let mut text = lines("", n, |out, i| put(out, format_args!("&a{i} [")));
        let count = text.iter().filter(|&&byte| byte == b'[').count();
        text.extend(std::iter::repeat_n(b']', count));
        text
    }),
    ("alias-many", |n| around("- &a [x, y]\n", "- *a\n", "", n)),
    ("alias-as-keys", |n| {
        lines("- &a x\n", n, |out, i| put(out, format_args!("- {{*a : {i}}}\n")))
    }),
    ("alias-chain", |n| {
        lines("- &a0 {x: y}\n", n, |out, i| put(out, format_args!("- &a{} {{x: *a{i}}}\n", i + 1)))
    }),
    ("alias-chain-same-name", |n| around("- &a {x: y}\n", "- &a {x: *a}\n", "", n)),
    ("alias-doubling", |n| {
        lines("- &a0 [x]\n", n, |out, i| put(out, format_args!("- &a{} [*a{i}, *a{i}]\n", i + 1)))
    }),
    ("alias-to-large", |n| {
        let large = format!("- &a [{}]\n", "x, ".repeat(n / 6));
        lines(&large, n, |out, _| out.push_str("- [*a]\n"))
    }),
    ("alias-unknown", |n| repeated("- *x\n", n).into_bytes()),
    ("alias-cycle", |n| around("&a\n", "- *a\n", "", n)),
    ("merge-chain", |n| {
        lines("- &a0 {x: y}\n", n, |out, i| {
            put(out, format_args!("- &a{} {{<<: *a{i}, k{i}: 1}}\n", i + 1));
        })
    }),
    ("merge-chain-block", |n| {
        lines("m0: &a0\n  x: y\n", n, |out, i| {
            put(out, format_args!("m{}: &a{}\n  <<: *a{i}\n", i + 1, i + 1));
        })
    }),
    ("merge-many", |n| around("- &a {x: 1, zz: 2}\n", "- {<<: *a, b: 3}\n", "", n)),
    ("merge-list", |n| around("- &a {x: 1}\n- {<<: [", "*a, ", "*a]}\n", n)),
    ("merge-wide", |n| {
        let mut text = lines("- &a {", n / 2, |out, i| put(out, format_args!("k{i}: 1, ")));
        text.extend_from_slice(b"zz: 1}\n");
        text.extend(around("", "- {<<: *a}\n", "", n / 2));
        text
    }),
    ("merge-plain-keys", |n| around("{", "<<: {a: 1}, ", "}", n)),
    // Keys.
    ("keys-many", |n| lines("", n, |out, i| put(out, format_args!("k{i}: v\n")))),
    ("keys-same", |n| repeated("k: v\n", n).into_bytes()),
    ("keys-numbers", |n| lines("", n, |out, i| put(out, format_args!("{i}: v\n")))),
    ("keys-floats", |n| lines("", n, |out, i| put(out, format_args!("{i}.0: v\n")))),
    ("keys-long-equal-start", |n| {
        let start = "k".repeat(900);
        lines("", n, |out, i| put(out, format_args!("{start}{i}: v\n")))
    }),
    ("keys-multiples", |n| {
        lines("", n, |out, i| put(out, format_args!("0x{:x}: v\n", (i as u64) << 32)))
    }),
    ("keys-collections", |n| lines("", n, |out, i| put(out, format_args!("? [a, {i}]\n: v\n")))),
    ("keys-mappings", |n| {
        lines("", n, |out, i| put(out, format_args!("? {{a: {i}, b: 1}}\n: v\n")))
    }),
    ("keys-flow-collections", |n| {
        let mut text = lines("{", n, |out, i| put(out, format_args!("[{i}]: b, ")));
        text.push(b'}');
        text
    }),
    ("keys-same-collections", |n| repeated("? [a, b]\n: v\n", n).into_bytes()),
    ("keys-of-aliases", |n| {
        lines("- &a [x, y]\n- ? b\n", n, |out, i| put(out, format_args!("  ? [*a, {i}]\n")))
    }),
    ("keys-unclosed-flow", |n| repeated("[a: ", n).into_bytes()),
    ("keys-nested-flow", |n| around("[", "[", ": x", n)),
    ("keys-question-marks", |n| repeated("? ", n).into_bytes()),
    ("keys-question-lines", |n| repeated("? a\n", n).into_bytes()),
    ("keys-empty", |n| repeated(": \n", n).into_bytes()),
    ("keys-in-mappings", |n| {
        lines("", n, |out, i| put(out, format_args!("- {{a{i}: 1, b: 2}}\n")))
    }),
    // Depth.
    ("deep-flow-sequences", |n| nested("[", "", "]", n)),
    ("deep-flow-mappings", |n| nested("{a: ", "b", "}", n)),
    ("deep-flow-open", |n| repeated("[", n).into_bytes()),
    ("deep-flow-mixed-open", |n| repeated("[{a: ", n).into_bytes()),
    ("deep-block-sequences", |n| repeated("- ", n).into_bytes()),
    ("deep-keys", |n| repeated("a: ", n).into_bytes()),
    ("deep-staircase", staircase),
    ("deep-staircase-sequences", |n| {
        let mut text = String::new();
        let mut level = 0;
        while text.len() < n {
            put(&mut text, format_args!("{}-\n", " ".repeat(level)));
            level += 1;
        }
        text.into_bytes()
    }),
    ("deep-zigzag", |n| repeated("- - - - - - - - a\n", n).into_bytes()),
    ("deep-closers", |n| repeated("]", n).into_bytes()),
    // Scalars.
    ("plain-long", |n| repeated("a", n).into_bytes()),
    ("plain-lines", |n| repeated("a b\n", n).into_bytes()),
    ("plain-lines-in-mapping", |n| around("k:\n", "  a b\n", "", n)),
    ("plain-blank-lines", |n| around("a", "\n", "b", n)),
    ("plain-blanks", |n| around("a", " ", "b", n)),
    ("plain-blank-runs", |n| around("- a", "  \n", "  b", n)),
    ("plain-colons", |n| around("", "a:", "", n)),
    ("plain-hashes", |n| around("", "a#", "", n)),
    ("plain-digits", |n| repeated("7", n).into_bytes()),
    ("plain-digits-underscores", |n| around("1", "_0", "", n)),
    ("plain-float", |n| around("0.", "3", "", n)),
    ("plain-exponent", |n| around("1e", "9", "", n)),
    ("plain-base-sixty", |n| around("1", ":59", "", n)),
    ("plain-hexadecimal", |n| around("0x", "f", "", n)),
    ("plain-octal", |n| around("0o", "7", "", n)),
    ("plain-many-long-numbers", |n| around("", "- 123456789012345678901234567890.5\n", "", n)),
    ("quoted-double-long", |n| around("\"", "a", "\"", n)),
    ("quoted-double-folds", |n| around("\"", "a\n", "\"", n)),
    ("quoted-double-open", |n| around("\"", "a\n", "", n)),
    ("quoted-double-blank-lines", |n| around("\"a", "\n", "b\"", n)),
    ("quoted-double-blanks", |n| around("\"a", " ", "\n b\"", n)),
    ("quoted-double-escapes", |n| around("\"", "\\x41\\n\\u263a", "\"", n)),
    ("quoted-double-escaped-breaks", |n| around("\"", "\\\n", "\"", n)),
    ("quoted-single-quotes", |n| around("'", "''", "'", n)),
    ("quoted-single-folds", |n| around("'", "a\n", "'", n)),
    ("quoted-single-open", |n| around("'", "a\n\n", "", n)),
    ("quoted-many", |n| repeated("- \"a\\tb\"\n- 'it''s'\n", n).into_bytes()),
    ("quoted-many-open", |n| repeated("- \"a\n", n).into_bytes()),
    ("block-literal", |n| around("|\n", " a\n", "", n)),
    ("block-literal-one-line", |n| around("|\n ", "a", "\n", n)),
    ("block-literal-leading-blanks", |n| around("|\n", "\n", " a\n", n)),
    ("block-literal-trailing-blanks", |n| around("|+\n a\n", "\n", "", n)),
    ("block-literal-blank-runs", |n| around("- |\n  a\n", "   \n", "", n)),
    ("block-folded", |n| around(">\n", " a\n", "", n)),
    ("block-folded-blanks", |n| around(">\n", " a\n\n", "", n)),
    ("block-folded-indented", |n| around(">\n", " a\n  b\n", "", n)),
    ("block-folded-one-line", |n| around(">\n ", "a ", "\n", n)),
    ("block-many", |n| repeated("- |\n  a\n- >-\n  b\n", n).into_bytes()),
    ("block-empty", |n| repeated("- |\n", n).into_bytes()),
    // Trivia and documents.
    ("comment-lines", |n| repeated("# comment\n", n).into_bytes()),
    ("comment-lines-inside", |n| around("a:\n", "# comment\n", "  b: c\n", n)),
    ("comment-lines-deep", |n| around("a:\n  b:\n    - c\n", "  # comment\n", "d: e\n", n)),
    ("comment-ends", |n| repeated("- a # comment\n", n).into_bytes()),
    ("comment-one-long", |n| around("a: b #", "x", "\n", n)),
    ("comment-in-flow", |n| around("[", "a, # comment\n ", "]", n)),
    ("comment-before-entries", |n| repeated("# x\n- a\n", n).into_bytes()),
    ("comment-before-dedent", comments_before_dedent),
    ("blank-lines", |n| around("a: b\n", "\n", "c: d\n", n)),
    ("blank-line-runs", |n| repeated("a:\n\n\n\n- b\n", n).into_bytes()),
    ("carriage-returns", |n| repeated("- a\r", n).into_bytes()),
    ("documents-many", |n| repeated("---\na: b\n", n).into_bytes()),
    ("documents-empty", |n| repeated("---\n", n).into_bytes()),
    ("documents-ends", |n| repeated("...\n", n).into_bytes()),
    ("documents-wrong", |n| repeated("--- ]\n", n).into_bytes()),
    ("documents-wrong-keys", |n| repeated("---\na: b\na: c\n", n).into_bytes()),
    ("documents-marks", |n| repeated("\u{feff}--- a\n...\n", n).into_bytes()),
    ("indentation", |n| around("", " ", "a: b\n", n)),
    ("one-line-flow", |n| around("[", "a, ", "]", n)),
    ("one-line-mapping", |n| {
        let mut text = lines("{", n, |out, i| put(out, format_args!("a{i}: b, ")));
        text.push(b'}');
        text
    }),
    ("flow-lines", |n| around("[", "a,\n ", "]", n)),
    ("flow-nested-lines", |n| around("[", "[a,\n b], {c: d},\n ", "]", n)),
    ("flow-pairs", |n| around("[", "a: b, ", "]", n)),
    ("flow-wide-in-key", |n| around("? {", "a, b: [c], ", "}\n", n)),
    // Ordinary data in which formatting changes every line, or every second line.
    ("layout-all", |n| repeated("a:   b\n", n).into_bytes()),
    ("layout-alternating", |n| {
        lines("", n, |out, i| put(out, format_args!("k{i}:   v\nl{i}: w\n")))
    }),
    ("layout-few-words", few_words),
    ("layout-reindented", |n| {
        lines("", n, |out, i| put(out, format_args!("k{}:\n    - a\n    -   b\n", i)))
    }),
    ("layout-reversing", |n| {
        lines("", n, |out, i| {
            put(out, format_args!("- {}x{}\n", " ".repeat(i % 3), (i * 2_654_435_761) % 97));
        })
    }),
];

/// Returns nested mappings, each of which is indented by one more column than its parent, so that
/// the depth is about the square root of the size.
fn staircase(size: usize) -> Vec<u8> {
    let mut text = String::new();
    let mut level = 0;
    while text.len() < size {
        put(&mut text, format_args!("{}k:\n", " ".repeat(level)));
        level += 1;
    }
    text.into_bytes()
}

/// Returns deeply nested mappings, each followed by comments in all of their columns.
fn comments_before_dedent(size: usize) -> Vec<u8> {
    let mut text = String::new();
    while text.len() < size {
        text.push_str("a:\n  b:\n    c:\n      d: e\n      # 6\n    # 4\n  # 2\n# 0\n");
    }
    // The keys are the same, so each mapping becomes an entry of a sequence.
    text.replace("a:\n", "- a:\n").into_bytes()
}

/// Returns entries that consist of a few different lines in random order, so that every line occurs
/// often both before and after formatting.
fn few_words(size: usize) -> Vec<u8> {
    let mut state = 12_345_u64;
    let mut text = String::new();
    while text.len() < size {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = ["a", "b", " c", "  d", "e # x", " f"][(state >> 33) as usize % 6];
        put(&mut text, format_args!("- {word}\n"));
    }
    text.into_bytes()
}

//! Generated inputs, one for each style, the same on every machine and in every run.
//!
//! Each isolates a style that real files mix; sizes are chosen so that all engines finish in
//! reasonable time.

mod blocks;
mod flows;
mod random;
mod structures;

use random::Random;

/// A style and its generator.
pub struct Style {
    /// File name.
    pub name: &'static str,
    /// A description of the text.
    pub about: &'static str,
    /// Generates the whole input, always with the same bytes.
    pub make: fn() -> Vec<u8>,
}

const fn style(name: &'static str, about: &'static str, make: fn() -> Vec<u8>) -> Style {
    Style { name, about, make }
}

const MIB: usize = 1024 * 1024;

/// Every style.
pub const STYLES: &[Style] = &[
    style("gen_kubernetes.yaml", "short block lines, multi-document", || {
        structures::kubernetes(5_000_000)
    }),
    style("gen_literal.yaml", "literal block scalars", || blocks::literal(2 * MIB)),
    style("gen_folded.yaml", "folded block scalars", || blocks::folded(2 * MIB)),
    style("gen_double_quoted.yaml", "double-quoted scalars, some escapes", || {
        flows::double_quoted(2 * MIB)
    }),
    style("gen_single_quoted.yaml", "single-quoted scalars, some doubled quotes", || {
        flows::single_quoted(2 * MIB)
    }),
    style("gen_plain_multiline.yaml", "plain scalars over several lines", || {
        blocks::plain_multiline(2 * MIB)
    }),
    style("gen_flow.yaml", "flow sequences and mappings of plain scalars", || flows::flow(2 * MIB)),
    style("gen_json.json", "JSON, indented", || flows::json(2 * MIB)),
    style("gen_deep.yaml", "block mappings and sequences, nested 60 deep", || {
        structures::deep(MIB)
    }),
    style("gen_comments.yaml", "more comment lines than content lines", || {
        structures::comments(2 * MIB)
    }),
    style("gen_anchors.yaml", "anchors, aliases and tags", || structures::anchors(MIB)),
    style("gen_documents.yaml", "many small documents", || structures::documents(MIB)),
    style("gen_crlf.yaml", "short block lines that end in CR LF", || structures::crlf(2 * MIB)),
    style("gen_unicode.yaml", "short block lines, mostly non-ASCII", || {
        structures::unicode(2 * MIB)
    }),
    style("gen_long_lines.yaml", "long plain scalars, one a line", || blocks::long_lines(2 * MIB)),
];

/// Repeats `part` until there are at least `size` bytes.
fn fill(size: usize, seed: u64, mut part: impl FnMut(&mut String, &mut Random)) -> Vec<u8> {
    let (mut out, mut random) = (String::with_capacity(size + size / 8), Random::new(seed));
    while out.len() < size {
        part(&mut out, &mut random);
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_is_long_and_reproducible() {
        for style in STYLES {
            let bytes = (style.make)();
            assert!(bytes.len() >= MIB, "{} is short", style.name);
            assert!(std::str::from_utf8(&bytes).is_ok(), "{} is not UTF-8", style.name);
            assert_eq!(bytes, (style.make)(), "{} changes", style.name);
        }
    }
}

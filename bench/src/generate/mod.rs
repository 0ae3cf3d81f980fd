//! Generated inputs, one for each style, the same on every machine and in every run.
//!
//! Each isolates a style that real files mix; sizes are chosen so that all engines finish in
//! reasonable time. Most are patterns in `definitions/generated.toml`; [`STYLES`] has the others.

mod blocks;
mod flows;
mod pattern;
mod random;
mod structures;

pub use pattern::Pattern;
pub use random::Random;

/// The name of a file, and the function that generates its bytes, always the same ones.
pub type Style = (&'static str, fn() -> Vec<u8>);

const MIB: usize = 1024 * 1024;

/// Every style that needs code.
pub const STYLES: &[Style] = &[
    ("gen_kubernetes.yaml", || structures::kubernetes(5_000_000)),
    ("gen_literal.yaml", || blocks::literal(2 * MIB)),
    ("gen_folded.yaml", || blocks::folded(2 * MIB)),
    ("gen_double_quoted.yaml", || flows::double_quoted(2 * MIB)),
    ("gen_single_quoted.yaml", || flows::single_quoted(2 * MIB)),
    ("gen_plain_multiline.yaml", || blocks::plain_multiline(2 * MIB)),
    ("gen_flow.yaml", || flows::flow(2 * MIB)),
    ("gen_json.json", || flows::json(2 * MIB)),
    ("gen_deep.yaml", || structures::deep(MIB)),
    ("gen_comments.yaml", || structures::comments(2 * MIB)),
    ("gen_anchors.yaml", || structures::anchors(MIB)),
    ("gen_documents.yaml", || structures::documents(MIB)),
    ("gen_crlf.yaml", || structures::crlf(2 * MIB)),
    ("gen_unicode.yaml", || structures::unicode(2 * MIB)),
    ("gen_long_lines.yaml", || blocks::long_lines(2 * MIB)),
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
        for (name, make) in STYLES {
            let bytes = make();
            assert!(bytes.len() >= MIB, "{name} is short");
            assert!(std::str::from_utf8(&bytes).is_ok(), "{name} is not UTF-8");
            assert_eq!(bytes, make(), "{name} changes");
        }
    }
}

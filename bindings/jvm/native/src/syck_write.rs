//! Writes documents in the form of Syck, from what `SyckText.java` packs.

use crate::packed::Unpacked;
use ketch_yaml::present::{PresentError, Properties, Sequences};
use ketch_yaml::represent::Native;

// The kinds of tokens: those of `Ketch::Syck::Emitter`. The tag of all but the last three follows.
const SCALAR: u8 = 0;
const PLAIN: u8 = 1;
const SEQUENCE: u8 = 2;
const MAPPING: u8 = 3;
const ALIAS: u8 = 4;
const SEQUENCE_END: u8 = 5;

/// Returns a document. `None` if the bytes are corrupt.
pub fn document(packed: &[u8], is_indented: bool) -> Option<Result<Vec<u8>, PresentError>> {
    let sequences = if is_indented { Sequences::Indented } else { Sequences::Flush };
    let mut syck = ketch_syck::SyckEmitter::new(sequences);
    let mut packed = Unpacked(packed);
    if let Err(error) = syck.start_document() {
        return Some(Err(error));
    }
    while let Some(kind) = packed.byte() {
        if let Err(error) = token(&mut syck, kind, &mut packed)? {
            return Some(Err(error));
        }
    }
    Some(syck.end_document().map(|()| syck.take()))
}

/// Writes a token.
fn token(
    syck: &mut ketch_syck::SyckEmitter,
    kind: u8,
    packed: &mut Unpacked<'_>,
) -> Option<Result<(), PresentError>> {
    let tag = if kind < ALIAS { packed.text()? } else { None };
    let properties = Properties { anchor: None, tag };
    Some(match kind {
        SCALAR => return scalar(syck, properties, packed),
        PLAIN => syck.plain(packed.text()??, properties),
        SEQUENCE | MAPPING => {
            let properties = Properties { anchor: packed.text()?, ..properties };
            if kind == SEQUENCE {
                syck.start_sequence(properties)
            } else {
                syck.start_mapping(properties)
            }
        }
        ALIAS => syck.alias(packed.text()??),
        SEQUENCE_END => syck.end_sequence(),
        _ => syck.end_mapping(),
    })
}

/// Writes a scalar: a letter for its type, and its value.
fn scalar(
    syck: &mut ketch_syck::SyckEmitter,
    properties: Properties<'_>,
    packed: &mut Unpacked<'_>,
) -> Option<Result<(), PresentError>> {
    let value = match packed.byte()? {
        b'n' => Native::Null,
        b't' => Native::Bool(true),
        b'f' => Native::Bool(false),
        b'i' => Native::Int(packed.long()?),
        b'b' => Native::BigInt(packed.text()??),
        b'd' => Native::Float(f64::from_bits(packed.long()? as u64)),
        _ => {
            let bytes = packed.bytes()??;
            std::str::from_utf8(bytes).map_or(Native::Binary(bytes), Native::Str)
        }
    };
    Some(syck.native(value, properties))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::put_text;

    #[test]
    fn tokens_become_a_document() {
        let mut packed = vec![MAPPING];
        put_text(&mut packed, None);
        put_text(&mut packed, Some("id001"));
        for (kind, text) in [(b's', "a"), (b'b', "7")] {
            packed.push(SCALAR);
            put_text(&mut packed, None);
            packed.push(kind);
            put_text(&mut packed, Some(text));
        }
        let open = document(&packed, false).unwrap().unwrap_err();
        assert!(matches!(open, PresentError::Misplaced(_)));
        packed.push(6);
        let text = document(&packed, false).unwrap().unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "--- &id001 \na: 7\n");
        assert!(document(&packed[..packed.len() - 3], false).is_none());
    }

    #[test]
    fn bytes_that_are_not_text_are_binary() {
        let packed = [&[SCALAR, 0xff, 0xff, 0xff, 0xff, b's', 0, 0, 0, 1, 0xff][..]].concat();
        let text = document(&packed, false).unwrap().unwrap();
        assert!(text.starts_with(b"--- !binary"));
    }
}

//! Diagnosis: finds the mistake that the author of invalid input has probably made.
//!
//! The parser stops where a rule is broken, which often is not where the mistake is. For example,
//! it notices an unclosed bracket only at the next key. After an error, this module examines the
//! buffered text around it, and says what was probably meant and how to fix it. If the mistake is
//! on another line than the one on which the parser has noticed it, the error is located at the
//! mistake. The diagnosis never decides whether an input is valid, and does not change the
//! [`Problem`] and its class. Therefore, valid input is not slowed down, and a wrong guess only
//! makes a message worse.
//!
//! Slices and readers get the same [`Advice`], because the same text is examined for both: up to
//! [`LOOKBACK_BYTES`] before the error, the rest of its line, and for some problems the next lines.
//! The only exception is the text after an opening bracket or quote that is further away, which a
//! reader may have dropped.

mod advice;
mod after_value;
mod alias;
mod block_text;
mod brackets;
mod colon;
mod comma;
mod comment;
mod conflict;
mod deep;
mod diff;
mod document;
mod duplicate;
mod encoding;
mod entry;
mod escape;
mod indent;
mod lexer;
mod mixed;
mod nested;
mod open_quote;
mod other_format;
mod properties;
mod quote;
mod reserved;
mod scene;
mod tab;
mod tag;
mod template;
#[cfg(test)]
mod tests;

use crate::fault::Fault;
use crate::location::LineCounter;
use crate::problem::Problem;
use scene::Scene;
use std::ops::Range;

pub(crate) use advice::Advice;
pub(crate) use duplicate::{duplicate_key, remove_consequences};
pub(crate) use scene::{LINE_BYTES, LOOKBACK_BYTES};

/// Returns whether the diagnosis of `problem` at `at` needs more text than `text`.
pub(crate) fn wants_more(problem: Problem, text: &[u8], at: usize) -> bool {
    conflict::wants_more(text, at) || scene::wants_lines_below(problem, text, at)
}

/// Returns the advice on `fault`. `text` is the buffered text, which starts at the offset `base` of
/// the stream.
#[cold]
pub(crate) fn diagnose(
    fault: &Fault,
    text: &[u8],
    base: u64,
    passed: LineCounter,
) -> Option<Advice> {
    let scene = Scene::new(fault, text, base, passed)?;
    let start = (scene.base - base) as usize;
    conflict::advise(&scene, &text[start..])
        .or_else(|| other_format::advise(&scene))
        .or_else(|| template::advise(&scene))
        .or_else(|| general(&scene))
        .or_else(|| by_problem(&scene, &text[start..]))
}

/// Returns the advice on mistakes that cause several problems.
fn general(scene: &Scene<'_>) -> Option<Advice> {
    use Problem::*;
    match scene.problem {
        ExpectedColon
        | NoBlankAfterColon
        | ExpectedEntry
        | ExpectedKey
        | ExpectedLineEnd
        | ExpectedDocumentEnd
        | BadIndentation
        | MultilineKey
        | MappingNotHere
        | ExpectedCommaInSequence
        | ExpectedCommaInMapping
        | ExpectedFlowValue
        | UnexpectedColon => {
            let advice = encoding::misplaced(scene).or_else(|| comment::advise(scene));
            let advice = advice.or_else(|| diff::advise(scene));
            advice.or_else(|| alias::key(scene)).or_else(|| document::short_marker(scene))
        }
        _ => None,
    }
}

/// Returns the advice of the function for the scene's problem. `text` is the scene's text,
/// including bytes that are not UTF-8.
fn by_problem(scene: &Scene<'_>, text: &[u8]) -> Option<Advice> {
    use Problem::*;
    match scene.problem {
        TabIndentation => tab::advise(scene),
        BadIndentation => block_text::advise(scene)
            .or_else(|| mixed::first_without_dash(scene))
            .or_else(|| deep::after_complete_value(scene))
            .or_else(|| indent::no_such_level(scene)),
        MultilineKey => brackets::swallowed_line(scene)
            .or_else(|| block_text::missing_header(scene))
            .or_else(|| colon::missing_above(scene))
            .or_else(|| deep::below_text(scene)),
        CommentInPlain => colon::missing_above(scene).or_else(|| deep::below_comment(scene)),
        ExpectedEntry => block_text::advise(scene).or_else(|| mixed::in_sequence(scene)),
        ExpectedKey => mixed::in_mapping(scene),
        ExpectedColon | NoBlankAfterColon => {
            let advice = block_text::advise(scene).or_else(|| mixed::joined_item(scene));
            advice.or_else(|| colon::missing_here(scene))
        }
        MappingNotHere => nested::mapping(scene),
        SequenceNotHere => nested::sequence(scene),
        ExpectedLineEnd => after_value::advise(scene),
        CommentNotSeparated => after_value::comment(scene),
        ExpectedDocumentEnd => document::advise(scene),
        ReservedIndicator | FlowIndicatorInBlock | IndicatorInFlow | EmptyAnchor
        | PropertyNotSeparated | UnknownTagHandle | TagCharacter | TagHandle | TagWithoutSuffix => {
            reserved::advise(scene)
        }
        VerbatimTag => reserved::verbatim(scene),
        BlockHeader => block_text::header(scene),
        ZeroIndentation => block_text::zero(scene),
        UnclosedQuote | QuotedIndentation | MarkerInQuotes => open_quote::advise(scene),
        UnknownEscape | EscapeDigits(_) | EscapeNotACharacter => escape::advise(scene),
        UnclosedSequence | UnclosedMapping | MarkerInFlow | FlowIndentation => {
            brackets::unclosed(scene)
        }
        FlowEndIndentation => brackets::flush_end(scene),
        MismatchedSequenceEnd | MismatchedMappingEnd => brackets::mismatched(scene),
        ExpectedCommaInSequence
        | ExpectedCommaInMapping
        | ExpectedFlowValue
        | UnexpectedColon
        | EmptyFlowEntry => comma::advise(scene),
        TwoAnchors | TwoTags => properties::repeated(scene),
        TwoYamlDirectives => properties::version_twice(scene),
        DirectiveWithoutDocument => document::directive(scene),
        NotUtf8 => encoding::not_utf8(text.get(scene.at..)?),
        Control(byte) => Some(encoding::control(byte)),
        _ => None,
    }
}

/// Returns the advice on a fault that the composer has found in a document. Offsets are relative to
/// `text`, the text of the document. `piece` is the part of it around the fault that was copied as
/// a whole.
#[cold]
pub(crate) fn diagnose_node(fault: &Fault, text: &[u8], piece: Range<usize>) -> Option<Advice> {
    let node = text.get(fault.at as usize..)?.get(..fault.len)?;
    let scene = || {
        let piece_text = text.get(piece.clone())?;
        Scene::new(fault, piece_text, piece.start as u64, LineCounter::default())
    };
    let node = std::str::from_utf8(node).ok()?;
    match fault.problem {
        Problem::UnknownAlias => Some(alias::unknown(&scene()?, node, text)),
        Problem::DuplicateKey if node == "<<" => {
            Some(duplicate::two_merges(text, fault.related?, fault.at))
        }
        Problem::DuplicateKey => Some(duplicate::in_document(text, fault.related?, fault.at, node)),
        Problem::TagMismatch => {
            let least = (fault.at as usize).saturating_sub(LINE_BYTES).max(piece.start);
            let before = &text[least..fault.at as usize];
            tag::mismatch(node, before.utf8_chunks().last()?.valid())
        }
        // `{{ x }}` is YAML, too: a mapping whose key is a mapping. `<%= x %>` is plain text.
        Problem::NotJson | Problem::UnresolvedScalar => {
            let is_braces = node.starts_with('{') && text[..fault.at as usize].ends_with(b"{");
            let may_be_template = is_braces || node.starts_with("<%");
            template::advise(&may_be_template.then(scene)??)
        }
        _ => None,
    }
}

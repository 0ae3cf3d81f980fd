//! Writing comments that a caller attaches to nodes (YAML 1.2.2, section 6.6).

use super::core::Core;
use super::error::{PresentError, Result};
use super::frame::{FrameKind, Slot};

impl Core {
    /// Writes `text` as comment lines before the next entry or the root. Fails inside brackets,
    /// between a key and its value, and if `text` contains characters that are not printable.
    pub fn comment(&mut self, text: &str) -> Result {
        check(text)?;
        if let Some(pending) = self.pending.take() {
            if pending.is_flow {
                self.pending = Some(pending);
                return Err(IN_BRACKETS);
            }
            self.open_below(pending)?;
        }
        match (self.top().kind, self.top().slot) {
            (FrameKind::FlowSequence | FrameKind::FlowMapping, _) => return Err(IN_BRACKETS),
            (_, Slot::Value | Slot::ExplicitValue) => return Err(BEFORE_VALUE),
            (FrameKind::Document, Slot::Root) if self.is_marked => {
                self.out.put_byte(b'\n');
                self.is_marked = false;
            }
            _ => {}
        }
        for line in lines(text) {
            self.out.fill(b' ', self.top().column);
            self.put_comment(line);
            self.out.put_byte(b'\n');
        }
        Ok(())
    }

    /// Sets the comment to be written at the end of the next node's line. Fails inside brackets,
    /// and if `text` has several lines or contains characters that are not printable.
    pub fn line_comment(&mut self, text: &str) -> Result {
        check(text)?;
        self.open_pending()?;
        if self.top().is_flow() {
            return Err(IN_BRACKETS);
        }
        if lines(text).nth(1).is_some() {
            return Err(PresentError::Misplaced("a comment after a node must be on one line"));
        }
        self.line_comment.clear();
        self.line_comment.put(text.as_bytes());
        self.has_line_comment = true;
        Ok(())
    }

    /// Ends the current line, after writing its comment if there is one.
    #[inline(always)]
    pub fn end_line(&mut self) {
        if self.has_line_comment {
            self.put_line_comment();
        }
        self.out.put_byte(b'\n');
    }

    /// Writes the comment at the end of the current line.
    #[cold]
    fn put_line_comment(&mut self) {
        self.has_line_comment = false;
        if !self.out.written().is_empty() && self.out.written().last() != Some(&b'\n') {
            self.out.put_byte(b' ');
        }
        let comment = std::mem::take(&mut self.line_comment);
        self.put_comment(comment.written());
        self.line_comment = comment;
    }

    /// Writes `line` as a comment, after a `#`.
    fn put_comment(&mut self, line: impl AsRef<[u8]>) {
        let line = line.as_ref();
        self.out.put(if line.is_empty() { b"#" } else { b"# " });
        self.out.put(line);
    }
}

const IN_BRACKETS: PresentError = PresentError::Misplaced(
    "comments are not possible inside brackets: write the collection in block style",
);

const BEFORE_VALUE: PresentError =
    PresentError::Misplaced("a comment goes before a key, not between it and its value");

/// Returns the lines of a comment. An empty comment has one line.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n')
        .unwrap_or(text)
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// Returns an error unless all characters of a comment are printable (\[75\] c-nb-comment-text) or
/// line breaks. Line breaks that only YAML 1.1 knows are errors, too.
fn check(text: &str) -> Result {
    let is_wrong = |ch: char| match ch {
        '\t' | '\n' => false,
        '\r' => false,
        '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => true,
        _ => ch.is_control(),
    };
    let has_lone_return = text.replace("\r\n", "\n").contains('\r');
    match has_lone_return || text.contains(is_wrong) {
        true => Err(PresentError::Misplaced("a comment can contain only printable characters")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::Parser;
    use crate::present::{
        CollectionStyle, PresentError, PresentOptions, Presenter, Properties, ScalarStyle,
        Sequences,
    };

    type Yaml = Presenter<Vec<u8>>;

    /// Pushes nodes with and without their comments, and checks that both texts result in the same
    /// events. Returns the text with comments.
    fn text(push: impl Fn(&mut Commented) -> Result<(), PresentError>) -> String {
        let write = |with_comments| {
            let yaml = Presenter::with_options(Vec::new(), &PresentOptions::default());
            let mut yaml = Commented { yaml, with_comments };
            yaml.yaml.start_document(false).unwrap();
            push(&mut yaml).unwrap();
            yaml.yaml.end_document(false).unwrap();
            String::from_utf8(yaml.yaml.finish().unwrap()).unwrap()
        };
        let (with, without) = (write(true), write(false));
        // Rewriting drops the comments and changes nothing else.
        let mut rewritten = Presenter::new(Vec::new());
        Parser::new(with.as_bytes()).push_into(&mut rewritten).unwrap();
        assert_eq!(String::from_utf8(rewritten.finish().unwrap()).unwrap(), without, "{with}");
        with
    }

    struct Commented {
        yaml: Yaml,
        with_comments: bool,
    }

    impl Commented {
        fn before_node(&mut self, comment: &str) -> Result<(), PresentError> {
            if self.with_comments { self.yaml.comment(comment) } else { Ok(()) }
        }

        fn after_node(&mut self, comment: &str) -> Result<(), PresentError> {
            if self.with_comments { self.yaml.line_comment(comment) } else { Ok(()) }
        }

        fn text(&mut self, text: &str) -> Result<(), PresentError> {
            self.yaml.scalar(text, ScalarStyle::Text, Properties::NONE)
        }
    }

    const BLOCK: CollectionStyle = CollectionStyle::Block;
    const NONE: Properties<'static> = Properties::NONE;

    #[test]
    fn comments_go_before_entries_and_at_the_end() {
        let text = text(|c| {
            c.before_node("first\n\nthird\n")?;
            c.yaml.start_mapping(BLOCK, NONE)?;
            c.before_node("of a")?;
            c.text("a")?;
            c.yaml.start_sequence(BLOCK, NONE)?;
            c.before_node("of the first item")?;
            c.yaml.start_mapping(BLOCK, NONE)?;
            c.before_node("of b")?;
            c.text("b")?;
            c.text("two\nlines\n\n")?;
            c.yaml.end_mapping()?;
            c.text("second")?;
            c.before_node("no further items")?;
            c.yaml.end_sequence()?;
            c.before_node("no further keys")?;
            c.yaml.end_mapping()?;
            c.before_node("end")
        });
        assert_eq!(
            text,
            "# first\n#\n# third\n# of a\na:\n# of the first item\n-\n  # of b\n  b: |+\n    two\n    \
             lines\n\n- second\n# no further items\n# no further keys\n# end\n"
        );
    }

    #[test]
    fn line_comments_go_after_each_kind_of_node() {
        let text = text(|c| {
            c.after_node("the mapping")?;
            c.yaml.start_mapping(BLOCK, Properties::anchor("m"))?;
            c.after_node("of a key, or its value")?;
            c.text("key")?;
            c.text("value")?;
            c.text("block")?;
            c.after_node("its header")?;
            c.text("two\nlines")?;
            c.text("list")?;
            c.after_node("the list")?;
            c.yaml.start_sequence(BLOCK, NONE)?;
            c.after_node("an item")?;
            c.yaml.start_sequence(BLOCK, NONE)?;
            c.text("x")?;
            c.yaml.end_sequence()?;
            c.after_node("brackets")?;
            c.yaml.start_sequence(CollectionStyle::Flow, NONE)?;
            c.text("flow")?;
            c.yaml.end_sequence()?;
            c.after_node("empty")?;
            c.yaml.start_sequence(BLOCK, NONE)?;
            c.yaml.end_sequence()?;
            c.after_node("an alias")?;
            c.yaml.alias("m")?;
            c.yaml.end_sequence()?;
            c.yaml.end_mapping()
        });
        assert_eq!(
            text,
            "&m # the mapping\nkey: value # of a key, or its value\nblock: |- # its header\n  two\n  \
             lines\nlist: # the list\n- # an item\n  - x\n- [flow] # brackets\n- [] # empty\n- *m # an alias\n"
        );
    }

    #[test]
    fn a_root_can_have_comments() {
        assert_eq!(
            text(|c| {
                c.before_node("before_node")?;
                c.after_node("after_node")?;
                c.text("root")?;
                c.before_node("below")
            }),
            "# before_node\nroot # after_node\n# below\n"
        );
        let mut yaml = Presenter::new(Vec::new());
        yaml.start_document(true).unwrap();
        yaml.comment("before_node").unwrap();
        yaml.scalar("root", ScalarStyle::Text, NONE).unwrap();
        yaml.end_document(false).unwrap();
        assert_eq!(yaml.finish().unwrap(), b"---\n# before_node\nroot\n");
    }

    #[test]
    fn comments_follow_indented_sequences() {
        let options =
            PresentOptions { sequences: Sequences::Indented, ..PresentOptions::default() };
        let mut yaml = Presenter::with_options(Vec::new(), &options);
        yaml.start_document(false).unwrap();
        yaml.start_mapping(BLOCK, NONE).unwrap();
        yaml.scalar("k", ScalarStyle::Text, NONE).unwrap();
        yaml.start_sequence(BLOCK, NONE).unwrap();
        yaml.comment("c").unwrap();
        yaml.scalar("v", ScalarStyle::Text, NONE).unwrap();
        yaml.end_sequence().unwrap();
        yaml.end_mapping().unwrap();
        yaml.end_document(false).unwrap();
        assert_eq!(yaml.finish().unwrap(), b"k:\n  # c\n  - v\n");
    }

    #[test]
    fn misplaced_comments_are_errors() {
        let mut yaml = Presenter::new(Vec::new());
        yaml.start_document(false).unwrap();
        yaml.start_mapping(BLOCK, NONE).unwrap();
        yaml.scalar("key", ScalarStyle::Text, NONE).unwrap();
        assert!(yaml.comment("between").is_err());
        yaml.start_sequence(CollectionStyle::Flow, NONE).unwrap();
        assert!(yaml.comment("in brackets").is_err());
        yaml.scalar("item", ScalarStyle::Text, NONE).unwrap();
        assert!(yaml.line_comment("in brackets").is_err());
        yaml.end_sequence().unwrap();
        for wrong in ["\0", "a\u{2028}b", "a\rb", "\u{feff}"] {
            assert!(yaml.comment(wrong).is_err() && yaml.line_comment(wrong).is_err(), "{wrong:?}");
        }
        assert!(yaml.line_comment("two\nlines").is_err());
        yaml.end_mapping().unwrap();
        yaml.end_document(false).unwrap();
        assert_eq!(yaml.finish().unwrap(), b"key: [item]\n");
    }
}

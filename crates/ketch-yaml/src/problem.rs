//! All problems of reading, with their messages, which say what is wrong, what the related location
//! is, and how to fix it.

use ketch_bytes::encoding::Encoding;
use std::fmt;

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The text is not YAML.
    Syntax,
    /// A limit was exceeded; [`Problem::setting`] names it.
    Limit,
    /// The text is YAML, but has no valid meaning.
    Semantic,
    /// The bytes are not text.
    Encoding,
    /// The reader failed.
    Io,
}

macro_rules! problems {
    (@optional) => { None };
    (@optional $words:literal) => { Some($words) };
    ($($(#[$doc:meta])* $name:ident $(($field:ident: $type:ty))? : $class:ident,
        $message:literal, $(related $related:literal,)? $help:literal $(, setting $setting:literal)?;)*) => {
        /// What is wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Problem {
            $($(#[$doc])* #[doc = $message] $name $(($type))?,)*
        }

        impl Problem {
            /// Returns the class of the problem.
            pub fn class(self) -> Class {
                match self { $(Problem::$name { .. } => Class::$class,)* }
            }

            /// Returns the name of the variant, for programs.
            pub fn name(self) -> &'static str {
                match self { $(Problem::$name { .. } => stringify!($name),)* }
            }

            /// Returns how to fix the input, in a sentence.
            pub fn help(self) -> &'static str {
                match self { $(Problem::$name { .. } => $help,)* }
            }

            /// Returns a short text for the related location, such as "the quote opens here".
            /// Returns `None` if the problem has no related location.
            pub fn related(self) -> Option<&'static str> {
                match self { $(Problem::$name { .. } => problems!(@optional $($related)?),)* }
            }

            /// Returns the option that raises the limit, for a problem of [`Class::Limit`].
            pub fn setting(self) -> Option<&'static str> {
                match self { $(Problem::$name { .. } => problems!(@optional $($setting)?),)* }
            }
        }

        impl fmt::Display for Problem {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Problem::$name $(($field))? => write!(f, $message),)* }
            }
        }
    };
}

problems! {
    // Indentation and lines.
    TabIndentation: Syntax, "a tab is used for indentation",
        "Indent with spaces; tabs may only separate what is on one line.";
    BadIndentation: Syntax, "the indentation matches no line above",
        "Align the line with its siblings, or indent it deeper under a key or `-` that has no value yet.";
    ExpectedEntry: Syntax, "expected another `- ` entry of this sequence",
        "Start the line with `- `, or indent it differently to end the sequence.";
    ExpectedKey: Syntax, "expected a key of this mapping",
        "Write `key: value` here, or indent the line deeper if it belongs to the value above.";
    ExpectedColon: Syntax, "expected `:` after the key",
        "Write `key: value`; if this line continues the value above, indent it deeper.";
    NoBlankAfterColon: Syntax, "a space is missing after `:`",
        "Write `key: value` with a space after the colon.";
    MappingNotHere: Syntax, "a mapping cannot start here",
        "Put the mapping on lines of its own, indented deeper, or write it as `{key: value}`; if this is text, quote it.";
    SequenceNotHere: Syntax, "a block sequence cannot start here",
        "Put the first `- ` on a line of its own, or write the sequence as `[a, b]`.";
    MultilineKey: Syntax, "a key must be on one line", related "it starts here",
        "Quote the text if the `:` belongs to it, or write the key as `? key`.";
    CommentInPlain: Syntax, "a comment has ended the text above; this line cannot continue it", related "the comment is here",
        "Remove the comment, or quote the text and put the comment after it.";
    ExpectedLineEnd: Syntax, "expected the end of the line or a comment",
        "Remove what follows, or put it on a line of its own.";
    CommentNotSeparated: Syntax, "a space is missing before the comment",
        "Put a space before `#`, or quote the text if the `#` belongs to it.";
    ExpectedDocumentEnd: Syntax, "the document has ended, but more text follows",
        "Start a new document with `---`, or check the indentation above.";
    ReservedIndicator: Syntax, "text cannot start with this character",
        "Quote the text.";
    FlowIndicatorInBlock: Syntax, "this bracket or comma closes or separates nothing",
        "Quote the text if it starts with this character, or look for the missing opening bracket.";

    // Quoted scalars.
    UnclosedQuote: Syntax, "the quoted text is never closed", related "the quote opens here",
        "Close the quote; a quote inside is written \\\" in double and '' in single quotes.";
    QuotedIndentation: Syntax, "a line of quoted text is not indented enough", related "the quote opens here",
        "Indent the line deeper, or close the quote above.";
    MarkerInQuotes: Syntax, "a document marker is inside quoted text", related "the quote opens here",
        "Close the quote above, or indent the line.";
    UnknownEscape: Syntax, "unknown escape sequence", related "the quote opens here",
        "Write a backslash as \\\\, or use single quotes, in which it needs no escape.";
    EscapeDigits(digits: u8): Syntax, "expected {digits} hexadecimal digits after this escape", related "the quote opens here",
        "Write \\xNN, \\uNNNN or \\UNNNNNNNN.";
    EscapeNotACharacter: Syntax, "the escape sequence is not a Unicode character", related "the quote opens here",
        "Write surrogates in pairs, as in \\uD83D\\uDE00, or the character as in \\U0001F600.";

    // Block scalars.
    BlockHeader: Syntax, "expected `+`, `-`, a digit, or the end of the line after `|` or `>`",
        "Put the text on the next line, or quote it if it starts with this character.";
    ZeroIndentation: Syntax, "the indentation indicator must be a digit from 1 to 9",
        "Write a digit from 1 to 9, or omit it to have the indentation detected.";
    LeadingBlankTooDeep: Syntax, "a blank line before the text has more spaces than the first line of the text",
        "Delete the spaces on this line, or give the indentation of the text in the header, as in `|2`.";
    NoFinalBreak: Syntax, "the text of this block scalar ends with a line break, but the input does not",
        "Add a line break at the end of the input, since many readers read this text without one; for a text without it, write `-` after the `|` or `>`.";
    IndentTooDeep: Limit, "the text is indented by more than 16,777,215 columns",
        "Indent it less.", setting "no option; it is the format's own bound";

    // Flow collections.
    UnclosedSequence: Syntax, "the sequence is never closed", related "it opens here",
        "Close it with `]`.";
    UnclosedMapping: Syntax, "the mapping is never closed", related "it opens here",
        "Close it with a closing brace.";
    MismatchedSequenceEnd: Syntax, "`]` does not close a mapping", related "the mapping opens here",
        "Close the mapping first.";
    MismatchedMappingEnd: Syntax, "a closing brace does not close a sequence", related "the sequence opens here",
        "Close the sequence first.";
    ExpectedCommaInSequence: Syntax, "expected `,` or `]`", related "the sequence opens here",
        "Put a comma between the entries.";
    ExpectedCommaInMapping: Syntax, "expected `,` or a closing brace", related "the mapping opens here",
        "Put a comma between the entries.";
    ExpectedFlowValue: Syntax, "expected `:`, `,` or a closing brace", related "the mapping opens here",
        "Put a colon between key and value, or a comma between entries.";
    EmptyFlowEntry: Syntax, "an entry is missing before the comma", related "the collection opens here",
        "Remove the comma, or write the entry: null if it is meant to be empty.";
    UnexpectedColon: Syntax, "unexpected `:`", related "the collection opens here",
        "A key of a pair must be on the line of its colon; quote the text if the colon belongs to it.";
    IndicatorInFlow: Syntax, "this indicator cannot be here",
        "Quote the text; sequences inside brackets are written [a, b].";
    FlowIndentation: Syntax, "a line inside brackets must be indented deeper than the block collection around them", related "the bracket opens here",
        "Indent the line deeper.";
    FlowEndIndentation: Syntax, "the closing bracket must be indented deeper than the block collection around it", related "the bracket opens here",
        "Indent the bracket by one more space; the option `lenient` accepts it.";
    MarkerInFlow: Syntax, "a document marker is inside brackets", related "the collection opens here",
        "Close the collection above, or indent the line.";

    // Properties and aliases.
    PropertyNotSeparated: Syntax, "a space is missing after the anchor or tag",
        "Put a space after it.";
    TwoAnchors: Syntax, "the node has a second anchor", related "the first one is here",
        "Remove one of them.";
    TwoTags: Syntax, "the node has a second tag", related "the first one is here",
        "Remove one of them.";
    EmptyAnchor: Syntax, "expected a name",
        "Write the anchor's name directly after it, or quote the text.";
    PropertiesOnAlias: Syntax, "an alias cannot have an anchor or a tag", related "the anchor or tag is here",
        "Remove it here; if it is needed, write it at the node that the alias refers to.";
    VerbatimTag: Syntax, "a verbatim tag must be written `!<tag>`",
        "Close it with `>`.";
    TagHandle: Syntax, "a tag handle consists of letters, digits and `-`",
        "Write the `!` inside a tag as %21.";
    TagWithoutSuffix: Syntax, "expected the rest of the tag after its handle",
        "Write !handle!name.";
    UnknownTagHandle: Syntax, "no %TAG directive of this document declares the handle",
        "Write `%TAG !handle! prefix` and `---` before the document; directives apply to one document only.";
    TagCharacter: Syntax, "this character cannot be in a tag",
        "Write it as `%` and two hexadecimal digits, or quote the text if it is not a tag.";

    // Documents and directives.
    DirectiveWithoutDocument: Syntax, "expected `---` after the directives", related "they start here",
        "Write `---` on a line of its own after the directives.";
    ContentAfterEndMarker: Syntax, "text follows `...`, which ends the document",
        "Put the text on the next line.";
    EmptyDirective: Syntax, "a directive needs a name",
        "Write %YAML or %TAG, or quote the text if it is not a directive.";
    YamlDirective: Syntax, "expected one version in this directive",
        "Write %YAML 1.2.";
    TwoYamlDirectives: Syntax, "the version is declared twice",
        "Remove one of the directives.";
    YamlVersion: Syntax, "an unsupported version of YAML",
        "Ketch reads YAML 1.x: write `%YAML 1.2`.";
    NewerYamlVersion: Syntax, "a newer version of YAML is declared; it is read as 1.2",
        "Declare %YAML 1.2.";
    UnknownDirective: Syntax, "unknown directive, ignored",
        "Only `%YAML` and `%TAG` are known; if it is text, quote it.";
    TagDirective: Syntax, "expected a handle and a prefix in this directive",
        "Write %TAG !handle! prefix.";
    TwoTagDirectives: Syntax, "the handle is declared twice",
        "Remove one of the directives.";

    // The dialect of Syck.
    SyckOpenBracket: Syntax, "the collection is never closed", related "it opens here",
        "Close it. In this dialect a bracket inside plain text closes nothing if it is of the other kind.";
    SyckWrongBracket: Syntax, "this bracket does not close the collection", related "the collection opens here",
        "Close the collection with the bracket of its kind.";
    SyckTrailingComma: Syntax, "an entry is missing after the comma",
        "Remove the comma: this dialect has no trailing commas.";
    SyckComma: Syntax, "an entry is missing before the comma",
        "Remove the comma, or write `~` for an empty entry.";
    SyckInBrackets: Syntax, "expected a comma or the closing bracket", related "the collection opens here",
        "Put a comma and a space between entries; in this dialect `:` and `,` separate only before a space or line break.";
    SyckStrayIndicator: Syntax, "this bracket or comma closes or separates nothing",
        "Quote the text if it starts with this character.";
    SyckColon: Syntax, "a `:` cannot be here",
        "Quote the text if the `:` belongs to it, or put the mapping on lines of its own, indented deeper.";
    SyckEntry: Syntax, "an entry cannot start here",
        "Indent the line as its siblings, or deeper under a key or `-` that has no value yet.";
    SyckNoColon: Syntax, "expected a key with `:`, or nothing more",
        "Write `key: value`, indent the line deeper if it continues the text above, or write `:` after a `? key`.";
    SyckIndentation: Syntax, "the line is indented deeper, but the value above is complete",
        "Align the line with its siblings.";
    SyckUnexpected: Syntax, "this cannot follow what is before it",
        "Put it on a line of its own, or quote the text.";
    SyckReplaced: Semantic, "the value of the key above is lost: this sequence replaces it",
        "Indent the `-` deeper, or give it a key of its own.";
    SyckUnknownAlias: Semantic, "unknown alias, read as a placeholder",
        "Write `&` and the same name before the value it refers to, further up in the same document.";
    SyckOpenQuote: Semantic, "the quoted text is never closed; it takes the rest of the input",
        "Close the quote.";
    SyckEscape: Semantic, "unknown escape sequence, kept with its backslash",
        "Write the character itself, or its bytes as \\xNN; this dialect has no \\u.";
    SyckNul: Semantic, "a NUL byte ends the input; what follows is not read",
        "Remove the byte.";

    // Limits.
    TooDeep(depth: u64): Limit, "collections nest {depth} levels deep, more than the limit for this input",
        "If you trust the input, raise `max_depth`.", setting "max_depth";
    KeyTooLong(chars: u64): Limit, "an implicit key of {chars} characters is too long",
        "Write it as an explicit key, `? key`, or raise `max_implicit_key_chars`; the maximum is 4,194,303.", setting "max_implicit_key_chars";
    ScalarTooLong(bytes: u64): Limit, "a scalar of {bytes} bytes is too long",
        "Raise `max_scalar_bytes`; the maximum is 2 GiB.", setting "max_scalar_bytes";
    TokenTooLong(bytes: u64): Limit, "a line or token does not fit into the buffer of {bytes} bytes",
        "Raise `max_buffer_bytes`, or parse a text that is in memory as a whole.", setting "max_buffer_bytes";
    TooManyNodes(nodes: u64): Limit, "the document has more than {nodes} nodes",
        "Raise `max_nodes`.", setting "max_nodes";
    TooManyAliasNodes(nodes: u64): Limit, "the aliases stand for more than {nodes} nodes, too many for an input of this size",
        "If you trust the input, raise `max_alias_nodes`.", setting "max_alias_nodes";
    TooManyResultNodes(nodes: u64): Limit, "the results of the path have more than {nodes} nodes in all, too many for an input of this size",
        "Choose fewer values with a longer path. If you trust the input, raise `max_alias_nodes`.", setting "max_alias_nodes";
    TooMuchTagText(bytes: u64): Limit, "the tags of the document, with their handles replaced, have more than {bytes} bytes",
        "If you trust the input, raise `max_tag_bytes`.", setting "max_tag_bytes";
    TooManyTagHandles(handles: u64): Limit, "the document declares more than {handles} tag handles",
        "If you trust the input, raise `max_tag_handles`.", setting "max_tag_handles";
    DocumentTooLarge: Limit, "the document is larger than 4 GiB",
        "Parse it as events; a document tree has offsets of 32 bits.", setting "no option; it is the tree's own bound";

    // Meaning.
    UnknownAlias: Semantic, "unknown alias: no anchor of this name before it",
        "Write `&` and the same name before the value it refers to, further up in the same document.";
    AliasCycle: Semantic, "the alias is inside the node that it refers to", related "the node starts here",
        "Refer to another node. A node that contains itself can be kept in a document, but not expanded or compared.";
    DuplicateKey: Semantic, "duplicate key", related "first used here",
        "Delete one of the two entries or rename its key, or choose with the option `duplicate_keys` which one wins.";
    MergeValue: Semantic, "a merge key takes a mapping or a sequence of mappings",
        "Write <<: *anchor, or quote the key if it is meant as text.";
    UnresolvedScalar: Semantic, "the schema has no type for this plain text",
        "Quote the text, or choose another schema; `json` knows only null, true, false and numbers.";
    TagMismatch: Semantic, "the text is not valid for its tag",
        "Write a value that the tag allows, or remove the tag.";
    NotAScalar: Semantic, "expected a scalar here",
        "Write a single value instead of a collection.";
    NotASequence: Semantic, "expected a sequence here",
        "Write `- ` before each entry, or put them in brackets, or read the document as a whole.";
    DuplicateJsonKey: Semantic, "duplicate key in JSON, where all keys are strings", related "the other key with this text",
        "Change one of the keys, or convert to YAML: JSON cannot tell `1` from `\"1\"`.";
    NotJson: Semantic, "JSON cannot hold this value",
        "Write it as text, or choose an option that converts it.";
    ByteOrderMark: Semantic, "a byte order mark inside the stream",
        "Delete the character U+FEFF, which may only be at the start of a file.";
    BlankNotSpace(code: u32): Semantic, "this text starts with the character U+{code:04X}, which is not a space",
        "Replace it with a space, or quote the text if the character belongs to it.";
    CurlyQuotes: Semantic, "the curly quotes are part of this text",
        "Write straight quotes, `\"` or `'`, around it.";
    DashWithoutSpace: Semantic, "this text starts with `-`, because no space follows it",
        "Write `- ` with a space to start an entry of a sequence, or quote the text.";
    MarkerWithoutSpace: Semantic, "this text starts with `---`, because no space follows it",
        "End the line after `---` to start a document, or quote the text.";
    ColonWithoutSpace: Semantic, "this is one text, not a key with a value, because no space follows the `:`",
        "Write a space after the `:`, or quote the text.";
    HtmlEntity: Semantic, "this is an anchor, not a character of HTML",
        "Write the character itself, as in `\"\\u00a0\"` for `&nbsp;`, or quote the text.";
    UnquotedTemplate: Semantic, "this is a mapping whose key is a mapping, not a template",
        "Quote the whole value, as in `\"{{ x }}\"`.";
    CommentAsValue: Semantic, "the value before this is empty, because ` #` starts a comment",
        "Quote the text, or write a space after the `#` of a comment.";
    DashInText(column: u32): Semantic, "this line continues the text of the entry above, whose `-` is in column {column}",
        "Start the line in that column.";
    ColonInKey: Semantic, "the first `:` is part of this key",
        "Write one `:`, or quote the key.";
    EscapeNotMeant: Semantic, "the backslashes in this text start escapes, because it is in double quotes",
        "Write single quotes.";
    QuoteInKey: Semantic, "this text is a mapping, because a space follows the `:` in it",
        "Quote the whole text.";
    MarkAtEnd(mark: char): Semantic, "the `{mark}` is part of this text",
        "Remove it, or quote the text.";
    NumberLoses(part: &'static str): Semantic, "this is a number, which loses {part}",
        "Quote the text.";
    TagNotText: Semantic, "this starts with a tag, which is not part of the text",
        "Quote the whole text.";
    NoSuchTag(intended: &'static str): Semantic, "YAML has no such tag, so this is a tag of your own, not `{intended}`",
        "Write the tag that YAML defines.";
    AnchorNotText: Semantic, "this starts with an anchor, which is not part of the text",
        "Quote the whole text.";
    BracesNotText: Semantic, "this is a mapping with a key and no value, not a text",
        "Quote the text.";
    BackslashInText: Semantic, "this `\\` is part of the text, and the line break after it is not",
        "Write `|` and the text on the lines below it, so that its line breaks are kept.";
    CommentInText: Semantic, "this is a text, because `//` does not start a comment",
        "Write `#` instead of `//`, or quote the text.";
    OtherDash(dash: char): Semantic, "this is a text, because an entry of a sequence starts with `-`, not with `{dash}`",
        "Write `- ` instead, or quote the text.";
    DashesInText: Semantic, "the lines below, which start with `- `, continue this text",
        "Write `:` after the text, so that they are its value, or start them in the column of the `-` before it.";
    EntryBesideKey(column: u32): Semantic, "the key above has no value, because this entry does not start in column {column}",
        "Indent it, if it belongs to the key.";
    ColonInTag: Semantic, "the `:` is part of this tag",
        "Remove it.";
    NotInSyck: Semantic, "the tag cannot be written in Syck's dialect",
        "Write a tag of the form `tag:domain,date:name`, or remove it.";

    // Bytes.
    NotUtf8: Encoding, "invalid UTF-8",
        "Save the text as UTF-8, or as UTF-16 or UTF-32 from its very start.";
    Malformed(encoding: Encoding): Encoding, "invalid {encoding}, the encoding that the first bytes indicate",
        "Save the text as UTF-8.";
    Control(byte: u8): Encoding, "the control character 0x{byte:02X} is not allowed in YAML",
        "Write it as an escape in double quotes, \\xNN. A binary file is not YAML.";
    Io: Io, "could not be read", "See the cause.";

    // The caller.
    Interrupted: Io, "interrupted", "`Options::interrupt` stopped the parser.";
}

//! All problems of patterns and searches. Each has a message, which is Ruby's message if Ruby
//! reports the same problem, and a sentence that says how to fix it.

use std::fmt;

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The pattern is invalid. The message is Ruby's.
    Syntax,
    /// A limit was exceeded. [`Problem::setting`] names it.
    Limit,
    /// A construct is not supported.
    Irregular,
}

macro_rules! problems {
    (@optional) => { None };
    (@optional $words:literal) => { Some($words) };
    ($($(#[$doc:meta])* $name:ident $(($field:ident: $type:ty))? : $class:ident,
        $message:literal, $help:literal $(, setting $setting:literal)?;)*) => {
        /// What is wrong.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Problem {
            $($(#[$doc])* #[doc = $message] $name $(($type))?,)*
        }

        impl Problem {
            /// Returns the class of the problem.
            pub fn class(&self) -> Class {
                match self { $(Problem::$name { .. } => Class::$class,)* }
            }

            /// Returns the name of the variant, which programs can compare.
            pub fn name(&self) -> &'static str {
                match self { $(Problem::$name { .. } => stringify!($name),)* }
            }

            /// Returns how to fix the problem, as a sentence.
            pub fn help(&self) -> &'static str {
                match self { $(Problem::$name { .. } => $help,)* }
            }

            /// Returns the name of the limit that was exceeded, for a problem of [`Class::Limit`].
            pub fn setting(&self) -> Option<&'static str> {
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
    // Repeats.
    RepeatOfNothing: Syntax, "target of repeat operator is not specified",
        "Write what is repeated before the operator, or escape the operator.";
    RepeatTooBig: Syntax, "too big number for repeat range",
        "Repeat at most 100,000 times.";
    RepeatReversed: Syntax, "upper is smaller than lower in repeat range",
        "Write the smaller number first.";

    RepeatOfAssertion: Syntax, "target of repeat operator is invalid",
        "Do not repeat a construct that matches no text.";

    // Classes.
    UnclosedClass: Syntax, "premature end of char-class", "Close the class with `]`.";
    EmptyClass: Syntax, "empty char-class", "Write a character, or escape the `]`.";
    ClassAtRangeEnd: Syntax, "char-class value at end of range",
        "End the range with a character, or escape the `-`.";
    ClassInRange: Syntax, "unmatched range specifier in char-class",
        "Start the range with a character, or escape the `-`.";
    EmptyRange: Syntax, "empty range in char class", "Write the lower character first.";
    UnknownBracket: Syntax, "invalid POSIX bracket type",
        "Write one of alnum, alpha, ascii, blank, cntrl, digit, graph, lower, print, punct, space, upper, word, xdigit.";
    UnknownProperty(name: String): Syntax, "invalid character property name {{{name}}}",
        "Write a general category, a script, a binary property, or Age=n.n.";

    // Groups.
    UnclosedGroup: Syntax, "end pattern with unmatched parenthesis", "Close the group with `)`.";
    UnmatchedClose: Syntax, "unmatched close parenthesis", "Remove the `)`, or escape it.";
    GroupCutShort: Syntax, "end pattern in group", "Complete the group.";
    UnknownOption: Syntax, "undefined group option",
        "Options are i, m, x, a, d and u; only i, m and x can be switched off.";
    UndefinedOption: Syntax, "undefined group option", "Options are i, m, s and x.";
    EmptyName: Syntax, "group name is empty", "Write a name.";
    InvalidName(name: String): Syntax, "invalid group name <{name}>",
        "Start the name with a letter or `_`, and close it.";
    InvalidNameChar(name: String): Syntax, "invalid char in group name <{name}>",
        "Start the name with a letter or `_`.";
    UndefinedName(name: String): Syntax, "undefined name <{name}> reference",
        "Name a group of the pattern.";
    UndefinedGroup(name: String): Syntax, "undefined group <{name}> reference",
        "Call a group of the pattern.";
    NumberTooBig: Syntax, "too big number", "Refer to a group of the pattern.";
    InvalidReference: Syntax, "invalid backref number/name", "Refer to a group of the pattern.";
    UnclosedReference: Syntax, "invalid group name reference format", "Close the name with `>`.";
    NumberWithNames: Syntax, "numbered backref/call is not allowed. (use name)",
        "Name the group and refer to it by name.";
    InvalidConditional: Syntax, "invalid conditional pattern",
        "Write `(?(1)yes|no)` with one `|` at most.";
    UndefinedCallout: Syntax, "undefined callout name", "Callouts are not supported.";
    InvalidCallout: Syntax, "invalid callout pattern", "Callouts are not supported.";
    InvalidCalloutName: Syntax, "invalid callout name", "Callouts are not supported.";
    TooManyGroups: Syntax, "too many capture groups are specified",
        "Use at most 32,767 groups that capture; `(?:...)` does not.";
    AmbiguousCall(name: String): Syntax, "multiplex definition name <{name}> call",
        "Give the group that is called a name of its own.";
    EndlessRecursion: Syntax, "never ending recursion",
        "Let the group take a character, or stop, before it calls itself.";
    InvalidLookBehind: Syntax, "invalid pattern in look-behind",
        "Look-behind takes alternatives of fixed length, without look-ahead or `(?>`; a negative one takes no captures.";

    // Escapes.
    ShortEscape: Syntax, "too short escape sequence", "Complete the escape.";
    EndAtEscape: Syntax, "end pattern at escape", "Complete the escape.";
    EndAtControl: Syntax, "end pattern at control", "Write a character after `\\c`.";
    ShortControl: Syntax, "too short control escape", "Write a character after `\\c`.";
    ShortMeta: Syntax, "too short meta escape", "Write a character after `\\M-`.";
    DuplicateControl: Syntax, "duplicate control escape", "Write `\\c` or `\\C-` once.";
    DuplicateMeta: Syntax, "duplicate meta escape", "Write `\\M-` once.";
    UnexpectedEscape: Syntax, "unexpected escape sequence",
        "Write a character after `\\c`, `\\C-` or `\\M-`, or an escape of a byte.";
    InvalidHex: Syntax, "invalid hex escape", "Write one or two hexadecimal digits.";
    InvalidCode: Syntax, "invalid escape code", "Write an octal number up to \\377.";
    InvalidUnicode: Syntax, "invalid Unicode escape", "Write four hexadecimal digits, or `\\u{...}`.";
    InvalidUnicodeList: Syntax, "invalid Unicode list",
        "Write code points of up to six hexadecimal digits, separated by blanks.";
    UnicodeRange: Syntax, "invalid Unicode range", "Code points end at 10FFFF and exclude surrogates.";
    InvalidBytes: Syntax, "invalid multibyte escape", "Escape the bytes of a UTF-8 character.";
    ShortBytes: Syntax, "too short escaped multibyte character",
        "Escape all bytes of the UTF-8 character.";
    InvalidCodePoint: Syntax, "invalid code point value",
        "Write hexadecimal digits, and close the list with `}`.";
    LongCode: Syntax, "too long wide-char value", "Write at most 8 hexadecimal or 11 octal digits.";
    ShortCode: Syntax, "too short multibyte code string", "Escape all bytes of the UTF-8 character.";
    NonAsciiBinary: Syntax, "non ASCII character in a binary pattern", "Write the bytes as `\\xHH`.";

    // Limits.
    Nesting(max: usize): Limit, "the pattern nests deeper than {max} levels",
        "Nest less deeply.", setting "nesting";
    ProgramSize(max: usize): Limit, "the compiled pattern needs more than {max} bytes",
        "Use smaller repeats, or raise the limit.", setting "program_bytes";
    Steps(max: u64): Limit, "the search needs more than {max} steps",
        "Search a shorter text, or raise the limit.", setting "steps";
    Fuel(max: u64): Limit, "the search needs more than {max} steps, and the pattern is not linear",
        "Write the pattern without back-references and recursion, or raise the limit.", setting "fuel";
    Memory(max: usize): Limit, "the search needs more than {max} bytes of memory",
        "Raise the limit.", setting "memory_bytes";
    Timeout(millis: u128): Limit, "the time limit of {millis} ms has passed",
        "Search a shorter text, or raise the limit.", setting "time";
    Interrupted: Limit, "interrupted", "`Limits::interrupt` stopped the search.";

    // Features that are not supported yet.
    Irregular(construct: &'static str): Irregular, "{construct} is not supported here",
        "Write the pattern without it.";
}

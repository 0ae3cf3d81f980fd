//! Parses the grammar (specification 11.2). Comments show the productions above the code that reads
//! them.

use super::ast::{
    Annotation, AnnotationValue, CaseBody, Constructor, Declaration, DeclarationKind, Field, File,
    MessageBody, Name, OptionPair, Primitive, Regime, SubsetField, TypeBody, TypeExpr,
    TypeExprKind,
};
use super::diagnostic::{Diagnostic, Rule, Span};
use super::lex::{Word, WordKind, words};
use super::protobuf;

/// The maximum nesting of brackets in a type. Functions that follow a schema recurse as deeply as
/// the schema is nested; this limit and the limit on the depth of resolved types bound the
/// recursion.
pub(crate) const DEPTH_MAX: usize = 200;

const RESERVED: [&str; 16] = [
    "message", "type", "include", "options", "mutable", "not", "true", "false", "autolazy", "lazy",
    "eager", "bool", "byte", "int", "long", "float",
];

/// Returns whether `word` is reserved, so that it cannot be a name.
fn is_reserved(word: &str) -> bool {
    word == "string" || RESERVED.contains(&word)
}

/// Parses the text of one file. Spans in the result refer to the file by the number `file`.
pub fn parse(text: &str, file: u32) -> Result<File, Diagnostic> {
    parse_extprot(text, file).map_err(|error| protobuf::recognise(text, file).unwrap_or(error))
}

/// Parses the text of one file, without recognising other schema languages.
fn parse_extprot(text: &str, file: u32) -> Result<File, Diagnostic> {
    if u32::try_from(text.len()).is_err() {
        let span = Span { file, start: 0, end: 1 };
        let message = "the schema file is larger than 4 GiB".into();
        let help = "split it".into();
        return Err(Diagnostic { rule: Rule::Limit, span, message, help, related: None });
    }
    let words = words(text, file)?;
    let mut parser = Parser { words: words.words, at: 0, depth: 0 };
    let mut declarations = Vec::new();
    while parser.peek() != &WordKind::End {
        declarations.push(parser.declaration()?);
    }
    Ok(File { declarations, comments: words.comments })
}

struct Parser {
    words: Vec<Word>,
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, Diagnostic>;

impl Parser {
    /// Returns the next word.
    fn peek(&self) -> &WordKind {
        &self.words[self.at].kind
    }

    /// Returns the word after the next one.
    fn peek_next(&self) -> &WordKind {
        &self.words[(self.at + 1).min(self.words.len() - 1)].kind
    }

    /// Returns the span of the next word.
    fn span(&self) -> Span {
        self.words[self.at].span
    }

    /// Returns the span of the word that was read last.
    fn last_span(&self) -> Span {
        self.words[self.at.saturating_sub(1)].span
    }

    /// Moves past the next word, but not past the end.
    fn advance(&mut self) {
        if self.at + 1 < self.words.len() {
            self.at += 1;
        }
    }

    /// Returns the error that the next word was found where `expected` was expected.
    fn error<T>(&self, expected: &str, help: &str) -> Parsed<T> {
        let found = match self.peek() {
            WordKind::Lower(word) if is_reserved(word) => format!("the reserved word {word}"),
            WordKind::Lower(word) | WordKind::Upper(word) => word.clone(),
            WordKind::Variable(word) => format!("'{word}"),
            WordKind::String(_) => "a string".into(),
            WordKind::Int(..) | WordKind::Float(_) => "a number".into(),
            WordKind::Sign(sign) => (*sign).into(),
            WordKind::End => "the end of the file".into(),
        };
        Err(Diagnostic {
            rule: Rule::Syntax,
            span: self.span(),
            message: format!("expected {expected}, found {found}"),
            help: help.into(),
            related: None,
        })
    }

    /// Moves past `sign` if it is the next word. Returns whether it was.
    fn opt_sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), WordKind::Sign(s) if *s == sign);
        if found {
            self.advance();
        }
        found
    }

    /// Moves past `sign`. It is an error if this is not the next word.
    fn sign(&mut self, sign: &str, help: &str) -> Parsed<()> {
        if self.opt_sign(sign) { Ok(()) } else { self.error(sign, help) }
    }

    /// Moves past `keyword` if it is the next word. Returns whether it was.
    fn opt_keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), WordKind::Lower(word) if word == keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Reads a name that starts with a lowercase letter. In an error, `what` says what was
    /// expected.
    fn lower(&mut self, what: &str) -> Parsed<Name> {
        match self.peek() {
            WordKind::Lower(word) if !is_reserved(word) => {
                let name = Name { text: word.clone(), span: self.span() };
                self.advance();
                Ok(name)
            }
            WordKind::Lower(_) => self.error(what, "choose another name: this word is reserved"),
            WordKind::Upper(_) => self.error(what, "start the name with a small letter"),
            _ => self.error(what, "give it a name that starts with a small letter"),
        }
    }

    /// Reads a name that starts with a capital letter. In an error, `what` says what was expected.
    fn upper(&mut self, what: &str) -> Parsed<Name> {
        match self.peek() {
            WordKind::Upper(word) => {
                let name = Name { text: word.clone(), span: self.span() };
                self.advance();
                Ok(name)
            }
            _ => self.error(what, "names of constructors and cases start with a capital"),
        }
    }

    /// Reads a string, and returns its bytes and its span. In an error, `what` says what was
    /// expected.
    fn string(&mut self, what: &str) -> Parsed<(Vec<u8>, Span)> {
        if let WordKind::String(bytes) = self.peek() {
            let result = (bytes.clone(), self.span());
            self.advance();
            return Ok(result);
        }
        self.error(what, "write it in double quotes")
    }

    // declaration ::= "include" string
    //               | "type" lident { "'" lident } "=" type-def options
    //               | "message" lident [ "[@" "autolazy" "]" ] "=" msg-def options
    fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        let (kind, may_have_options) = if self.opt_keyword("include") {
            let (path, path_span) = self.string("the path of a schema file")?;
            let path = String::from_utf8_lossy(&path).into_owned();
            (DeclarationKind::Include { path, path_span }, false)
        } else if self.opt_keyword("type") {
            (self.type_declaration()?, true)
        } else if self.opt_keyword("message") {
            (self.message_declaration()?, true)
        } else {
            let help = match self.peek() {
                WordKind::Sign(";") => "remove the ; between declarations",
                WordKind::Sign("*") => "write tuples in parentheses: (a * b)",
                _ => "start each declaration with type, message or include",
            };
            return self.error("a declaration", help);
        };
        let has_options = may_have_options && self.opt_keyword("options");
        let options = if has_options { self.options()? } else { Vec::new() };
        let span = start.to(self.last_span());
        Ok(Declaration { kind, span, options, has_options })
    }

    // options ::= [ "options" { string "=" string } ]
    fn options(&mut self) -> Parsed<Vec<OptionPair>> {
        let mut options = Vec::new();
        while matches!(self.peek(), WordKind::String(_)) {
            let (name, name_span) = self.string("the name of an option")?;
            self.sign("=", "write options as \"name\" = \"value\"")?;
            let (value, value_span) = self.string("the value of the option")?;
            let name = String::from_utf8_lossy(&name).into_owned();
            options.push(OptionPair { name, name_span, value, value_span });
        }
        Ok(options)
    }

    /// Reads the part of a type declaration after the word `type`.
    fn type_declaration(&mut self) -> Parsed<DeclarationKind> {
        let name = self.lower("the name of the type")?;
        let mut parameters = Vec::new();
        while let WordKind::Variable(word) = self.peek() {
            if is_reserved(word) {
                return self.error("a type variable", "choose another name: this word is reserved");
            }
            parameters.push(Name { text: word.clone(), span: self.span() });
            self.advance();
        }
        self.sign("=", "write type name 'a = ...; options are at the end")?;
        // type-def ::= constructor { "|" constructor } | record | type
        let body = match self.peek() {
            WordKind::Upper(_) => TypeBody::Sum(self.constructors()?),
            WordKind::Sign("{") => TypeBody::Record(self.record()?),
            WordKind::Sign("|") => {
                return self.error("a constructor", "remove the | before the first constructor");
            }
            _ => TypeBody::Alias(self.type_expr()?),
        };
        Ok(DeclarationKind::Type { name, parameters, body })
    }

    // constructor ::= uident { type }
    fn constructors(&mut self) -> Parsed<Vec<Constructor>> {
        let mut constructors = Vec::new();
        loop {
            let name = self.upper("a constructor")?;
            if matches!(self.peek(), WordKind::Sign(".")) {
                let help = "a type cannot be just a message of another module; use it inside one";
                return self.error("arguments or |", help);
            }
            let mut arguments = Vec::new();
            while self.starts_type() {
                arguments.push(self.type_expr()?);
            }
            if matches!(self.peek(), WordKind::Sign("{")) {
                let help = "declare the record as a type of its own and name it here";
                return self.error("a type", help);
            }
            constructors.push(Constructor { name, arguments });
            if !self.opt_sign("|") {
                return Ok(constructors);
            }
        }
    }

    /// Returns whether the next word can start a type.
    fn starts_type(&self) -> bool {
        match self.peek() {
            WordKind::Lower(word) => Primitive::from_name(word).is_some() || !is_reserved(word),
            WordKind::Upper(_) => matches!(self.peek_next(), WordKind::Sign(".")),
            WordKind::Variable(_) => true,
            WordKind::Sign(sign) => matches!(*sign, "[" | "[|" | "("),
            _ => false,
        }
    }

    // record ::= "{" field { ";" field } [ ";" ] "}"
    fn record(&mut self) -> Parsed<Vec<Field>> {
        self.sign("{", "write records as { name : type; ... }")?;
        let mut fields = Vec::new();
        loop {
            fields.push(self.field()?);
            if self.opt_sign("}") {
                return Ok(fields);
            }
            self.sign(";", "separate fields by ; and close the record with }")?;
            if self.opt_sign("}") {
                return Ok(fields);
            }
        }
    }

    // field ::= [ "mutable" ] lident [ "[@" ("lazy" | "eager") "]" ] ":" type
    fn field(&mut self) -> Parsed<Field> {
        let mutable = self.opt_keyword("mutable");
        let name = self.lower("a field")?;
        let regime = self.regime()?;
        self.sign(":", "write fields as name : type, with at most one [@lazy] or [@eager]")?;
        let ty = self.type_expr()?;
        Ok(Field { mutable, name, regime, ty })
    }

    /// Reads `[@lazy]` or `[@eager]`, if one of these is next.
    fn regime(&mut self) -> Parsed<Option<Regime>> {
        if !self.opt_sign("[@") {
            return Ok(None);
        }
        let regime = if self.opt_keyword("lazy") {
            Regime::Lazy
        } else if self.opt_keyword("eager") {
            Regime::Eager
        } else {
            return self
                .error("lazy or eager", "the only annotations of fields are [@lazy] and [@eager]");
        };
        self.sign("]", "close the annotation with ]")?;
        Ok(Some(regime))
    }

    /// Runs `read` one level deeper, or reports that the type is nested too deeply.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEPTH_MAX {
            return Err(Diagnostic {
                rule: Rule::Limit,
                span: self.span(),
                message: format!("types nested more than {DEPTH_MAX} deep"),
                help: "declare the inner types by name".into(),
                related: None,
            });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads a type with its annotations.
    fn type_expr(&mut self) -> Parsed<TypeExpr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            WordKind::Lower(word) => match Primitive::from_name(&word) {
                Some(primitive) => {
                    self.advance();
                    TypeExprKind::Primitive(primitive, self.annotations()?)
                }
                None => {
                    let name = self.lower("a type")?;
                    TypeExprKind::Apply(name, self.arguments()?)
                }
            },
            WordKind::Upper(_) => self.external()?,
            WordKind::Variable(word) => {
                self.advance();
                TypeExprKind::Variable(word)
            }
            WordKind::Sign("[") => {
                self.advance();
                let element = self.nested(Parser::type_expr)?;
                self.sign("]", "close the list with ]")?;
                TypeExprKind::List(Box::new(element))
            }
            WordKind::Sign("[|") => {
                self.advance();
                let element = self.nested(Parser::type_expr)?;
                self.sign("|]", "close the array with |]")?;
                TypeExprKind::Array(Box::new(element))
            }
            WordKind::Sign("(") => self.tuple()?,
            WordKind::Sign("{") => {
                let help = "declare the record as a type of its own and name it here";
                return self.error("a type", help);
            }
            _ => return self.error("a type", "write int, [int], (int * bool), name or name<int>"),
        };
        Ok(TypeExpr { kind, span: start.to(self.last_span()) })
    }

    /// Reads a tuple type, including its parentheses.
    fn tuple(&mut self) -> Parsed<TypeExprKind> {
        let start = self.span();
        self.advance();
        let mut elements = Vec::new();
        loop {
            elements.push(self.nested(Parser::type_expr)?);
            if !self.opt_sign("*") {
                break;
            }
        }
        self.sign(")", "separate the elements of a tuple by * and close it with )")?;
        if elements.len() == 1 {
            return Err(Diagnostic {
                rule: Rule::TupleArity,
                span: start.to(self.last_span()),
                message: "a tuple needs at least two elements".into(),
                help: "remove the parentheses, or add an element".into(),
                related: None,
            });
        }
        Ok(TypeExprKind::Tuple(elements))
    }

    // uident { "." uident } "." lident
    fn external(&mut self) -> Parsed<TypeExprKind> {
        let help = "write messages of other modules as Module.message; sums need a declaration";
        let mut path = vec![self.upper("a module")?];
        loop {
            self.sign(".", help)?;
            if !matches!(self.peek(), WordKind::Upper(_)) {
                break;
            }
            path.push(self.upper("a module")?);
        }
        Ok(TypeExprKind::External(path, self.lower("a message")?))
    }

    /// Reads type arguments in angle brackets, if there are any.
    fn arguments(&mut self) -> Parsed<Vec<TypeExpr>> {
        let mut arguments = Vec::new();
        if self.opt_sign("<") {
            loop {
                arguments.push(self.nested(Parser::type_expr)?);
                if !self.opt_sign(",") {
                    break;
                }
            }
            self.sign(">", "separate type arguments by , and close them with >")?;
        }
        Ok(arguments)
    }

    // annotation ::= "[@" lident annot-value "]"
    fn annotations(&mut self) -> Parsed<Vec<Annotation>> {
        let mut annotations = Vec::new();
        while matches!(self.peek(), WordKind::Sign("[@")) {
            let start = self.span();
            self.advance();
            let name = self.lower("the name of an annotation")?;
            let is_negative = matches!(self.peek(), WordKind::Sign("-"));
            let value = self.annotation_value()?;
            let literal = self.last_span();
            self.sign("]", "close the annotation with ]")?;
            let span = start.to(self.last_span());
            annotations.push(Annotation { name, value, is_negative, literal, span });
        }
        Ok(annotations)
    }

    // annot-value ::= "true" | "false" | string | [ "-" ] ( int | int64 | float )
    fn annotation_value(&mut self) -> Parsed<AnnotationValue> {
        let help = "write true, false, a number or a string";
        let negative = self.opt_sign("-");
        let value = match self.peek().clone() {
            // Without `L`, the magnitude 2^62 is valid only with a minus sign.
            WordKind::Int(n, long) => {
                let n = if negative { -(n as i128) } else { n as i128 };
                if n == 1i128 << if long { 63 } else { 62 } {
                    let help = "an integer must fit 63 bits, or 64 with an L after it";
                    return self.error("a smaller number", help);
                }
                AnnotationValue::Int(n)
            }
            WordKind::Float(text) => {
                AnnotationValue::Float(if negative { format!("-{text}") } else { text })
            }
            _ if negative => return self.error("a number", help),
            WordKind::Lower(word) if word == "true" || word == "false" => {
                AnnotationValue::Bool(word == "true")
            }
            WordKind::String(bytes) => AnnotationValue::String(bytes),
            _ => return self.error("a value", help),
        };
        self.advance();
        Ok(value)
    }

    /// Reads the part of a message declaration after the word `message`.
    fn message_declaration(&mut self) -> Parsed<DeclarationKind> {
        let name = self.lower("the name of the message")?;
        let mut autolazy = false;
        if self.opt_sign("[@") {
            if !self.opt_keyword("autolazy") {
                return self.error("autolazy", "the only annotation of messages is [@autolazy]");
            }
            self.sign("]", "close the annotation with ]")?;
            autolazy = true;
        }
        self.sign("=", "write message name = { ... }")?;
        let body = match self.peek() {
            WordKind::Sign("{|") => self.subset()?,
            WordKind::Upper(_) if matches!(self.peek_next(), WordKind::Sign(".")) => {
                let module = self.upper("a module")?;
                self.advance();
                MessageBody::External(module, self.lower("a message")?)
            }
            WordKind::Upper(_) => self.union()?,
            WordKind::Sign("|") => {
                return self.error("a message", "remove the | before the first case");
            }
            _ => MessageBody::Plain(self.case_body()?),
        };
        Ok(DeclarationKind::Message { name, autolazy, body })
    }

    /// Reads the cases of a union.
    fn union(&mut self) -> Parsed<MessageBody> {
        let mut cases = Vec::new();
        loop {
            let name = self.upper("a case")?;
            cases.push((name, self.case_body()?));
            if !self.opt_sign("|") {
                return Ok(MessageBody::Union(cases));
            }
        }
    }

    // case-body ::= record | lident [ "<" type { "," type } ">" ]
    fn case_body(&mut self) -> Parsed<CaseBody> {
        if matches!(self.peek(), WordKind::Sign("{")) {
            return self.record().map(CaseBody::Record);
        }
        if matches!(self.peek(), WordKind::Sign(_) | WordKind::End) {
            return self
                .error("a record", "each case of a message holds a record: { name : type }");
        }
        let name = self.lower("a record")?;
        Ok(CaseBody::Apply(name, self.arguments()?))
    }

    // "{|" lident "|" subset-field { ";" subset-field } "|}"
    // "{|" lident "|" "not" lident { ";" lident } "|}"
    fn subset(&mut self) -> Parsed<MessageBody> {
        self.advance();
        let source = self.lower("the message to take fields of")?;
        self.sign("|", "write subsets as {| message | field; field |}")?;
        let close = "separate the fields by ; and close the subset with |}, without a ; before it";
        if self.opt_keyword("not") {
            let mut fields = vec![self.lower("a field")?];
            while self.opt_sign(";") {
                fields.push(self.lower("a field")?);
            }
            self.sign("|}", close)?;
            return Ok(MessageBody::SubsetNot(source, fields));
        }
        let mut fields = Vec::new();
        loop {
            let name = self.lower("a field")?;
            let regime = self.regime()?;
            let ty = if self.opt_sign(":") { Some(self.type_expr()?) } else { None };
            fields.push(SubsetField { name, regime, ty });
            if !self.opt_sign(";") {
                break;
            }
        }
        self.sign("|}", close)?;
        Ok(MessageBody::Subset(source, fields))
    }
}

//! Formats schemas in a standard style, and keeps comments.
//!
//! A declaration is on one line if it fits and contains no comments. Otherwise each field,
//! constructor and case is on its own line. Literals are copied unchanged. A comment stays after
//! the text that it follows on its line, or before the text that follows it. A comment inside a
//! type moves to the end of its line. Formatting is idempotent.

use super::ast::{
    Annotation, CaseBody, Constructor, Declaration, DeclarationKind, Field, MessageBody, Regime,
    TypeBody, TypeExpr, TypeExprKind,
};
use super::diagnostic::{Diagnostics, Source, Sources, Span};
use super::parse::parse;

/// The maximum length of a declaration on one line, in characters.
const WIDTH: usize = 100;

/// Formats the schema `text`, which errors call `name`.
///
/// # Errors
/// Fails if the text does not follow the grammar. Names are not checked.
///
/// ```
/// let text = "message user={id:int;name:string}(* a user *)";
/// let formatted = ketch_extprot::schema::format_schema("a.proto", text)?;
/// assert_eq!(formatted, "message user = { id : int; name : string }  (* a user *)\n");
/// # Ok::<(), ketch_extprot::schema::Diagnostics>(())
/// ```
pub fn format_schema(name: &str, text: &str) -> Result<String, Diagnostics> {
    let mut formatted = format_once(name, text)?;
    // When a comment moves out of a declaration, the declaration may then fit on one line. Comments
    // only move outwards, so the text stops changing. The bound is a safeguard.
    for _ in 0..8 {
        let again = format_once(name, &formatted)?;
        if again == formatted {
            break;
        }
        formatted = again;
    }
    Ok(formatted)
}

/// Formats a schema once. The result may change when it is formatted again.
fn format_once(name: &str, text: &str) -> Result<String, Diagnostics> {
    let file = parse(text, 0).map_err(|diagnostic| Diagnostics {
        list: vec![diagnostic],
        sources: Sources(vec![Source { name: name.into(), text: text.into() }]).into(),
    })?;
    let mut printer = Printer { text, out: String::new(), comments: &file.comments };
    for declaration in &file.declarations {
        printer.comments_before(declaration.span.start, "");
        printer.blank_line_before(declaration.span.start);
        printer.declaration(declaration);
    }
    printer.comments_before(u32::MAX, "");
    Ok(printer.out)
}

struct Printer<'t> {
    text: &'t str,
    out: String,
    /// The comments that are still to be written.
    comments: &'t [Span],
}

/// The text before, between and after entries that are on separate lines.
struct Entries<'e> {
    open: &'e str,
    between: &'e str,
    close: &'e str,
}

impl Printer<'_> {
    /// Returns the text in `span`.
    fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Writes the comments that start before the offset `position`.
    fn comments_before(&mut self, position: u32, indent: &str) {
        while let Some((first, rest)) = self.comments.split_first() {
            if first.start >= position {
                return;
            }
            self.comments = rest;
            let lines = self.slice(*first).trim_end().split('\n');
            let comment = lines.map(|l| l.trim_end_matches('\r')).collect::<Vec<_>>().join("\n");
            let line = self.text[..first.start as usize].rsplit('\n').next().unwrap_or("");
            let trails = !line.trim().is_empty() && !comment.starts_with('#');
            if trails && self.out.ends_with('\n') {
                self.out.pop();
                self.out.push_str("  ");
            } else {
                self.blank_line_before(first.start);
                self.out.push_str(indent);
            }
            self.out.push_str(&comment);
            self.out.push('\n');
        }
    }

    /// Writes a blank line if there are blank lines directly before the offset `position`.
    fn blank_line_before(&mut self, position: u32) {
        let before = &self.text[..position as usize];
        let blanks = &before[before.trim_end().len()..];
        if blanks.matches('\n').count() > 1 && !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Returns whether one of the remaining comments starts in `span`.
    fn has_comment(&self, span: Span) -> bool {
        self.comments.iter().any(|c| c.start >= span.start && c.start < span.end)
    }

    /// Writes a declaration, on one line if it fits.
    fn declaration(&mut self, declaration: &Declaration) {
        let head = self.head(&declaration.kind);
        let options = self.options(declaration);
        let flat = self.flat_body(&declaration.kind);
        let line = format!("{head}{flat}{options}");
        let fits = line.chars().count() <= WIDTH && !line.contains('\n');
        if fits && !self.has_comment(declaration.span) {
            self.out.push_str(&line);
        } else {
            self.out.push_str(&head);
            self.tall_body(&declaration.kind);
            self.out.push_str(&options);
        }
        self.out.push('\n');
        self.comments_before(declaration.span.end, "");
    }

    /// Returns the options of a declaration, with a space before them, or an empty string.
    fn options(&self, declaration: &Declaration) -> String {
        if !declaration.has_options {
            return String::new();
        }
        let pair = |o: &super::ast::OptionPair| {
            format!(" {} = {}", self.slice(o.name_span), self.slice(o.value_span))
        };
        let pairs: String = declaration.options.iter().map(pair).collect();
        format!(" options{pairs}")
    }

    /// Returns the text of a declaration up to its `=`.
    fn head(&self, kind: &DeclarationKind) -> String {
        match kind {
            DeclarationKind::Include { path_span, .. } => {
                format!("include {}", self.slice(*path_span))
            }
            DeclarationKind::Type { name, parameters, .. } => {
                let parameters: String =
                    parameters.iter().map(|p| format!(" '{}", p.text)).collect();
                format!("type {}{parameters} =", name.text)
            }
            DeclarationKind::Message { name, autolazy, .. } => {
                format!("message {}{} =", name.text, if *autolazy { " [@autolazy]" } else { "" })
            }
        }
    }

    /// Returns the body of a declaration on one line.
    fn flat_body(&self, kind: &DeclarationKind) -> String {
        match kind {
            DeclarationKind::Include { .. } => String::new(),
            DeclarationKind::Type { body, .. } => match body {
                TypeBody::Sum(constructors) => {
                    let parts: Vec<_> = constructors.iter().map(|c| self.constructor(c)).collect();
                    format!(" {}", parts.join(" | "))
                }
                TypeBody::Record(fields) => format!(" {}", self.record(fields)),
                TypeBody::Alias(ty) => format!(" {}", self.ty(ty)),
            },
            DeclarationKind::Message { body, .. } => match body {
                MessageBody::Plain(case) => format!(" {}", self.case(case)),
                MessageBody::Union(cases) => {
                    let case = |(name, case): &(super::ast::Name, CaseBody)| {
                        format!("{} {}", name.text, self.case(case))
                    };
                    format!(" {}", cases.iter().map(case).collect::<Vec<_>>().join(" | "))
                }
                MessageBody::External(module, name) => format!(" {}.{}", module.text, name.text),
                MessageBody::Subset(source, _) | MessageBody::SubsetNot(source, _) => {
                    let fields = self.subset_fields(body);
                    let fields: Vec<_> = fields.into_iter().map(|(_, text)| text).collect();
                    let not = if matches!(body, MessageBody::SubsetNot(..)) { "not " } else { "" };
                    format!(" {{| {} | {not}{} |}}", source.text, fields.join("; "))
                }
            },
        }
    }

    /// Returns the fields of a subset: the offset and the text of each.
    fn subset_fields(&self, body: &MessageBody) -> Vec<(u32, String)> {
        match body {
            MessageBody::Subset(_, fields) => fields
                .iter()
                .map(|f| {
                    let ty = f.ty.as_ref().map(|ty| format!(" : {}", self.ty(ty)));
                    let regime = regime(f.regime);
                    let text = format!("{}{regime}{}", f.name.text, ty.unwrap_or_default());
                    (f.name.span.start, text)
                })
                .collect(),
            MessageBody::SubsetNot(_, names) => {
                names.iter().map(|name| (name.span.start, name.text.clone())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Writes the body of a declaration on several lines.
    fn tall_body(&mut self, kind: &DeclarationKind) {
        match kind {
            DeclarationKind::Include { .. } => {}
            DeclarationKind::Type { body, .. } => match body {
                TypeBody::Sum(constructors) => {
                    let entries = constructors
                        .iter()
                        .map(|c| (c.name.span.start, self.constructor(c)))
                        .collect();
                    self.bars(entries);
                }
                TypeBody::Record(fields) => self.fields(fields, "  "),
                TypeBody::Alias(ty) => {
                    let ty = self.ty(ty);
                    self.out.push_str(&format!("\n  {ty}"));
                }
            },
            DeclarationKind::Message { body, .. } => match body {
                MessageBody::Plain(CaseBody::Record(fields)) => self.fields(fields, "  "),
                MessageBody::Union(cases) => self.union(cases),
                MessageBody::Subset(source, _) | MessageBody::SubsetNot(source, _) => {
                    let not = if matches!(body, MessageBody::SubsetNot(..)) { " not" } else { "" };
                    let open = format!(" {{| {} |{not}", source.text);
                    let entries = Entries { open: &open, between: ";", close: "|}" };
                    let fields = self.subset_fields(body);
                    self.lines(&entries, "  ", fields, false);
                }
                MessageBody::Plain(_) | MessageBody::External(..) => {
                    let flat = self.flat_body(kind);
                    self.out.push_str(&flat);
                }
            },
        }
    }

    /// Writes entries, each with its offset and text, on separate lines, with `|` before all but the
    /// first.
    fn bars(&mut self, entries: Vec<(u32, String)>) {
        self.out.push('\n');
        for (i, (start, text)) in entries.iter().enumerate() {
            self.comments_before(*start, "    ");
            self.out.push_str(if i == 0 { "    " } else { "  | " });
            self.out.push_str(text);
            self.out.push('\n');
        }
        self.out.pop();
    }

    /// Writes the cases of a union, each on one line, or with a line for each field.
    fn union(&mut self, cases: &[(super::ast::Name, CaseBody)]) {
        self.out.push('\n');
        for (i, (name, case)) in cases.iter().enumerate() {
            self.comments_before(name.span.start, "    ");
            let flat = format!("{} {}", name.text, self.case(case));
            self.out.push_str(if i == 0 { "    " } else { "  | " });
            let fields = match case {
                CaseBody::Record(fields) => fields.as_slice(),
                CaseBody::Apply(..) => &[],
            };
            let end = cases.get(i + 1).map(|(next, _)| next.span.start);
            let last = fields.last().map_or(name.span.end, |f| f.ty.span.end);
            let inside = name.span.to(Span { end: end.map_or(last, |_| last), ..name.span });
            if flat.chars().count() + 4 <= WIDTH && !self.has_comment(inside) || fields.is_empty() {
                self.out.push_str(&flat);
            } else {
                self.out.push_str(&name.text);
                self.fields(fields, "      ");
            }
            self.out.push('\n');
        }
        self.out.pop();
    }

    /// Writes the fields of a record, each on a separate line.
    fn fields(&mut self, fields: &[Field], indent: &str) {
        let start = |f: &Field| f.name.span.start;
        let lines = fields.iter().map(|f| (start(f), self.field(f))).collect();
        let entries = Entries { open: " {", between: ";", close: "}" };
        self.lines(&entries, indent, lines, true);
    }

    /// Writes entries, each with its offset and text, on separate lines, after the comments that
    /// precede them.
    fn lines(
        &mut self,
        entries: &Entries<'_>,
        indent: &str,
        lines: Vec<(u32, String)>,
        last_has_separator: bool,
    ) {
        self.out.push_str(entries.open);
        self.out.push('\n');
        let count = lines.len();
        for (i, (start, line)) in lines.into_iter().enumerate() {
            self.comments_before(start, indent);
            self.out.push_str(indent);
            self.out.push_str(&line);
            if i + 1 < count || last_has_separator {
                self.out.push_str(entries.between);
            }
            self.out.push('\n');
        }
        self.out.push_str(&indent[2..]);
        self.out.push_str(entries.close);
    }

    /// Returns a constructor on one line.
    fn constructor(&self, constructor: &Constructor) -> String {
        let arguments: String =
            constructor.arguments.iter().map(|a| format!(" {}", self.ty(a))).collect();
        format!("{}{arguments}", constructor.name.text)
    }

    /// Returns the body of a case on one line.
    fn case(&self, case: &CaseBody) -> String {
        match case {
            CaseBody::Record(fields) => self.record(fields),
            CaseBody::Apply(name, arguments) => {
                format!("{}{}", name.text, self.arguments(arguments))
            }
        }
    }

    /// Returns a record on one line.
    fn record(&self, fields: &[Field]) -> String {
        let fields: Vec<_> = fields.iter().map(|f| self.field(f)).collect();
        format!("{{ {} }}", fields.join("; "))
    }

    /// Returns a field on one line.
    fn field(&self, field: &Field) -> String {
        let mutable = if field.mutable { "mutable " } else { "" };
        format!("{mutable}{}{} : {}", field.name.text, regime(field.regime), self.ty(&field.ty))
    }

    /// Returns type arguments in angle brackets, or an empty string if there are none.
    fn arguments(&self, arguments: &[TypeExpr]) -> String {
        if arguments.is_empty() {
            return String::new();
        }
        let arguments: Vec<_> = arguments.iter().map(|a| self.ty(a)).collect();
        let arguments = arguments.join(", ");
        // The reference implementation's lexer would take two closing angle brackets for one operator.
        format!("<{arguments}{}>", if arguments.ends_with('>') { " " } else { "" })
    }

    /// Returns the text of a type. The parser's limit on nesting bounds the recursion.
    fn ty(&self, ty: &TypeExpr) -> String {
        match &ty.kind {
            TypeExprKind::Primitive(primitive, annotations) => {
                let annotation = |a: &Annotation| {
                    let sign = if a.is_negative { "-" } else { "" };
                    format!(" [@{} {sign}{}]", a.name.text, self.slice(a.literal))
                };
                let annotations: String = annotations.iter().map(annotation).collect();
                format!("{}{annotations}", primitive.name())
            }
            TypeExprKind::List(element) => format!("[ {} ]", self.ty(element)),
            TypeExprKind::Array(element) => format!("[| {} |]", self.ty(element)),
            TypeExprKind::Tuple(elements) => {
                let elements: Vec<_> = elements.iter().map(|e| self.ty(e)).collect();
                // For the same reason, `>` must not touch a parenthesis or a star.
                let elements = elements.join(" * ");
                format!("({elements}{})", if elements.ends_with('>') { " " } else { "" })
            }
            TypeExprKind::Variable(name) => format!("'{name}"),
            TypeExprKind::Apply(name, arguments) => {
                format!("{}{}", name.text, self.arguments(arguments))
            }
            TypeExprKind::External(path, name) => {
                let path: String = path.iter().map(|p| format!("{}.", p.text)).collect();
                format!("{path}{}", name.text)
            }
        }
    }
}

/// Returns the annotation of a field, with a space before it, or an empty string if there is none.
fn regime(regime: Option<Regime>) -> &'static str {
    match regime {
        None => "",
        Some(Regime::Lazy) => " [@lazy]",
        Some(Regime::Eager) => " [@eager]",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the formatted schema. Checks that formatting it again changes nothing.
    fn format(text: &str) -> String {
        let once = format_schema("t", text).unwrap_or_else(|e| panic!("{e}"));
        let twice = format_schema("t", &once).unwrap_or_else(|e| panic!("{once}\n{e}"));
        assert_eq!(once, twice, "not stable");
        once
    }

    #[test]
    fn comments_keep_their_places() {
        let text = "\
(* head *)


message m = { (* open *)
  a : int; (* first *)
  (* own line *)
  b : [ (int (* inside *) * bool) ] }
type t = A (* constant *) | B int
(* tail *)";
        let expected = "\
(* head *)

message m = {  (* open *)
  a : int;  (* first *)
  (* own line *)
  b : [ (int * bool) ];
}  (* inside *)
type t =
    A  (* constant *)
  | B int
(* tail *)
";
        assert_eq!(format(text), expected);
    }

    #[test]
    fn comments_move_to_the_end_of_the_declaration() {
        let text = format("type t 'a = (* c *) ('a * (* 'x *) int) message m = { a : t<int> }");
        let expected = "type t 'a = ('a * int)  (* c *)  (* 'x *)\nmessage m = { a : t<int> }\n";
        assert_eq!(text, expected);
        assert_eq!(format("message m = { a : int (* c *) }"), "message m = { a : int }  (* c *)\n");
    }

    #[test]
    fn long_declarations_are_broken_into_lines() {
        let fields: Vec<String> = (0..20).map(|i| format!("field_{i} : [| string |]")).collect();
        let text = format(&format!("message m = {{ {} }}", fields.join(";")));
        assert_eq!(text.lines().count(), 22);
        assert!(text.lines().all(|line| line.len() <= WIDTH));
    }

    #[test]
    fn closing_angle_brackets_are_separated() {
        assert_eq!(
            format("type p 'a=('a*'a) message m={a:p<p<int>>;b:[p<int>]}"),
            "type p 'a = ('a * 'a)\nmessage m = { a : p<p<int> >; b : [ p<int> ] }\n"
        );
    }

    #[test]
    fn a_comment_in_an_annotation_moves_after_the_annotation() {
        let text = "message m = { a : int [@default - (* less *) 3 (* than *) ] }";
        let formatted = format_schema("f", text).expect("a schema");
        assert!(formatted.contains("a : int [@default -3]"), "{formatted}");
        assert_eq!(formatted.matches("less").count(), 1, "{formatted}");
        assert_eq!(formatted.matches("than").count(), 1, "{formatted}");
        assert_eq!(format_schema("f", &formatted).expect("a formatted schema is valid"), formatted);
    }

    #[test]
    fn carriage_returns_at_the_ends_of_comment_lines_are_removed() {
        let formatted =
            format_schema("f", "(* a\r\r\r\r\r\r\r\r\r\r\r\r\n b *)").expect("a schema");
        assert_eq!(formatted, "(* a\n b *)\n");
    }
}

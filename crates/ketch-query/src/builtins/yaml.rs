//! Builtins about what values do not show: tags, anchors, styles, comments and places. And YAML texts as values.

use super::types::{Builtin, Call, wrong};
use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Decoration, Kind, Source, Value, check_aliases, full_tag, scalar_text};
use ketch_edit::{Comments, Style};
use ketch_yaml::compose::{Node, NodeId, Style as NodeStyle};
use ketch_yaml::schema::Schema;
use ketch_yaml::{ComposeOptions, Documents, Options};
use std::sync::Arc;

pub(super) const BUILTINS: &[(&str, usize, Builtin)] = &[
    ("tag", 0, tag),
    ("anchor", 0, |call| Ok(about(call, |node| node.anchor().map(Value::from)))),
    ("alias", 0, alias),
    ("style", 0, |call| match call.input.decoration().and_then(|decoration| decoration.style) {
        Some(style) => Ok(style_name(style).into()),
        None => Ok(about(call, |node| node_style(node).map(Value::from))),
    }),
    ("comment", 0, |call| Ok(comment(call, |own| own.comment.clone(), |found| found.leading))),
    ("line_comment", 0, |call| {
        Ok(comment(call, |own| own.line_comment.clone(), |found| found.trailing))
    }),
    ("with_tag", 1, with_tag),
    ("with_style", 1, with_style),
    ("with_comment", 1, |call| with_comment(call, |own, text| own.comment = Some(text))),
    ("with_line_comment", 1, |call| {
        if call.args[0].as_text().is_some_and(|text| text.contains('\n')) {
            return Err(invalid("a comment on the line of a value cannot have line breaks"));
        }
        with_comment(call, |own, text| own.line_comment = Some(text))
    }),
    ("document", 0, |call| {
        Ok(call.input.origin().map(|(source, _)| Value::count(source.number())).unwrap_or_default())
    }),
    ("place", 0, |call| {
        let Some((source, id)) = untouched(call) else { return Ok(Value::Null) };
        let location = source.node(id).location();
        Ok(format!("{}:{}:{}", source.name(), location.line, location.column).into())
    }),
    ("_fromyaml", 0, from_yaml),
    ("_made_of", 1, |call| {
        let origin = call.arg(0).source();
        let mut input = std::mem::take(&mut call.input);
        if let Value::Object(object) = &mut input {
            Arc::make_mut(object).origin = origin;
        }
        Ok(input)
    }),
];

/// Returns the error for an argument that is not valid.
fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(ErrorKind::InvalidArgument, message)
}

/// Returns the node that the input is, if nothing has changed it.
fn untouched(call: &Call<'_, '_>) -> Option<(Arc<Source>, NodeId)> {
    match call.input.bare() {
        Value::Node(source, id) => Some((source, id)),
        _ => None,
    }
}

/// Returns what `look` finds about the node that the input is, or null.
fn about(call: &Call<'_, '_>, look: fn(Node<'_>) -> Option<Value>) -> Value {
    let node = untouched(call);
    node.and_then(|(source, id)| look(source.node(id))).unwrap_or_default()
}

/// Returns the anchor that the input refers to, if it is an alias.
fn alias(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let Some((source, id)) = untouched(call) else { return Ok(Value::Null) };
    let node = source.document().node(id);
    let target = node.target();
    Ok(target.and_then(|target| target.anchor().map(Value::from)).unwrap_or_default())
}

fn node_style(node: Node<'_>) -> Option<&'static str> {
    Some(style_name(match node.style() {
        NodeStyle::Plain => Style::Plain,
        NodeStyle::SingleQuoted => Style::Single,
        NodeStyle::DoubleQuoted => Style::Double,
        NodeStyle::Literal => Style::Literal,
        NodeStyle::Folded => Style::Folded,
        NodeStyle::Flow => Style::Flow,
        NodeStyle::Block => Style::Block,
        _ => return None,
    }))
}

/// Returns the name of a style.
fn style_name(style: Style) -> &'static str {
    match style {
        Style::Plain => "plain",
        Style::Single => "single",
        Style::Double => "double",
        Style::Literal => "literal",
        Style::Folded => "folded",
        Style::Flow => "flow",
        Style::Block => "block",
    }
}

/// Returns the tag of the input: its own, or the one that its value has.
fn tag(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    const YAML: &str = "tag:yaml.org,2002:";
    let given = call.input.decoration().and_then(|own| own.tag.clone());
    if let Some(tag) = given.clone().filter(|tag| !tag.is_empty()) {
        return Ok(tag.into());
    }
    let own = untouched(call).filter(|_| given.is_none()).and_then(|(source, id)| {
        let node = source.node(id);
        let tag = node.tag().filter(|tag| *tag != "!")?;
        Some(match (tag.strip_prefix(YAML), tag.starts_with('!')) {
            (Some(name), _) => format!("!!{name}"),
            (None, true) => tag.to_owned(),
            (None, false) => format!("!<{tag}>"),
        })
    });
    if let Some(own) = own {
        return Ok(own.into());
    }
    let tag = match call.input.kind() {
        Kind::Null => "!!null",
        Kind::False | Kind::True => "!!bool",
        Kind::Text => match untouched(call) {
            Some((source, id)) if source.is_timestamp(id) => "!!timestamp",
            _ => "!!str",
        },
        Kind::Array => "!!seq",
        Kind::Object => "!!map",
        Kind::Number => {
            let is_float = match untouched(call) {
                Some((source, id)) => source.is_float(id),
                None => !call.input.as_number().is_some_and(|number| number.is_integer()),
            };
            if is_float { "!!float" } else { "!!int" }
        }
    };
    Ok(tag.into())
}

/// Returns a comment of the input: one that a program has given it, or the one in its file.
fn comment(
    call: &Call<'_, '_>,
    own: fn(&Decoration) -> Option<Option<Arc<str>>>,
    found: fn(Comments) -> Option<String>,
) -> Value {
    if let Some(own) = call.input.decoration().and_then(own) {
        return own.map(Value::Text).unwrap_or_default();
    }
    let comments = untouched(call).map(|(source, id)| source.comments(id));
    comments.and_then(found).map(Value::from).unwrap_or_default()
}

/// Returns the text that an argument is, or none for null.
fn optional_text(call: &Call<'_, '_>, what: &str) -> Result<Option<Arc<str>>, Failure> {
    match call.args[0].kind() {
        Kind::Null => Ok(None),
        Kind::Text => Ok(call.args[0].as_text()),
        _ => Err(wrong(&call.args[0], &format!("is not a {what}, which is a string"))),
    }
}

/// `with_comment` and `with_line_comment`: null, and a text without characters, remove the comment.
fn with_comment(
    call: &mut Call<'_, '_>,
    change: fn(&mut Decoration, Option<Arc<str>>),
) -> Result<Value, Failure> {
    let text = optional_text(call, "comment")?.filter(|text| !text.is_empty());
    let is_printable = |ch: char| ch == '\n' || ch == '\t' || !ch.is_control();
    if text.as_ref().is_some_and(|text| !text.chars().all(is_printable)) {
        return Err(invalid("a comment can have only printable characters"));
    }
    let value = std::mem::take(&mut call.input);
    Ok(value.decorated(|decoration| change(decoration, text)))
}

/// `with_tag`: null removes the tag.
fn with_tag(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let tag = optional_text(call, "tag")?.unwrap_or_default();
    let is_tag = tag.starts_with('!')
        && tag.len() > 1
        && !tag.contains(|ch: char| ch.is_whitespace() || ch.is_control() || ",[]{}".contains(ch));
    if !is_tag && !tag.is_empty() {
        return Err(invalid(format!("`{tag}` is not a tag, such as `!Ref`")));
    }
    check_fits(&call.input, &tag).map_err(|error| {
        let help = "change the value first, or choose a tag that YAML does not define";
        invalid(format!("{error}; {help}")).about(&call.input)
    })?;
    let value = std::mem::take(&mut call.input);
    Ok(value.decorated(|decoration| decoration.tag = Some(tag)))
}

/// Fails if YAML defines `tag` for other values: a reader would refuse the document.
fn check_fits(value: &Value, tag: &str) -> Result<(), String> {
    let (full, kind) = (full_tag(tag), value.kind());
    let (schema, text) = match value.origin() {
        Some((source, id)) => (source.schema(), source.node(id).text().into_owned()),
        None => (Schema::Core, scalar_text(value).into_owned()),
    };
    let is_scalar = value.entry_count().is_none();
    let fits = match tag.strip_prefix("!!") {
        Some("seq" | "omap" | "pairs") => kind == Kind::Array,
        Some("map" | "set") => kind == Kind::Object,
        _ if is_scalar => {
            let converted = schema.convert_tagged(&full, &*text);
            return converted.map(drop).map_err(|error| error.to_string());
        }
        _ => matches!(schema.convert_tagged(&full, ""), Ok(None)),
    };
    match fits {
        true => Ok(()),
        false => Err(format!("the tag `{tag}` is not for a value of the type {}", kind.name())),
    }
}

/// `with_style`.
fn with_style(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let name = call.args[0].as_text();
    let Some(style) = name.as_deref().and_then(Style::named) else {
        let styles = "a style is plain, single, double, literal, folded, block or flow";
        return Err(invalid(styles));
    };
    let value = std::mem::take(&mut call.input);
    let is_collection = matches!(value.kind(), Kind::Array | Kind::Object);
    if is_collection != matches!(style, Style::Block | Style::Flow) {
        let whose = if is_collection { "a scalar" } else { "a collection" };
        return Err(invalid(format!("only {whose} can have the style {}", style_name(style))));
    }
    Ok(value.decorated(|decoration| decoration.style = Some(style)))
}

/// The documents of a YAML text, as an array.
fn from_yaml(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let Some(text) = call.input.as_text() else {
        return Err(call.wrong("cannot be parsed as YAML"));
    };
    let mut compose = ComposeOptions::default();
    if let Some((source, _)) = call.input.origin() {
        compose.schema = source.schema();
        compose.merge_keys = Some(source.document().merges());
    }
    let mut documents = Documents::with_options(text.as_bytes(), &Options::default(), &compose);
    let mut values = Vec::new();
    let whole: Arc<str> = "fromyaml".into();
    while let Some(document) = documents.next_owned() {
        let checked = |document| check_aliases(&document, &compose.limits).map(|_| document);
        let document = document.and_then(checked).map_err(|error| invalid(error.to_string()))?;
        values.push(Arc::new(Source::new(document, whole.clone(), values.len())).root());
    }
    Ok(Value::array(values))
}

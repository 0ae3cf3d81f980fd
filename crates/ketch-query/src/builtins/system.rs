//! Builtins about the program's surroundings, and about what values do not show: tags, anchors, styles, comments and
//! places.

use super::formats;
use super::types::{Builtin, Call, wrong};
use crate::error::{Failure, Kind as ErrorKind};
use crate::modules::{self, ModuleRequest};
use crate::value::{Kind, Value};
use ketch_yaml::compose::{Node, Style};
use std::sync::Arc;

pub(super) const BUILTINS: &[(&str, usize, Builtin)] = &[
    ("env", 0, |call| {
        call.context.host.environment().ok_or_else(|| {
            Failure::new(ErrorKind::NotAllowed, "the environment is not open to this program")
        })
    }),
    ("halt", 0, |_| Err(Failure::raised(ErrorKind::Halt(0), Value::Null))),
    ("halt_error", 1, |call| {
        let Some(code) = call.args[0].as_number() else {
            return Err(Failure::new(ErrorKind::WrongKind, "halt_error/1: number required"));
        };
        let value = std::mem::take(&mut call.input);
        Err(Failure::raised(ErrorKind::Halt(code.truncated_i64() as i32), value))
    }),
    ("debug", 0, |call| {
        call.context.host.message(&format!("[\"DEBUG:\",{}]\n", call.input.to_json()));
        Ok(std::mem::take(&mut call.input))
    }),
    ("stderr", 0, |call| {
        let text = call.input.as_text();
        call.context.host.message(&text.unwrap_or_else(|| call.input.to_json().into()));
        Ok(std::mem::take(&mut call.input))
    }),
    ("input_filename", 0, |call| {
        Ok(call.context.host.input_name().map(Value::Text).unwrap_or_default())
    }),
    ("input_line_number", 0, |_| Ok(0.into())),
    ("have_decnum", 0, |_| Ok(true.into())),
    ("have_literal_numbers", 0, |_| Ok(true.into())),
    ("get_search_list", 0, |_| Ok(Value::array(Vec::new()))),
    ("modulemeta", 0, module_metadata),
    ("format", 1, |call| {
        let name = call.args[0].as_text();
        let Some(name) = name else {
            return Err(wrong(&call.args[0], "is not a valid format"));
        };
        formats::by_name(&name, &call.input)
    }),
    ("tag", 0, tag),
    ("anchor", 0, |call| Ok(about(call, |node| node.anchor().map(Value::from)))),
    ("alias", 0, alias),
    ("style", 0, |call| Ok(about(call, |node| style(node).map(Value::from)))),
    ("document", 0, |call| {
        Ok(call.input.origin().map(|(source, _)| Value::count(source.number())).unwrap_or_default())
    }),
    ("place", 0, |call| {
        let Some((source, id)) = untouched(call) else { return Ok(Value::Null) };
        let location = source.node(id).location();
        Ok(format!("{}:{}:{}", source.name(), location.line, location.column).into())
    }),
];

/// `modulemeta`: what the module whose path is the input is about.
fn module_metadata(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let Some(path) = call.input.as_text() else {
        return Err(Failure::new(
            ErrorKind::WrongKind,
            "modulemeta input module name must be a string",
        ));
    };
    let failed = |message: String| Failure::new(ErrorKind::InvalidArgument, message);
    let request = ModuleRequest { path: &path, search: None, from: None, is_data: false };
    let file = call.context.host.modules().source(request).map_err(failed)?;
    modules::described(&file.text).map_err(|error| failed(error.message))
}

/// Returns the node that the input is, if nothing has changed it.
fn untouched(
    call: &Call<'_, '_>,
) -> Option<(Arc<crate::value::Source>, ketch_yaml::compose::NodeId)> {
    match &call.input {
        Value::Node(source, id) => Some((source.clone(), *id)),
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

fn style(node: Node<'_>) -> Option<&'static str> {
    Some(match node.style() {
        Style::Plain => "plain",
        Style::SingleQuoted => "single",
        Style::DoubleQuoted => "double",
        Style::Literal => "literal",
        Style::Folded => "folded",
        Style::Flow => "flow",
        Style::Block => "block",
        _ => return None,
    })
}

/// Returns the tag of the input: its own, or the one that its value has.
fn tag(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    const YAML: &str = "tag:yaml.org,2002:";
    let own = untouched(call).and_then(|(source, id)| {
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

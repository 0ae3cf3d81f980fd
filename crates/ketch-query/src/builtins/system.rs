//! Builtins about the program's surroundings.

use super::formats;
use super::types::{Builtin, Call, wrong};
use crate::error::{Failure, Kind as ErrorKind};
use crate::modules::{self, ModuleRequest};
use crate::value::Value;

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

//! How builtins are called.

use crate::error::{Failure, Kind as ErrorKind, described};
use crate::host::{Host, Limits, MessageOptions};
use crate::value::{Number, NumberError, Value};

/// What builtins may use besides their arguments.
pub struct Context<'c> {
    pub limits: &'c Limits,
    pub host: &'c mut dyn Host,
    pub messages: MessageOptions,
}

/// A call of a builtin.
pub(super) struct Call<'c, 'h> {
    pub input: Value,
    pub args: Vec<Value>,
    pub context: &'c mut Context<'h>,
}

impl Call<'_, '_> {
    /// Takes an argument.
    pub fn arg(&mut self, index: usize) -> Value {
        std::mem::take(&mut self.args[index])
    }

    /// Fails with what is wrong about the input.
    pub fn wrong(&self, what: &str) -> Failure {
        wrong(&self.input, what)
    }
}

/// Returns the error that something is wrong about `value`: its type and start, and `what`.
pub(super) fn wrong(value: &Value, what: &str) -> Failure {
    Failure::new(ErrorKind::WrongKind, format!("{} {what}", described(value))).about(value)
}

/// A builtin in Rust.
pub(super) type Builtin = fn(&mut Call<'_, '_>) -> Result<Value, Failure>;

/// Returns the error for arithmetic that failed.
fn number_error(error: &NumberError) -> Failure {
    match error {
        NumberError::DivisionByZero => Failure::new(ErrorKind::DivisionByZero, "division by zero"),
        NumberError::NotFinite => Failure::new(ErrorKind::NotFinite, error.to_string()),
        _ => Failure::new(
            ErrorKind::TooManyDigits,
            "the number has too many digits (option --max-digits)",
        ),
    }
}

/// Returns the result of arithmetic as a value.
pub(super) fn number(result: Result<Number, NumberError>) -> Result<Value, Failure> {
    result.map(Value::Number).map_err(|error| number_error(&error))
}

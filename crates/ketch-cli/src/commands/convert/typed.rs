//! Passes values of an extprot schema to the output.

use super::values::Source;
use crate::schema;
use ketch::typed::{Constructors, write};
use ketch::{ConvertError as Error, ErrorLocation, Sink};
use ketch_extprot::{Limits, Typed};

/// A value of an extprot schema, and its location in the input.
pub struct TypedValue<'v> {
    pub typed: &'v schema::Typed,
    pub value: Typed<'v>,
    pub place: ErrorLocation,
}

impl Source for TypedValue<'_> {
    fn error(&self, problem: ketch::Problem) -> Error {
        Error::new(problem, self.place.clone())
    }

    fn send(&mut self, constructors: Constructors, sink: &mut impl Sink) -> Result<(), Error> {
        let schema::Typed { schema, message } = self.typed;
        write(schema, *message, &self.value, constructors, &Limits::default(), sink)
            .map_err(|problem| self.error(problem))
    }

    fn bytes(&mut self) -> Option<Result<Vec<u8>, Error>> {
        let schema::Typed { schema, message } = self.typed;
        let bytes = schema.encode(*message, &self.value);
        Some(bytes.map_err(|error| self.error(ketch::Problem::Extprot(error))))
    }
}

//! `Ketch.each_event`: parser events, for programs that do not need objects.

use crate::failure;
use crate::guard::function;
use crate::load::Source;
use crate::memory::Lease;
use crate::options::source_and_options;
use ketch_host::events::{Given, Giver};
use ketch_yaml::Parser;
use magnus::{Error, RClass, RModule, Ruby, Value, prelude::*};

/// Implements `Ketch.stream_events(source, **options) { |event| }`: yields the events of a stream.
pub fn stream_events(ruby: &Ruby, arguments: &[Value]) -> Result<(), Error> {
    let (source, options) = source_and_options(ruby, arguments)?;
    let text = {
        let lease = Lease::take(ruby)?;
        Source::read(ruby, source, &lease)?.bytes().to_vec()
    };
    let class: RClass = ruby.define_module("Ketch")?.const_get("Event")?;
    let mut giver = Giver::default();
    let mut parser = Parser::with_options(&text, &options.parse);
    let failed = |error| failure::yaml(ruby, error, &options);
    while let Some(chunk) = parser.next_chunk().map_err(failed)? {
        for event in chunk.events() {
            if let Some(given) = giver.event(&chunk, &event) {
                yield_event(ruby, class, given)?;
            }
            giver.check(&text, &chunk, &event, &options.parse.limits).map_err(failed)?;
        }
    }
    Ok(())
}

/// Yields an event.
fn yield_event(ruby: &Ruby, class: RClass, given: Given<'_>) -> Result<(), Error> {
    let members = (
        ruby.to_symbol(given.kind),
        given.value.as_deref(),
        given.anchor,
        given.tag,
        given.style.map(|name| ruby.to_symbol(name)),
        given.is_explicit,
        given.start,
        given.len,
        given.node_start,
    );
    let given: Value = class.new_instance(members)?;
    ruby.yield_value::<Value, Value>(given).map(|_| ())
}

/// Defines the method `Ketch.stream_events`.
pub fn init(ketch: RModule) -> Result<(), Error> {
    ketch.define_singleton_method("stream_events", function!(stream_events, -1))
}

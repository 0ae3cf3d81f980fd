//! Values as YAML. The output of each engine is read back before it is timed.

use crate::data::Data;
use crate::{Done, Task, emitter, values};

/// Returns all engines on the values of one stream, Ketch first. Each writes values of its own
/// crate, one text per document; libyaml's emitters write the steps of Ketch's values.
///
/// # Errors
/// Fails if a crate cannot read the stream.
pub fn tasks(text: &str) -> Result<Vec<Task<'static, Vec<Data>>>, String> {
    let ketch = values::ketch(text)?;
    let mut tasks = Vec::new();
    for (engine, emit) in [
        ("libyaml", emitter::libyaml as fn(&emitter::Steps) -> Vec<u8>),
        ("unsafe-libyaml", emitter::unsafe_libyaml),
    ] {
        let steps: Vec<emitter::Steps> =
            ketch.iter().filter_map(|value| emitter::Steps::of(value, emit)).collect();
        if steps.len() == ketch.len() {
            tasks.push(task(engine, steps, emit));
        }
    }
    tasks.insert(
        0,
        task("ketch", ketch, |value| {
            ketch::to_string(value).expect("a value is YAML").into_bytes()
        }),
    );
    if let Ok(values) = values::serde_yaml(text) {
        tasks.insert(
            1,
            task("serde_yaml", values, |value| {
                serde_yaml::to_string(value).expect("a value is YAML").into_bytes()
            }),
        );
    }
    if let Ok(values) = values::noyalib(text) {
        tasks.push(task("noyalib", values, |value| {
            noyalib::to_string(value).expect("a value is YAML").into_bytes()
        }));
    }
    if let Ok(values) = values::serde_saphyr(text) {
        tasks.push(task("serde-saphyr", values, |value| {
            serde_saphyr::to_string(value).expect("a value is YAML").into_bytes()
        }));
    }
    Ok(tasks)
}

fn task<T: 'static>(
    engine: &'static str,
    values: Vec<T>,
    write: impl Fn(&T) -> Vec<u8> + Copy + 'static,
) -> Task<'static, Vec<Data>> {
    let values = std::rc::Rc::new(values);
    let again = values.clone();
    let read = |text: &[u8]| {
        let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
        let value: ketch::Value = ketch::from_str(text).map_err(|error| error.to_string())?;
        Ok(Data::from(&value))
    };
    Task {
        engine,
        run: Box::new(move || Done::new(values.iter().map(|value| write(value).len()).sum(), ())),
        made: Box::new(move || again.iter().map(|value| read(&write(value))).collect()),
    }
}

//! Values as YAML. Each engine writes values of its own crate, one text per document; libyaml's
//! emitters write the steps of Ketch's values.

use std::rc::Rc;

use super::data::Plain;
use super::emitter::Steps;
use super::{emitter, ketch, noyalib, serde_saphyr, serde_yaml};
use crate::runner::text as as_text;
use crate::work::{Prepared, Refusal, absent, timed};

pub fn prepare(engine: &str, text: &str) -> Prepared {
    Ok(match engine {
        "ketch" => task(ketch(text)?, |value| ketch::to_string(value).map(String::into_bytes)),
        "serde_yaml" => {
            task(serde_yaml(text)?, |value| serde_yaml::to_string(value).map(String::into_bytes))
        }
        "noyalib" => {
            task(noyalib(text)?, |value| noyalib::to_string(value).map(String::into_bytes))
        }
        "serde-saphyr" => task(serde_saphyr(text)?, |value| {
            serde_saphyr::to_string(value).map(String::into_bytes)
        }),
        #[cfg(has_libyaml)]
        "libyaml" => {
            task(steps(text, emitter::libyaml)?, |steps| Ok::<_, String>(emitter::libyaml(steps)))
        }
        "unsafe-libyaml" => task(steps(text, emitter::unsafe_libyaml)?, |steps| {
            Ok::<_, String>(emitter::unsafe_libyaml(steps))
        }),
        _ => return Err(absent(engine)),
    })
}

fn steps(text: &str, emit: fn(&Steps) -> Vec<u8>) -> Result<Vec<Steps>, Refusal> {
    let steps = ketch(text)?.iter().map(|value| Steps::of(value, emit)).collect();
    let tagged = || Refusal::Unable("the events for the emitter have no tags".to_owned());
    Option::ok_or_else(steps, tagged)
}

fn task<T: 'static, E: std::fmt::Display>(
    values: Vec<T>,
    write: impl Fn(&T) -> Result<Vec<u8>, E> + Copy + 'static,
) -> Box<dyn crate::work::Work> {
    let values = Rc::new(values);
    let again = values.clone();
    let write = move |value: &T| write(value).map_err(as_text);
    let read = move |value: &T| {
        let text = write(value)?;
        let value: ketch::Value = ketch::from_slice(&text).map_err(as_text)?;
        Ok(value.plain())
    };
    timed(
        move || values.iter().try_fold(0, |sum, value| Ok(sum + write(value)?.len())),
        move || Ok(again.iter().map(read).collect::<Result<Vec<_>, String>>()?.into()),
    )
}

//! A YAML 1.2 engine.
#![forbid(unsafe_code)]

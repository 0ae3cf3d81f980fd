//! Nothing: see `run`.

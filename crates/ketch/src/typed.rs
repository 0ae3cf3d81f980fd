//! Converts values by an extprot schema. Fields keep their names, and constructors of sum types
//! become tags.
//!
//! | schema | YAML | JSON |
//! |---|---|---|
//! | bool, byte, int, long | bool, int in range | the same |
//! | float | float, or an int that is one exactly | number; `".inf"`, `"-.inf"` and `".nan"` on request |
//! | string | str; bytes that are not UTF-8 as `!!binary /w==` | string; bytes that are not UTF-8 as `{"!!binary":"/w=="}` |
//! | list, array, tuple | sequence | array |
//! | record, message | mapping of its fields | object |
//! | constant `Red` | `Red` | `"Red"` |
//! | constructor `Circle int` | `!Circle 5` | `{"Circle":5}` |
//! | constructor `Rect int int` | `!Rect [1, 2]` | `{"Rect":[1,2]}` |
//! | case `Some` of a union | `!Some {a: 1}` | `{"Some":{"a":1}}` |
//!
//! In both YAML and JSON, both forms of constructors are accepted. An argument that has a tag
//! itself is written in a sequence, because a node cannot have two tags: `!Filled [!Circle 5]`. A
//! missing field gets the default of its type, if there is one. An unknown field is an error.
//!
//! The recursion follows the schema, whose depth is bounded when it is checked, and never the
//! input.

mod read;
mod write;

pub use read::TypedReader;
pub use write::{Constructors, write};

//! The wire format: self-describing, length-delimited values (specification 2).
//!
//! | to | use |
//! |---|---|
//! | read primitives and blocks of known types from a slice | [`Reader`] |
//! | read all tokens of a slice | [`Tokens`] |
//! | have tokens pushed into a receiver | [`visit`] |
//! | read one field without decoding the others | [`View`] |
//! | split a slice into messages | [`Messages`] |
//! | split any [`std::io::Read`] into messages | [`MessageReader`] |
//! | read the tokens of any [`std::io::Read`] in constant memory | [`StreamTokens`] |
//! | write | [`Writer`] |

mod messages;
mod reader;
mod stream;
mod tokens;
mod view;
pub mod vint;
mod visit;
mod writer;

pub use crate::prefix::{Prefix, WireType};
pub use messages::{MessageReader, Messages, value_length};
pub use reader::{Block, Reader};
pub use stream::StreamTokens;
pub use tokens::{Token, TokenKind, Tokens};
pub use view::{View, Views};
pub use visit::{Visitor, visit};
pub use writer::Writer;

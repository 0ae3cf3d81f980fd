//! Sessions edit a text so that all bytes that an edit does not concern are kept. They provide
//! views: numbers for which a binding creates objects of its language that represent collections of
//! the text.
//!
//! ```
//! use ketch_host::edit::{Child, Session};
//! use ketch_edit::{Edit, Field};
//! use ketch_yaml::path::Step;
//!
//! let mut session = Session::new(Edit::open("ports: [80, 443]\n")?);
//! let root = session.root(0);
//! let Child::Sequence(ports) = session.child(root, Step::Key("ports".into()))? else { panic!() };
//! let place = session.place(ports)?;
//! let mut append = place.request("append");
//! append.give("value", Field::Text("8080".into()));
//! session.apply(&[append.operation()?])?;
//! assert_eq!(session.edit().text(), "ports: [80, 443, 8080]\n");
//! assert_eq!(session.count(ports)?, 3);
//! # Ok::<(), ketch_host::edit::Refusal>(())
//! ```
//!
//! A view is a number that identifies a collection. It stays valid when entries before the
//! collection are inserted or deleted. It becomes *stale* when the collection itself is deleted,
//! moved or replaced; from then on, each use of it is an error.

mod refusal;
mod session;
mod slots;
pub mod source;
#[cfg(test)]
mod tests;

pub use refusal::{Refusal, help};
pub(crate) use refusal::{class_name, describe, message};
pub use session::{Child, Place, Reading, Session, View};

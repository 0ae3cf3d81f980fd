//! Sessions of byte-exact editing with views: objects of the host that stand for collections of the
//! text.
//!
//! ```
//! use ketch_host::edit::{Child, Session};
//! use ketch_yaml::edit::{Edit, Operation};
//! use ketch_yaml::path::Step;
//!
//! let mut session = Session::new(Edit::open("ports: [80, 443]\n")?);
//! let root = session.root(0);
//! let Child::Sequence(ports) = session.child(root, Step::Key("ports".into()))? else { panic!() };
//! let place = session.place(ports)?;
//! session.apply(&[place.operation("append").with_value("8080")])?;
//! assert_eq!(session.edit().text(), "ports: [80, 443, 8080]\n");
//! assert_eq!(session.count(ports)?, 3);
//! # Ok::<(), ketch_host::edit::Refusal>(())
//! ```
//!
//! A view is a number. It follows its collection when items before it come or go, and is *stale* when
//! the collection is deleted, moved or replaced: each use is an error then.

mod refusal;
mod session;
mod slots;
pub mod source;
#[cfg(test)]
mod tests;

pub use refusal::{Refusal, class_name, describe, help};
pub use session::{Child, Place, Reading, Session, View};

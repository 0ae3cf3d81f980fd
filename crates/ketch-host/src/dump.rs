//! Writes the collections of a host language, of which those that occur more than once get anchors.
//!
//! Since few documents contain such collections, a host writes without anchors first. If it
//! [finds a collection that it has written](Stop::Again), it counts the occurrences of all collections and writes the
//! document again.

use ketch_yaml::present::{CollectionStyle, PresentError, Presenter, Properties, ScalarStyle};
use std::collections::{HashMap, TryReserveError};
use std::hash::{BuildHasherDefault, Hasher};
use std::io::Write;

/// The reason why writing stops.
#[derive(Debug)]
pub enum Stop {
    /// A collection occurs again, so anchors are needed.
    Again,
    /// Memory has run out.
    Memory(TryReserveError),
    /// The presenter refuses to write.
    Present(PresentError),
}

impl From<TryReserveError> for Stop {
    fn from(error: TryReserveError) -> Stop {
        Stop::Memory(error)
    }
}

impl From<PresentError> for Stop {
    fn from(error: PresentError) -> Stop {
        Stop::Present(error)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// Seen once.
    Once,
    /// Seen more than once, and not yet written.
    Shared,
    /// Written with an anchor, whose name is this number.
    Written(u32),
}

/// Hashes the address of an object.
#[derive(Debug, Default)]
struct Address(u64);

impl Hasher for Address {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, address: u64) {
        // Objects are at least 8 bytes apart, and the table uses bits from both ends of the hash.
        let mixed = (self.0 ^ address).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// The anchors of a document.
///
/// ```
/// use ketch_host::dump::{Anchors, Stop};
/// use ketch_yaml::present::Presenter;
///
/// // A sequence that contains the collection at the address 8 twice.
/// let write = |anchors: &mut Anchors| {
///     let mut presenter = Presenter::new(Vec::new());
///     presenter.start_document(false)?;
///     anchors.start(&mut presenter, Some(16), None, false)?;
///     for _ in 0..2 {
///         if anchors.start(&mut presenter, Some(8), None, false)? {
///             Anchors::end(&mut presenter, false)?;
///         }
///     }
///     Anchors::end(&mut presenter, false)?;
///     presenter.end_document(false)?;
///     Ok(presenter.finish()?)
/// };
/// let mut anchors = Anchors::default();
/// assert!(matches!(write(&mut anchors), Err(Stop::Again)));
///
/// let mut anchors = Anchors::default();
/// for address in [16, 8, 8] {
///     anchors.count(address).unwrap();
/// }
/// anchors.counted();
/// assert_eq!(write(&mut anchors).unwrap(), b"- &1 []\n- *1\n");
/// ```
#[derive(Debug, Default)]
pub struct Anchors {
    /// The collections that have occurred so far, by the addresses of their objects; once they are
    /// counted, only those that occur more than once.
    met: HashMap<usize, Mark, BuildHasherDefault<Address>>,
    is_counted: bool,
    /// The number of the last anchor.
    last: u32,
}

impl Anchors {
    /// Counts an occurrence of a collection, and returns whether it is the first one.
    ///
    /// # Errors
    ///
    /// Fails if memory runs out.
    pub fn count(&mut self, address: usize) -> Result<bool, TryReserveError> {
        self.met.try_reserve(1)?;
        let before = self.met.insert(address, Mark::Once);
        if before.is_some() {
            self.met.insert(address, Mark::Shared);
        }
        Ok(before.is_none())
    }

    /// Says that all occurrences in the document are counted.
    pub fn counted(&mut self) {
        self.met.retain(|_, mark| *mark != Mark::Once);
        self.is_counted = true;
    }

    /// Writes an alias and returns `None` if the collection was already written. Otherwise, returns the
    /// number of the anchor that it needs, or `Some(None)` if it needs none.
    ///
    /// # Errors
    ///
    /// Fails with [`Stop::Again`] if the collections have to be counted.
    #[inline(always)]
    pub fn meet<W: Write>(
        &mut self,
        presenter: &mut Presenter<W>,
        address: usize,
    ) -> Result<Option<Option<u32>>, Stop> {
        Ok(match self.met.get(&address).copied() {
            None if self.is_counted => Some(None),
            None => {
                self.met.try_reserve(1)?;
                self.met.insert(address, Mark::Once);
                Some(None)
            }
            Some(Mark::Once) => return Err(Stop::Again),
            Some(Mark::Shared) => {
                self.last += 1;
                self.met.insert(address, Mark::Written(self.last));
                Some(Some(self.last))
            }
            Some(Mark::Written(number)) => {
                presenter.alias(&number.to_string())?;
                None
            }
        })
    }

    /// Writes the start of a collection and returns true, or writes an alias if it was already written.
    /// An object without an address never gets an anchor.
    ///
    /// # Errors
    ///
    /// As [`Anchors::meet`].
    #[inline(always)]
    pub fn start<W: Write>(
        &mut self,
        presenter: &mut Presenter<W>,
        address: Option<usize>,
        tag: Option<&str>,
        is_mapping: bool,
    ) -> Result<bool, Stop> {
        let number = match address {
            None => None,
            Some(address) => match self.meet(presenter, address)? {
                None => return Ok(false),
                Some(number) => number,
            },
        };
        let anchor = number.map(|number| number.to_string());
        let properties = Properties { anchor: anchor.as_deref(), tag };
        match is_mapping {
            true => presenter.start_mapping(CollectionStyle::Block, properties)?,
            false => presenter.start_sequence(CollectionStyle::Block, properties)?,
        }
        Ok(true)
    }

    /// Writes the end of a collection.
    ///
    /// # Errors
    ///
    /// Fails if the presenter does.
    #[inline(always)]
    pub fn end<W: Write>(presenter: &mut Presenter<W>, is_mapping: bool) -> Result<(), Stop> {
        match is_mapping {
            true => presenter.end_mapping()?,
            false => presenter.end_sequence()?,
        }
        Ok(())
    }
}

/// Writes the string `<<` with a tag: without one, some readers would take it for a merge key, even in
/// quotes.
///
/// # Errors
///
/// Fails if the presenter does.
#[cold]
pub fn merge_key_as_text<W: Write>(presenter: &mut Presenter<W>) -> Result<(), PresentError> {
    let properties = Properties::tag("tag:yaml.org,2002:str");
    presenter.scalar("<<", ScalarStyle::DoubleQuoted, properties)
}

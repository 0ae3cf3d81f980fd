//! The nodes that a path leads to in a document.

use super::document::Document;
use super::follow::{Follower, Selected};
use super::node::NodeId;
use super::select::{Reached, Wanted, reached};
use super::trail::{Hit, Trail};
use super::view::Node;
use crate::error::Error;
use crate::limits::Limits;
use crate::path::{self, Path, Step};

impl<'d> Node<'d> {
    /// Returns the nodes to which `path` leads from this one, in document order. There may be none.
    ///
    /// If the path starts with a filter of documents, it is applied to this node. The index of a
    /// document is ignored. Aliases on the path are followed, but an alias at its end is returned
    /// itself. Merge keys are applied if the document was composed with them. Keys are compared by
    /// their values under [`Document::schema`].
    ///
    /// # Errors
    ///
    /// Returns [`Problem::AliasCycle`] if the path leads to an alias inside its own target,
    /// [`Problem::MergeValue`] if a merge key on the path has a value that is not a mapping, and
    /// [`Problem::TooManyAliasNodes`] if wildcards find more nodes through aliases than the default
    /// limit allows.
    ///
    /// [`Problem::AliasCycle`]: crate::Problem::AliasCycle
    /// [`Problem::MergeValue`]: crate::Problem::MergeValue
    /// [`Problem::TooManyAliasNodes`]: crate::Problem::TooManyAliasNodes
    ///
    /// ```
    /// use ketch_yaml::Documents;
    ///
    /// let document = Documents::new(b"- &a {port: 80}\n- {port: 443}\n- *a\n").next().unwrap()?;
    /// let ports = document.root().select(&"[*].port".parse().unwrap())?;
    /// let ports: Vec<_> = ports.iter().map(|node| node.text()).collect();
    /// assert_eq!(ports, ["80", "443", "80"]);
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn select(self, path: &Path) -> Result<Vec<Node<'d>>, Error> {
        let document = self.document();
        let wanted = Wanted::in_stream(path, document.schema());
        let limits = Limits::default();
        let mut follower = Follower::new(document, &limits);
        let at = self.id().index();
        let selected = match path.documents() {
            Some(path::Documents::Filter(_)) => follower.select_entry(at, 0, &wanted),
            _ => follower.select(at, &wanted),
        };
        match selected {
            Ok(Selected::Nodes(nodes)) => {
                Ok(nodes.into_iter().map(|at| Node::new(document, at.into())).collect())
            }
            Ok(Selected::None(_)) | Ok(Selected::Rejected) => Ok(Vec::new()),
            Err(fault) => Err(document.error(fault)),
        }
    }
}

/// The nodes that a path leads to in a document, each with a path of its own.
#[derive(Debug)]
pub enum Places {
    /// The nodes, in document order.
    Found(Vec<Place>),
    /// The path leads to no node; this is how far it leads.
    None(Reached),
}

/// A node and a path to it without wildcards.
#[derive(Debug)]
pub struct Place {
    /// The path, or `None` if a key on the way is not a scalar, so that no path can name it.
    pub steps: Option<Vec<Step>>,
    /// The start of the node in the text.
    pub offset: usize,
}

/// Finds the nodes of `document` to which a path with the steps `steps` leads, and for each a path
/// that leads only there.
///
/// # Errors
///
/// The same as those of [`Node::select`].
///
/// ```
/// use ketch_yaml::compose::{Places, places};
/// use ketch_yaml::path::{Path, Step};
/// use ketch_yaml::Documents;
///
/// let document = Documents::new(b"ports: [80, 443]").next().unwrap()?;
/// let path: Path = "ports[*]".parse().unwrap();
/// let Places::Found(places) = places(&document, path.steps())? else { panic!("no ports") };
/// let steps = places[1].steps.as_deref().unwrap();
/// assert_eq!((&steps[1], places[1].offset), (&Step::Index(1), 12));
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
pub fn places(document: &Document<'_>, steps: &[Step]) -> Result<Places, Error> {
    let limits = Limits::default();
    let wanted = Wanted::all(steps, document.schema());
    let mut follower = Follower::new(document, &limits);
    follower.trail = Trail::kept();
    let root = Hit { node: NodeId::ROOT.index(), trail: 0 };
    let ends = follower.follow(root, &wanted).map_err(|fault| document.error(fault))?;
    Ok(match ends {
        Ok(hits) => Places::Found(
            hits.iter()
                .map(|hit| Place {
                    steps: follower.trail.steps(document, *hit, steps),
                    offset: document.view().span(hit.node).start,
                })
                .collect(),
        ),
        Err((count, node)) => Places::None(reached(document, node, count)),
    })
}

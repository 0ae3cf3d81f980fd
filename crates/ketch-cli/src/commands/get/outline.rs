//! Lists what is in a node: its keys, the paths of all values, or an outline.

use ketch_yaml::compose::{Kind, Node, Style};
use ketch_yaml::is_masked;
use ketch_yaml::path::{Documents, Path, Step};

/// The maximum number of characters of a scalar in an outline.
const SHOWN_CHARS: usize = 60;

/// Returns the keys of a mapping, or the indices of a sequence, as text. Returns `None` for a scalar.
pub fn keys(node: Node<'_>) -> Option<Vec<String>> {
    let node = node.resolved();
    match node.kind() {
        Kind::Mapping => Some(node.entries().map(|(key, _)| key_text(key)).collect()),
        Kind::Sequence => Some((0..node.len()).map(|index| index.to_string()).collect()),
        _ => None,
    }
}

/// Returns the number of entries of a collection, or of characters of a scalar.
pub fn length(node: Node<'_>) -> usize {
    let node = node.resolved();
    if node.kind() == Kind::Scalar { node.text().chars().count() } else { node.len() }
}

/// Passes the path of each value in `node` that has no others in it to `each`. The node is in the
/// document with the number `index`.
pub fn paths<E>(
    node: Node<'_>,
    index: u64,
    mut each: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut stack = vec![(node, steps_to(node))];
    while let Some((node, steps)) = stack.pop() {
        let before = stack.len();
        let step = |step: Step| steps.iter().cloned().chain([step]).collect::<Vec<_>>();
        match node.kind() {
            Kind::Mapping => {
                stack.extend(node.entries().map(|(key, value)| (value, step(name(key)))))
            }
            Kind::Sequence => {
                let numbered = node.items().enumerate();
                stack.extend(numbered.map(|(at, item)| (item, step(Step::Index(at as i64)))));
            }
            _ => {}
        }
        if stack.len() == before {
            each(&shown(steps, index))?;
        }
        stack[before..].reverse();
    }
    Ok(())
}

/// Returns the steps from the root of the document to `node`.
fn steps_to(node: Node<'_>) -> Vec<Step> {
    let mut at = node.document().root();
    let mut steps = Vec::new();
    let wanted = node.id().index();
    while at.id() != node.id() {
        let holds = |child: Node<'_>| child.subtree().contains(&wanted) || child.id() == node.id();
        let found = match at.kind() {
            Kind::Mapping => {
                at.entries().find(|(_, value)| holds(*value)).map(|(key, value)| (name(key), value))
            }
            _ => at
                .items()
                .enumerate()
                .find(|(_, item)| holds(*item))
                .map(|(index, item)| (Step::Index(index as i64), item)),
        };
        let Some((step, child)) = found else { break };
        steps.push(step);
        at = child;
    }
    steps
}

fn name(key: Node<'_>) -> Step {
    let step = Step::Name(key_text(key));
    let is_quoted = Path::default().then(step.clone()).to_string().starts_with('[');
    let is_plain = is_quoted && key.resolved().style() == Style::Plain;
    let scalar = is_plain.then(|| scalar_step(&key.text())).flatten();
    scalar.unwrap_or(step)
}

/// Returns the step to the key `text` if that is null, a boolean or a float.
pub fn scalar_step(text: &str) -> Option<Step> {
    let path: Path = format!("[{text}]").parse().ok()?;
    match path.steps() {
        [step @ Step::Plain(_)] => Some(step.clone()),
        _ => None,
    }
}

/// Returns a path as it is typed.
fn shown(steps: Vec<Step>, index: u64) -> String {
    let chosen = (index > 0).then_some(Documents::Index(index));
    let path = steps.into_iter().fold(Path::default(), Path::then).of_documents(chosen);
    let text = path.to_string();
    match text.starts_with(['.', '[', '@', '/']) {
        true => text,
        false => format!(".{text}"),
    }
}

/// Returns the outline of `node`: a line for each entry in it, indented by its depth.
pub fn tree(node: Node<'_>) -> Vec<String> {
    let node = node.resolved();
    if node.kind() == Kind::Scalar {
        return vec![summary(node)];
    }
    let mut lines = Vec::new();
    let mut stack: Vec<_> = children(node).into_iter().rev().map(|child| (child, 0)).collect();
    while let Some(((label, child), depth)) = stack.pop() {
        lines.push(format!("{:1$}{label}: {2}", "", 2 * depth, summary(child)));
        stack.extend(children(child).into_iter().rev().map(|child| (child, depth + 1)));
    }
    lines
}

/// Returns the children of `node` with their labels. An alias has none, since its target is elsewhere.
fn children(node: Node<'_>) -> Vec<(String, Node<'_>)> {
    match node.kind() {
        Kind::Mapping => node.entries().map(|(key, value)| (key_text(key), value)).collect(),
        Kind::Sequence => {
            node.items().enumerate().map(|(index, item)| (format!("[{index}]"), item)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns a node in a few words.
fn summary(node: Node<'_>) -> String {
    let count = |what: &str| match node.len() {
        1 => format!("1 {what}"),
        len => format!("{len} {what}s"),
    };
    match node.kind() {
        Kind::Mapping => count("key"),
        Kind::Sequence => count("item"),
        Kind::Alias => format!("*{}", node.anchor().unwrap_or_default()),
        Kind::Scalar => shortened(&node.text()),
    }
}

/// Returns a key as text; a collection as key is shown as its brackets.
fn key_text(key: Node<'_>) -> String {
    match key.resolved().kind() {
        Kind::Mapping => "{}".to_owned(),
        Kind::Sequence => "[]".to_owned(),
        _ => key.text().into_owned(),
    }
}

/// Returns the first characters of `text` on one line.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let shown: String = line
        .chars()
        .map(|ch| if is_masked(ch) { '\u{fffd}' } else { ch })
        .take(SHOWN_CHARS)
        .collect();
    let is_cut = shown.chars().count() < text.trim_end().chars().count();
    if is_cut { shown + " ..." } else { shown }
}

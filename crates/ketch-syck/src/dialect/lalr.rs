//! Generating the tables of the LALR(1) parser from the grammar, and comparing them with the stored
//! ones.

use super::grammar::{Name, RULES, Symbol};
use super::token::{KINDS, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// An item: the index of a rule, and a position in it. The start rule has the index `START`, after
/// the rules of the grammar.
type Item = (usize, usize);
type Tokens = BTreeSet<u8>;

const START: usize = RULES.len();
const NAMES: usize = 28;

/// Returns the symbols of the rule with the index `rule`. The start rule has a document as its only
/// symbol.
fn symbols(rule: usize) -> &'static [Symbol] {
    if rule == START { &[Symbol::N(Name::Document)] } else { RULES[rule].symbols }
}

/// For each name, the tokens that it can start with, and whether it can be empty.
struct First {
    sets: Vec<Tokens>,
    nullable: Vec<bool>,
}

impl First {
    /// Computes the sets by extending them until nothing changes any more.
    fn new() -> First {
        let mut first = First { sets: vec![Tokens::new(); NAMES], nullable: vec![false; NAMES] };
        loop {
            let before = format!("{:?}{:?}", first.sets, first.nullable);
            for rule in RULES {
                let (set, nullable) = first.of(rule.symbols);
                first.sets[rule.name as usize].extend(set);
                first.nullable[rule.name as usize] |= nullable;
            }
            if before == format!("{:?}{:?}", first.sets, first.nullable) {
                return first;
            }
        }
    }

    /// Returns the tokens that `symbols` can start with, and whether they can be empty.
    fn of(&self, symbols: &[Symbol]) -> (Tokens, bool) {
        let mut set = Tokens::new();
        for symbol in symbols {
            match symbol {
                Symbol::T(kind) => {
                    set.insert(*kind as u8);
                    return (set, false);
                }
                Symbol::N(name) => {
                    set.extend(&self.sets[*name as usize]);
                    if !self.nullable[*name as usize] {
                        return (set, false);
                    }
                }
            }
        }
        (set, true)
    }
}

/// Returns all items of the state with the items `kernel`, each with its lookahead tokens.
fn closure(first: &First, kernel: &BTreeMap<Item, Tokens>) -> BTreeMap<Item, Tokens> {
    let mut items = kernel.clone();
    let mut work: Vec<Item> = items.keys().copied().collect();
    while let Some(item @ (rule, at)) = work.pop() {
        let Some(Symbol::N(name)) = symbols(rule).get(at) else { continue };
        let (mut ahead, nullable) = first.of(&symbols(rule)[at + 1..]);
        if nullable {
            ahead.extend(&items[&item]);
        }
        for (index, _) in RULES.iter().enumerate().filter(|(_, rule)| rule.name == *name) {
            let known = items.entry((index, 0)).or_default();
            let before = known.len();
            let is_new = before == 0;
            known.extend(&ahead);
            if is_new || known.len() > before {
                work.push((index, 0));
            }
        }
    }
    items
}

/// Returns the kernel of the state that follows a state with `items` after `symbol` was read.
fn after(items: &BTreeMap<Item, Tokens>, symbol: Symbol) -> BTreeMap<Item, Tokens> {
    let mut next = BTreeMap::new();
    for (&(rule, at), ahead) in items {
        if symbols(rule).get(at) == Some(&symbol) {
            next.insert((rule, at + 1), ahead.clone());
        }
    }
    next
}

/// Returns the precedence of a token, by which conflicts are resolved. Without a precedence, the
/// parser shifts.
fn precedence(kind: u8) -> u8 {
    match kind {
        _ if kind == Kind::Dash as u8 || kind == Kind::Colon as u8 => 1,
        _ if kind >= Kind::SequenceOpen as u8 => 2,
        _ => 0,
    }
}

/// Returns the precedence of a rule, which is that of its last token.
fn rule_precedence(rule: usize) -> u8 {
    let tokens = symbols(rule).iter().rev().filter_map(|symbol| match symbol {
        Symbol::T(kind) => Some(*kind as u8),
        Symbol::N(_) => None,
    });
    tokens.map(precedence).next().unwrap_or(0)
}

/// The tables: the action for each state and token, and the next state for each state and name.
pub(super) struct Tables {
    pub actions: Vec<[i16; KINDS]>,
    pub gotos: Vec<[u8; NAMES]>,
}

/// Generates the tables. States with the same items are merged.
pub(super) fn tables() -> Tables {
    let first = First::new();
    let start = BTreeMap::from([((START, 0), Tokens::from([Kind::End as u8]))]);
    let mut kernels = vec![start];
    let mut edges: Vec<Vec<(Symbol, usize)>> = vec![Vec::new()];
    let mut work = vec![0];
    while let Some(state) = work.pop() {
        let items = closure(&first, &kernels[state]);
        let mut seen: Vec<Symbol> = Vec::new();
        for &(rule, at) in items.keys() {
            if let Some(&symbol) = symbols(rule).get(at).filter(|symbol| !seen.contains(symbol)) {
                seen.push(symbol);
            }
        }
        edges[state].clear();
        for symbol in seen {
            let next = after(&items, symbol);
            let same = |kernel: &BTreeMap<Item, Tokens>| kernel.keys().eq(next.keys());
            let target = match kernels.iter().position(same) {
                Some(target) => {
                    let mut grew = false;
                    for (item, ahead) in next {
                        if let Some(known) = kernels[target].get_mut(&item) {
                            let before = known.len();
                            known.extend(ahead);
                            grew |= known.len() > before;
                        }
                    }
                    if grew && !work.contains(&target) {
                        work.push(target);
                    }
                    target
                }
                None => {
                    kernels.push(next);
                    edges.push(Vec::new());
                    work.push(kernels.len() - 1);
                    kernels.len() - 1
                }
            };
            edges[state].push((symbol, target));
        }
    }
    fill(&first, &kernels, &edges)
}

/// Determines the actions of all states. Conflicts are resolved by precedence.
fn fill(
    first: &First,
    kernels: &[BTreeMap<Item, Tokens>],
    edges: &[Vec<(Symbol, usize)>],
) -> Tables {
    let mut tables = Tables { actions: Vec::new(), gotos: Vec::new() };
    for (kernel, edges) in kernels.iter().zip(edges) {
        let (mut actions, mut gotos) = ([0; KINDS], [0; NAMES]);
        for &(symbol, target) in edges {
            match symbol {
                Symbol::T(kind) => actions[kind as usize] = target as i16 + 1,
                Symbol::N(name) => gotos[name as usize] = target as u8,
            }
        }
        // This goes in the order of the rules, so that the first rule takes precedence.
        for ((rule, at), ahead) in closure(first, kernel) {
            if at < symbols(rule).len() {
                continue;
            }
            for token in ahead {
                let known = actions[token as usize];
                let (ours, theirs) = (rule_precedence(rule), precedence(token));
                let beats_shift = known > 0 && ours > 0 && theirs > 0 && ours >= theirs;
                if known == 0 || beats_shift {
                    actions[token as usize] = -(rule as i16) - 1;
                }
            }
        }
        tables.actions.push(actions);
        tables.gotos.push(gotos);
    }
    tables
}

/// Returns the source text of [`super::table`].
fn source(tables: &Tables) -> String {
    let mut out = String::from(
        "//! The parser's tables. Written by `UPDATE_TABLES=1 cargo test -p ketch-syck --lib dialect::lalr`\n\
         //! from [`super::grammar`]; do not edit.\n\n\
         /// For each state and token: what to do. Positive: shift, and go to the state of one less.\n\
         /// Negative: reduce the rule `-1 - action`; the rule after the last one accepts. Zero: an error.\n\
         #[rustfmt::skip]\npub(super) const ACTIONS: &[[i16; ",
    );
    out += &format!("{KINDS}]] = &[\n");
    for row in &tables.actions {
        out += &format!("    {row:?},\n");
    }
    out += "];\n\n/// For each state and name of a rule: the next state.\n#[rustfmt::skip]\n";
    out += &format!("pub(super) const GOTOS: &[[u8; {NAMES}]] = &[\n");
    for row in &tables.gotos {
        out += &format!("    {row:?},\n");
    }
    out + "];\n"
}

#[test]
fn the_tables_are_those_of_the_grammar() {
    let made = source(&tables());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/dialect/table.rs");
    if std::env::var_os("UPDATE_TABLES").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    assert!(made == include_str!("table.rs"), "stale: see the first line of table.rs");
}

//! Maps and sets: in the order they stand, equal in any order.

use std::cmp::Ordering;

use super::{Node, Value};

/// A map: its entries in the order they stand, with a sorted index beside them, so that equality in any order and
/// finding duplicates take one pass.
///
/// It may hold a key twice, because a file may; [`Map::get`] gives the first, and reading reports the second.
#[derive(Debug, Clone)]
pub struct Map {
    entries: Vec<(Node, Node)>,
    sorted: Vec<usize>,
}

impl Map {
    /// A map of these entries.
    pub fn new(entries: Vec<(Node, Node)>) -> Self {
        let mut sorted: Vec<usize> = (0..entries.len()).collect();
        sorted.sort_by(|&a, &b| entries[a].0.cmp(&entries[b].0));
        Self { entries, sorted }
    }

    /// The entries, in the order they stand.
    pub fn entries(&self) -> &[(Node, Node)] {
        &self.entries
    }

    /// The first value under a keyword, given with or without its colon.
    pub fn get(&self, keyword: &str) -> Option<&Node> {
        let name = keyword.strip_prefix(':').unwrap_or(keyword);
        self.entries.iter().find(|(key, _)| key.as_keyword() == Some(name)).map(|(_, value)| value)
    }

    /// Each key that stands a second time: the first place and the further one, in the order of the further ones.
    pub(super) fn duplicates(&self) -> Vec<(&Node, &Node)> {
        duplicates(&self.sorted, |index| &self.entries[index].0)
    }

    fn in_order(&self) -> impl Iterator<Item = &(Node, Node)> {
        self.sorted.iter().map(|&index| &self.entries[index])
    }
}

/// A set: its items in the order they stand, equal in any order. It may hold an item twice, because a file may.
#[derive(Debug, Clone)]
pub struct Set {
    items: Vec<Node>,
    sorted: Vec<usize>,
}

impl Set {
    /// A set of these items.
    pub fn new(items: Vec<Node>) -> Self {
        let mut sorted: Vec<usize> = (0..items.len()).collect();
        sorted.sort_by(|&a, &b| items[a].cmp(&items[b]));
        Self { items, sorted }
    }

    /// The items, in the order they stand.
    pub fn items(&self) -> &[Node] {
        &self.items
    }

    /// Whether it holds `value`.
    pub fn contains(&self, value: &Value) -> bool {
        self.sorted.binary_search_by(|&index| self.items[index].value.cmp(value)).is_ok()
    }

    /// Each item that stands a second time: the first place and the further one, in the order of the further ones.
    pub(super) fn duplicates(&self) -> Vec<(&Node, &Node)> {
        duplicates(&self.sorted, |index| &self.items[index])
    }

    fn in_order(&self) -> impl Iterator<Item = &Node> {
        self.sorted.iter().map(|&index| &self.items[index])
    }
}

/// Runs of equal neighbours in a stable order: the first of a run is the first that stands in the file.
fn duplicates<'a>(sorted: &[usize], node: impl Fn(usize) -> &'a Node) -> Vec<(&'a Node, &'a Node)> {
    let mut found = Vec::new();
    let mut first = sorted.first().copied();
    for &index in sorted.iter().skip(1) {
        match first {
            Some(earlier) if node(earlier) == node(index) => found.push((earlier, index)),
            _ => first = Some(index),
        }
    }
    found.sort_by_key(|&(_, further)| further);
    found.into_iter().map(|(earlier, further)| (node(earlier), node(further))).collect()
}

macro_rules! equal_in_any_order {
    ($($collection:ident)*) => {$(
        impl PartialEq for $collection {
            fn eq(&self, other: &Self) -> bool {
                self.cmp(other) == Ordering::Equal
            }
        }

        impl Eq for $collection {}

        impl PartialOrd for $collection {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $collection {
            fn cmp(&self, other: &Self) -> Ordering {
                self.in_order().cmp(other.in_order())
            }
        }
    )*};
}

equal_in_any_order!(Map Set);

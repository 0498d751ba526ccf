//! The Merkle tree over leaves: pairs are hashed level by level, an odd one moves up as it is.

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

/// That one leaf is under a root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InclusionProof {
    /// The leaf's place, from 0.
    pub index: usize,
    /// How many leaves there are.
    pub count: usize,
    /// The hashes beside the way to the root, from below.
    pub path: Vec<Hash>,
}

impl InclusionProof {
    /// Whether this leaf stands at that place under the root.
    pub fn holds(&self, leaf: &Hash, root: &Hash) -> bool {
        let (mut at, mut count, mut hash) = (self.index, self.count, *leaf);
        let mut path = self.path.iter();
        if at >= count {
            return false;
        }
        while count > 1 {
            if at ^ 1 < count {
                let Some(beside) = path.next() else { return false };
                hash = if at & 1 == 0 { node(&hash, beside) } else { node(beside, &hash) };
            }
            (at, count) = (at / 2, count.div_ceil(2));
        }
        path.next().is_none() && sealed(self.count, &hash) == *root
    }
}

/// The root; of no leaves, the hash of nothing.
pub(super) fn root(leaves: impl Iterator<Item = Hash>) -> Hash {
    let mut level: Vec<Hash> = leaves.collect();
    let count = level.len();
    while level.len() > 1 {
        level = above(&level);
    }
    sealed(count, &level.first().copied().unwrap_or_else(|| Hash::of("mentci session leaf", [])))
}

pub(super) fn prove(leaves: impl Iterator<Item = Hash>, index: usize) -> Option<InclusionProof> {
    let mut level: Vec<Hash> = leaves.collect();
    let (count, mut at, mut path) = (level.len(), index, Vec::new());
    if index >= count {
        return None;
    }
    while level.len() > 1 {
        path.extend(level.get(at ^ 1).copied());
        (level, at) = (above(&level), at / 2);
    }
    Some(InclusionProof { index, count, path })
}

fn above(level: &[Hash]) -> Vec<Hash> {
    let pair = |pair: &[Hash]| match pair {
        [left, right] => node(left, right),
        [odd] => *odd,
        // OK because chunks have one or two.
        _ => Hash::of("mentci session node", []),
    };
    level.chunks(2).map(pair).collect()
}

fn node(left: &Hash, right: &Hash) -> Hash {
    Hash::of("mentci session node", [left.as_bytes().as_slice(), right.as_bytes().as_slice()])
}

/// The count is part of the root, so that a tree cannot pass for a smaller one.
fn sealed(count: usize, top: &Hash) -> Hash {
    Hash::of("mentci session root", [(count as u64).to_le_bytes().as_slice(), top.as_bytes().as_slice()])
}

//! Lists of lists, in columns: what an index is made of, and what a pack holds of it as it stands.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::tools::place;

/// Lists of numbers behind each other, and where each ends.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Groups {
    pub(crate) ends: Box<[u32]>,
    pub(crate) items: Box<[u32]>,
}

impl Groups {
    pub(crate) fn new<L: AsRef<[u32]>>(lists: impl IntoIterator<Item = L>) -> Self {
        let (mut ends, mut items) = (Vec::new(), Vec::new());
        for list in lists {
            items.extend_from_slice(list.as_ref());
            ends.push(place(items.len()));
        }
        Self { ends: ends.into(), items: items.into() }
    }

    /// Lists that were written down: `count` of them, of numbers below `below`; none where they cannot be.
    pub(crate) fn read(ends: Box<[u32]>, items: Box<[u32]>, count: usize, below: usize) -> Option<Self> {
        let fits = ends.len() == count && items.iter().all(|&item| (item as usize) < below);
        let ordered = ends.is_sorted() && ends.last().copied().unwrap_or(0) as usize == items.len();
        (fits && ordered).then_some(Self { ends, items })
    }

    pub(crate) fn get(&self, at: usize) -> &[u32] {
        &self.items[Self::range(&self.ends, at)]
    }

    /// The range of the part at `at`, where `ends` are in order.
    pub(crate) fn range(ends: &[u32], at: usize) -> Range<usize> {
        let start = at.checked_sub(1).map_or(0, |before| ends[before]);
        start as usize..ends[at] as usize
    }
}

/// Texts of a pack, which nobody touches until they are asked for.
#[derive(Clone)]
pub(crate) struct Texts {
    ends: Box<[u32]>,
    file: Arc<Aligned>,
    bytes: Range<usize>,
}

impl Texts {
    /// `bytes` of `file`, of which `ends` say where each text ends; none where they cannot.
    pub(crate) fn new(file: &Arc<Aligned>, ends: Box<[u32]>, bytes: Range<usize>) -> Option<Self> {
        let ordered = ends.is_sorted() && ends.last().copied().unwrap_or(0) as usize == bytes.len();
        (ordered && bytes.end <= file.len()).then(|| Self { ends, file: file.clone(), bytes })
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, at: usize) -> &[u8] {
        &self.file[self.bytes.clone()][Groups::range(&self.ends, at)]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|at| self.get(at))
    }
}

/// The bytes themselves are no help to anybody who debugs.
impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} texts of {} bytes", self.len(), self.bytes.len())
    }
}

/// A message that starts at a multiple of eight bytes, as Cap'n Proto reads it.
pub(crate) enum Aligned {
    /// A file as it was read, which lies so already, from this byte on.
    File(Vec<u8>, usize),
    /// A copy that does.
    Copy(Vec<capnp::Word>, usize),
}

impl Aligned {
    /// What stands in `file` from `start` on.
    pub(crate) fn new(file: Vec<u8>, start: usize) -> Self {
        let message = &file[start.min(file.len())..];
        if message.as_ptr().align_offset(8) == 0 {
            return Self::File(file, start);
        }
        let mut words = capnp::Word::allocate_zeroed_vec(message.len().div_ceil(8));
        capnp::Word::words_to_bytes_mut(&mut words)[..message.len()].copy_from_slice(message);
        let length = message.len();
        Self::Copy(words, length)
    }
}

impl fmt::Debug for Aligned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

impl Deref for Aligned {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::File(file, start) => &file[(*start).min(file.len())..],
            Self::Copy(words, length) => &capnp::Word::words_to_bytes(words)[..*length],
        }
    }
}

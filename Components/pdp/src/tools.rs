//! The tools that rules name, found by a hash table that can be written down.

use crate::columns::Groups;

/// Names, each with its place in the order in which they were added: flat, so that a pack holds it as it stands.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct ToolTable {
    /// A name's place from 1, or 0; as many as a power of two, at least twice as many as there are names.
    pub(crate) slots: Box<[u32]>,
    /// Where each name ends in `text`.
    pub(crate) ends: Box<[u32]>,
    pub(crate) text: Box<[u8]>,
}

impl ToolTable {
    /// The table of names, which all differ.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let (mut ends, mut text) = (Vec::new(), Vec::new());
        for name in names {
            text.extend_from_slice(name.as_bytes());
            ends.push(place(text.len()));
        }
        let mut table = Self { slots: empty_slots(ends.len()), ends: ends.into(), text: text.into() };
        for at in 0..table.len() {
            table.insert(at);
        }
        table
    }

    /// A table that was written down; none where it cannot be one.
    pub(crate) fn read(slots: Box<[u32]>, ends: Box<[u32]>, text: Box<[u8]>) -> Option<Self> {
        let fits =
            slots.len() == slot_count(ends.len()) && slots.iter().all(|&slot| slot as usize <= ends.len());
        let ordered = ends.is_sorted() && ends.last().copied().unwrap_or(0) as usize == text.len();
        (fits && ordered).then_some(Self { slots, ends, text })
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The place of a name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = first_slot(name.as_bytes(), mask);
        // OK because no more slots are looked at than there are, though a pack may have filled them all.
        for _ in 0..self.slots.len() {
            let at = (self.slots[slot] as usize).checked_sub(1)?;
            if self.name(at) == name.as_bytes() {
                return Some(at);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    fn name(&self, at: usize) -> &[u8] {
        &self.text[Groups::range(&self.ends, at)]
    }

    fn insert(&mut self, at: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = first_slot(self.name(at), mask);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = place(at + 1);
    }
}

/// None for no name; otherwise at least twice as many as names.
fn slot_count(names: usize) -> usize {
    if names == 0 { 0 } else { (names * 2).next_power_of_two() }
}

fn empty_slots(names: usize) -> Box<[u32]> {
    vec![0; slot_count(names)].into()
}

/// A hash by folded products, eight bytes at a time: both halves of each product count, so that names which differ in
/// their last bytes alone do not crowd together. It stands in packs: another one is another format.
fn first_slot(name: &[u8], mask: usize) -> usize {
    const FACTOR: u128 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = name.len() as u64;
    for part in name.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        let product = u128::from(hash ^ u64::from_le_bytes(word)) * FACTOR;
        #[expect(clippy::cast_possible_truncation, reason = "the low half and the high half, each whole")]
        let (low, high) = (product as u64, (product >> 64) as u64);
        hash = low ^ high;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the low bits are what the mask keeps")]
    let low = (hash ^ (hash >> 32)) as usize;
    low & mask
}

/// OK because 4 GiB of names and rules do not fit a program.
pub(crate) fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_others_are_not() {
        let names: Vec<String> = (0..500).map(|at| format!("{}tool_{at}", "é".repeat(at % 9))).collect();
        let table = ToolTable::new(names.iter().map(String::as_str));
        for (at, name) in names.iter().enumerate() {
            assert_eq!(table.find(name), Some(at));
            assert_eq!(table.find(&format!("{name}_")), None);
        }
        assert_eq!(table.find(""), None);
        assert_eq!(ToolTable::default().find("a"), None);
        assert_eq!(ToolTable::new([""]).find(""), Some(0));
    }

    #[test]
    fn names_of_a_family_do_not_crowd() {
        let families: [fn(usize) -> String; 5] = [
            |at| format!("tool_{at}"),
            |at| format!("t{at}"),
            |at| format!("{at}_read_file"),
            |at| format!("mcp__server__tool_{at:04}"),
            |at| format!("{:08}", at * 1_024),
        ];
        for (name, count) in
            families.iter().flat_map(|name| [10, 100, 1_000, 10_000].map(|count| (name, count)))
        {
            let names: Vec<String> = (0..count).map(name).collect();
            let table = ToolTable::new(names.iter().map(String::as_str));
            let mask = table.slots.len() - 1;
            let steps = |(slot, &held): (usize, &u32)| {
                let at = (held as usize).checked_sub(1)?;
                Some(slot.wrapping_sub(first_slot(table.name(at), mask)) & mask)
            };
            let steps: Vec<usize> = table.slots.iter().enumerate().filter_map(steps).collect();
            let (sum, most) = (steps.iter().sum::<usize>(), steps.iter().max());
            assert!(sum <= count && most <= Some(&64), "{}: {sum} steps for {count}, {most:?}", names[1]);
        }
    }

    #[test]
    fn a_table_that_is_full_or_leads_outside_is_bounded_or_refused() {
        let full = ToolTable { slots: [1, 1].into(), ends: [1].into(), text: b"a".as_slice().into() };
        assert_eq!(full.find("b"), None);
        let read = |slots: &[u32], ends: &[u32], text: &[u8]| {
            ToolTable::read(slots.into(), ends.into(), text.into())
        };
        assert!(read(&[1, 0], &[1], b"a").is_some());
        for (slots, ends, text) in [
            (&[2, 0][..], &[1][..], &b"a"[..]),
            (&[1, 0, 0], &[1], b"a"),
            (&[1, 0], &[2], b"a"),
            (&[1, 0, 2, 0], &[2, 1], b"a"),
            (&[1], &[], b""),
        ] {
            assert_eq!(read(slots, ends, text), None, "{slots:?} {ends:?}");
        }
    }
}

//! Numbers: given once, kept in the lock, never reused.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{NormId, RuleLock};

/// Gives every norm of `live` its number and the lock that keeps them. `live` is in the order in which new norms are
/// numbered.
///
/// INVARIANT (numbers): a number names one norm for ever. A norm that goes keeps its number in the lock, marked retired,
/// and has it again when it comes back; when two branches gave one number to two norms, the smaller id keeps it.
pub(crate) fn assign<'a>(lock: &RuleLock, live: impl IntoIterator<Item = &'a NormId>) -> RuleLock {
    let live: Vec<&NormId> = live.into_iter().collect();
    let mut numbers = without_collisions(&lock.numbers);
    let mut next = lock.numbers.values().chain(&lock.retired).max().map_or(1, |most| most.saturating_add(1));
    for norm in &live {
        if !numbers.contains_key(*norm) {
            numbers.insert((*norm).clone(), next);
            next = next.saturating_add(1);
        }
    }
    let in_force: BTreeSet<u32> = live.iter().filter_map(|norm| numbers.get(*norm).copied()).collect();
    let given = lock.numbers.values().chain(&lock.retired).chain(numbers.values()).copied();
    let retired = given.filter(|number| !in_force.contains(number)).collect();
    RuleLock { numbers, retired, ..RuleLock::default() }
}

/// Each number once: of two norms with one number the smaller id keeps it, the other is numbered anew when it is live.
fn without_collisions(numbers: &BTreeMap<NormId, u32>) -> BTreeMap<NormId, u32> {
    let mut taken = BTreeSet::new();
    numbers
        .iter()
        .filter(|(_, number)| taken.insert(**number))
        .map(|(norm, number)| (norm.clone(), *number))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> NormId {
        NormId::of(None, text, None, "skill")
    }

    #[test]
    fn a_norm_that_comes_back_has_its_number_again() {
        let first = assign(&RuleLock::default(), &[id("a"), id("b")]);
        let gone = assign(&first, &[id("b"), id("c")]);
        assert_eq!((gone.numbers[&id("b")], gone.numbers[&id("c")]), (2, 3));
        assert_eq!(gone.retired, BTreeSet::from([1]));
        let back = assign(&gone, &[id("a"), id("b"), id("c")]);
        assert_eq!(back.numbers[&id("a")], 1);
        assert!(back.retired.is_empty());
    }

    #[test]
    fn on_a_collision_the_smaller_id_keeps_the_number() {
        let mut ids = [id("ours"), id("theirs")];
        ids.sort();
        let numbers = ids.iter().map(|id| (id.clone(), 4)).collect();
        let merged = assign(&RuleLock { numbers, ..RuleLock::default() }, &ids);
        assert_eq!((merged.numbers[&ids[0]], merged.numbers[&ids[1]]), (4, 5));
    }
}

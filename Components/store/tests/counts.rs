//! Counts of tokens: a cache that may go at any time.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

use mentci_source::Hash;
use mentci_store::TokenCounts;

fn hash(number: u64) -> Hash {
    Hash::of_bytes(&number.to_le_bytes())
}

#[test]
fn counts_are_of_one_encoding_and_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep").join("counts.db");
    let mut counts = TokenCounts::open(&path, "o200k_base").unwrap();
    counts.remember_counts(&[(hash(1), 10), (hash(2), 0), (hash(3), u64::MAX)]).unwrap();
    counts.remember_counts(&[(hash(1), 11)]).unwrap();
    counts.remember_counts(&[]).unwrap();
    let mut again = TokenCounts::open(&path, "o200k_base").unwrap();
    let most = i64::MAX.unsigned_abs();
    assert_eq!(
        again.counts(&[hash(3), hash(9), hash(1), hash(2), hash(1)]).unwrap(),
        [Some(most), None, Some(11), Some(0), Some(11)]
    );
    assert_eq!(TokenCounts::open(&path, "cl100k_base").unwrap().counts(&[hash(1)]).unwrap(), [None]);
}

#[test]
fn of_too_many_the_oldest_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut counts = TokenCounts::open(&folder.path().join("counts.db"), "o200k_base").unwrap();
    counts.keep(100);
    for batch in 0..5 {
        let batch: Vec<_> = (0..50).map(|number| (hash(batch * 50 + number), number)).collect();
        counts.remember_counts(&batch).unwrap();
    }
    let all: Vec<Hash> = (0..250).map(hash).collect();
    let kept = counts.counts(&all).unwrap();
    assert_eq!(kept.iter().filter(|count| count.is_some()).count(), 100);
    assert!(kept[150..].iter().all(Option::is_some));
}

/// A budget stands on these counts: one that was not written so is none.
#[test]
fn a_count_that_was_changed_is_counted_anew() {
    for forged in [
        "UPDATE counts SET tokens = 1",
        "UPDATE counts SET tokens = 'one'",
        "UPDATE counts SET rest = rest + 1",
        "UPDATE counts SET key = key + 1",
        "UPDATE counts SET tokens = 22, rest = (SELECT rest FROM counts WHERE tokens = 22) WHERE tokens = 11",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counts.db");
        let mut counts = TokenCounts::open(&path, "o200k_base").unwrap();
        counts.remember_counts(&[(hash(1), 11)]).unwrap();
        if forged.contains("22") {
            counts.remember_counts(&[(hash(2), 22)]).unwrap();
        }
        rusqlite::Connection::open(&path).unwrap().execute_batch(forged).unwrap();
        let found = counts.counts(&[hash(1)]).map(|counts| counts[0]).unwrap_or_default();
        assert_eq!(found, None, "{forged}");
        counts.remember_counts(&[(hash(1), 11)]).unwrap();
        assert_eq!(counts.counts(&[hash(1)]).unwrap(), [Some(11)], "{forged}");
    }
}

#[test]
fn a_damaged_cache_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counts.db");
    std::fs::write(&path, [0xa5; 9000]).unwrap();
    let mut counts = TokenCounts::open(&path, "o200k_base").unwrap();
    counts.remember_counts(&[(hash(1), 1)]).unwrap();
    assert_eq!(counts.counts(&[hash(1)]).unwrap(), [Some(1)]);
}

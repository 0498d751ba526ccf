//! Searching artifacts: literals, words, hostile queries, large contents.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod shelf;

use std::fmt::Write;

use mentci_authority::{ArtifactKeeper, ArtifactScope};
use shelf::{both, noise, put};

fn snippets(store: &dyn ArtifactKeeper, scope: &ArtifactScope, query: &str) -> Vec<String> {
    store
        .search(scope, query, 5)
        .unwrap()
        .into_iter()
        .map(|hit| format!("{}: {}", hit.line, hit.snippet))
        .collect()
}

/// A build's log with one error in its middle.
fn log(lines: usize) -> String {
    let mut log = String::new();
    for line in 1..=lines {
        if line == lines / 2 {
            log.push_str("error[E0432]: unresolved import `crate::vault`\r\n");
            log.push_str("  --> src/main.rs:12:5\n");
        }
        writeln!(log, "   Compiling part-{line} v0.{line}.0 (registry)").unwrap();
    }
    log
}

#[test]
fn a_literal_is_found_where_it_stands() {
    for shelf in both() {
        let content = log(400);
        let id = put(&*shelf.store, "s1", content.clone(), 1);
        put(&*shelf.store, "s1", "an other error, without its number", 2);
        for scope in [ArtifactScope::One(id), ArtifactScope::Session("s1".into()), ArtifactScope::All] {
            for (query, line) in [
                ("E0432", 200),
                ("src/main.rs:12", 201),
                ("0432]: unres", 200),
                ("CRATE::VAULT", 200),
                ("ain.rs:1", 201),
            ] {
                let hits = shelf.store.search(&scope, query, 3).unwrap();
                let hit = &hits[0];
                assert_eq!((hit.artifact_id, hit.line), (id, line), "{} {query} {hits:?}", shelf.name);
                let found = shelf.store.retrieve_range(&id, hit.range.clone()).unwrap().unwrap();
                let found = String::from_utf8(found).unwrap();
                assert!(found.eq_ignore_ascii_case(query), "{found} {query}");
            }
        }
        let one = snippets(&*shelf.store, &ArtifactScope::All, "E0432");
        assert_eq!(one, ["200: error[E0432]: unresolved import `crate::vault`"]);
    }
}

#[test]
fn the_best_lines_come_first_and_no_more_than_asked() {
    for shelf in both() {
        put(
            &*shelf.store,
            "s1",
            "the import failed\nunresolved\nan unresolved import\nimport unresolved\n",
            1,
        );
        let hits = snippets(&*shelf.store, &ArtifactScope::Session("s1".into()), "unresolved import");
        assert_eq!(
            hits,
            ["3: an unresolved import", "4: import unresolved", "2: unresolved", "1: the import failed"]
        );
        let many = put(&*shelf.store, "s1", "needle\n".repeat(50_000), 2);
        let hits = shelf.store.search(&ArtifactScope::One(many), "needle", 7).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(shelf.store.search(&ArtifactScope::All, "needle", usize::MAX).unwrap().len(), 1_000);
        assert_eq!(shelf.store.search(&ArtifactScope::All, "needle", 0).unwrap(), []);
    }
}

#[test]
fn every_sign_of_a_query_is_text() {
    for shelf in both() {
        let lines = [
            "say \"hi\" now",
            "a* b",
            "NEAR(x, y)",
            "-flag",
            "col:umn",
            "x AND y",
            "^start",
            "{}",
            "(a OR b) NOT c",
            "'; DROP",
        ];
        put(&*shelf.store, "s1", lines.join("\n"), 1);
        for (line, query) in (1..).zip(lines) {
            let hits = shelf.store.search(&ArtifactScope::Session("s1".into()), query, 1).unwrap();
            assert_eq!((hits[0].line, hits[0].snippet.as_str()), (line, query), "{}", shelf.name);
        }
        for query in [
            "", " ", "\0", "\"", "\"\"\"", "*", "NEAR(", "AND", "NOT NOT", "((((", "a\0b", "\u{fffd}", "-",
            "word:", "^",
        ] {
            shelf.store.search(&ArtifactScope::All, query, 9).unwrap();
        }
        let long = "x ".repeat(10_000);
        shelf.store.search(&ArtifactScope::All, &long, 9).unwrap();
    }
}

#[test]
fn across_pieces_and_in_lines_without_end() {
    for shelf in both() {
        // Over the seam of two pieces.
        let mut content = vec![b'.'; 65_530];
        content.extend_from_slice(b"the needle lies here");
        content.resize(200_000, b'.');
        content.extend_from_slice("ü needle\nlast Needle".as_bytes());
        let id = put(&*shelf.store, "s1", content, 1);
        let hits = shelf.store.search(&ArtifactScope::One(id), "needle", 9).unwrap();
        let places: Vec<(u64, u64)> = hits.iter().map(|hit| (hit.line, hit.range.start)).collect();
        assert_eq!(places, [(1, 65_534), (1, 200_003), (2, 200_015)], "{}", shelf.name);
        assert!(hits.iter().all(|hit| hit.snippet.len() <= 240 && hit.snippet.contains("eedle")));
        // What is no text is searched too.
        let mut content = noise(100_000, 5);
        content.splice(70_000..70_000, *b"\xffE0432\xfe");
        let id = put(&*shelf.store, "s1", content, 1);
        let hits = shelf.store.search(&ArtifactScope::One(id), "E0432", 9).unwrap();
        assert_eq!(hits[0].range, 70_001..70_006);
    }
}

#[test]
fn what_is_stored_after_a_search_is_found_by_the_next() {
    for shelf in both() {
        let scope = ArtifactScope::Session("s1".into());
        let first = put(&*shelf.store, "s1", "a vault of words", 1);
        assert_eq!(shelf.store.search(&scope, "vault", 9).unwrap().len(), 1);
        let second = put(&*shelf.store, "s1", "another vault", 2);
        put(&*shelf.store, "s2", "the vault of somebody else", 2);
        let ids = || -> Vec<_> {
            shelf.store.search(&scope, "vault", 9).unwrap().iter().map(|hit| hit.artifact_id).collect()
        };
        let found = ids();
        assert!(found.len() == 2 && found.contains(&first) && found.contains(&second), "{}", shelf.name);
        shelf.store.delete(&first).unwrap();
        assert_eq!(ids(), [second]);
        assert_eq!(ids(), [second], "from the index alone");
        put(&*shelf.store, "s1", "a vault of words", 3);
        assert_eq!(ids().len(), 2);
    }
}

#[test]
fn the_index_finds_what_a_scan_finds() {
    let [sqlite, fs] = both();
    for number in 0..30_u32 {
        let content = format!(
            "{}\nticket JIRA-{number} was closed by user_{number}@example.com\n",
            log(20 + number as usize)
        );
        put(&*sqlite.store, "s1", content.clone(), 100 - number);
        put(&*fs.store, "s1", content, 100 - number);
    }
    let scope = ArtifactScope::Session("s1".into());
    for query in [
        "JIRA-7",
        "jira-1",
        "user_29@example.com",
        "closed by",
        "E0432",
        "part-12 registry",
        "nowhere at all",
    ] {
        let found = |shelf: &shelf::Shelf| {
            let mut hits: Vec<_> = shelf.store.search(&scope, query, 1_000).unwrap();
            hits.sort_by_key(|hit| (hit.artifact_id, hit.range.start));
            hits
        };
        // The first search makes the index, the second one uses it.
        assert_eq!(found(&sqlite), found(&fs), "{query}");
        assert_eq!(found(&sqlite), found(&fs), "{query}");
    }
}

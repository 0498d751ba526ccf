//! The examples of the page about the log are lines of a log.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use mentci_ledger::{Ledger, Record, SNAPSHOT_FORMAT, SessionLedger, Windows};

const PAGE: &str = include_str!("../../../Library/specs/log.md");

#[test]
fn the_examples_of_the_page_are_read() {
    let mut ledger = Ledger::new(Windows::default());
    let lines: Vec<&str> = PAGE.lines().filter(|line| line.starts_with("{\"format\"")).collect();
    for line in &lines {
        let record: Record = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(serde_json::to_string(&record).unwrap(), *line);
        ledger.fold(&record);
    }
    let session = ledger.session("s1").unwrap();
    assert_eq!((lines.len(), session.total_calls(), session.tally("exec").executed), (7, 2, 1));
    assert_eq!(ledger.shared().killed.as_deref(), Some("incident"));
}

/// When this changes, so does the format; how calls in time are written stands in the tests of their queue.
#[test]
fn a_snapshot_of_this_format() {
    let text = serde_json::to_string(&SessionLedger::default()).unwrap();
    assert_eq!(SNAPSHOT_FORMAT, 4);
    insta::assert_snapshot!(text, @r#"{"windows":{"longest_ms":0},"version":0,"now_ms":0,"turns":{"turn":0,"exchange":0,"iterations":0,"fresh":null,"shows_requests":false,"by_prompt":false},"total_calls":0,"names":[],"tallies":[],"timeline":{"next":0,"lanes":[]},"open":{"calls":[],"first":0,"settled":0},"history":{"messages":[],"tools":[],"last":[null,null,null,null,null],"last_role":null,"length":0,"context":{"tokens":0,"is_estimated":false},"usage":{},"by_query":false},"rules":{},"variables":{},"taints":{},"approvals":{},"notices":{"waiting":[],"past":[],"told":[]},"killed":null}"#);
}

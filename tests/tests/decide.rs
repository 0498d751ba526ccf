//! One event decided by the workspace's own rules, from the command line.

use mentci_tests::Scratch;
use serde_json::json;

#[test]
fn a_schedule_in_a_named_zone_is_read_where_the_zone_is() {
    let scratch = Scratch::new(&[(
        ".pi/rules/late.yaml",
        "rules:\n- id: late\n  when:\n    tool: deploy\n    context: {time_of_day: '22:00-06:00'}\n  timezone: Asia/Tokyo\n  \
         then: block\n  message: it is night in Tokyo\n",
    )]);
    let decided = |at: &str| {
        let event = json!({"event": "pre_tool_call", "session": "s", "at": at, "tool": {"name": "deploy", "args": {}}});
        scratch.write("event.json", &event.to_string());
        scratch.run(&["decide", "--dry-run", "event.json"])
    };
    let night = decided("2026-03-02T15:00:00Z");
    assert_eq!(night.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&night.stdout).contains("it is night in Tokyo"), "{night:?}");
    assert_eq!(decided("2026-03-02T03:00:00Z").status.code(), Some(0));
}

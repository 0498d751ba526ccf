//! The pages of law, lessons and sessions.

use super::house::House;
use super::page;
use super::read::words;

#[test]
fn lines_of_law_open_what_they_rest_on() {
    insta::assert_snapshot!(words(&page(&House::default(), "/law", &[("from", "NAME")]).1), @r"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Law
    What every request to a model carries, line for line. Each line opens what it rests on.
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    The workspacesema
    1 rule
    41 of 1,500 tokens
    5ad6fa89f373
    .pi/absolute_rules.md
    Absolute Rules, cited by number (1 of 1 skill)
    Must
    sema-1 core/no-rm 3 lessons
    core/no-rm
    core/no-rm:4
    core/no-rm → core/no-rm
    A lesson that nobody reviewed. 0011223344556677
    core/no-rm → core/no-rm
    A lesson that nobody reviewed. 1111
    core/no-rm → core/no-rm
    A lesson that nobody reviewed. 2222
    Law: core/no-rm
    As plain text
    # Absolute Rules, cited by number (1 of 1 skill)
    ## Must
    sema-1 core/no-rm
    Law: core/no-rm
    What changed
    From [one of: b20ab0a020a4 · 30 min ago 96a4257289f9 · core/no-rm]
    To [one of: *b20ab0a020a4 · 30 min ago 96a4257289f9 · core/no-rm]
    (button) Compare
    −went: core/no-rm
    +came: core/no-rm
    Tokens by section
    in the law in its digest
    sema
    | core/no-rm | 600 → 200 | (code) | 300 → 0
    As a table
    SectionRulesIn the lawIn its digest
    core/no-rm | 1 | 600 | 200
    (code) | 1 | 300 | 0
    ");
}

#[test]
fn lessons_that_wait_stand_beside_what_they_would_change() {
    insta::assert_snapshot!(words(&page(&House::default(), "/lessons", &[]).1), @r"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Lessons
    What agents learned. A lesson that would loosen an explicit must waits here until a person decides.
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    Waiting for you 1
    The lesson
    When
    | core/no-rm
    Do
    | core/no-rm
    Learned
    | core/no-rm
    Why it waits
    It would loosen or contradict
    core/no-rm
    pending sema told by core/no-rm through core/no-rm in 2 sessions 30 min ago 0011223344556677
    (button) Accept
    Why [text ]
    (button) Reject
    In force 1
    The lesson
    When
    | core/no-rm
    Do
    | core/no-rm
    Learned
    | core/no-rm
    Says the opposite
    conflict
    core/no-rm → core/no-rm pending 0011223344556677
    Nearly the same
    core/no-rm → core/no-rm pending 0011223344556677
    active sema on sema-1 told by core/no-rm through core/no-rm in 2 sessions 30 min ago 1111
    (button) Accept
    Why [text ]
    (button) Reject
    Out of force 1
    The lesson
    When
    | core/no-rm
    Do
    | core/no-rm
    Learned
    | core/no-rm
    rejected sema on sema-1 told by core/no-rm through core/no-rm in 2 sessions 30 min ago 2222
    (button) Accept
    ");
}

#[test]
fn a_session_shows_its_story_context_and_other_rules() {
    insta::assert_snapshot!(words(&page(&House::default(), "/session", &[("id", "NAME"), ("against", "builtin")]).1), @r#"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Sessions
    core/no-rm
    50 tokens said 5 lines 1 min ago
    stopped: core/no-rm
    (button) Let its calls run again
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    5 events: 1 call, 1 blocked | said | tools | decided | context
    What happened
    2 earlier events left out here.
    19:33:21 said user · core/no-rm
    {
    "role": "user",
    "text": "core/no-rm"
    }
    19:33:22 call core/no-rm · core/no-rm
    {
    "args": {
    "command": "core/no-rm"
    },
    "tool": "core/no-rm"
    }
    19:33:23 block core/no-rm
    {
    "decision": "block",
    "rules": [
    "core/no-rm"
    ]
    }
    19:33:24 denied core/no-rm · core/no-rm
    {
    "error": "core/no-rm",
    "tool": "core/no-rm"
    }
    19:33:25 answer core/no-rm · {"x":"core/no-rm"}
    {
    "tool": "core/no-rm",
    "value": {
    "x": "core/no-rm"
    }
    }
    What a model sees of it
    Budget in tokens [number 8000]
    (button) Compile
    640 of 8,000 tokens are sent, counted as core/no-rm.
    600 as said
    300 moved to an artifact
    0 cleared, with a handle
    0 summarised
    100 left out
    40 added: frames, stand-ins, notes
    Every event: 1 line
    EventTokensWhere they areWhy
    user_input | 1,000 | 600 as said, 300 moved to an artifact, 100 left out | middle of history
    Artifacts
    abababababab core/no-rm · 70,000 bytes · core/no-rm
    core/no-rm
    Replay against other rules
    What would have been decided differently. Nothing happens, and nothing is remembered.
    Files or folders of rules [text builtin]
    (button) Replay
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    EventRules in forceThe other rules
    4 | allow
    core/no-rm core/no-rm
    | block
    core/no-rm core/no-rm
    "#);
}

#[test]
fn files_outside_of_the_workspace_are_not_asked_for() {
    let house = House::default();
    let (_, html) = page(&house, "/session", &[("id", "NAME"), ("against", "../../secret")]);
    assert!(html.contains("does not lie in the workspace"));
    assert!(!house.asked.lock().unwrap().iter().any(|asked| asked.contains("secret")));
}

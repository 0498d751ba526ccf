//! The one way in and out: a harness, the name of one of its events, and what it wrote.

use mentci_host::{Harness, HookAnswer};

use crate::heard::{Heard, Point};
use crate::payload::Payload;
use crate::reply::{Outcome, Reply, Ruling};
use crate::withheld::withheld;
use crate::{claude_code, cline, codex, gemini, openclaw, opencode, pi};

/// What a hook of a harness says, in our words. Events that are not known are [`Point::Other`]; fields that are not known
/// are passed over.
///
/// ```
/// use mentci_harness::{Payload, Point, hear};
/// use mentci_host::Harness;
/// let payload = Payload::read(br#"{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"ls"}}"#)?;
/// let heard = hear(Harness::ClaudeCode, "PreToolUse", &payload);
/// assert_eq!((heard.point, heard.call.events[0].tool_name()), (Point::Gate, "Bash"));
/// assert_eq!(hear(Harness::ClaudeCode, "FromTheFuture", &payload).point, Point::Other);
/// # Ok::<(), String>(())
/// ```
pub fn hear(harness: Harness, event: &str, payload: &Payload) -> Heard {
    match harness {
        Harness::ClaudeCode => claude_code::hear(event, payload),
        Harness::Codex => codex::hear(event, payload),
        Harness::Gemini => gemini::hear(event, payload),
        Harness::Cline => cline::hear(event, payload),
        Harness::Opencode => opencode::hear(event, payload),
        Harness::Openclaw => openclaw::hear(event, payload),
        Harness::Pi => pi::hear(event, payload),
        Harness::Any => Heard::new(harness, Point::Other, String::new()),
    }
}

/// The harness's answer to what was heard.
pub fn reply(heard: &Heard, event: &str, answer: &HookAnswer) -> Reply {
    let most = characters(heard.call.harness, answer);
    write(heard, event, &Outcome::of(heard, answer, most))
}

/// What a harness is told where nothing could be decided: a call is denied in its own shape, a result is withheld where the
/// harness lets a hook change it, all else goes on in silence.
/// The reason stands on standard error too.
///
/// ```
/// use mentci_harness::closed;
/// use mentci_host::Harness;
/// let told = closed(Harness::Gemini, "BeforeTool", "the log is locked");
/// assert_eq!(told.stdout, "{\"decision\":\"deny\",\"reason\":\"Blocked by mentci: the log is locked\"}\n");
/// assert_eq!(closed(Harness::Gemini, "BeforeAgent", "the log is locked").stdout, "");
/// ```
pub fn closed(harness: Harness, event: &str, why: &str) -> Reply {
    closed_to(&hear(harness, event, &Payload::default()), event, why)
}

/// The same where the hook was heard: a result is withheld in its own shape.
pub fn closed_to(heard: &Heard, event: &str, why: &str) -> Reply {
    let note = format!("mentci: {why}\n");
    let (ruling, result) = match heard.point {
        Point::Gate => (Ruling::Deny(format!("Blocked by mentci: {why}")), None),
        Point::Result if changes_results(heard.call.harness, event) => {
            (Ruling::Allow, Some(withheld(heard.call.harness, &heard.result, why)))
        }
        _ => return Reply { stderr: note, ..Reply::default() },
    };
    let outcome = Outcome { ruling, args: None, result, context: String::new(), asked: None };
    Reply { stderr: note, ..write(heard, event, &outcome) }
}

/// Whether what a hook answers here stands in the place of the tool's result.
fn changes_results(harness: Harness, event: &str) -> bool {
    harness.changes_results() && event != "PostToolUseFailure"
}

fn write(heard: &Heard, event: &str, outcome: &Outcome) -> Reply {
    match heard.call.harness {
        Harness::ClaudeCode => claude_code::reply(heard, event, outcome),
        Harness::Codex => codex::reply(heard, event, outcome),
        Harness::Gemini => gemini::reply(heard, event, outcome),
        Harness::Cline => cline::reply(heard, outcome),
        Harness::Opencode | Harness::Openclaw | Harness::Pi => crate::plain::reply(heard, outcome),
        Harness::Any => Reply::default(),
    }
}

/// How many characters of context a harness shows. Tokens are guessed at 3 characters each, which is careful for prose;
/// the rules themselves were counted.
fn characters(harness: Harness, answer: &HookAnswer) -> usize {
    let counted =
        answer.rules.as_ref().map_or(0, |rules| rules.text.chars().count().saturating_sub(rules.tokens * 3));
    let by_tokens = harness.max_tokens().map(|tokens| tokens * 3 + counted);
    harness.max_chars().into_iter().chain(by_tokens).min().unwrap_or(50_000)
}

//! When a model is shown the rules again: all of them, or a pulse of the most binding ones.
//!
//! For harnesses that have no place which is sent with each request: what is told there stays in the conversation, so the
//! whole text is told as seldom as it can be, and a short text each turn keeps it in mind.

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use crate::InjectMode;

/// A moment of a session at which a text could reach the model, or at which what it was told is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// A session begins, or goes on in a new process.
    Begins {
        /// Whether the model still reads what was told before.
        remembers: bool,
    },
    /// The user says something.
    Prompted,
    /// A tool has answered.
    Returned,
    /// The conversation is about to be summarised: what was told is lost.
    Compacting,
    /// The conversation was summarised, and a text can be told.
    Compacted,
    /// A request is sent in which the text no longer stands, and it can be put into that one request: into each until the
    /// next prompt tells it for good.
    Missing,
    /// The agent has answered the user.
    Answered,
    /// The text stands in a place that is sent with each request and never stored: the whole of it goes there each time.
    Sent,
}

impl Moment {
    /// Whether what is told now reaches the model for good: a warning that waits is told at such a moment, and not lost at
    /// another.
    pub fn is_kept(self) -> bool {
        !matches!(self, Self::Compacting | Self::Answered | Self::Missing)
    }
}

/// How much of the rules is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The whole text.
    Whole,
    /// The most binding lines of it.
    Pulse,
}

/// After how many bytes of conversation the whole text is told again: 20,000 tokens at 4 bytes each.
pub const FAR: u64 = 80_000;

/// How many bytes are counted for what no hook tells of a turn: what the model thinks and says, what the harness adds.
const TURN: u64 = 4_000;

/// The same for a tool's call and answer.
const CALL: u64 = 800;

/// The most bytes of a pulse.
pub const PULSE_BYTES: usize = 600;

/// What is remembered of one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reminded {
    /// The format of this record.
    format: u32,
    /// The whole text that was told last.
    pub hash: Hash,
    /// How many bytes were said since.
    since: u64,
    /// Nothing was said since it was told whole.
    just_told: bool,
    /// The conversation was summarised since.
    lost: bool,
    /// The same, but it is put into each request meanwhile: no tool's answer needs to tell it.
    #[serde(default)]
    missing: bool,
}

/// The rules as they stand, and how far the conversation has come.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// How the digest reaches the model.
    pub mode: InjectMode,
    /// The hash of the whole text.
    pub hash: Hash,
    /// How many bytes came with this moment.
    pub said: u64,
}

impl Reminded {
    /// The format of the record that is written here.
    pub const FORMAT: u32 = 1;

    /// Reads a record; none where it is damaged or of a newer version: then all is told once more.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice::<Self>(bytes).ok().filter(|read| read.format == Self::FORMAT)
    }

    /// Whether what was told is lost, or too far away.
    fn is_gone(&self) -> bool {
        self.lost || self.since > FAR
    }
}

/// What is shown at a moment, and what is remembered from then on.
///
/// ```
/// use mentci_host::{InjectMode, Moment, Part, Standing, remind};
/// use mentci_source::Hash;
/// let now = Standing { mode: InjectMode::SystemPrompt, hash: Hash::of_bytes(b"rules"), said: 100 };
/// let (part, known) = remind(None, Moment::Begins { remembers: true }, now);
/// assert_eq!(part, Some(Part::Whole));
/// let (part, known) = remind(known, Moment::Prompted, now);
/// assert_eq!(part, None, "it stands right above");
/// let (part, known) = remind(known, Moment::Prompted, now);
/// assert_eq!(part, Some(Part::Pulse));
/// let (part, _) = remind(known, Moment::Prompted, Standing { said: 90_000, ..now });
/// assert_eq!(part, Some(Part::Whole));
/// ```
pub fn remind(known: Option<Reminded>, moment: Moment, now: Standing) -> (Option<Part>, Option<Reminded>) {
    if moment == Moment::Sent {
        return (Some(Part::Whole), None);
    }
    let known = known.map(|known| grown(known, moment, now));
    let part = part(known.as_ref(), moment, now);
    let remembered = match (part, known) {
        (Some(Part::Whole), _) if moment != Moment::Missing => Some(told(moment, now.hash)),
        (_, Some(known)) => Some(Reminded {
            lost: known.lost || moment == Moment::Compacting,
            missing: known.missing || moment == Moment::Missing,
            just_told: known.just_told && moment != Moment::Prompted,
            ..known
        }),
        (_, None) => None,
    };
    (part, remembered)
}

fn part(known: Option<&Reminded>, moment: Moment, now: Standing) -> Option<Part> {
    let due = known.is_none_or(|known| known.hash != now.hash || known.is_gone());
    match (moment, now.mode) {
        (Moment::Compacting | Moment::Answered, _)
        | (Moment::Begins { .. } | Moment::Returned, InjectMode::FullEveryTurn) => None,
        (Moment::Compacted | Moment::Missing | Moment::Sent, _)
        | (Moment::Prompted, InjectMode::FullEveryTurn) => Some(Part::Whole),
        (Moment::Begins { remembers }, _) => (due || !remembers).then_some(Part::Whole),
        (Moment::Returned, _) => due.then_some(Part::Whole),
        (Moment::Prompted, _) if due || known.is_some_and(|known| known.missing) => Some(Part::Whole),
        (Moment::Prompted, _) => known.is_some_and(|known| !known.just_told).then_some(Part::Pulse),
    }
}

fn grown(known: Reminded, moment: Moment, now: Standing) -> Reminded {
    let unseen = match moment {
        Moment::Prompted => TURN,
        Moment::Returned => CALL,
        _ => 0,
    };
    Reminded { since: known.since.saturating_add(now.said + unseen), ..known }
}

fn told(moment: Moment, hash: Hash) -> Reminded {
    let just_told = matches!(moment, Moment::Begins { .. } | Moment::Compacted);
    Reminded { format: Reminded::FORMAT, hash, since: 0, just_told, lost: false, missing: false }
}

/// The most binding lines of a digest in at most [`PULSE_BYTES`]: prohibitions first, then duties, in the digest's order.
/// The same digest gives the same pulse. Empty where it binds to nothing.
///
/// ```
/// let digest = "# Absolute Rules (3)\n## Must\na-1 Run the tests\na-2 Never commit keys\n## Do\na-3 Be short\n";
/// let pulse = mentci_host::pulse(digest);
/// assert_eq!(pulse, "The Absolute Rules that you were told still hold, all of them. Above all:\na-2 Never commit keys\na-1 Run the tests\n");
/// ```
pub fn pulse(digest: &str) -> String {
    let must = digest.lines().skip_while(|line| !line.starts_with("## Must"));
    let lines: Vec<&str> =
        must.skip(1).take_while(|line| !line.starts_with("## ")).filter(|line| !line.is_empty()).collect();
    let (never, always): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|line| is_prohibition(line));
    let mut text = String::from(PULSE_HEAD);
    for line in never.into_iter().chain(always) {
        if text.len() + line.len() < PULSE_BYTES {
            text.push_str(line);
            text.push('\n');
        }
    }
    if text.len() == PULSE_HEAD.len() { String::new() } else { text }
}

const PULSE_HEAD: &str = "The Absolute Rules that you were told still hold, all of them. Above all:\n";

/// Whether a line of a digest forbids: `a-2 Never commit keys`.
fn is_prohibition(line: &str) -> bool {
    let said = line.split_once(' ').map_or(line, |(_, said)| said);
    ["Never ", "Do not ", "Don't ", "No "].iter().any(|start| said.starts_with(start))
        || said.contains(" must not ")
        || said.contains(" must never ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(said: u64) -> Standing {
        Standing { mode: InjectMode::SystemPrompt, hash: Hash::of_bytes(b"rules"), said }
    }

    /// The parts that a session of moments is shown.
    fn session(moments: &[(Moment, Standing)]) -> Vec<Option<Part>> {
        let mut known = None;
        let shown = moments.iter().map(|&(moment, now)| {
            let (part, next) = remind(known.take(), moment, now);
            known = next;
            part
        });
        shown.collect()
    }

    const WHOLE: Option<Part> = Some(Part::Whole);
    const PULSE: Option<Part> = Some(Part::Pulse);

    #[test]
    fn sessions() {
        use Moment::*;
        let (start, resume) = (Begins { remembers: true }, Begins { remembers: false });
        let (near, far) = (now(10), now(FAR + 11));
        let other = Standing { hash: Hash::of_bytes(b"other"), ..near };
        let every = Standing { mode: InjectMode::FullEveryTurn, ..near };
        for (moments, shown) in [
            (vec![(start, near), (Prompted, near), (Prompted, near)], vec![WHOLE, None, PULSE]),
            (vec![(Prompted, near), (Prompted, near)], vec![WHOLE, PULSE]),
            (vec![(start, near), (Prompted, other), (Prompted, other)], vec![WHOLE, WHOLE, PULSE]),
            (vec![(start, near), (Prompted, near), (Prompted, far)], vec![WHOLE, None, WHOLE]),
            (vec![(start, near), (Returned, near), (Returned, far)], vec![WHOLE, None, WHOLE]),
            (vec![(start, near), (Compacting, near), (Compacted, near)], vec![WHOLE, None, WHOLE]),
            (vec![(start, near), (Compacting, near), (Prompted, near)], vec![WHOLE, None, WHOLE]),
            (vec![(start, near), (start, near), (resume, near)], vec![WHOLE, None, WHOLE]),
            (vec![(start, near), (Answered, far), (start, near)], vec![WHOLE, None, WHOLE]),
            (vec![(start, near), (Sent, near), (Sent, near)], vec![WHOLE, WHOLE, WHOLE]),
            (vec![(start, near), (Missing, near), (Missing, near)], vec![WHOLE, WHOLE, WHOLE]),
            (
                vec![(start, near), (Missing, near), (Returned, near), (Missing, near)],
                vec![WHOLE, WHOLE, None, WHOLE],
            ),
            (
                vec![(start, near), (Missing, near), (Prompted, near), (Prompted, near)],
                vec![WHOLE, WHOLE, WHOLE, PULSE],
            ),
            (vec![(Missing, near), (Prompted, near), (Prompted, near)], vec![WHOLE, WHOLE, PULSE]),
            (vec![(start, every), (Prompted, every), (Prompted, every)], vec![None, WHOLE, WHOLE]),
        ] {
            assert_eq!(session(&moments), shown, "{moments:?}");
        }
    }

    #[test]
    fn what_no_hook_tells_is_counted_too() {
        let shown = session(&[(Moment::Prompted, now(1_000)); 36]);
        let whole: Vec<usize> = (0..36).filter(|&at| shown[at] == WHOLE).collect();
        assert_eq!(whole, [0, 17, 34]);
    }

    #[test]
    fn a_pulse_is_short_and_binding() {
        let lines: Vec<String> =
            (0..60).map(|at| format!("rust-{at} Never do the thing number {at}")).collect();
        let lines = lines.join("\n");
        let digest =
            format!("# Absolute Rules\n## Must\nrust-90 Run tests\n{lines}\n## Do\nrust-99 Be kind\n");
        let short = pulse(&digest);
        assert!(short.len() <= PULSE_BYTES && short.len() > 500, "{short}");
        assert!(!short.contains("rust-99") && short.contains("rust-0 "), "{short}");
        assert_eq!(pulse("# Absolute Rules\n## Do\na-1 Be kind\n"), "");
    }

    #[test]
    fn a_record_of_another_format_is_none() {
        let (_, known) = remind(None, Moment::Prompted, now(1));
        let text = serde_json::to_string(&known).unwrap();
        assert_eq!(Reminded::read(text.as_bytes()), known);
        assert_eq!(Reminded::read(text.replace("\"format\":1", "\"format\":2").as_bytes()), None);
        assert_eq!(Reminded::read(b"{"), None);
    }
}

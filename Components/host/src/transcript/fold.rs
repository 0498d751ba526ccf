//! The fold: block after block, to what happened.

use mentci_authority::{At, Event, Hook, Message, Role};
use mentci_chatmd::{Block, Document, Element};
use mentci_ledger::{Decided, Delta};
use mentci_source::{Code, Finding, Reading, Severity, Source};
use serde_json::json;

use super::calls::{Calls, OpenCall};
use super::command::Commands;
use super::rule_event::{RuleEvent, told_hook};
use super::{Happened, Phase, Position, RuleNames, Step, hides};

/// The most calls that one line of a transcript reserves: a hand may write any number.
const MAX_RESERVED: u64 = 100_000;

/// A transcript, as far as it was read. Pure: the same blocks and names give the same steps.
///
/// Blocks go in one by one, in the order of the document and all of them: also those that tell nothing have their numbers.
/// The calls of a reply come out together, once all of them have their answers: first the calls, then the answers, as it
/// happened.
///
/// ```
/// use mentci_host::transcript::{RuleNames, Transcript};
/// use mentci_source::Source;
/// let text = "<user>hi</user>\n<assistant>hello</assistant>\n<user>bye</user>\n";
/// let reading = Transcript::read(&Source::new("a.chatmd", text), &RuleNames::unread("a.chatmd"));
/// let position = reading.value.transcript.position();
/// assert_eq!((position.turn, position.exchange, position.is_asked), (1, 2, true));
/// let events: Vec<_> = reading.value.steps.iter().filter_map(|step| Some(step.event()?.hook.name())).collect();
/// assert_eq!(events[..4], ["query_start", "message_appended", "turn_start", "message_appended"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    pub(super) names: RuleNames,
    pub(super) position: Position,
    pub(super) calls: Calls,
    pub(super) commands: Commands,
    /// The time of the last block, in milliseconds since 1970.
    last_ms: i64,
    /// Something stands behind the reply: what the model writes next is another one.
    pub(super) is_broken: bool,
    /// Where the digest stands that the model sees.
    digest: Option<usize>,
    pub(super) steps: Vec<Step>,
    findings: Vec<Finding>,
}

/// A whole transcript, folded.
#[derive(Debug, Clone, Default)]
pub struct TranscriptReading {
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// Where it stands, to go on from.
    pub transcript: Transcript,
}

impl Transcript {
    /// Nothing was read yet.
    pub fn new(names: &RuleNames) -> Self {
        Self { names: names.clone(), ..Self::default() }
    }

    /// Reads a whole document. What is odd in its blocks is told with their places; what the document itself has odd, its own
    /// reader tells.
    pub fn read(source: &Source, names: &RuleNames) -> Reading<TranscriptReading> {
        Self::of(&Document::read(source).value, source, names)
    }

    /// The same for a document that was read already.
    pub fn of(document: &Document, source: &Source, names: &RuleNames) -> Reading<TranscriptReading> {
        let (mut transcript, mut steps, mut findings) = (Self::new(names), Vec::new(), Vec::new());
        for block in document.blocks() {
            steps.append(&mut transcript.push(block));
            findings.extend(
                transcript.take_findings().into_iter().map(|finding| finding.at(source, block.span())),
            );
        }
        Reading { value: TranscriptReading { steps, transcript }, findings }
    }

    /// Takes the next block in, and gives what it completes.
    pub fn push(&mut self, block: &Block) -> Vec<Step> {
        self.push_said(block, None)
    }

    /// The same for a message that says more than its block: what the files in it say.
    pub fn push_said(&mut self, block: &Block, said: Option<&str>) -> Vec<Step> {
        self.position.blocks += 1;
        let at = self.moment(block);
        let asked = std::mem::take(&mut self.position.is_asked);
        self.commands.read(block);
        match block.element() {
            Some(Element::ToolCall) => self.call(block, at),
            Some(Element::ToolResponse) => self.answer(block, at),
            Some(Element::Reasoning) => self.reply(at),
            Some(Element::Compaction) => self.compaction(block, at),
            Some(Element::RuleEvent) => self.rule_event(block, at),
            Some(Element::Note) => self.position.is_asked = asked,
            _ => {
                if let Some(role) = block.role() {
                    let text = said.map_or_else(|| block.text().into_string(), str::to_owned);
                    self.message(block, role, text, at);
                } else {
                    self.position.is_asked = asked && !block.element().is_some_and(Element::is_message);
                }
            }
        }
        std::mem::take(&mut self.steps)
    }

    /// Takes up a command that an imported document declares as a tool.
    pub fn declare_command(&mut self, name: &str, words: &[String]) {
        self.commands.add(name, words);
    }

    /// The words that a call of a declared command runs; none of any other tool.
    pub fn runs(&self, name: &str, args: &serde_json::Value) -> Vec<String> {
        self.commands.of(name, args)
    }

    /// Where it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The calls that have no answer yet, in their order.
    pub fn open_calls(&self) -> impl Iterator<Item = &OpenCall> {
        self.calls.unanswered()
    }

    /// What was odd about the last blocks. It says no place: that is the block's.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// The transcript ends here: calls without an answer count as executed, and the turn is over.
    pub fn finish(&mut self) -> Vec<Step> {
        self.settle();
        self.end_turn(At::utc(self.last_ms));
        std::mem::take(&mut self.steps)
    }

    /// A run goes on from here: of a reply's calls, those that were answered are told; the others are decided anew, and what a
    /// person granted about them holds.
    pub fn resume(&mut self) -> Vec<Step> {
        let (calls, answered) = self.calls.take_answered();
        self.tell_calls(&calls, &answered);
        let granted: Vec<OpenCall> =
            self.calls.unanswered().filter(|call| call.granted == Some(true)).cloned().collect();
        for call in granted {
            self.granted(&call);
        }
        std::mem::take(&mut self.steps)
    }

    /// When a block was written: as it says, or one later than the one before.
    fn moment(&mut self, block: &Block) -> At {
        let told = block.value("at").map(At::parse);
        if let Some(Err(error)) = &told {
            self.odd(error.clone());
        }
        let at = told.and_then(Result::ok).unwrap_or_else(|| At::utc(self.last_ms.saturating_add(1)));
        self.last_ms = at.ms;
        at
    }

    pub(super) fn odd(&mut self, message: impl Into<String>) {
        let finding = Finding::new(Code::TRANSCRIPT_BLOCK, message).severity(Severity::Warning);
        self.findings.push(finding.help("`Library/specs/transcript.md` says what blocks hold"));
    }

    pub(super) fn emit(
        &mut self,
        at: At,
        event: Event,
        decided: Decided,
        deltas: Vec<Delta>,
        said: Option<String>,
    ) {
        let event = Box::new(event);
        let happened = Happened::Event { event, decided, deltas, said, unanswered: false };
        self.steps.push(Step { block: self.position.blocks, at, happened });
    }

    pub(super) fn event(&self, hook: Hook) -> Event {
        Event { turn: Some(self.position.turn), ..Event::new(hook) }
    }

    /// The same of a rule by which a call was refused: a call that did nothing taints nothing.
    pub(super) fn refused(&self, rule: Option<&str>) -> Vec<Delta> {
        let mut deltas = self.fired(rule);
        if !rule.is_some_and(|told| self.names.blocks(told)) {
            deltas.retain(|delta| !matches!(delta, Delta::Tainted { .. }));
        }
        deltas
    }

    /// What a rule's block says of its rule: that it fired.
    pub(super) fn fired(&self, rule: Option<&str>) -> Vec<Delta> {
        let Some(told) = rule else { return Vec::new() };
        let taints =
            self.names.taints(told).iter().map(|name| Delta::Tainted { name: name.clone(), once_run: false });
        std::iter::once(Delta::Fired { rule: self.names.full(told) }).chain(taints).collect()
    }
}

/// Messages and turns.
impl Transcript {
    fn message(&mut self, block: &Block, whose: Role, text: String, at: At) {
        let (synthetic, rule) = (block.is_synthetic(), block.via_rule());
        match whose {
            _ if synthetic => self.at_hook(self.hook_of(block, rule), at),
            Role::User => self.query(&text, at),
            Role::Assistant => self.reply(at),
            _ => self.is_broken = true,
        }
        if let Some(hash) = block.value("digest") {
            (self.digest, self.position.digest) = (Some(self.position.blocks), Some(hash.to_owned()));
        }
        let deltas = self.fired(rule);
        self.said(whose, text, synthetic, deltas, at);
    }

    fn said(&mut self, role: Role, text: String, synthetic: bool, deltas: Vec<Delta>, at: At) {
        let message = Some(Message { role, text: text.clone(), tokens: None, synthetic });
        let event = Event { message, ..self.event(Hook::MessageAppended) };
        self.emit(at, event, Decided::allowed(), deltas, Some(text));
    }

    fn query(&mut self, text: &str, at: At) {
        self.settle();
        self.end_turn(at);
        self.position.phase = Phase::Idle;
        (self.position.is_asked, self.position.exchange) = (true, self.position.exchange + 1);
        let message =
            Some(Message { role: Role::User, text: text.to_owned(), tokens: None, synthetic: false });
        let event = Event { message, ..self.event(Hook::QueryStart) };
        self.emit(at, event, Decided::allowed(), Vec::new(), None);
    }

    /// The model writes: in the turn that was begun, or in a new one.
    pub(super) fn reply(&mut self, at: At) {
        let goes_on = self.position.phase == Phase::Replied && !self.is_broken;
        if !goes_on {
            self.settle();
            self.start_turn(at);
        }
        (self.position.phase, self.is_broken) = (Phase::Replied, false);
    }

    fn start_turn(&mut self, at: At) {
        if self.position.phase == Phase::Started {
            return;
        }
        self.end_turn(at);
        self.position.turn += 1;
        self.position.phase = Phase::Started;
        self.emit(at, self.event(Hook::TurnStart), Decided::allowed(), Vec::new(), None);
    }

    fn end_turn(&mut self, at: At) {
        if self.position.phase == Phase::Replied {
            self.position.phase = Phase::Ended;
            self.emit(at, self.event(Hook::TurnEnd), Decided::allowed(), Vec::new(), None);
        }
    }

    /// The hook at which a rule wrote a block: as the block says, or as its rule is asked.
    pub(super) fn hook_of(&self, block: &Block, rule: Option<&str>) -> Option<Hook> {
        told_hook(block).or_else(|| self.names.hook(rule?))
    }

    /// A rule acted at this hook: the turn begins or ends there, if it has not.
    pub(super) fn at_hook(&mut self, hook: Option<Hook>, at: At) {
        match hook {
            Some(Hook::TurnStart) => self.start_turn(at),
            Some(Hook::TurnEnd) => self.end_turn(at),
            Some(Hook::MessageAppended | Hook::PreToolCall) => return,
            _ => {}
        }
        self.is_broken = true;
    }
}

/// What rules did, and what was compacted.
impl Transcript {
    fn rule_event(&mut self, block: &Block, at: At) {
        let rule = block.value("rule");
        let told = match RuleEvent::read(block) {
            Ok(told) => told,
            Err(message) => return self.odd(message),
        };
        match told {
            RuleEvent::Fired { rule: told, set } => {
                if !self.calls.is_waiting() {
                    self.at_hook(self.hook_of(block, rule), at);
                }
                let deltas = self.fired(Some(&told)).into_iter().chain(set).collect();
                let emitted = Some(json!({"type": "rule_event", "source": told}));
                let event = Event { emitted, ..self.event(Hook::EventEmitted) };
                self.emit(at, event, Decided::allowed(), deltas, None);
            }
            RuleEvent::Approval { rule, call, granted } => match self.calls.named(&call) {
                Some(open) => (open.granted, open.asked_by) = (Some(granted), rule),
                None => self.odd(format!("no open call has the id `{}`", call.escape_debug())),
            },
            RuleEvent::Reserved { rule, count } => {
                let reserved = || Delta::Reserved { rule: self.names.full(&rule) };
                let deltas = (0..count.min(MAX_RESERVED)).map(|_| reserved()).collect();
                let emitted = Some(json!({"type": "rule_event", "source": rule}));
                let event = Event { emitted, ..self.event(Hook::EventEmitted) };
                self.emit(at, event, Decided::allowed(), deltas, None);
            }
            RuleEvent::Told => {}
        }
    }

    fn compaction(&mut self, block: &Block, at: At) {
        let rule = block.via_rule();
        self.settle();
        self.at_hook(self.hook_of(block, rule), at);
        let hides = match hides::read(block.value("hides").unwrap_or_default()) {
            Ok(hides) => hides,
            Err(part) => {
                self.odd(format!("`{}` are no numbers of blocks", part.escape_debug()));
                Vec::new()
            }
        };
        if hides.iter().any(|run| *run.end() >= self.position.blocks) {
            self.odd("a compaction hides what stands before it, and nothing else");
        }
        let deltas = self.fired(rule);
        self.emit(at, self.event(Hook::PreCompact), Decided::allowed(), deltas, None);
        if self.digest.is_some_and(|block| hides.iter().any(|run| run.contains(&block))) {
            (self.digest, self.position.digest) = (None, None);
        }
        let happened = Happened::Compacted { hides, summary: block.text().into_string() };
        self.steps.push(Step { block: self.position.blocks, at, happened });
    }
}

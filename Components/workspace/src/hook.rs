//! A hook of a harness: its events are decided, and the rules are shown as far as they are due.

use mentci_authority::{Effect, Event, HeardAt, Hook, Verdict};
use mentci_disk::{Durability, Edit, Sidecar, WriteOptions, edit_locked, exists};
use mentci_host::policy::Line;
use mentci_host::{
    Answer, HookAnswer, HookCall, InjectAnswer, InjectMode, Moment, Outcome, Part, Reminded, Response,
    ShownRules, Standing, pulse, remind,
};
use mentci_source::{Code, Finding, Hash};

use crate::clock::uptime_ms;
use crate::layout::CONFIG;
use crate::policy::BUILD;
use crate::workspace::Workspace;

/// The folder of what sessions were told, in the folder of the workspace's state.
pub(crate) const FOLDER: &str = "told";
/// The lock under which it is written.
pub(crate) const LOCK: &str = "told/lock";
/// For how long a session that nobody goes on with is remembered: 30 days.
const KEPT_MS: i64 = 30 * 24 * 3_600_000;
/// What was told is no loss: the whole text is told once more.
pub(crate) const OPTIONS: WriteOptions = WriteOptions { durability: Durability::Rename, mode: 0o600 };

impl Workspace {
    /// Decides what happens at a hook, then says what the model is shown of the rules.
    pub(crate) fn hook(&self, mut call: HookCall) -> Response {
        if let Some(refused) = late(&call) {
            return Response::bad([refused]);
        }
        let (mut verdicts, mut findings, mut worst) = (Vec::new(), Vec::new(), Outcome::Ok);
        let (at_gate, mut is_denied) = (is_at_gate(&call), false);
        for mut event in std::mem::take(&mut call.events) {
            let heard_at = event.heard_at.or_else(|| call.harness.heard_at());
            event.heard_at = heard_at.map(|heard_at| HeardAt { is_denied, ..heard_at });
            let large = self.large(&call, &event);
            let (verdict, outcome) = self.heard(event, &mut findings);
            is_denied |= matches!(
                verdict.as_ref().map(|verdict| verdict.decision),
                Some(Effect::Block | Effect::Approve)
            );
            verdicts.extend(verdict.map(|verdict| self.shrunk(large, verdict)));
            worst = worst.max(outcome);
        }
        let decided = HookAnswer { verdicts, rules: None, earlier: Vec::new() };
        let answer =
            if call.asker.is_some() { decided } else { self.beside(&call, at_gate, decided, &mut findings) };
        Response::ok(answer).with(once(findings)).at_least(worst)
    }

    /// Adds to what another program decided what the model is shown beside it, and remembers it as told: only whoever hands
    /// an answer on knows that it is.
    pub fn with_shown(&self, call: &HookCall, decided: HookAnswer) -> (HookAnswer, Vec<Finding>) {
        let mut findings = Vec::new();
        let answer = self.beside(call, is_at_gate(call), decided, &mut findings);
        (answer, once(findings))
    }

    fn beside(
        &self,
        call: &HookCall,
        at_gate: bool,
        decided: HookAnswer,
        findings: &mut Vec<Finding>,
    ) -> HookAnswer {
        let earlier = self.carried(call, at_gate, &decided.verdicts);
        let rules = call.moment.and_then(|moment| self.reminded(call, moment, findings));
        HookAnswer { rules, earlier, ..decided }
    }

    fn heard(&self, event: Event, findings: &mut Vec<Finding>) -> (Option<Verdict>, Outcome) {
        let decided = self.decide_told(event);
        findings.extend(decided.findings);
        let Answer::Lines(lines) = decided.answer else { return (None, decided.outcome) };
        let verdict = lines.lines.into_iter().find_map(|line| match line {
            Line::Verdict(verdict) => Some(*verdict),
            _ => None,
        });
        (verdict, decided.outcome)
    }

    /// What the model is shown at this moment; a session's record is read and written under one lock, so that hooks which
    /// run at once show the whole text once.
    fn reminded(&self, call: &HookCall, moment: Moment, findings: &mut Vec<Finding>) -> Option<ShownRules> {
        if let Moment::Begins { .. } = moment {
            self.forget_old();
        }
        let name = format!("{FOLDER}/{}.json", session_name(call));
        if self.is_at_hand(&name, moment, call.said) {
            return None;
        }
        // Hooks of the user run everywhere: where nobody laid down rules nothing is written.
        let is_laid_out = [".pi", CONFIG].iter().any(|path| exists(self.fs.as_ref(), &self.root.join(path)));
        if !is_laid_out {
            return None;
        }
        let response = self.inject_at(call.harness, &[], None);
        findings.extend(response.findings);
        let Answer::Inject(rules) = response.answer else { return None };
        if rules.rules == 0 {
            return None;
        }
        let now = Standing { mode: rules.mode, hash: rules.hash, said: call.said };
        shown(self.part(&name, moment, now)?, rules)
    }

    /// Whether nothing is to be shown now, whatever the rules say: most answers of tools are heard while the rules are at
    /// hand, and for these nothing else is looked at. What was said is counted.
    fn is_at_hand(&self, name: &str, moment: Moment, said: u64) -> bool {
        if !matches!(moment, Moment::Returned | Moment::Answered | Moment::Compacting) {
            return false;
        }
        let mut at_hand = false;
        let sidecar = Sidecar::at(&self.state_folder(), LOCK);
        let edited = edit_locked(self.fs.as_ref(), &sidecar, name, OPTIONS, |bytes| {
            let Some(known) = bytes.and_then(Reminded::read) else { return Ok(Edit::Keep) };
            let now = Standing { mode: InjectMode::SystemPrompt, hash: known.hash, said };
            let (shown, known) = remind(Some(known), moment, now);
            at_hand = shown.is_none();
            let bytes = known.filter(|_| at_hand).and_then(|known| serde_json::to_vec(&known).ok());
            Ok::<_, String>(bytes.map_or(Edit::Keep, Edit::Replace))
        });
        edited.is_ok() && at_hand
    }

    fn part(&self, name: &str, moment: Moment, now: Standing) -> Option<Part> {
        if moment == Moment::Sent {
            return remind(None, moment, now).0;
        }
        let mut part = None;
        let sidecar = Sidecar::at(&self.state_folder(), LOCK);
        let edited = edit_locked(self.fs.as_ref(), &sidecar, name, OPTIONS, |bytes| {
            let (shown, known) = remind(bytes.and_then(Reminded::read), moment, now);
            part = shown;
            // OK because a record is plain data.
            let bytes = known.and_then(|known| serde_json::to_vec(&known).ok());
            Ok::<_, String>(bytes.map_or(Edit::Keep, Edit::Replace))
        });
        match edited {
            Ok(_) => part,
            // What cannot be remembered is told each time.
            Err(_) => remind(None, moment, now).0,
        }
    }

    /// Sessions that nobody has gone on with for long are told everything once more, should somebody do so.
    fn forget_old(&self) {
        let (fs, folder) = (self.fs.as_ref(), self.state_folder().join(FOLDER));
        let oldest = self.now().ms.saturating_sub(KEPT_MS).saturating_mul(1_000_000);
        let Ok(entries) = fs.read_dir(&folder, &mut |_, _| Some(false)) else { return };
        for entry in entries {
            let path = folder.join(&entry.name);
            let is_old = fs.stat(&path).is_ok_and(|stat| stat.stamp.mtime_ns < oldest);
            if is_old && path.extension().is_some_and(|extension| extension == "json") {
                // Another process may have removed it.
                let _ = fs.remove(&path);
            }
        }
    }
}

/// Why a call of another program is not answered; none where it is: a program of another build may decide otherwise, and one
/// that gave up waiting has decided by itself.
pub fn late(call: &HookCall) -> Option<Finding> {
    let asker = call.asker.as_ref()?;
    let why = if asker.build != BUILD {
        "another build of the program asks, which may decide otherwise"
    } else if asker.until_ms <= uptime_ms() {
        "whoever asked has decided by itself meanwhile"
    } else {
        return None;
    };
    Some(Finding::new(Code::DAEMON_REFUSED, why))
}

fn is_at_gate(call: &HookCall) -> bool {
    call.events.iter().any(|event| event.hook == Hook::PreToolCall)
}

/// What is wrong, each once: a prompt is two events.
fn once(findings: Vec<Finding>) -> Vec<Finding> {
    let mut told: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        if !told.contains(&finding) {
            told.push(finding);
        }
    }
    told
}

/// The name of a session's record: whatever a harness calls its sessions, it is one name of a file.
pub(crate) fn session_name(call: &HookCall) -> String {
    let parts = [call.harness.name(), call.session.as_str()].map(str::as_bytes);
    Hash::of("mentci told session v1", parts).short(24)
}

fn shown(part: Part, InjectAnswer { text, hash, tokens, mode, .. }: InjectAnswer) -> Option<ShownRules> {
    let text = match part {
        Part::Pulse => pulse(&text),
        Part::Whole if mode == InjectMode::FullEveryTurn => reminder(&text),
        Part::Whole => text,
    };
    (!text.is_empty()).then_some(ShownRules { part, text, hash, tokens })
}

/// The form of the reminder that is told each turn.
fn reminder(text: &str) -> String {
    format!("<system-reminder>\n{}\n</system-reminder>", text.trim_end())
}

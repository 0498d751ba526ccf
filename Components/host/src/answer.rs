//! The answers' shapes: plain data, printed by the command line and sent as JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{
    EntryKind, LessonId, LessonStatus, Level, NormId, OmissionReason, RuleNo, SkillName, SourceSpan, Tier,
    Verdict,
};
use mentci_source::Hash;
use serde::{Deserialize, Serialize};

/// The Absolute Rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DigestAnswer {
    /// Whose; `null` for the workspace's.
    pub skill: Option<SkillName>,
    /// The file, relative to the workspace.
    pub path: String,
    /// The digest's text as a model reads it, without the seal.
    pub text: String,
    /// The hash of `text`.
    pub hash: Hash,
    /// How many numbered rules it states.
    pub rules: usize,
    /// Its o200k tokens.
    pub tokens: usize,
}

/// How the text reaches the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InjectMode {
    /// In the system prompt, byte-stable: the cheapest.
    #[default]
    SystemPrompt,
    /// As a hidden reminder before every turn.
    FullEveryTurn,
}

impl InjectMode {
    /// `system-prompt`: the name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::SystemPrompt => "system-prompt",
            Self::FullEveryTurn => "full-every-turn",
        }
    }
}

/// What to inject this turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InjectAnswer {
    /// Where it goes.
    pub mode: InjectMode,
    /// The workspace's digest and the sections of the active skills.
    pub text: String,
    /// The hash of `text`.
    pub hash: Hash,
    /// How many numbered rules it states.
    pub rules: usize,
    /// Its o200k tokens.
    pub tokens: usize,
    /// What came of the event that was told with the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Box<Verdict>>,
}

/// What a model made of the rules, and what it saves. Tokens are o200k where nothing else is said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CondenseAnswer {
    /// Who was asked, or would have been; `null` where nobody is named.
    pub model: Option<String>,
    /// The prompt: its version and the digits of its hash.
    pub prompt: String,
    /// Statements that have a shorter line.
    pub accepted: usize,
    /// Statements of which the model knew nothing shorter.
    pub unchanged: usize,
    /// Statements whose shorter line was refused.
    pub refused: usize,
    /// Statements that hold what looks like a secret: nobody was asked.
    pub withheld: usize,
    /// Statements that were asked about and of which nothing came.
    pub unanswered: usize,
    /// Of the accepted ones, those of this run.
    pub newly_accepted: usize,
    /// Requests that were made, each try again one more.
    pub calls: usize,
    /// Of these, those of which nothing came.
    pub failed_calls: usize,
    /// Tokens of the statements that were asked about.
    pub law_tokens: usize,
    /// Tokens of all that was sent for them.
    pub prompt_tokens: usize,
    /// Tokens that were sent, as the provider counts them.
    pub sent: u64,
    /// Tokens that were answered, as the provider counts them.
    pub answered: u64,
    /// Tokens at most that were answered where no whole answer came.
    pub lost: u64,
    /// Tokens of all skills' digests without shorter lines.
    pub skills_plain: usize,
    /// Tokens of all skills' digests.
    pub skills: usize,
    /// Tokens of the workspace's digest without shorter lines.
    pub workspace_plain: usize,
    /// Tokens of the workspace's digest.
    pub workspace: usize,
    /// Statement by statement, when they are asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<CondensedRow>,
}

/// One statement and what a model made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CondensedRow {
    /// The rule.
    pub rule: RuleNo,
    /// Where the law says it.
    pub place: Option<String>,
    /// The words of the law.
    pub source: Option<String>,
    /// The deterministic line.
    pub deterministic: String,
    /// The model's line; of a refused one only in the run that asked.
    pub line: Option<String>,
    /// `accepted`, `same`, `withheld`, or why it is refused.
    pub verdict: String,
    /// Who said it.
    pub model: String,
}

/// How much of the law the digests still say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalAnswer {
    /// Who judged; `null` where nobody was asked.
    pub judge: Option<String>,
    /// The judge's prompt: its version and the digits of its hash.
    pub prompt: Option<String>,
    /// Whether the judge caught more than half of its controls; `null` where it was shown none. One that did not judges nothing.
    pub is_judge_sound: Option<bool>,
    /// The norms of all skills.
    pub norms: usize,
    /// Requests to the judge.
    pub calls: usize,
    /// Tokens (o200k) of the digests.
    pub tokens: Vec<EvalTokens>,
    /// Each measure.
    pub rows: Vec<EvalRow>,
    /// Each norm that a digest does not say as the law says it.
    pub lost: Vec<EvalLoss>,
    /// How many of `lost` make `--strict` fail: those of the digests as they are, without what was left out on purpose.
    pub failing: usize,
}

/// A norm that a digest does not say as the law says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvalLoss {
    /// `unstated`, `left-out` (on purpose), `polarity` or `literals`.
    pub what: String,
    /// `skills` or `workspace`.
    pub of: String,
    /// In which digest: `deterministic`, `as it is` or `both`.
    pub digest: String,
    /// The norm.
    pub norm: NormId,
    /// Its level and polarity.
    pub level: Level,
    /// The number of the line that states it.
    pub rule: Option<RuleNo>,
    /// Where the law says it: `path:line`.
    pub place: Option<String>,
    /// The words of the law.
    pub law: String,
    /// The line that stands.
    pub line: Option<String>,
    /// The literals that the line lacks, or why the norm was left out.
    pub detail: String,
}

/// Tokens of one kind of digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvalTokens {
    /// `skills` or `workspace`.
    pub of: String,
    /// Without shorter lines.
    pub deterministic: usize,
    /// As it is.
    pub condensed: usize,
}

/// One measure of the deterministic digest, and of the digest as it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalRow {
    /// `recall`, `polarity`, `literals`, or what a judge was asked.
    pub measure: String,
    /// `skills`, `workspace` or `judge`.
    pub of: String,
    /// Without shorter lines.
    pub deterministic: EvalShare,
    /// As it is.
    pub condensed: EvalShare,
}

/// So many of so many, and the 95 percent interval (Wilson) of the share.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalShare {
    /// How many hold.
    pub hits: usize,
    /// Of how many.
    pub of: usize,
    /// The least that the share may be.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// One rule: the line, its sources, its lessons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleAnswer {
    /// Its number.
    pub rule: RuleNo,
    /// Level and polarity; `null` for facts.
    pub level: Option<Level>,
    /// What the line is.
    pub kind: EntryKind,
    /// Core or adaptive.
    pub tier: Tier,
    /// The digest's line.
    pub line: String,
    /// Where the law says it, with its words.
    pub sources: Vec<RuleSource>,
    /// The lessons in it.
    pub lessons: Vec<LessonView>,
}

/// A place in the law with its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleSource {
    /// Where.
    #[serde(flatten)]
    pub span: SourceSpan,
    /// What stands there.
    pub words: String,
}

/// What a finding's code means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeAnswer {
    /// `E0601`.
    pub code: &'static str,
    /// `stale-reference`.
    pub name: &'static str,
    /// `note`, `warning` or `error`.
    pub severity: mentci_source::Severity,
    /// What it means and what to do.
    pub explanation: &'static str,
}

/// How much of the sources the map accounts for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CoverageAnswer {
    /// Non-blank lines of all sources.
    pub lines: usize,
    /// Of those, lines in either list of the map.
    pub covered: usize,
    /// Source by source, ordered by path.
    pub sources: Vec<CoverageRow>,
}

/// The coverage of one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CoverageRow {
    /// Path relative to the workspace.
    pub path: Arc<str>,
    /// Non-blank lines.
    pub lines: usize,
    /// Lines that a rule states.
    pub stated: usize,
    /// Lines left out, by reason. A line with two sentences may count twice.
    pub omitted: BTreeMap<OmissionReason, usize>,
    /// Lines in neither list, from 1: always empty, else it is a defect.
    pub gaps: Vec<u32>,
}

/// Tokens in and out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatsAnswer {
    /// Tokens of all sources.
    pub tokens_in: usize,
    /// Tokens of all skills' digests.
    pub tokens_out: usize,
    /// `tokens_out / tokens_in`; 0 without sources.
    pub ratio: f64,
    /// Tokens of the workspace's digest: what is injected.
    pub workspace_tokens: usize,
    /// Its budget.
    pub budget: usize,
    /// Skill by skill.
    pub skills: Vec<SkillStats>,
}

/// Tokens of one skill.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkillStats {
    /// The skill, or `workspace`.
    pub skill: String,
    /// Tokens of its sources.
    pub tokens_in: usize,
    /// Tokens of its digest.
    pub tokens_out: usize,
    /// `tokens_out / tokens_in`.
    pub ratio: f64,
    /// Rules in it.
    pub rules: usize,
    /// Section by section of the law, in order.
    pub sections: Vec<SectionStats>,
}

/// Tokens of one section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SectionStats {
    /// The heading, or what was left out: `(code)`.
    pub section: String,
    /// Tokens of the words that its rules rest on.
    pub tokens_in: usize,
    /// Tokens of its lines in the digest.
    pub tokens_out: usize,
    /// Rules.
    pub rules: usize,
}

/// How much work was done: what proves that only what changed is read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counters {
    /// Files whose bytes were read.
    pub read: u64,
    /// Files whose bytes were hashed.
    pub hashed: u64,
    /// Skills that were compiled.
    pub skills: u64,
    /// Digests whose bytes moved and were published.
    pub published: u64,
}

/// What a compile did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompileAnswer {
    /// Whether something was to be written and was not (`--check`).
    pub stale: bool,
    /// The hash of the workspace's digest.
    pub hash: Hash,
    /// The workspace first, then skill by skill.
    pub digests: Vec<CompiledRow>,
    /// Lessons that were folded into `promoted.edn`, or are due (`--check`).
    pub promoted: Vec<LessonId>,
    /// What a model made of the rules; only where one is to be asked, or was asked before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condensed: Option<Box<CondenseAnswer>>,
    /// The work done.
    pub counters: Counters,
    /// How long it took, in microseconds.
    pub micros: u64,
}

/// One digest of a compile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompiledRow {
    /// `null` for the workspace's.
    pub skill: Option<SkillName>,
    /// The file, relative to the workspace.
    pub path: String,
    /// Rules in it.
    pub rules: usize,
    /// Of those, musts and must-nots.
    pub binding: usize,
    /// Lessons in it.
    pub lessons: usize,
    /// Tokens of its sources; `null` in a tree of more than 100 skills, where counting would take longer than compiling.
    pub tokens_in: Option<usize>,
    /// Tokens of its text; `null` likewise.
    pub tokens_out: Option<usize>,
    /// Whether its bytes moved.
    pub changed: bool,
    /// Lines that went (`-`) and came (`+`), when asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diff: Vec<String>,
    /// Each line with its place, when asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<String>,
}

/// A lesson was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaughtAnswer {
    /// Its id.
    pub id: LessonId,
    /// Whether it is compiled at once (`active`) or waits (`pending`).
    pub status: LessonStatus,
    /// The file, relative to the workspace.
    pub path: String,
    /// A sentence for the agent.
    pub message: String,
}

/// A lesson with all that is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LessonView {
    /// Whose.
    pub skill: SkillName,
    /// Its id.
    pub id: LessonId,
    /// Its effective status: what its file claims, checked against acceptances and the law.
    pub status: LessonStatus,
    /// When it applies.
    pub condition: String,
    /// What to do then.
    pub resolution: String,
    /// How it was learned.
    pub context: Option<String>,
    /// When it was told: RFC 3339.
    pub at: Option<String>,
    /// Who told it.
    pub author: Option<String>,
    /// Through which door.
    pub source: Option<String>,
    /// In which sessions.
    pub sessions: Vec<String>,
    /// Whether a person accepted this content.
    pub accepted: bool,
    /// The file, relative to the workspace.
    pub path: String,
    /// The rule that carries it, when it is in the digest.
    pub rule: Option<RuleNo>,
    /// Lessons that say nearly the same.
    pub near: Vec<LessonId>,
    /// Lessons of the skill that say the opposite under the same condition.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opposed: Vec<LessonId>,
    /// Why it waits for a person, when it does: ``would loosen or contradict `You MUST …` ``.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits: Option<String>,
    /// Why it was rejected or retired, when that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Lessons, ordered by skill and by their place in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LessonList {
    /// The lessons.
    pub lessons: Vec<LessonView>,
}

/// One lesson, and what was done with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LessonAnswer {
    /// The lesson as it stands now.
    pub lesson: LessonView,
    /// What was done; empty when it was only shown.
    pub message: String,
}

/// What the digest is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourcesAnswer {
    /// Ordered by path.
    pub sources: Vec<SourceRow>,
}

/// One source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceRow {
    /// Path relative to the workspace.
    pub path: String,
    /// `law`, `schema`, `manifest` or `lessons`.
    pub kind: &'static str,
    /// Whose, when it is one skill's.
    pub skill: Option<SkillName>,
    /// BLAKE3 of its bytes; `null` when it could not be read.
    pub hash: Option<Hash>,
    /// Bytes.
    pub bytes: u64,
}

/// Whether what is published is whole and current.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatusAnswer {
    /// The workspace's folder.
    pub root: String,
    /// The hash of the published digest; `null` when there is none.
    pub hash: Option<Hash>,
    /// Whether its seal holds.
    pub whole: bool,
    /// Whether it is what the sources compile to.
    pub current: bool,
    /// Whether the user trusts the workspace's configuration, rules and plugins as they stand.
    pub trusted: bool,
    /// The files of those that the user does not trust as they stand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untrusted: Vec<String>,
    /// Skills.
    pub skills: usize,
    /// Sources.
    pub sources: usize,
    /// Lessons by effective status.
    pub lessons: BTreeMap<LessonStatus, usize>,
    /// The work done so far by this process.
    pub counters: Counters,
}

/// The effective configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConfigAnswer {
    /// Ordered by key.
    pub values: Vec<ConfigRow>,
}

/// One value and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConfigRow {
    /// `digest.tokens`.
    pub key: &'static str,
    /// The value; `null` when it is unset.
    pub value: serde_json::Value,
    /// `built-in`, `user`, `workspace`, `environment`, `flags` or `managed`.
    pub layer: &'static str,
    /// The file or the variable, when there is one.
    pub origin: Option<String>,
    /// What it does.
    pub about: &'static str,
}

/// Whether the workspace's configuration is trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrustAnswer {
    /// The configuration file.
    pub path: String,
    /// Whether it is trusted now.
    pub trusted: bool,
    /// The hash of the content that the trust is bound to.
    pub hash: Option<Hash>,
    /// Everything that is trusted now, by path, each file as it stands: the configuration, rules, scripts and plugins.
    pub files: BTreeMap<String, Hash>,
}

/// What `init` did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InitAnswer {
    /// The workspace's folder.
    pub root: String,
    /// The skills that were found.
    pub skills: Vec<SkillName>,
    /// File by file.
    pub files: Vec<InitRow>,
}

/// One file of `init`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InitRow {
    /// Path relative to the workspace.
    pub path: String,
    /// `wrote`, `added a line` or `kept`.
    pub did: &'static str,
}

/// What `doctor` looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoctorAnswer {
    /// Check by check.
    pub checks: Vec<Check>,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was looked at.
    pub what: String,
    /// Whether it is well.
    pub ok: bool,
    /// What was seen.
    pub seen: String,
}

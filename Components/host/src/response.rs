//! What comes back.

use mentci_authority::Verdict;
use mentci_source::{Finding, Severity};
use serde::Serialize;

use crate::answer::{
    CodeAnswer, CompileAnswer, ConfigAnswer, CoverageAnswer, DigestAnswer, DoctorAnswer, EvalAnswer,
    InitAnswer, InjectAnswer, LessonAnswer, LessonList, RuleAnswer, SourcesAnswer, StatsAnswer, StatusAnswer,
    TaughtAnswer, TrustAnswer,
};
use crate::chatmd::{CanonicalAnswer, CheckedAnswer, DocumentAnswer, PageAnswer};
use crate::policy::{
    ApprovalsAnswer, FormatAnswer, Line, LinesAnswer, NotificationsAnswer, PackAnswer, PluginShown,
    PluginsAnswer, RuleShown, RulesAnswer, ScriptRunAnswer, TestsAnswer, TextAnswer, TrialAnswer,
};

use crate::hook::HookAnswer;
use crate::install::InstallAnswer;
use crate::session::{
    AlignedAnswer, ArtifactContent, ArtifactHits, ArtifactsAnswer, CollectedAnswer, ContextAnswer,
    ContextExplained, DemoAnswer, SessionEvents, SessionVerified, SessionsAnswer,
};

/// How it ended; the exit code of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// 0: done.
    Ok,
    /// 1: done, and something is not as it should be; or denied.
    Findings,
    /// 2: bad input, or it could not be done. What that concerns was left as it stood.
    Bad,
}

impl Outcome {
    /// The exit code: 0, 1 or 2.
    pub fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Findings => 1,
            Self::Bad => 2,
        }
    }
}

/// The answer to a request: the answer's own fields, and `findings` beside them.
///
/// Bad input serialises as `{"findings":[…]}` alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Response {
    /// How it ended.
    #[serde(skip)]
    pub outcome: Outcome,
    /// The verb's own answer.
    #[serde(flatten)]
    pub answer: Answer,
    /// What is odd.
    pub findings: Vec<Finding>,
}

impl Response {
    /// Done, nothing odd.
    pub fn ok(answer: impl Into<Answer>) -> Self {
        Self { outcome: Outcome::Ok, answer: answer.into(), findings: Vec::new() }
    }

    /// Bad input: nothing was done. What would be a warning where things go on without it is an error here.
    ///
    /// ```
    /// use mentci_host::Response;
    /// use mentci_source::{Code, Finding};
    /// let response = Response::bad([Finding::new(Code::STORE_LOCKED, "another process holds the store")]);
    /// assert_eq!(
    ///     response.findings[0].to_string(),
    ///     "error[E0810]: another process holds the store: nothing was done"
    /// );
    /// ```
    pub fn bad(findings: impl IntoIterator<Item = Finding>) -> Self {
        let mut findings: Vec<Finding> = findings.into_iter().collect();
        let is_told = findings.iter().any(|finding| finding.severity == Severity::Error);
        if let Some(last) = findings.last_mut().filter(|_| !is_told) {
            last.severity = Severity::Error;
            last.message.push_str(": nothing was done");
        }
        Self { outcome: Outcome::Bad, answer: Answer::None {}, findings }
    }

    /// What came of the one event that was asked about.
    pub fn verdict(&self) -> Option<&Verdict> {
        match &self.answer {
            Answer::Lines(lines) => lines.lines.iter().find_map(|line| match line {
                Line::Verdict(verdict) => Some(&**verdict),
                _ => None,
            }),
            Answer::Hook(answer) => answer.verdicts.first(),
            _ => None,
        }
    }

    /// Adds findings; the outcome stays.
    #[must_use]
    pub fn with(mut self, findings: impl IntoIterator<Item = Finding>) -> Self {
        self.findings.extend(findings);
        self
    }

    /// Raises the outcome to at least this.
    #[must_use]
    pub fn at_least(mut self, outcome: Outcome) -> Self {
        self.outcome = self.outcome.max(outcome);
        self
    }
}

/// The answers, one for each verb.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each variant is named by the type that it holds")]
pub enum Answer {
    Digest(DigestAnswer),
    Inject(InjectAnswer),
    Hook(HookAnswer),
    Install(InstallAnswer),
    Rule(RuleAnswer),
    Code(CodeAnswer),
    Coverage(CoverageAnswer),
    Stats(StatsAnswer),
    Compile(CompileAnswer),
    Eval(EvalAnswer),
    Taught(TaughtAnswer),
    Lessons(LessonList),
    Lesson(LessonAnswer),
    Sources(SourcesAnswer),
    Status(StatusAnswer),
    Config(ConfigAnswer),
    Trust(TrustAnswer),
    Init(InitAnswer),
    Doctor(DoctorAnswer),
    Lines(LinesAnswer),
    Text(TextAnswer),
    Rules(RulesAnswer),
    PolicyRule(RuleShown),
    Tests(TestsAnswer),
    Format(FormatAnswer),
    Approvals(ApprovalsAnswer),
    Stops(crate::policy::StopsAnswer),
    Notifications(NotificationsAnswer),
    Trial(TrialAnswer),
    ScriptRun(ScriptRunAnswer),
    Pack(PackAnswer),
    Plugins(PluginsAnswer),
    Plugin(PluginShown),
    Sessions(SessionsAnswer),
    Log(crate::LogAnswer),
    History(crate::HistoryAnswer),
    DigestDiff(crate::DigestDiff),
    Audit(crate::AuditAnswer),
    SessionEvents(SessionEvents),
    SessionVerified(SessionVerified),
    Context(ContextAnswer),
    ContextExplained(ContextExplained),
    Demo(DemoAnswer),
    Aligned(AlignedAnswer),
    Pinged(crate::model::PingAnswer),
    Models(crate::model::ModelsAnswer),
    Artifacts(ArtifactsAnswer),
    ArtifactContent(ArtifactContent),
    ArtifactHits(ArtifactHits),
    Collected(CollectedAnswer),
    Document(DocumentAnswer),
    Canonical(CanonicalAnswer),
    Checked(CheckedAnswer),
    Page(PageAnswer),
    /// Nothing but findings.
    None {},
}

macro_rules! from_answers {
    ($($variant:ident $type:ty),* $(,)?) => {
        $(impl From<$type> for Answer {
            fn from(answer: $type) -> Self {
                Self::$variant(answer)
            }
        })*
    };
}

from_answers! {
    Digest DigestAnswer, Inject InjectAnswer, Hook HookAnswer, Install InstallAnswer, Rule RuleAnswer, Code CodeAnswer, Coverage CoverageAnswer,
    Stats StatsAnswer, Compile CompileAnswer, Eval EvalAnswer, Taught TaughtAnswer, Lessons LessonList, Lesson LessonAnswer,
    Sources SourcesAnswer, Status StatusAnswer, Config ConfigAnswer, Trust TrustAnswer, Init InitAnswer,
    Doctor DoctorAnswer, Lines LinesAnswer, Text TextAnswer, Rules RulesAnswer, PolicyRule RuleShown,
    Tests TestsAnswer, Format FormatAnswer, Approvals ApprovalsAnswer, Stops crate::policy::StopsAnswer, Notifications NotificationsAnswer, Trial TrialAnswer, ScriptRun ScriptRunAnswer,
    Pack PackAnswer, Plugins PluginsAnswer, Plugin PluginShown, Log crate::LogAnswer, History crate::HistoryAnswer, DigestDiff crate::DigestDiff, Audit crate::AuditAnswer, Sessions SessionsAnswer,
    SessionEvents SessionEvents, SessionVerified SessionVerified, Context ContextAnswer,
    Pinged crate::model::PingAnswer, Models crate::model::ModelsAnswer,
    ContextExplained ContextExplained, Demo DemoAnswer, Aligned AlignedAnswer, Artifacts ArtifactsAnswer,
    ArtifactContent ArtifactContent, ArtifactHits ArtifactHits, Collected CollectedAnswer,
    Document DocumentAnswer, Canonical CanonicalAnswer, Checked CheckedAnswer, Page PageAnswer,
}

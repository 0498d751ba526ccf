//! Every verb, once.

use mentci_authority::LessonStatus;
use serde::{Deserialize, Serialize};

use crate::session::{ContextRequest, SessionRequest};
use crate::{Harness, LogRequest};

/// What a door asks for. Names of skills arrive as text, because they come from agents: they are checked when answered.
///
/// ```
/// use mentci_host::Request;
/// let request: Request = serde_json::from_str(r#"{"verb":"digest","skill":"sema-programmer"}"#)?;
/// assert_eq!(request, Request::Digest { skill: Some("sema-programmer".into()) });
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// The Absolute Rules of the workspace, or of one skill. -> [`DigestAnswer`](crate::DigestAnswer)
    Digest {
        /// One skill's digest instead of the workspace's.
        #[serde(default)]
        skill: Option<String>,
    },
    /// The Absolute Rules as they were.
    History(crate::HistoryRequest),
    /// The text to inject into a harness this turn. -> [`InjectAnswer`](crate::InjectAnswer)
    Inject {
        /// Who asks.
        harness: Harness,
        /// The skills that are active in the session, in the order of their activation.
        #[serde(default)]
        active: Vec<String>,
        /// The harness's session.
        #[serde(default)]
        session: Option<String>,
        /// What happens in the harness at this moment, as `decide` takes it: decided and remembered with the same question.
        /// Keys of it that are not known are passed over.
        #[serde(default)]
        event: Option<crate::policy::Input>,
    },
    /// What happens at a hook of a harness: decided and remembered, and the rules shown as far as they are due.
    /// -> [`HookAnswer`](crate::HookAnswer)
    Hook(Box<crate::HookCall>),
    /// Where a rule comes from, or what a finding's code means. -> [`RuleAnswer`](crate::RuleAnswer) or
    /// [`CodeAnswer`](crate::CodeAnswer)
    Explain {
        /// `sema-programmer-4`, `E0601`, `stale-reference`, or a lesson's id.
        what: String,
    },
    /// How much of the sources the map accounts for. -> [`CoverageAnswer`](crate::CoverageAnswer)
    Coverage {
        /// Only this skill.
        #[serde(default)]
        skill: Option<String>,
    },
    /// Tokens in and out, by skill and section. -> [`StatsAnswer`](crate::StatsAnswer)
    Stats,
    /// Compiles without writing and says whether all is well: findings, and whether the digest is current.
    /// -> [`CompileAnswer`](crate::CompileAnswer)
    Check,
    /// Compiles and publishes. -> [`CompileAnswer`](crate::CompileAnswer)
    Compile {
        /// Writes nothing; findings when what stands is out of date.
        #[serde(default)]
        check: bool,
        /// Shows what would change, or changed, in the digests.
        #[serde(default)]
        diff: bool,
        /// Shows each rule with its place, and what a model made of it.
        #[serde(default)]
        explain: bool,
        /// Publishes nothing when the model that is to shorten the rules gives no answer.
        #[serde(default)]
        require_model: bool,
    },
    /// How much of the law the digests still say, with a model's shorter lines and without; writes nothing.
    /// -> [`EvalAnswer`](crate::EvalAnswer)
    EvalDigest {
        /// The model that judges, `provider/name` or `script:PATH`; an empty name is the configured one. Without it the
        /// deterministic part is measured alone.
        #[serde(default)]
        judge: Option<String>,
        /// How many norms the judge is shown at most.
        #[serde(default = "most_probes")]
        probes: usize,
        /// Findings where a digest does not say a norm as the law says it.
        #[serde(default)]
        strict: bool,
    },
    /// What may happen and what came of it: the verbs of policy.
    Policy(crate::policy::PolicyRequest),
    /// What happened in sessions.
    Session(crate::session::SessionRequest),
    /// The whole log, and the proof that none of it was changed.
    Log(crate::LogRequest),
    /// Sessions as messages that fit.
    Context(crate::session::ContextRequest),
    /// Large content beside the log.
    Artifact(crate::session::ArtifactRequest),
    /// Whom the configuration asks for answers.
    Model(crate::model::ModelVerb),
    /// ChatMD documents.
    Chatmd(crate::chatmd::ChatmdRequest),
    /// What agents learned. -> [`TaughtAnswer`](crate::TaughtAnswer), [`LessonList`](crate::LessonList) or
    /// [`LessonAnswer`](crate::LessonAnswer)
    Lessons(LessonRequest),
    /// What the digest is made of. -> [`SourcesAnswer`](crate::SourcesAnswer)
    Sources,
    /// Whether what is published is whole and current. -> [`StatusAnswer`](crate::StatusAnswer)
    Status,
    /// The effective configuration, each value with its layer. -> [`ConfigAnswer`](crate::ConfigAnswer)
    Config,
    /// Trusts the workspace's configuration as it stands, or takes that back. A person's verb: never offered to an agent.
    /// -> [`TrustAnswer`](crate::TrustAnswer)
    Trust {
        /// Takes the trust back.
        #[serde(default)]
        revoke: bool,
    },
    /// Writes what a workspace needs and lacks. -> [`InitAnswer`](crate::InitAnswer)
    Init {
        /// Files that doors bring along, such as a harness's extension.
        #[serde(default)]
        assets: Vec<Asset>,
    },
    /// Writes what a harness needs beside what stands there, or takes it away again. A person's verb: never offered to an
    /// agent. -> [`InstallAnswer`](crate::InstallAnswer)
    Install {
        /// What belongs where.
        installation: Box<crate::Installation>,
        /// What would stand beside it for the same harness, so that each call were asked about twice.
        #[serde(default)]
        twin: Option<Box<crate::Installation>>,
        /// Takes it away.
        #[serde(default)]
        remove: bool,
        /// Writes nothing and shows what would change.
        #[serde(default)]
        dry_run: bool,
    },
    /// A client's configuration of MCP servers, each server behind a gateway. A person's verb: never offered to an agent.
    /// -> [`TextAnswer`](crate::policy::TextAnswer)
    Servers(ServersRequest),
    /// What fails silently. -> [`DoctorAnswer`](crate::DoctorAnswer)
    Doctor {
        /// Files that doors expect to stand as they bring them.
        #[serde(default)]
        assets: Vec<Asset>,
        /// What may be installed for harnesses.
        #[serde(default)]
        installations: Vec<crate::Installation>,
    },
}

fn most_probes() -> usize {
    100
}

impl Request {
    /// The session that it names by its id; none where the name may be that of a file.
    ///
    /// ```
    /// use mentci_host::{Request, policy::PolicyRequest};
    /// let resume = PolicyRequest::Resume { session: Some("s1".into()) };
    /// assert_eq!(Request::Policy(resume).session(), Some("s1"));
    /// assert_eq!(Request::Stats.session(), None);
    /// ```
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Inject { session, .. } => session.as_deref(),
            Self::Policy(policy) => policy.session(),
            Self::Log(LogRequest::Lines { session, .. } | LogRequest::Export { session, .. }) => {
                session.as_deref()
            }
            Self::Session(SessionRequest::Import { into, .. }) => into.as_deref(),
            Self::Context(ContextRequest::Compile(query) | ContextRequest::Explain(query)) => {
                query.is_id.then_some(query.session.as_str())
            }
            Self::Artifact(artifact) => artifact.session(),
            _ => None,
        }
    }
}

/// A configuration of servers that is to change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServersRequest {
    /// The file, absolute.
    pub path: String,
    /// The command that is the gateway's.
    pub engine: String,
    /// Writes the file instead of showing what it would be.
    #[serde(default)]
    pub write: bool,
    /// Takes the gateways out again.
    #[serde(default)]
    pub restore: bool,
}

/// A file that a door brings along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    /// Path relative to the workspace.
    pub path: String,
    /// Its text.
    pub text: String,
    /// A file of the user's that does the same, absolute: where it stands this one is not needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unless: Option<String>,
}

/// The verbs of lessons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "lesson", rename_all = "snake_case", deny_unknown_fields)]
pub enum LessonRequest {
    /// Teaches one. -> [`TaughtAnswer`](crate::TaughtAnswer)
    Add(Teaching),
    /// Lists them. -> [`LessonList`](crate::LessonList)
    List {
        /// Only this skill's.
        #[serde(default)]
        skill: Option<String>,
        /// Only those with this status.
        #[serde(default)]
        status: Option<LessonStatus>,
    },
    /// Shows one. -> [`LessonAnswer`](crate::LessonAnswer)
    Show {
        /// Its id, or the start of it when only one lesson starts so.
        id: String,
    },
    /// Lets a pending one into the digest. A person's verb: never offered to an agent. -> [`LessonAnswer`](crate::LessonAnswer)
    Accept {
        /// Its id.
        id: String,
    },
    /// Refuses one for good. A person's verb. -> [`LessonAnswer`](crate::LessonAnswer)
    Reject {
        /// Its id.
        id: String,
        /// Why.
        #[serde(default)]
        reason: Option<String>,
    },
    /// Retires one into `archive.edn`. -> [`LessonAnswer`](crate::LessonAnswer)
    Archive {
        /// Its id.
        id: String,
        /// Why.
        reason: String,
    },
    /// Moves one into `promoted.edn`. A person's verb. -> [`LessonAnswer`](crate::LessonAnswer)
    Promote {
        /// Its id.
        id: String,
    },
    /// Teaches every lesson of another EDN file. -> [`LessonList`](crate::LessonList)
    Import {
        /// The skill that learns them.
        skill: String,
        /// The file, absolute or relative to the workspace.
        path: String,
    },
}

/// A lesson as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teaching {
    /// Whose lesson: the name of a skill.
    pub skill: String,
    /// When it applies.
    pub condition: String,
    /// What to do then.
    pub resolution: String,
    /// How it was learned.
    #[serde(default)]
    pub context: Option<String>,
    /// The session in which it was learned.
    #[serde(default)]
    pub session: Option<String>,
    /// Who tells it: an agent's or a person's name.
    #[serde(default)]
    pub author: Option<String>,
    /// The door: `mcp`, `pi`, `cli`.
    #[serde(default)]
    pub source: Option<String>,
}

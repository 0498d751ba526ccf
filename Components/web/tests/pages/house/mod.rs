//! A house with one of everything, in which everything that others write is one text.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};

use mentci_authority::{
    ArtifactHandle, Bounds, Dialect, Effect, EntryKind, Event, Hook, LessonId, LessonStatus, Level, Origin,
    PluginSetting, Reason, Rule, RuleId, RuleNo, RuleSeverity, RuleTest, SettingKind, SkillName, SourceSpan,
    Tier, ToolCall, Trust, Verdict,
};
use mentci_context::{
    Added, DropLedger, DropReason, LedgerEntry, Parts, SessionEvent, SessionEventKind, Totals,
};
use mentci_host::policy::{
    ApprovalRow, ApprovalsAnswer, CapabilityRow, GuardTrace, Line, LinesAnswer, ParameterRow, PluginRequest,
    PluginRow, PluginShown, PluginState, PluginsAnswer, PolicyRequest, RuleRow, RuleShown, RulesAnswer,
    SettingRow, StopRow, StopsAnswer, TextAnswer, TrialAnswer,
};
use mentci_host::session::{
    ArtifactContent, ArtifactRequest, ArtifactRow, ArtifactsAnswer, ContextExplained, ContextRequest,
    SessionEvents, SessionRequest, SessionTotals, SessionsAnswer,
};
use mentci_host::{
    Answer, Ask, ConfigAnswer, ConfigRow, DigestAnswer, DigestDiff, DigestVersion, HistoryAnswer,
    HistoryRequest, LessonAnswer, LessonList, LessonRequest, LessonView, LogAnswer, LogRow, Published,
    Request, Response, RuleAnswer, RuleSource, SectionStats, SkillStats, StatsAnswer, StatusAnswer,
};
use mentci_source::{Code, Finding, Hash, Severity, Span};
use serde_json::{Value, json};

/// The house.
pub(crate) struct House {
    /// What others wrote, everywhere; the names of things too.
    pub text: String,
    /// Whether it has nothing yet.
    pub is_empty: bool,
    /// Whether what is sent is refused.
    pub refuses: bool,
    /// What it was asked, in order.
    pub asked: Mutex<Vec<String>>,
}

impl Default for House {
    fn default() -> Self {
        Self::saying("core/no-rm")
    }
}

impl House {
    pub(crate) fn saying(text: &str) -> Self {
        Self { text: text.to_owned(), is_empty: false, refuses: false, asked: Mutex::default() }
    }

    pub(crate) fn empty() -> Self {
        Self { is_empty: true, ..Self::default() }
    }
}

impl Ask for House {
    fn ask(&self, request: Request) -> Response {
        self.asked.lock().unwrap().push(serde_json::to_string(&request).unwrap());
        match self.answer(request) {
            Some(answer) => Response::ok(answer).with([self.finding(Severity::Note)]),
            None => Response::bad([self.finding(Severity::Error)]),
        }
    }

    fn subscribe(&self) -> Receiver<Published> {
        channel().1
    }
}

fn all<T>(is_empty: bool, rows: Vec<T>) -> Vec<T> {
    if is_empty { Vec::new() } else { rows }
}

impl House {
    fn text(&self) -> String {
        self.text.clone()
    }

    fn finding(&self, severity: Severity) -> Finding {
        let finding = Finding::new(Code::UNKNOWN_SUBJECT, format!("something is odd about `{}`", self.text));
        finding.help(self.text()).in_file(&self.text).severity(severity)
    }

    fn answer(&self, request: Request) -> Option<Answer> {
        Some(match request {
            Request::Policy(request) => return self.policy(request),
            Request::Session(SessionRequest::List) => {
                SessionsAnswer { sessions: all(self.is_empty, vec![self.session()]) }.into()
            }
            Request::Session(SessionRequest::Show { .. }) => self.events().into(),
            Request::Session(SessionRequest::Export { .. }) => {
                LinesAnswer { lines: vec![Line::Text("{}".to_owned())] }.into()
            }
            Request::Context(ContextRequest::Explain(_)) => self.context().into(),
            Request::Artifact(ArtifactRequest::List { .. }) => {
                ArtifactsAnswer { artifacts: vec![self.artifact()] }.into()
            }
            Request::Artifact(ArtifactRequest::Get { .. }) => ArtifactContent {
                handle: self.artifact().handle,
                from: 0,
                bytes: 3,
                next: None,
                text: Some(self.text()),
                base64: None,
                content: Vec::new(),
            }
            .into(),
            Request::Log(_) => LogAnswer { lines: all(self.is_empty, self.log()), last: 3 }.into(),
            Request::Digest { skill } => self.digest(skill.as_deref()).into(),
            Request::Explain { what } => self.rule_of_law(&what)?.into(),
            Request::History(HistoryRequest::List) => {
                HistoryAnswer { versions: all(self.is_empty, self.versions()) }.into()
            }
            Request::History(HistoryRequest::Diff { .. }) => {
                let lines = vec![format!("-{}", self.text), format!("+{}", self.text)];
                DigestDiff { from: Hash::of_bytes(b"old"), to: Hash::of_bytes(b"new"), lines }.into()
            }
            Request::Stats => self.stats().into(),
            Request::Lessons(LessonRequest::List { status, .. }) => {
                let lessons = self
                    .lessons()
                    .into_iter()
                    .filter(|lesson| status.is_none_or(|status| lesson.status == status));
                LessonList { lessons: all(self.is_empty, lessons.collect()) }.into()
            }
            Request::Lessons(_) if self.refuses => return None,
            Request::Lessons(_) => {
                LessonAnswer { lesson: self.lessons().remove(0), message: "done".to_owned() }.into()
            }
            Request::Config => self.config().into(),
            Request::Status => self.status().into(),
            _ => return None,
        })
    }

    fn policy(&self, request: PolicyRequest) -> Option<Answer> {
        Some(match request {
            PolicyRequest::Rules { .. } => {
                RulesAnswer { rules: all(self.is_empty, self.rules()), broken: Vec::new(), titled: None }
                    .into()
            }
            PolicyRequest::Show { .. } => self.rule().into(),
            PolicyRequest::Try { event: Some(_), .. } if self.refuses => return None,
            PolicyRequest::Try { .. } => self.trial().into(),
            PolicyRequest::Approvals => {
                ApprovalsAnswer { approvals: all(self.is_empty, self.approvals()) }.into()
            }
            PolicyRequest::Stops => {
                StopsAnswer { stops: all(self.is_empty, vec![self.stop(None), self.stop(Some(self.text()))]) }
                    .into()
            }
            PolicyRequest::Replay { .. } => {
                let (was, is) =
                    (Box::new(self.verdict(Effect::Allow)), Box::new(self.verdict(Effect::Block)));
                LinesAnswer { lines: vec![Line::Difference { line: 4, was, is }] }.into()
            }
            PolicyRequest::Plugins(PluginRequest::List) => {
                PluginsAnswer { plugins: all(self.is_empty, vec![self.plugin_row()]) }.into()
            }
            PolicyRequest::Plugins(PluginRequest::Show { .. }) => self.plugin().into(),
            _ if self.refuses => return None,
            _ => TextAnswer { text: "done".to_owned() }.into(),
        })
    }

    fn row(&self, rule: &str, hook: Hook, effect: Option<Effect>) -> RuleRow {
        RuleRow {
            rule: rule.to_owned(),
            name: None,
            says: Some(self.text()),
            message: None,
            hook,
            tools: self.text(),
            effect,
            severity: RuleSeverity::High,
            enabled: true,
            stated: true,
            core: false,
            trust: Trust::Untrusted,
            dialect: Dialect::Yaml,
            at: self.text(),
        }
    }

    fn rules(&self) -> Vec<RuleRow> {
        let named = self.row(&self.text, Hook::PreToolCall, Some(Effect::Block));
        let hint = self.row("builtin/hint", Hook::PostToolResponse, None);
        vec![
            RuleRow { core: true, name: Some(self.text()), ..named },
            RuleRow { enabled: false, ..hint.clone() },
            RuleRow { rule: "mine/off".to_owned(), enabled: false, stated: false, ..hint },
        ]
    }

    fn rule(&self) -> RuleShown {
        let origin = Origin {
            dialect: Dialect::Toml,
            path: self.text.as_str().into(),
            line: 3,
            column: 1,
            span: Span::default(),
            pack: self.text.as_str().into(),
            trust: Trust::Workspace,
        };
        let mut rule = Rule::new(RuleId::new("no-rm").unwrap(), Hook::PreToolCall, origin);
        (rule.name, rule.description, rule.message) = (None, Some(self.text()), Some(self.text()));
        (rule.effect, rule.overrides) = (Some(Effect::Block), vec![self.text()]);
        rule.tests = vec![RuleTest {
            name: self.text(),
            before: Vec::new(),
            event: self.event(),
            decision: None,
            rules: None,
            line: 1,
        }];
        let parameter = |name: &str, value: Value, stated: Value| ParameterRow {
            name: name.to_owned(),
            is_set: value != stated,
            bounds: value.is_number().then_some(Bounds { min: Some(0.0), max: Some(0.95) }),
            value,
            stated,
        };
        let text = Value::String(self.text());
        RuleShown {
            full_name: self.text(),
            shown: Box::new(rule),
            parameters: vec![
                parameter("threshold", json!(0.5), json!(0.8)),
                parameter("strict", json!(true), json!(true)),
                parameter("words", text.clone(), text.clone()),
                parameter("list", json!([text]), json!([])),
            ],
            text: self.text(),
        }
    }

    fn event(&self) -> Event {
        let mut event = Event::new(Hook::PreToolCall);
        event.tool =
            Some(ToolCall { name: self.text(), args: json!({"command": self.text}), ..ToolCall::default() });
        event
    }

    fn trial(&self) -> TrialAnswer {
        let part = |text: &str, gave: Value| GuardTrace { text: text.to_owned(), gave, parts: Vec::new() };
        let parts = vec![
            part(&self.text, Value::Bool(true)),
            part("args.count", json!(7)),
            part(&self.text, json!({"fault": self.text})),
            part("args.path", Value::String(self.text())),
        ];
        TrialAnswer {
            rule: self.text(),
            at: self.text(),
            event: Box::new(self.event()),
            fires: true,
            unasked: vec![self.text()],
            guard: GuardTrace { text: "all of".to_owned(), gave: Value::Bool(true), parts },
            decision: Effect::Block,
            actions: vec![serde_json::Map::from_iter([("message".to_owned(), Value::String(self.text()))])],
            faults: vec![mentci_authority::RuleFault {
                rule: self.text(),
                message: self.text(),
                at: self.text(),
                decided: Some(Effect::Block),
                is_absence: false,
            }],
            took_us: 12,
        }
    }

    fn verdict(&self, decision: Effect) -> Verdict {
        let reason = Reason {
            rule: self.text(),
            effect: decision,
            message: self.text(),
            at: self.text(),
            severity: None,
        };
        Verdict { decision, rules: vec![self.text()], reasons: vec![reason], ..Verdict::default() }
    }

    fn approvals(&self) -> Vec<ApprovalRow> {
        let row = |id: &str, state: &str, args: Value| ApprovalRow {
            id: id.to_owned(),
            state: state.to_owned(),
            session: self.text(),
            tool: self.text(),
            args: args.to_string(),
            rule: self.text(),
            caller: Some(self.text()),
            sender: Some(self.text()),
            asked: "2026-03-02T21:25:00Z".to_owned(),
            expires: "2026-03-02T21:35:05Z".to_owned(),
            by: Some(self.text()),
            words: Some(self.text()),
        };
        vec![
            row("a1", "pending", json!({"command": self.text})),
            row("a2", "pending", json!({"path": self.text, "lines": [1, 2]})),
            row(&self.text, "denied", json!(self.text)),
        ]
    }

    fn session(&self) -> SessionTotals {
        SessionTotals {
            session: self.text(),
            events: 5,
            first: "2026-03-02T20:00:00Z".to_owned(),
            last: "2026-03-02T21:29:00Z".to_owned(),
            stopped: Some(self.text()),
        }
    }

    fn events(&self) -> SessionEvents {
        let event = |at: u32, kind, data: Value| SessionEvent {
            event_id: format!("{at:032x}"),
            timestamp: 1_772_480_000.0 + f64::from(at),
            kind,
            data: data.as_object().cloned().unwrap_or_default(),
            token_estimate: 10,
        };
        let (text, decided) = (&self.text, SessionEventKind::GuardDecision);
        SessionEvents {
            session: self.text(),
            events: vec![
                event(1, SessionEventKind::UserInput, json!({"role": "user", "text": text})),
                event(2, SessionEventKind::ToolCall, json!({"tool": text, "args": {"command": text}})),
                event(3, decided, json!({"decision": "block", "rules": [text]})),
                event(4, SessionEventKind::ToolDenied, json!({"tool": text, "error": text})),
                event(5, SessionEventKind::ToolSuccess, json!({"tool": text, "value": {"x": text}})),
            ],
            tokens: 50,
            left_out: 2,
        }
    }

    fn context(&self) -> ContextExplained {
        let parts = Parts { kept: 600, external: 300, dropped: 100, ..Parts::default() };
        let entry = LedgerEntry {
            event_id: format!("{:032x}", 1),
            kind: SessionEventKind::UserInput,
            tokens: 1_000,
            parts,
            reason: Some(DropReason::MiddleOfHistory),
            artifact: None,
        };
        let totals = Totals { events: 1, tokens: 1_000, parts };
        let ledger = DropLedger {
            budget: 8_000,
            token_count: 640,
            events: vec![entry],
            totals: BTreeMap::from([(SessionEventKind::UserInput, totals)]),
            added: Added { frames: 40, ..Added::default() },
            memory: Vec::new(),
            processors: Vec::new(),
        };
        ContextExplained { session: self.text(), tokenizer: self.text(), ledger }
    }

    fn artifact(&self) -> ArtifactRow {
        let handle = ArtifactHandle {
            artifact_id: "ab".repeat(32).parse().unwrap(),
            summary: self.text(),
            size_bytes: 70_000,
            mime_type: self.text(),
            created_at: 0.0,
            source: self.text(),
        };
        ArtifactRow { handle, pinned: false }
    }

    fn stop(&self, session: Option<String>) -> StopRow {
        let since = Some("2026-03-02T10:00:00Z".to_owned());
        StopRow { session, reason: self.text(), by: Some(self.text()), since }
    }

    fn log(&self) -> Vec<LogRow> {
        let row = |seq, what: &str, decision| LogRow {
            seq,
            at: Some(mentci_authority::At::utc(1_772_486_990_000)),
            session: self.text(),
            what: what.to_owned(),
            tool: None,
            args: Value::Null,
            result: Value::Null,
            sender: Some(self.text()),
            caller: None,
            decision,
            rules: Vec::new(),
            shadow: Vec::new(),
            approval: None,
            of: None,
            to: Value::Null,
            by: None,
            why: None,
            hash: Hash::of_bytes(b"line"),
        };
        let call = row(2, "pre_tool_call", Some(Effect::Block));
        vec![
            row(1, "turn_start", Some(Effect::Allow)),
            LogRow {
                tool: Some("exec".to_owned()),
                args: json!({"command": self.text, "more": self.text}),
                rules: vec![self.text()],
                shadow: vec![self.text()],
                approval: Some(self.text()),
                ..call
            },
            LogRow { by: Some(self.text()), why: Some(self.text()), ..row(3, "killed", None) },
            LogRow {
                of: Some(self.text()),
                to: self.text().into(),
                by: Some(self.text()),
                ..row(4, "rule_switched", None)
            },
        ]
    }

    fn digest(&self, skill: Option<&str>) -> DigestAnswer {
        let (first, path) = match skill {
            Some(_) => ("1", ".pi/skills/sema/absolute_rules.md"),
            None => ("sema-1", ".pi/absolute_rules.md"),
        };
        // A digest holds no line break but its own.
        let line = self.text.replace(['\n', '\r'], " ");
        let text = format!(
            "# Absolute Rules, cited by number (1 of 1 skill)\n## Must\n{first} {line}\nLaw: {line}\n"
        );
        DigestAnswer {
            skill: skill.map(|skill| SkillName::parse(skill).unwrap()),
            path: path.to_owned(),
            hash: Hash::of_bytes(b"digest"),
            text: if self.is_empty { String::new() } else { text },
            rules: usize::from(!self.is_empty),
            tokens: 41,
        }
    }

    fn rule_of_law(&self, what: &str) -> Option<RuleAnswer> {
        let span =
            SourceSpan { path: self.text.as_str().into(), start_line: 4, end_line: 4, span: Span::default() };
        Some(RuleAnswer {
            rule: RuleNo::parse(what)?,
            level: Some(Level::Must),
            kind: EntryKind::Exception,
            tier: Tier::Core,
            line: self.text(),
            sources: vec![RuleSource { span, words: self.text() }],
            lessons: self.lessons(),
        })
    }

    fn versions(&self) -> Vec<DigestVersion> {
        let version =
            |name: &str, at: &str| DigestVersion { hash: Hash::of_bytes(name.as_bytes()), at: at.to_owned() };
        vec![version("new", "2026-03-02T21:00:00Z"), version("old", &self.text)]
    }

    fn stats(&self) -> StatsAnswer {
        let section = |section: &str, tokens_in, tokens_out| SectionStats {
            section: section.to_owned(),
            tokens_in,
            tokens_out,
            rules: 1,
        };
        let skill = SkillStats {
            skill: "sema".to_owned(),
            tokens_in: 900,
            tokens_out: 300,
            ratio: 0.333,
            rules: 2,
            sections: vec![section(&self.text, 600, 200), section("(code)", 300, 0)],
        };
        let skills = all(self.is_empty, vec![skill]);
        StatsAnswer {
            tokens_in: 900,
            tokens_out: 300,
            ratio: 0.333,
            workspace_tokens: 41,
            budget: 1_500,
            skills,
        }
    }

    fn lessons(&self) -> Vec<LessonView> {
        let lesson = |id: &str, status, waits: Option<&str>| LessonView {
            skill: SkillName::parse("sema").unwrap(),
            id: LessonId::claimed(id),
            status,
            condition: self.text(),
            resolution: self.text(),
            context: Some(self.text()),
            at: Some("2026-03-02T21:00:00Z".to_owned()),
            author: Some(self.text()),
            source: Some(self.text()),
            sessions: vec![self.text(), "two".to_owned()],
            accepted: false,
            path: self.text(),
            rule: RuleNo::parse("sema-1"),
            near: Vec::new(),
            opposed: Vec::new(),
            waits: waits.map(str::to_owned),
            reason: None,
        };
        let waits = format!("would loosen or contradict `{}`", self.text);
        vec![
            LessonView { rule: None, ..lesson("0011223344556677", LessonStatus::Pending, Some(&waits)) },
            LessonView {
                near: vec![LessonId::claimed("0011223344556677")],
                opposed: vec![LessonId::claimed("0011223344556677")],
                ..lesson("1111", LessonStatus::Active, None)
            },
            lesson("2222", LessonStatus::Rejected, None),
        ]
    }

    fn plugin_row(&self) -> PluginRow {
        PluginRow {
            id: self.text(),
            version: Some(self.text()),
            state: PluginState::On,
            why: Some(self.text()),
            rules: 1,
            trust: Trust::Workspace,
            at: self.text(),
        }
    }

    fn plugin(&self) -> PluginShown {
        let setting = |key: &str, kind, default: Value, value: Value| SettingRow {
            is_set: value != default,
            setting: PluginSetting {
                key: key.to_owned(),
                name: Some(self.text()),
                description: Some(self.text()),
                kind,
                default,
                min: matches!(kind, SettingKind::Int).then_some(1.0),
                max: matches!(kind, SettingKind::Int).then_some(9.0),
                options: if kind == SettingKind::Enum {
                    vec!["deep".to_owned(), self.text()]
                } else {
                    Vec::new()
                },
            },
            value,
        };
        PluginShown {
            row: self.plugin_row(),
            name: Some(self.text()),
            description: Some(self.text()),
            requires: vec![CapabilityRow { name: self.text(), is_there: true }],
            settings: vec![
                setting("on", SettingKind::Bool, json!(true), json!(true)),
                setting("depth", SettingKind::Int, json!(3), json!(5)),
                setting("share", SettingKind::Float, json!(0.5), json!(0.5)),
                setting("words", SettingKind::String, json!(self.text), json!(self.text)),
                setting("mode", SettingKind::Enum, json!("deep"), json!(self.text)),
            ],
            rules: vec![self.row(&self.text, Hook::TurnStart, None)],
        }
    }

    fn config(&self) -> ConfigAnswer {
        let row = |key, value, layer| ConfigRow {
            key,
            value,
            layer,
            origin: Some(self.text()),
            about: "what it does",
        };
        ConfigAnswer {
            values: vec![
                row("digest.tokens", json!(1_500), "built-in"),
                row("context.model", Value::Null, "user"),
            ],
        }
    }

    fn status(&self) -> StatusAnswer {
        StatusAnswer {
            root: self.text(),
            hash: None,
            whole: true,
            current: true,
            trusted: false,
            untrusted: Vec::new(),
            skills: 1,
            sources: 2,
            lessons: BTreeMap::new(),
            counters: mentci_host::Counters::default(),
        }
    }
}

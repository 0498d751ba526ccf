//! An [`Ask`] that answers from memory, remembers what it was asked, and publishes when it is told to.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use mentci_authority::{
    DeliverAt, EntryKind, LessonId, LessonStatus, Level, NotifyPriority, RuleNo, SkillName, SourceSpan, Tier,
};
use mentci_host::policy::{NotificationRow, NotificationsAnswer, PolicyRequest};
use mentci_host::{
    Ask, DigestAnswer, LessonAnswer, LessonList, LessonRequest, LessonView, Outcome, Published, Request,
    Response, RuleAnswer, RuleSource, SourceRow, SourcesAnswer, TaughtAnswer, Teaching, explain_code,
    find_lesson, unknown_skill,
};
use mentci_source::{Code, Finding, Hash};

pub(crate) struct Desk {
    state: Mutex<State>,
}

struct State {
    skills: Vec<SkillName>,
    text: String,
    lessons: Vec<LessonView>,
    asked: Vec<Request>,
    listeners: Vec<Sender<Published>>,
}

impl Desk {
    /// Two skills, two lessons.
    pub(crate) fn new() -> Arc<Self> {
        let state = State {
            skills: vec![skill("rust"), skill("sema-programmer")],
            text: "# Absolute Rules\nrust-1 Never `unwrap` outside tests\n".to_owned(),
            lessons: vec![
                lesson("rust", "the linker\nfails", "install `lld`", LessonStatus::Active),
                lesson("sema-programmer", "structural_edit fails", "use text edit", LessonStatus::Pending),
            ],
            asked: Vec::new(),
            listeners: Vec::new(),
        };
        Arc::new(Self { state: Mutex::new(state) })
    }

    /// Publishes a digest with this text.
    pub(crate) fn publish(&self, text: &str) {
        let mut state = self.state.lock().unwrap();
        text.clone_into(&mut state.text);
        let hash = Hash::of_bytes(text.as_bytes());
        state.listeners.retain(|listener| listener.send(Published { hash }).is_ok());
    }

    /// Adds skills; they are heard of when something is published.
    pub(crate) fn add_skills(&self, names: impl IntoIterator<Item = String>) {
        self.state.lock().unwrap().skills.extend(names.into_iter().map(|name| skill(&name)));
    }

    pub(crate) fn add_lessons(&self, count: usize) {
        let more = (0..count).map(|n| lesson("rust", &format!("case {n}"), "do it", LessonStatus::Active));
        self.state.lock().unwrap().lessons.extend(more);
    }

    pub(crate) fn forget_lessons(&self) {
        self.state.lock().unwrap().lessons.clear();
    }

    /// What was taught.
    pub(crate) fn taught(&self) -> Vec<Teaching> {
        let taught = |request: &Request| match request {
            Request::Lessons(LessonRequest::Add(teaching)) => Some(teaching.clone()),
            _ => None,
        };
        self.state.lock().unwrap().asked.iter().filter_map(taught).collect()
    }

    fn digest(state: &State, name: Option<&str>) -> Response {
        let skill = state.skills.iter().find(|skill| Some(skill.as_str()) == name);
        match (name, skill) {
            (Some(name), None) => Response::bad([unknown_skill(name, &state.skills)]),
            (_, skill) => {
                let text = skill
                    .map_or_else(|| state.text.clone(), |skill| format!("# Absolute Rules of {skill}\n"));
                Response::ok(DigestAnswer {
                    skill: skill.cloned(),
                    path: ".pi/absolute_rules.md".into(),
                    hash: Hash::of_bytes(text.as_bytes()),
                    rules: 1,
                    tokens: 9,
                    text,
                })
            }
        }
    }

    fn lessons(state: &State, request: LessonRequest) -> Response {
        match request {
            LessonRequest::Add(told) if !state.skills.iter().any(|skill| skill.as_str() == told.skill) => {
                Response::bad([unknown_skill(&told.skill, &state.skills)])
            }
            LessonRequest::Add(told) => Response::ok(TaughtAnswer {
                id: LessonId::of(&told.skill, &told.condition, &told.resolution),
                status: LessonStatus::Active,
                path: format!(".pi/skills/{}/runtime.edn", told.skill),
                message: "the lesson is kept; it is part of the rules from the next turn on".into(),
            }),
            LessonRequest::List { skill, status } => {
                let fits = |lesson: &&LessonView| {
                    skill.as_ref().is_none_or(|skill| lesson.skill.as_str() == skill)
                        && status.is_none_or(|status| lesson.status == status)
                };
                Response::ok(LessonList { lessons: state.lessons.iter().filter(fits).cloned().collect() })
            }
            _ => Response::bad([]),
        }
    }

    /// One notification waits, `71a6ac7bc996`.
    fn note(ids: &[String], by: Option<&str>) -> Response {
        assert_eq!(by, Some("teacher"));
        let row = NotificationRow {
            id: "71a6ac7bc996".into(),
            state: "acknowledged",
            session: "s1".into(),
            priority: NotifyPriority::High,
            category: "warning".into(),
            deliver_at: DeliverAt::TurnStart,
            rule: "budget/budget".into(),
            message: "86 percent of the budget\nare used".into(),
            queued: "2026-11-21T00:00:00Z".into(),
            expires: "2026-11-21T01:00:00Z".into(),
        };
        if ids.iter().all(|id| row.id.starts_with(id.as_str())) {
            return Response::ok(NotificationsAnswer { notifications: vec![row] });
        }
        let unknown = Finding::new(Code::UNKNOWN_SUBJECT, format!("there is no notification `{}`", ids[0]));
        Response::ok(NotificationsAnswer { notifications: Vec::new() }).with([unknown]).at_least(Outcome::Bad)
    }

    fn explain(state: &State, what: &str) -> Response {
        if let Some(code) = explain_code(what) {
            return Response::ok(code);
        }
        if what == "rust-1" {
            return Response::ok(RuleAnswer {
                rule: RuleNo::parse("rust-1").unwrap(),
                level: Some(Level::MustNot),
                kind: EntryKind::Norm,
                tier: Tier::Core,
                line: "Never `unwrap` outside tests".into(),
                sources: vec![RuleSource {
                    span: SourceSpan {
                        path: ".pi/skills/rust/SKILL.md".into(),
                        start_line: 3,
                        end_line: 3,
                        span: mentci_source::Span::default(),
                    },
                    words: "Never `unwrap` outside tests.".into(),
                }],
                lessons: vec![state.lessons[0].clone()],
            });
        }
        match find_lesson(&state.lessons, what) {
            Ok(lesson) => Response::ok(LessonAnswer { lesson: lesson.clone(), message: String::new() }),
            Err(_) => {
                Response::bad([Finding::new(Code::UNKNOWN_SUBJECT, format!("nothing is named `{what}`"))
                    .help(
                        "give a rule's number such as `skill-4`, a code such as `E0601`, or a lesson's id",
                    )])
            }
        }
    }
}

impl Ask for Desk {
    fn ask(&self, request: Request) -> Response {
        // Outside the lock, so that the desk works on.
        assert_ne!(request, Request::Explain { what: "panic".into() }, "a defect");
        assert_ne!(request, Request::Digest { skill: Some("panic".into()) }, "a defect");
        let mut state = self.state.lock().unwrap();
        state.asked.push(request.clone());
        match request {
            Request::Digest { skill } => Self::digest(&state, skill.as_deref()),
            Request::Lessons(request) => Self::lessons(&state, request),
            Request::Explain { what } => Self::explain(&state, &what),
            Request::Policy(PolicyRequest::Acknowledge { ids, by, .. }) => Self::note(&ids, by.as_deref()),
            Request::Sources => {
                Response::ok(SourcesAnswer { sources: state.skills.iter().map(source).collect() })
            }
            _ => Response::bad([]),
        }
    }

    fn subscribe(&self) -> Receiver<Published> {
        let (sender, receiver) = channel();
        self.state.lock().unwrap().listeners.push(sender);
        receiver
    }
}

fn skill(name: &str) -> SkillName {
    SkillName::parse(name).unwrap()
}

fn source(skill: &SkillName) -> SourceRow {
    let path = format!(".pi/skills/{skill}/SKILL.md");
    SourceRow { path, kind: "law", skill: Some(skill.clone()), hash: None, bytes: 1 }
}

fn lesson(skill_name: &str, condition: &str, resolution: &str, status: LessonStatus) -> LessonView {
    LessonView {
        skill: skill(skill_name),
        id: LessonId::of(skill_name, condition, resolution),
        status,
        condition: condition.into(),
        resolution: resolution.into(),
        context: None,
        at: Some("2026-11-21T00:00:00Z".into()),
        author: Some("pi".into()),
        source: Some("mcp".into()),
        sessions: vec!["one".into(), "two".into()],
        accepted: false,
        path: format!(".pi/skills/{skill_name}/runtime.edn"),
        rule: (status == LessonStatus::Active).then(|| RuleNo::parse("rust-1").unwrap()),
        waits: None,
        reason: None,
        near: Vec::new(),
        opposed: Vec::new(),
    }
}

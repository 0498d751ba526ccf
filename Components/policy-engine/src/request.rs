//! From what is typed to what is asked.

use mentci_harness::{Scope, installation, pi};
use mentci_host::{Asset, Harness, Installation, LessonRequest, Request, Teaching};

use crate::arguments::Verb;
use crate::compile_arguments::Compile;
use crate::harness_arguments::InstallScope;
use crate::lesson_arguments::{Add, Lessons};
use crate::paint;
use crate::policy_request::{policy_request, told};
use crate::surroundings::{absolute, harness_surroundings};
use crate::{chatmd_request, daemon, model_arguments, session_request};

/// The request of a verb; `None` for the verbs that are no question: `watch`, `run`, `mcp`, `serve`, `completions`, `man`.
pub(crate) fn request(verb: &Verb) -> Option<Request> {
    let request = match verb {
        Verb::Init => Request::Init { assets: vec![pi_extension()] },
        Verb::CompileRules(compile) => {
            let Compile { check, diff, explain, require_model, .. } = *compile;
            Request::Compile { check, diff, explain, require_model }
        }
        Verb::EvalDigest { judge, probes, strict } => {
            let judge = judge.as_deref().map(model_arguments::typed);
            Request::EvalDigest { judge, probes: *probes, strict: *strict }
        }
        Verb::Check { paths, .. } if paths.is_empty() => Request::Check,
        Verb::Digest { skill } => Request::Digest { skill: skill.clone() },
        Verb::Explain { what } => Request::Explain { what: what.clone() },
        Verb::Coverage { skill } => Request::Coverage { skill: skill.clone() },
        Verb::Stats => Request::Stats,
        Verb::Sources => Request::Sources,
        Verb::Status => Request::Status,
        Verb::Lessons(lessons) => Request::Lessons(lesson(lessons)),
        Verb::Inject { harness, active, session, event } => Request::Inject {
            harness: *harness,
            active: active.clone(),
            session: session.clone(),
            event: match event {
                Some(file) => Some(told(file)?),
                None => None,
            },
        },
        Verb::Session(verb) => return session_request::session(verb),
        Verb::Context(verb) => return session_request::context(verb),
        Verb::Artifact(verb) => return Some(session_request::artifact(verb)),
        Verb::Chatmd(verb) => return chatmd_request::chatmd(verb),
        Verb::Audit(verb) => Request::Log(daemon::audit(verb)),
        Verb::Config => Request::Config,
        Verb::Trust { revoke } => Request::Trust { revoke: *revoke },
        Verb::Install { harness, scope } => install(*harness, *scope, false)?,
        Verb::Uninstall { harness, scope } => install(*harness, *scope, true)?,
        Verb::Doctor => Request::Doctor { assets: vec![pi::extension()], installations: installations() },
        Verb::Check { .. }
        | Verb::Test { .. }
        | Verb::Decide { .. }
        | Verb::Replay { .. }
        | Verb::Expr { .. }
        | Verb::Fmt { .. }
        | Verb::Convert { .. }
        | Verb::Pack { .. }
        | Verb::Kill { .. }
        | Verb::Resume { .. }
        | Verb::Approvals(_)
        | Verb::Plugins(_)
        | Verb::Notifications(_)
        | Verb::Rules(_)
        | Verb::Script(_) => return policy_request(verb).map(Request::Policy),
        Verb::Model(verb) => return model_arguments::request(verb).map(Request::Model),
        Verb::Watch
        | Verb::Run(_)
        | Verb::Mcp { .. }
        | Verb::Serve(_)
        | Verb::Server(_)
        | Verb::Token(_)
        | Verb::Hook { .. }
        | Verb::Harness(_)
        | Verb::Completions { .. }
        | Verb::Man { .. } => {
            return None;
        }
    };
    Some(request)
}

fn install(harness: Harness, scope: InstallScope, remove: bool) -> Option<Request> {
    let place = if scope.user { Scope::User } else { Scope::Project };
    let Some(installation) = installation_in(harness, place) else {
        paint::refuse(
            "`any` is no harness that something can be installed for",
            "`policy-engine harness list` shows them",
        );
        return None;
    };
    let other = if scope.user { Scope::Project } else { Scope::User };
    // Of the others one asks, or the same command is started once.
    let asks_twice = matches!(harness, Harness::Pi | Harness::Codex | Harness::Cline);
    let twin = installation_in(harness, other).filter(|_| asks_twice);
    let (installation, twin) = (Box::new(installation), twin.map(Box::new));
    Some(Request::Install { installation, twin, remove, dry_run: scope.dry_run })
}

fn installation_in(harness: Harness, scope: Scope) -> Option<Installation> {
    installation(harness, scope, &harness_surroundings())
}

/// pi's extension, which is not needed where the user's stands.
fn pi_extension() -> Asset {
    let users = installation_in(Harness::Pi, Scope::User);
    let place = users.and_then(|users| Some(format!("{}/{}", users.base?, users.files.first()?.path())));
    Asset { unless: place, ..pi::extension() }
}

/// What may stand here and in the user's folders, for all harnesses.
fn installations() -> Vec<Installation> {
    let around = harness_surroundings();
    let harnesses = Harness::ALL.into_iter();
    let both = harnesses.flat_map(|harness| [(harness, Scope::Project), (harness, Scope::User)]);
    both.filter_map(|(harness, scope)| installation(harness, scope, &around)).collect()
}

fn lesson(lessons: &Lessons) -> LessonRequest {
    match lessons {
        Lessons::Add(add) => LessonRequest::Add(teaching(add)),
        Lessons::List { skill, status } => LessonRequest::List { skill: skill.clone(), status: *status },
        Lessons::Show { id } => LessonRequest::Show { id: id.clone() },
        Lessons::Accept { id } => LessonRequest::Accept { id: id.clone() },
        Lessons::Reject { id, reason } => LessonRequest::Reject { id: id.clone(), reason: reason.clone() },
        Lessons::Archive { id, reason } => LessonRequest::Archive { id: id.clone(), reason: reason.clone() },
        Lessons::Promote { id } => LessonRequest::Promote { id: id.clone() },
        Lessons::Import { file, skill } => LessonRequest::Import {
            skill: skill.clone(),
            path: absolute(file).to_string_lossy().into_owned(),
        },
    }
}

fn teaching(add: &Add) -> Teaching {
    Teaching {
        skill: add.skill.clone(),
        condition: add.condition.clone(),
        resolution: add.resolution.clone(),
        context: add.context.clone(),
        session: add.session.clone(),
        author: add.author.clone(),
        source: Some(add.source.clone()),
    }
}

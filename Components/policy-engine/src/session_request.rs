//! From what is typed to what is asked of sessions.

use std::path::Path;

use mentci_host::Request;
use mentci_host::policy::Input;
use mentci_host::session::{
    ArtifactRequest, Content, ContextQuery, ContextRequest, Incoming, SessionRequest,
};

use crate::paint;
use crate::policy_request::{input, told};
use crate::session_arguments::{Artifact, Context, Query, Session};
use crate::surroundings::absolute;

/// The request of a verb of sessions; `None` where what was typed cannot be asked, and then it has been said.
pub(crate) fn session(verb: &Session) -> Option<Request> {
    Some(Request::Session(match verb {
        Session::List => SessionRequest::List,
        Session::Show { of, last } => SessionRequest::Show { of: named(of), last: *last },
        Session::Verify { of, expect } => SessionRequest::Verify { of: named(of), root: expect.clone() },
        Session::Export { of, handles, evidence } => {
            SessionRequest::Export { of: of.clone(), handles: *handles, evidence: *evidence }
        }
        Session::Import { events, into } => {
            SessionRequest::Import { events: told(events.as_deref().unwrap_or("-"))?, into: into.clone() }
        }
    }))
}

/// The request of a verb of contexts.
pub(crate) fn context(verb: &Context) -> Option<Request> {
    Some(Request::Context(match verb {
        Context::Compile(asked) => ContextRequest::Compile(query(asked)?),
        Context::Explain(asked) => ContextRequest::Explain(query(asked)?),
        Context::Demo { budget: typed } => ContextRequest::Demo { budget: budget(typed)? },
        Context::Align { tool, schemas, output } => ContextRequest::Align {
            tool: tool.clone(),
            schemas: optional(schemas.as_deref())?,
            output: input(output.as_deref().unwrap_or("-"))?,
        },
    }))
}

/// The request of a verb of artifacts.
pub(crate) fn artifact(verb: &Artifact) -> Request {
    Request::Artifact(match verb {
        Artifact::Put { content: file, session, mime, source, raw } => ArtifactRequest::Put {
            content: content(file.as_deref()),
            session: session.clone(),
            mime: mime.clone(),
            source: source.clone(),
            raw: *raw,
        },
        Artifact::Get { id, range, session } => ArtifactRequest::Get {
            id: id.clone(),
            range: range.clone(),
            session: session.clone(),
            most: None,
        },
        Artifact::List { session } => ArtifactRequest::List { session: session.clone() },
        Artifact::Search { id, query, session } => {
            ArtifactRequest::Search { query: query.clone(), id: id.clone(), session: session.clone() }
        }
        Artifact::Pin { id } => ArtifactRequest::Pin { id: id.clone(), pinned: true },
        Artifact::Unpin { id } => ArtifactRequest::Pin { id: id.clone(), pinned: false },
        Artifact::Gc { keep_days, dry_run } => {
            ArtifactRequest::Collect { keep_days: *keep_days, dry_run: *dry_run }
        }
    })
}

/// A budget as it was typed; none when it is no budget, and that is said.
fn budget(typed: &str) -> Option<u64> {
    let budget = typed.parse().ok();
    if budget.is_none() {
        paint::refuse(
            &format!("`{}` is no budget", typed.escape_debug()),
            "a budget is a whole number of tokens, such as 8000",
        );
    }
    budget
}

fn query(asked: &Query) -> Option<ContextQuery> {
    let budget = match &asked.budget {
        None => None,
        Some(typed) => Some(budget(typed)?),
    };
    Some(ContextQuery {
        session: named(&asked.session),
        is_id: false,
        budget,
        model: asked.model.clone(),
        system: optional(asked.system.as_deref())?,
        tools: optional(asked.tools.as_deref())?,
    })
}

/// A session's file is typed relative to where it is typed; an id is no file.
fn named(session: &str) -> String {
    let file = absolute(session.as_ref());
    if file.is_file() { file.to_string_lossy().into_owned() } else { session.to_owned() }
}

fn path(file: &Path) -> String {
    absolute(file).to_string_lossy().into_owned()
}

#[expect(clippy::option_option, reason = "none may be named, and what is named may not be there")]
fn optional(name: Option<&str>) -> Option<Option<Input>> {
    match name {
        None => Some(None),
        Some(name) => Some(Some(input(name)?)),
    }
}

/// Bytes of standard input, or a file.
fn content(file: Option<&Path>) -> Content {
    if let Some(file) = file.filter(|file| file.as_os_str() != "-") {
        return Content::Path(path(file));
    }
    Content::Incoming(Incoming::new("<stdin>", std::io::stdin()))
}

//! From a request to an exit code.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use mentci_authority::ArtifactPart;
use mentci_disk::RealFs;
use mentci_host::session::{ArtifactContent, ArtifactRequest, part};
use mentci_host::{Answer, Ask, Outcome, Request, Response};
use mentci_source::{Finding, Severity};
use mentci_workspace::{SystemClock, Workspace};

use crate::arguments::{Arguments, Verb};
use crate::gateway_arguments::Mcp;
use crate::harness_arguments::HarnessVerb;
use crate::hook::Hook;
use crate::logs::log_from;
use crate::model_arguments::Model;
use crate::progress::Progress;
use crate::request::request;
use crate::run_arguments::Run;
use crate::snippet::Snippets;
use crate::surroundings::{absolute, asks_json, root, surroundings};
use crate::{
    answers, daemon, gateway, harnesses, model_server, output, pages, paint, run_document, serve, tokens,
    watch,
};

/// How many bytes of an artifact are held at a time.
const PART: u64 = 8 << 20;

/// Runs the command line.
pub fn main() -> ExitCode {
    // A hook is asked at each tool call: it waits for nothing that others need.
    if let Some(hook) = Hook::at_once() {
        return ExitCode::from(hook.answer());
    }
    ExitCode::from(output::code(typed()))
}

/// Does what was typed; the exit code.
fn typed() -> u8 {
    let mut arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return misread(&error).code(),
    };
    if let Verb::CompileRules(compile) = &arguments.verb {
        if let Some((message, help)) = compile.contradiction() {
            return paint::refuse(message, help).code();
        }
        arguments.common.settings.extend(compile.settings());
    }
    let json = arguments.common.json;
    let servers = match &arguments.verb {
        Verb::Mcp { verb: Some(_), .. } => arguments.common.take_file(),
        _ => None,
    };
    if let Verb::Hook { harness, event } = &arguments.verb {
        let hook = Hook { harness: *harness, event: event.clone(), common: arguments.common };
        return hook.answer();
    }
    let outcome = match &arguments.verb {
        Verb::Completions { shell } => pages::completions(*shell, json),
        Verb::Man { directory } => pages::manual(directory, json),
        Verb::Run(run) => return run_verb(&arguments, run),
        Verb::Harness(HarnessVerb::List) => harnesses::list(json),
        Verb::Token(verb) => tokens::tokens(&arguments, verb),
        _ => in_workspace(&arguments, servers.as_deref()),
    };
    outcome.code()
}

/// What cannot be understood; help and version are answers.
fn misread(error: &clap::Error) -> Outcome {
    if error.use_stderr() && asks_json() {
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or("").trim_start_matches("error: ").to_owned();
        return paint::refuse(&message, "`policy-engine --help` shows what can be said");
    }
    // A closed pipe is the reader's wish.
    let _ = error.print();
    if error.use_stderr() { Outcome::Bad } else { Outcome::Ok }
}

/// The workspace that is meant.
pub(crate) fn opened(arguments: &Arguments) -> Result<Workspace, Outcome> {
    let refused = |message: String| paint::refuse(&message, "name an existing folder with `--root`");
    let root = root(&arguments.common).map_err(refused)?;
    let mut around = surroundings(&arguments.common);
    if let Verb::Server(given) = &arguments.verb {
        around.rules = given.rules.iter().map(|path| absolute(path).to_string_lossy().into_owned()).collect();
    }
    let workspace = Workspace::open(&root, around, Arc::new(RealFs), Arc::new(SystemClock::new()));
    // A daemon says more, in a way of its own.
    if !matches!(arguments.verb, Verb::Serve(_) | Verb::Server(_)) {
        log_from(&workspace.log_level());
    }
    Ok(workspace)
}

fn run_verb(arguments: &Arguments, run: &Run) -> u8 {
    match opened(arguments) {
        Ok(workspace) => run_document::run(workspace, run, arguments.common.json),
        Err(outcome) => outcome.code(),
    }
}

fn in_workspace(arguments: &Arguments, servers: Option<&Path>) -> Outcome {
    let workspace = match opened(arguments) {
        Ok(workspace) => workspace,
        Err(outcome) => return outcome,
    };
    let json = arguments.common.json;
    match &arguments.verb {
        Verb::Watch => watch::watch(&workspace, json),
        Verb::Mcp { verb: Some(Mcp::Gateway(given)), .. } => {
            gateway::gateway(workspace, given, servers, json)
        }
        Verb::Mcp { http, verb: None } => serve::mcp(workspace, *http),
        Verb::Serve(given) => daemon::serve(workspace, given, Vec::new(), json),
        Verb::Server(given) => daemon::server(workspace, given, json),
        Verb::Model(Model::Serve { script, port }) => model_server::serve(&workspace, script, *port, json),
        verb => {
            let outcome = request(verb).map_or(Outcome::Bad, |request| answer(&workspace, request, json));
            // The process ends: to take a large law apart piece by piece would cost a tenth of a compile.
            std::mem::forget(workspace);
            outcome
        }
    }
}

fn answer(workspace: &Workspace, request: Request, json: bool) -> Outcome {
    if let (Request::Artifact(ArtifactRequest::Get { id, range: None, session, .. }), false) =
        (&request, json)
    {
        return give_all(workspace, id, session.as_ref());
    }
    let request = if json { bounded(request) } else { request };
    let progress = Progress::start(what_takes_long(&request));
    let response = workspace.ask(request);
    progress.finish();
    show(workspace, &response, json)
}

/// Prints a response; its outcome is the exit code.
pub(crate) fn show(workspace: &Workspace, response: &Response, json: bool) -> Outcome {
    // Lines are JSON already, one a line, whoever reads them.
    let lines = matches!(response.answer, Answer::Lines(_));
    if json && !lines {
        print_json(response);
    } else {
        print(workspace.root(), response);
    }
    response.outcome
}

fn what_takes_long(request: &Request) -> Option<&'static str> {
    match request {
        Request::Inject { .. }
        | Request::Lessons(_)
        | Request::Config
        | Request::Policy(_)
        | Request::Session(_)
        | Request::Log(_)
        | Request::History(_)
        | Request::Context(_)
        | Request::Artifact(_)
        | Request::Model(_)
        | Request::Chatmd(_) => None,
        _ => Some("reading the law"),
    }
}

fn print_json(response: &Response) {
    // OK to pass over: an answer is plain data with string keys.
    if let Ok(text) = serde_json::to_string_pretty(response) {
        output::line(&text);
    }
}

/// Findings go to standard error, the answer to standard output.
fn print(root: &Path, response: &Response) {
    let (shown, more) = shown(response);
    output::findings(shown, &mut Snippets::new(root));
    if more > 0 {
        let _ = writeln!(anstream::stderr(), "and {more} more: `--json` tells all");
    }
    match &response.answer {
        Answer::ArtifactContent(part) => give(part),
        answer => output::text(&answers::text(answer)),
    }
}

/// How many findings about a document are shown to people.
const MOST_SHOWN: usize = 50;

/// The findings that are shown, and how many more there are. A document that ran for days may hold thousands of oddities: its
/// errors are shown, and others up to a bound.
fn shown(response: &Response) -> (Vec<&Finding>, usize) {
    let is_document = matches!(response.answer, Answer::Checked(_) | Answer::Document(_));
    let mut room = if is_document { MOST_SHOWN } else { usize::MAX };
    let errors = response.findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    room = room.saturating_sub(errors);
    let fits = |finding: &&Finding| {
        let is_shown = finding.severity == Severity::Error || room > 0;
        room -= usize::from(is_shown && finding.severity != Severity::Error);
        is_shown
    };
    let shown: Vec<&Finding> = response.findings.iter().filter(fits).collect();
    let more = response.findings.len() - shown.len();
    (shown, more)
}

/// A request whose answer memory can hold as JSON: of a long artifact a part, which says the range that goes on.
fn bounded(request: Request) -> Request {
    match request {
        Request::Artifact(ArtifactRequest::Get { id, range, session, most: None }) => {
            let is_short = match range.as_deref().map(part) {
                Some(Some(ArtifactPart::Bytes(bytes))) => bytes.end - bytes.start <= PART,
                Some(_) => true,
                None => false,
            };
            let most = (!is_short).then_some(PART);
            Request::Artifact(ArtifactRequest::Get { id, range, session, most })
        }
        other => other,
    }
}

/// A whole artifact, part after part, so that memory does not grow with its length.
fn give_all(workspace: &Workspace, id: &str, session: Option<&String>) -> Outcome {
    let mut from = 0;
    loop {
        let range = Some(format!("{from}-{}", from + PART - 1));
        let part = ArtifactRequest::Get { id: id.to_owned(), range, session: session.cloned(), most: None };
        let response = workspace.ask(Request::Artifact(part));
        print(workspace.root(), &response);
        match &response.answer {
            Answer::ArtifactContent(part)
                if from + PART < part.handle.size_bytes && !output::has_failed() =>
            {
                from += PART;
            }
            _ => return response.outcome,
        }
    }
}

/// Content goes out as it is; a terminal is shown text only, without what would steer it.
fn give(part: &ArtifactContent) {
    match (&part.text, std::io::stdout().is_terminal()) {
        (Some(text), true) => output::text(&paint::plain(text)),
        (None, true) => {
            let bytes = part.bytes;
            output::line(&format!("{bytes} bytes that are no text: send them into a file with `>`"));
        }
        (_, false) => output::bytes(&part.content),
    }
}

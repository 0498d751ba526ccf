//! From what is typed to what is asked of policy.

use std::io::Read;

use mentci_disk::{is_stream, read_stream};
use mentci_host::Unambiguous;
use mentci_host::policy::{Input, PluginRequest, PolicyRequest};
use mentci_source::{Code, MAX_SOURCE_BYTES, Source};
use serde_json::Value;

use crate::approval_arguments::{Approvals, Notifications};
use crate::arguments::Verb;
use crate::paint;
use crate::plugin_arguments::Plugins;
use crate::rules_arguments::{Rules, Script};
use crate::surroundings::absolute;

/// The request of a verb of policy; `None` where what was typed cannot be asked, and then it has been said.
pub(crate) fn policy_request(verb: &Verb) -> Option<PolicyRequest> {
    Some(match verb {
        Verb::Check { paths, tools } => {
            let tools = match tools {
                Some(file) => Some(input(file)?),
                None => None,
            };
            PolicyRequest::Check { paths: rule_paths(paths), tools }
        }
        Verb::Test { paths } => PolicyRequest::Test { paths: rule_paths(paths) },
        Verb::Decide { rules, beside, dry_run, lenient, event } => {
            let (rules, _, event) = replayed(rules, &[], event.as_deref().unwrap_or("-"));
            PolicyRequest::Decide {
                rules: rule_paths(rules),
                event: told(event)?,
                dry_run: *dry_run,
                lenient: *lenient,
                beside: beside.as_deref().map(|path| Input::Path(rule_path(path))),
                dated: true,
            }
        }
        Verb::Replay { rules, lenient, against, tz, events } => {
            let (rules, against, events) = replayed(rules, against, events.as_deref().unwrap_or("-"));
            PolicyRequest::Replay {
                rules: rule_paths(rules),
                lenient: *lenient,
                against: rule_paths(against),
                zone: tz.clone(),
                events: told(events)?,
            }
        }
        Verb::Expr { jsonl: Some(lines), .. } => PolicyRequest::ExprLines { lines: told(lines)? },
        Verb::Expr { expr, facts, .. } => {
            PolicyRequest::Expr { expr: expr.clone().unwrap_or_default(), facts: given(facts.as_deref())? }
        }
        Verb::Fmt { check, paths } => PolicyRequest::Format { paths: rule_paths(paths), check: *check },
        Verb::Convert { to, path } => PolicyRequest::Convert { path: rule_path(path), to: *to },
        Verb::Rules(Rules::List { paths }) => PolicyRequest::Rules { paths: rule_paths(paths) },
        Verb::Rules(Rules::Show { rule }) => PolicyRequest::Show { rule: rule.clone() },
        Verb::Rules(Rules::Test { rule, event, from_session }) => PolicyRequest::Try {
            rule: rule.clone(),
            event: event_input(event.as_deref())?,
            session: from_session.clone(),
        },
        Verb::Script(Script::Run { file, event, parameters }) => PolicyRequest::RunScript {
            path: rule_path(file),
            event: event_input(event.as_deref())?,
            parameters: parameters.iter().cloned().collect(),
        },
        Verb::Rules(Rules::Enable { rule }) => PolicyRequest::Switch { rule: rule.clone(), enabled: true },
        Verb::Rules(Rules::Disable { rule }) => PolicyRequest::Switch { rule: rule.clone(), enabled: false },
        Verb::Pack { show: Some(file), .. } => {
            PolicyRequest::ShowPack { path: (!file.is_empty()).then(|| rule_path(file)) }
        }
        Verb::Pack { out, paths, .. } => {
            PolicyRequest::Pack { paths: rule_paths(paths), out: out.as_deref().map(rule_path) }
        }
        Verb::Rules(Rules::Set { rule, name, value }) => PolicyRequest::Parameter {
            rule: rule.clone(),
            name: name.clone(),
            value: Some(Value::from(value.as_str())),
        },
        Verb::Rules(Rules::Unset { rule, name }) => {
            PolicyRequest::Parameter { rule: rule.clone(), name: name.clone(), value: None }
        }
        Verb::Plugins(plugins) => PolicyRequest::Plugins(plugin(plugins)),
        Verb::Kill { list: true, .. } => PolicyRequest::Stops,
        Verb::Kill { session, reason, .. } => {
            PolicyRequest::Kill { session: session.clone(), reason: reason.clone() }
        }
        Verb::Resume { session } => PolicyRequest::Resume { session: session.clone() },
        Verb::Notifications(Notifications::List { session, all }) => {
            PolicyRequest::Notifications { session: session.clone(), all: *all }
        }
        Verb::Notifications(Notifications::Ack { ids, session }) => {
            PolicyRequest::Acknowledge { ids: ids.clone(), session: session.clone(), by: None }
        }
        Verb::Approvals(Approvals::List) => PolicyRequest::Approvals,
        Verb::Approvals(Approvals::Grant { id, words }) => {
            PolicyRequest::Answer { id: id.clone(), grant: true, by: None, words: words.clone() }
        }
        Verb::Approvals(Approvals::Deny { id, words }) => {
            PolicyRequest::Answer { id: id.clone(), grant: false, by: None, words: words.clone() }
        }
        _ => return None,
    })
}

fn plugin(plugins: &Plugins) -> PluginRequest {
    match plugins {
        Plugins::List => PluginRequest::List,
        Plugins::Show { id } => PluginRequest::Show { id: id.clone() },
        Plugins::Enable { id } => PluginRequest::Switch { id: id.clone(), enabled: true },
        Plugins::Disable { id } => PluginRequest::Switch { id: id.clone(), enabled: false },
        Plugins::Set { id, name, value } => {
            let value = Some(Value::from(value.as_str()));
            PluginRequest::Set { id: id.clone(), name: name.clone(), value }
        }
        Plugins::Unset { id, name } => PluginRequest::Set { id: id.clone(), name: name.clone(), value: None },
        Plugins::Install { path, user } => {
            PluginRequest::Install { path: absolute(path).to_string_lossy().into_owned(), user: *user }
        }
        Plugins::New { id, user } => PluginRequest::New { id: id.clone(), user: *user },
    }
}

/// The log may stand behind the rules without a sign between them: `replay --rules a.yaml b.yaml events.jsonl`.
fn replayed<'a>(
    rules: &'a [String],
    against: &'a [String],
    events: &'a str,
) -> (&'a [String], &'a [String], &'a str) {
    match (rules.split_last(), against.split_last()) {
        (Some((last, rules)), _) if events == "-" && is_log(last) => (rules, against, last),
        (_, Some((last, against))) if events == "-" && is_log(last) => (rules, against, last),
        _ => (rules, against, events),
    }
}

/// Whether a path is one of a log and not of rules.
fn is_log(path: &str) -> bool {
    // Rules stand in files: what flows is the log.
    let flows = is_stream(&absolute(path.as_ref()));
    flows
        || path == "-"
        || [".jsonl", ".ndjson", ".json", ".log"].iter().any(|extension| path.ends_with(extension))
}

fn rule_paths(paths: &[String]) -> Vec<String> {
    paths.iter().map(|path| rule_path(path)).collect()
}

/// Paths are typed relative to where they are typed; `builtin` is no path.
fn rule_path(path: &str) -> String {
    if path == "builtin" { path.to_owned() } else { absolute(path.as_ref()).to_string_lossy().into_owned() }
}

/// Standard input, or a file.
pub(crate) fn input(name: &str) -> Option<Input> {
    if name != "-" {
        return Some(Input::Path(rule_path(name)));
    }
    Some(typed(Source::decode(STDIN, &typed_bytes()?).value.text()))
}

/// The same, of lines on which a decision rests: a byte that does not read would be judged as another one. They may flow out
/// of a named pipe or a device, as out of standard input.
pub(crate) fn told(name: &str) -> Option<Input> {
    let (name, bytes) = match name {
        "-" => (STDIN, typed_bytes()?),
        _ => match read_stream(&absolute(name.as_ref()), MAX_SOURCE_BYTES) {
            Ok(None) => return input(name),
            Ok(Some(bytes)) => (name, bytes),
            Err(error) => {
                paint::refuse(&format!("`{name}` could not be read: {error}"), "name a file instead");
                return None;
            }
        },
    };
    let reading = Source::decode(name, &bytes);
    let Some(finding) = reading.findings.iter().find(|finding| finding.code == Code::NOT_UTF8) else {
        return Some(Input::Text { name: name.to_owned(), text: reading.value.text().to_owned() });
    };
    let (line, column) = (finding.line.unwrap_or(1), finding.column.unwrap_or(1));
    paint::refuse(
        &format!("{name}:{line}:{column}: {}", finding.message),
        "write it in UTF-8; in JSON every character may also stand as `\\u0000`",
    );
    None
}

/// How findings cite standard input.
const STDIN: &str = "<stdin>";

fn typed(text: &str) -> Input {
    Input::Text { name: STDIN.to_owned(), text: text.to_owned() }
}

fn typed_bytes() -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    if let Err(error) = &read {
        paint::refuse(&format!("standard input could not be read: {error}"), "name a file instead");
    }
    read.ok().map(|_| bytes)
}

/// An event that need not be named; the outer `None` says that it could not be had.
#[expect(clippy::option_option, reason = "none may be named, and what is named may not be there")]
fn event_input(name: Option<&str>) -> Option<Option<Input>> {
    match name {
        None => Some(None),
        Some(name) => Some(Some(told(name)?)),
    }
}

fn given(facts: Option<&str>) -> Option<Value> {
    let Some(facts) = facts else { return Some(Value::Object(serde_json::Map::new())) };
    match serde_json::from_str::<Unambiguous>(facts).and_then(|_| serde_json::from_str(facts)) {
        Ok(Value::Object(facts)) => Some(Value::Object(facts)),
        Ok(_) => {
            paint::refuse("the facts are no object", "give an object, such as `{\"turn_index\": 5}`");
            None
        }
        Err(error) => {
            paint::refuse(
                &format!("the facts are no JSON: {error}"),
                "give an object, such as `{\"turn_index\": 5}`",
            );
            None
        }
    }
}

//! What a person does: one form, one request, and the page on which it shows.

use mentci_host::policy::{PluginRequest, PolicyRequest};
use mentci_host::{Answer, Ask, LessonRequest, Outcome, Request};
use mentci_source::{Code, Finding};
use serde_json::Value;

use crate::answer::Done;
use crate::ask::Trouble;
use crate::{Fields, Reply, Visit, link, plugins, rules};

/// Does what a form asks for; `None` where nothing is done at its path.
pub(crate) fn send(ask: &dyn Ask, visit: &Visit, path: &str, form: &Fields) -> Option<Done> {
    Some(match path {
        "/rule/switch" => switch_rule(ask, form),
        "/rule/parameter" => set_parameter(ask, visit, form),
        "/plugin/switch" => switch_plugin(ask, form),
        "/plugin/setting" => set_setting(ask, visit, form),
        "/lesson/accept" => judge(ask, LessonRequest::Accept { id: form.text("id").to_owned() }, "accepted"),
        "/lesson/reject" => {
            let reason = form.said("reason").map(str::to_owned);
            judge(ask, LessonRequest::Reject { id: form.text("id").to_owned(), reason }, "rejected")
        }
        "/approval/answer" => answer_approval(ask, form),
        "/stop" => stop(ask, form),
        "/resume" => resume(ask, form),
        _ => return None,
    })
}

/// Asks; then the page is shown on which it can be seen.
fn done(ask: &dyn Ask, request: Request, to: String) -> Done {
    let response = ask.ask(request);
    match (response.outcome, response.answer) {
        (Outcome::Bad, _) | (_, Answer::None {}) => Err(Trouble(response.findings)),
        _ => Ok(Reply::See { to }),
    }
}

/// What a switch is flipped to. What says neither flips nothing: a rule is not switched off by a slip.
fn is_on(form: &Fields) -> Result<bool, Trouble> {
    match form.get("enabled") {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => {
            let finding = Finding::new(Code::DAEMON_REQUEST, "`enabled` is `true` or `false`");
            Err(Trouble(vec![finding]))
        }
    }
}

fn word(enabled: bool) -> &'static str {
    if enabled { "on" } else { "off" }
}

/// Back to where the switch was flipped: the list, or the rule's own page.
fn switch_rule(ask: &dyn Ask, form: &Fields) -> Done {
    let (rule, enabled) = (form.text("rule").to_owned(), is_on(form)?);
    let to = match form.text("from") {
        "rule" => format!("{}&done={}", link::rule(&rule), word(enabled)),
        _ => format!("/rules?done={}#{}", word(enabled), link::anchor("rule", &rule)),
    };
    done(ask, Request::Policy(PolicyRequest::Switch { rule, enabled }), to)
}

/// The value that a form sets; none where it takes back what was set.
fn value(form: &Fields) -> Option<Value> {
    let is_reset = form.get("reset").is_some();
    form.get("value").filter(|_| !is_reset).map(|text| Value::String(text.to_owned()))
}

fn set_parameter(ask: &dyn Ask, visit: &Visit, form: &Fields) -> Done {
    let (rule, name, value) = (form.text("rule").to_owned(), form.text("name").to_owned(), value(form));
    let word = if value.is_some() { "set" } else { "reset" };
    let to = format!("{}&done={word}#parameters", link::rule(&rule));
    let request = PolicyRequest::Parameter { rule: rule.clone(), name, value };
    done(ask, Request::Policy(request), to)
        .or_else(|trouble| rules::wrong_value(ask, visit, &rule, form, &trouble))
}

fn switch_plugin(ask: &dyn Ask, form: &Fields) -> Done {
    let (id, enabled) = (form.text("id").to_owned(), is_on(form)?);
    let to = match form.text("from") {
        "plugin" => format!("{}&done={}", link::plugin(&id), word(enabled)),
        _ => format!("/plugins?done={}#{}", word(enabled), link::anchor("plugin", &id)),
    };
    done(ask, Request::Policy(PolicyRequest::Plugins(PluginRequest::Switch { id, enabled })), to)
}

fn set_setting(ask: &dyn Ask, visit: &Visit, form: &Fields) -> Done {
    let (id, name, value) = (form.text("id").to_owned(), form.text("name").to_owned(), value(form));
    let word = if value.is_some() { "set" } else { "reset" };
    let to = format!("{}&done={word}#settings", link::plugin(&id));
    let request = PluginRequest::Set { id: id.clone(), name, value };
    let request = Request::Policy(PolicyRequest::Plugins(request));
    done(ask, request, to).or_else(|trouble| plugins::wrong_value(ask, visit, &id, form, &trouble))
}

fn judge(ask: &dyn Ask, request: LessonRequest, word: &str) -> Done {
    done(ask, Request::Lessons(request), format!("/lessons?done={word}"))
}

fn answer_approval(ask: &dyn Ask, form: &Fields) -> Done {
    let grant = form.text("answer") == "allow";
    // Words go with a denial alone: an agent that may go on needs none.
    let words = form.said("reason").filter(|_| !grant).map(str::to_owned);
    let id = form.text("id").to_owned();
    let to =
        format!("/approvals?done={}&id={}", if grant { "allowed" } else { "denied" }, link::encoded(&id));
    done(ask, Request::Policy(PolicyRequest::Answer { id, grant, by: None, words }), to)
}

fn stop(ask: &dyn Ask, form: &Fields) -> Done {
    let session = form.said("session").map(str::to_owned);
    let to = session
        .as_deref()
        .map_or_else(|| "/?done=stopped".to_owned(), |id| link::session(id) + "&done=stopped");
    let reason = form.said("reason").unwrap_or("stopped on the page").to_owned();
    done(ask, Request::Policy(PolicyRequest::Kill { session, reason }), to)
}

fn resume(ask: &dyn Ask, form: &Fields) -> Done {
    let session = form.said("session").map(str::to_owned);
    let to = session
        .as_deref()
        .map_or_else(|| "/?done=resumed".to_owned(), |id| link::session(id) + "&done=resumed");
    done(ask, Request::Policy(PolicyRequest::Resume { session }), to)
}

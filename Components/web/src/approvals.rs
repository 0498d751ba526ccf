//! What people are asked: what exactly will run, how long there is, and the two answers.

use mentci_host::policy::{ApprovalRow, PolicyRequest};
use mentci_host::{Ask, Request, asker};
use mentci_page::Html;
use mentci_source::Finding;
use serde_json::Value;

use crate::answer::Done;
use crate::ask::asked;
use crate::frame::{Frame, Place, empty, form, heading, hidden};
use crate::notice::Call;
use crate::words::{excerpt, mark, pretty, short_args};
use crate::{Visit, link, moment, notice};

/// `/approvals`
pub(crate) fn page(ask: &dyn Ask, visit: &Visit) -> Done {
    let (answer, findings) = asked!(ask, Request::Policy(PolicyRequest::Approvals), Approvals)?;
    let frame = Frame::new(ask, visit, Place::Approvals, "Approvals");
    Frame { about: answered(&answer.approvals, visit), ..frame }
        .done(|html| write(&answer.approvals, &findings, visit, html))
}

/// The call that a person has just answered. The address names its id alone, and what is said of it is what the log says.
fn answered(rows: &[ApprovalRow], visit: &Visit) -> Option<Call> {
    let (id, done) = (visit.query.said("id")?, visit.query.get("done")?);
    let row = rows.iter().find(|row| row.id == id)?;
    let is_so = match done {
        "allowed" => matches!(row.state.as_str(), "granted" | "used"),
        "denied" => row.state == "denied",
        _ => false,
    };
    is_so.then(|| Call {
        tool: row.tool.clone(),
        args: excerpt(&row.args, NAMED),
        session: row.session.clone(),
    })
}

/// How much of a call's arguments stands where its answer is confirmed, in characters.
const NAMED: usize = 1_000;

/// How many answered requests are shown.
const ANSWERED: usize = 50;

fn write(rows: &[ApprovalRow], findings: &[Finding], visit: &Visit, html: &mut Html) {
    heading(
        "Approvals",
        "Calls that wait for a person. An answer is good for exactly this call, once.",
        html,
    );
    notice::findings(findings, html);
    let (pending, answered): (Vec<&ApprovalRow>, Vec<&ApprovalRow>) =
        rows.iter().partition(|row| row.state == "pending");
    // The oldest first, here and in what comes later: what is shown stays where it is while somebody presses a button of it.
    html.element("div", &[("id", "pending"), ("data-live", ""), ("data-queue", "")], |html| {
        if pending.is_empty() {
            html.element("div", &[("id", "none-pending")], |html| empty("Nothing waits for you", "A rule that says `approve` stops a call until somebody answers here or by `policy-engine approvals`.", html));
        }
        for row in pending.into_iter().rev() {
            card(row, visit, html);
        }
    });
    if !answered.is_empty() {
        html.own("<section aria-labelledby=\"answered\"><h2 id=\"answered\">Answered</h2>");
        html.element(
            "ul",
            &[("class", "rows"), ("role", "list"), ("id", "answers"), ("data-live", "")],
            |html| {
                for row in answered.iter().take(ANSWERED) {
                    html.element(
                        "li",
                        &[("class", "row"), ("id", &link::anchor("answered", &row.id))],
                        |html| past(row, visit, html),
                    );
                }
            },
        );
        html.own("</section>");
    }
}

fn card(row: &ApprovalRow, visit: &Visit, html: &mut Html) {
    let id = link::anchor("approval", &row.id);
    let title = format!("{id}-title");
    html.element(
        "article",
        &[("class", "card approval"), ("id", &id), ("aria-labelledby", &title)],
        |html| {
            html.element("h2", &[("id", &title)], |html| {
                html.leaf("code", &[], &row.tool);
                html.own(" wants to run");
            });
            html.own(
                "<p class=\"mark overtaken\" role=\"status\" hidden=\"\">answered or expired meanwhile</p>",
            );
            arguments(&row.args, html);
            html.element("p", &[("class", "facts")], |html| {
                if let Some(who) = asker(row.caller.as_deref(), row.sender.as_deref()) {
                    html.leaf("span", &[], &format!("called by {who}"));
                    html.own(" ");
                }
                html.element("span", &[], |html| {
                    html.own("asked for by ");
                    html.leaf("a", &[("href", &link::rule(&row.rule))], &row.rule);
                    html.own(" ");
                });
                html.own(" ");
                html.element("span", &[], |html| {
                    html.own("in the session ");
                    html.leaf("a", &[("href", &link::session(&row.session))], &row.session);
                    html.own(" ");
                });
                html.own(" ");
                if let Some(expires) = moment::read(&row.expires) {
                    html.element("span", &[("class", "countdown")], |html| {
                        moment::until(expires, visit.now, html);
                    });
                    html.own(" ");
                }
            });
            if visit.viewer.may_act {
                answering(row, html);
            }
        },
    );
}

/// The arguments as the tool will receive them, but for secrets: a command as it is typed, all else as JSON.
fn arguments(args: &str, html: &mut Html) {
    if is_withheld(args) {
        html.own("<p class=\"notice warning\">What stands in square brackets, as in <code>[SECRET]</code>, is kept out of the log: the tool receives the value itself.</p>");
    }
    let read: Option<Value> = serde_json::from_str(args).ok();
    let command = read.as_ref().and_then(|value| value.get("command")).and_then(Value::as_str);
    if let Some(command) = command {
        html.leaf("pre", &[("class", "exactly command"), ("tabindex", "0")], command);
        let is_all = read.as_ref().and_then(Value::as_object).is_some_and(|map| map.len() == 1);
        if is_all {
            return;
        }
    }
    if read.as_ref().and_then(Value::as_str).is_some_and(|start| start.ends_with('…')) {
        html.own("<p class=\"notice warning\">This is only the start of the arguments: the log holds no more of them.</p>");
    }
    let shown = read.as_ref().map_or_else(|| args.to_owned(), pretty);
    html.leaf("pre", &[("class", "exactly"), ("tabindex", "0")], &shown);
}

/// Whether the log has the name of a kind where a value was: `[AWS_KEY]`.
fn is_withheld(args: &str) -> bool {
    let mut named = args.split('[').skip(1).filter_map(|text| Some(text.split_once(']')?.0));
    named.any(|name| name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
}

fn answering(row: &ApprovalRow, html: &mut Html) {
    html.element("div", &[("class", "judging")], |html| {
        form("/approval/answer", "", html, |html| {
            hidden("id", &row.id, html);
            html.leaf("button", &[("type", "submit"), ("class", "main"), ("name", "answer"), ("value", "allow")], "Allow once");
        });
        form("/approval/answer", "with-reason", html, |html| {
            hidden("id", &row.id, html);
            html.own("<label>Words for the agent <input type=\"text\" name=\"reason\" maxlength=\"500\" placeholder=\"optional\"></label>");
            html.leaf("button", &[("type", "submit"), ("class", "danger"), ("name", "answer"), ("value", "deny")], "Deny");
        });
    });
}

fn past(row: &ApprovalRow, visit: &Visit, html: &mut Html) {
    html.element("div", &[("class", "what")], |html| {
        html.element("p", &[("class", "facts")], |html| {
            mark(state(&row.state), &row.state, html);
            html.leaf("code", &[], &row.tool);
            html.own(" ");
            let args: Value =
                serde_json::from_str(&row.args).unwrap_or_else(|_| Value::String(row.args.clone()));
            html.leaf("code", &[("class", "soft")], &short_args(&args));
            html.own(" ");
            html.leaf("a", &[("href", &link::session(&row.session))], &row.session);
            html.own(" ");
            if let Some(by) = &row.by {
                html.leaf("span", &[], &format!("by {by}"));
                html.own(" ");
            }
            if let Some(asked) = moment::read(&row.asked) {
                html.element("span", &[], |html| {
                    html.own("asked ");
                    moment::ago(asked, visit.now, html);
                });
                html.own(" ");
            }
        });
        if let Some(words) = &row.words {
            html.element("p", &[], |html| html.text(&format!("“{words}”")));
        }
    });
}

fn state(state: &str) -> &'static str {
    match state {
        "granted" | "used" => "allow",
        "denied" => "block",
        _ => "off",
    }
}

#[cfg(test)]
mod tests {
    use super::is_withheld;

    #[test]
    fn what_is_kept_out_of_the_log_is_told() {
        for (args, is) in [
            (r#"{"key":"[AWS_KEY]"}"#, true),
            (r#"{"command":"login -p [SECRET] now"}"#, true),
            (r#"{"lines":[1,2],"list":["A"]}"#, false),
            (r#"{"text":"[x] done [", "list": []}"#, false),
        ] {
            assert_eq!(is_withheld(args), is, "{args}");
        }
    }
}

//! Rules that act, in this process: conditions, Luau scripts, templates, and hooks at which many rules notify.
//!
//! The facts are those of a session of twelve calls, as the decision point gives them to scripts and templates.

use std::sync::Arc;

use mentci_authority::{Event, Hook, Rule, RuleSet, Trust};
use mentci_host::policy::{Outside, RuleFile, Rulebook, UtcOnly, Whole, judge};
use mentci_ledger::{Ledger, Windows};
use mentci_pdp::{Options as Defaults, Verbatim, decide, decide_with, facts_of};
use mentci_script::{Facts, Limits, Script, ScriptAction, ScriptOutcome, Scripts, Template};
use mentci_source::{Finding, Source};
use mentci_workspace::{ScriptShelf, SystemClock, TemplateShelf};
use serde_json::Value;

use super::policy::{each, least, read};
use super::{Rows, scripts_path, scripts_peers};
use crate::options::Options;
use crate::rounds::Step;
use crate::table::{Row, Target, Unit};

/// Counts what failed among the recent calls, and says so from three on.
pub(super) const WALK: &str = "local failed = {}
for _, call in ipairs(context.history.tools) do
    if call.success == false then failed[call.name] = (failed[call.name] or 0) + 1 end
end
for name, count in pairs(failed) do
    if count >= 3 then notify(`{name} failed {count} times`) end
end
";

/// What [`WALK`] says of the twelve calls.
pub(super) const WALKED: &str = "exec failed 4 times";

/// The condition that everybody evaluates, and the template that everybody fills in.
pub(super) const CONDITION: &str = "context.turn.token_usage > 0.8";
pub(super) const TEMPLATE: &str =
    "{{ (context.turn.token_usage * 100) | int }} % is used at turn {{ context.turn.number }}: finish";
pub(super) const FILLED: &str = "85 % is used at turn 7: finish";

/// How many calls a round has: many for what takes nanoseconds.
const MANY: usize = 2_000;
const FEW: usize = 20;

pub(super) fn bench(options: &Options) -> Rows {
    let session = Session::new()?;
    let peers = scripts_peers::measure(options, &session.facts)?;
    let mut rows = alone(options, &session, &peers)?;
    rows.extend(hooks(options, &session, &peers)?);
    rows.extend(scripts_path::bench(options)?);
    Ok(rows)
}

/// A session of twelve calls, every third of which failed; a turn begins in it.
struct Session {
    ledger: Ledger,
    event: Event,
    /// What a rule's script and templates may read.
    facts: Value,
}

impl Session {
    fn new() -> Result<Self, String> {
        let book = rulebook("bench.toml", &rules(1, 1))?;
        let mut ledger = Ledger::new(Windows::default());
        for line in (0..12).flat_map(call) {
            let event = read(&line)?;
            ledger.fold(&judge(&book.program, &event, ledger.view(&event), Outside::nothing(), false).record);
        }
        let event = read(
            r#"{"event":"turn_start","session":"s","turn":7,"usage":{"token_usage":0.85,"max_iterations":10}}"#,
        )?;
        let facts = facts_of(first(&book)?, &event, ledger.view(&event));
        if facts["history"]["tools"].as_array().map(Vec::len) == Some(12) {
            Ok(Self { ledger, event, facts })
        } else {
            Err(format!("the session's facts are not what they should be: {facts}"))
        }
    }

    fn outside<'o>(templates: &'o TemplateShelf, scripts: &'o ScriptShelf) -> Outside<'o> {
        Outside { templates, zones: &UtcOnly, scripts }
    }
}

/// A call and its answer.
fn call(at: usize) -> [String; 2] {
    let (tool, result) = match at % 3 {
        0 => ("exec", r#"{"error":"exit code 1"}"#),
        _ => ("read_file", r#"{"result":"fn main() {}"}"#),
    };
    let ms = 1_772_445_600_000 + at * 100;
    let of = |event: &str, more: &str| {
        format!(
            r#"{{"event":"{event}","at":{ms},"session":"s","turn":6,"tool":{{"name":"{tool}","call_id":"c{at}","args":{{"path":"src/file{at}.rs","limit":100}}}}{more}}}"#
        )
    };
    [of("pre_tool_call", ""), of("post_tool_response", &format!(r#","result":{result}"#))]
}

/// Rules of one hook, the first `loud` of which notify by a template.
pub(super) fn rules(count: usize, loud: usize) -> String {
    let rule = |at: usize| {
        let than = if at < loud { "0.8" } else { "0.9" };
        format!(
            "[[rule]]\nid = \"n{at}\"\ntrigger = \"on_turn_start\"\n[rule.condition]\nexpression = \"context.turn.token_usage > {than}\"\n\
             [rule.action]\ntype = \"notify_self\"\nmessage = \"{at}: {TEMPLATE}\"\n"
        )
    };
    (0..count).map(rule).collect()
}

/// A rule that asks a script.
const ASKING: &str = "[rule]\nid = \"asks\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"walk.luau\"\n";

/// Files whose scripts all say [`WALK`].
struct Walking;

impl Whole for Walking {
    fn keep(&mut self, _: &RuleFile, _: &RuleSet) {}

    fn stand_in(&mut self, _: &RuleFile) -> Option<(RuleSet, Finding)> {
        None
    }

    fn knows_zone(&mut self, _: &str) -> bool {
        true
    }

    fn include(&mut self, path: &str) -> Option<Source> {
        Some(Source::new(path, WALK))
    }

    fn check_script(&mut self, _: &Source, _: Hook) -> Option<Finding> {
        None
    }

    fn check_template(&mut self, _: &str) -> Option<String> {
        None
    }
}

fn rulebook(path: &str, text: &str) -> Result<Rulebook, String> {
    let files = [RuleFile::new(Source::new(path, text), Trust::User)];
    let book = Rulebook::read(&files, Defaults::default(), &mut Walking);
    if book.is_whole() { Ok(book) } else { Err(format!("{path}: {:?}", book.findings)) }
}

fn first(book: &Rulebook) -> Result<&Rule, String> {
    book.sets.iter().flat_map(|set| &set.rules).next().ok_or_else(|| "there is no rule".to_owned())
}

/// One condition, one script, one template.
fn alone(options: &Options, session: &Session, peers: &scripts_peers::Times) -> Rows {
    let Session { ledger, event, facts } = session;
    let one = rulebook("bench.toml", &rules(1, 1))?;
    let asking = rulebook("asking.toml", ASKING)?;
    let shelf = ScriptShelf::new(Arc::new(SystemClock::new()));
    let machines = Scripts::new(|| 0);
    let walk = Script::compile("walk.luau", WALK).map_err(|error| error.to_string())?;
    let nothing = Script::compile("nothing.luau", "return true").map_err(|error| error.to_string())?;
    let template = Template::read(TEMPLATE).map_err(|error| error.to_string())?;
    let same: Arc<dyn Facts> = Arc::new(facts.clone());
    let run = |script: &Script, facts: &Arc<dyn Facts>| machines.run(script, facts, &Limits::default());
    let judged = || decide_with(&asking.program, event, ledger.view(event), &shelf);

    let said = run(&walk, &same).map_err(|error| error.to_string())?.calls;
    let told =
        |action: &ScriptAction| matches!(action, ScriptAction::Notify(fields) if fields["message"] == WALKED);
    let answered = run(&nothing, &same).map_err(|error| error.to_string())?.outcome;
    let fired = (decide(&one.program, event, ledger.view(event)).fired.len(), judged().scripted.len());
    let filled = template.render(facts).map_err(|error| error.to_string())?;
    let is_right = said.len() == 1 && said.iter().all(told) && answered == ScriptOutcome::Match;
    if !is_right || fired != (1, 1) || filled != FILLED {
        return Err(format!("rules do not act as they should: {said:?} {answered:?} {fired:?} {filled:?}"));
    }

    let steps: Vec<Step<'_>> = vec![
        Box::new(|| Ok(each(MANY, || decide(&one.program, event, ledger.view(event))))),
        Box::new(|| Ok(each(MANY, || run(&nothing, &same)))),
        Box::new(|| Ok(each(MANY, || run(&walk, &same)))),
        // Facts are made beforehand: a host has them as they come.
        Box::new(|| {
            let events: Vec<Arc<dyn Facts>> = (0..MANY).map(|_| Arc::new(facts.clone()) as _).collect();
            let mut next = events.iter().cycle();
            Ok(each(MANY, || next.next().map(|facts| run(&walk, facts))))
        }),
        Box::new(|| Ok(each(MANY, judged))),
        Box::new(|| Ok(each(MANY, || template.render(facts)))),
    ];
    let [condition, trivial, again, new, judged, filled] = least(options, steps)?[..] else {
        return Ok(Vec::new());
    };
    let row = |what: &str, ours, peer: Option<(&str, f64)>, target| match peer {
        Some(peer) => Row::beside(what, Unit::Seconds, ours, peer, target),
        None => Row::alone(what, Unit::Seconds, ours, target),
    };
    let micros = |most: f64| Target::Below(most * 1e-6);
    Ok(vec![
        row("a condition of a TOML rule, decided", condition, peers.condition(), micros(1.0)),
        row("a script that says `return true`", trivial, peers.trivial(), micros(1.0)),
        row("a script over 12 calls, an event's further script", again, peers.walk_again(), micros(25.0)),
        row("a script over 12 calls, an event's first script", new, peers.walk_new(), micros(25.0)),
        row("the same, asked by a rule: facts made, script run, action read", judged, None, micros(25.0)),
        row("a template, filled in", filled, peers.template(), Target::Told),
    ])
}

/// Hooks of many rules, all of whose messages are templates over the session's facts.
fn hooks(options: &Options, session: &Session, peers: &scripts_peers::Times) -> Rows {
    let mut rows = Vec::new();
    for (count, loud, most) in [(100, 10, 1e-3), (1_000, 0, 0.2e-3), (1_000, 1_000, 3e-3)] {
        let book = rulebook("bench.toml", &rules(count, loud))?;
        let Session { ledger, event, .. } = session;
        let (templates, scripts) = (TemplateShelf::default(), ScriptShelf::new(Arc::new(SystemClock::new())));
        let outside = Session::outside(&templates, &scripts);
        let heard = |outside| judge(&book.program, event, ledger.view(event), outside, true).verdict;
        let said = heard(outside);
        let wanted = |(at, action): (usize, &serde_json::Map<String, Value>)| {
            action["message"] == format!("{at}: {FILLED}")
        };
        if said.actions.len() != loud || !said.actions.iter().enumerate().all(wanted) {
            return Err(format!("{loud} of {count} should notify: {:?}", said.actions));
        }
        let verbatim = Outside { templates: &Verbatim, ..outside };
        let times = least(
            options,
            vec![
                Box::new(|| Ok(each(FEW, || heard(outside)))),
                Box::new(|| Ok(each(FEW, || heard(verbatim)))),
            ],
        )?;
        let what = format!("a hook with {count} rules, {loud} of which notify by templates");
        rows.push(match peers.hook().filter(|_| loud == 10) {
            Some(peer) => Row::beside(&what, Unit::Seconds, times[0], peer, Target::Below(most)),
            None => Row::alone(&what, Unit::Seconds, times[0], Target::Below(most)),
        });
        if loud > 0 {
            rows.push(Row::alone(
                &format!("{what}, templates left as they stand"),
                Unit::Seconds,
                times[1],
                Target::Told,
            ));
        }
    }
    Ok(rows)
}

//! Deciding, in this process: rules that each have a tool of their own, rules that share one, rules that look back.
//!
//! Every decision is looked at before it is timed: what it decides, why, and what the log would hold of it.

use mentci_authority::{Effect, Event, Permission, Trust};
use mentci_host::policy::{Alone, Court, Outside, RuleFile, Rulebook, judge};
use mentci_ledger::{Ledger, Record, Windows};
use mentci_pdp::{Options as Defaults, decide};
use mentci_source::Source;

use super::policy_rules::{Shape, storm, yaml};
use super::{Rows, policy_peers};
use crate::options::Options;
use crate::rounds::{Step, in_turn, time};
use crate::table::{Row, Target, Unit};

pub(crate) fn bench(options: &Options) -> Rows {
    let mut rows = deciding(options)?;
    rows.extend(policy_peers::bench(options)?);
    rows.extend(looking_back(options)?);
    rows.extend(loading(options)?);
    rows.extend(acting(options)?);
    Ok(rows)
}

/// The rules of a text, which must be whole.
pub(super) fn rulebook(path: &str, text: &str) -> Result<Rulebook, String> {
    let files = [RuleFile::new(Source::new(path, text), Trust::User)];
    let rulebook = Rulebook::read(&files, Defaults::default(), &mut Alone);
    if rulebook.is_whole() { Ok(rulebook) } else { Err(format!("{path}: {:?}", rulebook.findings)) }
}

/// How long one of `count` takes, in seconds.
pub(super) fn each<T>(count: usize, mut work: impl FnMut() -> T) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a count of rounds is small")]
    let count_of = count as f64;
    time(|| (0..count).for_each(|_| drop(std::hint::black_box(work())))) / count_of
}

/// The least disturbed round of each: these times are shorter than any pause of the machine.
pub(super) fn least(options: &Options, steps: Vec<Step<'_>>) -> Result<Vec<f64>, String> {
    let samples = in_turn(options.amount(41, 5), steps)?;
    Ok(samples.iter().map(|samples| samples.percentile(1)).collect())
}

fn deciding(options: &Options) -> Rows {
    let mut rows = Vec::new();
    for shape in [Shape::OwnTool, Shape::OneTool] {
        let mut times = Vec::new();
        for count in [10, 100, 1_000, 10_000] {
            let rulebook = rulebook("bench.yaml", &yaml(shape, count))?;
            let line = shape.line(count);
            let event = read(&line)?;
            let ledger = Ledger::new(Windows::default());
            check(&rulebook, &ledger, &event, &format!("r{}", count - 1))?;
            let program = &rulebook.program;
            let other = read(&shape.line_of(count, &shape.other_path()))?;
            if decide(program, &other, ledger.view(&other)).permission != Permission::Allow {
                return Err("a call that no rule is about is not allowed".to_owned());
            }
            let alone: Step<'_> =
                Box::new(|| Ok(each(2_000, || decide(program, &event, ledger.view(&event)))));
            let parsed: Step<'_> = Box::new(|| {
                Ok(each(2_000, || {
                    read(&line).map(|event| decide(program, &event, ledger.view(&event)).permission)
                }))
            });
            let [alone, parsed] = least(options, vec![alone, parsed])?[..] else { continue };
            let what = format!("{} of {count}", shape.name());
            let target = match (shape, count) {
                (Shape::OwnTool, 1_000) => Target::Below(150e-9),
                (Shape::OneTool, 1_000) => Target::Below(1e-6),
                _ => Target::Told,
            };
            rows.push(Row::alone(&format!("decide, {what}"), Unit::Seconds, alone, target));
            let target = if count == 1_000 { Target::Below(1.2e-6) } else { Target::Told };
            rows.push(Row::alone(&format!("decide, {what}, JSON parsed"), Unit::Seconds, parsed, target));
            times.push(alone);
        }
        let target = if shape == Shape::OwnTool { Target::AtMost(1.5) } else { Target::Told };
        let (first, last) = (times[0], times[times.len() - 1]);
        let what = format!("decide, {}, of 10,000 beside of 10", shape.name());
        rows.push(Row::beside(&what, Unit::Seconds, last, ("of 10", first), target));
    }
    Ok(rows)
}

pub(super) fn read(line: &str) -> Result<Event, String> {
    serde_json::from_str(line).map_err(|error| error.to_string())
}

/// The decision, its reason with its place, and what is recorded.
fn check(rulebook: &Rulebook, ledger: &Ledger, event: &Event, rule: &str) -> Result<(), String> {
    let judged = judge(&rulebook.program, event, ledger.view(event), Outside::nothing(), true);
    let reason = judged.verdict.reasons.first();
    let placed = reason.is_some_and(|reason| reason.rule == rule && reason.at.starts_with("bench.yaml:"));
    let recorded = judged.record.seen().is_some_and(|seen| seen.decided.rules == [format!("bench/{rule}")]);
    let is_right =
        judged.verdict.decision == Effect::Block && judged.verdict.rules == [rule] && placed && recorded;
    if is_right { Ok(()) } else { Err(format!("{rule} does not decide as it should: {:?}", judged.verdict)) }
}

/// A chain after sessions of any length: the log is folded as it grows, never read again.
fn looking_back(options: &Options) -> Rows {
    let rulebook = rulebook("bench.yaml", storm())?;
    let program = &rulebook.program;
    let windows = program.windows();
    let mut rows = Vec::new();
    let mut times = Vec::new();
    for count in [10usize, 1_000, 100_000] {
        let records = records(&rulebook, count)?;
        let mut ledger = Ledger::new(windows);
        for record in &records {
            ledger.fold(record);
        }
        let event = read(&call("send", count))?;
        check(&rulebook, &ledger, &event, "leak")?;
        let alone: Step<'_> = Box::new(|| Ok(each(2_000, || decide(program, &event, ledger.view(&event)))));
        let folded: Step<'_> = Box::new(|| {
            let mut ledger = Ledger::new(windows);
            let mut records = records.iter();
            Ok(each(count, || records.next().map(|record| ledger.fold(record))))
        });
        let [alone, folded] = least(options, vec![alone, folded])?[..] else { continue };
        rows.push(Row::alone(
            &format!("decide, chain after {count} calls"),
            Unit::Seconds,
            alone,
            Target::Told,
        ));
        rows.push(Row::alone(&format!("fold, each of {count} calls"), Unit::Seconds, folded, Target::Told));
        times.push(alone);
    }
    let what = "decide, chain after 100,000 calls beside after 10";
    rows.push(Row::beside(what, Unit::Seconds, times[2], ("after 10", times[0]), Target::AtMost(1.5)));
    Ok(rows)
}

/// Calls a tenth of a second apart, the first step of the chain among the last of them.
fn records(rulebook: &Rulebook, count: usize) -> Result<Vec<Record>, String> {
    let ledger = Ledger::new(rulebook.program.windows());
    let record = |at: usize| {
        let event = read(&call(if at % 7 == 3 { "read_secret" } else { "list" }, at))?;
        Ok(judge(&rulebook.program, &event, ledger.view(&event), Outside::nothing(), true).record)
    };
    (0..count).map(record).collect()
}

fn call(tool: &str, at: usize) -> String {
    let ms = 1_772_445_600_000 + at * 100;
    format!(
        r#"{{"event":"pre_tool_call","at":{ms},"session":"s","turn":1,"tool":{{"name":"{tool}","args":{{}}}}}}"#
    )
}

fn loading(options: &Options) -> Rows {
    let text = yaml(Shape::OwnTool, 1_000);
    let load: Step<'_> = Box::new(|| Ok(time(|| rulebook("bench.yaml", &text).map(|book| book.sets.len()))));
    let [load] = least(options, vec![load])?[..] else { return Ok(Vec::new()) };
    Ok(vec![Row::alone("loading 1,000 YAML rules", Unit::Seconds, load, Target::Below(0.020))])
}

/// A thousand TOML rules at one hook, and one condition.
fn acting(options: &Options) -> Rows {
    let rule = |at: usize, than: &str| {
        format!(
            "[[rule]]\nid = \"n{at}\"\ntrigger = \"on_turn_start\"\n[rule.condition]\nexpression = \"context.token_usage > {than}\"\n\
             [rule.action]\ntype = \"notify_self\"\nmessage = \"much is used up\"\n"
        )
    };
    let all = |count: usize, than: &str| (0..count).map(|at| rule(at, than)).collect::<String>();
    let quiet = rulebook("bench.toml", &all(1_000, "0.9"))?;
    let loud = rulebook("bench.toml", &all(1_000, "0.5"))?;
    let one = rulebook("bench.toml", &all(1, "0.9"))?;
    let event = read(r#"{"event":"turn_start","session":"s","turn":5,"usage":{"token_usage":0.8}}"#)?;
    let said = |book: &Rulebook| Court::new(book, Outside::nothing()).hear(&event, true).actions.len();
    if (said(&quiet), said(&loud)) != (0, 1_000) {
        return Err("the notifications are not what they should be".to_owned());
    }
    let ledger = Ledger::new(Windows::default());
    let judged = |book: &'_ Rulebook| {
        judge(&book.program, &event, ledger.view(&event), Outside::nothing(), true).verdict.actions.len()
    };
    let times = least(
        options,
        vec![
            Box::new(|| Ok(each(20, || judged(&quiet)))),
            Box::new(|| Ok(each(20, || judged(&loud)))),
            Box::new(|| Ok(each(2_000, || decide(&one.program, &event, ledger.view(&event))))),
        ],
    )?;
    let [quiet, loud, one] = times[..] else { return Ok(Vec::new()) };
    Ok(vec![
        Row::alone("1,000 TOML rules, none fires", Unit::Seconds, quiet, Target::Below(0.2e-3)),
        Row::alone("1,000 TOML rules, all notify", Unit::Seconds, loud, Target::Below(3e-3)),
        Row::alone("one condition, decided", Unit::Seconds, one, Target::Below(200e-9)),
    ])
}

//! The policy pack: opening it, the first decision after that, making it anew; and a whole process that decides by it.

use std::fs;
use std::path::Path;

use mentci_authority::Effect;
use mentci_host::policy::{Outside, judge};
use mentci_ledger::{Ledger, Windows};
use mentci_pdp::{Pack, Program};

use super::policy::{least, read, rulebook};
use super::policy_rules::{Shape, yaml};
use super::{Rows, told};
use crate::child::{run, silent};
use crate::options::Options;
use crate::rounds::{Step, in_turn, time};
use crate::table::{Row, Target, Unit};

const COUNT: usize = 1_000;

pub(super) fn bench(options: &Options) -> Rows {
    let mut rows = Vec::new();
    for shape in [Shape::OwnTool, Shape::OneTool] {
        rows.extend(opening(options, shape)?);
    }
    rows.extend(processes(options)?);
    Ok(rows)
}

/// One file, opened; one event, decided by what was opened.
fn opening(options: &Options, shape: Shape) -> Rows {
    let text = yaml(shape, COUNT);
    let file = options.data.join("bench.pack");
    fs::create_dir_all(&options.data).map_err(told)?;
    make(&text, &file)?;
    let event = read(&shape.line(COUNT))?;
    let ledger = Ledger::new(Windows::default());
    let decided =
        |program: &Program| judge(program, &event, ledger.view(&event), Outside::nothing(), false).verdict;
    let verdict = decided(&open(&file)?);
    if verdict.decision != Effect::Block || verdict.rules != [format!("r{}", COUNT - 1)] {
        return Err(format!("the pack does not decide as its rules do: {verdict:?}"));
    }
    let opened: Step<'_> = Box::new(|| {
        let mut program = None;
        let seconds = time(|| program = open(&file).ok());
        program.map(|_| seconds).ok_or_else(|| "the pack does not open".to_owned())
    });
    let first: Step<'_> = Box::new(|| {
        let program = open(&file)?;
        Ok(time(|| decided(&program)))
    });
    let made: Step<'_> = Box::new(|| {
        let mut made = Ok(());
        let seconds = time(|| made = make(&text, &file));
        made.map(|()| seconds)
    });
    let [opened, first, made] = least(options, vec![opened, first, made])?[..] else { return Ok(Vec::new()) };
    let row = |what: &str, seconds, target| {
        Row::alone(&format!("{what}, {} of {COUNT}", shape.name()), Unit::Seconds, seconds, target)
    };
    Ok(vec![
        row("opening a pack", opened, Target::Below(0.1e-3)),
        row("the first event after opening a pack", first, Target::Told),
        row("making a stale pack anew", made, Target::Below(0.020)),
    ])
}

fn open(file: &Path) -> Result<Program, String> {
    let bytes = fs::read(file).map_err(told)?;
    Pack::open(bytes).and_then(|pack| pack.program()).map_err(|error| error.to_string())
}

fn make(text: &str, file: &Path) -> Result<(), String> {
    let book = rulebook("bench.yaml", text)?;
    let bytes = Pack::of(&book.program, b"").map_err(|error| error.to_string())?;
    fs::write(file, bytes).map_err(told)
}

/// `policy-engine decide` in a workspace of 1,000 rules with the shipped packs: by a fresh pack, and where it must be made.
fn processes(options: &Options) -> Rows {
    let root = options.data.join("policy");
    let (rules, state) = (root.join(".pi/rules"), root.join("state"));
    fs::create_dir_all(&rules).map_err(told)?;
    fs::write(rules.join("bench.yaml"), yaml(Shape::OwnTool, COUNT)).map_err(told)?;
    let event = root.join("event.json");
    fs::write(&event, Shape::OwnTool.line(COUNT)).map_err(told)?;
    let ask = || {
        let mut command = silent(&options.engine);
        command.args(["decide", "--dry-run", "--root"]).arg(&root).arg(&event);
        command.env("XDG_STATE_HOME", &state).env("XDG_CONFIG_HOME", root.join("config"));
        run(&mut command, 1).map(|usage| usage.seconds)
    };
    ask()?;
    let pack = fs::read_dir(state.join("mentci/workspaces")).map_err(told)?.flatten().next();
    let pack = pack.ok_or("no pack was made")?.path().join("policy.pack");
    let fresh: Step<'_> = Box::new(ask);
    let absent: Step<'_> = Box::new(|| {
        fs::remove_file(&pack).map_err(told)?;
        ask()
    });
    let nothing = options.tools.join("true");
    let nothing: Step<'_> = Box::new(|| run(&mut silent(&nothing), 0).map(|usage| usage.seconds));
    let samples = in_turn(options.amount(31, 5), vec![fresh, absent, nothing])?;
    let [fresh, absent, nothing] = [0, 1, 2].map(|n| samples[n].median());
    let beside = |what: &str, ours| {
        let what = format!("`decide`, {COUNT} own rules and the shipped packs, {what}");
        Row::beside(&what, Unit::Seconds, ours, ("a static program that ends at once", nothing), Target::Told)
    };
    Ok(vec![beside("a fresh pack", fresh), beside("no pack yet", absent)])
}

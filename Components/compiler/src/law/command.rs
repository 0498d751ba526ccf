//! Commands: those that complete what leads them in, or do what their heading or comment says.

use std::collections::BTreeSet;
use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::RichText;
use mentci_source::Span;

use super::annotation::names_procedure;
use super::command_group::{Group, groups, is_command, with_preparation};
use super::draft::{Book, Draft};
use super::fence::{command_draft, orders};
use super::sample::{completed, recommends};
use super::setting::Setting;
use super::speech::condense::tidy;
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::lexicon::{is_nounish, is_verb};
use super::speech::mood::{Mood, mood_of};
use super::speech::number::{Numbered, opens_step};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::{WordKind, ending_bracket};
use super::steps::{is_named_station, named_step};
use super::template::boxed;

impl Group {
    /// `# BAD: copies all`: what the comment says is law, the commands under it are a sample.
    fn judge(&self, book: &mut Book<'_>, span: Span, here: &Setting) {
        book.omit(span, OmissionReason::Example);
        if let Some((level, text)) = self.verdict() {
            let draft = command_draft(text, level, Vec::new(), (self.said, self.said), here);
            let draft = Draft { force: Force::Explicit, spans: vec![self.said], completions: 0, ..draft };
            let at = book.add(draft);
            let size: usize = self.commands.iter().map(String::len).sum();
            if (1..=LONGEST_SHOWN).contains(&size) {
                book.complete(at, &self.shown(), span, self.literals());
            }
        }
    }

    /// Comments without a command: each line that orders is something to do.
    fn bare(&self, book: &mut Book<'_>, target: &Target, span: Span, here: &Setting) {
        let mut told = false;
        if let (Level::May, Target::Topic(_, lead, _) | Target::Comments(lead)) =
            (self.level(Level::Must), target)
        {
            let lines: Vec<&str> = self.lines.iter().map(|(line, _)| without_number(line)).collect();
            let (opens, rest) = lines.split_first().map_or(("", &lines[..]), |(first, rest)| (*first, rest));
            let text =
                if rest.is_empty() { opens.to_owned() } else { format!("{opens}: {}", rest.join("; ")) };
            let draft = command_draft(text, Level::May, Vec::new(), (span, *lead), here);
            book.add(Draft { completions: 0, ..draft });
            return;
        }
        for (line, at) in &self.lines {
            let checked = boxed(line);
            let line = checked.unwrap_or_else(|| without_number(line));
            if checked.is_none() && !orders(line)
                || line.get(..7).is_some_and(|first| first.eq_ignore_ascii_case("should "))
            {
                continue;
            }
            told = true;
            let line = line.trim_end_matches([':', ' ']);
            match target {
                Target::Norm(norm) => book.complete(*norm, line, *at, Vec::new()),
                Target::Topic(_, lead, _) | Target::Comments(lead) => {
                    let level = banned_by(line).unwrap_or(Level::Must);
                    let draft = command_draft(line.to_owned(), level, Vec::new(), (*at, *lead), here);
                    book.add(Draft { completions: 0, ..draft });
                }
                Target::None => {}
            }
        }
        if !told || self.lines.len() > 1 {
            book.omit(span, OmissionReason::Comment);
        }
    }

    /// Comments for nothing that is done here: `# NEVER lend the key` binds all the same.
    fn bound(&self, book: &mut Book<'_>, span: Span, here: &Setting) {
        let mut told = 0;
        for (line, at) in &self.lines {
            let stressed = ["NEVER ", "DO NOT ", "DON'T "].iter().any(|cue| line.starts_with(cue));
            let Some(level) = banned_by(line).filter(|_| stressed) else { continue };
            told += 1;
            let draft = command_draft(line.clone(), level, Vec::new(), (*at, *at), here);
            book.add(Draft { force: Force::Explicit, spans: vec![*at], completions: 0, ..draft });
        }
        if told < self.lines.len() {
            book.omit(span, OmissionReason::Code);
        }
    }
}

/// Longer commands under a comment that judges them are left out.
const LONGEST_SHOWN: usize = 120;

/// `Open the gate` of `2. Open the gate` and of `Step 2: Open the gate`.
fn without_number(comment: &str) -> &str {
    Numbered::step(comment).map_or(comment, |step| step.said)
}

/// Reads commands in their setting.
pub(crate) fn commands(book: &mut Book<'_>, body: Span, here: &Setting) {
    let groups = with_preparation(groups(book.source.slice(body), body.start as usize));
    let commented = groups.iter().any(|group| group.comment.is_some());
    let numbers = |group: &&Group| {
        group.comment.as_ref().is_some_and(|comment| Numbered::of(comment).is_some() || opens_step(comment))
    };
    let numbered = groups.iter().filter(numbers).count() > 1;
    let target = target(book, here, commented, numbered);
    // What a comment says is done in the case that the lead-in tells.
    let mut in_case = here.clone();
    if let Some(lead) = here.lead.as_ref().filter(|lead| lead.lead == Lead::Condition) {
        in_case.under(lead);
    }
    let in_turn = numbered || here.after_order || in_procedure(book);
    let opens = groups.first().is_some_and(|group| group.comment.is_some());
    if let (Target::Topic(text, span, level), true) = (&target, opens && here.lead.is_none())
        && orders(named_step(text).unwrap_or(text))
    {
        let mut draft = command_draft(text.clone(), *level, Vec::new(), (*span, *span), here);
        draft.spans.truncate(1);
        book.add(draft);
    }
    let forbids = matches!(&target, Target::Topic(_, _, level) if level.is_prohibition());
    let menu = is_menu(&groups) || runs_alike(&groups);
    let mut last = None;
    for group in groups {
        let Some(span) = group.span else { continue };
        let group =
            Group { comment: group.comment.map(|comment| comment.trim_end_matches(':').to_owned()), ..group };
        if group.is_sample() && !(forbids && group.is_bad()) {
            group.judge(book, span, here);
            continue;
        }
        let commands = group.shown();
        let level = group.level(if menu { Level::May } else { Level::Must });
        // `# or`: another way to do the same.
        let other = group.comment.as_deref().is_some_and(|comment| {
            ["or", "or:", "alternatively"].contains(&comment.trim().to_lowercase().as_str())
        });
        if let (true, Some(last), Target::Topic(..)) = (other && !commands.is_empty(), last, &target) {
            book.complete(last, &format!("or {commands}"), span, group.literals());
            continue;
        }
        match (&target, commented) {
            // `# NEVER run this at sea` above a command that is there for reference.
            (Target::None, _) if !commands.is_empty() && group.comment.as_deref().is_some_and(binds_by) => {
                let comment = group.comment.clone().unwrap_or_default();
                let level = banned_by(&comment).unwrap_or(Level::MustNot);
                let text = format!("{comment}: {commands}");
                let draft = command_draft(text, level, group.literals(), (span, span), here);
                book.add(Draft { force: Force::Explicit, spans: vec![span], ..draft });
            }
            (Target::None, _) if commands.is_empty() => group.bound(book, span, here),
            (Target::None, _) => book.omit(span, OmissionReason::Code),
            (_, _) if commands.is_empty() => group.bare(book, &target, span, &in_case),
            (Target::Comments(heading), _) => match group
                .comment
                .clone()
                .filter(|comment| {
                    without_number(comment).len() < comment.len() || orders(comment) || level != Level::Must
                })
                .filter(|comment| in_turn || !looks_up(comment))
            {
                Some(comment) => {
                    let draft = command_draft(
                        format!("{}: {commands}", without_number(&comment)),
                        level,
                        group.literals(),
                        (span, *heading),
                        here,
                    );
                    book.add(draft);
                }
                None => book.omit(span, OmissionReason::Code),
            },
            (Target::Norm(draft), false) => book.complete(*draft, &commands, span, group.literals()),
            (Target::Norm(draft), true) => {
                let comment =
                    group.comment.as_deref().map(|comment| format!("{comment}: ")).unwrap_or_default();
                book.complete(*draft, &format!("{comment}{commands}"), span, group.literals());
            }
            (Target::Topic(text, lead, level), _) => {
                let text = match &group.comment {
                    Some(comment) if forbids => format!("{text}: {comment}: {commands}"),
                    Some(comment) => format!("{comment}: {commands}"),
                    None if text.is_empty() => commands,
                    None => format!("{text}: {commands}"),
                };
                let level = group.level(if menu && *level == Level::Must { Level::May } else { *level });
                let here = if group.comment.is_some() && !forbids { &in_case } else { here };
                let draft = command_draft(text, level, group.literals(), (span, *lead), here);
                last = Some(
                    book.add(Draft { force: if forbids { Force::Explicit } else { draft.force }, ..draft }),
                );
            }
        }
    }
}

/// `# Plain moor`, `# With two lines`, `# By night`, each above the same command with other flags: which of them to take is left free.
fn is_menu(groups: &[Group]) -> bool {
    const FEWEST: usize = 3;
    const GENERAL: &[&str] =
        &["find", "grep", "rg", "curl", "if", "for", "cat", "ls", "cd", "echo", "git", "export"];
    // What stands in front of the first flag, text or path.
    let subcommand = |group: &Group| -> Option<Vec<String>> {
        let argument =
            |word: &&str| word.starts_with(['-', '"', '\'', '<', '$', '{', '.', '/']) || word.contains('=');
        let [only] = &group.commands[..] else { return None };
        group.comment.as_ref()?;
        Some(only.split_whitespace().take_while(|word| !argument(word)).map(str::to_owned).collect())
    };
    let Some(run) = groups.iter().map(subcommand).collect::<Option<Vec<_>>>() else { return false };
    let Some(shortest) = run.iter().min_by_key(|words| words.len()) else { return false };
    let same = shortest.len() > 1
        && !GENERAL.contains(&shortest[0].as_str())
        && run.iter().all(|other| other.starts_with(shortest));
    let acts = |group: &&Group| {
        let first = first_word(without_number(group.comment.as_deref().unwrap_or("")));
        is_verb(&first) && !is_nounish(&first)
    };
    same && groups.len() >= FEWEST && groups.iter().filter(acts).count() * 3 <= groups.len()
}

/// `# Run only the quick ones`, `# Run the slow ones`, each above the same program: which of them is run is left free.
fn runs_alike(groups: &[Group]) -> bool {
    const FEWEST: usize = 3;
    let program = |group: &Group| {
        let [only] = &group.commands[..] else { return None };
        let runs = first_word(without_number(group.comment.as_deref()?)) == "run";
        runs.then(|| only.split_whitespace().next().map(str::to_owned)).flatten()
    };
    let programs: Option<BTreeSet<String>> = groups.iter().map(program).collect();
    groups.len() >= FEWEST && programs.is_some_and(|programs| programs.len() == 1)
}

/// `NEVER run this at sea`, `Do not use this by day`: a remark that forbids what stands under it.
fn binds_by(said: &str) -> bool {
    let lower = said.to_lowercase();
    let opens = ["never ", "do not ", "don't "].iter().any(|cue| lower.starts_with(cue));
    opens && lower.split_whitespace().any(|word| word == "this") && banned_by(said).is_some()
}

/// `Never run this at sea` above a command, `Avoid manual edits` as its heading: the level that forbids.
pub(super) fn banned_by(said: &str) -> Option<Level> {
    let rich = RichText::plain(said, Span::new(0, said.len()));
    match mood_of(&Prose::new(&rich).words).mood {
        Mood::Order(level, _) => Some(level).filter(|level| level.is_prohibition()),
        _ => None,
    }
}

/// `Step 3: Build image`, `Build the image`, `Verify`: a heading that says what to do, and commands that do it.
fn is_act(heading: &str) -> bool {
    const DETERMINERS: &[&str] = &["the", "a", "an", "your", "all", "each", "every"];
    let named = |name: &str| name.split_whitespace().nth(1).is_some_and(|word| DETERMINERS.contains(&word));
    // `Phase 6: Verify Fix`.
    let begins = |act: &str| {
        let verb = first_word(act);
        orders(act) || is_verb(&verb) && !is_nounish(&verb)
    };
    let phase = ["step ", "phase ", "stage "].iter().any(|kind| heading.to_lowercase().starts_with(kind));
    named_step(heading).map_or_else(
        || named(heading) && orders(heading) || is_lone_act(heading),
        |step| phase || begins(step),
    )
}

/// `Paths (set once per shell)`, `Login (run first)`: what is done with what stands under it.
fn orders_in_bracket(heading: &str) -> bool {
    ending_bracket(heading).is_some_and(|(_, inner)| orders(inner))
}

/// `Gather`, `Verify`: a verb alone names what is done now. `Test`, `Search` may as well be what is spoken of.
fn is_lone_act(heading: &str) -> bool {
    const ACTS: &[&str] = &["repair", "probe", "release", "clean", "rollback", "backup", "fix", "review"];
    let verb = heading.trim().to_lowercase();
    is_verb(&verb) && (!is_nounish(&verb) || ACTS.contains(&verb.as_str()))
}

/// What commands complete.
enum Target {
    /// A norm that leads them in.
    Norm(usize),
    /// A condition or a heading: text and bytes.
    Topic(String, Span, Level),
    /// The comments above them, where those order something.
    Comments(Span),
    /// Nothing: they stand for reference.
    None,
}

/// Whether a heading that stands open names work that is done in steps: `Common workflows`.
pub(super) fn in_procedure(book: &Book<'_>) -> bool {
    book.open.iter().any(|&heading| names_procedure(&book.headings[heading].text.to_lowercase()))
}

/// `The script requires the following packages:` above what installs them.
fn requires(lead: &str) -> bool {
    const REQUIRED: &[&str] = &["following", "package", "packages", "dependencies", "dependency", "tools"];
    let words: Vec<String> =
        lead.split_whitespace().map(|word| word.trim_matches(':').to_lowercase()).collect();
    let has = |cues: &[&str]| words.iter().any(|word| cues.contains(&word.as_str()));
    has(&["requires", "require", "needs"]) && has(REQUIRED) && !has(&["no", "not", "if"])
}

fn target(book: &Book<'_>, here: &Setting, commented: bool, numbered: bool) -> Target {
    if let Some(lead) = &here.lead {
        let preferred = lead.text.to_lowercase().contains("(preferred")
            || lead.text.to_lowercase().contains("(recommended");
        let level = match first_word(&lead.text).as_str() {
            "alternative" | "alternatively" | "optional" | "optionally" => Level::May,
            _ if preferred => Level::Should,
            _ if can_be_done(&lead.text) || names_options(&lead.text) => Level::May,
            _ => Level::Must,
        };
        return match (&lead.lead, lead.draft) {
            (_, Some(_)) => completed(book, lead).map_or(Target::None, Target::Norm),
            (Lead::Condition | Lead::Stance(Stance::Neutral | Stance::Order, _), None) => {
                Target::Topic(tidy(&lead.text), lead.span, level)
            }
            (Lead::Stem(level), None) => Target::Topic(tidy(&lead.text), lead.span, *level),
            (Lead::Stance(Stance::Advise, _), None) if recommends(&lead.text) => {
                Target::Topic(tidy(&lead.text), lead.span, Level::Should)
            }
            (Lead::Stance(stance @ (Stance::Forbid | Stance::Discourage), _), None) => {
                let text = if lead.text.is_empty() { "NEVER".to_owned() } else { tidy(&lead.text) };
                Target::Topic(text, lead.span, stance.level().unwrap_or(Level::MustNot))
            }
            _ => match led_by(book, here) {
                Some(order) => Target::Norm(order),
                // `Alternative when the service holds the key:` in a step says which case its commands are for.
                None if told_in_act(book, here) => {
                    Target::Topic(tidy(&lead.text), lead.span, offered(&lead.text).unwrap_or(level))
                }
                None if requires(&lead.text) => Target::Topic(tidy(&lead.text), lead.span, level),
                None => Target::None,
            },
        };
    }
    if let Some(parent) = here.parent {
        return Target::Norm(parent);
    }
    let Some(heading) = here.heading.map(|heading| &book.headings[heading]) else { return Target::None };
    if let Some(order) = led_by(book, here) {
        return Target::Norm(order);
    }
    let needs =
        || here.above.clone().any(|at| book.drafts.get(at).is_some_and(|draft| states_need(&draft.text)));
    if !commented && (orders_above(book, here).next().is_some() || needs()) {
        return Target::Topic(heading.text.clone(), heading.span, Level::Must);
    }
    if here.after_order {
        return Target::Comments(heading.span);
    }
    if let Some(level) = book.forbids_all().and_then(Stance::level) {
        return Target::Topic(heading.text.clone(), heading.span, level);
    }
    let fresh = !book
        .drafts
        .iter()
        .any(|draft| draft.spans.first().is_some_and(|span| span.start > heading.span.end));
    let first = heading.text.split_whitespace().next().unwrap_or("");
    let reference = first.ends_with("ing") || matches!(here.section, Stance::Describe | Stance::Example);
    let stepwise = !reference
        && (heading.depth > 2
            || is_act(&heading.text)
            || orders_in_bracket(&heading.text)
            || is_named_station(&heading.text));
    let among_samples = matches!(here.section, Stance::Describe | Stance::Example);
    let stepped = commented && !among_samples && (numbered || in_procedure(book) || sets_up(&heading.text));
    if fresh && stepwise {
        let level = banned_by(&heading.text).filter(|_| heading.condition.is_none()).unwrap_or(Level::Must);
        // `Issue: No wind` is the case of what stands under it, which says so in front.
        let case = heading.condition.as_ref().is_some_and(|case| heading.text.ends_with(&**case));
        let text = if case { String::new() } else { heading.text.clone() };
        Target::Topic(text, heading.span, level)
    } else if stepped {
        Target::Comments(heading.span)
    } else {
        Target::None
    }
}

/// `Installation`, `Quick start`, `4. Setup`: commands under it are carried out one after the other.
fn sets_up(heading: &str) -> bool {
    const NAMES: &[&str] = &[
        "installation",
        "install",
        "setup",
        "set up",
        "getting started",
        "quick start",
        "quickstart",
        "prerequisites",
    ];
    let lower = heading.to_lowercase();
    let name = lower.trim_start_matches(|c: char| !c.is_alphabetic());
    NAMES.iter().any(|cue| name.starts_with(cue) || name.ends_with(cue))
}

/// `View the log`, `List all berths`: what can be looked up.
fn looks_up(comment: &str) -> bool {
    ["view", "list", "show", "see", "get"].contains(&first_word(comment).as_str())
}

fn first_word(text: &str) -> String {
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
}

/// Whether a lead-in that only tells stands right in a section that names an act.
fn told_in_act(book: &Book<'_>, here: &Setting) -> bool {
    let tells = here.lead.as_ref().is_some_and(|lead| matches!(lead.lead, Lead::Stance(Stance::Describe, _)));
    let acts = here.heading.is_some_and(|heading| is_act(&book.headings[heading].text));
    tells && acts && !matches!(here.section, Stance::Describe | Stance::Example)
}

/// `Additional options:`: what may be added.
fn names_options(lead: &str) -> bool {
    let lower = lead.to_lowercase();
    let words = plain_in(&lower);
    let more = words
        .first()
        .is_some_and(|first| matches!(*first, "additional" | "other" | "more" | "optional" | "further"));
    more && words.last() == Some(&"options")
}

/// `If it is installed, the crane can be used directly:`: what is left to choose.
fn can_be_done(lead: &str) -> bool {
    const DONE: &[&str] = &["used", "run", "called", "installed", "invoked", "started"];
    let mut words = lead.split(' ').skip_while(|word| !matches!(*word, "can" | "may"));
    words.next().is_some()
        && words.next() == Some("be")
        && words.next().is_some_and(|done| DONE.contains(&done.trim_end_matches([':', ','])))
}

/// `Alternative when …`, `Two hosts can share …`: what is left to choose.
fn offered(text: &str) -> Option<Level> {
    const OFFERS: &[&str] = &["alternative", "alternatively", "optional", "optionally", "can", "may"];
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| OFFERS.contains(&word)).then_some(Level::May)
}

/// The order right above that commands carry out although nothing leads them in: `Write the prompt to a file first. This avoids
/// quoting.` Where the text above orders more than one thing, it is not known which.
pub(super) fn led_by(book: &Book<'_>, here: &Setting) -> Option<usize> {
    let mut orders = orders_above(book, here);
    orders.next().filter(|_| orders.next().is_none())
}

/// `Leave must already be given before this`: how things have to stand, and nothing that commands carry out.
fn states_need(text: &str) -> bool {
    const FARTHEST: usize = 8;
    let words: Vec<&str> = text.split(' ').collect();
    let modal = words.iter().take(FARTHEST).position(|word| *word == "must").filter(|at| *at > 0);
    modal.is_some_and(|at| {
        let be =
            words.get(at + 1).map_or(0, |next| usize::from(matches!(*next, "already" | "always" | "first")));
        words.get(at + 1 + be).is_some_and(|word| matches!(*word, "be" | "have"))
    })
}

/// The norms of the paragraph right above that say to do something.
fn orders_above<'b>(book: &'b Book<'_>, here: &Setting) -> impl Iterator<Item = usize> + 'b {
    let acts = |draft: &Draft| {
        matches!(draft.level, Level::Must | Level::Should)
            && !(draft.force == Force::Explicit && states_need(&draft.text))
    };
    here.above.clone().filter(move |&at| book.drafts.get(at).is_some_and(acts))
}

/// Whether a text without a language is made of commands: `tool list --all`, `git push`, and then `tool status`.
pub(crate) fn runs(body: &str) -> bool {
    const PROGRAMS: &[&str] = &[
        "git",
        "npm",
        "npx",
        "pnpm",
        "yarn",
        "cargo",
        "python",
        "python3",
        "pip",
        "docker",
        "make",
        "curl",
        "gh",
        "node",
        "uv",
        "pytest",
        "sudo",
        "brew",
        "kubectl",
        "go",
        "mkdir",
        "chmod",
        "grep",
        "rg",
        "ls",
        "wget",
        "rsync",
        "bun",
        "deno",
        "terraform",
        "helm",
        "tmux",
        "jq",
        "composer",
        "php",
        "bundle",
        "rails",
        "mvn",
        "dotnet",
        "flutter",
        "dart",
        "poetry",
        "ruff",
        "psql",
        "systemctl",
        "tsc",
    ];
    // `find . -type d`, and not `find the berth`.
    const VERBS: &[&str] = &["find", "cat", "sort", "touch", "tail", "head", "export", "source", "echo"];
    let mut goes_on = false;
    let opening = |line: &&str| {
        let opens = !std::mem::replace(&mut goes_on, line.ends_with('\\'));
        opens && !line.starts_with('#')
    };
    let lines = body.lines().map(str::trim).filter(|line| !line.is_empty());
    let runnable: Vec<&str> = lines.filter(opening).collect();
    let program = |line: &'_ str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let flagged = |line: &str| {
        unremarked(line).split_whitespace().skip(1).any(|word| word.starts_with("--") && word.len() > 2)
    };
    let known: BTreeSet<String> =
        runnable.iter().filter(|line| flagged(line)).map(|line| program(line)).collect();
    let argued = |line: &str| {
        line.split_whitespace()
            .nth(1)
            .is_some_and(|next| next.starts_with(['.', '/', '-', '~', '$', '"', '\'']))
    };
    let programs = |line: &str| {
        let program = program(line);
        calls_tool(line)
            || PROGRAMS.contains(&program.as_str())
            || known.contains(&program)
            || VERBS.contains(&program.as_str()) && argued(line)
    };
    // `./tools/seal.sh`
    let script = |line: &str| line.starts_with("./") && !line.contains(": ");
    let command = |line: &str| is_command(unremarked(line)) && !speaks(line) && programs(line);
    !runnable.is_empty() && runnable.iter().all(|line| command(line) || script(unremarked(line)))
}

/// `build_corpus name="hooks" limit=500`, `crane_explore(query="main points")`: a tool by its name, and named arguments.
fn calls_tool(line: &str) -> bool {
    let ends = |c: char| c == ' ' || c == '(';
    let Some((tool, rest)) = line.split_once(ends) else { return false };
    let bracketed = line[tool.len()..].starts_with('(');
    let named = (tool.contains('_') || bracketed && tool == "skill")
        && tool.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit());
    let whole = !bracketed || line.ends_with(')');
    let argument = rest.split_once('=').is_some_and(|(name, value)| {
        !value.is_empty() && !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    });
    named && whole && argument
}

/// A command line without the remark behind it: `tool list --all` of `tool list --all   # see the others: pick one`.
fn unremarked(line: &str) -> &str {
    line.split_once(" # ").map_or(line, |(command, _)| command.trim_end())
}

/// `retries: use --twice`: a colon outside quotation marks is none of a command.
fn speaks(line: &str) -> bool {
    let outside = unremarked(line).split(['"', '\'']).step_by(2);
    outside.into_iter().any(|part| part.contains(": "))
}

/// `` On arrival: `berth sign --in` ``: a command behind when it is run.
pub(super) fn runs_on_occasion(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    const LONGEST: usize = 6;
    const OCCASIONS: &[&str] = &["on", "upon", "at", "before", "after", "during", "once", "for", "every"];
    let plain = |words: Range<usize>| prose.words[words].iter().filter(|word| word.kind != WordKind::Mark);
    let Some(colon) = sentence.clone().find(|&at| prose.words[at].mark(":")) else { return false };
    let mut said = plain(colon..sentence.end);
    let command = said.next().filter(|word| word.kind == WordKind::Code && said.next().is_none());
    (2..=LONGEST).contains(&plain(sentence.start..colon).count())
        && prose.words[sentence.start].any(OCCASIONS)
        && command.is_some_and(|command| runs(prose.text.as_str()[command.range.clone()].trim_matches('`')))
}

//! The answers as a person reads them.

use std::fmt::Write;

use mentci_host::{
    Answer, CodeAnswer, CompileAnswer, CompiledRow, ConfigAnswer, CoverageAnswer, DoctorAnswer, InitAnswer,
    InstallAnswer, LessonAnswer, LessonList, LessonView, RuleAnswer, SourcesAnswer, StatsAnswer,
    StatusAnswer, TaughtAnswer, TrustAnswer,
};
use owo_colors::OwoColorize;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use crate::paint::{count, duration, line, plain};
use crate::picture::bar;
use crate::{
    chatmd_answers, condense_answers, eval_answers, model_answers, plugin_answers, policy_answers,
    session_answers,
};

/// The text of an answer; ends with a line break unless it is empty.
pub(crate) fn text(answer: &Answer) -> String {
    match answer {
        Answer::Digest(digest) => plain(&digest.text),
        Answer::Inject(inject) => plain(&inject.text),
        Answer::Rule(rule) => rule_text(rule),
        Answer::Code(code) => code_text(code),
        Answer::Coverage(coverage) => coverage_text(coverage),
        Answer::Stats(stats) => stats_text(stats),
        Answer::Compile(compile) => compile_text(compile),
        Answer::Eval(eval) => eval_answers::evaluated(eval),
        Answer::Taught(taught) => taught_text(taught),
        Answer::Lessons(lessons) => lessons_text(lessons),
        Answer::Lesson(lesson) => lesson_text(lesson),
        Answer::Sources(sources) => sources_text(sources),
        Answer::Status(status) => status_text(status),
        Answer::Config(config) => config_text(config),
        Answer::Trust(trust) => trust_text(trust),
        Answer::Init(init) => init_text(init),
        Answer::Doctor(doctor) => doctor_text(doctor),
        Answer::Lines(lines) => policy_answers::lines(lines),
        Answer::Text(answer) => answer.text.clone(),
        Answer::Rules(rules) => policy_answers::rules(rules),
        Answer::PolicyRule(rule) => policy_answers::rule(rule),
        Answer::Tests(tests) => policy_answers::tests(tests),
        Answer::Format(format) => policy_answers::format(format),
        Answer::Plugins(plugins) => plugin_answers::plugins(plugins),
        Answer::Plugin(plugin) => plugin_answers::plugin(plugin),
        Answer::Approvals(approvals) => policy_answers::approvals(approvals),
        Answer::Stops(stops) => policy_answers::stops(stops),
        Answer::Notifications(answer) => policy_answers::notifications(answer),
        Answer::Trial(trial) => policy_answers::trial(trial),
        Answer::ScriptRun(run) => policy_answers::script_run(run),
        Answer::Pack(pack) => policy_answers::pack(pack),
        Answer::History(answer) => session_answers::history(answer),
        Answer::DigestDiff(answer) => {
            answer.lines.iter().fold(String::new(), |all, one| all + &line(one) + "\n")
        }
        Answer::Log(answer) => session_answers::log(answer),
        Answer::Audit(answer) => session_answers::audit(answer),
        Answer::Sessions(answer) => session_answers::sessions(answer),
        Answer::SessionEvents(answer) => session_answers::events(answer),
        Answer::SessionVerified(answer) => session_answers::verified(answer),
        Answer::Context(answer) => session_answers::context(answer),
        Answer::ContextExplained(answer) => session_answers::explained(answer),
        Answer::Demo(answer) => session_answers::demo(answer),
        Answer::Aligned(answer) => session_answers::aligned(answer),
        Answer::Pinged(answer) => model_answers::pinged(answer),
        Answer::Models(answer) => model_answers::models(answer),
        Answer::Artifacts(answer) => session_answers::artifacts(answer),
        Answer::ArtifactHits(answer) => session_answers::hits(answer),
        Answer::Document(answer) => chatmd_answers::document(answer),
        Answer::Canonical(answer) => chatmd_answers::canonical(answer),
        Answer::Checked(answer) => chatmd_answers::checked(answer),
        Answer::Page(answer) => chatmd_answers::page(answer),
        Answer::Collected(answer) => session_answers::collected(answer),
        // Content goes out as it is: see `run`.
        Answer::Install(answer) => installed(answer),
        Answer::ArtifactContent(_) | Answer::Hook(_) | Answer::None {} => String::new(),
    }
}

pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>, right: &[usize]) -> String {
    let mut builder = Builder::default();
    builder.push_record(head.iter().map(ToString::to_string));
    for row in rows {
        builder.push_record(row.iter().map(|cell| line(cell)));
    }
    let mut table = builder.build();
    table.with(Style::blank());
    for &column in right {
        table.modify(Columns::one(column), Alignment::right());
    }
    let text = table.to_string();
    text.lines().fold(String::new(), |all, row| all + row.trim_end() + "\n")
}

fn rule_text(rule: &RuleAnswer) -> String {
    let level = rule.level.map_or("fact", mentci_authority::Level::name).replace('_', " ");
    let mut text = format!("{} {}\n  {level}\n", rule.rule.bold(), line(&rule.line));
    for source in &rule.sources {
        let _ = writeln!(text, "\n  {}:{}", line(&source.span.path), source.span.start_line);
        for words in plain(&source.words).lines() {
            let _ = writeln!(text, "    {words}");
        }
    }
    for lesson in &rule.lessons {
        let _ = writeln!(text, "\n  lesson {}", lesson.id);
        text.push_str(&indented(&lesson_lines(lesson)));
    }
    text
}

fn code_text(code: &CodeAnswer) -> String {
    format!("{} {}\n  {}\n", code.code.bold(), code.name, code.explanation)
}

fn coverage_text(coverage: &CoverageAnswer) -> String {
    let rows = coverage.sources.iter().map(|row| {
        let omitted: usize = row.omitted.values().sum();
        let cells = [row.lines, row.stated, omitted, row.gaps.len()].map(|number| number.to_string());
        std::iter::once(row.path.to_string()).chain(cells).collect()
    });
    let mut text = table(&["source", "lines", "stated", "left out", "gaps"], rows, &[1, 2, 3, 4]);
    let _ = writeln!(
        text,
        "{} of {} non-blank lines are accounted for ({})",
        coverage.covered,
        coverage.lines,
        percent(coverage.covered, coverage.lines)
    );
    text
}

pub(crate) fn percent(part: usize, whole: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a share to one digit")]
    let share = if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 };
    format!("{share:.1}%")
}

fn stats_text(stats: &StatsAnswer) -> String {
    let rows = stats.skills.iter().map(|skill| {
        let numbers = [skill.tokens_in, skill.tokens_out, skill.rules].map(|number| number.to_string());
        let [tokens_in, tokens_out, rules] = numbers;
        vec![skill.skill.clone(), tokens_in, tokens_out, percent(skill.tokens_out, skill.tokens_in), rules]
    });
    let total = vec![
        "all".to_owned(),
        stats.tokens_in.to_string(),
        stats.tokens_out.to_string(),
        percent(stats.tokens_out, stats.tokens_in),
        stats.skills.iter().map(|skill| skill.rules).sum::<usize>().to_string(),
    ];
    let rows: Vec<_> = rows.chain([total]).collect();
    let mut text = table(&["skill", "tokens in", "tokens out", "ratio", "rules"], rows, &[1, 2, 3, 4]);
    let _ = writeln!(text, "workspace digest: {} of {} tokens\n", stats.workspace_tokens, stats.budget);
    text.push_str(&bars(stats));
    for skill in &stats.skills {
        let _ = writeln!(text, "\n{}", skill.skill.bold());
        let rows = skill.sections.iter().map(|section| {
            let numbers =
                [section.tokens_in, section.tokens_out, section.rules].map(|number| number.to_string());
            std::iter::once(section.section.clone()).chain(numbers).collect()
        });
        text.push_str(&table(&["section", "tokens in", "tokens out", "rules"], rows, &[1, 2, 3]));
    }
    text
}

/// What goes in, and the part of it that comes out.
fn bars(stats: &StatsAnswer) -> String {
    let most = stats.skills.iter().map(|skill| skill.tokens_in.max(skill.tokens_out)).max().unwrap_or(1);
    let width = stats.skills.iter().map(|skill| skill.skill.chars().count()).max().unwrap_or(0);
    stats.skills.iter().fold(String::new(), |mut text, skill| {
        let picture = bar(skill.tokens_out, skill.tokens_in, most);
        let _ =
            writeln!(text, " {:width$} {picture} {} -> {}", skill.skill, skill.tokens_in, skill.tokens_out);
        text
    })
}

fn compile_text(compile: &CompileAnswer) -> String {
    let rows: Vec<Vec<String>> = compile.digests.iter().map(compile_cells).collect();
    let head = ["digest", "rules", "binding", "lessons", "tokens in", "tokens out", "ratio", ""];
    let mut text = String::new();
    if rows.len() <= 101 {
        text.push_str(&table(&head, rows, &[1, 2, 3, 4, 5, 6]));
    }
    for row in &compile.digests {
        details(&mut text, row);
    }
    for id in &compile.promoted {
        let _ = writeln!(text, "lesson {id} {}", if compile.stale { "is due" } else { "was promoted" });
    }
    let moved = compile.digests.iter().filter(|row| row.changed).count();
    let (skills, whole): (Vec<_>, Vec<_>) = compile.digests.iter().partition(|row| row.skill.is_some());
    let (rules, skills) = (whole.iter().map(|row| row.rules).sum(), skills.len());
    let done = if compile.stale { "out of date" } else { "written" };
    let _ = writeln!(
        text,
        "{} from {}: {} {done}, {} read, {}",
        count(rules, "rule"),
        count(skills, "skill"),
        count(moved, "digest"),
        compile.counters.read,
        duration(compile.micros)
    );
    if let Some(condensed) = &compile.condensed {
        text.push_str(&condense_answers::condensed(condensed));
    }
    text
}

fn compile_cells(row: &CompiledRow) -> Vec<String> {
    let number = |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
    let ratio = row.tokens_in.zip(row.tokens_out).map(|(of, out)| percent(out, of));
    let name = row.skill.as_ref().map_or_else(|| "workspace".to_owned(), ToString::to_string);
    vec![
        name,
        row.rules.to_string(),
        row.binding.to_string(),
        row.lessons.to_string(),
        number(row.tokens_in),
        number(row.tokens_out),
        ratio.unwrap_or_default(),
        if row.changed { "changed".to_owned() } else { String::new() },
    ]
}

fn details(text: &mut String, row: &CompiledRow) {
    if row.diff.is_empty() && row.explained.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", row.path.bold());
    for change in &row.diff {
        let change = line(change);
        let painted =
            if change.starts_with('-') { change.red().to_string() } else { change.green().to_string() };
        let _ = writeln!(text, "{painted}");
    }
    for explained in &row.explained {
        let _ = writeln!(text, "{}", line(explained));
    }
}

fn taught_text(taught: &TaughtAnswer) -> String {
    format!("{} {}\n  {}\n  {}\n", taught.id.bold(), taught.status.name(), taught.message, taught.path)
}

fn lessons_text(list: &LessonList) -> String {
    let rows: Vec<Vec<String>> = list.lessons.iter().map(lesson_cells).collect();
    if rows.is_empty() {
        return "no lessons\n".to_owned();
    }
    table(&["id", "skill", "status", "told", "condition", "resolution"], rows, &[3])
}

fn lesson_cells(lesson: &LessonView) -> Vec<String> {
    vec![
        lesson.id.to_string(),
        lesson.skill.to_string(),
        lesson.status.name().to_owned(),
        format!("{}x", lesson.sessions.len().max(1)),
        shortened(&lesson.condition),
        shortened(&lesson.resolution),
    ]
}

fn shortened(text: &str) -> String {
    let text = line(text);
    if text.chars().count() <= 60 { text } else { text.chars().take(59).chain(['…']).collect() }
}

fn lesson_text(answer: &LessonAnswer) -> String {
    let said = if answer.message.is_empty() { String::new() } else { format!("{}\n", answer.message) };
    format!(
        "{} {}\n{}{said}",
        answer.lesson.id.bold(),
        answer.lesson.skill,
        indented(&lesson_lines(&answer.lesson))
    )
}

fn lesson_lines(lesson: &LessonView) -> String {
    let near: Vec<String> = lesson.near.iter().map(ToString::to_string).collect();
    let rows = [
        ("status", Some(lesson.status.name().to_owned())),
        ("waits", lesson.waits.as_deref().map(|why| why.strip_prefix("waits ").unwrap_or(why).to_owned())),
        ("reason", lesson.reason.clone()),
        ("accepted", lesson.accepted.then(|| "by this user".to_owned())),
        ("rule", lesson.rule.as_ref().map(ToString::to_string)),
        ("condition", Some(lesson.condition.clone())),
        ("resolution", Some(lesson.resolution.clone())),
        ("context", lesson.context.clone()),
        ("at", lesson.at.clone()),
        ("author", lesson.author.clone()),
        ("source", lesson.source.clone()),
        ("sessions", (!lesson.sessions.is_empty()).then(|| lesson.sessions.join(", "))),
        ("file", Some(lesson.path.clone())),
        ("near", (!near.is_empty()).then(|| near.join(", "))),
    ];
    let shown = rows.into_iter().filter_map(|(name, value)| Some((name, value?)));
    shown.fold(String::new(), |text, (name, value)| text + &format!("{name:<10} {}\n", line(&value)))
}

fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |all, line| all + "  " + line + "\n")
}

fn sources_text(sources: &SourcesAnswer) -> String {
    let rows: Vec<Vec<String>> = sources
        .sources
        .iter()
        .map(|row| {
            let skill = row.skill.as_ref().map(ToString::to_string).unwrap_or_default();
            let hash = row.hash.map(|hash| hash.short(12)).unwrap_or_default();
            vec![row.path.clone(), row.kind.to_owned(), skill, row.bytes.to_string(), hash]
        })
        .collect();
    if rows.is_empty() {
        "no sources\n".to_owned()
    } else {
        table(&["source", "kind", "skill", "bytes", "hash"], rows, &[3])
    }
}

fn status_text(status: &StatusAnswer) -> String {
    let yes = |so: bool| if so { "yes" } else { "no" };
    let lessons: Vec<String> =
        status.lessons.iter().map(|(name, number)| format!("{number} {}", name.name())).collect();
    let lessons = if lessons.is_empty() { "none".to_owned() } else { lessons.join(", ") };
    let hash = status.hash.map_or_else(|| "none".to_owned(), |hash| hash.short(16));
    let untrusted: Vec<String> = status.untrusted.iter().map(|path| line(path)).collect();
    let trusted = if status.trusted { "yes".to_owned() } else { format!("no: {}", untrusted.join(", ")) };
    format!(
        "workspace {}\ndigest    {hash}\nwhole     {}\ncurrent   {}\ntrusted   {}\nskills    {}\nsources   {}\nlessons   {lessons}\n",
        line(&status.root),
        yes(status.whole),
        yes(status.current),
        trusted,
        status.skills,
        status.sources
    )
}

fn config_text(config: &ConfigAnswer) -> String {
    let rows = config.values.iter().map(|row| {
        let value = if row.value.is_null() { "unset".to_owned() } else { row.value.to_string() };
        let layer = row
            .origin
            .as_ref()
            .map_or_else(|| row.layer.to_owned(), |origin| format!("{} ({origin})", row.layer));
        vec![row.key.to_owned(), value, layer]
    });
    table(&["key", "value", "layer"], rows, &[])
}

fn trust_text(trust: &TrustAnswer) -> String {
    let hash = trust.hash.map(|hash| format!(" (content {})", hash.short(12))).unwrap_or_default();
    let mut text = format!("`{}` is {}trusted{hash}\n", trust.path, if trust.trusted { "" } else { "not " });
    for (path, hash) in trust.files.iter().filter(|(path, _)| **path != trust.path) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {} (content {})", line(path), hash.short(12));
    }
    text
}

fn init_text(init: &InitAnswer) -> String {
    let mut text = format!("{} in {}\n", count(init.skills.len(), "skill"), line(&init.root));
    for file in &init.files {
        let _ = writeln!(text, "  {:<12} {}", file.did, line(&file.path));
    }
    text.push_str("next: `policy-engine compile-rules`\n");
    text
}

fn doctor_text(doctor: &DoctorAnswer) -> String {
    doctor.checks.iter().fold(String::new(), |mut text, check| {
        let mark = if check.ok { "ok  ".green().to_string() } else { "odd ".yellow().to_string() };
        let _ = writeln!(text, "{mark} {}: {}", line(&check.what), line(&check.seen));
        text
    })
}

fn installed(answer: &InstallAnswer) -> String {
    let mut text = format!("{} in {}\n", answer.harness.name(), line(&answer.base));
    for row in &answer.files {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:<12} {}", row.did, line(&row.path));
        for changed in &row.diff {
            let _ = writeln!(text, "    {}", line(changed));
        }
    }
    for note in &answer.notes {
        let _ = writeln!(text, "{} {}", "note:".yellow(), line(note));
    }
    text
}

//! Trees of files: what a remark behind a name says must be there, or only under a condition.

use std::fmt::Write as _;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_source::Span;

use super::annotation::norm_of_lead;
use super::draft::{Book, Draft};
use super::fence::command_draft;
use super::setting::Setting;
use super::speech::lead::Lead;
use super::speech::stance::Stance;

/// A tree with longer paths is told folder by folder.
const MOST_BYTES: usize = 300;

/// A tree that is longer when told folder by folder is left out.
const MOST_FOLDED: usize = 500;

/// Reads a tree; what leads it in is completed by its paths, unless a remark says more of one. False where the text is none.
pub(crate) fn tree(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let source = book.source.clone();
    let text = source.slice(body);
    if !is_tree(text) {
        return false;
    }
    let drawn = stands_in_text(text);
    let mut above: Vec<(usize, String)> = Vec::new();
    let (mut paths, before): (Vec<String>, usize) = (Vec::new(), book.drafts.len());
    let mut at = body.start as usize;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(entry) =
            Entry::of(line).filter(|_| !drawn || is_drawn(line) || line.trim_end().ends_with('/'))
        else {
            continue;
        };
        above.retain(|(depth, _)| *depth < entry.depth);
        above.push((entry.depth, entry.name.trim_end_matches('/').to_owned()));
        let path = above.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join("/");
        // A folder is told by what it holds.
        paths.pop_if(|last| path.strip_prefix(last.as_str()).is_some_and(|rest| rest.starts_with('/')));
        paths.push(path.clone());
        let Some(level) = entry.remark.and_then(level) else { continue };
        let text = format!("`{path}`: {}", entry.remark.unwrap_or_default());
        let span = Span::new(start + line.len() - line.trim_start().len(), start + line.trim_end().len());
        let draft = command_draft(text, level, vec![path], (span, span), here);
        book.add(Draft { force: Force::Explicit, spans: vec![span], completions: 0, ..draft });
    }
    let size: usize = paths.iter().map(String::len).sum();
    let told = match size {
        0..=MOST_BYTES => paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", "),
        _ => by_folder(&paths),
    };
    let fits = told.len() <= MOST_FOLDED && book.drafts.len() == before;
    match fits.then(|| led_in(book, here)).flatten() {
        Some(norm) => {
            paths.retain(|path| told.contains(path.as_str()));
            book.complete(norm, &told, body, paths);
        }
        None => book.omit(body, OmissionReason::Code),
    }
    true
}

/// The norm that a tree completes: the one that leads it in, or one that says where things are kept.
fn led_in(book: &mut Book<'_>, here: &Setting) -> Option<usize> {
    const KEPT: &[&str] = &[
        "stored",
        "saved",
        "kept",
        "placed",
        "live",
        "lives",
        "belong",
        "belongs",
        "go",
        "goes",
        "written",
        "organized",
        "organised",
        "structured",
        "arranged",
        "follow",
        "follows",
    ];
    let lead = here.lead.as_ref()?;
    if lead.draft.is_some() {
        return lead.draft;
    }
    let bound = matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Order | Stance::Describe, _))
        && !matches!(here.section, Stance::Example | Stance::Describe);
    let lower = lead.text.to_lowercase();
    let keeps = lower.split(|c: char| !c.is_alphanumeric()).any(|word| KEPT.contains(&word));
    (bound && keeps).then(|| norm_of_lead(book, here))
}

/// `` `notes/a`: `one`, `two` ``: what stands in one folder, behind its name.
fn by_folder(paths: &[String]) -> String {
    let mut told = String::new();
    let mut last = None;
    for path in paths {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if last == Some(folder) {
            let _ = write!(told, ", `{name}`");
            continue;
        }
        let parted = if told.is_empty() { "" } else { "; " };
        let folder_named = if folder.is_empty() { String::new() } else { format!("`{folder}/`: ") };
        let _ = write!(told, "{parted}{folder_named}`{name}`");
        last = Some(folder);
    }
    told
}

/// Whether a line is drawn as the branch of a tree.
fn is_drawn(line: &str) -> bool {
    line.contains("├─") || line.contains("└─")
}

/// At least two names, one of them a folder, and nothing else but remarks. Text may stand around branches that are drawn.
fn is_tree(text: &str) -> bool {
    let lines = || text.lines().filter(|line| line.contains(char::is_alphanumeric));
    let folder = |line: &str| Entry::of(line).is_some_and(|entry| entry.name.ends_with('/'));
    let branches = || lines().filter(|line| is_drawn(line));
    stands_in_text(text)
        && branches().all(|line| Entry::of(line).is_some())
        && lines().any(|line| folder(line) && (is_drawn(line) || line.trim_end().ends_with('/')))
        || is_bare_tree(text)
}

/// Whether text stands around the branches of a tree; a drawing of boxes is none.
fn stands_in_text(text: &str) -> bool {
    text.lines().filter(|line| is_drawn(line)).count() > 2
        && !text.contains(['┌', '┐'])
        && !is_bare_tree(text)
}

fn is_bare_tree(text: &str) -> bool {
    let lines = || text.lines().filter(|line| line.contains(char::is_alphanumeric));
    lines().count() > 1
        && lines().all(|line| Entry::of(line).is_some())
        && lines().any(|line| Entry::of(line).is_some_and(|entry| entry.name.ends_with('/')))
}

/// A name in a tree.
struct Entry<'t> {
    depth: usize,
    name: &'t str,
    remark: Option<&'t str>,
}

impl<'t> Entry<'t> {
    /// `├── notes.md    # Main text (required)`
    fn of(line: &'t str) -> Option<Self> {
        let drawn = |c: char| c.is_whitespace() || matches!(c, '│' | '├' | '└' | '─' | '|' | '+' | '`');
        let text = line.trim_start_matches(drawn);
        let depth = line.chars().count() - text.chars().count();
        let (name, behind) = text.trim_end().split_once([' ', '\t']).unwrap_or((text.trim_end(), ""));
        let behind = behind.trim();
        let remark = ["#", "//", "←", "<-", "- ", "– ", "— ", "("].iter().find_map(|mark| {
            behind
                .strip_prefix(mark)
                .map(|remark| if *mark == "(" { remark.trim_end_matches(')') } else { remark })
        });
        let named =
            !name.is_empty() && !name.ends_with([':', ',', ';', '{']) && !name.starts_with(['#', '"']);
        (named && (behind.is_empty() || remark.is_some())).then_some(Self {
            depth,
            name,
            remark: remark.map(str::trim),
        })
    }
}

/// `required`, `optional`, `only if needed`, `never commit`: what a remark lends; the rest of them tell what a file is.
fn level(remark: &str) -> Option<Level> {
    let lower = remark.to_lowercase().replace('’', "'");
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let pair = |first: &str, second: &[&str]| {
        words.windows(2).any(|pair| pair[0] == first && second.contains(&pair[1]))
    };
    if has(&["never", "don't", "mustn't"]) || pair("do", &["not"]) || pair("must", &["not"]) {
        return Some(Level::MustNot);
    }
    if has(&["optional"]) || pair("not", &["required"]) {
        return Some(Level::May);
    }
    (has(&["required", "mandatory", "always", "must"]) || pair("only", &["if", "when", "for", "where"]))
        .then_some(Level::Must)
}

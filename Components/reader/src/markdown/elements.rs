//! Workflows written in elements: `<action>Sound the bell</action>`, `<check if="the fog is thick">` around what is done then. What an
//! element says is Markdown as any other text; the case in its `if` stands in front of it.

use super::{Block, parts, within};

/// Elements in elements deeper than this are read as if they stood on this level.
const DEEPEST: usize = 32;

/// What a tag says.
#[derive(Debug, Clone, Copy)]
struct Tag<'t> {
    name: &'t str,
    closes: bool,
    /// What stands in `if="…"`, and where.
    case: Option<(&'t str, usize)>,
    /// Where `<goto step="3">` leads.
    step: Option<&'t str>,
    /// Where the tag ends.
    end: usize,
}

/// The blocks of the text from `start` on; none where no element in it says anything in a line of its own.
pub(super) fn read(text: &str, start: usize) -> Option<Vec<Block>> {
    if !text[start..].contains("</") {
        return None;
    }
    let rewritten = rewrite(text, start)?;
    let end = text.len();
    Some(within::read_within(&rewritten.text, |at| rewritten.places.get(at).copied().unwrap_or(end)))
}

/// Markdown that says the same without tags, and where each of its bytes comes from.
#[derive(Debug, Default)]
struct Rewritten {
    text: String,
    places: Vec<usize>,
}

impl Rewritten {
    fn copy(&mut self, text: &str, from: usize) {
        self.text.push_str(text);
        self.places.extend(from..from + text.len());
    }

    /// Words that stand for the tag at `place`.
    fn add(&mut self, words: &str, place: usize) {
        self.text.push_str(words);
        self.places.extend(std::iter::repeat_n(place, words.len()));
    }
}

/// An element that is open.
#[derive(Debug)]
struct Open<'t> {
    name: &'t str,
    /// How far the line of its tag is indented, or that of the last element in it.
    indent: usize,
    /// Whether it has a case, so that what stands in it are the items under that case.
    in_case: bool,
    /// Whether its tag was taken away, so that the one that closes it is, too.
    is_read: bool,
}

fn rewrite(text: &str, start: usize) -> Option<Rewritten> {
    let mut out = Rewritten { text: text[..start].to_owned(), places: (0..start).collect() };
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut says_any = false;
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        let mark = parts::mark_of(line);
        let fenced = fence.is_some() || mark.is_some();
        fence = match (fence, mark) {
            (None, mark) => mark,
            (Some(open), Some(mark)) if parts::closes(line, open, mark) => None,
            (open, _) => open,
        };
        if fenced {
            out.copy(line, at);
        } else {
            says_any |= element_line(&mut out, &mut open, (line, at), text);
        }
        at += line.len();
    }
    says_any.then(|| Rewritten { text: out.text.split_off(start), places: out.places.split_off(start) })
}

/// Takes the elements of a line apart; whether one says something.
fn element_line<'t>(
    out: &mut Rewritten,
    open: &mut Vec<Open<'t>>,
    (line, at): (&'t str, usize),
    whole: &'t str,
) -> bool {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    let outer = open.last().map_or(0, |outer| outer.indent).min(indent);
    let body = &line[indent..];
    let Some(tag) = tag_of(body) else {
        // What stands in an element is indented as it is.
        let said = ends_element(open, line).unwrap_or(&line[outer..]);
        out.copy(said, at + outer);
        if said.len() < line.len() - outer {
            out.add("\n\n", at + outer + said.len().saturating_sub(1));
        }
        return false;
    };
    if tag.closes {
        let known = open.iter().rposition(|element| element.name == tag.name);
        let is_read = known.is_some_and(|known| open[known].is_read);
        if let Some(known) = known {
            open.truncate(known);
        }
        if is_read {
            out.add("\n", at.saturating_sub(1));
        } else {
            out.copy(&line[outer..], at + outer);
        }
        return false;
    }
    let behind = &body[tag.end..];
    let close = format!("</{}>", tag.name);
    let here = behind.find(&close);
    let closes_later = here.is_none() && whole[at + line.len()..].contains(&close);
    let is_said = !behind.trim().is_empty() && (here.is_some() || closes_later);
    if !(is_said || closes_later && tag.case.is_some()) {
        if closes_later && open.len() < DEEPEST {
            open.push(Open { name: tag.name, indent, in_case: false, is_read: false });
        }
        out.copy(&line[outer..], at + outer);
        return false;
    }
    let in_case = open.iter().any(|element| element.in_case);
    if let Some(outer) = open.last_mut() {
        outer.indent = indent;
    }
    out.add("\n", at);
    if in_case {
        out.add("- ", at + indent);
    }
    if let Some((case, place)) = tag.case {
        out.add("If ", at + indent);
        out.copy(case, at + indent + place);
        out.add(if is_said { ", " } else { ":" }, at + indent + tag.end - 1);
    }
    if closes_later && open.len() < DEEPEST {
        open.push(Open { name: tag.name, indent, in_case: tag.case.is_some() && !is_said, is_read: true });
    }
    if !is_said {
        out.add("\n\n", at + indent + tag.end - 1);
        return true;
    }
    if tag.name.eq_ignore_ascii_case("ask") {
        out.add("Ask: ", at + indent);
    }
    let from = at + indent + tag.end;
    match here {
        Some(end) => {
            out.copy(behind[..end].trim_end(), from);
            if let Some(step) = tag.step {
                out.add(&format!(", go to step {step}"), from + end.saturating_sub(1));
            }
            let rest = behind[end + close.len()..].trim_end();
            out.copy(rest, from + end + close.len());
            out.add("\n\n", from + end.saturating_sub(1));
        }
        None => out.copy(behind, from),
    }
    true
}

/// What a line says in front of the tag that closes the innermost element, where its own was taken away.
fn ends_element<'t>(open: &mut Vec<Open<'_>>, line: &'t str) -> Option<&'t str> {
    let element = open.last().filter(|element| element.is_read)?;
    let close = format!("</{}>", element.name);
    let outer = element.indent.min(line.len() - line.trim_start_matches([' ', '\t']).len());
    let said = line.trim_end().strip_suffix(close.as_str())?.trim_end();
    open.pop();
    said.get(outer..)
}

/// The tag of an element that a line begins with: no element of HTML, for those mark up, and no sample.
fn tag_of(line: &str) -> Option<Tag<'_>> {
    let rest = line.strip_prefix('<')?;
    let closes = rest.starts_with('/');
    let named = rest.strip_prefix('/').unwrap_or(rest);
    let len = named.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))?;
    let name = &named[..len];
    let end = line.find('>')? + 1;
    let inside = &line[..end];
    let speaks = SAYING.iter().any(|known| name.eq_ignore_ascii_case(known));
    if !speaks || inside.ends_with("/>") || inside[1..].contains('<') {
        return None;
    }
    let attribute = |opening: &str| {
        let from = inside.find(opening)? + opening.len();
        let len = inside[from..].find('"')?;
        let said = inside[from..from + len].trim();
        (!said.is_empty()).then_some((said, from))
    };
    let case = ["if=\"", "when=\"", "condition=\""].iter().find_map(|opening| attribute(opening));
    let goes = name.eq_ignore_ascii_case("goto");
    let step = attribute("step=\"").filter(|_| goes).map(|(step, _)| step);
    Some(Tag { name, closes, case, step, end })
}

/// Elements that say something to whoever follows the text. The names of others may be placeholders, samples or code.
const SAYING: &[&str] = &[
    "action",
    "ask",
    "check",
    "critical",
    "constraint",
    "directive",
    "goto",
    "guardrail",
    "guideline",
    "halt",
    "important",
    "instruction",
    "instructions",
    "mandate",
    "must",
    "must-not",
    "must_not",
    "never",
    "note",
    "phase",
    "principle",
    "prohibition",
    "requirement",
    "rule",
    "stage",
    "step",
    "steps",
    "task",
    "warning",
    "workflow",
];

//! Workflows written in elements: `<action>Sound the bell</action>`, `<check if="the fog is thick">` around what is done then, `<never>`
//! around what is not. What an element says is Markdown as any other text; the case in its `if` stands in front of it, and `NEVER:` in
//! front of what an element forbids.

use std::collections::HashMap;

use super::{Block, parts, within};

/// Elements in elements deeper than this are read as if they stood on this level.
const DEEPEST: usize = 64;
/// A tag is not longer than this.
const LONGEST_TAG: usize = 400;

/// Elements that say something to whoever follows the text. The names of others may be placeholders, samples or code.
const SAYING: &[&str] = &[
    "action",
    "ask",
    "check",
    "constraint",
    "constraints",
    "critical",
    "directive",
    "else",
    "goto",
    "guardrail",
    "guideline",
    "guidelines",
    "halt",
    "important",
    "instruction",
    "instructions",
    "mandate",
    "must",
    "note",
    "phase",
    "principle",
    "requirement",
    "requirements",
    "rule",
    "rules",
    "stage",
    "step",
    "steps",
    "task",
    "warning",
    "workflow",
];
/// Elements that forbid what stands in them.
const FORBIDDING: &[&str] = &[
    "anti-pattern",
    "anti-patterns",
    "avoid",
    "do-not",
    "do_not",
    "dont",
    "forbidden",
    "must-not",
    "must_not",
    "never",
    "prohibited",
    "prohibition",
    "prohibitions",
];
/// Elements around samples, which stay as they are.
const SHOWING: &[&str] = &[
    "bad",
    "bad-example",
    "bad_example",
    "example",
    "examples",
    "good",
    "good-example",
    "good_example",
    "sample",
    "samples",
];

/// What an element does with what stands in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Says,
    Forbids,
    Shows,
}

fn kind_of(name: &str) -> Option<Kind> {
    let among = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    match () {
        () if among(SAYING) => Some(Kind::Says),
        () if among(FORBIDDING) => Some(Kind::Forbids),
        () if among(SHOWING) => Some(Kind::Shows),
        () => None,
    }
}

/// The tag of an element.
#[derive(Debug, Clone, Copy)]
struct Tag<'t> {
    name: &'t str,
    kind: Kind,
    closes: bool,
    /// `if`, `unless`, and what stands in it.
    case: Option<(&'static str, &'t str)>,
    /// Where `<goto step="3">` leads.
    step: Option<&'t str>,
    /// How long it is.
    len: usize,
}

/// The tag that a text begins with: no element of HTML, for those mark up, and none that closes itself.
fn tag_of(text: &str) -> Option<Tag<'_>> {
    let rest = text.strip_prefix('<')?;
    let closes = rest.starts_with('/');
    let named = rest.strip_prefix('/').unwrap_or(rest);
    let end = named.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))?;
    let name = &named[..end];
    let kind = kind_of(name)?;
    let behind = &named[end..];
    let mut quote = None;
    let close = behind.char_indices().take_while(|(at, _)| *at < LONGEST_TAG).find(|(_, c)| {
        match (quote, *c) {
            (None, '"' | '\'') => quote = Some(*c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        quote.is_none() && *c == '>'
    });
    let inside = &behind[..close?.0];
    let parted = inside.is_empty() || inside.starts_with(char::is_whitespace);
    if !parted || inside.ends_with('/') {
        return None;
    }
    let case = ["if", "when", "condition", "unless"].into_iter().find_map(|key| {
        let said = attribute(inside, key)?;
        Some((if key == "unless" { "Unless" } else { "If" }, said))
    });
    let otherwise = name.eq_ignore_ascii_case("else").then_some(("Otherwise", ""));
    let kind = match ["type", "kind", "level"].into_iter().find_map(|key| attribute(inside, key)) {
        Some(said) if kind_of(said) == Some(Kind::Forbids) => Kind::Forbids,
        _ => kind,
    };
    let step = attribute(inside, "step").filter(|_| name.eq_ignore_ascii_case("goto"));
    let len = text.len() - behind.len() + inside.len() + 1;
    Some(Tag { name, kind, closes, case: case.or(otherwise), step, len })
}

/// `if="the fog is thick"`: what stands in an attribute, where it says something.
fn attribute<'t>(inside: &'t str, key: &str) -> Option<&'t str> {
    let found = inside.match_indices(key).find_map(|(at, _)| {
        let before = inside[..at].ends_with(char::is_whitespace);
        let value = inside[at + key.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|quote| before && matches!(quote, '"' | '\''))?;
        value[1..].find(quote).map(|end| value[1..=end].trim())
    });
    found.filter(|said| !said.is_empty())
}

/// The blocks of the text from `start` on; none where no element in it says anything.
pub(super) fn read(text: &str, start: usize) -> Option<Vec<Block>> {
    if !text[start..].contains("</") {
        return None;
    }
    let rewritten = Rewriter::new(text, start).rewrite()?;
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

    /// Words that stand for what stands at `place`.
    fn add(&mut self, words: &str, place: usize) {
        self.text.push_str(words);
        self.places.extend(std::iter::repeat_n(place, words.len()));
    }

    /// An empty line.
    fn part(&mut self, place: usize) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.add(if self.text.ends_with('\n') { "\n" } else { "\n\n" }, place);
        }
    }
}

/// An element that is open.
#[derive(Debug)]
struct Open<'t> {
    name: &'t str,
    kind: Kind,
    case: Option<(&'static str, &'t str)>,
    /// How far the line of its tag is indented, or that of the last element in it.
    indent: usize,
    /// Where its tag begins, and its last byte.
    tag: (usize, usize),
}

struct Rewriter<'t> {
    whole: &'t str,
    start: usize,
    out: Rewritten,
    open: Vec<Open<'t>>,
    /// Where the last tag of each name that closes stands.
    closing: HashMap<String, usize>,
    /// How many cases stand in the lead-in of the list that is being written.
    led: Option<usize>,
    /// Whether the elements are the items under a line that leads them in: `Never do this:`.
    is_list: bool,
    /// Whether what the innermost element says is an item, which leads in the list that stands in the element.
    is_led: bool,
    /// Whether an element was taken apart.
    is_rewritten: bool,
}

impl<'t> Rewriter<'t> {
    fn new(whole: &'t str, start: usize) -> Self {
        let mut closing = HashMap::new();
        for (at, _) in whole[start..].match_indices("</") {
            if let Some(tag) = tag_of(&whole[start + at..]) {
                closing.insert(tag.name.to_ascii_lowercase(), start + at);
            }
        }
        Self {
            whole,
            start,
            out: Rewritten::default(),
            open: Vec::new(),
            closing,
            led: None,
            is_list: false,
            is_led: false,
            is_rewritten: false,
        }
    }

    fn rewrite(mut self) -> Option<Rewritten> {
        if self.closing.is_empty() {
            return None;
        }
        let mut fence: Option<&str> = None;
        let mut at = self.start;
        while at < self.whole.len() {
            let line = line_of(self.whole, at);
            let mark = parts::mark_of(line);
            let fenced = fence.is_some() || mark.is_some();
            fence = match (fence, mark) {
                (None, mark) => mark,
                (Some(open), Some(mark)) if parts::closes(line, open, mark) => None,
                (open, _) => open,
            };
            at = if fenced {
                self.out.copy(line, at);
                at + line.len()
            } else {
                self.line(at, line)
            };
        }
        self.is_rewritten.then_some(self.out)
    }

    /// Takes a line apart; where the next one begins.
    fn line(&mut self, start: usize, line: &'t str) -> usize {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let mut at = start + indent;
        let mut end = start + line.len();
        let mut is_first = true;
        loop {
            // A tag may run on over the end of its line.
            if at > end {
                end = at + line_of(self.whole, at).len();
            }
            let rest = &self.whole[at..end];
            if rest.trim().is_empty() {
                if is_first {
                    self.out.copy(line, start);
                }
                return at + rest.len();
            }
            let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            if !is_first && blank > 0 && tag_of(&self.whole[at + blank..]).is_some() {
                at += blank;
                continue;
            }
            match tag_of(&self.whole[at..]) {
                Some(tag) if tag.kind == Kind::Shows && !tag.closes && self.closes_later(tag, at) => {
                    return self.shown(tag, start, at);
                }
                Some(tag)
                    if tag.closes
                        && self.open.iter().any(|open| open.name.eq_ignore_ascii_case(tag.name)) =>
                {
                    self.close(tag, at);
                    at += tag.len;
                }
                Some(tag) if !tag.closes && self.closes_later(tag, at) => {
                    self.begin(tag, at, indent);
                    at += tag.len;
                }
                _ => {
                    let len = self.text(rest, at, if is_first { indent } else { 0 }, is_first);
                    at += len;
                    if len == rest.len() {
                        return at;
                    }
                }
            }
            is_first = false;
        }
    }

    fn closes_later(&self, tag: Tag<'_>, at: usize) -> bool {
        self.closing.get(&tag.name.to_ascii_lowercase()).is_some_and(|&last| last > at)
    }

    /// A sample stays as it is, to the end of the line that closes it.
    fn shown(&mut self, tag: Tag<'_>, start: usize, at: usize) -> usize {
        let close = format!("</{}>", tag.name);
        let end = self.whole[at..].find(&close).map_or(self.whole.len(), |found| at + found + close.len());
        let end = end + line_of(self.whole, end).len();
        self.out.copy(&self.whole[start..end], start);
        end
    }

    /// An element that opens.
    fn begin(&mut self, tag: Tag<'t>, at: usize, indent: usize) {
        self.is_rewritten = true;
        self.is_led = false;
        if let Some(outer) = self.open.last_mut() {
            outer.indent = indent;
        }
        self.is_list |= self.out.text.trim_end().ends_with(':') && self.out.text.len() > 1;
        self.out.part(at);
        if self.open.len() < DEEPEST {
            let place = (at, at + tag.len - 1);
            self.open.push(Open { name: tag.name, kind: tag.kind, case: tag.case, indent, tag: place });
        }
        if tag.case.is_some() {
            self.led = None;
        }
        if tag.name.eq_ignore_ascii_case("ask") {
            let end = at + tag.len - 1;
            self.statement(&self.whole[at + tag.len..], at);
            self.out.add("Ask", at);
            self.out.add(": ", end);
        }
        if let Some(step) = tag.step {
            let end = at + tag.len - 1;
            self.statement("", at);
            self.out.add(&format!("Go to step {step}"), at);
            self.out.add(": ", end);
        }
    }

    /// An element that closes.
    fn close(&mut self, tag: Tag<'_>, at: usize) {
        let known = self.open.iter().rposition(|open| open.name.eq_ignore_ascii_case(tag.name));
        let Some(known) = known else { return };
        let in_case = self.open[known..].iter().any(|open| open.case.is_some());
        self.open.truncate(known);
        self.is_led = false;
        let place = at.saturating_sub(1);
        self.out.part(place);
        if in_case {
            // What follows is no further item of the list under the case.
            self.out.add("<!-- --", at);
            self.out.add(">\n\n", at + tag.len - 1);
            self.led = None;
        }
    }

    /// Text up to the end of its line, or to the tag that ends it; how long it is.
    fn text(&mut self, rest: &'t str, at: usize, indent: usize, begins_line: bool) -> usize {
        let ends = |(found, _): (usize, &str)| {
            tag_of(&rest[found..])
                .filter(|tag| {
                    !tag.closes || self.open.iter().any(|open| open.name.eq_ignore_ascii_case(tag.name))
                })
                .filter(|tag| tag.closes || !self.open.is_empty() && self.closes_later(*tag, at + found))
                .map(|_| found)
        };
        let end = if self.open.is_empty() {
            None
        } else {
            rest.match_indices('<').skip_while(|(at, _)| *at == 0).find_map(ends)
        };
        let said = &rest[..end.unwrap_or(rest.len())];
        let trimmed = said.trim_end();
        let parted = self.out.text.is_empty() || self.out.text.ends_with("\n\n");
        let goes_on = !(parted || begins_line && is_item(said));
        let outer = self.open.last().map_or(0, |open| open.indent).min(indent);
        if begins_line && (goes_on || !self.binds() || is_item(said)) {
            // What stands in an element is indented as it is.
            let from = at - (indent - outer);
            self.lead(at, is_item(said));
            if self.is_led {
                self.out.add("  ", at);
            }
            self.out.copy(&self.whole[from..at], from);
        }
        if self.binds() && is_item(said) && begins_line {
            let marker = said.find(' ').map_or(0, |end| end + 1);
            self.out.copy(&said[..marker], at);
            self.forbid(&said[marker..], at + marker);
            self.out.copy(&said[marker..], at + marker);
        } else {
            self.is_list &= !(self.open.is_empty() && begins_line);
            if !goes_on {
                self.statement(said, at);
            }
            self.is_led |= !goes_on && end.is_none() && trimmed.ends_with(':') && self.writes_items();
            self.out.copy(if end.is_some() { trimmed } else { said }, at);
        }
        end.unwrap_or(rest.len())
    }

    /// Whether what stands here holds in a case, or is forbidden.
    fn binds(&self) -> bool {
        self.open.iter().any(|open| open.case.is_some() || open.kind == Kind::Forbids)
    }

    /// A statement begins: behind its cases, as an item of the list that they lead in.
    fn statement(&mut self, said: &str, place: usize) {
        if self.open.iter().any(|open| open.case.is_some()) {
            self.lead(place, true);
        }
        if self.writes_items() {
            self.out.add("- ", place);
        }
        self.forbid(said, place);
    }

    /// Whether what an element says is an item of the list under its cases, or under the line that leads the elements in.
    fn writes_items(&self) -> bool {
        self.open.iter().any(|open| open.case.is_some()) || self.is_list && !self.open.is_empty()
    }

    /// The lead-in of the cases that hold here, where it does not stand yet.
    fn lead(&mut self, place: usize, wanted: bool) {
        let cases: Vec<(&str, &str)> = self.open.iter().filter_map(|open| open.case).collect();
        if cases.is_empty() || !wanted || self.led == Some(cases.len()) {
            return;
        }
        self.out.part(place);
        let mut words = String::new();
        for (at, (key, said)) in cases.iter().enumerate() {
            let lower = said.to_lowercase();
            let opens = ["if ", "when ", "unless ", "while "].iter().any(|cue| lower.starts_with(cue));
            let key = if opens { "" } else { key };
            words.push_str(if at == 0 { "" } else { ", and " });
            words.push_str(&if at == 0 { key.to_owned() } else { key.to_lowercase() });
            words.push_str(if said.is_empty() || opens { "" } else { " " });
            words.push_str(&said.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        // The lead-in is what the innermost tag says.
        let tag =
            self.open.iter().rev().find(|open| open.case.is_some()).map_or((place, place), |open| open.tag);
        self.out.add(&words, tag.0);
        self.out.add(":\n\n", tag.1);
        self.led = Some(cases.len());
    }

    /// `NEVER:` in front of what an element forbids, unless that says so itself.
    fn forbid(&mut self, said: &str, place: usize) {
        const DENYING: &[&str] =
            &["never", "don't", "don’t", "do not", "no ", "not ", "avoid", "must not", "cannot"];
        let lower = said.trim_start().to_lowercase();
        let forbids = self.open.iter().any(|open| open.kind == Kind::Forbids);
        if forbids && !DENYING.iter().any(|cue| lower.starts_with(cue)) {
            self.out.add("NEVER: ", place);
        }
    }
}

/// The rest of the line, with its end.
fn line_of(whole: &str, at: usize) -> &str {
    let rest = &whole[at..];
    rest.find('\n').map_or(rest, |end| &rest[..=end])
}

/// Whether a line is an item of a list.
fn is_item(line: &str) -> bool {
    let digits = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || digits > 0 && (line[digits..].starts_with(". ") || line[digits..].starts_with(") "))
}

//! What of code, or of a text, stands in a line: all of it where it is short, else its outer lines, with what stands in their blocks
//! folded.

use super::judgement::judgement_behind;
use super::number::Numbered;

/// More bytes of code are folded, or left out.
const MOST_CODE: usize = 340;

/// More bytes of code that defines something are a sample.
const MOST_BUILT: usize = 160;

/// More bytes of a text are folded, or cut.
const MOST_TEXT: usize = 420;

/// Code in one line: its statements, each between backticks, and each for itself. None where it is too long even when folded, or
/// nothing but a frame then, and where remarks in it tell good from bad.
pub(crate) fn code(body: &str) -> Option<(String, Vec<String>)> {
    let lines: Vec<Line<'_>> = body.lines().filter_map(Line::of).collect();
    if lines.iter().any(|line| line.judges()) || body.lines().any(is_judged) {
        return None;
    }
    let told = lines.iter().filter(|line| !line.is_remark() && !line.is_unused(&lines));
    let told: Vec<Line<'_>> = told.copied().collect();
    let told = if told.iter().all(|line| line.is_import()) { lines } else { told };
    // What is built with functions is a sample of it, not what must be written. `class Deck {}` only bears what stands above it.
    let builds = |line: &Line<'_>| line.defines() && !line.text.ends_with("{}");
    if told.iter().any(builds) && (told.len() > 2 || size_of(&told) > MOST_BUILT) {
        return None;
    }
    let mut pieces: Vec<String> = split(&told).iter().map(Statement::whole).collect();
    if size(&pieces) > MOST_CODE {
        // What is brought in is named where it is used.
        let own: Vec<Line<'_>> = told.iter().filter(|line| !line.is_import()).copied().collect();
        pieces = split(&own).iter().map(Statement::whole).collect();
    }
    if size(&pieces) > MOST_CODE || pieces.is_empty() {
        pieces = folded(&told);
        // Only the frame is left.
        if pieces.len() < 2 {
            return None;
        }
    }
    if pieces.is_empty() || size(&pieces) > MOST_CODE {
        return None;
    }
    let text = pieces.iter().map(|piece| format!("`{piece}`")).collect::<Vec<_>>().join("; ");
    Some((text, pieces))
}

/// `// Berths` above `size: 4`, `// Ships` above `size: 9`: lines of data that only their remarks tell apart, each with its remark. None
/// where they have names of their own.
pub(crate) fn remarked(body: &str) -> Option<(String, Vec<String>)> {
    const MOST: usize = 12;
    let lines: Vec<Line<'_>> = body.lines().filter_map(Line::of).collect();
    let key = |line: &Line<'_>| line.text.split_once([':', '=']).map(|(key, _)| key.trim().to_owned());
    let keys: Vec<String> = lines.iter().filter(|line| !line.is_remark()).filter_map(key).collect();
    let repeats = keys.iter().enumerate().any(|(at, key)| keys[..at].contains(key));
    let judged = lines.iter().any(|line| line.judges() || line.defines() || line.depth > 0);
    let paired = lines.len() <= MOST
        && lines
            .chunks(2)
            .all(|pair| matches!(pair, [remark, data] if remark.is_remark() && !data.is_remark()));
    if !repeats || judged || !paired {
        return None;
    }
    let told = |pair: &[Line<'_>]| {
        let said = pair[0].text.trim_matches(|c: char| c.is_whitespace() || "/#*-<!>".contains(c));
        format!("{said}: `{}`", pair[1].text)
    };
    let text: Vec<String> = lines.chunks(2).map(told).collect();
    let pieces: Vec<String> = lines.chunks(2).map(|pair| pair[1].text.to_owned()).collect();
    (size(&text) <= MOST_CODE).then(|| (text.join("; "), pieces))
}

/// Whether all lines of code set something: `size: 4`, `size = 4`.
pub(crate) fn is_data(body: &str) -> bool {
    let sets = |line: &Line<'_>| {
        let parted = line.text.split_once([':', '=']);
        parted.is_some_and(|(key, value)| !key.contains(['(', '?']) && !value.contains(['(', '{']))
    };
    let mut lines = body.lines().filter_map(Line::of).filter(|line| !line.is_remark()).peekable();
    lines.peek().is_some() && lines.all(|line| sets(&line))
}

/// Whether code is one piece of data by this name: `const berths = {` under `Berths`.
pub(crate) fn declares(body: &str, name: &str) -> bool {
    const DECLARING: &[&str] = &["const ", "let ", "var ", "export const ", "static ", "$", "--"];
    let lines: Vec<Line<'_>> = body.lines().filter_map(Line::of).collect();
    let Some(first) = lines.iter().find(|line| !line.is_remark()) else { return false };
    let told = DECLARING.iter().find_map(|start| first.text.strip_prefix(start)).unwrap_or(first.text);
    let end = told.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(told.len());
    let bare = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let set = told[end..].trim_start().starts_with(['=', ':']);
    set && end > 2
        && bare(&told[..end]) == bare(name)
        && !lines.iter().any(|line| line.defines() && !line.text.starts_with("export const "))
}

/// A text in one line, and whether all that it asks for stands there: lists are left out of a long one.
pub(crate) fn text(body: &str) -> Option<(String, bool)> {
    let undrawn = |line: &'_ str| {
        line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '│' | '├' | '└' | '─')).len()
    };
    let lines = || {
        body.lines()
            .map(|line| line[line.len() - undrawn(line)..].trim_end())
            .filter(|line| line.contains(char::is_alphanumeric))
    };
    let whole: usize = lines().map(|line| line.len() + 3).sum();
    if whole <= MOST_TEXT {
        return (whole > 0).then(|| (lines().collect::<Vec<_>>().join(" / "), true));
    }
    let mut told = String::new();
    let mut leaves_out = false;
    let mut all = true;
    // A list alone is what is asked for.
    let folds = lines().filter(|line| !is_item(line)).count() > 1;
    for line in lines() {
        if folds && is_item(line) {
            leaves_out = true;
            // What a form asks for by name stands nowhere else.
            all &= !(line.contains("**") || line.starts_with("- ["));
            continue;
        }
        if told.len() + line.len() > MOST_TEXT {
            return (!told.is_empty()).then(|| (format!("{told} …"), false));
        }
        if !told.is_empty() {
            told.push_str(if std::mem::take(&mut leaves_out) { " … / " } else { " / " });
        }
        told.push_str(line);
    }
    if leaves_out {
        told.push_str(" …");
    }
    (!told.is_empty()).then_some((told, all))
}

/// `- bread`, `2. bread`, `| bread | 2 |`.
fn is_item(line: &str) -> bool {
    let marked = line.starts_with(['-', '*', '•', '+', '|', '✓', '✗']) && !line.starts_with("**");
    marked || Numbered::item(line).is_some()
}

fn size(pieces: &[String]) -> usize {
    pieces.iter().map(|piece| piece.len() + 4).sum()
}

fn size_of(lines: &[Line<'_>]) -> usize {
    lines.iter().map(|line| line.text.len()).sum()
}

/// `open(berth)` of `open(berth)  // waits`: on one line with others the remark would hide what follows it.
fn without_remark(line: &str) -> &str {
    let ends = |at: &usize| ["\"", "'", "`"].iter().all(|quote| line[..*at].matches(quote).count() % 2 == 0);
    let cut = ["  # ", " // "].iter().find_map(|mark| line.find(mark)).filter(ends);
    cut.filter(|&at| at > 0).map_or(line, |at| line[..at].trim_end())
}

/// `x.md  # Good`, `open(log) // ❌ no lock`: a remark behind a line judges it, and is read with it.
fn is_judged(line: &str) -> bool {
    let line = line.trim();
    let remark = line[without_remark(line).len()..].trim_start_matches(['#', '/', ' ']);
    remark.starts_with(['❌', '✅', '✗', '✓']) || judgement_behind(remark).is_some()
}

/// Whether each bracket that code opens is closed.
pub(crate) fn is_balanced<'c>(lines: impl Iterator<Item = &'c str>) -> bool {
    let (mut open, mut closed) = (0, 0);
    for c in lines.flat_map(str::chars) {
        open += usize::from(matches!(c, '(' | '[' | '{'));
        closed += usize::from(matches!(c, ')' | ']' | '}'));
    }
    open == closed
}

/// A line of code that is not blank.
#[derive(Debug, Clone, Copy)]
struct Line<'b> {
    depth: usize,
    text: &'b str,
}

impl<'b> Line<'b> {
    fn of(line: &'b str) -> Option<Self> {
        // `=====`, `-----` under a title are drawn.
        let drawn =
            |text: &str| text.len() > 3 && text.chars().all(|c| matches!(c, '=' | '-' | '_' | '~' | '*'));
        let text = without_remark(line.trim()).trim_end_matches(['\\', ' ']);
        (!text.is_empty() && !drawn(text))
            .then_some(Self { depth: line.len() - line.trim_start().len(), text })
    }

    fn is_remark(self) -> bool {
        ["//", "# ", "-- ", "/*", "*/", "* ", "<!--"].iter().any(|mark| self.text.starts_with(mark))
    }

    /// `// Bad`, `# WRONG: …`: the code under it is not simply to be written.
    fn judges(self) -> bool {
        const JUDGING: &[&str] =
            &["bad", "good", "wrong", "right", "correct", "incorrect", "before", "after", "better"];
        let said = self.text.trim_start_matches(|c: char| !c.is_alphanumeric());
        let word = said.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        self.text.contains('❌')
            || self.is_remark() && self.text.contains('✅')
            || self.is_remark() && JUDGING.iter().any(|judging| word.eq_ignore_ascii_case(judging))
    }

    fn is_import(self) -> bool {
        const IMPORTS: &[&str] = &["import ", "from ", "use ", "#include", "require("];
        IMPORTS.iter().any(|start| self.text.starts_with(start))
    }

    /// `function mend() {`, `class Berth:`, `it('mends', () => {`
    fn defines(self) -> bool {
        const DEFINING: &[&str] =
            &["function ", "class ", "def ", "fn ", "func ", "interface ", "export ", "async "];
        let opens = self.text.trim_start_matches("pub ");
        DEFINING.iter().any(|start| opens.starts_with(start))
            || self.text.contains("=> {")
            || self.text.contains("=> (")
    }

    /// `import x`, where nothing uses `x`: it only frames what is shown.
    fn is_unused(self, lines: &[Self]) -> bool {
        const KEYWORDS: &[&str] = &["import", "from", "use", "as", "type", "include", "require"];
        let brings = |word: &&str| !word.is_empty() && !KEYWORDS.contains(word);
        let names = || {
            let unquoted = self.text.split(['"', '\'']).step_by(2);
            unquoted.flat_map(|part| part.split(|c: char| !(c.is_alphanumeric() || c == '_'))).filter(brings)
        };
        let uses = |line: &Self| {
            let mut words = line.text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            words.any(|word| names().any(|name| name == word))
        };
        lines.len() > 1
            && self.is_import()
            && is_balanced(std::iter::once(self.text))
            && !lines.iter().any(|line| line.text != self.text && !line.is_import() && uses(line))
    }

    fn closes(self) -> bool {
        self.text.starts_with(['}', ')', ']']) || self.text.starts_with("</")
    }
}

/// A line at the margin, and what stands in its block.
#[derive(Debug)]
struct Statement<'l, 'b> {
    head: &'b str,
    block: &'l [Line<'b>],
    tail: Option<&'b str>,
}

impl Statement<'_, '_> {
    fn whole(&self) -> String {
        let block = self.block.iter().map(|line| line.text);
        std::iter::once(self.head).chain(block).chain(self.tail).collect::<Vec<_>>().join(" ")
    }

    fn folded(&self) -> String {
        const SHORT: usize = 60;
        let whole = self.whole();
        if self.block.is_empty() || whole.len() <= SHORT {
            return whole;
        }
        std::iter::once(self.head).chain(["…"]).chain(self.tail).collect::<Vec<_>>().join(" ")
    }
}

/// The statements of lines.
fn split<'l, 'b>(lines: &'l [Line<'b>]) -> Vec<Statement<'l, 'b>> {
    let margin = lines.iter().map(|line| line.depth).min().unwrap_or(0);
    let mut found: Vec<Statement<'l, 'b>> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let inner = lines[at + 1..].iter().take_while(|next| next.depth > margin).count();
        let end = at + 1 + inner;
        let tail = lines.get(end).filter(|next| next.closes()).map(|next| next.text);
        found.push(Statement { head: line.text, block: &lines[at + 1..end], tail });
        at = end + usize::from(tail.is_some());
    }
    found
}

/// The statements with their blocks folded; of data in one pair of brackets, those inside it.
fn folded(lines: &[Line<'_>]) -> Vec<String> {
    match &split(lines)[..] {
        [only] if matches!(only.head, "{" | "[") => folded(only.block),
        found => found.iter().map(Statement::folded).collect(),
    }
}

//! Commands of a fence, in groups: those that stand under one comment, and what that says of them.

use mentci_authority::Level;
use mentci_source::Span;

use super::command::banned_by;
use super::speech::judgement::verdict;

/// Commands under one comment.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) comment: Option<String>,
    /// The lines of that comment, each with its bytes.
    pub(super) lines: Vec<(String, Span)>,
    /// The bytes of that comment.
    pub(super) said: Span,
    pub(super) commands: Vec<String>,
    /// The text that stands in the last of them.
    pub(super) written: Vec<String>,
    /// Whether its commands stand in comments themselves.
    pub(super) is_commented: bool,
    pub(super) span: Option<Span>,
}

impl Group {
    /// Reaches over more bytes.
    pub(super) fn reach(&mut self, span: Span) {
        self.span = Some(self.span.map_or(span, |all| all.join(span)));
    }

    /// Takes a line of the text that the last command writes; one that is long is left to the file.
    pub(super) fn write(&mut self, line: &str, goes_on: bool) {
        const LONGEST: usize = 320;
        if goes_on {
            self.written.push(line.to_owned());
            return;
        }
        let lines = std::mem::take(&mut self.written);
        if let Some(last) =
            self.commands.last_mut().filter(|_| lines.iter().map(String::len).sum::<usize>() <= LONGEST)
        {
            last.extend(lines.iter().flat_map(|line| ["\n", line.as_str()]));
        }
    }

    /// Takes a command, or the next line of one that ended in a backslash.
    pub(super) fn take(&mut self, command: String, goes_on: bool) {
        match self.commands.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.truncate(last.trim_end_matches('\\').trim_end().len());
                last.push(' ');
                last.push_str(&command);
            }
            None => self.commands.push(command),
        }
    }

    /// Takes the next line of a loop or of a choice, and the line before it: they run as one.
    fn join(&mut self, line: &str, before: &str) -> bool {
        const OPEN: &[&str] = &["then", "do", "else", "{", "in", "|", "&&", "||", ";;"];
        let Some(last) = self.commands.last_mut() else { return false };
        let opens = before.rsplit(|c: char| c.is_whitespace() || c == ';').next();
        // `night)` of a choice between cases
        let case = before.ends_with(')') && !before.contains('(');
        let open = before.ends_with(";;") || case || opens.is_some_and(|end| OPEN.contains(&end));
        last.push_str(if open || line.starts_with(";;") { " " } else { "; " });
        last.push_str(line);
        true
    }

    /// What a comment that is no ban leaves to choose: `Try it out (optional)`, `Or moor by hand`, `Option 2: the tug`.
    pub(super) fn level(&self, otherwise: Level) -> Level {
        const OPENING: &[&str] = &["optional", "or ", "option "];
        let comment = self.comment.as_deref().unwrap_or_default();
        let lower = comment.to_lowercase();
        let optional = OPENING.iter().any(|cue| lower.starts_with(cue)) || lower.contains("(optional");
        let otherwise = match optional {
            true if lower.contains("(recommended") => Level::Should,
            true => Level::May,
            false => otherwise,
        };
        banned_by(comment).unwrap_or(otherwise)
    }

    pub(super) fn is_bad(&self) -> bool {
        let comment = self.comment.as_deref().unwrap_or("").to_lowercase();
        ["bad", "wrong", "❌", "incorrect"].iter().any(|mark| comment.starts_with(mark))
    }

    /// What its comment judges; a sentence of its own behind that says why.
    pub(super) fn verdict(&self) -> Option<(Level, String)> {
        let mut lines = self.lines.iter().map(|(line, _)| line.as_str());
        let first = lines.next()?.to_owned();
        let goes_on = lines.take_while(|line| !line.starts_with(char::is_uppercase));
        verdict(&goes_on.fold(first, |said, line| format!("{said} {line}")))
    }

    /// Its commands, each between backticks.
    pub(super) fn shown(&self) -> String {
        let shown = |command: &String| format!("`{}`", command.replace('\n', " / "));
        self.commands.iter().map(shown).collect::<Vec<_>>().join("; ")
    }

    /// The lines that are run, as they stand.
    pub(super) fn literals(&self) -> Vec<String> {
        self.commands.iter().filter_map(|command| command.lines().next()).map(str::to_owned).collect()
    }

    pub(super) fn is_sample(&self) -> bool {
        let comment = self.comment.as_deref().unwrap_or("").to_lowercase();
        ["bad", "good", "wrong", "right", "❌", "✅", "correct", "incorrect", "example"]
            .iter()
            .any(|mark| comment.starts_with(mark))
    }
}

/// Commands with the comment above them; a comment without one starts a group of its own.
pub(super) fn groups(body: &str, base: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let (mut goes_on, mut parted) = (false, false);
    let mut text_ends: Option<String> = None;
    let (mut at, mut ends, mut above) = (base, 0, "");
    for line in body.split_inclusive('\n') {
        let start = at - base;
        let span = Span::new(at + (line.len() - line.trim_start().len()), at + line.trim_end().len());
        at += line.len();
        let text = line.trim();
        if text.is_empty() {
            parted = true;
            continue;
        }
        let parted = std::mem::take(&mut parted);
        let before = std::mem::replace(&mut above, text);
        if let (Some(end), Some(group)) = (text_ends.take(), groups.last_mut()) {
            group.reach(span);
            text_ends = Some(end).filter(|end| text != end);
            group.write(text, text_ends.is_some());
            continue;
        }
        let comment = text
            .strip_prefix('#')
            .filter(|_| !goes_on)
            .map(|comment| comment.trim_start_matches('#').trim().to_owned());
        // `# → exit 0: it is clean` below a command tells what it prints.
        let printed = comment.as_ref().is_some_and(|comment| comment.starts_with(['→', '⇒']));
        if let Some(group) = groups.last_mut().filter(|_| printed) {
            group.reach(span);
            continue;
        }
        let opens = comment.as_ref().is_some_and(|comment| {
            groups.last().is_none_or(|group| {
                let goes_on = group.is_commented && is_command(comment);
                let another = parted && group.comment.is_some() || verdict(comment).is_some();
                !goes_on && (!group.commands.is_empty() || another)
            })
        });
        if opens || groups.is_empty() {
            groups.push(Group::default());
        }
        let Some(group) = groups.last_mut() else { continue };
        group.reach(span);
        match comment {
            Some(comment)
                if group.comment.as_ref().is_some_and(|lead| lead.ends_with(':')) && is_command(&comment) =>
            {
                group.is_commented = true;
                group.commands.push(command(&comment));
            }
            Some(comment) => {
                group.lines.push((comment.clone(), span));
                let joined =
                    group.comment.take().map_or(comment.clone(), |before| format!("{before} {comment}"));
                group.comment = Some(joined);
                group.said = if group.said.is_empty() { span } else { group.said.join(span) };
            }
            None if start < ends && !goes_on && group.join(text, before) => goes_on = text.ends_with('\\'),
            None => {
                if start >= ends {
                    ends = start + compound(&body[start..]).unwrap_or(0);
                }
                group.take(command(text), goes_on);
                goes_on = text.ends_with('\\');
                text_ends = here_document(text);
            }
        }
    }
    groups
}

/// `cd quay` in front of what is run there belongs to it.
pub(super) fn with_preparation(mut groups: Vec<Group>) -> Vec<Group> {
    const PREPARING: &[&str] = &["cd ", "source ", "export ", ". "];
    let prepares = |command: &String| PREPARING.iter().any(|start| command.starts_with(start));
    if let [first, next, ..] = &mut groups[..]
        && first.comment.is_none()
        && !next.commands.is_empty()
        && !next.is_sample()
        && first.commands.iter().all(prepares)
    {
        next.commands.splice(0..0, first.commands.drain(..));
        if let Some(span) = first.span {
            next.reach(span);
        }
        groups.remove(0);
    }
    groups
}

/// How many bytes a loop or a choice takes that opens with the first line: `while read -r f; do` as far as its `done`. Each comment in it
/// may say something of its own.
fn compound(body: &str) -> Option<usize> {
    const LONGEST: usize = 480;
    const OPENING: &[&str] = &["if", "while", "for", "until", "case", "select"];
    const CLOSING: &[&str] = &["fi", "done", "esac", "}"];
    let (mut depth, mut length) = (0_usize, 0);
    for line in body.split_inclusive('\n') {
        let words = || line.split(|c: char| c.is_whitespace() || c == ';').filter(|word| !word.is_empty());
        let first = words().next().unwrap_or_default();
        let closes = words().filter(|word| CLOSING.contains(word)).count();
        depth += usize::from(OPENING.contains(&first) || line.trim_end().ends_with("() {"));
        length += line.len();
        // A text that reaches over lines is no code.
        let quoted = ['\'', '"'].iter().any(|quote| line.matches(*quote).count() % 2 == 1);
        if first.starts_with('#') || depth == 0 || length > LONGEST || line.contains("<<") || quoted {
            return None;
        }
        depth = depth.saturating_sub(closes);
        if depth == 0 {
            return Some(length);
        }
    }
    None
}

/// `cat > file <<'EOF'`: the line that ends the text which follows.
fn here_document(line: &str) -> Option<String> {
    let (_, behind) = line.split_once("<<")?;
    let name = behind.trim_start_matches('-').trim_start().trim_start_matches(['\'', '"', '\\']);
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
    let opens = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    opens.then(|| name[..end].to_owned())
}

/// Whether a comment is a command that the one above it leads in: `git push origin HEAD`.
pub(super) fn is_command(comment: &str) -> bool {
    let mut words = comment.split_whitespace();
    let program = words.next().is_some_and(|word| {
        word.starts_with(|c: char| c.is_ascii_lowercase() || matches!(c, '.' | '/' | '$'))
    });
    program && words.next().is_some() && !comment.ends_with(['.', ':', ','])
}

/// A command without its prompt, and without the white space that puts its remark under the others.
fn command(line: &str) -> String {
    let line = line.strip_prefix("$ ").unwrap_or(line);
    match line.split_once("   ").filter(|(_, remark)| remark.trim_start().starts_with("# ")) {
        Some((command, remark)) => format!("{command} {}", remark.trim_start()),
        None => line.to_owned(),
    }
}

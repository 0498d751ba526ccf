//! Procedures boxed in a plain fence: cases with what is done in each (`IF it fails:`), and lines that a mark judges (`❌ Guess`). Their
//! lines are read as the paragraphs and lists that they draw.

use mentci_reader::markdown::{Block, BlockKind, RichText, Style};
use mentci_source::Span;

use super::draft::Book;
use super::fence::placed;
use super::sample::says;
use super::setting::{LeadIn, Setting};
use super::speech::lead::Lead;
use super::speech::number::Numbered;
use super::speech::stance::Stance;
use super::walk::walk;

/// Longer fences are pointed at.
const MOST: usize = 120;

/// Reads such a fence; false where it is none.
pub(crate) fn pseudocode(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let source = book.source.clone();
    let text = source.slice(body);
    if !text.lines().take(MOST).any(tells) {
        return false;
    }
    let lines: Vec<Line<'_>> = placed(text, body).filter_map(|(line, at)| Line::of(line, at)).collect();
    if lines.len() > MOST {
        return false;
    }
    let says = says(here)
        && !here.lead.as_ref().is_some_and(|lead| lead.lead == Lead::Condition && lead.draft.is_none());
    if says {
        return false;
    }
    // What `Keep this order:` leads in completes it.
    let free = here.lead.as_ref().is_none_or(|lead| lead.draft.is_none());
    let heads = lines.first().is_some_and(|first| first.leads)
        && lines.windows(2).any(|pair| pair[0].heads(&pair[1]))
        && lines.iter().any(Line::acts);
    if heads || lines.iter().any(|line| is_branch(line.text)) || free && is_procedure(&lines) && binds(here) {
        let mut inside = here.clone();
        if let Some(lead) = &here.lead {
            inside.under(lead);
        }
        walk(book, &blocks(&lines), &inside);
        return true;
    }
    if contrasts(&lines) && binds(here) {
        super::item::list(book, &list(&lines), here);
        return true;
    }
    false
}

/// Whether a line may make a fence a procedure.
fn tells(line: &str) -> bool {
    let line = line.trim();
    leads(line) || is_judged(line) || is_branch(line) || numbered(line).0.is_some()
}

/// Whether nothing above says that it only tells or shows.
fn binds(here: &Setting) -> bool {
    let led = match &here.lead {
        Some(LeadIn { lead: Lead::Stance(stance, _), .. }) => {
            matches!(stance, Stance::Neutral | Stance::Order)
        }
        Some(LeadIn { lead, .. }) => matches!(lead, Lead::Condition | Lead::Order(_)),
        None => true,
    };
    led && matches!(here.section, Stance::Neutral | Stance::Order | Stance::Advise)
}

/// `IF the build fails:`, `Before merging:`: a line that says when what stands under it is done.
fn opens_case(text: &str) -> bool {
    const OPENERS: &[&str] = &[
        "if",
        "when",
        "whenever",
        "before",
        "after",
        "for",
        "while",
        "unless",
        "until",
        "once",
        "during",
        "else",
        "otherwise",
        "on",
    ];
    if !text.ends_with(':') || !text.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    let first = text.find(|c: char| !c.is_ascii_alphabetic()).map_or("", |end| &text[..end]);
    let shows = ["For example", "For instance"].iter().any(|start| text.starts_with(start));
    OPENERS.iter().any(|opener| opener.eq_ignore_ascii_case(first)) && !shows
}

/// `DO:`, `NEVER:`: a line that says how what stands under it binds.
fn opens_force(text: &str) -> bool {
    const FORCES: &[&str] = &[
        "DO:",
        "DON'T:",
        "DO NOT:",
        "ALWAYS:",
        "NEVER:",
        "MUST:",
        "MUST NOT:",
        "AVOID:",
        "FORBIDDEN:",
        "REQUIRED:",
    ];
    FORCES.contains(&text)
}

fn leads(text: &str) -> bool {
    opens_case(text) || opens_force(text)
}

/// `IF it is stale → rebase it`, `WHEN it fails THEN stop`, `ELSE merge`: a case and what is done in it, in one line.
fn is_branch(text: &str) -> bool {
    const OPENERS: &[&str] =
        &["IF ", "WHEN ", "WHENEVER ", "UNLESS ", "ELSE IF ", "ONCE ", "AFTER ", "BEFORE "];
    const TURNS: &[&str] = &[" → ", " -> ", " => ", " THEN ", ", then ", ": "];
    OPENERS.iter().any(|opener| text.starts_with(opener)) && TURNS.iter().any(|turn| text.contains(turn))
}

/// `1. Read it`, `2. Test it`, `3. Ship it`: steps, nearly all of which order, and nothing else but what is nested in them. What is asked
/// beside them makes them a choice.
fn is_procedure(lines: &[Line<'_>]) -> bool {
    const LEAST: usize = 3;
    let depth = lines.iter().map(|line| line.depth).min().unwrap_or(0);
    let steps: Vec<&Line<'_>> = lines.iter().filter(|line| line.depth == depth).collect();
    let acts = |line: &&&Line<'_>| super::fence::orders(line.text);
    steps.len() >= LEAST
        && steps.iter().zip(1..).all(|(step, at)| step.number == Some(at))
        && !lines.iter().any(|line| line.text.ends_with('?') || is_code(line.text))
        && steps.iter().filter(acts).count() * 4 >= steps.len() * 3
}

/// `✅ …`, `❌ …`.
fn is_judged(text: &str) -> bool {
    is_good(text) || is_bad(text)
}

fn is_good(text: &str) -> bool {
    text.starts_with(['✅', '✓', '✔'])
}

fn is_bad(text: &str) -> bool {
    text.starts_with(['❌', '✗', '✘'])
}

/// Good lines and bad ones, and nothing else; one of them says what to do or to say: `✅ Read it → Answer`. What is printed
/// (`✅ Lint passed`) and code tell nothing.
fn contrasts(lines: &[Line<'_>]) -> bool {
    let acts = |line: &Line<'_>| {
        let said =
            line.text.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '"' | '“' | '['));
        said.starts_with(['"', '“', '[']) || said.contains('→') || super::fence::orders(said)
    };
    lines.iter().all(|line| is_judged(line.text) && !is_code(line.text) && line.text.contains(' '))
        && lines.iter().any(|line| is_good(line.text))
        && lines.iter().any(|line| is_bad(line.text))
        && lines.iter().any(|line| is_good(line.text) && acts(line))
}

/// Signs that prose has not.
fn is_code(text: &str) -> bool {
    text.ends_with(['{', ';', '}', '>'])
        || ["://", "()", " = ", "=>", "==", "</", "${"].iter().any(|sign| text.contains(sign))
        || ["good:", "bad:", "wrong:", "right:", "correct:", "incorrect:"]
            .iter()
            .any(|label| text.to_lowercase().contains(label))
}

/// A line without its bullet.
#[derive(Debug)]
struct Line<'t> {
    depth: usize,
    number: Option<u64>,
    bullet: bool,
    /// It ends in a colon and says when what stands under it is done.
    leads: bool,
    text: &'t str,
    start: usize,
}

impl<'t> Line<'t> {
    fn of(line: &'t str, start: usize) -> Option<Self> {
        let bare = line.trim_start_matches([' ', '\t', '│', '|', '║']);
        let depth = line.chars().count() - bare.chars().count();
        let bare = bare.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '│' | '|' | '║'));
        let (number, text) = numbered(bare);
        let unmarked =
            text.trim_start_matches(['-', '*', '•', '□', '☐', '→', '└', '├', '─', '>']).trim_start();
        let bullet = unmarked.len() < text.len() && unmarked.len() + 1 < text.len();
        let text = if bullet { unmarked } else { text };
        let worded = text.contains(char::is_alphanumeric);
        let start = start + (line.find(text).filter(|_| worded)?);
        let leads = number.is_none() && !bullet && leads(text);
        Some(Self { depth, number, bullet, leads, text, start })
    }

    fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    /// Whether another one stands under it: deeper, or numbered.
    fn heads(&self, next: &Self) -> bool {
        self.leads && (next.depth > self.depth || next.number.is_some() || next.bullet)
    }

    /// Whether it says what to do, or asks: `After the build:` with the names of files under it does neither.
    fn acts(&self) -> bool {
        let named = self.text.split_once(':').is_some_and(|(name, _)| {
            name.len() > 2 && name.chars().all(|c| c.is_ascii_uppercase() || c == ' ')
        });
        !self.leads && (named || self.text.ends_with('?') || super::fence::orders(self.text))
    }

    /// Its words; what stands in backticks is code.
    fn rich(&self) -> RichText {
        let mut rich = RichText::default();
        let mut at = self.start;
        let even = self.text.matches('`').count().is_multiple_of(2);
        for (place, piece) in self.text.split('`').enumerate() {
            let code = even && place % 2 == 1;
            let span = Span::new(at - usize::from(code), at + piece.len() + usize::from(code));
            if !piece.is_empty() {
                rich.push(piece, span, Style { code, ..Style::default() });
            }
            at += piece.len() + 1;
        }
        rich
    }

    fn paragraph(&self) -> Block {
        Block { text: self.rich(), ..Block::new(BlockKind::Paragraph, self.span()) }
    }
}

/// `3. Test it`, `Step 3: Test it`: the number and the rest.
fn numbered(text: &str) -> (Option<u64>, &str) {
    let step = Numbered::step(text).and_then(|step| Some((step.number.parse().ok()?, step.said)));
    step.map_or((None, text), |(number, said)| (Some(number), said))
}

/// Each case is a paragraph that leads in a list of what stands under it; other lines are paragraphs.
fn blocks(lines: &[Line<'_>]) -> Vec<Block> {
    let mut found = Vec::new();
    let mut rest = lines;
    while let Some((first, under)) = rest.split_first() {
        let marked = |line: &Line<'_>| line.number.is_some() || line.bullet;
        let inside = |line: &Line<'_>| line.depth > first.depth || marked(line) && line.depth == first.depth;
        let goes_on = first.leads || marked(first);
        let end = if goes_on { under.iter().position(|line| !inside(line)) } else { Some(0) };
        let end = end.unwrap_or(under.len());
        if marked(first) {
            found.push(list(&rest[..=end]));
        } else {
            found.push(first.paragraph());
            found.extend((end > 0).then(|| list(&under[..end])));
        }
        rest = &under[end..];
    }
    found
}

/// A list of these lines; those that stand deeper than the first are nested.
fn list(lines: &[Line<'_>]) -> Block {
    let mut items: Vec<Block> = Vec::new();
    let mut rest = lines;
    while let Some((first, under)) = rest.split_first() {
        let end = under.iter().position(|line| line.depth <= first.depth).unwrap_or(under.len());
        let (inner, behind) = under.split_at(end);
        let mut item = Block::new(BlockKind::Item { number: first.number, task: None }, first.span());
        item.children.push(first.paragraph());
        if !inner.is_empty() {
            let nested = list(inner);
            item.span = item.span.join(nested.span);
            item.children.push(nested);
        }
        items.push(item);
        rest = behind;
    }
    let span = items
        .iter()
        .fold(Span::default(), |all, item| if all.is_empty() { item.span } else { all.join(item.span) });
    let number = lines.first().and_then(|line| line.number);
    Block { children: items, ..Block::new(BlockKind::List(number), span) }
}

//! Tables as a whole: what all rows are together, whatever each says by itself.

use mentci_authority::Level;
use mentci_reader::markdown::Block;

use super::draft::Book;
use super::roster::is_worded;
use super::setting::{LeadIn, Setting};
use super::speech::cell::{is_code, orders};
use super::speech::column::Column;
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::WordKind;

/// `MUST | an absolute requirement` under `Keyword | Meaning`: how the words that bind are to be understood.
pub(super) fn defines_levels(rows: &[Block], names: &[String]) -> bool {
    const LEVELS: &[&str] = &[
        "must",
        "must not",
        "shall",
        "shall not",
        "should",
        "should not",
        "may",
        "required",
        "recommended",
        "optional",
    ];
    let level = |row: &Block| {
        let first = row.children.first().map(|cell| cell.text.as_str().trim().to_lowercase());
        first.is_some_and(|first| first.split(" / ").all(|word| LEVELS.contains(&word)))
    };
    let meaning = names.get(1).map(|name| name.to_lowercase());
    let told = meaning.is_some_and(|name| name.contains("mean") || name.contains("definition"));
    told && names.len() == 2 && rows.iter().all(level)
}

/// `Way | Time | Speedup` above `Steam | 6 ms | 20x`: what was measured.
pub(super) fn compares_runs(rows: &[Block], names: &[String], here: &Setting) -> bool {
    const MEASURED: &[&str] =
        &["time", "latency", "duration", "improvement", "speedup", "throughput", "speed", "ops/sec"];
    let measured = |at: usize| {
        names.get(at).is_some_and(|name| MEASURED.contains(&name.trim().to_lowercase().as_str()))
            && rows.iter().all(|row| {
                row.children.get(at).is_some_and(|cell| {
                    let text = cell.text.as_str();
                    text.contains(|c: char| c.is_ascii_digit())
                        || matches!(text.trim().to_lowercase().as_str(), "baseline" | "-" | "—")
                })
            })
    };
    let runs = (1..names.len()).filter(|&at| measured(at)).count();
    let free = here.lead.as_ref().is_none_or(|lead| lead.draft.is_none()) && here.section == Stance::Neutral;
    free && runs > 0
        && !rows.is_empty()
        && rows.iter().any(|row| row.children[1..].iter().any(|cell| cell.text.as_str().starts_with('~')))
        || free && runs > 1
}

/// What holds for all rows of a table or for none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Whole {
    /// `State | Menu | Cleanup`, where a row orders: each says what to do in its state.
    pub(super) by_state: bool,
    /// `Choose the menu by state:`: the norm that short rows complete, none of which orders by itself.
    pub(super) completes: Option<usize>,
}

impl Whole {
    pub(super) fn of(rows: &[Block], columns: &[Column], names: &[String], here: &Setting) -> Self {
        const STATES: &[&str] = &["state", "status", "severity", "outcome", "mode", "phase", "stage"];
        const LONGEST: usize = 160;
        let stated = names.first().is_some_and(|name| STATES.contains(&name.to_lowercase().as_str()));
        let led =
            here.lead.as_ref().filter(|lead| matches!(lead.lead, Lead::Order(Level::Must | Level::Should)));
        let led = led.and_then(|lead| lead.draft);
        let told = |at: usize| columns.get(at) == Some(&Column::Telling);
        let acts = |row: &Block| {
            let cells = row.children.iter().enumerate().skip(1);
            cells.filter(|(at, _)| !told(*at)).any(|(_, cell)| orders(&Prose::new(&cell.text)))
        };
        // `Card | Lift it`, `Link | Colour shift`: where nearly all rows order, the others do, too.
        let coded = |row: &&Block| row.children.first().is_some_and(|cell| is_code(&Prose::new(&cell.text)));
        let many = columns.len() == 2 && rows.len() > 3 && !rows.iter().any(|row| coded(&row));
        let most = many && rows.iter().filter(|row| acts(row)).count() * 4 >= rows.len() * 3;
        if !stated && !most && led.is_none() {
            return Self::default();
        }
        let acting = rows.iter().any(acts);
        let size = |row: &Block| row.children.iter().map(|cell| cell.text.as_str().len()).sum::<usize>();
        let short = rows.iter().all(|row| size(row) <= LONGEST);
        Self { by_state: stated && acting || most, completes: led.filter(|_| short && !acting) }
    }
}

/// `Type | Purpose` under `Commit types`: the words to choose from for what is made or judged, and what each stands for.
pub(super) fn is_vocabulary(book: &Book<'_>, rows: &[Block], names: &[String], here: &Setting) -> bool {
    const KINDS: &[&str] = &[
        "type", "prefix", "tag", "label", "category", "kind", "severity", "priority", "verdict", "rating",
        "level",
    ];
    const MEANINGS: &[&str] = &[
        "purpose",
        "meaning",
        "description",
        "definition",
        "criteria",
        "when",
        "when to use",
        "use when",
        "use",
        "use for",
        "used for",
        "for",
    ];
    const FEWEST: usize = 3;
    const LONGEST: usize = 3;
    let [kind, meaning] = names else { return false };
    let (kind, meaning) = (kind.to_lowercase(), meaning.to_lowercase());
    let last = kind.rsplit(' ').next().unwrap_or("");
    let short = |row: &Block| {
        row.children.first().is_some_and(|cell| cell.text.as_str().split_whitespace().count() <= LONGEST)
    };
    KINDS.contains(&last)
        && MEANINGS.contains(&meaning.as_str())
        && rows.len() >= FEWEST
        && rows.iter().all(short)
        && heads_words(book, &kind, here)
}

/// Whether a heading, a bare lead-in or the header names what is made or judged: `Commit types`, `Severity`.
fn heads_words(book: &Book<'_>, kind: &str, here: &Setting) -> bool {
    let made = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(is_worded);
    let above = match (&here.lead, here.heading) {
        (
            Some(LeadIn {
                lead: Lead::Stance(Stance::Neutral | Stance::Order, _), draft: None, text, ..
            }),
            _,
        ) => text.as_str(),
        (None, Some(heading)) => book.headings[heading].text.as_str(),
        _ => return false,
    };
    matches!(here.section, Stance::Neutral | Stance::Order) && (made(&above.to_lowercase()) || made(kind))
}

/// `Ship | Crew | Form`, whose last cells name files: which form is taken for which ship. `Module | Path` says where things stand.
pub(super) fn sends_by_kind(rows: &[Block], names: &[String], here: &Setting) -> bool {
    const SENT: &[&str] = &[
        "template",
        "asset",
        "reference",
        "guide",
        "playbook",
        "checklist",
        "protocol",
        "protocols",
        "load",
        "doc",
        "document",
    ];
    const FEWEST: usize = 2;
    let sends = names.len() > 1
        && names.last().is_some_and(|last| {
            last.to_lowercase().split_whitespace().any(|word| SENT.contains(&word.trim_end_matches('s')))
        });
    let file = |cell: &Block| {
        let prose = Prose::new(&cell.text);
        let linked =
            !cell.text.links().is_empty() && cell.text.links().iter().all(|(_, to)| !to.contains("://"));
        let code = matches!(&prose.words[..], [only] if only.kind == WordKind::Code);
        (code || linked) && cell.text.as_str().contains(['.', '/'])
    };
    let kind = |cell: &Block| !is_code(&Prose::new(&cell.text));
    let row = |row: &Block| {
        row.children.len() == names.len()
            && row.children.first().is_some_and(kind)
            && row.children.last().is_some_and(file)
    };
    sends
        && rows.len() >= FEWEST
        && matches!(here.section, Stance::Neutral | Stance::Order)
        && rows.iter().all(row)
}

/// `Tier | Shell | Write`, whose cells answer yes or no, where access is spoken of: what may be done in which case.
pub(super) fn grants_by_case(book: &Book<'_>, rows: &[Block], names: &[String], here: &Setting) -> bool {
    const CASES: &[&str] = &[
        "tier",
        "mode",
        "role",
        "level",
        "profile",
        "environment",
        "env",
        "phase",
        "stage",
        "zone",
        "agent",
        "trust",
        "sandbox",
        "user",
    ];
    const ACCESS: &[&str] = &[
        "access",
        "permission",
        "permissions",
        "governed",
        "security",
        "sandbox",
        "allowed",
        "restricted",
        "restrictions",
        "authority",
        "policy",
        "rights",
    ];
    const ANSWERS: &[&str] = &[
        "yes",
        "no",
        "✓",
        "✗",
        "✅",
        "❌",
        "allowed",
        "denied",
        "blocked",
        "ask",
        "never",
        "always",
        "—",
        "-",
        "n/a",
        "read-only",
        "full",
        "none",
    ];
    let case =
        names.first().is_some_and(|name| name.to_lowercase().split(' ').any(|word| CASES.contains(&word)));
    let answers = |row: &Block| {
        row.children.len() == names.len()
            && row
                .children
                .iter()
                .skip(1)
                .all(|cell| ANSWERS.contains(&cell.text.as_str().trim().to_lowercase().as_str()))
    };
    let above = || {
        let heading = here.heading.map(|heading| book.headings[heading].text.as_str());
        let lead = here.lead.as_ref().map(|lead| lead.text.as_str());
        heading
            .into_iter()
            .chain(lead)
            .any(|text| plain_in(&text.to_lowercase()).iter().any(|word| ACCESS.contains(word)))
    };
    case && names.len() > 1 && !rows.is_empty() && rows.iter().all(answers) && above()
}

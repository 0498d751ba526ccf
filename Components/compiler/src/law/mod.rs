//! Reading the law: one Markdown source -> norms, and all that is no norm.
//!
//! [`read_law`] walks the blocks, each section by itself; headings and lead-ins lend their force to what stands under them. Each
//! sentence is split into clauses where its force changes, each clause that orders is condensed into one line, and all else is passed over
//! with a reason.

mod again;
mod annotation;
mod banned;
mod bare_item;
mod boxes;
mod branched;
mod caption;
mod chain;
mod choice;
mod clause_case;
mod command;
mod command_group;
mod composed;
mod contrasted;
mod convention;
mod denial;
mod diagram;
mod done_with;
mod draft;
mod ellipsis;
mod fence;
mod flow;
mod flowchart;
mod follow;
mod forbidden;
mod forced_column;
mod forms;
mod grant;
mod guideline;
mod handed;
mod heading;
mod heading_case;
mod headline;
mod inquiry;
mod item;
mod item_case;
mod item_first;
mod item_words;
mod joined;
mod judged;
mod judged_list;
mod kinds;
mod language;
mod last_word;
mod lead_below;
mod lead_in;
mod leaders;
mod led;
mod limits;
mod line_remark;
mod lines;
mod list_order;
mod listed;
mod mapping;
mod mistake;
mod norm;
mod occasion;
mod ordered;
mod outline;
mod outputs;
mod paragraph;
mod parts;
mod praise;
mod procedure;
mod pronoun;
mod pseudocode;
mod quote;
mod quoted;
mod reference;
mod remark;
mod roster;
mod row;
mod run_below;
mod said_of_heading;
mod sample;
mod samples;
mod scale;
mod schema;
mod scope;
mod section;
mod sent_for;
mod setting;
mod shown_file;
mod specified;
mod speech;
mod standing;
mod stem;
mod steps;
mod table;
mod template;
mod together;
mod tool_lines;
mod topic;
mod tree;
mod trigger;
mod unfinished;
mod waiting;
mod walk;
mod whole_table;
mod wording;

use mentci_authority::{Norm, Omission, OmissionReason, Scope, SkillName};
use mentci_reader::markdown::{self, FrontMatter};
use mentci_source::{Code, Finding, Source, Span};

pub use again::SectionsRead;
use draft::Book;
use outline::Outline;
pub(crate) use remark::{Remark, read_remarks};
use section::Document;
pub(crate) use speech::judgement::says_no;
pub(crate) use speech::lexicon::{is_finite, is_nounish, is_verb, opens_condition};
pub(crate) use speech::reason::SAYING;
pub(crate) use speech::word::single_quotation;

/// What kind of law a source is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LawKind {
    /// `SKILL.md` of this skill.
    Skill(SkillName),
    /// `AGENTS.md`, `CLAUDE.md` and kin: holds for the whole workspace.
    Workspace,
}

impl LawKind {
    fn scope(&self) -> Scope {
        match self {
            Self::Skill(name) => Scope::Skill(name.clone()),
            Self::Workspace => Scope::Workspace,
        }
    }
}

/// What one source of law says. Every non-blank line of the source lies in the provenance of a norm or in `omitted`.
#[derive(Debug, Clone, PartialEq)]
pub struct LawReading {
    /// The source itself (path, text, hash).
    pub source: Source,
    /// Whose law it is.
    pub kind: LawKind,
    /// The norms in the order of the source. Two norms of one source never have the same id: a repeated norm is one norm
    /// with several spans.
    pub norms: Vec<Norm>,
    /// What is no norm, with its reason; ordered.
    pub omitted: Vec<Omission>,
    /// What was odd.
    pub findings: Vec<Finding>,
}

/// Reads one source of law. Never fails: odd input gives findings beside what could be read.
///
/// ```
/// use mentci_authority::{Level, SkillName};
/// use mentci_compiler::{LawKind, read_law};
/// use mentci_source::Source;
///
/// let source = Source::new("SKILL.md", "# X\n\n**Never:**\n- Skip the tests\n");
/// let law = read_law(&source, &LawKind::Skill(SkillName::parse("x").unwrap()));
/// assert_eq!(law.norms[0].text, "NEVER skip tests");
/// assert_eq!(law.norms[0].level, Level::MustNot);
/// ```
pub fn read_law(source: &Source, kind: &LawKind) -> LawReading {
    read_with(source, kind, |document| (document.read(), ())).0
}

/// Reads one source of law that was read `before`: it says the same as [`read_law`], sooner where little moved. The second value is for
/// the next time.
///
/// ```
/// use mentci_compiler::{LawKind, read_law, read_law_again};
/// use mentci_source::Source;
///
/// let before = Source::new("AGENTS.md", "# Law\n\n## Git\n\nNever force push.\n\n## Tests\n\nAlways run them.\n");
/// let (_, sections) = read_law_again(&before, &LawKind::Workspace, None);
/// let after = Source::new("AGENTS.md", &before.text().replace("run", "repeat"));
/// let (law, sections) = read_law_again(&after, &LawKind::Workspace, Some(&sections));
/// assert_eq!(law, read_law(&after, &LawKind::Workspace));
/// assert_eq!(sections.taken_over(), 1);
/// ```
pub fn read_law_again(
    source: &Source,
    kind: &LawKind,
    before: Option<&SectionsRead>,
) -> (LawReading, SectionsRead) {
    read_with(source, kind, |document| SectionsRead::read(document, before))
}

/// The second value is what `read` gives beside the book.
fn read_with<T>(
    source: &Source,
    kind: &LawKind,
    read: impl for<'d> FnOnce(Document<'d>) -> (Book<'d>, T),
) -> (LawReading, T) {
    let reading = markdown::read(source);
    let mut findings = reading.findings;
    if source.text().trim().is_empty() {
        findings.push(
            Finding::new(Code::EMPTY_FILE, "the file is empty")
                .help("write the law, or delete the file")
                .in_file(source.path()),
        );
    }
    findings.extend(far_too_long(source));
    let blocks = &reading.value.blocks;
    let outline = Outline::of(blocks);
    let (mut book, beside) = read(Document { source, outline: &outline, blocks });
    match &reading.value.front_matter {
        Some(front) => read_front_matter(&mut book, front, kind, &mut findings),
        None if matches!(kind, LawKind::Skill(_)) && !source.text().trim().is_empty() => findings.push(
            Finding::new(Code::NO_FRONT_MATTER, "this skill has no front matter")
                .help("start the file with `---`, `name: …`, `description: …`, `---`")
                .at(source, Span::at(0)),
        ),
        None => {}
    }
    findings.extend(language::foreign(source, blocks));
    let (norms, omitted) = book.close(&kind.scope());
    speech::prose::end_source();
    let law = LawReading { source: source.clone(), kind: kind.clone(), norms, omitted, findings };
    (law, beside)
}

/// How many bytes of law in one file are told as too many: of a thousand public skills the longest has a twenty-fifth of them.
const LONG_LAW: usize = 1 << 20;

fn far_too_long(source: &Source) -> Option<Finding> {
    let bytes = source.text().len();
    (bytes > LONG_LAW).then(|| {
        Finding::new(Code::LONG_LAW, format!("this law is {} MiB long", bytes >> 20))
            .help("split it, or take out what is data: law that long cannot be followed, and each compile reads it whole")
            .in_file(source.path())
    })
}

/// Keys of front matter that some harness or registry knows.
const FRONT_MATTER_KEYS: &[&str] = &[
    "name",
    "description",
    "license",
    "metadata",
    "version",
    "author",
    "allowed-tools",
    "tags",
    "targets",
    "model",
    "globs",
    "alwaysApply",
    "compatibility",
    "disable-model-invocation",
    "user-invocable",
    "argument-hint",
    "paths",
    "trigger",
    "category",
    "when_to_use",
    "tools",
    "mode",
    "context",
    "agent",
    "hooks",
    "root",
];

fn read_front_matter(book: &mut Book<'_>, front: &FrontMatter, kind: &LawKind, findings: &mut Vec<Finding>) {
    book.omit(front.span, OmissionReason::FrontMatter);
    if !matches!(kind, LawKind::Skill(_)) {
        return;
    }
    for entry in &front.entries {
        if let (LawKind::Skill(skill), "name") = (kind, entry.key.as_str())
            && !entry.value.trim().is_empty()
            && SkillName::parse(entry.value.trim()).is_err()
        {
            findings.push(
                Finding::new(
                    Code::SKILL_NAME_ODD,
                    format!("the front matter names this skill `{}`", entry.value.trim()),
                )
                .help(format!("its folder names it `{skill}`, and that is the name which is used"))
                .at(book.source, entry.span),
            );
        }
        if !FRONT_MATTER_KEYS.contains(&entry.key.as_str()) {
            let mut finding = Finding::new(
                Code::UNKNOWN_FRONT_MATTER_KEY,
                format!("unknown front matter key `{}`", entry.key),
            )
            .at(book.source, entry.span);
            if let Some(near) = mentci_source::did_you_mean(&entry.key, FRONT_MATTER_KEYS.iter().copied()) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            findings.push(finding);
        }
    }
}

//! Emit: lines into sections, sections into the text that a model is shown.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::EntryKind;
use mentci_source::Hash;

use crate::line::{Class, Line};

/// Which section a line stands in; the most binding first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Said outright: must and must-not.
    Must,
    /// Imperative mood: must and must-not.
    Do,
    /// The steps of one procedure, in order. Where it starts, and its heading.
    Procedure(usize, String),
    /// Should and should-not.
    Should,
    /// May.
    May,
    /// Lessons that stand for themselves.
    CaseLaw,
    /// Schema types.
    Schema,
    /// Facts of the Cargo workspace.
    Workspace,
}

impl Group {
    /// The section of a line that is no step, or the only step of its procedure.
    pub(crate) fn of(line: &Line) -> Self {
        match (line.kind, line.class) {
            (EntryKind::Case, _) => Self::CaseLaw,
            (EntryKind::Schema, _) => Self::Schema,
            (EntryKind::Workspace, _) => Self::Workspace,
            (_, Class::Explicit) => Self::Must,
            (_, Class::Implied) => Self::Do,
            (_, Class::Permission) => Self::May,
            _ => Self::Should,
        }
    }

    /// Its place among the kinds of sections.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Must => 0,
            Self::Do => 1,
            Self::Procedure(..) => 2,
            Self::Should => 3,
            Self::May => 4,
            Self::CaseLaw => 5,
            Self::Schema => 6,
            Self::Workspace => 7,
        }
    }

    /// A line as it stands under its heading, which says the name of the procedure already: `Draw it` of `Making a chart: Draw it`.
    pub(crate) fn without_name<'t>(&self, line: &'t str) -> &'t str {
        let Self::Procedure(_, name) = self else { return line };
        let rest = line.strip_prefix(procedure_name(name)).and_then(|rest| rest.strip_prefix(": "));
        rest.unwrap_or(line)
    }

    /// Its heading, without marks.
    pub(crate) fn heading(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Must => "Must",
            Self::Do => "Do",
            Self::Procedure(_, name) => return format!("{}, in order", procedure_name(name)).into(),
            Self::Should => "Should",
            Self::May => "May",
            Self::CaseLaw => "Case law",
            Self::Schema => "Schema",
            Self::Workspace => "Workspace",
        })
    }
}

/// The name of a procedure; one that stands under no heading is its steps.
pub(crate) fn procedure_name(heading: &str) -> &str {
    match heading.trim_end_matches([':', '.', ',', ' ']) {
        "" => "Steps",
        name => name,
    }
}

/// The section of each line, in the lines' order. A procedure is at least two steps under one heading.
pub(crate) fn groups(lines: &[Line]) -> Vec<Group> {
    let mut procedures: BTreeMap<&str, (usize, BTreeSet<u32>)> = BTreeMap::new();
    for (index, line) in lines.iter().enumerate() {
        if let Some(step) = &line.step {
            let (_, numbers) = procedures.entry(&step.procedure).or_insert_with(|| (index, BTreeSet::new()));
            numbers.insert(step.number);
        }
    }
    let group = |line: &Line| {
        let step = line.step.as_ref()?;
        let (first, numbers) = procedures.get(step.procedure.as_str())?;
        (numbers.len() > 1).then(|| Group::Procedure(*first, step.procedure.clone()))
    };
    lines.iter().map(|line| group(line).unwrap_or_else(|| Group::of(line))).collect()
}

/// A section: its heading and its lines, with their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) heading: Cow<'static, str>,
    pub(crate) lines: Vec<String>,
}

/// The text of a digest, ending with a line break, and the hash of what stands under its first line. `title` makes the
/// first line from the hash's 12 digits.
pub(crate) fn write_body(
    title: impl FnOnce(&str) -> String,
    sections: &[Section],
    last: &str,
) -> (String, Hash) {
    let mut rest = String::new();
    for section in sections {
        rest.push_str("## ");
        rest.push_str(&section.heading);
        rest.push('\n');
        for line in &section.lines {
            rest.push_str(line);
            rest.push('\n');
        }
    }
    if !last.is_empty() {
        rest.push_str(last);
        rest.push('\n');
    }
    let hash = hash_below(&rest);
    // A thousand digests are kept in memory, without room to grow.
    ([title(&hash.short(12)).as_str(), "\n", &rest].concat(), hash)
}

/// Names a digest by what stands under its title.
pub(crate) fn hash_below(rest: &str) -> Hash {
    Hash::of("mentci digest body 1", [rest.as_bytes()])
}

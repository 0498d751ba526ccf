//! One rule on its way into a digest.

use mentci_authority::{
    DigestLine, EntryKind, Force, LessonId, Level, NormId, Provenance, RuleNo, SourceSpan, Step,
};

/// How binding a line is: the first is admitted first and moves out last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    /// Must and must-not that are said outright.
    Explicit,
    /// Must and must-not in imperative mood, or from a heading.
    Implied,
    /// A lesson that a person accepted.
    Accepted,
    /// Should and should-not.
    Advice,
    /// A lesson that no person has accepted.
    Unreviewed,
    /// What the workspace is.
    Fact,
    /// May.
    Permission,
}

impl Class {
    /// All, the most binding first.
    pub(crate) const ALL: [Self; 7] = [
        Self::Explicit,
        Self::Implied,
        Self::Accepted,
        Self::Advice,
        Self::Unreviewed,
        Self::Fact,
        Self::Permission,
    ];

    /// Its place among all.
    pub(crate) fn rank(self) -> usize {
        self as usize
    }

    /// The class of a norm.
    pub(crate) fn of(level: Level, force: Force) -> Self {
        match (level, force) {
            (Level::Must | Level::MustNot, Force::Explicit) => Self::Explicit,
            (Level::Must | Level::MustNot, Force::Implied) => Self::Implied,
            (Level::Should | Level::ShouldNot, _) => Self::Advice,
            (Level::May, _) => Self::Permission,
        }
    }
}

/// A lesson that stands on a norm's line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exception {
    /// `structural_edit fails on module include macros: use text edit`.
    pub(crate) text: String,
    /// Whether a person accepted it.
    pub(crate) is_reviewed: bool,
    /// The lesson, and those that were merged into it.
    pub(crate) lessons: Vec<LessonId>,
    /// Where it stands.
    pub(crate) spans: Vec<SourceSpan>,
}

/// A norm, lesson or fact with its number, its exceptions and its places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) rule: RuleNo,
    pub(crate) norm: NormId,
    pub(crate) kind: EntryKind,
    pub(crate) level: Option<Level>,
    pub(crate) class: Class,
    /// One line, without exceptions that lessons add.
    pub(crate) text: String,
    /// A still shorter form.
    pub(crate) terse: Option<String>,
    pub(crate) exceptions: Vec<Exception>,
    pub(crate) section: String,
    pub(crate) step: Option<Step>,
    /// What it is about, without polarity: see [`subject_key`](crate::words::subject_key).
    pub(crate) subject: u64,
    pub(crate) provenance: Provenance,
}

/// How much of a line is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Detail {
    /// The shorter form, where there is one.
    Terse,
    /// The whole line.
    Full,
}

impl Line {
    /// The digest's line without its number: `text. EXCEPT condition: resolution.`, and a mark behind each lesson that no
    /// person has accepted. Of those, only the first `unreviewed` are shown.
    pub(crate) fn render(&self, detail: Detail, unreviewed: usize) -> String {
        let mut out = String::new();
        self.render_into(&mut out, detail, unreviewed);
        out
    }

    /// As [`render`](Self::render), behind what stands in `out`.
    pub(crate) fn render_into(&self, out: &mut String, detail: Detail, unreviewed: usize) {
        out.push_str(match (detail, &self.terse) {
            (Detail::Terse, Some(terse)) => terse,
            _ => &self.text,
        });
        for exception in self.shown(unreviewed) {
            close_sentence(out);
            out.push_str(" EXCEPT ");
            out.push_str(&exception.text);
            close_sentence(out);
            mark(out, exception.is_reviewed);
        }
        if self.kind == EntryKind::Case {
            mark(out, self.class != Class::Unreviewed);
        }
    }

    /// The exceptions that are shown when at most `unreviewed` unreviewed ones may be.
    pub(crate) fn shown(&self, unreviewed: usize) -> impl Iterator<Item = &Exception> {
        let mut left = unreviewed;
        self.exceptions.iter().filter(move |exception| {
            let room = exception.is_reviewed || left > 0;
            left = left.saturating_sub(usize::from(!exception.is_reviewed));
            room
        })
    }

    /// The line as a digest keeps it.
    pub(crate) fn digest_line(&self, detail: Detail, unreviewed: usize) -> DigestLine {
        let mut provenance = self.provenance.clone();
        let mut kind = self.kind;
        for exception in self.shown(unreviewed) {
            kind = EntryKind::Exception;
            provenance.spans.extend(exception.spans.iter().cloned());
            provenance.lessons.extend(exception.lessons.iter().cloned());
        }
        DigestLine {
            rule: Some(self.rule.clone()),
            norm: Some(self.norm.clone()),
            kind,
            level: self.level,
            text: self.render(detail, unreviewed),
            provenance,
        }
    }

    /// Every place that the line rests on, its exceptions' too.
    pub(crate) fn spans(&self) -> impl Iterator<Item = &SourceSpan> {
        self.provenance.spans.iter().chain(self.exceptions.iter().flat_map(|exception| &exception.spans))
    }

    /// Whether it binds absolutely.
    pub(crate) fn is_binding(&self) -> bool {
        self.level.is_some_and(Level::is_binding)
    }
}

/// Ends a sentence with a period, unless it ends with a mark already.
fn close_sentence(text: &mut String) {
    if !text.ends_with(['.', '!', '?', ':']) {
        text.push('.');
    }
}

fn mark(text: &mut String, is_reviewed: bool) {
    if !is_reviewed {
        text.push_str(" (unreviewed)");
    }
}

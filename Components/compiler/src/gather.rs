//! Gather: the norms of a skill's law, each once, in the order of the law.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{Norm, NormId, Omission, SourceSpan};
use mentci_source::{Code, Finding, Source};

use crate::LawReading;
use crate::case::at_first;
use crate::conflict::{Claim, claims, conflicts};
use crate::line::Class;
use crate::words::{Polarity, Tokens};

/// A norm of the law, with all its places.
#[derive(Debug, Clone)]
pub(crate) struct Gathered<'a> {
    pub(crate) norm: &'a Norm,
    /// The source of its first place.
    pub(crate) source: &'a Source,
    pub(crate) spans: Vec<SourceSpan>,
    /// What it is about, without polarity.
    pub(crate) subject: u64,
    /// What it claims, of that and of other things.
    pub(crate) claims: Vec<Claim>,
}

/// The law of a skill, or of the workspace.
#[derive(Debug, Default)]
pub(crate) struct Gathering<'a> {
    pub(crate) norms: Vec<Gathered<'a>>,
    pub(crate) omitted: Vec<Omission>,
    pub(crate) findings: Vec<Finding>,
}

/// Gathers the norms of several readings, in the order of their paths. Norms that say the same are one norm with
/// several places; norms that contradict each other both stand, with a finding.
pub(crate) fn gather(law: &[Arc<LawReading>]) -> Gathering<'_> {
    let mut readings: Vec<&LawReading> = law.iter().map(Arc::as_ref).collect();
    readings.sort_by(|a, b| a.source.path().cmp(b.source.path()));
    let mut gathering = Gathering::default();
    let mut by_id: BTreeMap<&NormId, usize> = BTreeMap::new();
    let mut by_sense: BTreeMap<Sense, usize> = BTreeMap::new();
    for reading in readings {
        gathering.omitted.extend(reading.omitted.iter().cloned());
        for norm in &reading.norms {
            let words = Tokens::of(&norm.text);
            let sense = Sense::of(norm, &words);
            let known = by_id.get(&norm.id).or_else(|| by_sense.get(&sense)).copied();
            if let Some(index) = known {
                gathering.merge(index, norm);
                continue;
            }
            by_id.insert(&norm.id, gathering.norms.len());
            let (source, spans, subject) = (&reading.source, norm.provenance.spans.clone(), sense.subject);
            let claims = claims(norm, &words, subject, sense.polarity);
            gathering.norms.push(Gathered { norm, source, spans, subject, claims });
            by_sense.insert(sense, gathering.norms.len() - 1);
        }
    }
    gathering.find_conflicts();
    gathering
}

impl Gathering<'_> {
    fn merge(&mut self, index: usize, norm: &Norm) {
        let kept = &mut self.norms[index];
        for span in &norm.provenance.spans {
            if !kept.spans.contains(span) {
                kept.spans.push(span.clone());
            }
        }
    }

    /// Norms that contradict each other both stand, and are told.
    fn find_conflicts(&mut self) {
        for (earlier, later) in conflicts(&self.norms) {
            let (earlier, later) = (&self.norms[earlier], &self.norms[later]);
            let texts = (earlier.norm.text.as_str(), later.norm.text.as_str());
            self.findings.push(conflict(texts, &earlier.spans, &later.spans));
        }
    }
}

/// The finding for two norms that contradict each other.
pub(crate) fn conflict(texts: (&str, &str), one: &[SourceSpan], other: &[SourceSpan]) -> Finding {
    let message = format!("`{}` contradicts `{}`", texts.1, texts.0);
    let there = one
        .first()
        .map_or_else(String::new, |span| format!("the other stands at {}:{}; ", span.path, span.start_line));
    at_first(Finding::new(Code::CONFLICT, message).help(format!("{there}decide which one holds")), other)
}

/// What two norms must share to be one: subject, level, polarity, literals, and which step they are.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Sense {
    subject: u64,
    class: Class,
    polarity: Polarity,
    literals: Vec<String>,
    step: Option<(String, u32)>,
}

impl Sense {
    fn of(norm: &Norm, words: &Tokens<'_>) -> Self {
        let mut literals = norm.literals.clone();
        literals.sort();
        literals.dedup();
        Self {
            subject: words.subject(&norm.literals),
            class: Class::of(norm.level, norm.force),
            polarity: words.polarity(norm.level),
            literals,
            step: norm.step.as_ref().map(|step| (step.procedure.clone(), step.number)),
        }
    }
}

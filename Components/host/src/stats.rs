//! Tokens in and out, by skill and section.

use std::collections::BTreeMap;

use mentci_authority::{CoverageMap, OmissionReason, SourceSpan};
use mentci_compiler::SkillCompiled;

use mentci_tokens::{Tokenizer, o200k};

use crate::answer::{SectionStats, SkillStats, StatsAnswer};
use crate::snapshot::Snapshot;

impl Snapshot {
    pub(crate) fn stats(&self) -> StatsAnswer {
        let skills: Vec<SkillStats> = self.skills.iter().map(|skill| self.stats_of(skill)).collect();
        let tokens_in = skills.iter().map(|skill| skill.tokens_in).sum();
        let tokens_out = skills.iter().map(|skill| skill.tokens_out).sum();
        StatsAnswer {
            tokens_in,
            tokens_out,
            ratio: ratio(tokens_out, tokens_in),
            workspace_tokens: self.workspace.as_ref().map_or(0, |workspace| workspace.tokens),
            budget: self.budget,
            skills,
        }
    }

    fn stats_of(&self, skill: &SkillCompiled) -> SkillStats {
        let tokens_in = self.sources_of(&skill.name).map(|source| o200k().count(source.text())).sum();
        let tokens_out = skill.tokens();
        let map = skill.map();
        SkillStats {
            skill: skill.name.to_string(),
            tokens_in,
            tokens_out,
            ratio: ratio(tokens_out, tokens_in),
            rules: map.entries.iter().filter(|entry| entry.rule.is_some()).count(),
            sections: self.sections(&map),
        }
    }

    /// The law's sections in the order of their first mention, then what was left out, by reason.
    fn sections(&self, map: &CoverageMap) -> Vec<SectionStats> {
        let mut order: Vec<String> = Vec::new();
        let mut sums: BTreeMap<String, SectionStats> = BTreeMap::new();
        let mut add = |section: String, tokens_in: usize, tokens_out: usize, rules: usize| {
            let sum = sums.entry(section.clone()).or_insert_with(|| {
                order.push(section.clone());
                SectionStats { section, tokens_in: 0, tokens_out: 0, rules: 0 }
            });
            sum.tokens_in += tokens_in;
            sum.tokens_out += tokens_out;
            sum.rules += rules;
        };
        let mut entries: Vec<_> = map.entries.iter().collect();
        entries.sort_by_key(|entry| entry.spans.first().map(|span| (span.path.clone(), span.start_line)));
        for entry in entries {
            let section =
                entry.spans.first().map_or_else(|| "(pointers)".to_owned(), |span| self.heading(span));
            let tokens_in = entry.spans.iter().map(|span| self.tokens_at(span)).sum();
            add(section, tokens_in, o200k().count(&entry.text), usize::from(entry.rule.is_some()));
        }
        for omission in &map.omitted {
            add(format!("({})", name_of(omission.reason)), self.tokens_at(&omission.span), 0, 0);
        }
        order.into_iter().filter_map(|section| sums.remove(&section)).collect()
    }

    fn tokens_at(&self, span: &SourceSpan) -> usize {
        self.source(&span.path).map_or(0, |source| o200k().count(source.slice(span.span)))
    }

    /// The nearest Markdown heading above a place; lessons stand under their file's name.
    fn heading(&self, span: &SourceSpan) -> String {
        let file = || span.path.rsplit('/').next().unwrap_or_default().to_owned();
        if !span.path.ends_with(".md") {
            return format!("({})", file());
        }
        let Some(source) = self.source(&span.path) else { return file() };
        let line = |number: u32| source.slice(source.span_of_line(number));
        let above = (1..=span.start_line).rev().find(|&number| is_heading(line(number)));
        above.map_or_else(
            || "(before the first heading)".to_owned(),
            |number| line(number).trim_start_matches('#').trim().to_owned(),
        )
    }
}

fn is_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|&byte| byte == b'#').count();
    (1..=6).contains(&level) && line[level..].starts_with(' ')
}

fn name_of(reason: OmissionReason) -> String {
    serde_json::to_value(reason)
        .ok()
        .and_then(|value| value.as_str().map(|name| name.replace('_', " ")))
        .unwrap_or_default()
}

fn ratio(out: usize, of: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "token counts lie far below 2^53")]
    let ratio = if of == 0 { 0.0 } else { out as f64 / of as f64 };
    (ratio * 1_000.0).round() / 1_000.0
}

//! How much of the sources the maps account for.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{CoverageMap, SourceSpan};
use mentci_compiler::verify_coverage;
use mentci_source::{Code, Finding, Source};

use crate::answer::{CoverageAnswer, CoverageRow};
use crate::snapshot::Snapshot;
use crate::{Outcome, Response};

impl Snapshot {
    pub(crate) fn coverage(&self, skill: Option<&str>) -> Response {
        let mut maps: Vec<CoverageMap> = Vec::new();
        match skill.map(|name| self.skill(name)) {
            Some(Ok(skill)) => maps.push(skill.map()),
            Some(Err(finding)) => return Response::bad([finding]),
            None => {
                maps.extend(self.skills.iter().map(|skill| skill.map()));
                maps.extend(self.workspace.iter().map(|workspace| workspace.map()));
            }
        }
        let mut rows: BTreeMap<String, CoverageRow> = BTreeMap::new();
        for map in &maps {
            for row in self.rows(map) {
                rows.entry(row.path.to_string()).or_insert(row);
            }
        }
        let sources: Vec<CoverageRow> = rows.into_values().collect();
        let gaps: Vec<Finding> = sources.iter().flat_map(gap_findings).collect();
        let lines = sources.iter().map(|row| row.lines).sum();
        let covered = sources.iter().map(|row| row.lines - row.gaps.len().min(row.lines)).sum();
        let outcome = if gaps.is_empty() { Outcome::Ok } else { Outcome::Findings };
        Response::ok(CoverageAnswer { lines, covered, sources }).with(gaps).at_least(outcome)
    }

    fn rows(&self, map: &CoverageMap) -> Vec<CoverageRow> {
        let sources: Vec<Source> =
            map.sources.iter().filter_map(|source| self.source(&source.path)).cloned().collect();
        let checked = verify_coverage(map, &sources);
        let row = |source: &Source| {
            let here = |span: &&SourceSpan| span.path == *source.path();
            let entries = map.entries.iter().flat_map(|entry| &entry.spans).filter(here);
            let mut omitted: BTreeMap<_, BTreeSet<u32>> = BTreeMap::new();
            for omission in map.omitted.iter().filter(|omission| here(&&omission.span)) {
                omitted.entry(omission.reason).or_default().extend(lines_of(source, &omission.span));
            }
            CoverageRow {
                path: source.path().clone(),
                lines: non_blank(source, 1, source.line_count()).count(),
                stated: entries.flat_map(|span| lines_of(source, span)).collect::<BTreeSet<_>>().len(),
                omitted: omitted.into_iter().map(|(reason, lines)| (reason, lines.len())).collect(),
                gaps: checked
                    .gaps
                    .iter()
                    .filter(|gap| gap.path == *source.path())
                    .map(|gap| gap.line)
                    .collect(),
            }
        };
        sources.iter().map(row).collect()
    }
}

fn lines_of<'a>(source: &'a Source, span: &SourceSpan) -> impl Iterator<Item = u32> + use<'a> {
    non_blank(source, span.start_line, span.end_line)
}

fn non_blank(source: &Source, first: u32, last: u32) -> impl Iterator<Item = u32> {
    (first..=last).filter(|&line| !source.slice(source.span_of_line(line)).trim().is_empty())
}

fn gap_findings(row: &CoverageRow) -> Vec<Finding> {
    let gap = |line: &u32| {
        Finding::new(Code::COVERAGE_GAP, format!("line {line} is in neither list of the map"))
            .in_file(&row.path)
    };
    row.gaps.iter().map(gap).collect()
}

//! The digest, and what a harness is shown of it.

use mentci_authority::SkillName;
use mentci_source::{Code, Finding, Hash, Severity};
use mentci_tokens::{Tokenizer, o200k};

use crate::answer::{DigestAnswer, InjectAnswer, InjectMode};
use crate::snapshot::{Snapshot, unknown_skill};
use crate::{Harness, Response};

impl Snapshot {
    pub(crate) fn workspace_digest(&self) -> Response {
        let Some(workspace) = &self.workspace else { return Response::bad(self.findings.clone()) };
        Response::ok(DigestAnswer {
            skill: None,
            path: ".pi/absolute_rules.md".into(),
            text: workspace.digest.text.clone(),
            hash: workspace.digest.hash,
            rules: count_rules(&workspace.digest.text),
            tokens: workspace.tokens,
        })
    }

    pub(crate) fn skill_digest(&self, name: &str) -> Response {
        let skill = match self.skill(name) {
            Ok(skill) => skill,
            Err(finding) => return Response::bad([finding]),
        };
        Response::ok(DigestAnswer {
            skill: Some(skill.name.clone()),
            path: format!(".pi/skills/{}/absolute_rules.md", skill.name),
            text: skill.digest.text.clone(),
            hash: skill.digest.hash,
            rules: skill.digest.lines.iter().filter(|line| line.rule.is_some()).count(),
            tokens: skill.tokens(),
        })
    }

    pub(crate) fn inject(&self, harness: Harness, active: &[String]) -> Response {
        let Some(workspace) = &self.workspace else { return Response::bad(self.findings.clone()) };
        let section = |name: &SkillName| workspace.section(name).map(str::to_owned);
        let count = |text: &str| o200k().count(text);
        injection(self.mode, harness, &workspace.digest.text, active, section, count)
    }
}

/// The text to inject: the digest's body, then the sections of the active skills in the given order, each once.
///
/// `count` counts tokens: loading the tables takes longer than all else, so a caller may remember counts.
///
/// An active skill without a section is passed over with a warning: agents name skills that are none. A text over the
/// harness's limit is a finding.
pub fn injection(
    mode: InjectMode,
    harness: Harness,
    body: &str,
    active: &[String],
    section: impl Fn(&SkillName) -> Option<String>,
    count: impl Fn(&str) -> usize,
) -> Response {
    let mut text = body.to_owned();
    let mut seen: Vec<&str> = Vec::new();
    let mut unknown = Vec::new();
    for name in active.iter().map(|name| name.trim()) {
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let Some(section) = SkillName::parse(name).ok().and_then(|name| section(&name)) else {
            unknown.push(Finding { severity: Severity::Warning, ..unknown_skill(name, []) });
            continue;
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&section);
    }
    let tokens = if text.is_empty() { 0 } else { count(&text) };
    let findings = over_limit(harness, &text, tokens);
    let answer = InjectAnswer {
        mode,
        hash: Hash::of_bytes(text.as_bytes()),
        rules: count_rules(&text),
        tokens,
        text,
        verdict: None,
    };
    Response::ok(answer).with(unknown).with(findings)
}

/// How many numbered rules a digest's text states: lines that begin with a rule's number, whole (`skill-4`) in the
/// workspace's digest and bare (`4`) in a skill's.
pub fn count_rules(text: &str) -> usize {
    let numbered = |line: &&str| {
        let first = line.split(' ').next().unwrap_or_default();
        let bare = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
        bare || mentci_authority::RuleNo::parse(first).is_some()
    };
    text.lines().filter(numbered).count()
}

fn over_limit(harness: Harness, text: &str, tokens: usize) -> Option<Finding> {
    let chars = text.chars().count();
    let said = match (harness.max_chars(), harness.max_tokens()) {
        (Some(most), _) if chars > most => format!("{chars} characters, and {} shows {most}", harness.name()),
        (_, Some(most)) if tokens > most => format!("{tokens} tokens, and {} shows {most}", harness.name()),
        _ => return None,
    };
    let finding = Finding::new(Code::DIGEST_OVER_LIMIT, format!("the rules have {said}"));
    Some(finding.help("lower `digest.tokens`, or activate fewer skills"))
}

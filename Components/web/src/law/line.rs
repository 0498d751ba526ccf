//! One line of a digest, and what it rests on.

use mentci_authority::{RuleNo, SkillName};
use mentci_host::{LessonView, RuleAnswer, RuleSource, scope_of};
use mentci_page::Html;

use crate::link;
use crate::words::count;

/// The number that a line begins with: whole in the workspace's digest, bare in a skill's.
pub(super) fn number(line: &str, skill: Option<&SkillName>) -> Option<RuleNo> {
    let first = line.split(' ').next().unwrap_or_default();
    let is_bare = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    match skill {
        Some(skill) if is_bare => RuleNo::parse(&format!("{}-{first}", scope_of(skill))),
        _ => RuleNo::parse(first),
    }
}

/// A heading, a rule that opens, or a line as it stands.
pub(super) fn write(at: usize, text: &str, rule: Option<&RuleAnswer>, html: &mut Html) {
    let heading = text.trim_start_matches('#');
    match rule {
        Some(rule) => opening(text, rule, html),
        None if heading.len() < text.len() => {
            let name = if at == 0 { "p" } else { "h2" };
            let class = if at == 0 { "digest-title" } else { "digest-part" };
            html.leaf(name, &[("class", class)], heading.trim());
        }
        None if text.trim().is_empty() => {}
        None => html.leaf("p", &[("class", "digest-line")], text),
    }
}

fn opening(text: &str, rule: &RuleAnswer, html: &mut Html) {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let id = link::anchor("line", &rule.rule.to_string());
    html.element("details", &[("class", "digest-line"), ("id", &id)], |html| {
        html.element("summary", &[], |html| {
            html.leaf("code", &[("class", "no")], first);
            html.own(" ");
            html.leaf("span", &[("class", "law-text")], rest);
            if !rule.lessons.is_empty() {
                html.own(" ");
                html.leaf("span", &[("class", "mark lesson")], &count(rule.lessons.len(), "lesson"));
            }
        });
        html.element("div", &[("class", "rests")], |html| {
            if rule.sources.is_empty() && rule.lessons.is_empty() {
                html.own(
                    "<p class=\"soft\">It rests on what the workspace is: no file says it in words.</p>",
                );
            }
            rule.sources.iter().for_each(|source| said(source, html));
            rule.lessons.iter().for_each(|lesson| learned(lesson, html));
        });
    });
}

fn said(source: &RuleSource, html: &mut Html) {
    html.element("figure", &[], |html| {
        html.leaf("blockquote", &[], source.words.trim());
        let span = &source.span;
        html.leaf("figcaption", &[("class", "place")], &format!("{}:{}", span.path, span.start_line));
    });
}

fn learned(lesson: &LessonView, html: &mut Html) {
    html.element("figure", &[("class", "learned")], |html| {
        html.element("blockquote", &[], |html| {
            html.leaf("strong", &[], &lesson.condition);
            html.own(" → ");
            html.text(&lesson.resolution);
        });
        html.element("figcaption", &[("class", "place")], |html| {
            html.text(if lesson.accepted {
                "A lesson, accepted. "
            } else {
                "A lesson that nobody reviewed. "
            });
            let to = format!("/lessons#{}", link::anchor("lesson", lesson.id.as_str()));
            html.leaf("a", &[("href", &to)], lesson.id.as_str());
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_knows_its_number() {
        let skill = SkillName::parse("sema").unwrap();
        let told =
            |line: &str, skill: Option<&SkillName>| number(line, skill).map(|number| number.to_string());
        assert_eq!(told("sema-4 You MUST", None).as_deref(), Some("sema-4"));
        assert_eq!(told("4 You MUST", Some(&skill)).as_deref(), Some("sema-4"));
        assert_eq!(told("## Must", None), None);
        assert_eq!(told("4 You MUST", None), None);
    }
}

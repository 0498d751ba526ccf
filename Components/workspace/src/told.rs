//! The findings that a watch told already. A law may have thousands of them, and every save asks which are new: what a skill that did not
//! move says is looked at once.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use mentci_compiler::SkillCompiled;
use mentci_source::Finding;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

/// What was told, by name: two findings that look the same have the same name.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// How many findings of each name there are now.
    names: FxHashMap<u64, usize>,
    /// The names of those of no skill.
    others: Vec<u64>,
    /// By the skills' names.
    skills: Vec<OfSkill>,
}

/// The names of what a compiled skill says.
#[derive(Debug)]
struct OfSkill {
    skill: Arc<SkillCompiled>,
    names: Vec<u64>,
}

impl Told {
    /// What of the present findings was not there before, each once: of `others`, then of `skills`, which come by their names.
    pub(crate) fn news<'a>(
        &mut self,
        others: impl Iterator<Item = &'a Finding>,
        skills: impl Iterator<Item = &'a Arc<SkillCompiled>>,
    ) -> Vec<Finding> {
        let others: Vec<(u64, &Finding)> = others.map(named).collect();
        let (mut come, mut gone) = (others.clone(), std::mem::take(&mut self.others));
        let mut before = std::mem::take(&mut self.skills).into_iter().peekable();
        for skill in skills {
            while let Some(past) = before.next_if(|past| past.skill.name < skill.name) {
                gone.extend(past.names);
            }
            let known = before.next_if(|past| past.skill.name == skill.name);
            let stands = known.filter(|known| {
                let stands = Arc::ptr_eq(&known.skill, skill);
                if !stands {
                    gone.extend_from_slice(&known.names);
                }
                stands
            });
            self.skills.push(stands.unwrap_or_else(|| {
                let findings = skill.findings.iter().map(named);
                let names = findings.inspect(|finding| come.push(*finding)).map(|(name, _)| name).collect();
                OfSkill { skill: skill.clone(), names }
            }));
        }
        gone.extend(before.flat_map(|past| past.names));
        self.others = others.into_iter().map(|(name, _)| name).collect();
        self.change(&come, &gone)
    }

    /// Counts what came and what went, and gives what was not there.
    fn change(&mut self, come: &[(u64, &Finding)], gone: &[u64]) -> Vec<Finding> {
        let mut now = FxHashSet::default();
        let is_new = |(name, _): &&(u64, &Finding)| !self.names.contains_key(name) && now.insert(*name);
        let news: Vec<Finding> = come.iter().filter(is_new).map(|(_, finding)| (*finding).clone()).collect();
        for (name, _) in come {
            *self.names.entry(*name).or_default() += 1;
        }
        for name in gone {
            if let Some(count) = self.names.get_mut(name) {
                *count -= 1;
                if *count == 0 {
                    self.names.remove(name);
                }
            }
        }
        news
    }
}

fn named(finding: &Finding) -> (u64, &Finding) {
    let mut name = FxHasher::default();
    finding.code.id().hash(&mut name);
    (&finding.message, &finding.help, &finding.path, finding.line, finding.column).hash(&mut name);
    (name.finish(), finding)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use mentci_authority::{RuleLock, SkillName};
    use mentci_compiler::{FixedInventory, SkillInput, SkillOptions, compile_skill};
    use mentci_source::Code;

    use super::*;

    #[test]
    fn what_stands_is_told_once_and_what_comes_back_is_told_again() {
        let (one, two) = (finding("one"), finding("two"));
        let (a, b) = (skill("a", &["of a", "two"]), skill("b", &["of b"]));
        let mut told = Told::default();
        let mut news = |others: &[&Finding], skills: &[&Arc<SkillCompiled>]| {
            let news = told.news(others.iter().copied(), skills.iter().copied());
            news.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        assert_eq!(news(&[&one], &[&a, &b]), ["one", "of a", "two", "of b"]);
        assert_eq!(news(&[&one, &two], &[&a, &b]), [""; 0]);
        assert_eq!(news(&[], &[&skill("a", &["of a", "else"]), &b]), ["else"]);
        assert_eq!(news(&[&two], &[&b]), ["two"]);
        assert_eq!(news(&[&one, &one], &[&a, &b]), ["one", "of a"]);
    }

    fn finding(message: &str) -> Finding {
        Finding::new(Code::NOT_PUBLISHED, message)
    }

    fn skill(name: &str, says: &[&str]) -> Arc<SkillCompiled> {
        let input = SkillInput {
            name: SkillName::parse(name).unwrap(),
            law: Vec::new(),
            runtime: None,
            promoted: None,
            acceptances: BTreeSet::new(),
            waiting: BTreeMap::new(),
        };
        let mut compiled =
            compile_skill(&input, &RuleLock::default(), &SkillOptions::default(), &FixedInventory::default());
        compiled.findings = says.iter().map(|message| finding(message)).collect();
        Arc::new(compiled)
    }
}

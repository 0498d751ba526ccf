//! Shorter lines: what is to be asked, what was answered, and what it saves.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{CondensedLine, RuleLock, StatementId};
use mentci_compiler::{
    Condense, Question, Shortened, SkillCompiled, SkillOptions, WorkspaceCompiled, WorkspaceInput,
    WorkspaceOptions, compile_skill, compile_workspace,
};

use super::Engine;

/// Tokens of digests, and of what they would be without shorter lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PlainTokens {
    /// Of all skills.
    pub(crate) skills: usize,
    pub(crate) plain_skills: usize,
    /// Of the workspace.
    pub(crate) workspace: usize,
    pub(crate) plain_workspace: usize,
}

/// What was answered, and what it is about.
#[derive(Debug, Clone)]
pub(crate) struct Answered {
    pub(crate) asked: Question,
    pub(crate) line: CondensedLine,
}

impl Answered {
    /// Whether a lock's own line is accepted and this one is none, or not shorter.
    fn is_worse_than(&self, known: Option<&CondensedLine>) -> bool {
        let Some(own) = known.and_then(|known| known.line.as_deref()) else { return false };
        let longer = self.line.line.as_ref().is_none_or(|line| line.len() >= own.len());
        longer && self.asked.verify(own).is_ok()
    }
}

impl Engine {
    /// Where shorter lines come from, as it is configured.
    pub(crate) fn condense(&self) -> Condense {
        match self.config.choice("digest.condense") {
            "model" => Condense::Ask,
            "deterministic" => Condense::Deterministic,
            _ => Condense::Locked,
        }
    }

    /// The statements that may be asked about, each once, in the order of the skills and of their law.
    pub(crate) fn questions(&self) -> Vec<Question> {
        let skills = self.compiled().flat_map(|compiled| &compiled.questions);
        let whole = self.workspace.iter().flat_map(|whole| &whole.questions);
        let all: Vec<&Question> = skills.chain(whole).collect();
        let open: BTreeSet<_> =
            all.iter().filter(|question| !question.is_known).map(|question| &question.id).collect();
        let mut seen = BTreeSet::new();
        let asked = |question: &&&Question| !question.is_known || !open.contains(&question.id);
        all.iter()
            .filter(asked)
            .filter(|question| seen.insert(&question.id))
            .map(|it| (*it).clone())
            .collect()
    }

    /// What the locks know of the statements, in the same order.
    pub(crate) fn shortened(&self) -> impl Iterator<Item = &Shortened> {
        let skills = self.compiled().flat_map(|compiled| &compiled.shortened);
        skills.chain(self.workspace.iter().flat_map(|whole| &whole.shortened))
    }

    /// Takes over what was answered: what it concerns is compiled again at the next cycle.
    pub(crate) fn answer(&mut self, answers: BTreeMap<StatementId, Answered>) {
        let answered =
            |questions: &[Question]| questions.iter().any(|question| answers.contains_key(&question.id));
        for slot in self.skills.values_mut() {
            if slot.standing().is_some_and(|compiled| answered(&compiled.questions)) {
                (slot.compiled, slot.stand_in) = (None, None);
            }
        }
        if self.workspace.as_ref().is_some_and(|whole| answered(&whole.questions)) {
            self.workspace = None;
        }
        self.answers.extend(answers);
    }

    /// The lock with what was answered and does not stand in it yet. A compile keeps of it what is about its own statements.
    ///
    /// What the lock holds and the verifier accepts stays, unless what was answered is accepted, too, and shorter: a statement that two
    /// digests share may be asked about for one of them, and what was said of it then takes nothing from the other.
    pub(super) fn with_answers(&self, mut lock: RuleLock) -> RuleLock {
        if self.condense() == Condense::Ask {
            let news =
                self.answers.iter().filter(|(id, answered)| !answered.is_worse_than(lock.lines.get(*id)));
            let news: Vec<_> = news.map(|(id, answered)| (id.clone(), answered.line.clone())).collect();
            lock.lines.extend(news);
        }
        lock
    }

    /// How many tokens the shorter lines save.
    pub(crate) fn plain_tokens(&self) -> PlainTokens {
        let skills: Vec<&Arc<SkillCompiled>> = self.compiled().collect();
        let plain: Vec<Arc<SkillCompiled>> = skills.iter().map(|skill| self.plain_skill(skill)).collect();
        let tokens =
            |skills: &mut dyn Iterator<Item = &Arc<SkillCompiled>>| skills.map(|skill| skill.tokens()).sum();
        PlainTokens {
            skills: tokens(&mut skills.iter().copied()),
            plain_skills: tokens(&mut plain.iter()),
            workspace: self.workspace.as_ref().map_or(0, |whole| whole.tokens),
            plain_workspace: self.plain_workspace(&plain).map_or(0, |whole| whole.tokens),
        }
    }

    /// A skill without shorter lines.
    pub(crate) fn plain_skill(&self, skill: &Arc<SkillCompiled>) -> Arc<SkillCompiled> {
        if !skill.shortened.iter().any(|shortened| shortened.line.is_some()) {
            return skill.clone();
        }
        let options = SkillOptions { condense: Condense::Deterministic, ..self.skill_options() };
        Arc::new(compile_skill(&self.skill_input(&skill.name), &skill.lock, &options, &self.inventory()))
    }

    /// The workspace without shorter lines; `plain` are its skills without them.
    pub(crate) fn plain_workspace(&self, plain: &[Arc<SkillCompiled>]) -> Option<WorkspaceCompiled> {
        let lock = &self.workspace.as_ref()?.lock;
        let options = WorkspaceOptions { condense: Condense::Deterministic, ..self.workspace_options() };
        let (law, schemas) = (self.workspace_law(), self.schemas());
        let manifests = self.manifests.as_ref().map(|(manifests, _)| manifests);
        let input = WorkspaceInput { skills: plain, law: &law, schemas: &schemas, manifests };
        Some(compile_workspace(&input, lock, &options, &self.inventory()))
    }

    pub(crate) fn compiled(&self) -> impl Iterator<Item = &Arc<SkillCompiled>> {
        self.skills.values().filter_map(|slot| slot.standing())
    }
}

//! A desk: law by hand, lessons as text, compiled at a call.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{
    EntryKind, Force, Lesson, LessonId, LessonStatus, Level, Norm, NormId, Provenance, RuleLock, Scope,
    SkillName, SourceSpan, Step, Tier,
};
use mentci_compiler::lessons::read_lessons;
use mentci_compiler::{
    FixedInventory, LawKind, LawReading, SkillCompiled, SkillInput, SkillOptions, WorkspaceCompiled,
    WorkspaceInput, WorkspaceOptions, compile_skill, compile_workspace,
};
use mentci_source::{Source, Span};

/// One skill in the making.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) name: SkillName,
    pub(crate) text: String,
    pub(crate) norms: Vec<Norm>,
    pub(crate) runtime: Option<String>,
    pub(crate) promoted: Option<String>,
    pub(crate) acceptances: BTreeSet<LessonId>,
    pub(crate) lock: RuleLock,
    pub(crate) inventory: FixedInventory,
    pub(crate) options: SkillOptions,
}

impl Desk {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: SkillName::parse(name).expect("a name"),
            text: String::new(),
            norms: Vec::new(),
            runtime: None,
            promoted: None,
            acceptances: BTreeSet::new(),
            lock: RuleLock::default(),
            inventory: FixedInventory::default(),
            options: SkillOptions::default(),
        }
    }

    pub(crate) fn explicit(&mut self, level: Level, text: &str) -> &mut Norm {
        self.norm(level, Force::Explicit, text)
    }

    pub(crate) fn implied(&mut self, level: Level, text: &str) -> &mut Norm {
        self.norm(level, Force::Implied, text)
    }

    /// A bullet of its own in the law.
    pub(crate) fn norm(&mut self, level: Level, force: Force, text: &str) -> &mut Norm {
        let start = self.text.len();
        self.text.extend(["- ", text, ".\n"]);
        let line = u32::try_from(self.norms.len() + 1).expect("few");
        let span = Span::new(start, start + text.len() + 3);
        let place = SourceSpan { path: self.path().as_str().into(), start_line: line, end_line: line, span };
        self.norms.push(Norm {
            id: NormId::of(Some(level), text, None, self.name.as_str()),
            kind: EntryKind::Norm,
            level,
            force,
            text: text.to_owned(),
            terse: None,
            condition: None,
            exceptions: Vec::new(),
            literals: text.split('`').skip(1).step_by(2).map(str::to_owned).collect(),
            original: format!("{text}."),
            section: "Rules".to_owned(),
            tier: Tier::Core,
            scope: Scope::Skill(self.name.clone()),
            step: None,
            provenance: Provenance { spans: vec![place], lessons: Vec::new() },
        });
        self.norms.last_mut().expect("just pushed")
    }

    pub(crate) fn step(&mut self, procedure: &str, number: u32, text: &str) {
        let norm = self.implied(Level::Must, text);
        norm.kind = EntryKind::Procedure;
        norm.step = Some(Step { procedure: procedure.to_owned(), number });
    }

    pub(crate) fn runtime(&mut self, text: &str) {
        self.runtime = Some(text.to_owned());
    }

    pub(crate) fn promoted(&mut self, text: &str) {
        self.promoted = Some(text.to_owned());
    }

    pub(crate) fn accept(&mut self, id: &LessonId) {
        self.acceptances.insert(id.clone());
    }

    pub(crate) fn path(&self) -> String {
        format!(".pi/skills/{}/SKILL.md", self.name)
    }

    pub(crate) fn law(&self) -> Arc<LawReading> {
        Arc::new(LawReading {
            source: Source::new(&self.path(), &self.text),
            kind: LawKind::Skill(self.name.clone()),
            norms: self.norms.clone(),
            omitted: Vec::new(),
            findings: Vec::new(),
        })
    }

    pub(crate) fn lessons(&self, file: &str, text: &str) -> Source {
        Source::new(&format!(".pi/skills/{}/{file}", self.name), text)
    }

    pub(crate) fn input(&self) -> SkillInput {
        let read = |file: &str, text: &Option<String>| {
            let source = self.lessons(file, text.as_ref()?);
            Some(Arc::new(read_lessons(&source, &self.name).value))
        };
        SkillInput {
            name: self.name.clone(),
            law: vec![self.law()],
            runtime: read("runtime.edn", &self.runtime),
            promoted: read("promoted.edn", &self.promoted),
            acceptances: self.acceptances.clone(),
            waiting: BTreeMap::new(),
        }
    }

    pub(crate) fn compile(&self) -> SkillCompiled {
        compile_skill(&self.input(), &self.lock, &self.options, &self.inventory)
    }

    pub(crate) fn workspace(&self) -> WorkspaceCompiled {
        workspace(&[Arc::new(self.compile())], &WorkspaceOptions::default())
    }
}

/// A workspace of skills and nothing else.
pub(crate) fn workspace(skills: &[Arc<SkillCompiled>], options: &WorkspaceOptions) -> WorkspaceCompiled {
    let input = WorkspaceInput { skills, law: &[], schemas: &[], manifests: None };
    compile_workspace(&input, &RuleLock::default(), options, &FixedInventory::default())
}

pub(crate) fn lesson(skill: &str, condition: &str, resolution: &str, session: &str) -> Lesson {
    Lesson {
        id: LessonId::of(skill, condition, resolution),
        condition: condition.to_owned(),
        resolution: resolution.to_owned(),
        context: None,
        at: None,
        author: None,
        source: None,
        sessions: BTreeSet::from([session.to_owned()]),
        status: LessonStatus::Active,
    }
}

pub(crate) fn codes(findings: &[mentci_source::Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.code.name()).collect()
}

//! What is made of rules when they are asked, and not before.

use std::borrow::Cow;
use std::sync::OnceLock;

use mentci_authority::{Dialect, Effect, Hook, Origin, Rule, RuleId, ToolMatch, Trust};
use mentci_source::Span;

use crate::columns::{Groups, Texts};
use crate::decision::RuleIndex;
use crate::index::required_literal;
use crate::names::Names;
use crate::program::CompiledRule;

/// The rules of a program: a cell each. Those of a pack are filled when they are asked.
#[derive(Debug)]
pub(crate) struct Cells {
    cells: Box<[OnceLock<Box<CompiledRule>>]>,
    packed: Option<PackedRules>,
}

/// What a pack holds of rules.
#[derive(Debug)]
pub(crate) struct PackedRules {
    /// JSON, which goes on with a tail.
    pub(crate) rules: Texts,
    pub(crate) tails: Texts,
    /// By rule.
    pub(crate) tail_of: Box<[u32]>,
    pub(crate) document_of: Box<[u32]>,
    pub(crate) overrides: Groups,
    /// The arguments in which literals are searched.
    pub(crate) literal_paths: Texts,
    /// By rule, from 1; 0 where it has no literal.
    pub(crate) literal_path_of: Box<[u32]>,
    /// By rule.
    pub(crate) literals: Texts,
    /// By rule, what it needs.
    pub(crate) needed: Texts,
}

impl Cells {
    /// Rules that are compiled already.
    pub(crate) fn made(rules: impl IntoIterator<Item = CompiledRule>) -> Self {
        let cells = rules.into_iter().map(|rule| OnceLock::from(Box::new(rule))).collect();
        Self { cells, packed: None }
    }

    /// The rules of a pack, none of them touched.
    pub(crate) fn packed(packed: PackedRules) -> Self {
        let cells = (0..packed.rules.len()).map(|_| OnceLock::new()).collect();
        Self { cells, packed: Some(packed) }
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The rule at an index of this program.
    pub(crate) fn get(&self, index: RuleIndex) -> &CompiledRule {
        self.cells[index as usize].get_or_init(|| {
            let packed = self.packed.as_ref();
            Box::new(packed.map_or_else(closed, |packed| packed.compile(index as usize)))
        })
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &CompiledRule> {
        (0..self.len()).map(|at| self.get(crate::tools::place(at)))
    }

    /// The argument and the text in it without which a rule cannot apply. Nothing is parsed for it.
    pub(crate) fn literal(&self, index: RuleIndex) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
        if let Some(packed) = &self.packed {
            return packed.literal(index as usize);
        }
        let (path, literal) = required_literal(&self.get(index).rule)?;
        Some((path.into(), literal.into()))
    }

    /// What has to stand in an event for a rule to apply. Nothing is parsed for it.
    pub(crate) fn needed(&self, index: RuleIndex) -> &[u8] {
        match &self.packed {
            Some(packed) => packed.needed.get(index as usize),
            None => self.get(index).needed(),
        }
    }
}

impl PackedRules {
    fn compile(&self, at: usize) -> CompiledRule {
        let text = [self.rules.get(at), self.tails.get(self.tail_of[at] as usize)].concat();
        let Ok(rule) = serde_json::from_slice::<Rule>(&text) else { return closed() };
        let mut compiled = CompiledRule::new(rule, self.document_of[at] as usize);
        compiled.overrides = self.overrides.get(at).to_vec();
        compiled
    }

    fn literal(&self, at: usize) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
        let path = (self.literal_path_of[at] as usize).checked_sub(1)?;
        Some((
            String::from_utf8_lossy(self.literal_paths.get(path)),
            String::from_utf8_lossy(self.literals.get(at)),
        ))
    }
}

/// What stands for a rule that a pack of the right hash does not hold, though every rule was read back when it was packed:
/// nothing passes.
fn closed() -> CompiledRule {
    let origin = Origin {
        dialect: Dialect::Yaml,
        path: "policy.pack".into(),
        line: 1,
        column: 1,
        span: Span::default(),
        pack: "policy.pack".into(),
        trust: Trust::Builtin,
    };
    // OK because the name is short and plain.
    let id = RuleId::new("unreadable").expect("a plain name");
    let mut rule = Rule::new(id, Hook::PreToolCall, origin);
    rule.effect = Some(Effect::Block);
    rule.core = true;
    rule.message =
        Some("a rule of the policy pack does not read: build it anew with `policy-engine pack`".to_owned());
    CompiledRule::new(rule, 0)
}

/// What patterns of tools are matched by: a cell for each that differs.
#[derive(Debug, Default)]
pub(crate) struct Matchers {
    cells: Box<[OnceLock<Names>]>,
    packed: Option<Texts>,
}

impl Matchers {
    pub(crate) fn made<'t>(tools: impl IntoIterator<Item = &'t ToolMatch>) -> Self {
        Self {
            cells: tools.into_iter().map(|tools| OnceLock::from(Names::new(tools))).collect(),
            packed: None,
        }
    }

    /// Matchers of a pack, in JSON.
    pub(crate) fn packed(texts: Texts) -> Self {
        Self { cells: (0..texts.len()).map(|_| OnceLock::new()).collect(), packed: Some(texts) }
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(crate) fn get(&self, at: usize) -> &Names {
        self.cells[at].get_or_init(|| {
            let packed = self.packed.as_ref();
            let tools = packed.and_then(|texts| serde_json::from_slice(texts.get(at)).ok());
            // What does not read fits everything, so that its rules are asked.
            Names::new(&tools.unwrap_or(ToolMatch::Any))
        })
    }
}

//! Which rules can apply to an event: the cost of a decision follows these, not the rules that exist.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};
use mentci_authority::{Event, Guard, Rule};
use mentci_expr::{Expr, Function, Node};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::decision::RuleIndex;
use crate::names::Names;
use crate::program::CompiledRule;

/// The rules of one hook, by tool.
#[derive(Debug)]
pub(crate) struct HookIndex {
    by_tool: FxHashMap<Box<str>, Bucket>,
    /// The rules about any tool: what applies to a tool that no rule names.
    any: Bucket,
    /// The rules about patterns of names, which a tool that no rule names may fit.
    patterned: Vec<RuleIndex>,
}

impl HookIndex {
    /// `members` in the order in which they are asked.
    pub(crate) fn new(members: &[RuleIndex], rules: &[CompiledRule]) -> Self {
        let rule = |index: RuleIndex| &rules[index as usize];
        let mut exact: FxHashMap<&str, Vec<RuleIndex>> = FxHashMap::default();
        let mut patterned = Vec::new();
        let mut any = Vec::new();
        for &index in members {
            match (&rule(index).names, rule(index).names.exact()) {
                (Names::Any, _) => any.push(index),
                (_, Some(names)) => {
                    names.into_iter().for_each(|name| exact.entry(name).or_default().push(index))
                }
                (_, None) => {
                    patterned.push(index);
                    // A list may hold names beside its patterns: each is a tool that some rule names.
                    rule(index).names.named().for_each(|name| {
                        exact.entry(name).or_default();
                    });
                }
            }
        }
        let position: FxHashMap<RuleIndex, usize> = members.iter().copied().zip(0..).collect();
        let by_tool = exact.into_iter().map(|(name, mut own)| {
            own.dedup();
            own.extend(&any);
            own.extend(patterned.iter().filter(|&&index| rule(index).names.fits(name)));
            own.sort_by_key(|index| position[index]);
            (Box::from(name), Bucket::new(own, rules))
        });
        Self { by_tool: by_tool.collect(), any: Bucket::new(any.clone(), rules), patterned }
    }

    /// Calls `visit` with each rule whose names fit the event's tool and whose literals stand in its arguments, in order.
    pub(crate) fn candidates(&self, event: &Event, rules: &[CompiledRule], visit: &mut dyn FnMut(RuleIndex)) {
        let name = event.tool_name();
        if let Some(bucket) = self.by_tool.get(name) {
            return bucket.candidates(event, visit);
        }
        let fitting: Vec<RuleIndex> = match event.tool {
            Some(_) => {
                let fits = |index: &RuleIndex| rules[*index as usize].names.fits(name);
                self.patterned.iter().copied().filter(fits).collect()
            }
            None => Vec::new(),
        };
        if fitting.is_empty() {
            return self.any.candidates(event, visit);
        }
        let mut all = fitting;
        self.any.candidates(event, &mut |index| all.push(index));
        all.sort_by_key(|&index| (rules[index as usize].rule.order, index));
        all.into_iter().for_each(visit);
    }
}

/// Rules that are asked together, and the literals by which most of them are passed over.
#[derive(Debug)]
struct Bucket {
    rules: Vec<RuleIndex>,
    /// Bit by bit in the order of `rules`: those without a literal, which are always asked.
    always: Vec<bool>,
    literals: Vec<Literals>,
}

/// Below this many rules, asking each is faster than searching for all their literals.
const WORTH_AN_AUTOMATON: usize = 4;

impl Bucket {
    fn new(rules: Vec<RuleIndex>, all: &[CompiledRule]) -> Self {
        let mut always = vec![true; rules.len()];
        let mut by_path: Vec<(String, Vec<(String, u32)>)> = Vec::new();
        if rules.len() >= WORTH_AN_AUTOMATON {
            for (at, &index) in rules.iter().enumerate() {
                let Some((path, literal)) = required_literal(&all[index as usize].rule) else { continue };
                always[at] = false;
                let entry = (literal, u32::try_from(at).unwrap_or(u32::MAX));
                match by_path.iter_mut().find(|(own, _)| *own == path) {
                    Some((_, literals)) => literals.push(entry),
                    None => by_path.push((path, vec![entry])),
                }
            }
        }
        let literals = by_path.into_iter().map(|(path, owned)| Literals::new(path, owned)).collect();
        Self { rules, always, literals }
    }

    fn candidates(&self, event: &Event, visit: &mut dyn FnMut(RuleIndex)) {
        if self.literals.is_empty() {
            return self.rules.iter().copied().for_each(visit);
        }
        let mut asked: Vec<u32> = Vec::new();
        for literals in &self.literals {
            literals.found(event, &mut asked);
        }
        if asked.is_empty() && !self.always.contains(&true) {
            return;
        }
        let mut marked = self.always.clone();
        asked.into_iter().for_each(|at| marked[at as usize] = true);
        self.rules.iter().zip(marked).filter(|(_, asked)| *asked).for_each(|(&index, _)| visit(index));
    }
}

/// Literals that one argument must hold, each with the rules that need it.
#[derive(Debug)]
struct Literals {
    path: String,
    texts: Vec<String>,
    owners: Vec<Vec<u32>>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Literals {
    fn new(path: String, owned: Vec<(String, u32)>) -> Self {
        let mut by_text: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (text, owner) in owned {
            by_text.entry(text).or_default().push(owner);
        }
        let mut sorted: Vec<(String, Vec<u32>)> = by_text.into_iter().collect();
        sorted.sort();
        let (texts, owners) = sorted.into_iter().unzip();
        Self { path, texts, owners, automaton: OnceLock::new() }
    }

    /// Adds the rules whose literal stands in the argument; all of them where it is no plain text, because the text of a
    /// list or a number is the expression's business.
    fn found(&self, event: &Event, asked: &mut Vec<u32>) {
        let argument = event.tool.as_ref().and_then(|tool| tool.args.get(&self.path));
        let all = || self.owners.iter().flatten().copied();
        match (argument, self.automaton()) {
            (None | Some(Value::Null), _) => {}
            (Some(Value::String(text)), Some(automaton)) => {
                let hits = automaton.find_overlapping_iter(text);
                asked.extend(hits.flat_map(|hit| &self.owners[hit.pattern().as_usize()]).copied());
            }
            _ => asked.extend(all()),
        }
    }

    fn automaton(&self) -> Option<&AhoCorasick> {
        let build = || AhoCorasick::builder().match_kind(MatchKind::Standard).build(&self.texts).ok();
        self.automaton.get_or_init(build).as_ref()
    }
}

/// An argument at the top level and a text that it must hold for the rule to apply: what an index may search for.
fn required_literal(rule: &Rule) -> Option<(String, String)> {
    let conjuncts: &[Guard] = match &rule.guard {
        Guard::All(inner) => inner,
        single => std::slice::from_ref(single),
    };
    let of_guard = |guard: &Guard| if let Guard::Expr(expr) = guard { literal_of(expr) } else { None };
    conjuncts.iter().filter_map(of_guard).max_by_key(|(_, literal)| literal.len())
}

fn literal_of(expr: &Expr) -> Option<(String, String)> {
    let Node::Call(function, arguments) = expr.node() else { return None };
    let holds_text = matches!(function, Function::Contains | Function::StartsWith | Function::EndsWith);
    let [subject, literal] = arguments.as_slice() else { return None };
    let Node::Call(Function::Arg, path) = subject.node() else { return None };
    let (path, literal) = (path.first()?.as_text()?, literal.as_text()?);
    let plain = path.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    (holds_text && plain && !literal.is_empty()).then(|| (path.to_owned(), literal.to_owned()))
}

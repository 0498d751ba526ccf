//! Which rules can apply to an event: the cost of a decision follows these, not the rules that exist.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};
use mentci_authority::{Event, Guard, Rule};
use mentci_expr::{Expr, Function, Node};
use rustc_hash::FxHashMap;
use serde_json::Value;
use smallvec::{SmallVec, smallvec};

use crate::decision::RuleIndex;
use crate::names::Names;
use crate::program::CompiledRule;

/// The rules of one hook, by tool.
#[derive(Debug, Default)]
pub(crate) struct HookIndex {
    by_tool: FxHashMap<Box<str>, Named>,
    /// The rules about any tool: what applies to a tool that no rule names.
    any: Bucket,
    /// The rules about patterns of names, which a tool that no rule names may fit.
    patterned: Vec<RuleIndex>,
}

/// A tool that some rule names.
#[derive(Debug, Default)]
struct Named {
    /// The rules that name it.
    own: Vec<RuleIndex>,
    /// These, and all others that it fits: made at its first call, so that opening a program matches no name.
    bucket: OnceLock<Bucket>,
}

impl HookIndex {
    /// `members` in the order in which they are asked.
    pub(crate) fn new(members: &[RuleIndex], rules: &[CompiledRule]) -> Self {
        let mut index = Self::default();
        for &member in members {
            let names = &rules[member as usize].names;
            match names {
                Names::Any => index.any.rules.push(member),
                _ if names.is_exact() => names.named().for_each(|name| index.named(name).own.push(member)),
                Names::OneOf(_) => {
                    index.patterned.push(member);
                    // A list may hold names beside its patterns: each is a tool that some rule names.
                    for name in names.named() {
                        index.named(name);
                    }
                }
            }
        }
        index
    }

    fn named(&mut self, name: &str) -> &mut Named {
        self.by_tool.entry(name.into()).or_default()
    }

    /// Calls `visit` with each rule whose names fit the event's tool and whose literals stand in its arguments, in order.
    pub(crate) fn candidates(&self, event: &Event, rules: &[CompiledRule], visit: &mut dyn FnMut(RuleIndex)) {
        let Some(tool) = &event.tool else { return self.any.candidates(event, rules, visit) };
        if let Some(named) = self.by_tool.get(tool.name.as_str()) {
            let bucket = named.bucket.get_or_init(|| self.bucket(&tool.name, &named.own, rules));
            return bucket.candidates(event, rules, visit);
        }
        let mut fitting = self.fitting(&tool.name, rules).peekable();
        if fitting.peek().is_none() {
            return self.any.candidates(event, rules, visit);
        }
        let mut all: Vec<RuleIndex> = fitting.collect();
        self.any.candidates(event, rules, &mut |index| all.push(index));
        all.sort_by_key(|&index| place(index, rules));
        all.into_iter().for_each(visit);
    }

    fn bucket(&self, tool: &str, own: &[RuleIndex], rules: &[CompiledRule]) -> Bucket {
        let mut all = own.to_vec();
        all.extend(self.any.rules.iter().copied().chain(self.fitting(tool, rules)));
        all.sort_by_key(|&index| place(index, rules));
        // A rule may name a tool twice.
        all.dedup();
        Bucket { rules: all, search: OnceLock::new() }
    }

    fn fitting<'i>(
        &'i self,
        tool: &'i str,
        rules: &'i [CompiledRule],
    ) -> impl Iterator<Item = RuleIndex> + 'i {
        self.patterned.iter().copied().filter(move |&index| rules[index as usize].names.fits(tool))
    }
}

/// Where a rule stands in the order in which rules are asked.
fn place(index: RuleIndex, rules: &[CompiledRule]) -> (i64, RuleIndex) {
    (rules[index as usize].rule.order, index)
}

/// Rules that are asked together, and the literals by which most of them are passed over.
#[derive(Debug, Default)]
struct Bucket {
    rules: Vec<RuleIndex>,
    search: OnceLock<Search>,
}

/// Below this many rules, asking each is faster than searching for all their literals.
const WORTH_AN_AUTOMATON: usize = 4;

impl Bucket {
    fn candidates(&self, event: &Event, all: &[CompiledRule], visit: &mut dyn FnMut(RuleIndex)) {
        if self.rules.len() < WORTH_AN_AUTOMATON {
            return self.rules.iter().copied().for_each(visit);
        }
        let search = self.search.get_or_init(|| Search::new(&self.rules, all));
        search.candidates(event).into_iter().for_each(|at| visit(self.rules[at as usize]));
    }
}

/// Places in a bucket, ascending.
type Places = SmallVec<[u32; 32]>;

/// What passes rules over: the literals without which they cannot apply.
#[derive(Debug)]
struct Search {
    /// The rules without a literal, which are always asked.
    always: Vec<u32>,
    literals: Vec<Literals>,
}

impl Search {
    fn new(rules: &[RuleIndex], all: &[CompiledRule]) -> Self {
        let (mut always, mut by_path) = (Vec::new(), BTreeMap::<String, Vec<(String, u32)>>::new());
        for (at, &index) in (0..).zip(rules) {
            match required_literal(&all[index as usize].rule) {
                Some((path, literal)) => by_path.entry(path).or_default().push((literal, at)),
                None => always.push(at),
            }
        }
        let literals = by_path.into_iter().map(|(path, owned)| Literals::new(path, owned)).collect();
        Self { always, literals }
    }

    fn candidates(&self, event: &Event) -> Places {
        let mut places = Places::new();
        for literals in &self.literals {
            literals.found(event, &mut places);
        }
        if !self.always.is_empty() {
            places.extend_from_slice(&self.always);
        }
        // OK because a rule has one literal, so that it is found once at most.
        places.sort_unstable();
        places
    }
}

/// Literals that one argument must hold, each with the rules that need it.
#[derive(Debug)]
struct Literals {
    path: String,
    owners: Vec<Vec<u32>>,
    automaton: Option<AhoCorasick>,
}

/// Literals that overlap each other everywhere are found so often that asking all their rules is less work.
const MOST_HITS: usize = 4_096;

impl Literals {
    fn new(path: String, owned: Vec<(String, u32)>) -> Self {
        let mut by_text: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (text, owner) in owned {
            by_text.entry(text).or_default().push(owner);
        }
        let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(by_text.keys()).ok();
        Self { path, owners: by_text.into_values().collect(), automaton }
    }

    /// Adds the rules whose literal stands in the argument; all of them where it is no plain text, because the text of a
    /// list or a number is the expression's business, and so are arguments that the event does not repeat.
    fn found(&self, event: &Event, places: &mut Places) {
        let Some(tool) = &event.tool else { return };
        match (&tool.args, &self.automaton) {
            (Value::Object(args), Some(automaton)) => match args.get(&self.path) {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) => self.search(automaton, text, places),
                Some(_) => self.all(places),
            },
            _ => self.all(places),
        }
    }

    fn search(&self, automaton: &AhoCorasick, text: &str, places: &mut Places) {
        let before = places.len();
        let mut seen: SmallVec<[u64; 16]> = smallvec![0; self.owners.len().div_ceil(64)];
        for (count, hit) in automaton.find_overlapping_iter(text).enumerate() {
            if count == MOST_HITS {
                places.truncate(before);
                return self.all(places);
            }
            let pattern = hit.pattern().as_usize();
            let (word, bit) = (&mut seen[pattern / 64], 1 << (pattern % 64));
            if *word & bit == 0 {
                *word |= bit;
                places.extend_from_slice(&self.owners[pattern]);
            }
        }
    }

    fn all(&self, places: &mut Places) {
        self.owners.iter().for_each(|owners| places.extend_from_slice(owners));
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

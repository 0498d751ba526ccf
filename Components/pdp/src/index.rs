//! Which rules can apply to an event: the cost of a decision follows these, not the rules that exist.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use aho_corasick::{AhoCorasick, MatchKind};
use mentci_authority::{Event, Guard, Rule, ToolMatch};
use mentci_expr::{Expr, Function, Node};
use serde_json::Value;
use smallvec::{SmallVec, smallvec};

use crate::cells::{Cells, Matchers};
use crate::columns::Groups;
use crate::decision::RuleIndex;
use crate::names::Names;
use crate::necessary::Sight;
use crate::tools::{ToolTable, place};

/// The rules of one hook, by tool. A rank is a rule's place among them, in the order in which they are asked.
#[derive(Debug, Default)]
pub(crate) struct HookIndex {
    pub(crate) members: Box<[RuleIndex]>,
    /// The tools that some rule names.
    pub(crate) tools: ToolTable,
    /// By tool, the ranks of the rules that name nothing but tools.
    pub(crate) own: Groups,
    /// By tool these, and all others that it fits: made at its first call, so that opening a program matches no name.
    buckets: Box<[OnceLock<Box<Bucket>>]>,
    /// The rules about any tool: what applies to a tool that no rule names.
    any: Bucket,
    /// The rules about patterns of names, which a tool that no rule names may fit, and what each is matched by.
    pub(crate) patterned: Box<[u32]>,
    pub(crate) matcher_of: Box<[u32]>,
    pub(crate) matchers: Matchers,
}

/// What an index is made of, in columns.
#[derive(Debug, Default)]
pub(crate) struct HookColumns {
    pub(crate) members: Box<[RuleIndex]>,
    pub(crate) tools: ToolTable,
    pub(crate) own: Groups,
    pub(crate) any: Box<[u32]>,
    pub(crate) patterned: Box<[u32]>,
    pub(crate) matcher_of: Box<[u32]>,
    pub(crate) matchers: Matchers,
}

impl HookIndex {
    pub(crate) fn of(columns: HookColumns) -> Self {
        let HookColumns { members, tools, own, any, patterned, matcher_of, matchers } = columns;
        let buckets = (0..tools.len()).map(|_| OnceLock::new()).collect();
        Self { members, tools, own, buckets, any: Bucket::new(any), patterned, matcher_of, matchers }
    }

    /// `members` in the order in which they are asked.
    pub(crate) fn new<'r>(members: Vec<RuleIndex>, rule: impl Fn(RuleIndex) -> &'r Rule) -> Self {
        let mut sorting = Sorting::default();
        for (rank, &member) in (0..).zip(&members) {
            sorting.add(rank, &rule(member).tools);
        }
        Self::of(sorting.columns(members))
    }

    /// The ranks of the rules about any tool.
    pub(crate) fn any(&self) -> &[u32] {
        &self.any.ranks
    }

    /// Calls `visit` with each rule whose names fit the event's tool whose literals stand in its arguments and who
    /// find there what they need, in order.
    pub(crate) fn candidates(&self, event: &Event, rules: &Cells, visit: &mut dyn FnMut(RuleIndex)) {
        let sight = OnceCell::new();
        let visit = &mut |rank: u32| {
            let rule = self.members[rank as usize];
            let needed = rules.needed(rule);
            let sight = || sight.get_or_init(|| Sight::of(event)).as_ref();
            if needed.is_empty() || sight().is_none_or(|sight| sight.shows(needed)) {
                visit(rule);
            }
        };
        let asked = Asked { index: self, rules };
        if event.tool.is_none() {
            return self.any.candidates(event, asked, visit);
        }
        let mut names = event.tool_names();
        let (own, canonical) = (names.next().unwrap_or_default(), names.next());
        let Some(canonical) = canonical else { return self.candidates_by(own, event, asked, visit) };
        // A rule may fit by both names, and is asked once, in its place.
        let mut all: Vec<u32> = Vec::new();
        for name in [own, canonical] {
            self.candidates_by(name, event, asked, &mut |rank| all.push(rank));
        }
        all.sort_unstable();
        all.dedup();
        all.into_iter().for_each(visit);
    }

    /// The same for one name of a tool.
    fn candidates_by(&self, tool: &str, event: &Event, asked: Asked<'_>, visit: &mut dyn FnMut(u32)) {
        if let Some(at) = self.tools.find(tool) {
            let bucket = self.buckets[at].get_or_init(|| Box::new(self.bucket(tool, at)));
            return bucket.candidates(event, asked, visit);
        }
        let mut fitting = self.fitting(tool).peekable();
        if fitting.peek().is_none() {
            return self.any.candidates(event, asked, visit);
        }
        let mut all: Vec<u32> = fitting.collect();
        self.any.candidates(event, asked, &mut |rank| all.push(rank));
        all.sort_unstable();
        all.into_iter().for_each(visit);
    }

    fn bucket(&self, tool: &str, at: usize) -> Bucket {
        let mut all = self.own.get(at).to_vec();
        all.extend(self.any().iter().copied().chain(self.fitting(tool)));
        all.sort_unstable();
        // A rule may name a tool twice.
        all.dedup();
        Bucket::new(all.into())
    }

    fn fitting<'i>(&'i self, tool: &'i str) -> impl Iterator<Item = u32> + 'i {
        // Many rules are about the same names: each pattern is matched once.
        let mut fits: SmallVec<[Option<bool>; 32]> = smallvec![None; self.matchers.len()];
        self.patterned.iter().zip(&self.matcher_of).filter_map(move |(&rank, &matcher)| {
            let matcher = matcher as usize;
            let fits = *fits[matcher].get_or_insert_with(|| self.matchers.get(matcher).fits(tool));
            fits.then_some(rank)
        })
    }
}

/// Rules being sorted by what they are about.
#[derive(Debug, Default)]
struct Sorting<'r> {
    own: BTreeMap<&'r str, Vec<u32>>,
    any: Vec<u32>,
    patterned: Vec<u32>,
    matcher_of: Vec<u32>,
    matchers: BTreeMap<&'r ToolMatch, u32>,
}

impl<'r> Sorting<'r> {
    fn add(&mut self, rank: u32, tools: &'r ToolMatch) {
        match tools {
            ToolMatch::Any => self.any.push(rank),
            ToolMatch::OneOf(patterns) if Names::is_exact(patterns) => {
                Names::named(patterns).for_each(|name| self.own.entry(name).or_default().push(rank));
            }
            ToolMatch::OneOf(patterns) => {
                let next = place(self.matchers.len());
                self.patterned.push(rank);
                self.matcher_of.push(*self.matchers.entry(tools).or_insert(next));
                // A list may hold names beside its patterns: each is a tool that some rule names.
                for name in Names::named(patterns) {
                    self.own.entry(name).or_default();
                }
            }
        }
    }

    fn columns(self, members: Vec<RuleIndex>) -> HookColumns {
        let mut matchers: Vec<(u32, &ToolMatch)> =
            self.matchers.into_iter().map(|(tools, at)| (at, tools)).collect();
        matchers.sort_unstable();
        HookColumns {
            members: members.into(),
            tools: ToolTable::new(self.own.keys().copied()),
            own: Groups::new(self.own.values()),
            any: self.any.into(),
            patterned: self.patterned.into(),
            matcher_of: self.matcher_of.into(),
            matchers: Matchers::made(matchers.into_iter().map(|(_, tools)| tools)),
        }
    }
}

/// Where the literals of ranks are found.
#[derive(Debug, Clone, Copy)]
struct Asked<'i> {
    index: &'i HookIndex,
    rules: &'i Cells,
}

impl<'i> Asked<'i> {
    fn literal(self, rank: u32) -> Option<(Cow<'i, str>, Cow<'i, str>)> {
        self.rules.literal(self.index.members[rank as usize])
    }
}

/// Rules that are asked together, and the literals by which most of them are passed over.
#[derive(Debug, Default)]
struct Bucket {
    ranks: Box<[u32]>,
    /// Whether it was asked before: who asks once does not need an automaton.
    asked: AtomicBool,
    search: OnceLock<Search>,
}

/// Below this many rules, asking each is faster than searching for all their literals.
const WORTH_AN_AUTOMATON: usize = 4;

impl Bucket {
    fn new(ranks: Box<[u32]>) -> Self {
        Self { ranks, ..Self::default() }
    }

    fn candidates(&self, event: &Event, asked: Asked<'_>, visit: &mut dyn FnMut(u32)) {
        if self.ranks.len() < WORTH_AN_AUTOMATON {
            return self.ranks.iter().copied().for_each(visit);
        }
        if let Some(search) = self.search.get() {
            return search.candidates(event).into_iter().for_each(|at| visit(self.ranks[at as usize]));
        }
        if !self.asked.swap(true, Ordering::Relaxed) {
            return self
                .ranks
                .iter()
                .copied()
                .filter(|&rank| may_apply(event, asked.literal(rank)))
                .for_each(visit);
        }
        let search = self.search.get_or_init(|| Search::new(&self.ranks, asked));
        search.candidates(event).into_iter().for_each(|at| visit(self.ranks[at as usize]));
    }
}

/// Whether a rule's literal stands in the argument that it is searched in; as [`Search`] finds it, without an automaton.
fn may_apply(event: &Event, literal: Option<(Cow<'_, str>, Cow<'_, str>)>) -> bool {
    let Some((path, literal)) = literal else { return true };
    let Some(tool) = &event.tool else { return false };
    let Value::Object(args) = &tool.args else { return true };
    match args.get(&*path) {
        None | Some(Value::Null) => false,
        Some(Value::String(text)) => text.contains(&*literal),
        Some(_) => true,
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
    fn new(ranks: &[u32], asked: Asked<'_>) -> Self {
        let (mut always, mut by_path) = (Vec::new(), BTreeMap::<String, Vec<(String, u32)>>::new());
        for (at, &rank) in (0..).zip(ranks) {
            match asked.literal(rank) {
                Some((path, literal)) => {
                    by_path.entry(path.into_owned()).or_default().push((literal.into_owned(), at));
                }
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
pub(crate) fn required_literal(rule: &Rule) -> Option<(&str, &str)> {
    let conjuncts: &[Guard] = match &rule.guard {
        Guard::All(inner) => inner,
        single => std::slice::from_ref(single),
    };
    conjuncts.iter().filter_map(literal_of_guard).max_by_key(|(_, literal)| literal.len())
}

fn literal_of_guard(guard: &Guard) -> Option<(&str, &str)> {
    if let Guard::Expr(expr) = guard { literal_of(expr) } else { None }
}

fn literal_of(expr: &Expr) -> Option<(&str, &str)> {
    let Node::Call(function, arguments) = expr.node() else { return None };
    let holds_text = matches!(function, Function::Contains | Function::StartsWith | Function::EndsWith);
    let [subject, literal] = arguments.as_slice() else { return None };
    let Node::Call(Function::Arg, path) = subject.node() else { return None };
    let (path, literal) = (path.first()?.as_text()?, literal.as_text()?);
    let plain = path.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    (holds_text && plain && !literal.is_empty()).then_some((path, literal))
}

//! What is odd about rules that read well: they contradict each other, never apply, or mean less than they say.
//!
//! - Taking guards apart: a guard to [`term`]s that can be compared.
//! - Asking: each lint reads the [`Desk`] and says what it finds.
//! - Placing: every finding stands at the rule or the part of its guard that it is about.
//!
//! Nothing here changes what is decided. A lint that is not sure says nothing.

mod argument;
mod circle;
mod claim;
mod cover;
mod desk;
mod fact;
mod field;
mod kind;
mod never;
mod overrides;
mod pair;
mod pattern;
mod schedule;
mod shape;
mod state;
mod term;
mod tool;
mod tools;

use std::collections::BTreeMap;

use mentci_authority::RuleSet;
use mentci_source::{Finding, Source};

use super::outside::Zones;
use desk::{Desk, Said};

pub use tools::read_tools;

/// What is known beside the rules.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    /// The files that the rules were read from: findings stand at the part that they are about, elsewhere at the rule.
    pub sources: &'k [Source],
    /// The tools that there are, with the arguments that each takes; none where that is not known.
    pub tools: Option<&'k Tools>,
    /// Which zones there are.
    pub zones: &'k dyn Zones,
    /// Rules that are in force beside: they may be named, and what they set may be read. Nothing is said of them.
    pub in_force: &'k [RuleSet],
}

/// Tools by name, each with its arguments; none where a tool does not say.
pub type Tools = BTreeMap<String, Option<Arguments>>;

/// The arguments of a tool by name, each with its schema.
pub type Arguments = BTreeMap<String, serde_json::Value>;

impl std::fmt::Debug for Known<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Known").field("tools", &self.tools).finish_non_exhaustive()
    }
}

/// What is odd in rule sets that are in force together, in the order of the rules.
///
/// ```
/// use mentci_authority::{Dialect, Trust};
/// use mentci_dialect::{OriginHint, read};
/// use mentci_host::policy::{Known, UtcOnly, lint};
/// use mentci_source::Source;
///
/// let text = "rules:\n  - id: deep\n    when: {tool: exec, if: turn_index > 5 and turn_index < 3}\n    then: block\n    message: no\n";
/// let source = Source::new("rules.yaml", text);
/// let hint = OriginHint { pack: "rules".into(), trust: Trust::User };
/// let set = read(&source, Dialect::Yaml, &hint, &mut |_| None).value.unwrap();
/// let known = Known { sources: &[source], tools: None, zones: &UtcOnly, in_force: &[] };
/// let findings = lint(&[set], known);
/// assert_eq!(findings[0].code.id(), "E0244");
/// assert_eq!(findings[0].message, "`deep` never applies: `turn_index > 5` and `turn_index < 3` exclude each other");
/// ```
pub fn lint(sets: &[RuleSet], known: Known<'_>) -> Vec<Finding> {
    let desk = Desk::new(sets, known);
    desk.placed(LINTS.iter().flat_map(|lint| lint(&desk)).collect())
}

const LINTS: &[fn(&Desk<'_>) -> Vec<Said>] = &[
    circle::circles,
    circle::unheard,
    never::never,
    never::always,
    pair::pairs,
    overrides::overrides,
    overrides::named,
    state::state,
    state::parameters,
    tool::tools,
    argument::arguments,
    pattern::patterns,
    schedule::schedules,
    schedule::zones,
    kind::kinds,
    fact::facts,
    claim::claims,
    field::fields,
    field::messages,
];

//! What the workspace has, as far as the law may name it.

use std::collections::{BTreeMap, BTreeSet};

use mentci_reader::capnp::Schema;
use mentci_reader::cargo::WorkspaceFacts;

/// What a compile asks of the workspace. The caller answers [`Inventory::has_path`] from its index or from disk and
/// keeps what was asked and missed, so that it can watch for it.
pub trait Inventory {
    /// Whether a file or folder stands at `path`, relative to the workspace, with `/` between its parts.
    fn has_path(&self, path: &str) -> bool;

    /// The names of crates, types, skills and commands.
    fn names(&self) -> &Names;
}

/// The names that the workspace gives to things.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// Packages of the workspace, and their libraries and binaries.
    pub crates: BTreeSet<String>,
    /// The features of each package, those of its optional dependencies among them.
    pub features: BTreeMap<String, BTreeSet<String>>,
    /// What the packages depend on.
    pub dependencies: BTreeSet<String>,
    /// Schema types by name, with and without the names around them, and the names of their fields, enumerants and
    /// methods.
    pub types: BTreeMap<String, BTreeSet<String>>,
    /// Skills.
    pub skills: BTreeSet<String>,
    /// Skills that have an owner, by the rest of their names: `review` of `acme--review`.
    pub owned_skills: BTreeSet<String>,
    /// Commands that exist here: binaries of the workspace and whatever else the caller knows of.
    pub commands: BTreeSet<String>,
}

impl Names {
    /// Adds a skill.
    pub fn add_skill(&mut self, name: &str) {
        self.owned_skills.extend(name.match_indices("--").map(|(at, _)| name[at + 2..].to_owned()));
        self.skills.insert(name.to_owned());
    }

    /// Adds the types of a schema.
    pub fn add_schema(&mut self, schema: &Schema) {
        for fact in &schema.types {
            let short = fact.name.rsplit('.').next().unwrap_or(&fact.name);
            for name in [fact.name.as_str(), short] {
                self.types.entry(name.to_owned()).or_default().extend(fact.members.iter().cloned());
            }
        }
    }

    /// Adds packages, targets and dependencies.
    pub fn add_workspace(&mut self, facts: &WorkspaceFacts) {
        for member in &facts.members {
            self.crates.insert(member.name.clone());
            self.commands.insert(member.name.clone());
            for target in member.library.iter().chain(&member.bins) {
                self.crates.insert(target.name.clone());
                self.commands.insert(target.name.clone());
            }
            let optional = member.dependencies.iter().filter(|dependency| dependency.optional);
            let features = member.features.keys().chain(optional.map(|dependency| &dependency.name));
            self.features.entry(member.name.clone()).or_default().extend(features.cloned());
            self.dependencies.extend(member.dependencies.iter().map(|dependency| dependency.name.clone()));
        }
        self.dependencies.extend(facts.dependencies.iter().map(|dependency| dependency.name.clone()));
    }
}

/// An inventory of names and a fixed set of paths: for tests, and for callers that hold both in memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FixedInventory {
    /// The names.
    pub names: Names,
    /// Files and folders.
    pub paths: BTreeSet<String>,
}

impl Inventory for FixedInventory {
    fn has_path(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    fn names(&self) -> &Names {
        &self.names
    }
}

/// What a compile asked of the inventory, with the answers: a cached result stands as long as they are the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asked {
    /// Paths, and whether they were there.
    pub paths: BTreeMap<String, bool>,
    /// Names, and whether anything bore them.
    pub names: BTreeMap<String, bool>,
}

impl Asked {
    /// Whether the inventory still answers the same.
    pub fn is_current(&self, inventory: &dyn Inventory) -> bool {
        self.paths.iter().all(|(path, there)| inventory.has_path(path) == *there)
            && self
                .names
                .iter()
                .all(|(name, known)| crate::stale::is_named(inventory.names(), name) == *known)
    }
}

//! What a watch follows, remembered: to collect it anew from every skill takes longer than a save.

use std::sync::Arc;

use mentci_compiler::SkillCompiled;
use mentci_disk::WatchSpec;

use crate::engine::{Engine, Slot};

/// The dependency set that is watched, and the compiled skills that it was collected from.
pub(crate) struct Followed {
    spec: WatchSpec,
    skills: Vec<Arc<SkillCompiled>>,
}

impl Followed {
    /// Follows `spec`, of no skill yet.
    pub(crate) fn new(spec: WatchSpec) -> Self {
        Self { spec, skills: Vec::new() }
    }

    /// Looks at what the last cycle asked for; gives the set to watch when it is another one.
    pub(crate) fn follow(&mut self, engine: &Engine) -> Option<WatchSpec> {
        let skills: Vec<Arc<SkillCompiled>> =
            engine.skills.values().filter_map(Slot::standing).cloned().collect();
        let before = std::mem::replace(&mut self.skills, skills);
        let asks_as_before = before.len() == self.skills.len()
            && before.iter().zip(&self.skills).all(|(before, now)| ask_alike(before, now));
        if asks_as_before && self.spec.patterns == engine.watched_patterns() {
            return None;
        }
        let spec = engine.watch_spec();
        (spec != self.spec).then(|| {
            self.spec = spec.clone();
            spec
        })
    }
}

/// Whether two compiles asked for the same paths.
fn ask_alike(one: &Arc<SkillCompiled>, other: &Arc<SkillCompiled>) -> bool {
    Arc::ptr_eq(one, other) || one.asked.paths.keys().eq(other.asked.paths.keys())
}

//! What a template reads: no other facts are made for it.

/// The parts of `context`.
pub(crate) const CONTEXT: &[&str] = &["turn", "history", "user", "project", "state", "event", "result"];

/// What scripts and templates may name.
pub(crate) const FACTS: &[&str] = &[
    "turn",
    "history",
    "user",
    "project",
    "state",
    "event",
    "result",
    "parameters",
    "plugin",
    "session",
    "tool",
    "rule",
];

/// The facts that are another rule's as well only where it stands in the same pack, or never.
const OF_RULE: &[&str] = &["state", "parameters", "plugin", "rule"];

/// How a template names a part of the context.
const OF_CONTEXT: &str = "context.";

/// What conditions may write for parts of `context.turn`, and templates too.
pub(crate) const ALIASES: &[&str] =
    &["token_usage", "context_usage", "iteration_count", "max_iterations", "turn_number"];

/// Above those of the facts.
const BIT_OF_ALIASES: u16 = 1 << 15;

/// The facts that a template names: by their own names, and in `context`. A bit each, by its place in [`FACTS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needs {
    alone: u16,
    within: u16,
}

impl Needs {
    /// Everything but the aliases, which say again what parts say.
    pub(crate) const ALL: Self = Self { alone: u16::MAX, within: !BIT_OF_ALIASES };

    /// What a template names; all where it may reach parts of the context without their names: it may walk it, or look a
    /// computed name up. All else it can only reach by name.
    pub(crate) fn of(template: &str) -> Self {
        let mut needs = Self { alone: 0, within: 0 };
        let mut before = "";
        for piece in template.split_inclusive(ends_word) {
            let word = piece.trim_end_matches(ends_word);
            if word == "context" && piece != OF_CONTEXT {
                return Self::ALL;
            }
            let places = if before == OF_CONTEXT { &mut needs.within } else { &mut needs.alone };
            *places |= bit(word);
            if !piece.trim().is_empty() {
                before = piece;
            }
        }
        needs
    }

    /// Whether a fact is read by its own name.
    pub(crate) fn alone(self, name: &str) -> bool {
        self.alone & bit(name) != 0
    }

    /// Whether a fact is read in `context`.
    pub(crate) fn within(self, name: &str) -> bool {
        self.within & bit(name) != 0
    }

    /// Whether every rule of the event has the same facts.
    pub(crate) fn is_shared(self) -> bool {
        !OF_RULE.iter().any(|name| self.alone(name) || self.within(name))
    }
}

fn ends_word(c: char) -> bool {
    !c.is_ascii_alphanumeric() && c != '_'
}

/// None for what is no fact.
fn bit(name: &str) -> u16 {
    match FACTS.iter().position(|fact| *fact == name) {
        Some(at) => 1 << at,
        None if ALIASES.contains(&name) => BIT_OF_ALIASES,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_needed_where_they_are_named() {
        for (template, alone, within, is_shared) in [
            ("{{ turn.number }} of {{ context.turn.max_iterations }}", &["turn"][..], &["turn"][..], true),
            ("{{ context.history.tools | length }} calls", &[], &["history"], true),
            ("{{ context.\n  user.id }}", &[], &["user"], true),
            ("{{ parameters.most }} in {{ context.state.kept }}", &["parameters"], &["state"], false),
            ("the return of {{ my_turn }}", &[], &[], true),
            ("{{ rule }}: {{ tool.name }}", &["rule", "tool"], &[], false),
        ] {
            let needs = Needs::of(template);
            let named = |is_needed: &dyn Fn(&str) -> bool| -> Vec<&str> {
                FACTS.iter().copied().filter(|name| is_needed(name)).collect()
            };
            assert_eq!(named(&|name| needs.alone(name)), sorted(alone), "{template}");
            assert_eq!(named(&|name| needs.within(name)), sorted(within), "{template}");
            assert_eq!(needs.is_shared(), is_shared, "{template}");
        }
        for template in
            ["{{ context | length }}", "{{ context[name] }}", "{% for part in context %}{% endfor %}"]
        {
            assert_eq!(Needs::of(template), Needs::ALL, "{template}");
        }
    }

    fn sorted(names: &[&'static str]) -> Vec<&'static str> {
        FACTS.iter().copied().filter(|name| names.contains(name)).collect()
    }
}

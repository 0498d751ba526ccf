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
    "sender",
    "rule",
    "turn_index",
    "context_tokens",
    "history_length",
    "last_role",
];

/// The facts that are another rule's as well only where it stands in the same pack, or never.
const OF_RULE: &[&str] = &["state", "parameters", "plugin", "rule"];

/// How a template names a part of the context.
const OF_CONTEXT: &str = "context.";

/// What conditions may write for parts of `context.turn`, and templates too.
pub(crate) const ALIASES: &[&str] =
    &["token_usage", "context_usage", "iteration_count", "max_iterations", "turn_number"];

/// The parts of the context whose names are known, with these.
const CLOSED: &[(&str, &[&str])] = &[
    ("turn", &["number", "token_usage", "context_usage", "iteration_count", "max_iterations"]),
    ("history", &["messages", "tools", "failures", "total_failures"]),
    ("user", &["id", "settings"]),
    ("project", &["id", "settings"]),
];

/// What a template names that no event has, unless somebody's own context does: the name as far as it is unknown, and those that
/// are known in its place.
pub fn unknown_fact(path: &str) -> Option<(String, Vec<String>)> {
    let (prefix, rest) = match path.strip_prefix(OF_CONTEXT) {
        Some(rest) => (OF_CONTEXT, rest),
        None => ("", path),
    };
    let mut names = rest.split('.');
    let (first, second) = (names.next()?, names.next());
    let parts: &[&str] = if prefix.is_empty() { FACTS } else { CONTEXT };
    let others: &[&str] =
        if prefix.is_empty() { &["context"] } else { &["parameters", "plugin", "get", "has"] };
    let known = || parts.iter().chain(others).chain(ALIASES).copied();
    if !known().any(|name| name == first) {
        return Some((format!("{prefix}{first}"), known().map(|name| format!("{prefix}{name}")).collect()));
    }
    let (_, fields) = CLOSED.iter().find(|(part, _)| *part == first)?;
    let second = second.filter(|name| !fields.contains(name) && !["get", "has"].contains(name))?;
    let near = fields.iter().map(|field| format!("{prefix}{first}.{field}"));
    Some((format!("{prefix}{first}.{second}"), near.collect()))
}

/// Above those of the facts.
const BIT_OF_ALIASES: u32 = 1 << 31;

/// The facts that a template names: by their own names, and in `context`. A bit each, by its place in [`FACTS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needs {
    alone: u32,
    within: u32,
}

impl Needs {
    /// Everything but the aliases, which say again what parts say.
    pub(crate) const ALL: Self = Self { alone: u32::MAX, within: !BIT_OF_ALIASES };

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
fn bit(name: &str) -> u32 {
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

    #[test]
    fn a_name_that_no_event_has_is_unknown() {
        for (path, unknown) in [
            ("turn.token_usage", None),
            ("context.turn.token_usage", None),
            ("context.token_usage", None),
            ("token_usage", None),
            ("context", None),
            ("context.get", None),
            ("event.payload.anything", None),
            ("result.result.deep", None),
            ("state.kept", None),
            ("history.failures.fetch", None),
            ("user.settings.tone", None),
            ("nosuchthing.foo", Some("nosuchthing")),
            ("context.nosuchthing.foo", Some("context.nosuchthing")),
            ("context.turn.tokn_usage", Some("context.turn.tokn_usage")),
            ("history.tool", Some("history.tool")),
        ] {
            let found = unknown_fact(path);
            assert_eq!(found.as_ref().map(|(name, _)| name.as_str()), unknown, "{path}");
        }
        // What every event has is known.
        let within = CONTEXT.iter().chain(ALIASES).map(|part| format!("{OF_CONTEXT}{part}"));
        let mut all = FACTS.iter().chain(ALIASES).map(|&part| part.to_owned()).chain(within);
        assert_eq!(all.find_map(|path| unknown_fact(&path)), None);
    }

    fn sorted(names: &[&'static str]) -> Vec<&'static str> {
        FACTS.iter().copied().filter(|name| names.contains(name)).collect()
    }
}

//! The built-in variables: one table.

use crate::{Named, Type};

macro_rules! variables {
    ($($variant:ident $path:literal $kind:ident $doc:literal)*) => {
        /// A built-in variable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Variable {
            $(#[doc = concat!("`", $path, "`: ", $doc)] $variant),*
        }

        /// Every built-in variable.
        pub const VARIABLES: &[Variable] = &[$(Variable::$variant),*];

        impl Variable {
            /// Its path in text, without `context.`.
            pub fn path(self) -> &'static str {
                match self { $(Self::$variant => $path),* }
            }

            /// Its type, where it is not null.
            pub fn kind(self) -> Type {
                match self { $(Self::$variant => Type::$kind),* }
            }

            /// What it is, one line.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => $doc),* }
            }
        }
    };
}

variables! {
    TurnIndex "turn_index" Int "the turn, from 1; at turn_start the one about to be sent."
    ContextTokens "context_tokens" Int "tokens of the working context."
    HistoryLength "history_length" Int "messages in the history."
    LastRole "last_role" Text "role of the last message: system, developer, user, assistant, tool or none."
    Event "event" Any "the event that raised the hook, null where there is none. One that a rule emitted has `type`, `source`, `hook` and `payload`."
    EventName "event.name" Text "the hook, as `pre_tool_call`."
    EventAt "event.at" Text "when it happened, in RFC 3339."
    EventTimestamp "event.timestamp" Int "the same in milliseconds since 1970, as `now()` and the `timestamp` of calls."
    EventToolName "event.tool.name" Text "the tool of the call."
    EventToolArgs "event.tool.args" Map "the arguments of the call."
    EventToolStatus "event.tool.status" Text "success, error, timeout, invalid, cancelled or denied, after the call."
    EventCommands "event.commands" List "the commands that a shell call runs: `{program, args, flags, cwd, redirects, …}`, see `Library/guide/packs.md`."
    EventFiles "event.files" List "the files that the call reads or changes: `{path, op}`; `op` is `read`, `create`, `update`, `delete` or `rename`."
    EventUnread "event.unread" Text "why the commands or files could not be read whole, null where they could."
    TurnNumber "turn.number" Int "the turn, from 1."
    TurnTokenUsage "turn.token_usage" Number "share of the token budget that is used, 0 to 1."
    TurnContextUsage "turn.context_usage" Number "share of the context window that is used, 0 to 1."
    TurnIterationCount "turn.iteration_count" Int "model requests of this turn."
    TurnMaxIterations "turn.max_iterations" Int "the most model requests of a turn, null where not configured."
    HistoryMessages "history.messages" List "the recent messages: `{role, content}`."
    HistoryTools "history.tools" List "the recent calls: `{name, arguments, result, success, timestamp}`."
    HistoryFailures "history.failures" Map "failures by tool."
    HistoryTotalFailures "history.total_failures" Int "failures of all tools."
    UserId "user.id" Text "the user."
    UserSettings "user.settings" Map "the user's settings."
    ProjectId "project.id" Text "the project."
    ProjectSettings "project.settings" Map "the project's settings."
    State "state" Map "what rules keep, by key."
    Result "result" Any "the result of the call: a map, null before there is one."
    ResultToolName "result.tool_name" Text "the tool that returned."
    ResultResult "result.result" Any "what it returned."
    ResultSuccess "result.success" Bool "whether it succeeded."
    ResultDurationMs "result.duration_ms" Number "how long it took, in milliseconds."
    ResultError "result.error" Any "its error, null where there is none."
    ResultCount "result.count" Int "how many results it returned, null where that cannot be counted."
    Sender "sender" Any "who asks; in text `sender()`."
}

/// Other names that dialects give them.
const ALIASES: &[(&str, Variable)] = &[
    ("token_usage", Variable::TurnTokenUsage),
    ("context_usage", Variable::TurnContextUsage),
    ("iteration_count", Variable::TurnIterationCount),
    ("max_iterations", Variable::TurnMaxIterations),
    ("turn_number", Variable::TurnNumber),
    ("tool_name", Variable::EventToolName),
    ("tool_args", Variable::EventToolArgs),
    ("tool_status", Variable::EventToolStatus),
    ("recent_messages", Variable::HistoryMessages),
];

impl Variable {
    /// The variable of this name, as S-expressions write it: `context-tokens`, `ctx-token-usage`, `event.tool.name`,
    /// `context.turn.number`.
    pub fn find(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        let own = |name: &str| VARIABLES.iter().copied().find(|variable| variable.path() == name);
        own(&name).or_else(|| {
            let bare = name.strip_prefix("context.").or(name.strip_prefix("ctx_")).unwrap_or(&name);
            own(bare)
                .or_else(|| ALIASES.iter().find(|(alias, _)| *alias == bare).map(|(_, variable)| *variable))
        })
    }
}

/// What a dotted path leads to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resolved {
    /// The first `used` parts name a variable; the rest are fields of its value.
    Variable { variable: Variable, used: usize },
    /// The first `used` parts name something that a schema declares; the last of them is its name.
    Named { scope: Named, used: usize },
    /// The part at `at` is none of the fields that there are.
    NoField { at: usize, fields: Vec<&'static str> },
    /// The path stops at a group of variables, which is no value.
    Group { fields: Vec<&'static str> },
}

/// The roots that can stand under `context.`.
const CONTEXT: &[&str] = &["turn", "history", "user", "project", "state", "event", "result"];

/// Fields that `event` has when it comes from a bus.
const BUS_EVENT: &[&str] = &["type", "source", "hook", "severity", "payload", "id"];

/// The first names of built-in variables, for suggestions.
pub(crate) fn roots() -> impl Iterator<Item = &'static str> {
    let own = VARIABLES.iter().filter_map(|variable| variable.path().split('.').next());
    own.chain(["context", "parameters", "plugin"])
}

/// Resolves a path; session variables and what else a schema declares by a bare name are `Named`.
pub(crate) fn resolve(path: &[&str]) -> Resolved {
    match path {
        ["parameters", _, ..] => return Resolved::Named { scope: Named::Parameter, used: 2 },
        ["parameters" | "plugin"] | ["plugin", "settings"] => {
            return Resolved::Group { fields: Vec::new() };
        }
        ["plugin", "settings", _, ..] => return Resolved::Named { scope: Named::Setting, used: 3 },
        ["plugin", ..] => return Resolved::NoField { at: 1, fields: vec!["settings"] },
        ["context"] => return Resolved::Group { fields: CONTEXT.to_vec() },
        ["context", "event", field, ..] if is_event_s(field) => {}
        ["context", "event", ..] => return Resolved::Variable { variable: Variable::Event, used: 2 },
        ["context", field, ..] if !CONTEXT.contains(field) => {
            return match Variable::find(field).filter(|found| found.path().starts_with("turn.")) {
                Some(variable) => Resolved::Variable { variable, used: 2 },
                None => Resolved::NoField { at: 1, fields: CONTEXT.to_vec() },
            };
        }
        _ => {}
    }
    let skipped = usize::from(path[0] == "context");
    below(&path[skipped..], skipped)
}

/// Whether a field of `event` is a variable of its own.
fn is_event_s(field: &str) -> bool {
    VARIABLES.iter().any(|variable| variable.path().strip_prefix("event.") == Some(field))
}

/// Resolves what does not start with `context`.
fn below(path: &[&str], skipped: usize) -> Resolved {
    let joined = path.join(".");
    let leads =
        |own: &str| joined.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let longest =
        VARIABLES.iter().copied().filter(|variable| leads(variable.path())).max_by_key(|v| v.path().len());
    let matched = longest.map_or(0, |variable| variable.path().split('.').count());
    // A group is known by its fields, also one that is a variable of its own, as `result`.
    let mut known = matched;
    while known < path.len() && !fields(&path[..=known].join(".")).is_empty() {
        known += 1;
    }
    let inside = if known == 0 { Vec::new() } else { fields(&path[..known].join(".")) };
    let is_bus =
        known == 1 && path[0] == "event" && path.get(1).is_some_and(|field| BUS_EVENT.contains(field));
    match longest {
        Some(variable) if known == matched && (inside.is_empty() || path.len() == matched || is_bus) => {
            Resolved::Variable { variable, used: skipped + matched }
        }
        _ if known == path.len() => Resolved::Group { fields: inside },
        _ if known > 0 => Resolved::NoField { at: skipped + known, fields: inside },
        _ => Resolved::Named { scope: Named::Variable, used: skipped + 1 },
    }
}

/// The fields of a group of variables: `name`, `tool`, `commands`, `files` of `event`.
fn fields(group: &str) -> Vec<&'static str> {
    let inside = |variable: &Variable| {
        let rest = variable.path().strip_prefix(group)?.strip_prefix('.')?;
        rest.split('.').next()
    };
    let mut fields: Vec<_> = VARIABLES.iter().filter_map(inside).collect();
    fields.dedup();
    fields
}

//! The built-in variables: one table.

use crate::Type;

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
    Event "event" Any "the event that raised the hook, null where there is none."
    EventName "event.name" Text "the hook, as `pre_tool_call`."
    EventToolName "event.tool.name" Text "the tool of the call."
    EventToolArgs "event.tool.args" Map "the arguments of the call."
    EventToolStatus "event.tool.status" Text "success, error, timeout or invalid, after the call."
    EventCommands "event.commands" List "the commands that a shell call runs: `{program, args, flags, cwd, redirects}`."
    EventFiles "event.files" List "the files that the call touches: `{path, op}`."
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

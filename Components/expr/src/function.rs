//! The functions: one table.

use crate::Type;

/// What an argument must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// Anything.
    Any,
    /// A string.
    Text,
    /// A whole number.
    Int,
    /// A number.
    Number,
    /// A list or a map.
    List,
    /// A dotted path into the arguments, `a.b[0]`.
    Path,
    /// Which texts: `last_user last_assistant last_system last_developer last_tool message context`.
    Scope,
    /// A literal regex, in linear time.
    Regex,
    /// A literal glob, `*.env`.
    Glob,
    /// A literal JSONPath (RFC 9535).
    JsonPath,
    /// A literal `HH:MM-HH:MM`.
    TimeRange,
    /// Literal days: `Mon-Fri`, `Mon,Wed`.
    Days,
    /// A literal zone: `Europe/Berlin`, `UTC`, `+02:00`.
    Zone,
}

/// The scopes that [`Parameter::Scope`] takes.
pub(crate) const SCOPES: &[&str] =
    &["last_user", "last_assistant", "last_system", "last_developer", "last_tool", "message", "context"];

macro_rules! functions {
    ($($variant:ident $name:literal [$($parameter:ident)*] $least:literal $most:expr, $returns:ident $world:ident $doc:literal)*) => {
        /// A function.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Function {
            $(#[doc = $doc] $variant),*
        }

        /// Every function.
        pub const FUNCTIONS: &[Function] = &[$(Function::$variant),*];

        impl Function {
            /// Its name in text.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Its parameters; the last one repeats where it takes more.
            pub fn parameters(self) -> &'static [Parameter] {
                match self { $(Self::$variant => &[$(Parameter::$parameter),*]),* }
            }

            /// How few and how many arguments it takes.
            pub fn arity(self) -> (usize, usize) {
                match self { $(Self::$variant => ($least, $most)),* }
            }

            /// What it gives; also null where [`Type::Any`].
            pub fn returns(self) -> Type {
                match self { $(Self::$variant => Type::$returns),* }
            }

            /// Whether only the world can answer it: [`Facts::call`](crate::Facts::call).
            pub fn asks_the_world(self) -> bool {
                match self { $(Self::$variant => functions!(@$world)),* }
            }

            /// What it does, one line.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => $doc),* }
            }
        }
    };
    (@world) => { true };
    (@pure) => { false };
}

functions! {
    EverCalled "ever_called" [Text] 1 1, Bool world "`ever_called(tool)`: whether the tool ran at least once in the session."
    CountCalls "count_calls" [Text] 1 1, Int world "`count_calls(tool)`: how often the tool ran in the session."
    CalledSince "called_since" [Text Int] 2 2, Bool world "`called_since(tool, turns)`: whether the tool ran within the last turns."
    TextContains "text_contains" [Text Scope] 2 2, Bool world "`text_contains(needle, scope)`: whether the scope's text holds the needle."
    Tokens "tokens" [Scope] 1 1, Int world "`tokens(scope)`: how many tokens the scope's text has."
    Now "now" [] 0 0, Int world "`now()`: the event's time in milliseconds."
    SinceMs "since_ms" [Text] 1 1, Any world "`since_ms(rule)`: milliseconds since the rule fired; null where it never did."
    ToolCompleted "tool_completed" [Text] 1 1, Bool world "`tool_completed(tool)`: whether the recent history has a success of the tool."
    ToolFailed "tool_failed" [Text] 1 1, Bool world "`tool_failed(tool)`: whether the recent history has a failure of the tool."
    FailureCount "failure_count" [Text] 1 1, Int world "`failure_count(tool)`: how often the tool failed."
    ContextAboveThreshold "context_above_threshold" [Number] 1 1, Bool world "`context_above_threshold(ratio)`: whether more of the context is used."
    MessageCountAbove "message_count_above" [Int] 1 1, Bool world "`message_count_above(n)`: whether the history has more messages."
    RecentTools "recent_tools" [Int] 1 1, List pure "`recent_tools(n)`: the last calls of `history.tools`."
    StateGet "state.get" [Text Any] 1 2, Any pure "`state.get(key[, default])`: the kept value of the key."
    StateHas "state.has" [Text] 1 1, Bool pure "`state.has(key)`: whether a value is kept."
    Session "session" [Text] 1 1, Any pure "`session(key)`: a fact of the session, or one of the ledger's counters."
    Fact "fact" [Text] 1 1, Any pure "`fact(key)`: a fact that came with the event."
    Sender "sender" [] 0 0, Any pure "`sender()`: who asks."
    Arg "arg" [Path] 1 1, Any pure "`arg(\"a.b[0]\")`: an argument of the current call; null where there is none."
    JsonPath "jsonpath" [JsonPath] 1 1, Any pure "`jsonpath(\"$.a[0]\")`: the value of a singular path into the arguments, the list of matches of any other."
    TimeOfDay "time_of_day" [TimeRange Zone] 1 2, Bool pure "`time_of_day(\"09:00-18:00\"[, zone])`: whether the event lies in the range, both ends included."
    DayOfWeek "day_of_week" [Days Zone] 1 2, Bool pure "`day_of_week(\"Mon-Fri\"[, zone])`: whether the event lies on one of the days."
    Contains "contains" [Any Text] 2 2, Bool pure "`contains(value, text)`: whether the value's text holds the text."
    StartsWith "starts_with" [Any Text] 2 2, Bool pure "`starts_with(value, text)`: whether the value's text starts with the text."
    EndsWith "ends_with" [Any Text] 2 2, Bool pure "`ends_with(value, text)`: whether the value's text ends with the text."
    Matches "matches" [Any Regex] 2 2, Bool pure "`matches(value, regex)`: whether the regex is found in the value's text."
    Glob "glob" [Any Glob] 2 2, Bool pure "`glob(value, pattern)`: whether the whole of the value's text matches: `*` any run, `?` one character, `[a-z]` a class."
    Exists "exists" [Any] 1 1, Bool pure "`exists(value)`: whether it is not null."
    Normalize "normalize" [Any] 1 1, Any pure "`normalize(value)`: its text case-folded, NFKC, without zero-width characters, whitespace collapsed."
    Lower "lower" [Any] 1 1, Any pure "`lower(value)`: its text in lower case."
    Upper "upper" [Any] 1 1, Any pure "`upper(value)`: its text in upper case."
    Trim "trim" [Any] 1 1, Any pure "`trim(value)`: its text without whitespace at the ends."
    Str "str" [Any] 1 1, Text pure "`str(value)`: its text."
    Int "int" [Any] 1 1, Int pure "`int(value)`: the whole number, cut towards zero."
    Float "float" [Any] 1 1, Number pure "`float(value)`: the number."
    Bool "bool" [Any] 1 1, Bool pure "`bool(value)`: whether it is neither null, false, zero nor empty."
    Len "len" [Any] 1 1, Int pure "`len(value)`: characters of a string, items of a list, keys of a map."
    Sum "sum" [List] 1 1, Number pure "`sum(list)`: its numbers added up."
    Min "min" [Any] 1 usize::MAX, Any pure "`min(list)`, `min(a, b, …)`: the least."
    Max "max" [Any] 1 usize::MAX, Any pure "`max(list)`, `max(a, b, …)`: the greatest."
    Abs "abs" [Number] 1 1, Number pure "`abs(number)`: without its sign."
    Round "round" [Number Int] 1 2, Number pure "`round(number[, digits])`: halves go to the even neighbour."
    Sorted "sorted" [List] 1 1, List pure "`sorted(list)`: in ascending order."
    Any "any" [List] 1 1, Bool pure "`any(list)`: whether one item holds."
    All "all" [List] 1 1, Bool pure "`all(list)`: whether every item holds."
}

/// Other names that dialects give them.
const ALIASES: &[(&str, Function)] = &[
    ("ctx_recent_tools", Function::RecentTools),
    ("state_get", Function::StateGet),
    ("state_has", Function::StateHas),
    ("get_state", Function::StateGet),
];

impl Function {
    /// The function of this name: `ever_called`, `ever-called`, `state.get`, `context.state.get`.
    pub fn find(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        let name = name.strip_prefix("context.").unwrap_or(&name);
        let own = FUNCTIONS.iter().copied().find(|function| function.name() == name);
        own.or_else(|| ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, function)| *function))
    }

    /// The parameter that the argument at `at` fills.
    pub fn parameter(self, at: usize) -> Option<Parameter> {
        let parameters = self.parameters();
        (at < self.arity().1).then(|| parameters.get(at).or(parameters.last()).copied()).flatten()
    }
}

//! What is told at load: every message, with its place and its help.

use mentci_expr::{Schema, Type, read};

/// Each problem on a line: code, span, message, help.
fn told(text: &str) -> String {
    let schema = Schema::guard()
        .variable("mood", Type::Text)
        .parameter("threshold", Type::Number)
        .setting("limit", Type::Int);
    told_under(text, &schema)
}

fn told_under(text: &str, schema: &Schema) -> String {
    let lines = read(text, schema).problems.into_iter().map(|problem| {
        let slice = text.get(problem.span.range()).unwrap_or_default();
        let help = problem.help.map(|help| format!(" | {help}")).unwrap_or_default();
        format!("{} `{slice}`: {}{help}", problem.code.id(), problem.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn all(texts: &[&str]) -> String {
    texts
        .iter()
        .map(|text| format!("{text}\n  {}", told(text).replace('\n', "\n  ")))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn what_is_sound_is_silent() {
    for text in [
        "turn_index % 5 == 0",
        "not (ever_called('Y') and ever_called('Z'))",
        "arg(\"target_lang\") in [\"en\",\"fr\",\"de\"]",
        "arg(\"text\") != \"\"",
        "tokens(\"last_user\") <= 4000",
        "text_contains(\"Error\", \"last_tool\")",
        "context_tokens > 40000",
        "context.token_usage > 0.8",
        "result.count > 6",
        "context.result is not None and context.result.success and len(context.result.result or '') > 2000",
        "context.event is not None and context.history.total_failures >= 3",
        "context.event.payload.anything == 1 and event.payload.x is null and event.tool.args.path == 'x'",
        "mood == 'calm' and parameters.threshold < plugin.settings.limit",
        "any(c.program == 'rm' for c in event.commands)",
        "context.user.settings.anything.goes == 1",
        "time_of_day('9:00-18:00', 'Europe/Berlin') or day_of_week('Fri-Mon')",
        "true if turn_index > 3 else arg('x') == 2",
        "sender() == 'agent' and session('role') == fact('x')",
        "state.get('k', 0) > 3 and context.state.k > 2",
    ] {
        assert_eq!(told(text), "", "{text}");
    }
}

#[test]
fn names() {
    insta::assert_snapshot!(all(&[
        "turn_indx > 5",
        "moood == 'x'",
        "context.turn.nonexistent_field > 0",
        "context.turn.token_usge > 0",
        "context.trun.number > 0",
        "event.tool.nmae == 'x'",
        "parameters.treshold > 1",
        "plugin.settings.limt > 1",
        "plugin.sets.limt > 1",
        "context.__class__ == 1",
        "context.turn.__class__.__subclasses__()",
        "context.turn == 1",
        "event.tool == 1",
        "now > 5",
        "nil == turn_index",
        "any(tool.name == 'x' for t in history.tools)",
        "undefined_variable > 0 and open('/etc/passwd')",
    ]), @r"
    turn_indx > 5
      E0211 `turn_indx`: there is no variable `turn_indx` | did you mean `turn_index`?
    moood == 'x'
      E0211 `moood`: there is no variable `moood` | did you mean `mood`?
    context.turn.nonexistent_field > 0
      E0211 `context.turn.nonexistent_field`: `context.turn` has no field `nonexistent_field` | there are `number`, `token_usage`, `context_usage`, `iteration_count`, `max_iterations`
    context.turn.token_usge > 0
      E0211 `context.turn.token_usge`: `context.turn` has no field `token_usge` | did you mean `token_usage`?
    context.trun.number > 0
      E0211 `context.trun.number`: `context` has no field `trun` | did you mean `turn`?
    event.tool.nmae == 'x'
      E0211 `event.tool.nmae`: `event.tool` has no field `nmae` | did you mean `name`?
    parameters.treshold > 1
      E0211 `parameters.treshold`: `parameters` has no field `treshold` | did you mean `threshold`?
    plugin.settings.limt > 1
      E0211 `plugin.settings.limt`: `plugin.settings` has no field `limt` | did you mean `limit`?
    plugin.sets.limt > 1
      E0211 `plugin.sets.limt`: `plugin` has no field `sets` | there are `settings`
    context.__class__ == 1
      E0211 `context.__class__`: `__class__` is not allowed: names never start with `__` | take another name
    context.turn.__class__.__subclasses__()
      E0212 `context.turn.__class__.__subclasses__`: there is no function `context.turn.__class__.__subclasses__` | `Library/grammar.md` lists the functions, such as `len(result)`
    context.turn == 1
      E0211 `context.turn`: `context.turn` is a group of names and no value | name one of its fields: `number`, `token_usage`, `context_usage`, `iteration_count`, `max_iterations`
    event.tool == 1
      E0211 `event.tool`: `event.tool` is a group of names and no value | name one of its fields: `name`, `args`, `status`
    now > 5
      E0211 `now`: there is no variable `now` | it is a function: write `now(…)`
    nil == turn_index
      E0211 `nil`: there is no variable `nil` | write `null`
    any(tool.name == 'x' for t in history.tools)
      E0211 `tool.name`: there is no variable `tool` | `Library/grammar.md` lists the variables, such as `turn_index`
    undefined_variable > 0 and open('/etc/passwd')
      E0211 `undefined_variable`: there is no variable `undefined_variable` | `Library/grammar.md` lists the variables, such as `turn_index`
      E0212 `open`: there is no function `open` | `Library/grammar.md` lists the functions, such as `len(result)`
    ");
}

#[test]
fn calls() {
    insta::assert_snapshot!(all(&[
        "ever_caled('x')",
        "open('/etc/passwd')",
        "__import__('os').system('ls')",
        "eval('1+1')",
        "'a'.upper() == 'A'",
        "ever_called()",
        "ever_called('a', 'b')",
        "called_since('a', 2.5)",
        "ever_called(5)",
        "text_contains('x', 'last_usr')",
        "len() > 1",
        "min() > 1",
        "sum(5) > 1",
    ]), @r"
    ever_caled('x')
      E0212 `ever_caled`: there is no function `ever_caled` | did you mean `ever_called`?
    open('/etc/passwd')
      E0212 `open`: there is no function `open` | `Library/grammar.md` lists the functions, such as `len(result)`
    __import__('os').system('ls')
      E0212 `__import__`: there is no function `__import__` | `Library/grammar.md` lists the functions, such as `len(result)`
    eval('1+1')
      E0212 `eval`: there is no function `eval` | `Library/grammar.md` lists the functions, such as `len(result)`
    'a'.upper() == 'A'
      E0212 `'a'.upper`: only functions can be called | values have no methods; functions take them as arguments: `lower(a)`
    ever_called()
      E0212 `ever_called()`: `ever_called` takes 1 argument, not 0 | `ever_called(tool)`: whether the tool ran at least once in the session.
    ever_called('a', 'b')
      E0212 `ever_called('a', 'b')`: `ever_called` takes 1 argument, not 2 | `ever_called(tool)`: whether the tool ran at least once in the session.
    called_since('a', 2.5)
      E0212 `2.5`: `called_since` takes a whole number here, not a number | `called_since(tool, turns)`: whether the tool ran within the last turns.
    ever_called(5)
      E0212 `5`: `ever_called` takes a string here, not a whole number | `ever_called(tool)`: whether the tool ran at least once in the session.
    text_contains('x', 'last_usr')
      E0211 `'last_usr'`: there is no scope `last_usr` | did you mean `last_user`?
    len() > 1
      E0212 `len()`: `len` takes 1 argument, not 0 | `len(value)`: characters of a string, items of a list, keys of a map.
    min() > 1
      E0212 `min()`: `min` takes 1 or more arguments, not 0 | `min(list)`, `min(a, b, …)`: the least.
    sum(5) > 1
      E0212 `5`: `sum` takes a list here, not a whole number | `sum(list)`: its numbers added up.
    ");
}

#[test]
fn patterns() {
    insta::assert_snapshot!(all(&[
        "matches(arg('a'), '(?=x)')",
        r"matches(arg('a'), r'(a)\1')",
        "matches(arg('a'), '(')",
        r"matches(arg('a'), r'\w{1000}{1000}')",
        "matches(arg('a'), mood)",
        "glob(arg('a'), '[z-a]')",
        "arg('a..b') == 1",
        "arg('$.a') == 1",
        "jsonpath('a.b') == 1",
        "jsonpath('$..a..b') == 1",
        "jsonpath('$[0,1,2,3,4,5,6,7][0,1,2,3,4,5,6,7][0,1]') == 1",
        "time_of_day('9-18')",
        "time_of_day('!09:00-18:00')",
        "time_of_day('25:00-18:00')",
        "not day_of_week('Mon-Fry')",
        "day_of_week('')",
    ]), @r#"
    matches(arg('a'), '(?=x)')
      E0213 `'(?=x)'`: the regex `(?=x)` looks ahead (`(?=`), which cannot be matched in linear time | write what stands around it into the pattern, or into a condition of its own
    matches(arg('a'), r'(a)\1')
      E0213 `r'(a)\1'`: the regex `(a)\1` refers back to a group (`\1`), which cannot be matched in linear time | write out what may stand there again
    matches(arg('a'), '(')
      E0213 `'('`: the regex `(` does not read: unclosed group | put a `\` before a sign that stands for itself, as in `\(`
    matches(arg('a'), r'\w{1000}{1000}')
      E0213 `r'\w{1000}{1000}'`: the regex `\w{1000}{1000}` is too large once compiled: repeat fewer things fewer times | repeat less, or take the pattern apart into several
    matches(arg('a'), mood)
      E0212 `mood`: this argument of `matches` must be a literal string | it is read when the rule is loaded, so that it can never fail later
    glob(arg('a'), '[z-a]')
      E0213 `'[z-a]'`: the glob `[z-a]` does not read | `*` is any text, `?` any one character, `[a-z]` one of these: `*.env`
    arg('a..b') == 1
      E0213 `'a..b'`: `a..b` is not a path like `a.b[0]` | write the keys with dots between them: `"edits[0].path"`
    arg('$.a') == 1
      E0213 `'$.a'`: `$.a` is a JSONPath: write `jsonpath(…)` | call `jsonpath(…)` instead
    jsonpath('a.b') == 1
      E0213 `'a.b'`: `a.b` is not a JSONPath like `$.a[0]` | write it as in `"$.edits[*].path"`
    jsonpath('$..a..b') == 1
      E0213 `'$..a..b'`: the JSONPath `$..a..b` is not linear: at most one `..`, few selectors in a bracket, no `$` in a filter | write it as in `"$.edits[*].path"`
    jsonpath('$[0,1,2,3,4,5,6,7][0,1,2,3,4,5,6,7][0,1]') == 1
      E0213 `'$[0,1,2,3,4,5,6,7][0,1,2,3,4,5,6,7][0,1]'`: the JSONPath `$[0,1,2,3,4,5,6,7][0,1,2,3,4,5,6,7][0,1]` is not linear: at most one `..`, few selectors in a bracket, no `$` in a filter | write it as in `"$.edits[*].path"`
    time_of_day('9-18')
      E0213 `'9-18'`: `9-18` is not a time range like `09:00-18:00` | write two times of 24 hours: `"09:00-18:00"`
    time_of_day('!09:00-18:00')
      E0213 `'!09:00-18:00'`: `!09:00-18:00` is negated inside the text; write `not` before the call | take the `!` off, and write `not` before the call
    time_of_day('25:00-18:00')
      E0213 `'25:00-18:00'`: `25:00-18:00` is not a time range like `09:00-18:00` | write two times of 24 hours: `"09:00-18:00"`
    not day_of_week('Mon-Fry')
      E0213 `'Mon-Fry'`: `Fry` is not a day of the week like `Mon` | write days, or a range of them: `"Mon-Fri"`
    day_of_week('')
      E0213 `''`: `` is not a day of the week like `Mon` | write days, or a range of them: `"Mon-Fri"`
    "#);
}

#[test]
fn types() {
    insta::assert_snapshot!(all(&[
        "turn_index",
        "event.tool.name",
        "history.tools",
        "turn_index > 5 and len(history.tools)",
        "turn_index or true",
        "turn_index == '5'",
        "turn_index > '5'",
        "context.turn.number + 'string' == 1",
        "context.turn.number / 0 > 1",
        "turn_index is 5",
        "turn_index.size == 1",
        "turn_index[0] == 1",
        "history.tools['a'] == 1",
        "5 in turn_index",
        "-mood == 1",
        "any(x for x in 5)",
        "arg('n') + 1",
        "-arg('n')",
        "arg('a') + arg('b')",
        "turn_index > 1 and arg('n') * 2",
        "arg('a') + 'x'",
        "arg('n')",
    ]), @r#"
    turn_index
      E0214 `turn_index`: a guard must be true or false, this is a whole number | compare it: `turn_index > 0`
    event.tool.name
      E0214 `event.tool.name`: a guard must be true or false, this is a string | compare it: `event.tool.name != ""`
    history.tools
      E0214 `history.tools`: a guard must be true or false, this is a list | ask for its size: `len(history.tools) > 0`
    turn_index > 5 and len(history.tools)
      E0214 `len(history.tools)`: a guard must be true or false, this is a whole number | compare it: `len(history.tools) > 0`
    turn_index or true
      E0214 `turn_index`: a guard must be true or false, this is a whole number | compare it: `turn_index > 0`
    turn_index == '5'
      E0216 `turn_index == '5'`: `==` between a whole number and a string is always false
    turn_index > '5'
      E0216 `turn_index > '5'`: `>` between a whole number and a string always faults
    context.turn.number + 'string' == 1
      E0216 `context.turn.number + 'string'`: `+` between a whole number and a string always faults
    context.turn.number / 0 > 1
      E0216 `context.turn.number / 0`: a division by zero always faults
    turn_index is 5
      E0214 `5`: `is` compares with `null`, `true` and `false` only | write `==`
    turn_index.size == 1
      E0214 `turn_index.size`: `size` is asked of a whole number, which has no fields | compare the value itself, or take `.size` off
    turn_index[0] == 1
      E0214 `0`: a whole number has no index that is a whole number | lists are indexed by whole numbers, maps by strings
    history.tools['a'] == 1
      E0214 `history.tools['a']`: `a` is asked of a list, which has no fields | compare the value itself, or take `.a` off
    5 in turn_index
      E0216 `5 in turn_index`: `in` between a whole number and a whole number always faults
    -mood == 1
      E0216 `mood`: a minus before a string always faults
    any(x for x in 5)
      E0214 `5`: a list is walked, and this is a whole number | walk a list, as in `any(call.name == "exec" for call in history.tools)`
    arg('n') + 1
      E0214 `arg('n') + 1`: a guard must be true or false, this is a number | compare it: `arg("n") + 1 > 0`
    -arg('n')
      E0214 `-arg('n')`: a guard must be true or false, this is a number | compare it: `-arg("n") > 0`
    arg('a') + arg('b')
      E0214 `arg('a') + arg('b')`: a guard must be true or false, this is the outcome of `+` | compare it: `arg("a") + arg("b") > 0`
    turn_index > 1 and arg('n') * 2
      E0214 `arg('n') * 2`: a guard must be true or false, this is a number | compare it: `arg("n") * 2 > 0`
    arg('a') + 'x'
      E0214 `arg('a') + 'x'`: a guard must be true or false, this is a string | compare it: `arg("a") + "x" != ""`
    arg('n')
    "#);
}

#[test]
fn syntax() {
    insta::assert_snapshot!(all(&[
        "turn_index > > 5",
        "turn_index >",
        "(turn_index > 5",
        "turn_index > 5)",
        "turn_index = 5 && mood == 'x' || !mood",
        "turn_index == 5 mood == 'x'",
        "mood == 'calm",
        "'\\d' == mood",
        "turn_index == not true",
        "1 if true",
        "any(x for in mood)",
        "any(x for x of mood)",
        "[1 2] == 1",
        "{a: 1} == 1",
        "arg('a').0 == 1",
        "5x == 1",
        "99999999999999999999 == 1 and 9223372036854775808 == 1",
        "a ? b : c",
        "turn_index > 5 and (mood == and [1, 2",
    ]), @r#"
    turn_index > > 5
      E0210 `>`: unexpected `>`, a value is missing before it | write the value, as in `turn_index > 5`, or take this off
    turn_index >
      E0210 ``: the expression ends where a value is missing | add the value, as in `turn_index > 5`, or take the last operator off
    (turn_index > 5
      E0210 `(`: the `(` is not closed | add `)`
    turn_index > 5)
      E0210 `)`: unexpected `)`, the expression has ended before it | write `and` or `or` between two conditions, and put texts in quotes
    turn_index = 5 && mood == 'x' || !mood
      E0210 `=`: `=` is not an operator | write `==`
      E0210 `&&`: `&&` is not an operator | write `and`
      E0210 `||`: `||` is not an operator | write `or`
      E0210 `!`: `!` is not an operator | write `not`
    turn_index == 5 mood == 'x'
      E0210 `mood`: unexpected `mood`, the expression has ended before it | write `and` or `or` between two conditions, and put texts in quotes
    mood == 'calm
      E0210 `'`: the string is not closed | close it with `'`
    '\d' == mood
      E0210 `\d`: `\d` is not an escape | write `\\d` for a backslash, or a raw string: `r"\d"`
    turn_index == not true
      E0210 `not`: `not` cannot stand here | put parentheses around it: `a == (not b)`
    1 if true
      E0210 ``: `else` is missing here | write `a if condition else b`
    any(x for in mood)
      E0211 `x`: there is no variable `x` | did you mean `_`?
      E0210 `in`: a name is missing here | write `any(body for name in list)`
    any(x for x of mood)
      E0210 `of`: `in` is missing here | write `any(body for name in list)`
      E0211 `of`: there is no variable `of` | `Library/grammar.md` lists the variables, such as `turn_index`
      E0210 `mood`: unexpected `mood` | a `,` or `)` is missing before it
    [1 2] == 1
      E0210 `2`: unexpected `2` | a `,` or `]` is missing before it
    {a: 1} == 1
      E0210 `a`: a string is missing here | the keys of a map are strings: `{"key": value}`
    arg('a').0 == 1
      E0210 `.`: a field's name is missing after `.` | for items of lists and other keys, write `a[0]`, `a["key"]`
    5x == 1
      E0210 `5x`: `5x` is not a number | a name starts with a letter, and a text stands in quotes
    99999999999999999999 == 1 and 9223372036854775808 == 1
      E0210 `99999999999999999999`: the number `99999999999999999999` is too large | a number has 64 bits: write a smaller one, or a text in quotes
      E0210 `9223372036854775808`: the number `9223372036854775808` is too large | a number has 64 bits: write a smaller one, or a text in quotes
    a ? b : c
      E0211 `a`: there is no variable `a` | `Library/grammar.md` lists the variables, such as `turn_index`
      E0210 `?`: unexpected `?` | write it as in `turn_index > 5 and arg("path") == "/etc"`
      E0210 `b`: unexpected `b`, the expression has ended before it | write `and` or `or` between two conditions, and put texts in quotes
      E0210 `:`: unexpected `:`, the expression has ended before it | write `and` or `or` between two conditions, and put texts in quotes
    turn_index > 5 and (mood == and [1, 2
      E0210 `(`: the `(` is not closed | add `)`
      E0210 `and`: unexpected `and`, a value is missing before it | write the value, as in `turn_index > 5`, or take this off
      E0210 `[`: the `[` is not closed | add `]`
    "#);
}

#[test]
fn what_is_empty_is_told() {
    for text in ["", "  \n "] {
        assert_eq!(
            told(text),
            format!("E0210 `{text}`: the expression is empty | write `true` for what always holds")
        );
    }
}

#[test]
fn a_body_must_give_a_map() {
    let schema = Schema::of(Type::Map);
    assert_eq!(told_under(r#"{"query": "related to " + arg("query")}"#, &schema), "");
    insta::assert_snapshot!(told_under("5", &schema), @r"E0214 `5`: this must give a map and gives a whole number | write an expression that gives a map");
}

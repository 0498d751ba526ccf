//! A plugin to begin with.

use super::MANIFEST;

/// Its files: path below its folder, and bytes.
pub(super) fn files(id: &str) -> Vec<(String, Vec<u8>)> {
    let of = |path: &str, text: &str| (path.to_owned(), text.replace("ID", id).into_bytes());
    vec![of(MANIFEST, MANIFEST_TEXT), of("rules/many-calls.toml", RULE), of("README.md", README)]
}

const MANIFEST_TEXT: &str = r#"[plugin]
id = "ID"
name = "ID"
version = "0.1.0"
description = "Says when an agent has called many tools in its session."

[capabilities]
requires = ["notifications"]

[rules]
include = ["rules/*.toml"]

[settings.limit]
name = "Calls"
description = "How many calls are many."
type = "int"
default = 20
min = 1
max = 1000
"#;

const RULE: &str = r#"[rule]
id = "many-calls"
description = "Many tools were called in this session."
trigger = "on_turn_start"
cooldown_turns = 5

[condition]
expression = 'session("total_calls") >= plugin.settings.limit'

[action]
type = "notify_self"
message = "{{ plugin.settings.limit }} calls or more were made. Say where you stand before you go on."

[[rule.tests]]
name = "as many as are set"
before = [{ event = "pre_tool_call", tool = "read" }]
settings = { ID = { limit = 1 } }
rules = ["many-calls"]

[[rule.tests]]
name = "fewer than are set"
before = [{ event = "pre_tool_call", tool = "read" }]
rules = []
"#;

const README: &str = "# ID\n
Says when an agent has called many tools. `limit` says how many that are:\n
```sh
policy-engine plugins set ID limit 50
```
";

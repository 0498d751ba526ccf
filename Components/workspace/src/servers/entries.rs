//! The entries of servers as text: comments, order and what is not known stay as they are.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use mentci_source::{Code, Finding};
use serde_json::{Map, Value};

use crate::twice::twice;

/// Where clients keep their servers.
const PLACES: [&str; 2] = ["mcpServers", "servers"];
/// Where the headers for a server at an address are kept: arguments of programs can be seen by every user.
const HEADERS: &str = "MCP_GATEWAY_HEADERS";

/// The text with each server behind a gateway. One that stands behind a gateway already stays as it is; one that cannot be
/// put there is told.
///
/// # Errors
/// Where the text cannot be read, or holds no servers.
pub(super) fn guarded(path: &str, text: &str, engine: &str) -> Result<(String, Vec<Finding>), Finding> {
    let (root, mut odd) = (parse(path, text)?, Vec::new());
    for (name, entry) in servers(path, &root)? {
        let Some(entry) = entry else {
            odd.push(unguarded(path, &name, "it is no object"));
            continue;
        };
        let told = entry.to_serde_value().unwrap_or_default();
        if is_guarded(&told) || is_own(&told) {
            continue;
        }
        match behind(&name, &told) {
            Ok(Behind { args, env, gone }) => {
                for key in gone {
                    remove(&entry, key);
                }
                set(&entry, "command", CstInputValue::String(engine.to_owned()));
                set(&entry, "args", strings(&args));
                for (name, value) in env {
                    if let Some(env) = entry.object_value_or_create("env") {
                        set(&env, &name, CstInputValue::String(value));
                    }
                }
            }
            Err(why) => odd.push(unguarded(path, &name, &why)),
        }
    }
    Ok((root.to_string(), odd))
}

/// The text without gateways.
///
/// # Errors
/// As [`guarded`].
pub(super) fn restored(path: &str, text: &str) -> Result<String, Finding> {
    let root = parse(path, text)?;
    for entry in servers(path, &root)?.into_iter().filter_map(|(_, entry)| entry) {
        let told = entry.to_serde_value().unwrap_or_default();
        if !is_guarded(&told) {
            continue;
        }
        let args = texts(&told["args"]).unwrap_or_default();
        if let Some(at) = args.iter().position(|word| word == "--") {
            let words = args.get(at + 1..).unwrap_or_default();
            let Some((command, rest)) = words.split_first() else { continue };
            set(&entry, "command", CstInputValue::String(command.clone()));
            if rest.is_empty() {
                remove(&entry, "args");
            } else {
                set(&entry, "args", strings(rest));
            }
            continue;
        }
        let was = args.iter().position(|word| word == "--was").and_then(|at| args.get(at + 1));
        let was = was.and_then(|was| serde_json::from_str::<Map<String, Value>>(was).ok());
        for key in ["command", "args"] {
            remove(&entry, key);
        }
        for (key, value) in was.unwrap_or_default() {
            set(&entry, &key, CstInputValue::String(value.as_str().unwrap_or_default().to_owned()));
        }
        let Some(env) = entry.object_value("env") else { continue };
        let headers = told["env"][HEADERS].as_str().unwrap_or_default();
        if let Some(to) = (!headers.is_empty()).then(|| entry.object_value_or_create("headers")).flatten() {
            for (name, value) in headers.lines().filter_map(|line| line.split_once(": ")) {
                set(&to, name, CstInputValue::String(value.to_owned()));
            }
        }
        remove(&env, HEADERS);
        if env.properties().is_empty() {
            remove(&entry, "env");
        }
    }
    Ok(root.to_string())
}

/// What an entry becomes.
struct Behind {
    args: Vec<String>,
    env: Vec<(String, String)>,
    /// The keys that are no longer needed.
    gone: Vec<&'static str>,
}

/// A server's entry behind a gateway.
///
/// # Errors
/// Why it cannot stand there.
fn behind(name: &str, told: &Value) -> Result<Behind, String> {
    let mut args: Vec<String> = ["mcp", "gateway", "--name", name].map(str::to_owned).to_vec();
    if let Some(command) = told.get("command").and_then(Value::as_str) {
        args.extend(["--".to_owned(), command.to_owned()]);
        let own = told.get("args").map_or(Some(Vec::new()), texts);
        args.extend(own.ok_or("its `args` are no list of texts")?);
        return Ok(Behind { args, env: Vec::new(), gone: Vec::new() });
    }
    let kind = told.get("type").and_then(Value::as_str).unwrap_or_default();
    if kind.eq_ignore_ascii_case("sse") {
        return Err("it is reached by server-sent events alone, which the protocol gave up".to_owned());
    }
    let keys = ["type", "url", "httpUrl", "serverUrl"];
    let was: Map<String, Value> =
        keys.iter().filter_map(|key| Some(((*key).to_owned(), told.get(*key)?.clone()))).collect();
    let url = ["httpUrl", "serverUrl", "url"].iter().find_map(|key| was.get(*key)?.as_str());
    let url = url.ok_or("it has neither `command` nor `url`, as text")?;
    args.extend(["--url".to_owned(), url.to_owned()]);
    args.extend(["--was".to_owned(), Value::Object(was.clone()).to_string()]);
    let headers = told.get("headers").and_then(Value::as_object).into_iter().flatten();
    let headers: Option<Vec<String>> =
        headers.map(|(name, value)| Some(format!("{name}: {}", value.as_str()?))).collect();
    let headers = headers.ok_or("its `headers` are no texts")?;
    let env = if headers.is_empty() { Vec::new() } else { vec![(HEADERS.to_owned(), headers.join("\n"))] };
    Ok(Behind { args, env, gone: keys.into_iter().chain(["headers"]).collect() })
}

fn unguarded(path: &str, name: &str, why: &str) -> Finding {
    let message = format!("the server `{name}` stands before no gateway: {why}");
    Finding::new(Code::SERVER_UNGUARDED, message).in_file(path)
}

/// The servers of a configuration, by name; none for one that is no object.
fn servers(path: &str, root: &CstRootNode) -> Result<Vec<(String, Option<CstObject>)>, Finding> {
    let object = root.object_value().ok_or_else(|| unfit(path, "it is no object"))?;
    let place = PLACES.iter().find_map(|place| object.object_value(place));
    let place = place.ok_or_else(|| unfit(path, "it has no object `mcpServers` or `servers`"))?;
    let named = place.properties().into_iter().filter_map(|server| {
        let name = server.decoded_name()?;
        Some((name, server.value()?.as_object()))
    });
    Ok(named.collect())
}

fn is_guarded(told: &Value) -> bool {
    let args = &told["args"];
    args[0] == "mcp" && args[1] == "gateway" && is_engine(told)
}

/// Our own server asks the policy itself.
fn is_own(told: &Value) -> bool {
    told["args"][0] == "mcp" && is_engine(told)
}

fn is_engine(told: &Value) -> bool {
    let command = told["command"].as_str().unwrap_or_default();
    command
        .rsplit(['/', '\\'])
        .next()
        .is_some_and(|name| matches!(name.trim_end_matches(".exe"), "policy-engine" | "mentci-policy-engine"))
}

fn texts(list: &Value) -> Option<Vec<String>> {
    list.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

fn strings(words: &[String]) -> CstInputValue {
    CstInputValue::Array(words.iter().map(|word| CstInputValue::String(word.clone())).collect())
}

fn set(object: &CstObject, key: &str, value: CstInputValue) {
    match object.get(key) {
        Some(property) => property.set_value(value),
        None => drop(object.append(key, value)),
    }
}

fn remove(object: &CstObject, key: &str) {
    if let Some(property) = object.get(key) {
        property.remove();
    }
}

fn parse(path: &str, text: &str) -> Result<CstRootNode, Finding> {
    let options = ParseOptions { allow_missing_commas: false, ..ParseOptions::default() };
    let text = text.trim_start_matches('\u{feff}');
    let root = CstRootNode::parse(text, &options)
        .map_err(|error| unfit(path, &format!("it cannot be read: {error}")))?;
    // We would write into the first, and the client reads the last.
    twice(text, |what| unfit(path, what)).map_or(Ok(root), Err)
}

fn unfit(path: &str, what: &str) -> Finding {
    Finding::new(Code::HARNESS_SETTINGS, format!("the configuration stays as it is: {what}"))
        .in_file(path)
        .help("name a file of JSON that holds the servers of a client, such as `.mcp.json`")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: &str = r#"{
  // mine
  "mcpServers": {
    "fs": { "command": "npx", "args": ["-y", "server-fs", "."], "env": {"A": "1"}, "alwaysAllow": ["read"] },
    "bare": { "command": "srv" },
    "far": { "type": "http", "url": "https://mcp.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"} },
    "old": { "type": "sse", "url": "https://mcp.example/sse" },
    "mentci": { "command": "/opt/bin/policy-engine", "args": ["mcp"] }
  },
  "other": true
}
"#;

    #[test]
    fn every_server_stands_behind_a_gateway() {
        let (text, odd) = guarded("m.json", MIXED, "policy-engine").unwrap();
        insta::assert_snapshot!(text, @r#"
        {
          // mine
          "mcpServers": {
            "fs": { "command": "policy-engine", "args": ["mcp", "gateway", "--name", "fs", "--", "npx", "-y", "server-fs", "."], "env": {"A": "1"}, "alwaysAllow": ["read"] },
            "bare": {
              "command": "policy-engine",
              "args": ["mcp", "gateway", "--name", "bare", "--", "srv"]
            },
            "far": {
              "command": "policy-engine",
              "args": ["mcp", "gateway", "--name", "far", "--url", "https://mcp.example/mcp", "--was", "{\"type\":\"http\",\"url\":\"https://mcp.example/mcp\"}"],
              "env": {
                "MCP_GATEWAY_HEADERS": "Authorization: Bearer ${TOKEN}"
              }
            },
            "old": { "type": "sse", "url": "https://mcp.example/sse" },
            "mentci": { "command": "/opt/bin/policy-engine", "args": ["mcp"] }
          },
          "other": true
        }
        "#);
        let told: Vec<String> = odd.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(told.join("\n"), @r"m.json: warning[E0905]: the server `old` stands before no gateway: it is reached by server-sent events alone, which the protocol gave up");
        assert_eq!(guarded("m.json", &text, "policy-engine").unwrap().0, text, "once more changes nothing");
        let restored: Value = jsonc(&restored("m.json", &text).unwrap());
        assert_eq!(restored, jsonc(MIXED));
    }

    fn jsonc(text: &str) -> Value {
        CstRootNode::parse(text, &ParseOptions::default()).unwrap().to_serde_value().unwrap()
    }

    #[test]
    fn what_is_no_configuration_stays_as_it_is() {
        for (text, said) in [
            ("{", "it cannot be read"),
            ("[]", "it is no object"),
            ("{}", "it has no object `mcpServers` or `servers`"),
            (r#"{"mcpServers": {}, "mcpServers": {}}"#, "the key `mcpServers` stands twice in one object"),
            (r#"{"mcpServers": {"a": {"command": "x", "command": "y"}}}"#, "the key `command` stands twice"),
        ] {
            let finding = guarded("m.json", text, "policy-engine").unwrap_err();
            assert_eq!(restored("m.json", text).unwrap_err(), finding);
            assert!(finding.message.contains(said), "{text}: {}", finding.message);
        }
    }
}

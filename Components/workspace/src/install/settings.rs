//! The settings of a harness as text: our hooks put beside what stands there, and taken away again. Comments, order and
//! foreign hooks stay as they are.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use mentci_host::InstalledHook;
use mentci_source::{Code, Finding};

/// What settings are begun with.
const EMPTY: &str = "{\n}\n";

/// The text with our hooks in it, each once. What is there already stays where it stands.
///
/// # Errors
/// Where the text cannot be read, or holds something else where hooks belong.
pub(super) fn with_hooks(
    path: &str,
    text: Option<&str>,
    mark: &str,
    hooks: &[InstalledHook],
) -> Result<String, Finding> {
    let root = parse(path, text.filter(|text| !text.trim().is_empty()).unwrap_or(EMPTY))?;
    let events = events(path, &root, true)?;
    for hook in hooks {
        let Some(groups) = events.array_value_or_create(&hook.event) else {
            return Err(unfit(path, &format!("`hooks.{}` is no list", hook.event)));
        };
        let own = own_hooks(&groups, mark);
        match own.split_first() {
            None => drop(groups.append(group(hook))),
            Some((first, others)) => {
                // A command that moved, and copies of it.
                if command(first).as_deref() != Some(&hook.command) {
                    set_command(first, &hook.command);
                }
                others.iter().cloned().for_each(CstObject::remove);
            }
        }
    }
    // What an older version had at other events.
    let known = |name: &str| hooks.iter().any(|hook| hook.event == name);
    remove_from(&events, mark, &|name| !known(name));
    Ok(root.to_string())
}

/// The text without our hooks, and without what held nothing but them.
///
/// # Errors
/// As [`with_hooks`].
pub(super) fn without_hooks(path: &str, text: &str, mark: &str) -> Result<String, Finding> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let root = parse(path, text)?;
    if root.object_value().is_none_or(|object| object.get("hooks").is_none()) {
        return Ok(text.to_owned());
    }
    let events = events(path, &root, false)?;
    remove_from(&events, mark, &|_| true);
    if events.properties().is_empty()
        && let Some(hooks) = root.object_value().and_then(|object| object.get("hooks"))
    {
        hooks.remove();
    }
    Ok(root.to_string())
}

/// What stands in settings of our hooks and beside them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Our commands, with their events.
    pub(super) own: Vec<(String, String)>,
    /// Events at which others have hooks too.
    pub(super) shared: Vec<String>,
    /// All hooks are switched off.
    pub(super) off: bool,
}

/// Looks at settings.
///
/// # Errors
/// As [`with_hooks`].
pub(super) fn seen(path: &str, text: &str, mark: &str) -> Result<Seen, Finding> {
    let mut seen = Seen::default();
    if text.trim().is_empty() {
        return Ok(seen);
    }
    let root = parse(path, text)?;
    let Some(object) = root.object_value() else { return Err(unfit(path, "it is no object")) };
    let switch = object.get("disableAllHooks").and_then(|prop| prop.value()?.as_boolean_lit());
    seen.off = switch.is_some_and(|switch| switch.value());
    if object.get("hooks").is_none() {
        return Ok(seen);
    }
    for event in events(path, &root, false)?.properties() {
        let (Some(name), Some(groups)) = (event.decoded_name(), event.array_value()) else { continue };
        let own = own_hooks(&groups, mark);
        seen.own.extend(own.iter().filter_map(command).map(|command| (name.clone(), command)));
        if all_hooks(&groups).len() > own.len() && !own.is_empty() {
            seen.shared.push(name);
        }
    }
    Ok(seen)
}

fn parse(path: &str, text: &str) -> Result<CstRootNode, Finding> {
    let options = ParseOptions { allow_missing_commas: false, ..ParseOptions::default() };
    CstRootNode::parse(text.trim_start_matches('\u{feff}'), &options).map_err(|error| {
        let mut finding = unfit(path, &format!("it cannot be read: {}", lower(&error.kind().to_string())));
        let (line, column) = place(text, error.range().start);
        (finding.line, finding.column) = (Some(line), Some(column));
        finding
    })
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// Line and column from 1.
fn place(text: &str, at: usize) -> (u32, u32) {
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

fn unfit(path: &str, what: &str) -> Finding {
    let finding =
        Finding::new(Code::HARNESS_SETTINGS, format!("the harness's settings stay as they are: {what}"));
    finding.in_file(path).help("mend the file by hand, then install again")
}

/// The object of hooks by event.
fn events(path: &str, root: &CstRootNode, creates: bool) -> Result<CstObject, Finding> {
    let object = if creates { root.object_value_or_create() } else { root.object_value() };
    let object = object.ok_or_else(|| unfit(path, "it is no object"))?;
    let hooks = if creates { object.object_value_or_create("hooks") } else { object.object_value("hooks") };
    hooks.ok_or_else(|| unfit(path, "`hooks` is no object"))
}

/// The hooks in groups, each an object with its command.
fn all_hooks(groups: &CstArray) -> Vec<CstObject> {
    let groups = groups.elements().into_iter().filter_map(|group| group.as_object());
    let hooks = groups.filter_map(|group| group.array_value("hooks"));
    hooks.flat_map(|hooks| hooks.elements()).filter_map(|hook| hook.as_object()).collect()
}

fn own_hooks(groups: &CstArray, mark: &str) -> Vec<CstObject> {
    let mut hooks = all_hooks(groups);
    hooks.retain(|hook| command(hook).is_some_and(|command| command.contains(mark)));
    hooks
}

fn command(hook: &CstObject) -> Option<String> {
    hook.get("command")?.value()?.as_string_lit()?.decoded_value().ok()
}

fn set_command(hook: &CstObject, command: &str) {
    if let Some(property) = hook.get("command") {
        property.set_value(CstInputValue::String(command.to_owned()));
    }
}

fn group(hook: &InstalledHook) -> CstInputValue {
    let text = |text: &str| CstInputValue::String(text.to_owned());
    let named = hook.name.as_ref().map(|name| ("name".to_owned(), text(name)));
    let own = [("type".to_owned(), text("command"))].into_iter().chain(named);
    let rest = [
        ("command".to_owned(), text(&hook.command)),
        ("timeout".to_owned(), CstInputValue::Number(hook.timeout.to_string())),
    ];
    let hooks = CstInputValue::Array(vec![CstInputValue::Object(own.chain(rest).collect())]);
    let matcher = hook.matcher.as_ref().map(|matcher| ("matcher".to_owned(), text(matcher)));
    CstInputValue::Object(matcher.into_iter().chain([("hooks".to_owned(), hooks)]).collect())
}

/// Removes our hooks from the events that are meant, with the groups and lists that held nothing else.
fn remove_from(events: &CstObject, mark: &str, meant: &dyn Fn(&str) -> bool) {
    for event in events.properties() {
        let (Some(name), Some(groups)) = (event.decoded_name(), event.array_value()) else { continue };
        if !meant(&name) || own_hooks(&groups, mark).is_empty() {
            continue;
        }
        for group in groups.elements().iter().filter_map(CstNode::as_object) {
            remove_own(&group, mark);
        }
        if groups.elements().is_empty() {
            event.remove();
        }
    }
}

fn remove_own(group: &CstObject, mark: &str) {
    let Some(hooks) = group.array_value("hooks") else { return };
    let own = |hook: &CstObject| command(hook).is_some_and(|command| command.contains(mark));
    let ours: Vec<CstObject> = hooks.elements().iter().filter_map(CstNode::as_object).filter(own).collect();
    let is_ours = !ours.is_empty();
    ours.into_iter().for_each(CstObject::remove);
    if is_ours && hooks.elements().is_empty() {
        group.clone().remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(event: &str, command: &str) -> InstalledHook {
        InstalledHook {
            event: event.into(),
            matcher: (event == "PreToolUse").then(|| "*".into()),
            command: format!("{command} hook claude {event}"),
            timeout: 10,
            name: None,
        }
    }

    const MARK: &str = " hook claude ";

    const FOREIGN: &str = r#"// mine
{
  "model": "x", // keep me
  "hooks": {
    /* a hook of somebody else */
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "./guard.sh" } ] },
    ],
  },
}
"#;

    fn both() -> Vec<InstalledHook> {
        vec![hook("SessionStart", "policy-engine"), hook("PreToolUse", "policy-engine")]
    }

    #[test]
    fn hooks_stand_beside_foreign_ones_and_comments() {
        let text = with_hooks("s.json", Some(FOREIGN), MARK, &both()).unwrap();
        insta::assert_snapshot!(text, @r#"
        // mine
        {
          "model": "x", // keep me
          "hooks": {
            /* a hook of somebody else */
            "PreToolUse": [
              { "matcher": "Bash", "hooks": [ { "type": "command", "command": "./guard.sh" } ] },
              {
                "matcher": "*",
                "hooks": [
                  {
                    "type": "command",
                    "command": "policy-engine hook claude PreToolUse",
                    "timeout": 10,
                  },
                ],
              },
            ],
            "SessionStart": [
              {
                "hooks": [
                  {
                    "type": "command",
                    "command": "policy-engine hook claude SessionStart",
                    "timeout": 10
                  }
                ]
              }
            ],
          },
        }
        "#);
        assert_eq!(
            with_hooks("s.json", Some(&text), MARK, &both()).unwrap(),
            text,
            "once more changes nothing"
        );
        let seen = seen("s.json", &text, MARK).unwrap();
        assert_eq!(seen.own.len(), 2);
        assert_eq!(seen.shared, ["PreToolUse"]);
        let gone = without_hooks("s.json", &text, MARK).unwrap();
        insta::assert_snapshot!(gone, @r#"
        // mine
        {
          "model": "x", // keep me
          "hooks": {
            /* a hook of somebody else */
            "PreToolUse": [
              { "matcher": "Bash", "hooks": [ { "type": "command", "command": "./guard.sh" } ] },
            ],
          },
        }
        "#);
    }

    #[test]
    fn a_command_that_moved_is_put_right() {
        let old = with_hooks("s.json", None, MARK, &[hook("PreToolUse", "/old/policy-engine")]).unwrap();
        let new = with_hooks("s.json", Some(&old), MARK, &both()).unwrap();
        assert!(!new.contains("/old/") && new.matches("hook claude PreToolUse").count() == 1, "{new}");
        // An event that is no longer ours.
        let fewer = with_hooks("s.json", Some(&new), MARK, &[hook("Stop", "policy-engine")]).unwrap();
        assert_eq!(fewer.matches(MARK).count(), 1, "{fewer}");
        assert_eq!(without_hooks("s.json", &fewer, MARK).unwrap().trim(), "{}");
    }

    #[test]
    fn what_does_not_fit_is_left_alone() {
        for (text, said) in [
            ("{\"a\": 1,\n  \"b\" 2}", "2:7"),
            ("{\"hooks\": [", "1:11"),
            ("[]", "it is no object"),
            ("{\"hooks\": 1}", "`hooks` is no object"),
            ("{\"hooks\": {\"PreToolUse\": 1}}", "`hooks.PreToolUse` is no list"),
        ] {
            let finding = with_hooks("s.json", Some(text), MARK, &both()).unwrap_err();
            let told = format!(
                "{}:{} {}",
                finding.line.unwrap_or_default(),
                finding.column.unwrap_or_default(),
                finding.message
            );
            assert!(told.contains(said), "{text}: {told}");
        }
    }
}

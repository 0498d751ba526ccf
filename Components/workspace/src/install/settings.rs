//! The settings of a harness as text: our hooks put beside what stands there, and taken away again. Comments, order and
//! foreign hooks stay as they are.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstObject, CstObjectProp, CstRootNode};
use mentci_host::{HookCommand, HookForm, InstalledHook};
use mentci_source::{Code, Finding};
use serde_json::Value;

use crate::twice::{place, twice};

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
        put(&groups, mark, hook);
    }
    // What an older version had at other events.
    let known = |name: &str| hooks.iter().any(|hook| hook.event == name);
    remove_from(&events, mark, &|name| !known(name));
    Ok(root.to_string())
}

/// One hook of ours in the list of its event: what stands there is put right where it stands.
fn put(groups: &CstArray, mark: &str, hook: &InstalledHook) {
    let Some((group, own)) = own_hooks(groups, mark).into_iter().next() else {
        groups.append(new_group(hook));
        return;
    };
    // Copies of it.
    for (of, copy) in own_hooks(groups, mark).into_iter().skip(1) {
        remove_hook(&of, copy);
    }
    let shares = group.array_value("hooks").is_some_and(|hooks| hooks.elements().len() > 1);
    match (hears(&group, hook), shares) {
        (true, _) => mend(&own, mark, hook),
        // The tools of others' hooks are theirs.
        (false, true) => {
            remove_hook(&group, own);
            groups.append(new_group(hook));
        }
        (false, false) => {
            mend(&own, mark, hook);
            set(&group, "matcher", hook.matcher.as_ref().map(|matcher| text(matcher)));
        }
    }
}

/// The hook's own settings, as they belong; what others added is taken away where it changes when the hook runs.
fn mend(own: &CstObject, mark: &str, hook: &InstalledHook) {
    let stands = command(own).unwrap_or_default();
    let mended = HookCommand::mended(&stands, mark, &hook.command);
    if stands != mended {
        set(own, "command", Some(text(&mended)));
    }
    if number(own) != Some(hook.timeout) {
        set(own, "timeout", Some(CstInputValue::Number(hook.timeout.to_string())));
    }
    for name in limits(own) {
        set(own, &name, None);
    }
}

fn set(object: &CstObject, name: &str, value: Option<CstInputValue>) {
    match (object.get(name), value) {
        (Some(property), Some(value)) => property.set_value(value),
        (Some(property), None) => property.remove(),
        (None, Some(value)) => drop(object.append(name, value)),
        (None, None) => {}
    }
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
    let is_there =
        |event: CstObjectProp| event.array_value().is_some_and(|groups| !own_hooks(&groups, mark).is_empty());
    if !events.properties().into_iter().any(is_there) {
        return Ok(text.to_owned());
    }
    remove_from(&events, mark, &|_| true);
    if events.properties().is_empty()
        && let Some(hooks) = root.object_value().and_then(|object| object.get("hooks"))
    {
        hooks.remove();
    }
    Ok(root.to_string())
}

/// Whether two texts set the same, but for events of hooks that hold none.
pub(super) fn is_same(path: &str, one: &str, other: &str) -> bool {
    let read = |text: &str| {
        let mut settings = parse(path, text).ok()?.to_serde_value()?;
        if let Some(hooks) = settings.get_mut("hooks").and_then(Value::as_object_mut) {
            hooks.retain(|_, groups| !groups.as_array().is_some_and(Vec::is_empty));
            if hooks.is_empty() {
                settings.as_object_mut()?.remove("hooks");
            }
        }
        Some(settings)
    };
    read(one).is_some_and(|one| read(other) == Some(one))
}

/// What stands in settings of our hooks and beside them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Our hooks.
    pub(super) own: Vec<Own>,
    /// The commands of others, with their events.
    pub(super) foreign: Vec<(String, String)>,
    /// Those of them that call our hook, too.
    pub(super) shared: Vec<(String, String)>,
}

/// A hook of ours as it stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Own {
    pub(super) event: String,
    pub(super) command: String,
    /// The program that it starts.
    pub(super) program: String,
    /// What keeps it from hearing all that it must, in words.
    pub(super) odd: Option<String>,
    /// Whether somebody put something around it that stays there.
    pub(super) is_changed: bool,
}

/// Looks at settings, for hooks that should stand so.
///
/// # Errors
/// As [`with_hooks`].
pub(super) fn seen(path: &str, text: &str, mark: &str, hooks: &[InstalledHook]) -> Result<Seen, Finding> {
    let mut seen = Seen::default();
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(seen);
    }
    let root = parse(path, text)?;
    let Some(object) = root.object_value() else { return Err(unfit(path, "it is no object")) };
    if object.get("hooks").is_none() {
        return Ok(seen);
    }
    for event in events(path, &root, false)?.properties() {
        let (Some(name), Some(groups)) = (event.decoded_name(), event.array_value()) else { continue };
        let wanted = hooks.iter().find(|hook| hook.event == name);
        for (group, hook) in all_hooks(&groups) {
            let Some(command) = command(&hook) else { continue };
            match HookCommand::read(&command, mark) {
                Some(HookCommand { form: HookForm::Shared, .. }) => seen.shared.push((name.clone(), command)),
                Some(read) => {
                    let odd = wanted.and_then(|wanted| amiss(&group, &hook, &read, wanted));
                    let is_changed = read.form == HookForm::Changed;
                    let (event, program) = (name.clone(), read.program);
                    seen.own.push(Own { event, command, program, odd, is_changed });
                }
                None => seen.foreign.push((name.clone(), command)),
            }
        }
    }
    Ok(seen)
}

/// What is otherwise than it was written.
fn amiss(
    group: &CstObject,
    hook: &CstObject,
    stands: &HookCommand,
    wanted: &InstalledHook,
) -> Option<String> {
    if !hears(group, wanted) {
        let matcher = matcher(group).unwrap_or_default();
        return Some(format!("it hears `{matcher}` only"));
    }
    if let Some(name) = limits(hook).first() {
        return Some(format!("`{name}` changes when it runs"));
    }
    let timeout = number(hook);
    if timeout != Some(wanted.timeout) {
        let stands = timeout.map_or("no time-out".to_owned(), |timeout| format!("the time-out {timeout}"));
        return Some(format!("it has {stands} instead of {}", wanted.timeout));
    }
    let is_other = stands.event != wanted.event || stands.form == HookForm::Silenced;
    is_other.then(|| format!("it runs `{}`", command(hook).unwrap_or_default()))
}

/// Whether a group's matcher leaves nothing out that the hook must hear.
fn hears(group: &CstObject, hook: &InstalledHook) -> bool {
    let matcher = matcher(group);
    let all = matcher.as_deref().is_none_or(|matcher| ["", "*", ".*"].contains(&matcher));
    all || matcher == hook.matcher
}

fn matcher(group: &CstObject) -> Option<String> {
    let value = group.get("matcher")?.value()?;
    let text = value.as_string_lit().and_then(|text| text.decoded_value().ok());
    Some(text.unwrap_or_else(|| value.to_string()))
}

fn number(hook: &CstObject) -> Option<u64> {
    hook.get("timeout")?.value()?.as_number_lit()?.to_string().parse().ok()
}

/// Settings of a hook that are not ours and bear on when it runs: all but words for people.
fn limits(hook: &CstObject) -> Vec<String> {
    let ours = ["type", "name", "command", "timeout", "statusMessage", "description"];
    let names = hook.properties().into_iter().filter_map(|property| property.decoded_name());
    names.filter(|name| !ours.contains(&name.as_str())).collect()
}

fn parse(path: &str, text: &str) -> Result<CstRootNode, Finding> {
    let options = ParseOptions { allow_missing_commas: false, ..ParseOptions::default() };
    let text = text.trim_start_matches('\u{feff}');
    let root = CstRootNode::parse(text, &options).map_err(|error| {
        let mut finding = unfit(path, &format!("it cannot be read: {}", lower(&error.kind().to_string())));
        let (line, column) = place(text, error.range().start);
        (finding.line, finding.column) = (Some(line), Some(column));
        finding
    })?;
    // We would write into the first, and the harness reads the last.
    twice(text, |what| unfit(path, what)).map_or(Ok(root), Err)
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
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

/// The hooks in groups, each with its group.
fn all_hooks(groups: &CstArray) -> Vec<(CstObject, CstObject)> {
    let groups = groups.elements().into_iter().filter_map(|group| group.as_object());
    let hooks = groups.filter_map(|group| Some((group.clone(), group.array_value("hooks")?)));
    let each = hooks.flat_map(|(group, hooks)| {
        hooks.elements().into_iter().filter_map(move |hook| Some((group.clone(), hook.as_object()?)))
    });
    each.collect()
}

fn own_hooks(groups: &CstArray, mark: &str) -> Vec<(CstObject, CstObject)> {
    let mut hooks = all_hooks(groups);
    hooks.retain(|(_, hook)| command(hook).is_some_and(|command| is_own(&command, mark)));
    hooks
}

/// Whether a command is our hook, and nothing of somebody else's with it.
fn is_own(command: &str, mark: &str) -> bool {
    HookCommand::read(command, mark).is_some_and(|hook| hook.form != HookForm::Shared)
}

fn command(hook: &CstObject) -> Option<String> {
    hook.get("command")?.value()?.as_string_lit()?.decoded_value().ok()
}

fn text(text: &str) -> CstInputValue {
    CstInputValue::String(text.to_owned())
}

fn new_group(hook: &InstalledHook) -> CstInputValue {
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
        for (group, hook) in own_hooks(&groups, mark) {
            remove_hook(&group, hook);
        }
        if groups.elements().is_empty() {
            event.remove();
        }
    }
}

/// Removes a hook, with its group where that held nothing else.
fn remove_hook(group: &CstObject, hook: CstObject) {
    hook.remove();
    if group.array_value("hooks").is_none_or(|hooks| hooks.elements().is_empty()) {
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

    const MARK: &str = "policy-engine hook claude ";

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
        let seen = seen("s.json", &text, MARK, &both()).unwrap();
        assert_eq!(seen.own.iter().map(|own| &own.odd).collect::<Vec<_>>(), [&None, &None]);
        assert_eq!(seen.foreign, [("PreToolUse".to_owned(), "./guard.sh".to_owned())]);
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
    fn only_a_command_that_is_ours_is_taken_for_ours() {
        for (command, own) in [
            ("policy-engine hook claude PreToolUse", true),
            ("timeout 5 policy-engine hook claude PreToolUse", true),
            ("policy-engine hook claude Stop || true", true),
            ("policy-engine hook claude Stop; ./audit.sh", false),
            ("echo policy-engine hook claude ran", false),
        ] {
            assert_eq!(is_own(command, MARK), own, "{command}");
        }
        let text = FOREIGN.replace("./guard.sh", "./audit.sh; echo policy-engine hook claude ran >> log");
        let with = with_hooks("s.json", Some(&text), MARK, &both()).unwrap();
        assert!(with.contains("./audit.sh"), "{with}");
        assert!(without_hooks("s.json", &with, MARK).unwrap().contains("./audit.sh"));
    }

    /// What a person put around our hook stays, and is not put there a second time.
    #[test]
    fn a_hook_that_somebody_wrapped_stays_as_it_is() {
        let ours = "policy-engine hook claude PreToolUse";
        let sound = with_hooks("s.json", None, MARK, &both()).unwrap();
        for wrapped in [
            "timeout 5 policy-engine hook claude PreToolUse",
            "exec policy-engine hook claude PreToolUse",
            "env X=1 policy-engine hook claude PreToolUse",
            "sh -c 'policy-engine hook claude PreToolUse'",
            "policy-engine hook claude PreToolUse --root /x",
        ] {
            let text = sound.replace(ours, wrapped);
            assert_eq!(with_hooks("s.json", Some(&text), MARK, &both()).unwrap(), text);
            let seen = seen("s.json", &text, MARK, &both()).unwrap();
            let told: Vec<_> = seen.own.iter().map(|own| (own.is_changed, &own.odd)).collect();
            assert_eq!(told, [(false, &None), (true, &None)], "{wrapped}");
            assert_eq!(without_hooks("s.json", &text, MARK).unwrap().trim(), "{}", "{wrapped}");
        }
        // Among the commands of somebody else it is theirs, and said to be called twice.
        let text = FOREIGN.replace("./guard.sh", "policy-engine hook claude PreToolUse; ./audit.sh");
        let with = with_hooks("s.json", Some(&text), MARK, &both()).unwrap();
        assert_eq!(with.matches("hook claude PreToolUse").count(), 2, "{with}");
        let seen = seen("s.json", &with, MARK, &both()).unwrap();
        assert_eq!((seen.own.len(), seen.shared.len(), seen.foreign.len()), (2, 1, 0));
        assert!(without_hooks("s.json", &with, MARK).unwrap().contains("./audit.sh"));
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

    /// What a person, or another program, may have made of our hook.
    #[test]
    fn a_hook_that_guards_no_longer_is_told_and_put_right() {
        let sound = with_hooks("s.json", None, MARK, &both()).unwrap();
        for (from, to, said) in [
            ("\"matcher\": \"*\"", "\"matcher\": \"Read\"", "it hears `Read` only"),
            ("\"matcher\": \"*\"", "\"matcher\": 1", "it hears `1` only"),
            ("\"timeout\": 10", "\"timeout\": 1", "it has the time-out 1 instead of 10"),
            ("\"timeout\": 10", "\"async\": true, \"timeout\": 10", "`async` changes when it runs"),
            ("\"timeout\": 10", "\"if\": \"Bash(ls)\", \"timeout\": 10", "`if` changes when it runs"),
            ("claude PreToolUse", "claude Stop", "it runs `policy-engine hook claude Stop`"),
            (
                "claude PreToolUse",
                "claude PreToolUse || true",
                "it runs `policy-engine hook claude PreToolUse || true`",
            ),
        ] {
            // The gate's, which stands last.
            let at = sound.rfind(from).unwrap();
            let changed = format!("{}{to}{}", &sound[..at], &sound[at + from.len()..]);
            let seen = seen("s.json", &changed, MARK, &both()).unwrap();
            let told: Vec<&str> = seen.own.iter().filter_map(|own| own.odd.as_deref()).collect();
            assert_eq!(told, [said], "{changed}");
            let mended = with_hooks("s.json", Some(&changed), MARK, &both()).unwrap();
            let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!(value(&mended), value(&sound), "{said}");
        }
        // `*` and no matcher at all leave nothing out, and what is quoted is ours all the same.
        for same in [
            sound.replace("\"matcher\": \"*\",", ""),
            sound.replace("policy-engine hook", "'/a b/policy-engine' hook"),
        ] {
            let seen = seen("s.json", &same, MARK, &both()).unwrap();
            assert!(seen.own.len() == 2 && seen.own.iter().all(|own| own.odd.is_none()), "{same}");
        }
        // In a group with another's hook ours is taken out, and the other keeps its matcher.
        let shared = sound.replace("\"*\"", "\"Read\"").replacen(
            "\"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"policy-engine hook claude PreToolUse\"",
            "\"hooks\": [\n          {\"type\": \"command\", \"command\": \"./mine.sh\"},\n          {\n            \"type\": \"command\",\n            \"command\": \"policy-engine hook claude PreToolUse\"",
            1,
        );
        let mended = with_hooks("s.json", Some(&shared), MARK, &both()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&mended).unwrap();
        let gates = &value["hooks"]["PreToolUse"];
        assert_eq!(
            (&gates[0]["matcher"], &gates[0]["hooks"][0]["command"]),
            (&"Read".into(), &"./mine.sh".into())
        );
        assert_eq!((&gates[1]["matcher"], gates[0]["hooks"].as_array().unwrap().len()), (&"*".into(), 1));
    }

    #[test]
    fn what_does_not_fit_is_left_alone() {
        for (text, said) in [
            ("{\"a\": 1,\n  \"b\" 2}", "2:7"),
            ("{\"hooks\": [", "1:11"),
            ("[]", "it is no object"),
            ("{\"hooks\": 1}", "`hooks` is no object"),
            ("{\"hooks\": {\"PreToolUse\": 1}}", "`hooks.PreToolUse` is no list"),
            (
                "{\"hooks\": {},\n \"hooks\": {}}",
                "2:2 the harness's settings stay as they are: the key `hooks` stands",
            ),
            ("{\"hooks\": {\"PreToolUse\": [], \"PreToolUse\": []}}", "1:30 "),
        ] {
            let finding = with_hooks("s.json", Some(text), MARK, &both()).unwrap_err();
            let told = format!(
                "{}:{} {}",
                finding.line.unwrap_or_default(),
                finding.column.unwrap_or_default(),
                finding.message
            );
            assert!(told.contains(said), "{text}: {told}");
            if told.contains("stands twice") {
                assert_eq!(seen("s.json", text, MARK, &both()).unwrap_err(), finding);
                assert_eq!(without_hooks("s.json", text, MARK).unwrap_err(), finding);
            }
        }
    }
}

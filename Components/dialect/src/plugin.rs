//! Reading: a plugin's manifest to what it says.

use std::sync::Arc;

use mentci_authority::{Dialect, Plugin, PluginId, PluginSetting, SettingKind, Stated, Trust};
use mentci_source::{Code, Finding, Reading, Severity, Source, Span};

use crate::OriginHint;
use crate::fields::{Fields, File};
use crate::lower::rule::bound;
use crate::syntax;
use crate::tree::{Entry, Tree, Value, shown};

/// The files of rules of a manifest that names none.
const INCLUDE: &str = "rules/**";

/// Reads `plugin.toml`. Never half: where there is a finding of severity error the value is `None`.
///
/// ```
/// use mentci_dialect::read_plugin;
/// use mentci_source::Source;
/// let text = "[plugin]\nid = \"hush\"\nname = \"Hush\"\nversion = \"1.0.0\"\n\
///             [settings.after]\ntype = \"int\"\ndefault = 20\nmin = 1\n";
/// let plugin = read_plugin(&Source::new("plugin.toml", text)).value.unwrap();
/// assert_eq!((plugin.id.as_str(), plugin.settings[0].key.as_str()), ("hush", "after"));
/// let bad = read_plugin(&Source::new("plugin.toml", "[plugin]\nid = \"../hush\"\n"));
/// assert!(bad.value.is_none() && bad.findings.len() == 3);
/// ```
pub fn read_plugin(source: &Source) -> Reading<Option<Plugin>> {
    let origin = OriginHint { pack: Arc::from("plugin"), trust: Trust::default() };
    let mut file = File::new(source, Dialect::Toml, &origin);
    let plugin = match syntax::toml::read(source) {
        Ok(tree) => manifest(&mut file, &tree),
        Err(findings) => {
            file.findings.extend(findings);
            None
        }
    };
    let mut findings: Vec<Finding> = file.findings.into_iter().map(of_manifest).collect();
    findings.sort_by_key(|finding| finding.span);
    let broken = findings.iter().any(|finding| finding.severity == Severity::Error);
    Reading { value: plugin.filter(|_| !broken), findings }
}

/// What is wrong with a manifest has a code of its own.
fn of_manifest(finding: Finding) -> Finding {
    let own = [Code::RULE_SYNTAX, Code::RULE_KEY, Code::RULE_VALUE].contains(&finding.code);
    if own { Finding { code: Code::PLUGIN_MANIFEST, ..finding } } else { finding }
}

fn manifest(file: &mut File<'_>, tree: &Tree) -> Option<Plugin> {
    let mut fields = Fields::of(file, "a manifest", tree)?;
    let head = fields.take("plugin");
    let capabilities = fields.take("capabilities");
    let rules = fields.take("rules");
    let settings = fields.take("settings");
    fields.close(file, |key| {
        let own = ["id", "name", "version", "description"].contains(&key);
        own.then(|| format!("`{key}` belongs under `[plugin]`"))
    });
    let requires = capabilities.and_then(|entry| listed(file, entry, "`[capabilities]`", "requires"));
    let include = rules.and_then(|entry| listed(file, entry, "`[rules]`", "include"));
    let settings = settings.map(|entry| self::settings(file, &entry.value)).unwrap_or_default();
    let Some(head) = head else {
        let help = "a manifest starts with `[plugin]`, and `id`, `name` and `version` under it";
        file.advise(Code::RULE_VALUE, Span::default(), "there is no `[plugin]` here", help);
        return None;
    };
    let mut fields = Fields::of(file, "`[plugin]`", &head.value)?;
    let id = id(file, &mut fields);
    let name = needed(file, &mut fields, "name");
    let version = version(file, &mut fields);
    let description = fields.text(file, &["description"]);
    fields.close(file, |_| None);
    let include = include.unwrap_or_else(|| vec![Stated { text: INCLUDE.to_owned(), span: Span::default() }]);
    Some(Plugin {
        id: id?,
        name: name?,
        version: version?,
        description,
        requires: requires.unwrap_or_default(),
        include,
        settings,
    })
}

fn needed(file: &mut File<'_>, fields: &mut Fields<'_>, key: &'static str) -> Option<String> {
    if !fields.has(key) {
        let message = format!("{} has no `{key}`", fields.what);
        let help = file.example(key, "text");
        file.say(Code::RULE_VALUE, Span::at(fields.span.start as usize), message, help);
    }
    fields.text(file, &[key]).filter(|text| {
        let is_said = !text.trim().is_empty();
        if !is_said {
            let help = file.example(key, "text");
            let span = Span::at(fields.span.start as usize);
            file.say(Code::RULE_VALUE, span, format!("`{key}` is empty"), help);
        }
        is_said
    })
}

fn id(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<PluginId> {
    let span = fields.span;
    let Some(entry) = fields.take("id") else {
        let help = "it is the name of the plugin's folder";
        file.advise(Code::PLUGIN_ID, Span::at(span.start as usize), "this plugin has no `id`", help);
        return None;
    };
    let text = crate::fields::text(file, "id", &entry.value)?;
    match PluginId::new(&text) {
        Ok(id) => Some(id),
        Err(problem) => {
            let help = "such as `deep-research`, which is also the name of its folder";
            file.advise(Code::PLUGIN_ID, entry.value.span, format!("{problem}: `{}`", shown(&text)), help);
            None
        }
    }
}

fn version(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<String> {
    let Some(entry) = fields.take("version") else {
        let span = Span::at(fields.span.start as usize);
        file.advise(Code::RULE_VALUE, span, "`[plugin]` has no `version`", "write `version = \"1.0.0\"`");
        return None;
    };
    let text = crate::fields::text(file, "version", &entry.value)?;
    if is_semantic(&text) {
        return Some(text);
    }
    let message = format!("`{}` is no semantic version", shown(&text));
    file.advise(Code::RULE_VALUE, entry.value.span, message, "write three numbers, such as `1.0.0`");
    None
}

/// `1.2.3`, with `-rc.1` and `+build` behind it where they are wanted: <https://semver.org>.
fn is_semantic(text: &str) -> bool {
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
    let is_number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    let is_word =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_pre = |part: &str| is_word(part) && (!part.bytes().all(|b| b.is_ascii_digit()) || is_number(part));
    core.split('.').count() == 3
        && core.split('.').all(is_number)
        && pre.is_none_or(|pre| pre.split('.').all(is_pre))
        && build.is_none_or(|build| build.split('.').all(is_word))
}

/// The list under the one key of a table.
fn listed(file: &mut File<'_>, entry: &Entry, what: &'static str, key: &'static str) -> Option<Vec<Stated>> {
    let mut fields = Fields::of(file, what, &entry.value)?;
    let list = fields.take(key);
    fields.close(file, |_| None);
    let list = list?;
    let Value::List(items) = &list.value.value else {
        file.wrong(key, "a list of texts", &list.value);
        return None;
    };
    let item = |item: &Tree| Some(Stated { text: crate::fields::text(file, key, item)?, span: item.span });
    Some(items.iter().filter_map(item).collect())
}

fn settings(file: &mut File<'_>, tree: &Tree) -> Vec<PluginSetting> {
    let Value::Map(entries) = &tree.value else {
        file.wrong("settings", "tables, one a setting: `[settings.limit]`", tree);
        return Vec::new();
    };
    entries.iter().filter_map(|entry| setting(file, entry)).collect()
}

fn setting(file: &mut File<'_>, entry: &Entry) -> Option<PluginSetting> {
    named(file, entry);
    let mut fields = Fields::of(file, "a setting", &entry.value)?;
    let kinds = SettingKind::ALL.map(|kind| (kind.name(), kind));
    if !fields.has("type") {
        let help = "it is one of `bool`, `int`, `float`, `string`, `enum`";
        file.advise(Code::RULE_VALUE, entry.key_span, format!("`{}` has no `type`", shown(&entry.key)), help);
    }
    let kind = fields.word(file, &["type"], &kinds);
    let default = fields.take("default");
    let has_options = fields.has("options");
    let options = fields.texts(file, &["options"]);
    // What is wrong with options that are there was told.
    let lacks_options = options.as_ref().map_or(!has_options, Vec::is_empty);
    let setting = PluginSetting {
        name: fields.text(file, &["name"]),
        description: fields.text(file, &["description"]),
        min: bound(file, &mut fields, "min"),
        max: bound(file, &mut fields, "max"),
        options: options.unwrap_or_default(),
        ..PluginSetting::new(&entry.key, kind.unwrap_or(SettingKind::String), serde_json::Value::Null)
    };
    fields.close(file, |_| None);
    kind?;
    sense(file, &setting, lacks_options, entry);
    with_default(file, setting, default, entry)
}

/// Rules read it as `plugin.settings.NAME`.
fn named(file: &mut File<'_>, entry: &Entry) {
    let starts = entry.key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !entry.key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        let message = format!("`{}` cannot name a setting", shown(&entry.key));
        let help = "a name is letters, digits and `_`, so that rules can read `plugin.settings.name`";
        file.advise(Code::RULE_KEY, entry.key_span, message, help);
    }
}

/// What cannot be meant together.
fn sense(file: &mut File<'_>, setting: &PluginSetting, lacks_options: bool, entry: &Entry) {
    let mut say = |message: String, help: &str| file.advise(Code::RULE_VALUE, entry.key_span, message, help);
    let name = shown(&entry.key);
    let is_enum = setting.kind == SettingKind::Enum;
    if is_enum && lacks_options {
        say(
            format!("`{name}` has no `options`"),
            "an `enum` lists its words: `options = [\"low\", \"high\"]`",
        );
    }
    if !is_enum && !setting.options.is_empty() {
        say(format!("`{name}` has `options` and is no `enum`"), "write `type = \"enum\"`");
    }
    let is_bounded = setting.min.is_some() || setting.max.is_some();
    if is_bounded && (is_enum || setting.kind == SettingKind::Bool) {
        say(format!("`{name}` cannot have bounds"), "`min` and `max` are for numbers and strings");
    }
    if setting.min.zip(setting.max).is_some_and(|(min, max)| min > max) {
        say(format!("the `min` of `{name}` is above its `max`"), "nothing could be set");
    }
}

fn with_default(
    file: &mut File<'_>,
    setting: PluginSetting,
    default: Option<&Entry>,
    entry: &Entry,
) -> Option<PluginSetting> {
    let Some(default) = default else {
        let message = format!("`{}` has no `default`", shown(&entry.key));
        file.advise(Code::RULE_VALUE, entry.key_span, message, "say what holds until somebody sets it");
        return None;
    };
    // That it has no words is told once.
    if setting.kind == SettingKind::Enum && setting.options.is_empty() {
        return None;
    }
    match setting.accept(&default.value.to_json().unwrap_or_default()) {
        Ok(value) => Some(PluginSetting { default: value, ..setting }),
        Err(problem) => {
            let message = format!("the `default` of `{}` {problem}", shown(&entry.key));
            file.advise(
                Code::RULE_VALUE,
                default.value.span,
                message,
                "give it a value that the setting itself takes",
            );
            None
        }
    }
}

//! What other settings of a harness must say for our hooks to be heard.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;
use mentci_disk::{exists, read_optional};
use mentci_host::{Want, Wish};
use serde_json::Value;

use crate::workspace::Workspace;

impl Workspace {
    /// What is wished and is not so, in words; nothing where the harness's settings say it.
    pub(super) fn unmet(&self, wish: &Wish) -> Option<String> {
        let unmet = self.unmet_alone(wish)?;
        wish.unless.iter().all(|other| self.unmet_alone(other).is_some()).then_some(unmet)
    }

    fn unmet_alone(&self, wish: &Wish) -> Option<String> {
        let root = self.root.to_string_lossy();
        if let Some(name) = wish.path.strip_prefix('$') {
            let value =
                self.around.variable.and_then(|variable| variable(name)).map_or(Value::Null, Value::from);
            return (!is_met(&value, &wish.want, &root)).then(|| format!("`{name}`: {}", wish.says));
        }
        let path = self.root.join(&wish.path);
        // Who never ran a harness has trusted it with nothing yet, and will be asked.
        let never_ran = || !path.parent().is_some_and(|folder| exists(self.fs.as_ref(), folder));
        if wish.asked && never_ran() {
            return None;
        }
        let bytes = match read_optional(self.fs.as_ref(), &path) {
            Ok(bytes) => bytes.unwrap_or_default(),
            Err(_) => return Some(format!("`{}` cannot be read", wish.path)),
        };
        let text = String::from_utf8_lossy(&bytes);
        let Some(settings) = parse(&wish.path, &text) else {
            return Some(format!("`{}` cannot be read", wish.path));
        };
        let keys = wish.keys.iter().map(|key| key.replace("{root}", &root));
        let value = keys.fold(&settings, |value, key| value.get(key.as_str()).unwrap_or(&Value::Null));
        (!is_met(value, &wish.want, &root)).then(|| format!("`{}`: {}", wish.path, wish.says))
    }
}

fn parse(path: &str, text: &str) -> Option<Value> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Some(Value::Null);
    }
    if std::path::Path::new(path).extension().is_some_and(|extension| extension == "toml") {
        return toml::from_str::<toml::Table>(text).ok().and_then(|table| serde_json::to_value(table).ok());
    }
    CstRootNode::parse(text, &ParseOptions::default()).ok()?.to_serde_value()
}

fn is_met(value: &Value, want: &Want, root: &str) -> bool {
    let holds = |item: &Value| value.as_array().is_some_and(|items| items.contains(item));
    match want {
        Want::Is(wanted) => value == wanted,
        Want::IsNot(unwanted) => value != unwanted,
        Want::Holds(item) => holds(item),
        Want::HoldsNot(item) => !holds(item),
        Want::Begins(start) => {
            let start = start.replace("{root}", root);
            value.as_object().is_some_and(|object| object.keys().any(|key| key.starts_with(&start)))
        }
        Want::Nearest(wanted) => nearest(value, root).is_some_and(|value| wanted.contains(value)),
        Want::NearestNot(unwanted) => !nearest(value, root).is_some_and(|value| unwanted.contains(value)),
    }
}

/// What is said of the folder, or of the nearest one around it of which anything is said. Who trusts the parent of a folder has
/// said it of that parent; the longest name that says anything is the nearest.
fn nearest<'v>(value: &'v Value, root: &str) -> Option<&'v Value> {
    let said = value.as_object()?.iter().filter(|(_, said)| !said.is_null());
    let about = said.filter(|(folder, said)| {
        let folder = Path::new(folder.as_str());
        let folder = if *said == "TRUST_PARENT" { folder.parent() } else { Some(folder) };
        folder.is_some_and(|folder| Path::new(root).starts_with(folder))
    });
    about.max_by_key(|(folder, _)| folder.len()).map(|(_, said)| said)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn trusted() -> Want {
        Want::Nearest(vec![json!("TRUST_FOLDER"), json!("TRUST_PARENT")])
    }

    #[test]
    fn settings_are_read_and_held_against_what_is_wanted() {
        for (path, text, keys, want, met) in [
            ("a.json", "", &["off"][..], Want::IsNot(json!(true)), true),
            ("a.json", "{\"off\": true, /* mine */}", &["off"], Want::IsNot(json!(true)), false),
            ("a.json", "{\"a\": {\"b\": [\"x\"]}}", &["a", "b"], Want::Holds(json!("x")), true),
            ("a.json", "{\"a\": {\"b\": [\"x\"]}}", &["a", "b"], Want::HoldsNot(json!("x")), false),
            ("a.json", "[]", &["a", "b"], Want::Is(json!(true)), false),
            (
                "a.toml",
                "[hooks.state.\"/w/h:pre:0\"]\nx = 1\n",
                &["hooks", "state"],
                Want::Begins("{root}/h:".into()),
                true,
            ),
            ("a.toml", "", &["hooks", "state"], Want::Begins("{root}/h:".into()), false),
            ("a.json", "{\"/\": true}", &[], Want::Nearest(vec![json!(true)]), true),
            ("a.json", "{\"/\": true, \"/w\": false}", &[], Want::Nearest(vec![json!(true)]), false),
            ("a.json", "{\"/\": false, \"/w\": null}", &[], Want::NearestNot(vec![json!(false)]), false),
            ("a.json", "", &[], Want::NearestNot(vec![json!(false)]), true),
            ("a.json", "{\"/w/\": \"TRUST_FOLDER\"}", &[], trusted(), true),
            ("a.json", "{\"/wide\": \"TRUST_FOLDER\"}", &[], trusted(), false),
            ("a.json", "{\"/w\": \"TRUST_PARENT\"}", &[], trusted(), true),
            ("a.json", "{\"/beside\": \"TRUST_PARENT\"}", &[], trusted(), true),
            ("a.json", "{\"/\": \"DO_NOT_TRUST\", \"/beside\": \"TRUST_PARENT\"}", &[], trusted(), true),
            ("a.json", "{\"/beside\": \"TRUST_PARENT\", \"/w\": \"DO_NOT_TRUST\"}", &[], trusted(), true),
            ("a.json", "{\"/b\": \"TRUST_PARENT\", \"/w/\": \"DO_NOT_TRUST\"}", &[], trusted(), false),
            ("a.json", "{\"/w\": \"TRUSTED\"}", &[], trusted(), false),
        ] {
            let settings = parse(path, text).unwrap();
            let value = keys.iter().fold(&settings, |value, key| value.get(key).unwrap_or(&Value::Null));
            assert_eq!(is_met(value, &want, "/w"), met, "{text} {want:?}");
        }
        assert_eq!((parse("a.json", "{"), parse("a.toml", "= 1")), (None, None));
    }
}

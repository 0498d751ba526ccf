//! What no agent reads of a message: the names by which programs speak of something, and bytes in base64, each where the protocol
//! has it. What a tool put under the same name elsewhere is read like all else.

use serde_json::Value;

/// The members by which programs speak of something.
const HANDLES: [&str; 3] = ["progressToken", "requestState", "taskId"];

/// The fewest digits of bytes that are shown: a picture has more, a key has fewer.
const SHORTEST: usize = 64;

/// Where a value stands in a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spot {
    /// The parameters, or a result that is no tool's answer.
    Top,
    /// What a tool answered.
    Answer,
    /// `_meta`, and what stands in it.
    Meta,
    /// A task, or a list of them.
    Task,
    /// Blocks of content, and what stands in them.
    Content,
    /// Where nothing is the protocol's.
    Elsewhere,
}

/// The places of a tree that are opaque; `is_answer` where it is what a tool answered.
pub(super) fn places(tree: &Value, is_answer: bool) -> Vec<String> {
    let mut found = Vec::new();
    let spot = if is_answer { Spot::Answer } else { Spot::Top };
    collect(tree, spot, &mut String::new(), &mut found);
    found
}

/// The same, but the bytes alone.
pub(super) fn bytes(tree: &Value) -> Vec<String> {
    let mut all = places(tree, true);
    all.retain(|place| place.ends_with("/blob") || place.ends_with("/data"));
    all
}

fn collect(value: &Value, spot: Spot, place: &mut String, found: &mut Vec<String>) {
    if spot == Spot::Elsewhere {
        return;
    }
    let from = place.len();
    let pairs: Vec<(String, &Value, Spot)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, item)| (at.to_string(), item, spot)).collect()
        }
        Value::Object(members) => members
            .iter()
            .map(|(name, item)| (name.replace('~', "~0").replace('/', "~1"), item, spot.below(name)))
            .collect(),
        _ => return,
    };
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    for (name, item, below) in pairs {
        place.push('/');
        place.push_str(&name);
        if value.is_object() && spot.is_opaque(&name, kind, item) {
            found.push(place.clone());
        } else {
            collect(item, below, place, found);
        }
        place.truncate(from);
    }
}

impl Spot {
    /// Where a member stands.
    fn below(self, name: &str) -> Self {
        match (self, name) {
            (Self::Meta, _) | (_, "_meta") => Self::Meta,
            (Self::Top, "task" | "tasks") => Self::Task,
            (Self::Top | Self::Answer, "content" | "contents" | "messages")
            | (Self::Content, "content" | "resource") => Self::Content,
            _ => Self::Elsewhere,
        }
    }

    fn is_opaque(self, name: &str, kind: &str, item: &Value) -> bool {
        let is_bytes = name == "blob" || name == "data" && matches!(kind, "image" | "audio");
        match self {
            Self::Top | Self::Meta | Self::Task => {
                HANDLES.contains(&name) && !item.is_object() && !item.is_array()
            }
            Self::Content => is_bytes && item.as_str().is_some_and(is_base64),
            Self::Answer | Self::Elsewhere => false,
        }
    }
}

/// Whether a text is bytes in base64, and so many that chance may have made a key of them.
fn is_base64(text: &str) -> bool {
    let is_digit =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\r' | b'\n');
    text.len() >= SHORTEST && text.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_the_protocol_has_so_is_opaque() {
        let bytes = "QUJD".repeat(20);
        for (tree, is_answer, told) in [
            (json!({"progressToken": 1, "message": "x"}), false, &["/progressToken"][..]),
            (json!({"taskId": "t", "status": "working"}), false, &["/taskId"]),
            (json!({"tasks": [{"taskId": "t"}]}), false, &["/tasks/0/taskId"]),
            (json!({"taskId": "t"}), true, &[]),
            (json!({"structuredContent": {"taskId": "t", "blob": bytes, "progressToken": "p"}}), true, &[]),
            (json!({"structuredContent": {"taskId": "t"}}), false, &[]),
            (json!({"_meta": {"a/b": {"taskId": "t"}}}), true, &["/_meta/a~1b/taskId"]),
            (json!({"content": [{"type": "image", "data": bytes}]}), true, &["/content/0/data"]),
            (json!({"content": [{"type": "text", "data": bytes, "taskId": "t"}]}), true, &[]),
            (json!({"content": [{"type": "image", "data": "short"}]}), true, &[]),
            (
                json!({"content": [{"type": "resource", "resource": {"blob": bytes}}]}),
                true,
                &["/content/0/resource/blob"],
            ),
            (json!({"blob": bytes}), true, &[]),
        ] {
            assert_eq!(places(&tree, is_answer), told, "{tree}");
        }
    }
}

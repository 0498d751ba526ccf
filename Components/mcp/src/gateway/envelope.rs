//! A line as far as it is needed: whose it is, and what it wants.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use mentci_host::Unambiguous;
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// What a message is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Envelope {
    /// Asks for an answer.
    Request {
        /// The id, as its JSON.
        id: String,
        /// What is asked.
        method: String,
    },
    /// Wants no answer.
    Notification {
        /// What is told.
        method: String,
    },
    /// Answers; the id as its JSON, `null` where nobody knows to what.
    Response {
        /// The id, as its JSON.
        id: String,
    },
}

/// Why a line is no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Malformed {
    /// It is no JSON.
    NoJson(String),
    /// It is JSON, and no message.
    NoMessage(String),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoJson(why) => write!(f, "it is no JSON: {why}"),
            Self::NoMessage(why) => write!(f, "it is no message: {why}"),
        }
    }
}

impl Envelope {
    /// Reads one message.
    ///
    /// # Errors
    /// [`Malformed`]: no JSON, no object, a key that stands twice or is written otherwise than the protocol writes it (of
    /// which one reader would see another message than the next), neither request nor answer.
    pub(super) fn read(line: &[u8]) -> Result<Self, Malformed> {
        let text = std::str::from_utf8(line).map_err(|error| Malformed::NoJson(error.to_string()))?;
        let head: Head<'_> = serde_json::from_str(text).map_err(|error| {
            let said = error.to_string();
            if error.is_data() { Malformed::NoMessage(said) } else { Malformed::NoJson(said) }
        })?;
        let wrong = |why: &str| Err(Malformed::NoMessage(why.to_owned()));
        let id = head.id.map(|id| (id.is_string() || id.is_number(), id.to_string()));
        match (id, head.method) {
            (Some((true, id)), Some(method)) => Ok(Self::Request { id, method: method.into_owned() }),
            (Some((false, _)), Some(_)) => wrong("the `id` of a request is a text or a number"),
            (None, Some(method)) => Ok(Self::Notification { method: method.into_owned() }),
            (Some((_, id)), None) if head.answers => Ok(Self::Response { id }),
            (None, None) if head.answers => Ok(Self::Response { id: "null".to_owned() }),
            _ => wrong("it has neither `method` nor `result` nor `error`"),
        }
    }
}

/// The keys of a message that its reader needs.
#[derive(Debug, Default)]
struct Head<'a> {
    id: Option<Value>,
    method: Option<Cow<'a, str>>,
    answers: bool,
}

impl<'de> Deserialize<'de> for Head<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HeadVisitor)
    }
}

struct HeadVisitor;

/// A text that is borrowed where it holds no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for HeadVisitor {
    type Value = Head<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message, which is an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Head<'de>, A::Error> {
        let (mut head, mut seen) = (Head::default(), BTreeSet::new());
        while let Some(Text(key)) = entries.next_key::<Text<'de>>()? {
            let known = ["jsonrpc", "id", "method", "params", "result", "error"];
            let folded = known.into_iter().find(|known| known.eq_ignore_ascii_case(&key));
            if folded.is_some_and(|known| known != key) {
                return Err(A::Error::custom(format!(
                    "the key `{}` is written otherwise",
                    key.escape_debug()
                )));
            }
            match &*key {
                "id" => head.id = Some(entries.next_value()?),
                "method" => head.method = Some(entries.next_value::<Text<'de>>()?.0),
                other => {
                    head.answers |= matches!(other, "result" | "error");
                    entries.next_value::<IgnoredAny>()?;
                }
            }
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("the key `{}` stands twice", key.escape_debug())));
            }
        }
        Ok(head)
    }
}

/// A message in full, and whether every reader takes it so: of a key that stands twice one takes the first value.
///
/// # Errors
/// Why it cannot be read, though its envelope was: it nests too deep, or holds a number beyond all bounds.
pub(super) fn whole(line: &[u8]) -> Result<(Value, bool), String> {
    let message = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    Ok((message, serde_json::from_slice::<Unambiguous>(line).is_ok()))
}

/// The messages of a batch, which the protocol knew until 2025-03-26; none where the line is no list.
pub(super) fn batch(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    if line.trim_ascii_start().first() != Some(&b'[') {
        return None;
    }
    let items: Vec<Value> = serde_json::from_slice(line).ok()?;
    Some(items.into_iter().map(|item| item.to_string().into_bytes()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_what_it_says() {
        let request = |id: &str, method: &str| Envelope::Request { id: id.into(), method: method.into() };
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, request("1", "ping")),
            (r#"{"method":"a\/b","id":"x","params":{"a":[1]},"more":null}"#, request("\"x\"", "a/b")),
            (r#"{"method":"notifications/x"}"#, Envelope::Notification { method: "notifications/x".into() }),
            (r#"{"result":{},"id":7}"#, Envelope::Response { id: "7".into() }),
            (r#"{"error":{"code":1,"message":""},"id":null}"#, Envelope::Response { id: "null".into() }),
        ] {
            assert_eq!(Envelope::read(line.as_bytes()), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_is_no_message_says_why() {
        for (line, expected) in [
            ("garbage", "no JSON: expected value at line 1 column 1"),
            (
                "[]",
                "no message: invalid type: sequence, expected a message, which is an object at line 1 column 0",
            ),
            ("{}", "no message: it has neither `method` nor `result` nor `error`"),
            (r#"{"id":null,"method":"x"}"#, "no message: the `id` of a request is a text or a number"),
            (
                r#"{"method":"x","method":"tools/call"}"#,
                "no message: the key `method` stands twice at line 1 column 36",
            ),
            (
                r#"{"Method":"tools/call","id":1}"#,
                "no message: the key `Method` is written otherwise at line 1 column 9",
            ),
        ] {
            let told = Envelope::read(line.as_bytes()).unwrap_err().to_string();
            assert_eq!(told, format!("it is {expected}"), "{line}");
        }
        assert!(matches!(Envelope::read(b"{\"method\":\"\xff\"}"), Err(Malformed::NoJson(_))));
    }
}

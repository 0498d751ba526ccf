//! One value of the configuration.

use serde_json::{Value, json};

use super::{Kind, Stricter};

/// A value that fits its key's [`Kind`].
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// Nothing is set: no bound.
    Unset,
    /// A whole number.
    Number(u64),
    /// A share of a whole, from 0 to 1.
    Share(f64),
    /// One of the key's names.
    Choice(&'static str),
    /// Source patterns, relative to the workspace.
    Globs(Vec<String>),
    /// Some of the key's names, in this order.
    Names(Vec<&'static str>),
    /// A line of text.
    Text(String),
    /// Lines of text.
    Texts(Vec<String>),
}

impl Setting {
    /// As JSON, for `config --json`.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Unset => Value::Null,
            Self::Number(number) => json!(number),
            Self::Share(share) => json!(share),
            Self::Choice(name) => json!(name),
            Self::Globs(texts) | Self::Texts(texts) => json!(texts),
            Self::Names(names) => json!(names),
            Self::Text(text) => json!(text),
        }
    }

    /// Whether this is looser than `bound` for a key that is stricter in this direction.
    pub(crate) fn is_looser(&self, bound: &Self, kind: &Kind, stricter: Stricter) -> bool {
        let Some((own, bound)) = self.rank(kind).zip(bound.rank(kind)) else { return self != bound };
        match stricter {
            Stricter::Smaller => own > bound,
            Stricter::Larger => own < bound,
            Stricter::Neither => self.rank(kind) != Some(bound),
        }
    }

    /// Where it stands among the values of its kind; unset stands above every number.
    fn rank(&self, kind: &Kind) -> Option<f64> {
        match (self, kind) {
            (Self::Unset, _) => Some(f64::INFINITY),
            #[expect(clippy::cast_precision_loss, reason = "bounds lie far below 2^53")]
            (Self::Number(number), _) => Some(*number as f64),
            (Self::Share(share), _) => Some(*share),
            #[expect(clippy::cast_precision_loss, reason = "a handful of names")]
            (Self::Choice(name), Kind::Choice(names)) => {
                names.iter().position(|known| known == name).map(|at| at as f64)
            }
            _ => None,
        }
    }
}

//! How far a number may be set.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The least and the greatest that a parameter of a rule may be set to. What is no number has none.
///
/// ```
/// use mentci_authority::Bounds;
/// use serde_json::json;
/// let share = Bounds { min: Some(0.0), max: Some(0.95) };
/// assert!(share.hold(&json!(0.5)) && !share.hold(&json!(9)));
/// assert_eq!(share.to_string(), "from 0 to 0.95");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The greatest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

impl Bounds {
    /// Whether a value lies within them.
    pub fn hold(&self, value: &Value) -> bool {
        let Some(number) = value.as_f64() else { return true };
        self.min.is_none_or(|min| number >= min) && self.max.is_none_or(|max| number <= max)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) => write!(f, "from {min} to {max}"),
            (Some(min), None) => write!(f, "from {min}"),
            (None, Some(max)) => write!(f, "up to {max}"),
            (None, None) => f.write_str("of any size"),
        }
    }
}

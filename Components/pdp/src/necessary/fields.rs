//! What commands and files are known to say of themselves: `event.commands`, `event.files`.

use serde_json::Value;

use super::Of;

/// What an expression gives where it surely does not fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text, or null.
    Text,
    Bool,
    Number,
    Null,
    /// A list of texts.
    Texts,
    /// A map, of whatever.
    Map,
    /// Whatever stands in such a map, or null.
    Member,
    /// A list of whatever.
    List,
    /// A list of commands or of files, or one of them.
    All(Of),
    One(Of),
}

/// The fields that have one kind in all commands.
const OF_COMMANDS: &[(&str, Kind)] = &[
    ("program", Kind::Text),
    ("path", Kind::Text),
    ("is_static", Kind::Bool),
    ("program_is_static", Kind::Bool),
    ("args", Kind::Texts),
    ("flags", Kind::Texts),
    ("values", Kind::Map),
    ("operands", Kind::Texts),
    ("subcommand", Kind::Text),
    ("cwd", Kind::Text),
    ("env", Kind::Map),
    ("via", Kind::List),
    ("pipes_from", Kind::Texts),
    ("pipes_into", Kind::Texts),
    ("code_from", Kind::Texts),
    ("code", Kind::Text),
    ("background", Kind::Bool),
    ("paths", Kind::Texts),
    ("globs", Kind::Texts),
    ("emptied", Kind::Texts),
    ("found", Kind::Texts),
    ("statements", Kind::Texts),
    ("output_of", Kind::Texts),
    ("forks", Kind::Bool),
    ("starts", Kind::Texts),
    ("guards", Kind::List),
];

const OF_FILES: &[(&str, Kind)] = &[("path", Kind::Text), ("op", Kind::Text)];

impl Of {
    fn fields(self) -> &'static [(&'static str, Kind)] {
        match self {
            Self::Commands => OF_COMMANDS,
            Self::Files => OF_FILES,
        }
    }

    /// The kind of a field; none of one that is not known.
    pub(super) fn kind(self, name: &str) -> Option<Kind> {
        self.fields().iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    /// Whether a value is what all of them are: only then nothing of it can fault.
    pub(super) fn fits(self, value: &Value) -> bool {
        let Value::Object(map) = value else { return false };
        self.fields().iter().all(|(name, kind)| kind.fits(map.get(*name).unwrap_or(&Value::Null)))
    }
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => matches!(value, Value::String(_) | Value::Null),
            Self::Bool => matches!(value, Value::Bool(_) | Value::Null),
            Self::Texts => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
            Self::Map => value.is_object(),
            Self::List => value.is_array(),
            Self::Number | Self::Null | Self::Member | Self::All(_) | Self::One(_) => false,
        }
    }
}

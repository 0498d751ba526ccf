//! What has opened and is not complete.

use super::Node;
use super::token::shortened;

/// An opener whose form is not complete.
pub(super) struct Frame {
    pub(super) opener: Opener,
    pub(super) start: usize,
    pub(super) items: Vec<Node>,
    /// Something in it could not be read.
    pub(super) torn: bool,
}

/// What opens a form.
pub(super) enum Opener {
    List,
    Vector,
    Map,
    Set,
    Tag(String),
    Discard,
}

impl Opener {
    /// How it is written, for messages.
    pub(super) fn text(&self) -> String {
        match self {
            Self::List => "(".to_owned(),
            Self::Vector => "[".to_owned(),
            Self::Map => "{".to_owned(),
            Self::Set => "#{".to_owned(),
            Self::Tag(name) => format!("#{}", shortened(name)),
            Self::Discard => "#_".to_owned(),
        }
    }

    /// The bracket that closes it; none for a tag or a discard.
    pub(super) fn closer(&self) -> Option<char> {
        match self {
            Self::List => Some(')'),
            Self::Vector => Some(']'),
            Self::Map | Self::Set => Some('}'),
            Self::Tag(_) | Self::Discard => None,
        }
    }
}

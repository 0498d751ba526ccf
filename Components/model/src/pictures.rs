//! Pictures, where the text names them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mentci_authority::Picture;

/// A piece of what the user said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Text(&'a str),
    Picture(&'a Picture),
}

/// The pictures of a request that no message has shown yet: each is sent once, where it is named first.
pub(crate) struct Unshown<'a>(Vec<&'a Picture>);

impl<'a> Unshown<'a> {
    pub(crate) fn new(pictures: &'a [Picture]) -> Self {
        Self(pictures.iter().collect())
    }

    /// A text in pieces: each picture right behind the first mark that stands for it.
    pub(crate) fn pieces(&mut self, text: &'a str) -> Vec<Piece<'a>> {
        let mut places: Vec<(usize, &Picture)> = Vec::new();
        self.0.retain(|picture| {
            let at = text.find(&picture.mark);
            places.extend(at.map(|at| (at + picture.mark.len(), *picture)));
            at.is_none()
        });
        places.sort_by_key(|(at, _)| *at);
        in_pieces(text, &places)
    }
}

fn in_pieces<'a>(text: &'a str, places: &[(usize, &'a Picture)]) -> Vec<Piece<'a>> {
    let (mut pieces, mut from) = (Vec::new(), 0);
    for (at, picture) in places {
        if *at > from {
            pieces.push(Piece::Text(&text[from..*at]));
        }
        pieces.push(Piece::Picture(picture));
        from = *at;
    }
    if from < text.len() {
        pieces.push(Piece::Text(&text[from..]));
    }
    pieces
}

/// The bytes of a picture, as both wires take them.
pub(crate) fn encoded(picture: &Picture) -> String {
    STANDARD.encode(&picture.bytes)
}

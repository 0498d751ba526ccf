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

/// A text in pieces: each picture right behind the first mark that stands for it.
pub(crate) fn pieces<'a>(text: &'a str, pictures: &'a [Picture]) -> Vec<Piece<'a>> {
    let place = |picture: &'a Picture| text.find(&picture.mark).map(|at| (at + picture.mark.len(), picture));
    let mut places: Vec<(usize, &Picture)> = pictures.iter().filter_map(place).collect();
    places.sort_by_key(|(at, _)| *at);
    let (mut pieces, mut from) = (Vec::new(), 0);
    for (at, picture) in places {
        if at > from {
            pieces.push(Piece::Text(&text[from..at]));
        }
        pieces.push(Piece::Picture(picture));
        from = at;
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

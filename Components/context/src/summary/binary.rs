//! What is no text.

use std::fmt::Write;

use super::lines::{Lines, size};
use super::sample::Sample;

/// Beginnings of well-known formats.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x7fELF", "application/x-elf"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"\0asm", "application/wasm"),
];

/// Whether a text holds what texts do not: NUL, or many control characters and characters that could not be read.
pub(super) fn is_binary(sample: &Sample<'_>) -> bool {
    let head = &sample.whole[..sample.whole.floor_char_boundary(8 << 10)];
    let is_odd = |one: char| {
        one == '\u{fffd}'
            || one.is_control() && !matches!(one, '\n' | '\r' | '\t' | '\u{1b}' | '\u{c}' | '\u{8}')
    };
    let (odd, all) = head.chars().fold((0, 0), |(odd, all), one| (odd + usize::from(is_odd(one)), all + 1));
    head.contains('\0') || odd * 10 > all
}

/// Whether bytes are no text.
pub(super) fn is_binary_bytes(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(8 << 10)];
    magic(bytes).is_some() || is_binary(&Sample::of(&String::from_utf8_lossy(head)))
}

/// The type that the first bytes tell.
pub(super) fn magic(bytes: &[u8]) -> Option<&'static str> {
    MAGIC.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, mime)| *mime)
}

/// Type, size, and the first bytes.
pub(super) fn summary(bytes: &[u8]) -> Lines {
    let mime = magic(bytes).unwrap_or("application/octet-stream");
    let mut lines = Lines::under(format!("binary, {mime}, {}", size(bytes.len())));
    let mut hex = String::from("starts with");
    for byte in bytes.iter().take(16) {
        // OK because writing into a string cannot fail.
        let _ = write!(hex, " {byte:02x}");
    }
    lines.push(1, hex);
    lines
}

//! Words and signs.

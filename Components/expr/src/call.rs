//! Pure functions.

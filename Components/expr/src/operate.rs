//! Operators on values.

//! the guard language: parse, check, compile, evaluate.

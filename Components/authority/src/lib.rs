//! the one vocabulary of rules, as plain data

//! Printing: canonical text, that parses back to an equal expression.

use std::fmt;

use crate::Expr;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("")
    }
}

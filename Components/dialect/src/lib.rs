//! four rule syntaxes into one rule type.

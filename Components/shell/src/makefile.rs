//! What a makefile runs: the lines of its recipes, and its calls of a shell.

use crate::wrapper::Inner;

/// The commands of a makefile, whatever its target.
pub(crate) fn runs(text: &str) -> Vec<Inner> {
    let mut found = Vec::new();
    for line in text.lines() {
        let recipe = match line.strip_prefix('\t') {
            Some(recipe) => Some(recipe),
            None => line.split_once(':').and_then(|(_, rule)| rule.split_once(';')).map(|(_, recipe)| recipe),
        };
        match recipe {
            Some(recipe) => found.push(recipe.trim_start_matches(['@', '-', '+', ' ', '\t'])),
            None => found.extend(line.split_once("!=").map(|(_, command)| command.trim_start())),
        }
        found.extend(line.split("$(shell ").skip(1).map(called));
    }
    found
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(|text| Inner::Text(text.replace("$$", "$")))
        .collect()
}

/// What stands before the bracket that closes a call.
fn called(text: &str) -> &str {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return &text[..at],
            ')' => depth -= 1,
            _ => {}
        }
    }
    text
}

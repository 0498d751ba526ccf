//! `*`, `+` and `~` as calls of functions that are bounded: minijinja's own make a list or a text of any size in one step.

use super::words::{Block, Token, blocks, tokens};

/// `a * b`.
pub(super) const TIMES: &str = "__times";
/// `a + b`.
pub(super) const PLUS: &str = "__plus";
/// `a ~ b`.
pub(super) const JOINED: &str = "__joined";

/// The template with calls in the place of these operators. What does not parse is left as it is.
pub(super) fn called(template: &str) -> String {
    let mut edits = Vec::new();
    for block in blocks(template) {
        if let Block::Code(code) = block {
            // OK because a block is a part of the template.
            let start = code.as_ptr().addr() - template.as_ptr().addr();
            let mut walk = Walk { tokens: tokens(code), at: 0, edits: Vec::new() };
            walk.all();
            edits.extend(walk.edits.into_iter().map(|(at, length, text)| (start + at, length, text)));
        }
    }
    // Stable: of what begins at one place, the outermost was told last and stands first.
    edits.reverse();
    edits.sort_by_key(|(at, length, text)| (*at, *length > 0, text != ")"));
    let (mut written, mut done) = (String::with_capacity(template.len()), 0);
    for (at, length, text) in edits {
        written.push_str(template.get(done..at).unwrap_or_default());
        written.push_str(&text);
        done = at + length;
    }
    written.push_str(template.get(done..).unwrap_or_default());
    written
}

/// The operators that bind alike, loosest first.
const LEVELS: [&[&str]; 3] = [&["+", "-"], &["~"], &["*", "/", "%"]];

struct Walk<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    /// Where, how many bytes go, and what comes.
    edits: Vec<(usize, usize, String)>,
}

impl Walk<'_> {
    /// Every expression up to the end, or to a bracket that closes.
    fn all(&mut self) {
        while let Some(text) = self.text() {
            if is_close(text) {
                return;
            }
            let before = self.at;
            self.level(0);
            if self.at == before {
                self.at += 1;
            }
        }
    }

    fn text(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|token| token.text)
    }

    fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |token| token.start)
    }

    /// Where the token before this one ends.
    fn end(&self) -> usize {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map_or(0, |token| token.start + token.text.len())
    }

    fn level(&mut self, level: usize) {
        if level == LEVELS.len() {
            return self.power();
        }
        let (start, before) = (self.start(), self.at);
        self.level(level + 1);
        if self.at == before {
            return;
        }
        while let Some(sign) = self.text().filter(|sign| LEVELS[level].contains(sign)).map(str::to_owned) {
            let (sign_at, place) = (self.at, self.start());
            let doubled = self.is_next(&sign);
            self.at += if doubled { 2 } else { 1 };
            let operand = self.at;
            self.level(level + 1);
            if self.at == operand {
                self.at = sign_at + 1;
                return;
            }
            let function = match sign.as_str() {
                "*" => TIMES,
                "+" => PLUS,
                "~" => JOINED,
                _ => continue,
            };
            let end = self.end();
            self.edits.push((place, sign.len(), ",".to_owned()));
            self.edits.push((end, 0, ")".to_owned()));
            self.edits.push((start, 0, format!("{function}(")));
        }
    }

    /// Whether the same sign follows at once, as in `//` and `**`.
    fn is_next(&self, sign: &str) -> bool {
        let next = self.tokens.get(self.at + 1);
        next.is_some_and(|next| next.text == sign && next.start == self.start() + sign.len())
    }

    /// `a ** b`, which needs no bound.
    fn power(&mut self) {
        self.unary();
        while self.text() == Some("*") && self.is_next("*") {
            self.at += 2;
            self.unary();
        }
    }

    fn unary(&mut self) {
        while self.text() == Some("-") {
            self.at += 1;
        }
        if !self.primary() {
            return;
        }
        loop {
            match self.text() {
                Some("." | "|") => {
                    self.at += 1;
                    self.primary();
                }
                Some("(" | "[") => {
                    self.primary();
                }
                _ => return,
            }
        }
    }

    /// A name, a number, a text, or what stands in brackets.
    fn primary(&mut self) -> bool {
        let Some(text) = self.text() else { return false };
        if matches!(text, "(" | "[" | "{") {
            self.at += 1;
            self.all();
            while self.text().is_some_and(|text| !is_close(text)) {
                self.at += 1;
            }
            self.at += 1;
            return true;
        }
        let is_part = text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\''));
        if is_part && !KEYWORDS.contains(&text) {
            let is_exponent = text.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with(['e', 'E']);
            self.at += 1;
            // `1e-5` is one number.
            if is_exponent && matches!(self.text(), Some("-" | "+")) {
                self.at += 2;
            }
            return true;
        }
        false
    }
}

/// Words that are no operands.
const KEYWORDS: &[&str] = &["and", "elif", "else", "if", "in", "is", "not", "or", "recursive"];

fn is_close(text: &str) -> bool {
    matches!(text, ")" | "]" | "}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_calls() {
        for (template, written) in [
            ("{{ a * b }}", "{{ __times(a , b) }}"),
            ("{{ a * b * c }}", "{{ __times(__times(a , b) , c) }}"),
            ("{{ (a.b * 100) | int }}%", "{{ (__times(a.b , 100)) | int }}%"),
            ("{{ a + b * c - d }}", "{{ __plus(a , __times(b , c)) - d }}"),
            ("{{ a ~ b + c }}", "{{ __plus(__joined(a , b) , c) }}"),
            ("{{ a // b * c ** 2|int }}", "{{ __times(a // b , c ** 2|int) }}"),
            ("{{- -a * -b -}}", "{{- __times(-a , -b) -}}"),
            ("{{ f(*args) }} * {{ 'a * b' }}", "{{ f(*args) }} * {{ 'a * b' }}"),
            ("{% for x in [1] * 3 if x + 1 > 2 %}", "{% for x in __times([1] , 3) if __plus(x , 1) > 2 %}"),
            ("{{ a[b + 1]|d(2 * 3) * 4 }}", "{{ __times(a[__plus(b , 1)]|d(__times(2 , 3)) , 4) }}"),
            ("{{ 1.5 * {'a': 1 + 1}.a }}", "{{ __times(1.5 , {'a': __plus(1 , 1)}.a) }}"),
            ("{{ ([1]*9) | sort }}", "{{ (__times([1],9)) | sort }}"),
            ("{{ a * }} {{ + }} {% set x = y + 1 %}", "{{ a * }} {{ + }} {% set x = __plus(y , 1) %}"),
            ("{{ a*b*c+d*e }}", "{{ __plus(__times(__times(a,b),c),__times(d,e)) }}"),
            ("{{ 1e-5 * x }}", "{{ __times(1e-5 , x) }}"),
            ("{{ a - b if not c * d else e }}", "{{ a - b if not __times(c , d) else e }}"),
        ] {
            assert_eq!(called(template), written, "{template}");
        }
    }
}

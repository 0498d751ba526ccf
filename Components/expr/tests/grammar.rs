//! The grammar of the book and the parser say the same.

use std::collections::BTreeMap;

use mentci_expr::{FUNCTIONS, VARIABLES, parse};

const BOOK: &str = include_str!("../../../Library/grammar.md");

/// A right-hand side.
#[derive(Debug, Clone)]
enum Side {
    Text(String),
    Rule(String),
    Lexical,
    All(Vec<Side>),
    OneOf(Vec<Side>),
    Maybe(Box<Side>),
    Many(Box<Side>),
}

fn rules() -> BTreeMap<String, Side> {
    let block = BOOK.split("```ebnf\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a grammar");
    let productions = block.split(" ;\n").filter_map(|production| production.split_once(" = "));
    productions
        .map(|(name, side)| (name.trim().to_owned(), alternatives(&mut words(side).into_iter().peekable())))
        .collect()
}

/// The signs and words of a right-hand side; `? … ?` is one of them.
fn words(side: &str) -> Vec<String> {
    if side.trim_start().starts_with('?') {
        return vec!["?".to_owned()];
    }
    let mut words = Vec::new();
    let mut rest = side.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' => rest[1..].find('"').expect("a closed string") + 2,
            c if c.is_alphabetic() => rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len()),
            _ => 1,
        };
        words.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    words
}

type Words = std::iter::Peekable<std::vec::IntoIter<String>>;

fn alternatives(words: &mut Words) -> Side {
    let mut sides = vec![sequence(words)];
    while words.next_if(|word| word == "|").is_some() {
        sides.push(sequence(words));
    }
    Side::OneOf(sides)
}

fn sequence(words: &mut Words) -> Side {
    let mut sides = vec![item(words)];
    while words.next_if(|word| word == ",").is_some() {
        sides.push(item(words));
    }
    Side::All(sides)
}

fn item(words: &mut Words) -> Side {
    let word = words.next().expect("an item");
    let side = match word.as_str() {
        "?" => return Side::Lexical,
        "(" => alternatives(words),
        "[" => Side::Maybe(Box::new(alternatives(words))),
        "{" => Side::Many(Box::new(alternatives(words))),
        text if text.starts_with('"') => return Side::Text(text.trim_matches('"').to_owned()),
        rule => return Side::Rule(rule.to_owned()),
    };
    words.next();
    side
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides
    }
}

fn write(
    side: &Side,
    rule: &str,
    rules: &BTreeMap<String, Side>,
    depth: usize,
    dice: &mut Dice,
    out: &mut Vec<String>,
) {
    let deep = depth > 45;
    match side {
        Side::Text(text) => out.push(text.clone()),
        Side::Lexical => out.push(lexical(rule, dice)),
        Side::Rule(name) => {
            let side = rules.get(name).unwrap_or_else(|| panic!("no rule `{name}`"));
            write(side, name, rules, depth + 1, dice, out);
        }
        Side::All(sides) => sides.iter().for_each(|side| write(side, rule, rules, depth, dice, out)),
        Side::OneOf(sides) => {
            let at = if deep { 0 } else { dice.roll(sides.len()) };
            write(&sides[at], rule, rules, depth, dice, out);
        }
        Side::Maybe(side) if !deep && dice.roll(3) == 0 => write(side, rule, rules, depth, dice, out),
        Side::Many(side) if !deep => {
            while dice.roll(5) == 0 {
                write(side, rule, rules, depth, dice, out);
            }
        }
        Side::Maybe(_) | Side::Many(_) => {}
    }
}

fn lexical(rule: &str, dice: &mut Dice) -> String {
    let words: &[&str] = match rule {
        "number" => &["0", "5", "2.5", "1e3", "9223372036854775807"],
        "string" => &["'a'", "\"b\\n\"", "r'\\d'", "''"],
        "name" => &["turn_index", "x", "_y", "größe", "r"],
        "word" => &["name", "in", "not", "for"],
        "function" => return FUNCTIONS[dice.roll(FUNCTIONS.len())].name().to_owned(),
        _ => panic!("`{rule}` has no words"),
    };
    words[dice.roll(words.len())].to_owned()
}

#[test]
fn the_parser_reads_what_the_grammar_writes() {
    let rules = rules();
    let mut dice = Dice(7);
    for _ in 0..1_000 {
        let mut sentence = Vec::new();
        write(&Side::Rule("expression".to_owned()), "", &rules, 0, &mut dice, &mut sentence);
        let text = sentence.join(" ");
        let parsed = parse(&text);
        let expr = parsed.expr.unwrap_or_else(|| panic!("`{text}`: {:?}", parsed.problems));
        assert_eq!(parse(&expr.to_string()).expr, Some(expr), "`{text}`");
    }
}

#[test]
fn the_book_lists_every_variable_and_function() {
    for variable in VARIABLES {
        let row = format!("| `{}` | {} |", variable.path(), variable.summary());
        assert!(BOOK.contains(&row), "Library/grammar.md has no line\n{row}");
    }
    for function in FUNCTIONS {
        let row = format!("- {}\n", function.summary());
        assert!(BOOK.contains(&row), "Library/grammar.md has no line\n{row}");
    }
}

//! What a client of a database is told to do: statements without the texts and comments in them.
//!
//! `insert into log values ('drop table x')` drops nothing. What stands in quotes is a name or a value, so it is left
//! out and its quotes stay: `insert into log values ('')`.

use mentci_shell::{Command, Operation};

/// Clients that are handed statements of SQL.
const CLIENTS: [&str; 17] = [
    "psql",
    "mysql",
    "sqlite3",
    "sqlcmd",
    "clickhouse-client",
    "clickhouse",
    "cqlsh",
    "duckdb",
    "sqlplus",
    "bq",
    "snowsql",
    "usql",
    "pgcli",
    "mycli",
    "litecli",
    "cockroach",
    "trino",
];

/// Words by which a text in quotes is a statement itself: then nothing is left out.
const RUN_TEXTS: [&str; 6] = ["execute", "exec", "prepare", "dblink", "query_to_xml", "do"];

/// The statements of a command: its arguments, its code and its here-documents, when it is a client of a database or hands
/// on to one. A text that may be read in two ways stands there in both.
pub(super) fn of(command: &Command) -> Vec<String> {
    let clients = [&command.program].into_iter().chain(&command.pipes_into);
    let Some(client) = clients.map(String::as_str).find(|program| CLIENTS.contains(program)) else {
        return Vec::new();
    };
    let here = command.redirects.iter().filter(|redirect| redirect.op == Operation::Here);
    let here = here.map(|redirect| redirect.target.text.as_str());
    let args = command.args.iter().map(|word| value(&word.text));
    let mut statements = Vec::new();
    for text in args.chain(here).chain(command.code.as_deref()) {
        let read = bare(text, client == "mysql", false);
        let escaped = text.contains('\\').then(|| bare(text, client == "mysql", true));
        statements.extend(escaped.filter(|escaped| *escaped != read));
        statements.push(read);
    }
    statements
}

/// An argument without the name of its option: `--command=select 1`.
fn value(text: &str) -> &str {
    match text.strip_prefix("--") {
        Some(option) => option.split_once('=').map_or(option, |(_, value)| value),
        None => text,
    }
}

/// A statement without what stands in quotes and comments. Where a quote is not closed, all from there on stays.
fn bare(text: &str, is_mysql: bool, escapes: bool) -> String {
    let words = || text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    if words().any(|word| {
        RUN_TEXTS.iter().any(|runs| word.to_ascii_lowercase().starts_with(runs) && is_word(word, runs))
    }) {
        return text.to_owned();
    }
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (kept, len) = token(rest, is_mysql, escapes).unwrap_or((&rest[..c.len_utf8()], c.len_utf8()));
        bare.push_str(kept);
        rest = rest.get(len..).unwrap_or_default();
    }
    bare
}

/// Whether a word is this one, or one that only starts with it where that is enough: `dblink_exec`.
fn is_word(word: &str, runs: &str) -> bool {
    word.len() == runs.len() || runs == "dblink"
}

/// What stays of the quote or comment at the start, and how long it is.
fn token(rest: &str, is_mysql: bool, escapes: bool) -> Option<(&str, usize)> {
    let quote = rest.chars().next()?;
    match quote {
        '\'' => Some(("''", closed(rest, quote, escapes)?)),
        '"' => Some(("\"\"", closed(rest, quote, escapes)?)),
        '`' => Some(("``", closed(rest, quote, escapes)?)),
        '-' if rest.starts_with("--") && (!is_mysql || rest[2..].starts_with(char::is_whitespace)) => {
            Some(("", line_end(rest)))
        }
        '#' if is_mysql => Some(("", line_end(rest))),
        '/' if rest.starts_with("/*") && !rest.starts_with("/*!") => Some((" ", rest.find("*/")? + 2)),
        '$' => {
            let tag = &rest[..rest[1..].find('$')? + 2];
            let is_tag = tag[1..tag.len() - 1].chars().all(|c| c.is_alphanumeric() || c == '_');
            let end = rest[tag.len()..].find(tag).filter(|_| is_tag)?;
            let len = end + 2 * tag.len();
            Some((&rest[..len], len))
        }
        _ => None,
    }
}

fn line_end(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Behind the quote that closes the one at the start; a doubled one stands for itself.
fn closed(text: &str, quote: char, escapes: bool) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && escapes {
            chars.next();
        } else if c == quote {
            match chars.peek() {
                Some((_, next)) if *next == quote => drop(chars.next()),
                _ => return Some(at + 1),
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_comments_are_left_out() {
        for (text, read) in [
            ("insert into log values ('drop table x')", "insert into log values ('')"),
            ("select 'it''s'; drop table x", "select ''; drop table x"),
            ("drop table \"x\"", "drop table \"\""),
            ("select 1 -- drop table x\n; drop table y", "select 1 \n; drop table y"),
            ("select 1 /* it's */; drop table y; -- '", "select 1  ; drop table y; "),
            ("select $$it's$$; drop table y; select 'a'", "select $$it's$$; drop table y; select ''"),
            ("select 'open; drop table y", "select 'open; drop table y"),
            ("execute 'drop table x'", "execute 'drop table x'"),
            ("do $$ begin drop table x; end $$", "do $$ begin drop table x; end $$"),
            ("select 5--1; drop table y", "select 5"),
            ("select '€', \"ä'\" # x", "select '', \"\" # x"),
        ] {
            assert_eq!(bare(text, false, false), read, "{text}");
        }
    }

    #[test]
    fn each_client_has_its_own_signs() {
        assert_eq!(bare("select 5--1; drop table y", true, false), "select 5--1; drop table y");
        assert_eq!(bare("select 5 # it's\n; drop table y -- '", true, false), "select 5 \n; drop table y ");
        assert_eq!(bare("/*! drop table y */", true, false), "/*! drop table y */");
        assert_eq!(bare(r"select 'it\'s drop table y'", true, true), "select ''");
        assert_eq!(bare(r"select '\'; drop table y; --'", false, false), "select ''; drop table y; ");
    }
}

//! What filters print of the lines that come in.
//!
//! [`exact`] is what a filter surely prints. [`likely`] is near to it: lines that a filter may leave out stay, and what is
//! not known of a line reads `$(...)`.

use crate::{
    Word, code,
    handed::{operands, sed_scripts, values},
    marks::OUTPUT_TEXT,
    output,
    reader::LONGEST_VALUE,
    sed,
};

/// How many lines are looked at.
const MOST_LINES: usize = 256;

/// Filters that print lines of what comes in, as they are.
const PASS: &[&str] = &[
    "grep", "egrep", "fgrep", "rg", "sort", "uniq", "shuf", "fold", "fmt", "nl", "pv", "expand", "unexpand",
    "iconv", "dos2unix", "strings", "col", "sponge", "dd", "tee", "cat", "ts", "xargs", "paste",
];

/// What a filter surely prints.
pub(crate) fn exact(program: &str, args: &[&str], text: &str) -> Option<String> {
    match program {
        "head" => first(args, text),
        "tail" => last(args, text),
        "cut" => cut(args, text),
        "tac" if args.is_empty() => Some(text.lines().rev().flat_map(|line| [line, "\n"]).collect()),
        "dd" if args.iter().all(|arg| arg.starts_with("bs=") || arg.starts_with("status=")) => {
            Some(text.to_owned())
        }
        _ => None,
    }
}

/// What a program most likely prints; none when nothing is known of it.
pub(crate) fn likely(program: &str, args: &[Word], text: Option<&str>, steps: &mut usize) -> Option<String> {
    if text.is_some_and(|text| text.len() > LONGEST_VALUE) {
        return None;
    }
    let known = text.unwrap_or(OUTPUT_TEXT);
    let printed = match program {
        "sed" => sed::edited(&sed_scripts(args), known, steps)?,
        "perl" if has_letter(args, 'p') => sed::edited(&code_of(args), known, steps)?,
        "awk" => awk(args, known)?,
        "perl" | "python" | "node" | "ruby" | "php" | "lua" | "bun" | "deno" => code::printed(program, args)?,
        "jq" | "yq" if args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains('n')) => {
            operands(args).next()?.text.trim().trim_matches('"').to_owned()
        }
        "echo" => output::echo(&args.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>()),
        "printf" => output::printf(&args.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>())?,
        "yes" => args.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" "),
        _ if PASS.contains(&program) => text?.to_owned(),
        _ => return None,
    };
    let tells = printed.lines().any(|line| line.trim() != OUTPUT_TEXT && !line.trim().is_empty());
    *steps += printed.len();
    (tells && printed.len() <= LONGEST_VALUE).then_some(printed)
}

fn has_letter(args: &[Word], letter: char) -> bool {
    let short = |arg: &&Word| arg.text.starts_with('-') && !arg.text.starts_with("--");
    args.iter().filter(short).any(|arg| arg.text.len() < 8 && arg.text.contains(letter))
}

fn code_of(args: &[Word]) -> Vec<String> {
    values(args, &["e", "E"])
}

/// How many lines or bytes an option names: its sign, and the number.
struct Count {
    of_bytes: bool,
    sign: Option<char>,
    number: usize,
}

/// The count that the arguments give; none where they name files or say something else.
fn count(args: &[&str]) -> Option<Count> {
    let mut count = Count { of_bytes: false, sign: None, number: 10 };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let arg = arg.strip_prefix("--lines=").or(arg.strip_prefix("--bytes=")).map_or_else(
            || arg.strip_prefix('-').or(arg.strip_prefix('+').map(|_| *arg)),
            |number| {
                count.of_bytes = arg.starts_with("--bytes");
                Some(number)
            },
        )?;
        let number = match arg {
            "q" | "-quiet" => continue,
            "n" | "c" | "-lines" | "-bytes" => rest.next().copied()?,
            _ => arg.trim_start_matches(['n', 'c']),
        };
        count.of_bytes |= arg.starts_with('c') || arg == "-bytes";
        count.sign = number.chars().next().filter(|c| matches!(c, '+' | '-'));
        count.number = number.trim_start_matches(['+', '-']).parse().ok()?;
    }
    Some(count)
}

/// `head -n 2`, `head -2`, `head -n -1`, `head -c 8`
fn first(args: &[&str], text: &str) -> Option<String> {
    let Count { of_bytes, sign, number } = count(args)?;
    let whole = if of_bytes { text.len() } else { text.lines().count() };
    let taken = if sign == Some('-') { whole.saturating_sub(number) } else { number.min(whole) };
    if of_bytes {
        return text.get(..taken).map(str::to_owned);
    }
    Some(text.split_inclusive('\n').take(taken).collect())
}

/// `tail -n 2`, `tail -2`, `tail -n +2`, `tail -c +3`
fn last(args: &[&str], text: &str) -> Option<String> {
    let Count { of_bytes, sign, number } = count(args)?;
    let whole = if of_bytes { text.len() } else { text.lines().count() };
    let passed = if sign == Some('+') { number.saturating_sub(1) } else { whole.saturating_sub(number) };
    if of_bytes {
        return text.get(passed.min(whole)..).map(str::to_owned);
    }
    Some(text.split_inclusive('\n').skip(passed).collect())
}

/// `cut -d: -f2-`, `cut -c4-`
fn cut(args: &[&str], text: &str) -> Option<String> {
    let (mut sign, mut list, mut of_fields) = ("\t", None, false);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let option = arg.strip_prefix('-')?;
        let letter = option.get(..1)?;
        let value = match &option[1..] {
            "" => rest.next().copied()?,
            value => value,
        };
        match letter {
            "d" => sign = value,
            "f" | "c" | "b" => (list, of_fields) = (Some(value), letter == "f"),
            _ => return None,
        }
    }
    let ranges: Option<Vec<_>> = list?.split(',').map(range).collect();
    let ranges = ranges?;
    let is_in = |at: usize| ranges.iter().any(|(from, to)| (*from..=*to).contains(&(at + 1)));
    let of_line = |line: &str| {
        if !of_fields {
            return line.chars().enumerate().filter(|(at, _)| is_in(*at)).map(|(_, c)| c).collect();
        }
        if !line.contains(sign) {
            return line.to_owned();
        }
        let fields = line.split(sign).enumerate().filter(|(at, _)| is_in(*at)).map(|(_, field)| field);
        fields.collect::<Vec<_>>().join(sign)
    };
    Some(text.lines().take(MOST_LINES).map(|line| of_line(line) + "\n").collect())
}

/// `2`, `2-4`, `2-`, `-4`
fn range(text: &str) -> Option<(usize, usize)> {
    let Some((from, to)) = text.split_once('-') else {
        let at = text.parse().ok()?;
        return Some((at, at));
    };
    let from = if from.is_empty() { 1 } else { from.parse().ok()? };
    let to = if to.is_empty() { usize::MAX } else { to.parse().ok()? };
    Some((from, to))
}

/// What `print` and `printf` of awk print for each line; the lines themselves where there is neither.
fn awk(args: &[Word], text: &str) -> Option<String> {
    let signs = values(args, &["F", "field-separator"]);
    let sign = signs.first().map(String::as_str);
    let code = args.iter().enumerate().find_map(|(at, arg)| {
        let is_value = at > 0 && matches!(args[at - 1].text.as_str(), "-F" | "-v" | "-f");
        (!is_value && !arg.text.starts_with('-')).then_some(arg.text.as_str())
    })?;
    let calls: Vec<&str> = statements(code);
    if calls.is_empty() {
        return Some(text.to_owned());
    }
    let mut printed = String::new();
    for line in text.lines().take(MOST_LINES) {
        for call in &calls {
            printed.push_str(&awk_prints(call, line, sign));
            printed.push('\n');
            if printed.len() > LONGEST_VALUE {
                return None;
            }
        }
    }
    Some(printed)
}

/// What stands behind each `print` of a code, up to the end of the statement.
fn statements(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("print") {
        let call = rest[at + 5..].trim_start_matches('f');
        let mut quoted = false;
        let mut escaped = false;
        let end = call.find(|c: char| {
            quoted ^= c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            !quoted && matches!(c, ';' | '}' | '\n' | '|' | '>')
        });
        let (call, behind) = call.split_at(end.unwrap_or(call.len()));
        found.push(call.trim());
        rest = behind;
        if found.len() >= MOST_LINES {
            break;
        }
    }
    found
}

/// The strings and fields of one `print`, side by side.
fn awk_prints(call: &str, line: &str, sign: Option<&str>) -> String {
    let call = call.strip_prefix('(').and_then(|call| call.strip_suffix(')')).unwrap_or(call);
    let mut printed = String::new();
    let mut parts: Vec<String> = Vec::new();
    let mut rest = call;
    while let Some(c) = rest.chars().next() {
        let (part, behind) = match c {
            '"' => string(&rest[1..]),
            '$' => field(&rest[1..], line, sign),
            ',' => {
                parts.push(std::mem::take(&mut printed));
                (String::new(), &rest[1..])
            }
            c if c.is_alphanumeric() || c == '_' => {
                let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                (OUTPUT_TEXT.to_owned(), &rest[len..])
            }
            c => (String::new(), &rest[c.len_utf8()..]),
        };
        printed.push_str(&part);
        rest = behind;
    }
    parts.push(printed);
    if call.is_empty() {
        return line.to_owned();
    }
    match parts.split_first() {
        Some((format, values)) if format.contains("%s") => {
            let mut values = values.iter();
            let mut filled = String::new();
            for (at, part) in format.split("%s").enumerate() {
                if at > 0 {
                    filled.push_str(values.next().map_or("", String::as_str));
                }
                filled.push_str(part);
            }
            filled
        }
        _ => parts.join(" "),
    }
}

/// The string that starts here, and what stands behind it.
fn string(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, &text[at + 1..]),
            '\\' => match chars.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, c)) => value.push(c),
                None => {}
            },
            c => value.push(c),
        }
    }
    (value, "")
}

/// `$0`, `$2`, `$NF`: what the line has there, and what stands behind it.
fn field<'t>(text: &'t str, line: &str, sign: Option<&str>) -> (String, &'t str) {
    let len = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (name, behind) = text.split_at(len);
    let fields: Vec<&str> = match sign {
        Some(sign) if !sign.is_empty() => line.split(sign).collect(),
        _ => line.split_whitespace().collect(),
    };
    let value = match name {
        _ if line == OUTPUT_TEXT => OUTPUT_TEXT,
        "0" => line,
        "NF" => fields.last().copied().unwrap_or_default(),
        _ => name
            .parse::<usize>()
            .ok()
            .and_then(|at| fields.get(at.checked_sub(1)?).copied())
            .unwrap_or_default(),
    };
    (value.to_owned(), behind)
}

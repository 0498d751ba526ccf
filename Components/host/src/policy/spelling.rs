//! The paths that one argument may name: tools take addresses, percent signs, patterns and lists for paths, and rules compare paths.

/// How many spellings of one pattern are told.
const MOST: usize = 64;

/// The paths that a text may name, as it is written and as a tool may take it: with the spaces around it or without, out of its
/// `file://`, behind an `@`, with `%2E` for `.`, with `\` for `/`.
pub(super) fn paths(text: &str) -> Vec<String> {
    let mut all = vec![text.to_owned()];
    for step in [trimmed, unmarked, local, decoded, slashed] {
        let more: Vec<String> = all.iter().filter_map(|path| step(path)).collect();
        for path in more {
            if !all.contains(&path) {
                all.push(path);
            }
        }
    }
    // An address is none of a file once its path is known, nor is what has spaces around it.
    if all.len() > 1 && (is_file_address(text.trim()) || text.trim() != text) {
        all.remove(0);
        all.retain(|path| !is_file_address(path.trim().trim_start_matches('@')) && path.trim() == path);
    }
    all
}

/// The paths that a pattern of a search may mean: of each of its alternatives, as it is written and with nothing for each `*`.
/// What it leaves out is none.
pub(super) fn patterns(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for one in alternatives(text) {
        let one = one.trim();
        if one.is_empty() || one.starts_with('!') {
            continue;
        }
        let bare = one.replace('*', "");
        all.extend(paths(one));
        if bare != one && !bare.trim_matches(['.', '/']).is_empty() {
            let bare = bare.replace("//", "/");
            let is_below = !one.starts_with('/');
            all.push(bare.strip_prefix('/').filter(|_| is_below).unwrap_or(&bare).to_owned());
        }
    }
    all.truncate(MOST);
    all
}

/// Whether a text is the address of a file.
pub(super) fn is_file_address(text: &str) -> bool {
    text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
}

fn trimmed(path: &str) -> Option<String> {
    (path.trim() != path).then(|| path.trim().to_owned())
}

/// Some harnesses take an `@` off, as it stands where a person names a file.
fn unmarked(path: &str) -> Option<String> {
    path.strip_prefix('@').map(str::to_owned)
}

/// A path without the `file://localhost` of an address, and without what stands behind `?` and `#`.
fn local(path: &str) -> Option<String> {
    let rest = path.get(5..).filter(|_| is_file_address(path))?;
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let rest = rest.strip_prefix("localhost/").map_or(rest, |_| &rest["localhost".len()..]);
    Some(rest.split(['?', '#']).next().unwrap_or_default().to_owned())
}

/// A path with its percent signs resolved; none where that is no text.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let digits = more.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        if let Some(byte) = digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            bytes.push(byte);
            rest = &more[2..];
        } else {
            bytes.push(*first);
            rest = more;
        }
    }
    String::from_utf8(bytes).ok().filter(|decoded| decoded != path)
}

/// A path of Windows.
fn slashed(path: &str) -> Option<String> {
    path.contains('\\').then(|| path.replace('\\', "/"))
}

/// The alternatives of a pattern, by its commas and braces, with `[e]` as `e`.
fn alternatives(text: &str) -> Vec<String> {
    let mut open = vec![text.to_owned()];
    let mut all = Vec::new();
    while let Some(one) = open.pop() {
        if open.len() + all.len() > MOST {
            all.push(one);
            continue;
        }
        match braces(&one) {
            Some((before, inner, after)) => {
                open.extend(parts(inner).into_iter().rev().map(|part| format!("{before}{part}{after}")));
            }
            None => all.extend(one.split(',').map(plain_classes)),
        }
    }
    all
}

/// The first braces, with what stands before, in and behind them.
fn braces(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find('{')?;
    let mut depth = 0_usize;
    for (at, letter) in text[start..].char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..start], &text[start + 1..start + at], &text[start + at + 1..]));
        }
    }
    None
}

/// What stands between the outer commas.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_i32, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// `[e]` as `e`, and a larger class as `?`.
fn plain_classes(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((class, behind)) = after.split_once(']') else { break };
        plain.push_str(before);
        plain.push_str(if class.chars().count() == 1 { class } else { "?" });
        rest = behind;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_as_a_tool_may_take_it() {
        for (text, told) in [
            ("a/b", &["a/b"][..]),
            ("/w/my file", &["/w/my file"]),
            (" .env ", &[".env"]),
            ("@x", &["@x", "x"]),
            ("%2Eenv", &["%2Eenv", ".env"]),
            ("100%", &["100%"]),
            ("a\\.env", &["a\\.env", "a/.env"]),
            ("file:///w/.env", &["/w/.env"]),
            ("FILE://localhost/w/%2eenv?x#y", &["/w/%2eenv", "/w/.env"]),
            ("file:.env", &[".env"]),
            ("https://example.org/a", &["https://example.org/a"]),
            ("", &[""]),
        ] {
            assert_eq!(paths(text), told, "{text}");
        }
    }

    #[test]
    fn a_pattern_is_told_with_what_it_may_mean() {
        for (text, told) in [
            (".env", &[".env"][..]),
            (".env*", &[".env*", ".env"]),
            ("**/.env", &["**/.env", ".env"]),
            ("/w/*/.env", &["/w/*/.env", "/w/.env"]),
            ("{*.rs,.env}", &["*.rs", ".rs", ".env"]),
            ("a,.[e]nv", &["a", ".env"]),
            (".[a-z]nv", &[".?nv"]),
            ("*.{t{s,sx},js}", &["*.ts", ".ts", "*.tsx", ".tsx", "*.js", ".js"]),
            ("*", &["*"]),
            ("!.env", &[]),
            ("{a", &["{a"]),
            ("", &[]),
        ] {
            assert_eq!(patterns(text), told, "{text}");
        }
        let many = "{a,b}".repeat(20);
        assert!(patterns(&many).len() <= MOST);
    }
}

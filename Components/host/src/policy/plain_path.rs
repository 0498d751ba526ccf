//! Paths in one form, so that rules compare them.

/// A path without `.`, doubled slashes and the `..` that it can resolve itself: `a/./b/../c` is `a/c`, `./` is `.`.
/// What is no path, such as an address with a scheme, stays as it is.
pub(super) fn plain(path: &str) -> String {
    if path.contains("://") {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| !last.starts_with(['~', '$']) && *last != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            other => parts.push(other),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    match format!("{root}{}", parts.join("/")) {
        plain if plain.is_empty() && !path.is_empty() => ".".to_owned(),
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_in_one_form() {
        for (written, is) in [
            ("a/./b/../c", "a/c"),
            ("/etc//passwd", "/etc/passwd"),
            ("/../etc", "/etc"),
            ("../x", "../x"),
            ("./.pi/rules/a.yaml", ".pi/rules/a.yaml"),
            ("~/.ssh/id_rsa", "~/.ssh/id_rsa"),
            ("~/../etc", "~/../etc"),
            ("$D/../etc", "$D/../etc"),
            ("./", "."),
            ("", ""),
            ("https://example.com//a/..", "https://example.com//a/.."),
        ] {
            assert_eq!(plain(written), is, "{written}");
        }
    }
}

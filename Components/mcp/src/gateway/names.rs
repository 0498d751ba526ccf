//! What tools of other servers are called here.

/// The longest name of a server, in characters.
const LONGEST: usize = 64;

/// A server's name as it stands in the names of its tools: letters, digits, `_` and `-`, never two `_` in a row.
///
/// ```text
/// io.github/My Server -> io_github_My_Server
/// ```
pub(super) fn server_name(told: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let mut name = String::new();
    for c in told.chars().map(plain).take(LONGEST) {
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    let name = name.trim_matches('_');
    if name.is_empty() { "server".to_owned() } else { name.to_owned() }
}

/// `mcp__server__tool`: the name that rules know, the same in every harness.
pub(super) fn canonical(server: &str, tool: &str) -> String {
    format!("mcp__{server}__{tool}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_a_plain_name() {
        for (told, name) in [
            ("fs", "fs"),
            ("io.github/My Server", "io_github_My_Server"),
            ("a__b", "a_b"),
            ("__", "server"),
            ("größe", "gr_e"),
        ] {
            assert_eq!(server_name(told), name, "{told}");
        }
        assert_eq!(server_name(&"x".repeat(100)).len(), 64);
    }
}

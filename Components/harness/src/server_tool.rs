//! What harnesses call the tools of MCP servers: in our words they are all `mcp__server__tool`.

use std::borrow::Cow;

/// The name of a server's tool.
pub(crate) fn named(server: &str, tool: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    format!("mcp__{}__{tool}", server.chars().map(plain).collect::<String>())
}

/// A name where harnesses write `server__tool`; any other as it is.
pub(crate) fn by_two_lines(name: &str) -> Cow<'_, str> {
    match name.split_once("__") {
        Some((server, tool)) if !server.is_empty() && server != "mcp" && !tool.is_empty() => {
            named(server, tool).into()
        }
        _ => name.into(),
    }
}

/// A name where a harness writes `server_tool`, and says which servers there are; any other as it is.
pub(crate) fn by_servers<'n>(name: &'n str, servers: &[&str]) -> Cow<'n, str> {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    let found = servers.iter().filter_map(|server| {
        let server: String = server.chars().map(plain).collect();
        let tool = name.strip_prefix(&server)?.strip_prefix('_').filter(|tool| !tool.is_empty())?;
        Some((server, tool))
    });
    // Of `fs` and `fs_local` the longer one is meant by `fs_local_read`.
    let longest = found.max_by_key(|(server, _)| server.len());
    longest.map_or(Cow::Borrowed(name), |(server, tool)| named(&server, tool).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_and_its_tool_are_told_apart() {
        for (name, told) in [
            ("fs__write_note", "mcp__fs__write_note"),
            ("mcp__fs__write_note", "mcp__fs__write_note"),
            ("write_note", "write_note"),
            ("__write", "__write"),
            ("fs__", "fs__"),
        ] {
            assert_eq!(by_two_lines(name), told, "{name}");
        }
        let servers = ["fs", "fs_local", "my server", ""];
        for (name, told) in [
            ("fs_write_note", "mcp__fs__write_note"),
            ("fs_local_read", "mcp__fs_local__read"),
            ("my_server_read", "mcp__my_server__read"),
            ("fs", "fs"),
            ("fs_", "fs_"),
            ("bash", "bash"),
        ] {
            assert_eq!(by_servers(name, &servers), told, "{name}");
        }
        assert_eq!(named("io.github/x", "read"), "mcp__io_github_x__read");
    }
}

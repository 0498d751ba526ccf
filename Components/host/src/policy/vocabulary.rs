//! One vocabulary: what each harness calls its tools, and the name under which one rule is about them all.
//!
//! A rule may name a tool as its harness does (`Bash`), or by the canonical name (`shell`), which every harness's tools of
//! that kind have beside their own. The arguments need no names: admission tells the commands that a call runs and the files
//! that it touches, as `event.commands` and `event.files`, whatever the harness calls them.

use crate::Harness;

/// A kind of tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// The canonical name.
    pub canonical: &'static str,
    /// What tools of this kind do.
    pub about: &'static str,
    /// Their names, by harness.
    pub names: &'static [(Harness, &'static [&'static str])],
    /// Their names elsewhere.
    pub elsewhere: &'static [&'static str],
}

/// Every kind, the most dangerous first.
pub const TOOLS: &[Tool] = &[
    Tool {
        canonical: "shell",
        about: "runs commands",
        names: &[
            (Harness::Pi, &["bash"]),
            (Harness::ClaudeCode, &["Bash", "Monitor", "PowerShell"]),
            (
                Harness::Codex,
                &["Bash", "exec_command", "write_stdin", "local_shell", "shell_command", "unified_exec"],
            ),
            (Harness::Gemini, &["run_shell_command"]),
            (Harness::Opencode, &["bash"]),
            (Harness::Openclaw, &["exec", "process"]),
            (Harness::Cline, &["run_commands", "execute_command"]),
        ],
        elsewhere: &["shell", "terminal", "run_terminal_cmd", "run_command"],
    },
    Tool {
        canonical: "edit",
        about: "changes files",
        names: &[
            (Harness::Pi, &["edit"]),
            (Harness::ClaudeCode, &["Edit", "MultiEdit", "NotebookEdit"]),
            (Harness::Codex, &["apply_patch"]),
            (Harness::Gemini, &["replace"]),
            (Harness::Opencode, &["edit", "patch", "multiedit", "apply_patch"]),
            (Harness::Openclaw, &["edit", "apply_patch"]),
            (Harness::Cline, &["editor", "apply_patch", "replace_in_file"]),
        ],
        elsewhere: &["str_replace_editor", "str_replace_based_edit_tool", "edit_file"],
    },
    Tool {
        canonical: "write",
        about: "writes whole files",
        names: &[
            (Harness::Pi, &["write"]),
            (Harness::ClaudeCode, &["Write"]),
            (Harness::Gemini, &["write_file"]),
            (Harness::Opencode, &["write"]),
            (Harness::Openclaw, &["write"]),
            (Harness::Cline, &["write_to_file", "new_file"]),
        ],
        elsewhere: &["create_file"],
    },
    Tool {
        canonical: "read",
        about: "reads files",
        names: &[
            (Harness::Pi, &["read"]),
            (Harness::ClaudeCode, &["Read", "NotebookRead"]),
            (Harness::Codex, &["read_file", "view_image"]),
            (Harness::Gemini, &["read_file", "read_many_files"]),
            (Harness::Opencode, &["read"]),
            (Harness::Openclaw, &["read"]),
            (Harness::Cline, &["read_files", "read_file"]),
        ],
        elsewhere: &["view", "readFile"],
    },
    Tool {
        canonical: "search",
        about: "looks for files and in files",
        names: &[
            (Harness::Pi, &["grep", "find", "ls"]),
            (Harness::ClaudeCode, &["Grep", "Glob", "LS"]),
            (Harness::Codex, &["grep_files", "list_dir"]),
            (Harness::Gemini, &["grep_search", "search_file_content", "glob", "list_directory"]),
            (Harness::Opencode, &["grep", "glob", "list"]),
            (Harness::Cline, &["search_codebase", "search_files", "list_files"]),
        ],
        elsewhere: &[],
    },
    Tool {
        canonical: "fetch",
        about: "reads an address of the web",
        names: &[
            (Harness::ClaudeCode, &["WebFetch"]),
            (Harness::Gemini, &["web_fetch"]),
            (Harness::Opencode, &["webfetch"]),
            (Harness::Openclaw, &["web_fetch"]),
            (Harness::Cline, &["fetch_web_content", "web_fetch"]),
        ],
        elsewhere: &[],
    },
    Tool {
        canonical: "web_search",
        about: "searches the web",
        names: &[
            (Harness::ClaudeCode, &["WebSearch"]),
            (Harness::Codex, &["web_search"]),
            (Harness::Gemini, &["google_web_search"]),
            (Harness::Opencode, &["websearch"]),
            (Harness::Openclaw, &["web_search"]),
            (Harness::Cline, &["web_search"]),
        ],
        elsewhere: &[],
    },
    Tool {
        canonical: "agent",
        about: "lets another agent work",
        names: &[
            (Harness::ClaudeCode, &["Task", "Agent"]),
            (Harness::Codex, &["spawn_agent"]),
            (Harness::Opencode, &["task"]),
            (Harness::Openclaw, &["sessions_spawn"]),
            (Harness::Cline, &["spawn_agent", "new_task"]),
        ],
        elsewhere: &[],
    },
];

impl Tool {
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|(_, names)| names.contains(&name)) || self.elsewhere.contains(&name)
    }
}

/// The canonical name of a tool; none where no harness has it. Tools of MCP servers have their own names, as
/// `mcp__server__tool`.
///
/// ```
/// use mentci_host::policy::canonical;
/// assert_eq!(canonical("run_shell_command"), Some("shell"));
/// assert_eq!(canonical("apply_patch"), Some("edit"));
/// assert_eq!(canonical("mcp__github__create_issue"), None);
/// ```
pub fn canonical(name: &str) -> Option<&'static str> {
    TOOLS.iter().find(|tool| tool.has(name)).map(|tool| tool.canonical)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_thing() {
        let all = TOOLS.iter().flat_map(|tool| {
            let own = tool.names.iter().flat_map(|(_, names)| names.iter()).chain(tool.elsewhere);
            own.map(|name| (*name, tool.canonical))
        });
        for (name, kind) in all {
            assert_eq!(canonical(name), Some(kind), "{name}");
            let kinds = TOOLS.iter().filter(|tool| tool.has(name)).count();
            assert_eq!(kinds, 1, "{name}");
        }
        for tool in TOOLS {
            assert!(
                canonical(tool.canonical).is_none_or(|kind| kind == tool.canonical),
                "{}",
                tool.canonical
            );
        }
    }
}

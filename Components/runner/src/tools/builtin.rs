//! The tools that a run brings, by name.

use mentci_authority::ToolSpec;

use super::files::file_spec;
use super::kept::kept_spec;

/// Every tool that a document may declare by its name alone.
pub(crate) const BUILTIN: [&str; 10] = [
    "read_file",
    "write_file",
    "append_to_file",
    "find_and_replace",
    "apply_patch",
    "read_dir",
    "get_artifact",
    "search_artifacts",
    "list_artifacts",
    "update_skill_heuristics",
];

/// What such a tool is.
pub(crate) enum Builtin {
    /// It reads or writes files.
    File(ToolSpec),
    /// It asks the workspace.
    Kept(ToolSpec),
}

/// The tool of this name.
pub(crate) fn builtin(name: &str) -> Option<Builtin> {
    file_spec(name).map(Builtin::File).or_else(|| kept_spec(name).map(Builtin::Kept))
}

//! What a skill of Claude Code runs when it is called, which no hook is asked about.

use std::path::{Component, Path, PathBuf};

use mentci_authority::Event;

use crate::workspace::Workspace;

/// The most of a skill that is read, in bytes.
const MOST: u64 = 1 << 20;

/// The tools that call a skill, and the argument that names it.
const CALLS: [(&str, &str); 2] = [("Skill", "skill"), ("SlashCommand", "command")];

impl Workspace {
    /// The event of a call of a skill, with the commands in the skill's text: Claude Code runs them before the model reads it.
    pub(super) fn with_skill(&self, mut event: Event) -> Event {
        let name = event.tool.as_ref().filter(|_| event.runs.is_empty()).and_then(|tool| {
            let (_, key) = CALLS.iter().find(|(name, _)| *name == tool.name)?;
            tool.args.get(*key)?.as_str()
        });
        if let Some(commands) = name.and_then(|name| self.skill_commands(name)) {
            event.runs = vec!["bash".to_owned(), "-c".to_owned(), commands];
        }
        event
    }

    /// The commands of the first skill of this name that stands in the workspace or at home, a line each; none where it has none.
    fn skill_commands(&self, name: &str) -> Option<String> {
        let name = name.trim_start_matches('/').split_whitespace().next()?.replace(':', "/");
        if !Path::new(&name).components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let home = self.around.variable.and_then(|variable| variable("HOME")).map(PathBuf::from);
        let homes = [Some(self.root.clone()), home];
        let files = homes.into_iter().flatten().flat_map(|home| {
            let own = home.join(".claude");
            [own.join("skills").join(&name).join("SKILL.md"), own.join("commands").join(format!("{name}.md"))]
        });
        let mut all = Vec::new();
        for file in files {
            let mut text = Vec::new();
            if self.fs.read_head(&file, MOST, &mut text).is_ok() {
                all.extend(commands(&String::from_utf8_lossy(&text)));
            }
        }
        (!all.is_empty()).then(|| all.join("\n"))
    }
}

/// `` !`command` `` in a line, and the lines of fences that begin with `` ```! ``.
fn commands(text: &str) -> Vec<String> {
    let (mut found, mut in_fence) = (Vec::new(), false);
    for line in text.lines() {
        let start = line.trim_start();
        if start.starts_with("```") {
            in_fence = !in_fence && start.starts_with("```!");
        } else if in_fence {
            found.push(line.to_owned());
        } else {
            let inline = line.split("!`").skip(1).filter_map(|rest| Some(rest.split_once('`')?.0));
            found.extend(inline.map(str::to_owned));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn what_a_skill_runs_stands_in_its_text() {
        for (text, wanted) in [
            ("State: !`git status` and !`date`\n", vec!["git status", "date"]),
            ("```!\ngit log\nrm x\n```\nrm y\n", vec!["git log", "rm x"]),
            ("```sh\nrm x\n```\n", vec![]),
            ("`rm x`! and !`rm\n", vec![]),
        ] {
            assert_eq!(commands(text), wanted, "{text}");
        }
    }
}

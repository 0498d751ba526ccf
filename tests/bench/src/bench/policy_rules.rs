//! The policies of the bench, the same for everybody.

/// Two shapes of policy; the last rule is the one that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Rule i is about tool i, and the path holds `/etc`.
    OwnTool,
    /// All are about one tool, and rule i looks for text i.
    OneTool,
}

impl Shape {
    /// As rows name it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OwnTool => "a rule a tool (S1)",
            Self::OneTool => "one tool, a text a rule (S2)",
        }
    }

    /// The tool and the text of a rule.
    pub(super) fn rule(self, at: usize) -> (String, String) {
        match self {
            Self::OwnTool => (format!("tool_{at}"), "/etc".to_owned()),
            Self::OneTool => ("exec".to_owned(), format!("needle-{at}-")),
        }
    }

    /// The path of the event to which the last of `count` rules applies.
    pub(super) fn path(self, count: usize) -> String {
        match self {
            Self::OwnTool => "/etc/passwd".to_owned(),
            Self::OneTool => format!("/srv/data/needle-{}-x/file.txt", count - 1),
        }
    }

    /// The path of an event to which no rule applies.
    pub(super) fn other_path(self) -> String {
        match self {
            Self::OwnTool => "/srv/passwd".to_owned(),
            Self::OneTool => "/srv/data/thread-999-x/file.txt".to_owned(),
        }
    }

    /// The event that the last of `count` rules blocks, as a line.
    pub(super) fn line(self, count: usize) -> String {
        self.line_of(count, &self.path(count))
    }

    /// The event of this path for the tool of the last of `count` rules.
    pub(super) fn line_of(self, count: usize, path: &str) -> String {
        let tool = self.rule(count - 1).0;
        format!(
            r#"{{"event":"pre_tool_call","session":"s1","turn":3,"tool":{{"name":"{tool}","args":{{"path":"{path}"}}}}}}"#
        )
    }
}

/// The policy in YAML.
pub(super) fn yaml(shape: Shape, count: usize) -> String {
    let rule = |at: usize| {
        let (tool, text) = shape.rule(at);
        format!(
            "- id: r{at}\n  when:\n    tool: {tool}\n    args_match:\n      path:\n        contains: \"{text}\"\n  then: block\n  \
             severity: high\n  message: \"not there\"\n"
        )
    };
    format!("shield_name: bench\nversion: 1\nrules:\n{}", (0..count).map(rule).collect::<String>())
}

/// A rule that looks back.
pub(super) fn storm() -> &'static str {
    "rules:\n- id: leak\n  when:\n    tool: send\n    chain:\n    - {tool: read_secret, within_seconds: 600}\n  then: block\n"
}

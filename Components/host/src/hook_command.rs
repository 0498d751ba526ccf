//! A command in a harness's settings that calls our hook: ours as we wrote it, ours as somebody changed it, or one among others.

use mentci_shell::{Command, Limits, Operation, Via, parse, quote};

/// A command that calls our hook.
///
/// ```
/// use mentci_host::{HookCommand, HookForm};
/// let read = |command| HookCommand::read(command, "policy-engine hook claude ");
/// let wrapped = read("timeout 9 /opt/policy-engine hook claude Stop").unwrap();
/// assert_eq!((wrapped.program.as_str(), wrapped.event.as_str()), ("/opt/policy-engine", "Stop"));
/// assert_eq!(wrapped.form, HookForm::Changed);
/// assert!(read("echo policy-engine hook claude Stop").is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookCommand {
    /// The program, as a shell hands it over: `policy-engine`, `/a b/policy-engine`, `$HOME/bin/policy-engine`.
    pub program: String,
    /// The event that it answers.
    pub event: String,
    /// What stands around it.
    pub form: HookForm,
}

/// What stands around our hook in its command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookForm {
    /// Nothing: it is as we write it, wherever the program stands and however it is quoted.
    Plain,
    /// Something that it answers through all the same: `timeout 9`, `exec`, `env A=1`, `sh -c '…'`, options.
    Changed,
    /// Something that keeps its answer, or how it ended, from the harness: `|| true`, `&`, `>/dev/null`.
    Silenced,
    /// Commands of somebody else: the whole is theirs.
    Shared,
}

impl HookCommand {
    /// Reads a command; none where it does not call the hook of this mark: `policy-engine hook claude `.
    pub fn read(command: &str, mark: &str) -> Option<Self> {
        let script = parse(command, Limits::default());
        if script.malformed || script.incomplete.is_some() {
            return None;
        }
        let mut calls =
            script.commands.iter().enumerate().filter_map(|(at, one)| Some((at, one, event(one, mark)?)));
        let (at, call, event) = calls.next()?;
        let form = if calls.next().is_some() { HookForm::Shared } else { form(&script.commands, at) };
        Some(Self { program: call.path.clone(), event: event.to_owned(), form })
    }

    /// The command as it should stand, where we would write `wanted`: what somebody put around our hook stays, unless it
    /// silences it or the hook is that of another event.
    pub fn mended(command: &str, mark: &str, wanted: &str) -> String {
        let read = |command| Self::read(command, mark);
        let (Some(stands), Some(ours)) = (read(command), read(wanted)) else { return wanted.to_owned() };
        if stands.form != HookForm::Changed || stands.event != ours.event {
            return wanted.to_owned();
        }
        if stands.program == ours.program || stands.program.contains(['$', '~']) {
            return command.to_owned();
        }
        let moved = command.replacen(&stands.program, &quote(&ours.program), 1);
        // Within quotes, or where its name stands before it, it is not so easily put in.
        if read(&moved).is_some_and(|moved| moved == (Self { program: ours.program, ..stands })) {
            moved
        } else {
            wanted.to_owned()
        }
    }
}

/// The event of a command that is our program with our words; options may stand before them and behind them.
fn event<'c>(command: &'c Command, mark: &str) -> Option<&'c str> {
    let mut marks = mark.split_whitespace();
    let name = command.path.rsplit('/').next()?;
    let before = name.strip_suffix(marks.next()?)?;
    let marks: Vec<&str> = marks.collect();
    let words: Vec<&str> = command.args.iter().map(|word| word.text.as_str()).collect();
    let at = words.windows(marks.len()).position(|window| window == marks)?;
    let event = words.get(at + marks.len())?;
    let options = |words: &[&str]| words.first().is_none_or(|word| word.starts_with('-'));
    let is_event = !event.is_empty() && event.chars().all(|letter| letter.is_ascii_alphanumeric());
    let is_ours = before.is_empty() || before.ends_with('-');
    (is_ours && is_event && options(&words[..at]) && options(&words[at + marks.len() + 1..])).then_some(event)
}

/// What commands around a hook do at most for it to be a hook still: look whether it can run, and say how it ended.
const AROUND: [&str; 15] = [
    "", ":", ".", "[", "[[", "cd", "command", "exit", "export", "false", "set", "source", "test", "true",
    "ulimit",
];

/// Programs that do not hand the payload on to what they run.
const DEAF: [&str; 6] = ["entr", "find", "parallel", "watch", "watchexec", "xargs"];

fn form(commands: &[Command], at: usize) -> HookForm {
    let call = &commands[at];
    let via = |name: &str| call.via.iter().any(|via| matches!(via, Via::Program(program) if program == name));
    let is_known = |(other, command): (usize, &Command)| {
        other == at
            || command.pipe.is_none() && (AROUND.contains(&command.program.as_str()) || via(&command.program))
    };
    let is_shared = call.pipe.is_some()
        || call.via.iter().any(|via| !matches!(via, Via::Program(name) if !DEAF.contains(&name.as_str())))
        || !commands.iter().enumerate().all(is_known);
    let is_bare = |command: &Command| command.redirects.is_empty() && !command.background;
    if is_shared {
        HookForm::Shared
    } else if commands.len() > at + 1
        || hides(call)
        || commands[..at].iter().any(|one| via(&one.program) && hides(one))
    {
        HookForm::Silenced
    } else if at == 0 && is_bare(call) && call.env.is_empty() && call.args.len() == 3 {
        HookForm::Plain
    } else {
        HookForm::Changed
    }
}

/// Whether nobody waits for a command, or it reads or writes elsewhere than the harness listens; its notes may go anywhere.
fn hides(command: &Command) -> bool {
    let elsewhere =
        command.redirects.iter().any(|to| to.fd != Some(2) || matches!(to.op, Operation::Duplicate));
    command.background || command.program == "coproc" || elsewhere
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "policy-engine hook claude ";

    #[test]
    fn a_command_is_ours_whatever_stands_around_it() {
        use HookForm::{Changed, Plain, Shared, Silenced};
        for (command, form) in [
            ("policy-engine hook claude Stop", Some(Plain)),
            (" /opt/x/policy-engine hook claude Stop ", Some(Plain)),
            ("'/a b/policy-engine' hook claude Stop", Some(Plain)),
            ("'/it'\\''s b/policy-engine' hook claude Stop", Some(Plain)),
            ("\"/a b/policy-engine\" hook 'claude' \"Stop\"", Some(Plain)),
            ("/x/mentci-policy-engine hook claude Stop", Some(Plain)),
            ("$HOME/bin/policy-engine hook claude Stop", Some(Plain)),
            ("timeout 5 policy-engine hook claude Stop", Some(Changed)),
            ("timeout -k 1 5s /opt/policy-engine hook claude Stop", Some(Changed)),
            ("exec policy-engine hook claude Stop", Some(Changed)),
            ("command policy-engine hook claude Stop", Some(Changed)),
            ("nohup nice -n 5 policy-engine hook claude Stop", Some(Changed)),
            ("stdbuf -o0 policy-engine hook claude Stop", Some(Changed)),
            ("setsid -w policy-engine hook claude Stop", Some(Changed)),
            ("env X=1 policy-engine hook claude Stop", Some(Changed)),
            ("/usr/bin/env -i PATH=/bin policy-engine hook claude Stop", Some(Changed)),
            ("X=1 policy-engine hook claude Stop", Some(Changed)),
            ("sh -c 'policy-engine hook claude Stop'", Some(Changed)),
            ("bash -lc \"exec policy-engine hook claude Stop\"", Some(Changed)),
            ("nix develop -c policy-engine hook claude Stop", Some(Changed)),
            ("cd \"$CLAUDE_PROJECT_DIR\" && policy-engine hook claude Stop", Some(Changed)),
            ("[ -x /opt/policy-engine ] && /opt/policy-engine hook claude Stop", Some(Changed)),
            ("command -v policy-engine >/dev/null && policy-engine hook claude Stop", Some(Changed)),
            (". ~/.profile; policy-engine hook claude Stop", Some(Changed)),
            ("policy-engine --root /x hook claude Stop", Some(Changed)),
            ("policy-engine hook claude Stop --root /x", Some(Changed)),
            ("policy-engine hook claude Stop --config=hook.deadline_ms=400", Some(Changed)),
            ("policy-engine hook claude Stop 2>> notes.log", Some(Changed)),
            ("policy-engine hook claude Stop || true", Some(Silenced)),
            ("policy-engine hook claude Stop; true", Some(Silenced)),
            ("policy-engine hook claude Stop 2>/dev/null || exit 0", Some(Silenced)),
            ("timeout 5 policy-engine hook claude Stop || :", Some(Silenced)),
            ("policy-engine hook claude Stop &", Some(Silenced)),
            ("nohup policy-engine hook claude Stop >/dev/null 2>&1 &", Some(Silenced)),
            ("policy-engine hook claude Stop > log", Some(Silenced)),
            ("policy-engine hook claude Stop 2>&1", Some(Silenced)),
            ("policy-engine hook claude Stop < /dev/null", Some(Silenced)),
            ("sh -c 'policy-engine hook claude Stop' </dev/null", Some(Silenced)),
            ("policy-engine hook claude Stop; ./audit.sh", Some(Shared)),
            ("./audit.sh && policy-engine hook claude Stop", Some(Shared)),
            ("policy-engine hook claude Stop | tee log", Some(Shared)),
            ("tee log | policy-engine hook claude Stop", Some(Shared)),
            ("echo x | xargs policy-engine hook claude Stop", None),
            ("x=$(policy-engine hook claude Stop)", Some(Shared)),
            ("policy-engine hook claude Stop; policy-engine hook claude Stop", Some(Shared)),
            ("policy-engine hook claude $(./which.sh)", None),
            ("policy-engine hook claude", None),
            ("policy-engine hook codex Stop", None),
            ("policy-engine explain hook claude Stop", None),
            ("./audit.sh; echo policy-engine hook claude ran >> log", None),
            ("echo policy-engine hook claude ran", None),
            ("timeout 5 echo policy-engine hook claude ran", None),
            ("not-policy-engines hook claude Stop", None),
            ("mypolicy-engine hook claude Stop", None),
            ("# policy-engine hook claude Stop", None),
            ("'policy-engine hook claude Stop", None),
            ("", None),
        ] {
            assert_eq!(HookCommand::read(command, MARK).map(|read| read.form), form, "{command}");
        }
    }

    #[test]
    fn what_somebody_put_around_it_stays() {
        for (command, mended) in [
            (
                "timeout 5 /opt/policy-engine hook claude Stop",
                "timeout 5 /opt/policy-engine hook claude Stop",
            ),
            (
                "timeout 5 /old/policy-engine hook claude Stop",
                "timeout 5 /opt/policy-engine hook claude Stop",
            ),
            ("sh -c '/old/policy-engine hook claude Stop'", "sh -c '/opt/policy-engine hook claude Stop'"),
            ("exec $HOME/policy-engine hook claude Stop", "exec $HOME/policy-engine hook claude Stop"),
            ("timeout 5 /opt/policy-engine hook claude PreCompact", "/opt/policy-engine hook claude Stop"),
            ("/old/policy-engine hook claude Stop", "/opt/policy-engine hook claude Stop"),
            ("/opt/policy-engine hook claude Stop || true", "/opt/policy-engine hook claude Stop"),
            ("./audit.sh", "/opt/policy-engine hook claude Stop"),
        ] {
            let wanted = "/opt/policy-engine hook claude Stop";
            assert_eq!(HookCommand::mended(command, MARK, wanted), mended, "{command}");
            assert_eq!(HookCommand::mended(mended, MARK, wanted), mended, "{command}");
        }
        let spaced = "'/a b/policy-engine' hook claude Stop";
        for (command, mended) in [
            ("exec policy-engine hook claude Stop", "exec '/a b/policy-engine' hook claude Stop"),
            ("sh -c 'policy-engine hook claude Stop'", spaced),
        ] {
            assert_eq!(HookCommand::mended(command, MARK, spaced), mended, "{command}");
        }
    }
}

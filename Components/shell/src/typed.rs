//! Programs that take their commands from whoever types.

use crate::command::{Command, Operation};
use crate::program::is_shell;

/// Whether a command takes what it does from what is typed into it, once it runs: a shell or an interpreter without a script, a
/// step onto another machine or to another user without a command. One that is fed by a file, a pipe or a text does not.
pub(crate) fn awaits_typing(command: &Command) -> bool {
    let is_fed = command.pipe.is_some_and(|pipe| pipe.position > 0)
        || command.redirects.iter().any(|redirect| matches!(redirect.op, Operation::Read | Operation::Here));
    if is_fed || command.code.is_some() || command.has_flag(&["version", "V", "help"]) {
        return false;
    }
    let operands = command.operands.len();
    match command.program.as_str() {
        "python" => operands == 0 && !command.has_flag(&["c", "m", "h"]),
        "node" | "bun" | "deno" | "perl" | "ruby" | "lua" | "php" | "julia" | "r" => {
            operands == 0 && !command.has_flag(&["e", "eval", "p", "print", "v", "h", "r"])
        }
        "irb" | "ghci" | "jshell" | "ipython" => operands == 0,
        "ssh" => operands == 1 && !command.has_flag(&["N", "G", "O"]),
        "su" => !command.has_flag(&["c", "command"]),
        "sudo" | "doas" => operands == 0 && command.has_flag(&["i", "s", "login", "shell"]),
        "psql" => operands <= 2 && !command.has_flag(&["c", "command", "f", "file", "l", "list"]),
        "mysql" | "mariadb" => operands <= 1 && !command.has_flag(&["e", "execute"]),
        "sqlite3" => operands <= 1,
        shell => {
            is_shell(shell) && (operands == 0 || command.has_flag(&["i", "s"])) && !command.has_flag(&["c"])
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, parse};

    #[test]
    fn what_is_typed_into() {
        for text in [
            "bash",
            "bash -i",
            "/bin/sh",
            "zsh --login",
            "env A=1 bash",
            "python3",
            "python3 -i",
            "node",
            "irb",
            "ssh host",
            "su - bob",
            "sudo -i",
            "sudo bash",
            "docker exec -it box bash",
            "cd a && bash",
            "psql -h host db",
            "sqlite3 x.db",
        ] {
            assert!(parse(text, Limits::default()).awaits_typing().is_some(), "{text}");
        }
        for text in [
            "bash -c 'ls'",
            "bash -lc ls",
            "bash a.sh",
            "bash < a.sh",
            "echo ls | bash",
            "bash <<< ls",
            "bash <<'E'\nls\nE",
            "bash --version",
            "python3 a.py",
            "python3 -m http.server",
            "python3 -c 'print(1)'",
            "node -e 1",
            "ssh host ls",
            "ssh -N host",
            "su -c ls bob",
            "sudo ls",
            "psql -c 'select 1'",
            "sqlite3 x.db 'select 1'",
            "cargo test",
        ] {
            assert_eq!(parse(text, Limits::default()).awaits_typing(), None, "{text}");
        }
    }
}

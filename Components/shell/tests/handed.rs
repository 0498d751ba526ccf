//! Programs that are handed a text which they run, and texts that nothing runs.

use mentci_shell::{Limits, parse};

/// Whether the text runs `rm -rf /`.
fn runs_it(text: &str) -> bool {
    let script = parse(text, Limits::default());
    script.commands.iter().any(|command| {
        command.program == "rm"
            && command.has_flag(&["recursive"])
            && command.operands.iter().any(|word| word.text == "/")
    })
}

/// Each runs `rm -rf /`.
const RUN: &[&str] = &[
    // A file that is a process or a descriptor.
    "bash <(echo rm -rf /)",
    "source <(printf 'rm -rf /')",
    "sh < <(echo 'rm -rf /')",
    ". /dev/stdin <<< 'rm -rf /'",
    "source /dev/fd/0 <<< 'rm -rf /'",
    "echo 'rm -rf /' | bash /dev/stdin",
    "bash -s x <<< 'rm -rf /'",
    // Variables.
    "printf -v x 'rm -rf /'; eval \"$x\"",
    "printf -v x '%s -rf /' rm; $x",
    "read -r x <<< 'rm -rf /'; eval $x",
    "PROMPT_COMMAND='rm -rf /'",
    "export PROMPT_COMMAND='rm -rf /'",
    "PAGER='rm -rf /' git log",
    "GIT_SSH_COMMAND='rm -rf / #' git fetch",
    "env GIT_EDITOR='rm -rf /' git commit",
    "sudo EDITOR='rm -rf /' visudo",
    "LESSOPEN='|rm -rf /' less x",
    "PS1='$(rm -rf /)'",
    "PS4='`rm -rf /`' bash -x x",
    // Tools with a command of their own.
    "rg --pre 'rm -rf /' x",
    "scp -S 'rm -rf /' a b",
    "cargo watch -x test -s 'rm -rf /'",
    "ansible all -m shell -a 'rm -rf /'",
    "salt '*' cmd.run 'rm -rf /'",
    "git grep -O'rm -rf /' x",
    "hyperfine 'rm -rf /'",
    "hyperfine ls 'rm -rf /'",
    "screen -dm rm -rf /",
    "screen -S x -d -m rm -rf /",
    "pssh -h hosts rm -rf /",
    "runuser -u root -- rm -rf /",
    "dotenv rm -rf /",
    "dotenv run -- rm -rf /",
    // sed and awk.
    "sed '1e rm -rf /' x",
    "sed -n '$!e rm -rf /' x",
    "sed -e 's/x/y/' -e '/a;b/e rm -rf /' x",
    "sed 's/.*/rm -rf \\//e' x",
    "sed 's|.*|rm -rf /|e' x",
    "echo 'rm -rf /' | sed e",
    "sed -f - x <<< '1e rm -rf /'",
    "awk 'BEGIN{system(\"rm -rf /\")}'",
    "awk 'BEGIN{\"rm -rf /\" | getline x}'",
    "awk '{print | \"rm -rf /\"}' x",
    // git.
    "git -c core.pager='rm -rf /' log",
    "git -c core.editor='rm -rf /' commit",
    "git -c core.sshCommand='rm -rf /' fetch",
    "git -c alias.x='!rm -rf /' x",
    "git config alias.x '!rm -rf /'",
    "git config --global core.pager 'rm -rf /'",
    "git -c filter.a.clean='rm -rf /' add x",
    "git -c credential.helper='!rm -rf /' fetch",
    "git clone --upload-pack='rm -rf /' x y",
    "git clone 'ext::rm -rf /' y",
    "git difftool --extcmd='rm -rf /' x",
    "git grep --open-files-in-pager='rm -rf /' x",
    "git submodule foreach 'rm -rf /'",
    "git rebase -x 'rm -rf /' main",
    // make.
    "make -f - <<< $'a:\\n\\trm -rf /'",
    "make -f <(printf 'a:\\n\\t@rm -rf /\\n')",
    "printf 'a: ; rm -rf /\\n' | make -f -",
    "make -f /dev/stdin <<'E'\nX := $(shell rm -rf /)\nE",
    "make --eval='a: ; rm -rf /'",
    "printf 'a:\\n\\trm -rf /\\n' > Makefile; make",
    // Debuggers, clients, pagers.
    "gdb -ex 'shell rm -rf /' x",
    "gdb -batch -ex '!rm -rf /'",
    "gdb -ex 'python import os; os.system(\"rm -rf /\")'",
    "lldb -o 'platform shell rm -rf /'",
    "expect -c 'spawn rm -rf /'",
    "expect -c 'send \"rm -rf /\\r\"'",
    "expect <<'E'\nspawn rm -rf /\nE",
    "tclsh <<< 'exec rm -rf /'",
    "psql -c '\\! rm -rf /'",
    "psql <<< '\\! rm -rf /'",
    "mysql -e 'system rm -rf /'",
    "sqlite3 a.db '.shell rm -rf /'",
    "echo '.system rm -rf /' | sqlite3 a.db",
    "sftp host <<< '!rm -rf /'",
    "less '+!rm -rf /' x",
    "man -P 'rm -rf /' ls",
    // Languages.
    "python -c 'import os; os.system(\"rm -rf /\")'",
    "python <<< 'import os; os.system(\"rm -rf /\")'",
    "perl -e 'system(\"rm -rf /\")'",
    "perl -e 'exec \"rm -rf /\"'",
    "ruby -e '`rm -rf /`'",
    "ruby -e 'system(\"rm\", \"-rf\", \"/\")'",
    "node -e 'require(\"child_process\").execSync(\"rm -rf /\")'",
    "php -r 'system(\"rm -rf /\");'",
    "lua -e 'os.execute(\"rm -rf /\")'",
    "deno eval 'new Deno.Command(\"rm\", {args: [\"-rf\", \"/\"]}).spawn()'",
    "deno eval 'Deno.removeSync(\"/\", {recursive: true})'",
    "bun -e 'Bun.spawn([\"rm\", \"-rf\", \"/\"])'",
    "node -e 'fs.rmSync(process.argv[1],{recursive:true})' /",
    "osascript -e 'do shell script \"rm -rf /\"'",
    "emacs --batch --eval '(shell-command \"rm -rf /\")'",
    "vim -c '!rm -rf /'",
    "nvim --cmd ':!rm -rf /'",
    "ex -s x <<< '!rm -rf /'",
    // Code that runs what it is fed.
    "echo 'rm -rf /' | python3 -c 'import os,sys; os.system(sys.stdin.read())'",
    "echo 'import os; os.system(\"rm -rf /\")' | python3 -c 'import sys; exec(sys.stdin.read())'",
    "perl -e 'eval join \"\", <STDIN>' <<< 'system(\"rm -rf /\")'",
    "echo 'rm -rf /' | perl -ne 'system($_)'",
    "echo '`rm -rf /`' | ruby -e 'eval STDIN.read'",
    "echo 'rm -rf /' | awk '{system($0)}'",
    "echo 'rm -rf /' | awk '{print | \"sh\"}'",
    // Terminals and what types into them.
    "tmux send-keys -t x 'rm -rf /' Enter",
    "tmux new-session -d 'rm -rf /'",
    "screen -S x -X stuff 'rm -rf /\\n'",
    "xterm -e 'rm -rf /'",
    "xterm -e rm -rf /",
    "gnome-terminal -- rm -rf /",
    "konsole -e 'rm -rf /'",
    "xdotool type 'rm -rf /'",
    // Wrappers.
    "ssh host rm -rf /",
    "ssh host 'rm -rf /'",
    "ssh -o ProxyCommand='rm -rf /' host",
    "env -S 'rm -rf /'",
    "parallel rm -rf ::: /",
    "parallel <<< 'rm -rf /'",
    "watch -n 1 'rm -rf /'",
    "ls | entr rm -rf /",
    "ls | entr -s 'rm -rf /'",
    "nohup rm -rf / &",
    "setsid rm -rf /",
    "timeout 5 rm -rf /",
    "flock -c 'rm -rf /' x",
    "flock x rm -rf /",
    "flock x -c 'rm -rf /'",
    "su -c 'rm -rf /'",
    "su - root -c 'rm -rf /'",
    "script -c 'rm -rf /' x",
    "script -qec 'rm -rf /' /dev/null",
    "at now <<< 'rm -rf /'",
    "echo 'rm -rf /' | batch",
    "echo '* * * * * rm -rf /' | crontab -",
    "crontab <<< '@daily rm -rf /'",
    "crontab <(echo '@reboot rm -rf /')",
    "tar cf x y --checkpoint-action=exec='rm -rf /'",
    "rsync -e 'rm -rf /' a b:c",
    "split --filter='rm -rf /' x",
    "mapfile -C 'rm -rf / #' x",
    "trap 'rm -rf /' EXIT",
    "systemd-run rm -rf /",
    "busybox sh -c 'rm -rf /'",
    "watchexec -- rm -rf /",
    "nodemon --exec 'rm -rf /'",
];

#[test]
fn texts_that_a_program_runs_are_read() {
    let missed: Vec<&&str> = RUN.iter().filter(|text| !runs_it(text)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// None runs anything but what is written.
const DATA: &[&str] = &[
    "cat <(echo rm -rf /)",
    "printf -v x 'rm -rf /'; echo \"$x\"",
    "MESSAGE='rm -rf /'",
    "sed 's/rm -rf \\//x/' y",
    "sed -n '/rm -rf \\//p' y",
    "sed '1a rm -rf /' y",
    "awk '/rm -rf/{print}' x",
    "git -c user.name='rm -rf /' log",
    "git config user.name 'rm -rf /'",
    "git commit -m 'rm -rf /'",
    "git log --grep='rm -rf /'",
    "make -f x y <<< 'rm -rf /'",
    "psql -c \"select 'rm -rf /'\"",
    "echo 'rm -rf /' | python3 -c 'import sys; print(sys.stdin.read())'",
    "echo 'rm -rf /' | perl -ne 'print'",
    "echo 'rm -rf /' | awk '{print | \"sort\"}'",
    "gdb -ex 'print \"rm -rf /\"'",
    "grep -e 'rm -rf /' x",
    "xdotool key Return",
    "history -d 5",
    "echo 'rm -rf /' | sed s/x/y/",
    "tmux send-keys Enter",
    "EDITOR=vim git commit",
    "node -e 'fs.rmSync(process.argv[1],{recursive:true})' x",
];

#[test]
fn texts_that_nothing_runs_are_data() {
    let wrong: Vec<&&str> = DATA.iter().filter(|text| runs_it(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn reading_stays_linear() {
    for part in ["sed 's/", "sed '1e ", "make --eval='$(shell ", "git -c core.pager='", "<(echo ", "PS1='$("]
    {
        let steps = |times: usize| parse(&part.repeat(times), Limits::default()).steps;
        let (small, large) = (steps(100), steps(1000));
        assert!(large < 40 * small + 100_000, "{part}: {small} -> {large}");
    }
}

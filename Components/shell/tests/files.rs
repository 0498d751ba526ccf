//! The files that patches and commands touch.

use mentci_shell::{FileChange, Limits, files_of_patch, parse};

fn render(files: &[FileChange]) -> String {
    let one = |file: &FileChange| format!("{:?} {}", file.op, file.path);
    files.iter().map(one).collect::<Vec<_>>().join(" | ").to_lowercase()
}

#[test]
fn patches_name_their_files() {
    let cases = [
        ("--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\n", "update x.rs"),
        (
            "--- x.rs\t2026-01-01\n+++ x.rs\t2026-01-02\n@@ -1,2 +1,2 @@\n a\n--- b\n+++ c\n--- y\n+++ y\n@@ -1 +1 @@\n",
            "update x.rs | update y",
        ),
        ("--- /dev/null\n+++ b/n.rs\n@@ -0,0 +1 @@\n+x\n", "create n.rs"),
        ("--- a/o.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "delete o.rs"),
        ("--- x.orig\n+++ x\n@@ -1 +1 @@\n-a\n+b\n", "update x.orig | update x"),
        ("diff --git a/a b.rs b/a b.rs\nnew file mode 100644\nindex 0..1\n", "create a b.rs"),
        ("diff --git a/x b/x\ndeleted file mode 100644\n", "delete x"),
        ("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", "rename x | rename y"),
        ("diff --git a/x b/y\nsimilarity index 90%\ncopy from x\ncopy to y\n", "create y"),
        ("diff --git a/run b/run\nold mode 100644\nnew mode 100755\n", "update run"),
        (
            "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n--- \"a/\\303\\251\"\n+++ \"b/\\303\\251\"\n",
            "update é",
        ),
        (
            "diff --git a/p b/p\nBinary files a/p and b/p differ\ndiff --git a/q b/q\nnew file mode 100644\n",
            "update p | create q",
        ),
        (
            "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Add File: c\n+*** not a header\n*** Delete File: d\n*** End Patch\n",
            "rename a | rename b | create c | delete d",
        ),
        ("a line\n--\n+++ \n@@\n", ""),
        ("", ""),
    ];
    for (patch, expected) in cases {
        assert_eq!(render(&files_of_patch(patch)), expected, "{patch}");
    }
}

/// Nobody looks at the disk, so what a pattern may find is told where it is a name that rules are about.
#[test]
fn patterns_stand_for_names_that_are_known() {
    let cases = [
        ("tee .p?/rules/a", "update .p?/rules/a | update .pi/rules/a"),
        ("tee .[!a-o]i/x", "update .[!a-o]i/x | update .pi/x"),
        ("echo > .[[:alpha:]]i/x", "update .[[:alpha:]]i/x | update .pi/x"),
        ("echo > /e*c/passw?", "update /e*c/passw? | update /etc/passwd"),
        (
            "echo > ~/.config/*/r",
            "update ~/.config/*/r | update ~/.config/mentci/r | update ~/.config/opencode/r",
        ),
        ("x=.p?; echo > $x/y", "update .p?/y | update .pi/y"),
        ("for x in a .pi/y; do : > $x; done", "update a | update .pi/y"),
        ("for x in .p?/y; do : > $x; done", "update .p?/y | update .pi/y"),
        ("truncate -s0 m?ntci.toml", "update m?ntci.toml | update mentci.toml"),
        ("touch .*", "update .* | update .pi | update .mentci"),
        // Text, extensions, other names, a `.` that is not written.
        ("tee '.p?/a' .p\\?/b; tee *.toml", "update .p?/a | update .p?/b | update *.toml"),
        (
            "touch *pi/x a.p?/x .q?/x .[pi /x",
            "update *pi/x | update a.p?/x | update .q?/x | update .[pi | update /x",
        ),
    ];
    for (command, expected) in cases {
        assert_eq!(render(&parse(command, Limits::default()).files()), expected, "{command}");
    }
}

#[test]
fn a_pattern_names_the_program_that_runs() {
    let programs = |text: &str| {
        let script = parse(text, Limits::default());
        script.commands.iter().map(|command| command.program.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(programs("/bin/r? -rf x"), "rm");
    assert_eq!(programs("sudo /usr/b*/[r]m x"), "sudo rm");
    assert_eq!(programs("/???/r? x"), "rm");
    assert_eq!(programs("'/bin/r?' x"), "r?");
}

#[test]
fn commands_write_files() {
    let cases = [
        ("rm -rf a 'b c'", "delete a | delete b c"),
        ("cd /w && rm x; rm /y ~/z", "delete /w/x | delete /y | delete ~/z"),
        ("mv a b; git mv c d", "rename a | rename b | rename c | rename d"),
        ("cp -r a b; ln -s t l", "update b | update l"),
        ("echo x | tee -a log", "update log"),
        ("sed -i 's/a/b/' x y; sed -i -e s/a/b/ z; sed s/a/b/ w", "update x | update y | update z"),
        (
            "touch a; mkdir -p b; chmod -R 777 c; chown me d; truncate -s 0 e",
            "update a | create b | update c | update d | update e",
        ),
        ("dd if=/dev/zero of=/dev/sda bs=1M", "update /dev/sda"),
        ("sed -n 'w .pi/x' y; sed -e 's/a/b/w z' -i q", "update .pi/x | update z | update q"),
        ("uniq in out; uniq in; xxd -r in out; xxd in", "update out"),
        ("tree -o x; shuf --output=y z; openssl enc -out o", "update x | update y | update o"),
        ("cp -r evil/.pi .; rsync -a evil/.pi .", "update . | update ./.pi"),
        (
            "cp -r evil/.pi sub; cp a/b.txt c.txt; cp a/x a/y d/",
            "update sub | update sub/.pi | update c.txt | update d/ | update d/x | update d/y",
        ),
        ("mv evil/.pi .", "rename evil/.pi | rename . | rename ./.pi"),
        ("bsdtar -xf x -C d; git apply --directory=.pi x.patch", "update d/* | update .pi/*"),
        ("mount --bind evil .pi; git clone u v; docker cp c:/x y", "update .pi | update v | update y"),
        ("ls > out 2> err >> log 2>&1 > /dev/null", "update out | update err | update log"),
        ("cat > f <<EOF\nx > y\nEOF", "update f"),
        ("sudo bash -c 'echo 1 > /etc/x'", "update /etc/x"),
        ("curl -so x.sh example.com", "update x.sh"),
        ("find /w -name x -delete", "delete /w"),
        ("git rm -r --cached x", "delete x"),
        ("cat a | grep b < c", ""),
        ("tar xzf a.tgz -C .pi; tar -x -f a --directory=d; tar xf a", "update .pi/* | update d/*"),
        ("tar czf a.tgz -C .pi .; unzip -l a.zip", ""),
        (
            "unzip -o a.zip -d .pi; cpio -i -D q < x; cp -t r a b; 7z x a -oout",
            "update .pi/* | update q/* | update b | update r/* | update out/*",
        ),
        ("git apply <<'P'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nP", "update x"),
        ("git apply x.patch; git stash pop; git checkout main", ""),
        ("git checkout -- a; git restore b; git stash push -- c", "update a | update b | update c"),
        ("find . -fprint a; find . -name x -fls b; find . -fprintf c %p", "update a | update b | update c"),
        ("policy-engine pack --out x.pack", "update x.pack"),
    ];
    for (command, expected) in cases {
        assert_eq!(render(&parse(command, Limits::default()).files()), expected, "{command}");
    }
}

#[test]
fn editors_that_nobody_sits_before_write_what_they_are_told() {
    let told = ["ed /etc/passwd", "ex -sc '%d|x' /etc/passwd", "vim -c wq a", "vim +wq a", "vim a", "ex -R"];
    let told = told.map(|text| render(&parse(text, Limits::default()).files()));
    assert_eq!(told, ["update /etc/passwd", "update /etc/passwd", "update a", "update a", "", ""]);
}

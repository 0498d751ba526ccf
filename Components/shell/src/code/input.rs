//! Code that runs what comes in on its standard input: `exec(sys.stdin.read())`.
//!
//! No flow of data is followed. Code that reads its input as a whole, and that evaluates anything but a literal, is taken
//! to evaluate what it reads.

/// What code does with its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    /// It runs it as code of its own language.
    Code,
    /// It hands it to a shell.
    Shell,
}

/// How a language reads its input, and what runs a text as code or in a shell.
struct Dialect {
    languages: &'static [&'static str],
    reads: &'static [&'static str],
    evaluates: &'static [&'static str],
    shells: &'static [&'static str],
}

const DIALECTS: &[Dialect] = &[
    Dialect {
        languages: &["python"],
        reads: &["stdin", "open(0", "/dev/stdin", "/dev/fd/0", "input(", "fileinput.", "os.read(0"],
        evaluates: &["exec", "eval", "runpy.run_path", "code.interact"],
        shells: &["os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"],
    },
    Dialect {
        languages: &["perl"],
        reads: &["STDIN", "<>", "<<>>", "/dev/stdin"],
        evaluates: &["eval"],
        shells: &["system", "exec", "qx", "readpipe"],
    },
    Dialect {
        languages: &["ruby"],
        reads: &["STDIN", "$stdin", "ARGF", "gets", "$<", "/dev/stdin"],
        evaluates: &["eval", "instance_eval", "class_eval", "module_eval"],
        shells: &["system", "exec", "spawn", "IO.popen"],
    },
    Dialect {
        languages: &["node", "bun", "deno"],
        reads: &["stdin", "readFileSync(0", "/dev/fd/0", "fd: 0"],
        evaluates: &[
            "eval",
            "Function",
            "vm.runInThisContext",
            "runInThisContext",
            "runInNewContext",
            "vm.Script",
        ],
        shells: &["execSync", "child_process.exec"],
    },
    Dialect {
        languages: &["php"],
        reads: &["php://stdin", "STDIN", "/dev/stdin", "php://input"],
        evaluates: &["eval", "create_function"],
        shells: &["system", "shell_exec", "passthru", "exec", "popen"],
    },
    Dialect {
        languages: &["lua"],
        reads: &["io.read", "io.stdin", "io.lines"],
        evaluates: &["load", "loadstring", "dofile"],
        shells: &["os.execute", "io.popen"],
    },
    Dialect { languages: &["awk"], reads: &[""], evaluates: &[], shells: &["system"] },
];

/// Calls of Python that run a shell where they are told to.
const SUBPROCESS: &[&str] = &[
    "subprocess.run",
    "subprocess.call",
    "subprocess.Popen",
    "subprocess.check_output",
    "subprocess.check_call",
];

/// What a code does with its standard input; none when it does not run it. `loops` says that the code runs once for each
/// line of it, as that of `perl -n` does.
pub(crate) fn input(language: &str, code: &str, loops: bool) -> Option<Input> {
    let dialect = DIALECTS.iter().find(|dialect| dialect.languages.contains(&language))?;
    if !loops && !dialect.reads.iter().any(|read| code.contains(read)) {
        return None;
    }
    if language == "awk" && pipes_into_a_shell(code) {
        return Some(Input::Shell);
    }
    if dialect.evaluates.iter().any(|name| calls(code, name)) {
        return Some(Input::Code);
    }
    let in_shell = SUBPROCESS.iter().any(|name| language == "python" && calls(code, name));
    if in_shell && code.contains("shell=True") {
        return Some(Input::Shell);
    }
    dialect.shells.iter().any(|name| calls(code, name)).then_some(Input::Shell)
}

/// Whether a code calls this with anything but a literal. A method of another object, as `re.eval(…)`, is another name.
fn calls(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let behind = &code[at + name.len()..];
        let is_whole = before
            .is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '@' | '%')))
            && behind.chars().next().is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
        is_whole && !is_literal(behind.trim_start_matches([' ', '(']))
    })
}

/// Whether the first argument is a plain literal, a block or a declaration: nothing that was read.
fn is_literal(argument: &str) -> bool {
    match argument.chars().next() {
        Some(quote @ ('\'' | '"')) => {
            let text = argument[1..].split(quote).next().unwrap_or_default();
            !(quote == '"' && text.contains(['$', '#']))
        }
        Some(c) => matches!(c, '{' | '=' | ':' | ',' | '.' | ')' | '[') && !argument.starts_with(")("),
        None => false,
    }
}

/// `print | "sh"`
fn pipes_into_a_shell(code: &str) -> bool {
    let texts = code.split('"').collect::<Vec<_>>();
    texts.windows(2).any(|pair| {
        let program = crate::program::canonical(pair[1].split_whitespace().next().unwrap_or_default());
        pair[0].trim_end().ends_with('|')
            && !pair[0].trim_end().ends_with("||")
            && crate::program::is_shell(&program)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_runs_its_input_is_told_from_code_that_reads_it() {
        for (language, code, loops, does) in [
            ("python", "import sys; exec(sys.stdin.read())", false, Some(Input::Code)),
            ("python", "s=open(0).read(); eval(compile(s, 'x', 'exec'))", false, Some(Input::Code)),
            ("python", "import os,sys; os.system(sys.stdin.read())", false, Some(Input::Shell)),
            (
                "python",
                "import subprocess as s,sys,subprocess; subprocess.run(sys.stdin.read(), shell=True)",
                false,
                Some(Input::Shell),
            ),
            ("python", "import sys,subprocess; subprocess.run(['a', sys.stdin.read()])", false, None),
            ("python", "import sys,json; print(json.load(sys.stdin))", false, None),
            ("python", "import sys,re; re.compile('x').findall(sys.stdin.read())", false, None),
            ("python", "import sys,ast; print(ast.literal_eval(sys.stdin.read()))", false, None),
            ("python", "exec('x=1')", false, None),
            ("perl", "eval join '', <STDIN>", false, Some(Input::Code)),
            ("perl", "eval", true, Some(Input::Code)),
            ("perl", "eval { decode(<STDIN>) }", false, None),
            ("perl", "s/a/b/; print", true, None),
            ("ruby", "eval $stdin.read", false, Some(Input::Code)),
            ("ruby", "puts STDIN.read", false, None),
            ("node", "process.stdin.on('data', d => eval(d.toString()))", false, Some(Input::Code)),
            ("node", "new Function(require('fs').readFileSync(0))()", false, Some(Input::Code)),
            ("node", "JSON.parse(require('fs').readFileSync(0)); setTimeout(() => 1, 5)", false, None),
            ("node", "let m = /a/.exec(require('fs').readFileSync(0))", false, None),
            ("php", "eval(file_get_contents('php://stdin'));", false, Some(Input::Code)),
            ("lua", "load(io.read('*a'))()", false, Some(Input::Code)),
            ("awk", "{ system($0) }", false, Some(Input::Shell)),
            ("awk", "{ print | \"sh\" }", false, Some(Input::Shell)),
            ("awk", "{ print | \"sort\" } END { system(\"\") }", false, None),
        ] {
            assert_eq!(input(language, code, loops), does, "{language}: {code}");
        }
    }
}

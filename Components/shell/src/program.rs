//! What well-known programs are called, and what their arguments mean.

/// How a program reads its options.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// Short options that take a value.
    pub(crate) short: &'static str,
    /// Long options that take a value as the next argument.
    pub(crate) long: &'static [&'static str],
    /// How many words name the subcommand.
    pub(crate) subcommands: Subcommands,
}

/// Whether a program has subcommands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subcommands {
    /// None.
    No,
    /// One word: `push`.
    One,
    /// Two where the first is one of these: `stash drop`.
    Two(&'static [&'static str]),
    /// Always two, when there are: `ec2 terminate-instances`.
    Pair,
}

use Subcommands::{No, One, Pair, Two};

const fn tool(
    name: &'static str,
    short: &'static str,
    long: &'static [&'static str],
    subcommands: Subcommands,
) -> Tool {
    Tool { name, short, long, subcommands }
}

/// The table, in the order of names.
const TOOLS: &[Tool] = &[
    tool("apt", "oct", &["option", "target-release"], One),
    tool("apt-get", "oct", &["option", "target-release"], One),
    tool("aws", "", &["profile", "region", "output", "endpoint-url", "query"], Pair),
    tool("az", "gnos", &["resource-group", "name", "output", "subscription", "query"], Pair),
    tool("base64", "io", &["input", "output", "wrap"], No),
    tool("brew", "", &[], Two(&["services", "bundle"])),
    tool("bun", "", &["cwd"], Two(&["pm"])),
    tool("cargo", "CZpFj", &["manifest-path", "color", "config", "target-dir", "features", "package"], One),
    tool("composer", "d", &["working-dir"], One),
    tool(
        "curl",
        "AbCcDdeEFHhKmoPQrTtuUwXxyYz",
        &[
            "output",
            "data",
            "header",
            "request",
            "form",
            "upload-file",
            "user",
            "data-binary",
            "data-raw",
            "data-urlencode",
            "url",
            "proxy",
            "max-time",
            "output-dir",
            "config",
            "json",
            "cookie",
            "user-agent",
            "connect-timeout",
            "retry",
        ],
        No,
    ),
    tool("cut", "bcdf", &["delimiter", "fields"], No),
    tool("dnf", "", &[], One),
    tool(
        "docker",
        "HlecfptuvwnmIa",
        &[
            "context",
            "host",
            "log-level",
            "config",
            "file",
            "name",
            "volume",
            "env",
            "network",
            "publish",
            "user",
            "workdir",
            "entrypoint",
            "format",
            "filter",
            "mount",
            "tag",
            "project-name",
            "env-file",
            "platform",
        ],
        Two(&[
            "compose",
            "container",
            "image",
            "volume",
            "network",
            "system",
            "builder",
            "context",
            "buildx",
            "swarm",
            "stack",
            "service",
            "secret",
            "node",
            "plugin",
            "manifest",
            "trust",
            "config",
        ]),
    ),
    tool("docker-compose", "fp", &["file", "project-name", "profile", "env-file"], One),
    tool("doctl", "", &[], Pair),
    tool("ed", "p", &["prompt"], No),
    tool("ex", "cSTuUwW", &["cmd"], No),
    tool("flyctl", "ac", &["app", "config"], Two(&["apps", "secrets", "volumes", "postgres", "machine"])),
    tool("gcloud", "", &["project", "zone", "region", "format", "account", "configuration"], Pair),
    tool("gh", "R", &["repo", "body", "title", "method", "field", "label"], Pair),
    tool(
        "git",
        "Cc",
        &[
            "git-dir",
            "work-tree",
            "namespace",
            "exec-path",
            "super-prefix",
            "config-env",
            "message",
            "author",
            "date",
        ],
        Two(&[
            "stash",
            "remote",
            "worktree",
            "submodule",
            "bisect",
            "reflog",
            "lfs",
            "notes",
            "bundle",
            "sparse-checkout",
            "config",
            "flow",
        ]),
    ),
    tool("glab", "R", &["repo"], Pair),
    tool("go", "", &[], Two(&["mod", "work", "env", "tool"])),
    tool("grep", "efmABCdD", &["regexp", "file", "max-count", "context"], No),
    tool("gsutil", "hou", &[], One),
    tool("head", "nc", &["lines", "bytes"], No),
    tool("helm", "nf", &["namespace", "kube-context", "values", "set", "version"], One),
    tool("heroku", "a", &["app"], One),
    tool("killall", "usoy", &["user", "signal", "older-than", "younger-than"], No),
    tool(
        "kubectl",
        "nfsolcpk",
        &[
            "namespace",
            "context",
            "kubeconfig",
            "filename",
            "selector",
            "output",
            "cluster",
            "user",
            "server",
            "token",
            "container",
            "patch",
            "type",
            "replicas",
        ],
        Two(&["config", "rollout", "set", "auth", "certificate", "top"]),
    ),
    tool("mysql", "hueDP", &["host", "user", "execute", "database", "port"], No),
    tool("nc", "eclpwsiq", &["exec", "sh-exec"], No),
    tool(
        "npm",
        "wC",
        &["prefix", "workspace", "registry", "tag", "otp"],
        Two(&["config", "cache", "token", "access", "dist-tag", "owner"]),
    ),
    tool("openssl", "", &[], One),
    tool("pip", "rcteit", &["requirement", "target", "index-url", "extra-index-url", "proxy"], One),
    tool("pkill", "uUgGPstF", &["euid", "uid", "group", "parent", "session", "terminal", "signal"], No),
    tool("pnpm", "CF", &["filter", "dir", "workspace"], Two(&["store", "config"])),
    tool(
        "podman",
        "HlecfptuvwnmIa",
        &["file", "name", "volume", "env", "network", "publish", "user"],
        Two(&["compose", "container", "image", "volume", "network", "system", "pod"]),
    ),
    tool("psql", "cdfhpUv", &["command", "dbname", "file", "host", "port", "username"], No),
    tool("pulumi", "Cs", &["stack", "cwd"], Two(&["stack", "config"])),
    tool("rclone", "", &["config"], One),
    tool("redis-cli", "hpanu", &[], No),
    tool(
        "rsync",
        "efT",
        &["rsh", "exclude", "include", "exclude-from", "files-from", "filter", "temp-dir"],
        No,
    ),
    tool("scp", "cFiJloPSD", &[], No),
    tool("sed", "efl", &["expression", "file"], No),
    tool("snap", "", &[], One),
    tool("sort", "kotST", &["output", "key", "field-separator"], No),
    tool("systemctl", "tHMp", &["host", "machine", "type"], One),
    tool("tail", "ncs", &["lines", "bytes"], No),
    tool("tar", "fCTXbIK", &["file", "directory", "exclude", "files-from", "transform"], No),
    tool("tee", "", &[], No),
    tool("terraform", "", &[], Two(&["state", "workspace", "providers"])),
    tool("tofu", "", &[], Two(&["state", "workspace"])),
    tool("touch", "drt", &["date", "reference"], No),
    tool("truncate", "sr", &["size", "reference"], No),
    tool("uv", "", &["directory", "project"], Two(&["pip", "tool", "cache", "python", "self"])),
    tool("vercel", "tS", &["token", "scope"], One),
    tool(
        "wget",
        "OoaPUteiQw",
        &[
            "output-document",
            "output-file",
            "directory-prefix",
            "header",
            "post-data",
            "post-file",
            "body-data",
            "user-agent",
        ],
        No,
    ),
    tool("vi", "cSTuUwW", &["cmd"], No),
    tool("vim", "cSTuUwW", &["cmd"], No),
    tool("nvim", "cSuwW", &["cmd"], No),
    tool("xxd", "cglos", &[], No),
    tool("yarn", "", &["cwd"], Two(&["cache", "config", "workspace", "global", "npm"])),
    tool("yum", "", &[], One),
    tool("zip", "bnPt", &[], No),
];

/// Programs whose long options start with a single dash.
const SINGLE_DASH: &[&str] = &[
    "find",
    "terraform",
    "tofu",
    "java",
    "openssl",
    "ffmpeg",
    "convert",
    "go",
    "gcc",
    "clang",
    "xcodebuild",
    "adb",
    "fastboot",
    "defaults",
    "security",
];

/// Names with the same meaning.
const SAME: &[(&str, &str)] = &[
    ("nodejs", "node"),
    ("pypy", "python"),
    ("k", "kubectl"),
    ("fly", "flyctl"),
    ("ncat", "nc"),
    ("netcat", "nc"),
    ("nc.traditional", "nc"),
    ("nc.openbsd", "nc"),
    ("podman-compose", "docker-compose"),
    ("grm", "rm"),
    ("gmv", "mv"),
    ("gcp", "cp"),
    ("gdd", "dd"),
    ("gln", "ln"),
    ("gsed", "sed"),
    ("gfind", "find"),
    ("gxargs", "xargs"),
    ("gtar", "tar"),
    ("bsdtar", "tar"),
    ("star", "tar"),
    ("gtimeout", "timeout"),
    ("gnice", "nice"),
    ("genv", "env"),
    ("gshred", "shred"),
    ("gtruncate", "truncate"),
    ("gchmod", "chmod"),
    ("gchown", "chown"),
    ("gawk", "awk"),
    ("mawk", "awk"),
    ("nawk", "awk"),
    (".", "source"),
    ("mariadb", "mysql"),
];

/// How this program reads its options, when it is known.
pub(crate) fn tool_of(program: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == program)
}

pub(crate) fn has_single_dash(program: &str) -> bool {
    SINGLE_DASH.contains(&program)
}

/// Programs that are told with a version: `python3.11`, `pip3`, `ruby2.7`.
const VERSIONED: &[&str] = &["python", "pip", "ruby", "perl", "php", "lua", "pypy", "node"];

/// The canonical name of a program.
pub(crate) fn canonical(path: &str) -> String {
    let trimmed = path.trim_end_matches('/');
    let base = trimmed.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name = base.to_ascii_lowercase();
    for ending in [".exe", ".cmd", ".bat", ".com"] {
        if let Some(bare) = name.strip_suffix(ending).filter(|bare| !bare.is_empty()) {
            name.truncate(bare.len());
        }
    }
    if name.starts_with("ld-linux") || name.starts_with("ld-musl") {
        return "ld.so".to_owned();
    }
    let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if VERSIONED.contains(&unversioned) {
        name.truncate(unversioned.len());
    }
    match SAME.iter().find(|(other, _)| *other == name) {
        Some((_, same)) => (*same).to_owned(),
        None => name,
    }
}

/// Shells: they run text.
pub(crate) fn is_shell(program: &str) -> bool {
    matches!(
        program,
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "ash"
            | "fish"
            | "rbash"
            | "mksh"
            | "csh"
            | "tcsh"
            | "pwsh"
            | "powershell"
    )
}

/// The option that hands an interpreter its code, and whether it is a language that [`code`](crate::code) knows.
pub(crate) fn code_options(program: &str) -> &'static [&'static str] {
    match program {
        "python" => &["c"],
        "perl" => &["e", "E"],
        "ruby" | "lua" | "osascript" | "rscript" | "julia" | "elixir" | "groovy" | "scala" | "r" => &["e"],
        "erl" => &["eval"],
        "node" | "bun" => &["e", "eval", "p", "print"],
        "php" => &["r"],
        "psql" => &["c", "command"],
        "mysql" => &["e", "execute"],
        _ => &[],
    }
}

/// Clients of databases, which are handed statements beside their operands: on standard input and in files.
pub(crate) fn reads_statements(program: &str) -> bool {
    matches!(
        program,
        "psql"
            | "mysql"
            | "sqlite3"
            | "sqlcmd"
            | "clickhouse-client"
            | "clickhouse"
            | "cqlsh"
            | "duckdb"
            | "sqlplus"
            | "snowsql"
            | "usql"
            | "pgcli"
            | "mycli"
            | "litecli"
            | "cockroach"
            | "trino"
    )
}

/// The operand that is code: `awk CODE`, `deno eval CODE`.
pub(crate) fn code_operand<'w>(program: &str, operands: &'w [crate::Word]) -> Option<&'w crate::Word> {
    match program {
        "awk" => operands.first(),
        "deno" if operands.first()?.text == "eval" => operands.get(1),
        _ => None,
    }
}

/// Languages whose code may stand on standard input.
pub(crate) fn is_interpreter(program: &str) -> bool {
    is_shell(program)
        || matches!(
            program,
            "python"
                | "perl"
                | "ruby"
                | "node"
                | "php"
                | "lua"
                | "osascript"
                | "bun"
                | "deno"
                | "rscript"
                | "julia"
                | "elixir"
                | "groovy"
        )
}

//! Lessons beside explicit rules: what helps to keep them stands at once, what loosens or opposes them waits for a person.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use common::lesson;
use mentci_authority::{LessonId, OmissionReason, RuleLock, SkillName};
use mentci_compiler::lessons::{add_lesson, read_lessons};
use mentci_compiler::{
    Elsewhere, ExplicitLaw, FixedInventory, LawKind, SkillInput, SkillOptions, compile_skill, read_law,
};
use mentci_source::Source;

/// Law, condition, resolution.
type Row = (&'static str, &'static str, &'static str);

const HELPFUL: &[Row] = &[
    ("Always run `cargo fmt` before committing.", "the hook fails", "run cargo fmt"),
    ("You must run the tests.", "tests are slow", "run cargo nextest run"),
    (
        "Always run `cargo fmt` before committing.",
        "`cargo fmt` fails on a new module",
        "set the edition in `rustfmt.toml`",
    ),
    ("You must run `cargo test` before each commit.", "`cargo test` hangs", "set RUST_TEST_THREADS to 1"),
    (
        "You must run `cargo test` before each commit.",
        "`cargo test` fails with too many open files",
        "raise the limit with ulimit -n 4096 first",
    ),
    ("Never force push.", "a push is rejected", "rebase on origin and push again"),
    ("Never commit secrets.", "a secret was committed", "rotate it and tell the owner"),
    ("Never edit generated code.", "generated code is stale", "change the template and run `just generate`"),
    ("Every commit must be signed.", "signing fails with no tty", "export GPG_TTY=$(tty) and commit again"),
    ("Every commit must be signed.", "the commit fails to sign", "unlock the key with gpg-agent first"),
    ("All tests must pass.", "a test is flaky", "seed its random numbers"),
    ("All tests must pass.", "a test fails on Windows", "compare paths with Path::new"),
    ("Never use `sudo`.", "permission denied on /var/log", "ask for a group that may read it"),
    ("Never use `sudo`.", "npm install -g needs sudo", "set a prefix in your home"),
    ("You must use `pnpm`.", "pnpm install fails with a stale lock", "run pnpm install and commit the lock"),
    ("Always use `rg`.", "rg skips hidden files", "run rg --hidden"),
    (
        "Never push to main.",
        "main moved on while you worked",
        "rebase your branch on main and push the branch",
    ),
    ("Never guess a version.", "the version is unknown", "look the version up with cargo info"),
    (
        "Never delete the production database.",
        "a migration of the production database is stuck",
        "run `migrate unlock`",
    ),
    (
        "You must write a changelog entry for each change.",
        "the changelog check fails",
        "add an entry under Unreleased",
    ),
    (
        "You must update the docs when the API changes.",
        "docs fail to build after an API change",
        "run mkdocs build --strict to see the line",
    ),
    ("Always ask before deleting files.", "a folder is full of old files", "list the files and ask"),
    (
        "Never call `unwrap` outside tests.",
        "an Option is None in the parser",
        "return a finding, not a panic",
    ),
    ("Never call `unwrap`.", "clippy complains about unwrap", "use `?` and give a reason"),
    ("You must not log tokens.", "a token shows up in the log", "mask it in the tracing layer"),
    ("Commits must reference an issue.", "the hook rejects the commit", "put `Refs #123` in its last line"),
    ("Always use UTC for timestamps.", "a timestamp is off by an hour", "parse it as UTC"),
    (
        "You must review every diff before pushing.",
        "the diff is too long to review",
        "review it file by file",
    ),
    (
        "Never merge with failing checks.",
        "a check is failing after a merge",
        "fix it on the branch, then merge",
    ),
    (
        "You must run `make lint` before a pull request.",
        "make lint fails with an unknown rule name",
        "update the linter with make tools, then run make lint",
    ),
    ("Never use floats for money.", "rounding of money differs by a cent", "use Decimal and round half even"),
    (
        "All endpoints must check authorization.",
        "authorization of a new endpoint answers 500",
        "register the middleware before the router",
    ),
    (
        "You must run migrations in a transaction.",
        "the migration times out in its transaction",
        "raise statement_timeout inside the transaction",
    ),
    ("Never skip tests.", "the tests need docker", "start it with systemctl --user start docker"),
    ("Always pin dependencies.", "a pinned dependency is yanked", "pin the next patch release"),
    ("You must keep the coverage above 80 %.", "coverage drops after a move", "add tests for the moved code"),
    (
        "Never commit to `main`.",
        "you are on main by mistake",
        "create a branch with git switch -c and commit there",
    ),
    (
        "You must use `apply_patch` for edits.",
        "apply_patch fails on CRLF",
        "convert the file with dos2unix first",
    ),
    (
        "Secrets must be read from the vault.",
        "the vault answers 403 for secrets",
        "renew the token with vault login",
    ),
    (
        "Never disable clippy lints.",
        "a clippy lint fires in generated code",
        "regenerate with the newer prost, which is clean",
    ),
    (
        "You must not edit `Cargo.lock` by hand.",
        "Cargo.lock has a merge conflict",
        "take theirs and run cargo update -w",
    ),
    (
        "Always build with `--locked`.",
        "the build with --locked fails",
        "run cargo update -p the-crate and commit the lock",
    ),
    ("You must run `cargo test` before pushing.", "cargo test fails to link", "install mold and clang first"),
    (
        "Always run `terraform plan` before `terraform apply`.",
        "terraform plan fails on a state lock",
        "wait for the other run to end",
    ),
    (
        "You must squash commits before merging.",
        "squashing conflicts",
        "rebase interactively and squash one by one",
    ),
    (
        "Never expose internal ports.",
        "a service cannot reach an internal port",
        "join both services to one network",
    ),
    (
        "You must document every public function.",
        "the docs lint fails on a macro",
        "document the functions that the macro makes",
    ),
    ("Never store dates as strings.", "a date comes in as a string", "parse it at the edge with jiff"),
    (
        "Migrations must be reversible.",
        "a migration drops a column",
        "write a down migration that adds the column again",
    ),
    (
        "You must use `uv` to install packages.",
        "uv cannot find Python 3.13",
        "run uv python install 3.13 first",
    ),
    ("Always close file handles.", "too many open file handles", "use a with block"),
    ("Never block the event loop.", "a handler blocks on disk", "move the read to spawn_blocking"),
    ("You must validate all input.", "an input has a BOM", "strip the BOM, then validate"),
    ("Never retry payments automatically.", "a payment times out", "look up its status and tell a person"),
    ("You must tag releases with the version.", "the tag exists already", "bump the version and tag anew"),
    ("Never hardcode credentials.", "tests need credentials", "read them from the fixture vault"),
    (
        "You must run `just check` before you hand over.",
        "just check cannot find the recipe",
        "run it from the workspace root",
    ),
    ("Backups must be encrypted.", "the backup fails with no key", "import the key from the vault"),
    ("Never log in as root.", "a root shell seems to be needed", "ask the owner for a service account"),
    (
        "You must keep lines under 100 characters.",
        "a line with a link is too long",
        "move the link to its own line",
    ),
    ("Always squash before merging.", "the branch has merge commits", "rebase it on main and squash"),
    ("You must pin the base image.", "the base image has a CVE", "pin the newer digest"),
    (
        "Never change the public API without a version bump.",
        "a public type needs a new field",
        "bump the minor version and add the field",
    ),
    ("You must use tabs.", "the formatter indents with spaces", "set hard_tabs in its configuration"),
    ("Always use the staging database for tests.", "the staging database is empty", "seed it with make seed"),
    (
        "You must ask a person before deploying.",
        "a deploy is due at night",
        "leave a note and ask in the morning",
    ),
    ("Never trust user input.", "user input breaks the query", "bind it as a parameter"),
    (
        "You must close the issue after the merge.",
        "the issue stays open after a merge",
        "write Closes in the description",
    ),
    ("Never commit generated files.", "generated files show up in git status", "add them to .gitignore"),
    ("You must run the linter.", "the linter runs out of memory", "run it file by file"),
    ("Never use `eval`.", "a config holds an expression", "parse it with the expr crate"),
    (
        "All public functions must have tests.",
        "a public function is hard to test",
        "pass the clock as an argument",
    ),
    ("You must sign releases.", "the release key expired", "extend its date, then sign again"),
    ("Never delete logs.", "logs fill the disk", "compress them with zstd"),
    ("You must use structured logging.", "a log line is not JSON", "call the tracing macro with fields"),
    (
        "You must run the tests before each push.",
        "tests are flaky on CI",
        "run them once more only when a test failed",
    ),
    (
        "Always run `cargo fmt` before committing.",
        "the formatter is slow",
        "format only once, right before the commit",
    ),
    (
        "You must ask before deleting files.",
        "a folder is large",
        "ask once with the whole list instead of file by file",
    ),
    ("Never force push.", "the remote rejects a push", "only push after a rebase, never with force"),
    ("You must use `pnpm`.", "pnpm install hangs", "clear its store instead of using npm"),
    ("Never commit secrets.", "a key is needed in tests", "use a fake key instead"),
    ("Every commit must be signed.", "an unsigned commit was made", "amend it once the key is unlocked"),
    (
        "You must write a changelog entry for each change.",
        "several changes are one feature",
        "write one entry for the feature, but only after naming each change",
    ),
    ("Never edit generated code.", "generated code is wrong", "edit the template instead and regenerate"),
    ("All tests must pass.", "a test passes only locally", "run it in the container instead"),
    ("Never use `sudo`.", "docker needs root", "use rootless docker instead"),
    (
        "You must review every diff before pushing.",
        "the diff is generated",
        "review the generator as well as the diff",
    ),
    ("Always use UTC for timestamps.", "a library returns local time", "convert it to UTC once at the edge"),
    ("You must pin the base image.", "the tag latest is used", "replace it with a digest"),
    (
        "You must validate all input.",
        "input comes twice",
        "validate it at the edge only once, before it is used",
    ),
    (
        "You must run migrations in a transaction.",
        "a migration is long",
        "split it, each part in its own transaction",
    ),
    ("Never skip tests.", "a test is slow", "mark it slow and run it nightly as well as before the merge"),
    ("You must keep lines under 100 characters.", "a URL is long", "put it on a line of its own"),
    (
        "You must not edit `Cargo.lock` by hand.",
        "Cargo.lock conflicts",
        "run cargo update instead of editing it",
    ),
    ("Always ask before deploying.", "a deploy is urgent", "call the person on duty and ask"),
    (
        "Never merge with failing checks.",
        "a check is red for an unrelated reason",
        "fix it first in a branch of its own",
    ),
    ("You must sign off each commit.", "sign-off is missing", "git commit --amend --signoff"),
    ("You must back up before upgrading.", "the disk is full", "free space first, then back up"),
    ("Never expose internal ports.", "a port must be reachable", "tunnel it through ssh instead"),
    ("Backups must be encrypted.", "encryption is slow", "compress first, then encrypt"),
    ("Never push to `main`.", "a push is slow", "edit src/main.rs and push the branch"),
    ("Never push to `main`.", "a fix is urgent", "open a pull request and ask for a fast review"),
    (
        "You must tag releases with the version.",
        "a tag is wrong",
        "delete the tag and tag again before publishing",
    ),
    ("Never store passwords in plain text.", "a form needs a password", "hash it with argon2 immediately"),
    ("Always close file handles.", "a handle leaks in a loop", "use a with block inside the loop"),
    (
        "You must use `uv` to install packages.",
        "a package has no wheel",
        "install its build dependencies with uv first",
    ),
    ("Never block the event loop.", "a library is synchronous", "run it in a thread instead"),
    ("You must wait for CI before merging.", "CI is queued for long", "cancel older runs of the same branch"),
    ("Never hardcode credentials.", "an example needs credentials", "read them from the environment"),
    (
        "You must run the linter.",
        "the linter reports old files",
        "run it only on changed files first, then on all",
    ),
    ("You must use structured logging.", "a dependency prints", "route its output into tracing"),
    (
        "Never trust user input.",
        "a path comes from a user",
        "canonicalize it and check that it is inside the root",
    ),
    ("Commits must reference an issue.", "there is no issue yet", "open one first"),
    ("Never use `eval`.", "a template needs logic", "use the template engine's own expressions instead"),
    ("Never use floats for money.", "a rate has six digits", "use Decimal with six digits"),
    ("You must ask a person before deploying.", "nobody is there", "wait until someone answers"),
    ("You must close the issue after the merge.", "two issues are fixed", "close both"),
    ("Never rebase a shared branch.", "a shared branch is behind", "merge main into it instead"),
    ("All endpoints must check authorization.", "a public endpoint is needed", "ask the security team first"),
    ("You must use tabs.", "a file mixes tabs and spaces", "convert it to tabs in a commit of its own"),
    (
        "Every pull request must be approved.",
        "the only reviewer is away",
        "ask another maintainer for approval",
    ),
    ("Tests must not be deleted.", "a test is obsolete", "ask the owner, and keep it until then"),
    (
        "Always build with `--locked`.",
        "the lock file is stale",
        "update it in its own commit, then build with --locked",
    ),
    ("Never run `rm -rf`.", "a build folder must go", "use `cargo clean`"),
    (
        "You must read the design page first.",
        "the page is out of date",
        "tell its owner, and read the code as well",
    ),
    ("Never commit to `main`.", "a commit landed on main", "git reset --soft and move it to a branch"),
    (
        "Never disable clippy lints.",
        "clippy is wrong",
        "report it upstream and rewrite the line so that it is silent",
    ),
    ("You must write tests for each fix.", "a bug needs a real clock", "inject a clock and test with it"),
    (
        "Never change the public API without a version bump.",
        "a rename is needed",
        "keep the old name as an alias",
    ),
    ("You must keep the coverage above 80 %.", "coverage is exactly 80", "add a test"),
    ("Always use the staging database for tests.", "staging is locked", "wait or ask for a copy of staging"),
    ("You must check the licence of each dependency.", "a licence is unknown", "ask legal before adding it"),
    ("Never print secrets.", "a command prints its environment", "filter it with grep -v TOKEN"),
    ("You must not delete `prod.db`.", "the disk is full", "delete only files under /tmp"),
    (
        "You must use `apply_patch` for edits.",
        "a patch does not apply",
        "read the file again and make a smaller patch",
    ),
    (
        "You must run `make test` before each release.",
        "make test fails with a port in use",
        "stop the other server and run it again",
    ),
    (
        "You must never commit binaries.",
        "a binary slipped in",
        "remove it with git rm --cached and add it to .gitignore",
    ),
    (
        "Releases must be announced in the channel.",
        "the channel is archived",
        "announce it in the new channel instead",
    ),
    ("You must use the design tokens.", "a colour has no token", "add a token, then use it"),
    ("Never query production directly.", "production data is needed", "query the replica"),
    ("Each migration must have a test.", "the test database is old", "reset it, then run the test"),
    (
        "You must lock the state before applying.",
        "the lock is held for hours",
        "ask its holder and force-unlock only after their answer",
    ),
    ("Every API call must have a timeout.", "calls time out under load", "raise it to 30 seconds"),
    ("Never import from `internal/`.", "a helper lives in internal/", "move it to a public package"),
    ("You must translate all strings.", "a string has no translation yet", "file it with the translators"),
    ("You must run the type checker.", "mypy reports a missing stub", "install types-requests"),
    ("Never mutate shared state.", "two workers need a counter", "send messages to one owner"),
    ("Always escape HTML.", "an entity is escaped twice", "escape it at the template only once"),
    ("You must not use global variables.", "a script needs configuration", "pass it as an argument"),
    ("Pull requests must be small.", "a refactor is large", "stack several pull requests"),
    (
        "Always run the formatter.",
        "the formatter crashes on one file",
        "report it and format the file by hand, then run the formatter on the rest",
    ),
    ("You must verify checksums.", "a checksum file is missing", "ask the publisher for one"),
    ("All cookies must be secure.", "local HTTP loses the cookie", "serve it over HTTPS with mkcert"),
    (
        "You must drain the node before rebooting.",
        "draining hangs on a pod",
        "delete the pod with its budget in mind, then drain again",
    ),
    (
        "Never use deprecated APIs.",
        "a deprecated API has no replacement",
        "open an issue upstream and keep our wrapper",
    ),
    ("Secrets must be rotated each quarter.", "rotation broke a service", "restart it after the rotation"),
    ("You must label every issue.", "no label fits", "create a label first"),
    ("Never leave TODOs.", "a TODO is needed", "open an issue and link it"),
    ("You must cite sources.", "a source is behind a paywall", "cite its abstract"),
    ("Always check return codes.", "a command returns 1 for no match", "treat 1 as empty and fail above it"),
    ("Never call external services in tests.", "a test needs an API", "use a recorded response"),
    ("You must write ADRs for decisions.", "two decisions belong together", "write one ADR for both"),
    ("Never store state in the container.", "the container restarts", "mount a volume"),
    ("You must keep the README current.", "the README is generated", "update its template"),
];

const AGAINST: &[Row] = &[
    ("Never force push.", "a push is rejected", "push with git push -f"),
    // A ref, a path and look-alike letters hide no word.
    ("Never push to `main`.", "CI is slow", "git push origin HEAD:main"),
    ("Never push to `main`.", "CI is slow", "git push -f origin refs/heads/main"),
    ("Never push to `main`.", "CI is slow", "git push origin HEAD:refs/heads/main"),
    ("Never push to main.", "CI is slow", "git push origin HEAD:main"),
    ("Never run `git push origin main`.", "CI is slow", "git push origin HEAD:main"),
    ("Never push to `main`.", "CI is slow", "\u{440}ush to main"),
    ("Never push to `main`.", "CI is slow", "push to m\u{430}in"),
    ("Never push to `main`.", "CI is slow", "\u{ff50}\u{ff55}\u{ff53}\u{ff48} to main"),
    ("Don't use `sudo`.", "apt fails", "use \u{455}ud\u{43e}"),
    ("Never use `git push --force`.", "a push is rejected", "git push -f"),
    ("Every commit must be signed.", "gpg fails", "commit with --no-gpg-sign"),
    ("Never skip tests.", "a test is flaky", "mark the flaky test #[ignore]"),
    ("All tests must pass.", "a test is flaky", "mark the flaky test #[ignore]"),
    ("Never use sudo.", "permission denied", "use su -c"),
    ("You must run `cargo test` before each commit.", "cargo test hangs", "commit without it"),
    ("You must run `cargo test` before each commit.", "cargo test takes long", "run it once a week"),
    ("You must run `cargo test` before each commit.", "the change is small", "skip the tests"),
    ("Always run `cargo fmt` before committing.", "the file is generated", "cargo fmt is not needed"),
    ("Never edit generated code.", "the header of generated code is wrong", "patch it by hand"),
    ("You must use `pnpm`.", "pnpm is slow", "use npm"),
    ("Always use `rg`.", "rg is missing", "use grep instead"),
    ("Never push to main.", "a hotfix", "switch to main, then push"),
    ("Never delete the production database.", "a migration is stuck", "drop the prod db"),
    ("All tests must pass before merging.", "a flaky test fails", "merge anyway"),
    ("All tests must pass before merging.", "a test fails on Windows", "merge and fix it later"),
    ("Commits must reference an issue.", "the change is trivial", "leave the issue out of the commit"),
    ("Always ask before deleting files.", "the files are temporary", "delete them without asking"),
    ("Always ask before deleting files.", "old files are in the way", "no need to ask"),
    ("You must not log tokens.", "debugging of logins", "print the token to the log"),
    ("You must review every diff before pushing.", "the diff is long", "push and review later"),
    ("Never merge with failing checks.", "the check is flaky", "merge although checks are failing"),
    (
        "You must write a changelog entry for each change.",
        "an internal change",
        "no changelog entry is needed",
    ),
    ("Never use floats for money.", "speed matters", "use floats for money in tests"),
    (
        "All endpoints must check authorization.",
        "health checks",
        "leave the endpoint /health open, authorization is not required there",
    ),
    ("Never commit secrets.", "a test key", "a test secret may be committed"),
    (
        "Secrets must be read from the vault.",
        "the vault is down",
        "read secrets from the environment instead",
    ),
    ("You must keep the coverage above 80 %.", "coverage drops", "lower the coverage threshold to 70"),
    ("Never disable clippy lints.", "a clippy lint is wrong", "add #[allow(clippy::all)] on the line"),
    ("You must run `make lint` before a pull request.", "make lint fails", "append || true to make lint"),
    ("You must run the hooks.", "the hooks are slow", "git commit --no-verify"),
    ("Never use `git commit --no-verify`.", "the hook is broken", "git commit -n"),
    ("Always build with `--locked`.", "the build with --locked fails", "drop --locked"),
    ("You must use `apply_patch` for edits.", "apply_patch fails", "edit with sed"),
    ("You must run `cargo test` before pushing.", "docs changed", "run cargo test only when code changed"),
    ("Always pin dependencies.", "a pin is old", "unpinned dependencies are fine"),
    ("Never run `apt-get install --yes`.", "apt-get asks", "run apt-get install -y"),
    ("Never call `unwrap` outside tests.", "the value is surely there", "unwrap is fine"),
    (
        "You must not edit `Cargo.lock` by hand.",
        "Cargo.lock has a merge conflict",
        "edit the markers out of Cargo.lock by hand",
    ),
    ("Every pull request must be approved.", "reviewers are away", "merge the pull request without approval"),
    ("You must sign off each commit.", "the sign-off of a commit was forgotten", "it is optional"),
    ("Never rebase a shared branch.", "history is messy", "rebase the shared branch interactively"),
    ("Always use UTC for timestamps.", "users see odd timestamps", "use local time for timestamps"),
    ("You must not print secrets.", "a login fails", "echo the secret"),
    ("Tests must not be deleted.", "the test fails", "delete the test"),
    ("All tests must pass.", "one test fails", "comment it out"),
    ("All tests must pass.", "one test fails", "exclude it with --skip"),
    ("You must run `cargo test` before pushing.", "a docs change", "pushing is fine before cargo test"),
    (
        "You must run migrations in a transaction.",
        "an index cannot be made in a transaction",
        "run the migration outside a transaction",
    ),
    ("Never store passwords in plain text.", "a demo", "store passwords in plain text for the demo"),
    ("You must back up before upgrading.", "the disk is full", "upgrade first, back up afterwards"),
    ("You must wait for CI before merging.", "CI is slow", "merge right after the push"),
    (
        "Always run `terraform plan` before `terraform apply`.",
        "terraform plan takes minutes",
        "run terraform apply -auto-approve",
    ),
    ("You must squash commits before merging.", "squashing conflicts", "merge with all commits as they are"),
    ("Never expose internal ports.", "a client needs it", "expose the internal port for a while"),
    ("You must document every public function.", "the name says it all", "undocumented functions are okay"),
    ("Never store dates as strings.", "sqlite has no dates", "store the dates as strings"),
    ("Migrations must be reversible.", "a column is dropped", "the migration need not be reversible"),
    ("You must use `uv` to install packages.", "uv is missing", "pip install the packages"),
    ("Never block the event loop.", "a short read", "blocking the event loop is acceptable"),
    ("You must validate all input.", "input comes from our own service", "trust it"),
    ("You must validate all input.", "performance matters", "turn off input validation"),
    (
        "Never retry payments automatically.",
        "a payment times out",
        "retry the payment automatically after a second",
    ),
    ("You must tag releases with the version.", "a hotfix", "release first and tag it afterwards"),
    ("Never hardcode credentials.", "a demo", "hardcode the demo credentials"),
    ("You must run `just check` before you hand over.", "just check is slow", "hand over and let CI run it"),
    ("Backups must be encrypted.", "the key is lost", "write the backup unencrypted"),
    ("Never log in as root.", "the service account is locked", "log in as root once"),
    ("You must keep lines under 100 characters.", "a table is wide", "lines may be longer in tables"),
    ("You must pin the base image.", "the digest is unknown", "use the latest tag of the base image"),
    (
        "Never change the public API without a version bump.",
        "a small fix",
        "change the public API and leave the version",
    ),
    ("You must use tabs.", "tabs break YAML", "use spaces"),
    (
        "Always use the staging database for tests.",
        "the staging database is empty",
        "use the production database for tests",
    ),
    ("You must ask a person before deploying.", "nobody answers", "deploy and tell them afterwards"),
    ("You must ask a person before deploying.", "a small change", "there is no need to ask"),
    ("Never commit generated files.", "a build has no protoc", "commit the generated files"),
    ("You must run the linter.", "only docs changed", "the linter can be skipped"),
    ("You must run the linter.", "a false alarm", "silence the linter with # noqa"),
    ("Never use `eval`.", "a config holds an expression", "eval it"),
    ("All public functions must have tests.", "getters", "getters are exempt from tests"),
    ("You must sign releases.", "the key expired", "publish the release without signing it"),
    ("Never delete logs.", "logs fill the disk", "rm the old logs"),
    ("Never run `docker system prune --force`.", "the disk is full", "docker system prune -f"),
    ("Never run `rm --recursive`.", "a folder is stale", "rm -r the folder"),
    ("Never use `curl --insecure`.", "the certificate expired", "curl -k the address"),
    ("Every change must be reviewed.", "a typo", "merge it unreviewed"),
    ("Never skip the hooks.", "a hook is broken", "git commit --no-verify"),
    ("CI must be green before a release.", "CI is red for a known reason", "release regardless"),
    ("You must not delete `prod.db`.", "cleaning up prod.db", "do not ask, remove it"),
    ("Never use `sudo`.", "sudo is installed", "call it for apt"),
];

/// What gives leave without the rule's words.
const LEAVE: &[Row] = &[
    ("Never force push.", "history must be clean", "overwriting the remote branch is okay"),
    ("You must run the tests before each push.", "only comments changed", "you can go ahead"),
    ("You must ask before deleting files.", "caches pile up", "clean them up on your own"),
    ("Never commit secrets.", "staging keys", "those may go into the repo"),
    ("You must run the tests before each push.", "it is late", "push now"),
    ("Never push to `main`.", "a typo", "committing straight to the default branch is ok"),
    ("Never delete the production database.", "a reset is wanted", "you may wipe prod"),
    ("You must use `pnpm`.", "old projects", "yarn is fine there"),
    ("Every commit must be signed.", "bots", "their commits need no signature"),
    ("All tests must pass.", "known failures", "ignore them"),
    ("Never use `sudo`.", "apt needs root", "elevated rights are allowed for apt"),
    ("Always ask before deploying.", "hotfixes", "no need to wait for anyone"),
    ("Never edit generated code.", "tiny fixes", "you can touch it up manually"),
    ("You must review every diff before pushing.", "dependabot", "those can be pushed unread"),
    ("Never skip the hooks.", "they take minutes", "bypassing is acceptable"),
    ("You must write a changelog entry for each change.", "refactors", "not worth it"),
    ("You must validate all input.", "internal callers", "they can be trusted"),
    ("Never merge with failing checks.", "flaky ones", "those don't count"),
    ("Backups must be encrypted.", "local disks", "plain copies suffice"),
    ("You must pin the base image.", "dev images", "latest will do"),
    ("Never use `eval`.", "trusted input", "it's harmless"),
    ("You must squash commits before merging.", "long branches", "keep the history as it is"),
    ("You must sign releases.", "release candidates", "unsigned ones are good enough"),
    ("Never block the event loop.", "short sleeps", "time.sleep is tolerable"),
    ("Always use UTC for timestamps.", "reports for users", "local zones are preferable"),
    ("You must document every public function.", "getters", "docs can wait"),
    ("Tests must not be deleted.", "duplicates", "get rid of them"),
    ("Commits must reference an issue.", "docs", "an issue is unnecessary"),
    ("All endpoints must check authorization.", "metrics", "open access is intended"),
    ("You must wait for CI before merging.", "urgent fixes", "don't wait"),
    ("Never rebase a shared branch.", "nobody else works on it", "rewriting it is safe"),
    ("You must keep lines under 100 characters.", "long strings", "exceed the limit"),
    ("Never store passwords in plain text.", "test users", "cleartext is fine"),
    ("You must run the linter.", "vendored code", "leave it alone"),
    ("Never change the public API without a version bump.", "additions", "no bump"),
    ("You must use `uv` to install packages.", "global tools", "pip works better"),
    ("Migrations must be reversible.", "data fixes", "one-way is OK"),
    ("Never trust user input.", "admins", "their input may be taken as is"),
    ("You must ask a person before deploying.", "at night", "nobody has to be asked"),
    ("Never retry payments automatically.", "timeouts", "a second attempt is allowed"),
    ("You must tag releases with the version.", "internal releases", "tags aren't needed"),
    ("Never delete logs.", "older than a week", "feel free to remove them"),
    ("You must close the issue after the merge.", "duplicates", "leave them open"),
    ("You must back up before upgrading.", "minor versions", "not required"),
    ("Never call `unwrap` outside tests.", "constants", "go ahead and unwrap"),
    ("Never run `rm -rf`.", "node_modules", "wiping it is no problem"),
    ("Always use the staging database for tests.", "read-only tests", "prod is OK"),
    ("You must run `make lint` before a pull request.", "draft pull requests", "hold off on lint"),
    ("You must check the licence of each dependency.", "dev dependencies", "exempt"),
    ("Never print secrets.", "a local terminal", "showing them is alright"),
    ("You must read the design page first.", "small edits", "jump straight in"),
    ("Never use floats for money.", "charts", "double is precise enough"),
    ("You must keep the coverage above 80 %.", "prototypes", "50 % will do"),
    ("You must write tests for each fix.", "one-line fixes", "skip"),
    ("All public functions must have tests.", "wrappers", "can go without"),
    ("Never disable clippy lints.", "FFI", "allow attributes are fine"),
    ("You must run `make test` before each release.", "patch releases", "make test is overkill"),
    ("You must never commit binaries.", "fonts", "fonts are an exception"),
    ("Releases must be announced in the channel.", "silent ones", "announcing is optional"),
    ("You must use the design tokens.", "one-off pages", "raw hex values are acceptable"),
    ("Never query production directly.", "support cases", "a quick look at prod is harmless"),
    ("Each migration must have a test.", "index changes", "no test needed"),
    ("You must lock the state before applying.", "solo work", "the lock can be skipped"),
    ("Every API call must have a timeout.", "streaming", "leave the timeout off"),
    ("Never import from `internal/`.", "prototypes", "import from internal/ for now"),
    ("You must translate all strings.", "admin pages", "English suffices"),
    ("You must run the type checker.", "notebooks", "not applicable"),
    ("Never mutate shared state.", "caches", "mutating is fine"),
    ("You must not use global variables.", "scripts under 50 lines", "globals are tolerated"),
    ("Pull requests must be small.", "generated code", "size doesn't matter"),
    ("Always run the formatter.", "vendored files", "exclude them from the formatter"),
    ("You must verify checksums.", "internal mirrors", "skip verification"),
    ("Never deploy on Fridays.", "trivial changes", "deploying then is permitted"),
    ("All cookies must be secure.", "localhost", "plain cookies are okay"),
    ("You must drain the node before rebooting.", "emergencies", "reboot immediately"),
    ("Never use deprecated APIs.", "old clients", "keep using them"),
    ("Secrets must be rotated each quarter.", "unused ones", "rotation may lapse"),
    ("You must label every issue.", "bots", "unlabelled is fine"),
    ("Never leave TODOs.", "spikes", "TODOs can stay"),
    ("You must cite sources.", "common knowledge", "citations are superfluous"),
    ("Always check return codes.", "echo", "ignoring it is ok"),
    ("Never call external services in tests.", "nightly runs", "real calls are allowed"),
    ("You must write ADRs for decisions.", "small ones", "nobody expects an ADR"),
    ("Never store state in the container.", "caches", "that's fine"),
    ("You must keep the README current.", "crunch time", "the README can lag behind"),
];

/// What reads a little like leave, where nothing binds or where it stands on the line of a norm that does not.
const FREE: &[Row] = &[
    ("Use structural_edit.", "structural_edit fails on module include macros", "text edit is fine"),
    ("You should prefer small commits.", "a rename touches many files", "one large commit is okay"),
    ("The parser is written by hand.", "a grammar is small", "you may use a generator"),
    (
        "Never commit secrets.\n\n- Indent with four spaces.",
        "indenting a Makefile with four spaces",
        "tabs are fine there",
    ),
];

/// What orders, in the rule's own words, what the rule makes wait, bounds by a number, forbids or keeps in its place.
const LOOSENING: &[Row] = &[
    ("You must ask the owner before you drop a table.", "a table is empty", "drop the table at once"),
    ("You must ask before you close an issue.", "an issue is old", "close it"),
    ("You must get three sign-offs before you publish.", "the page is short", "publish with two sign-offs"),
    (
        "You must wait for the canary before you roll forward.",
        "the canary is slow",
        "roll forward right away",
    ),
    ("Always take a snapshot before resizing a volume.", "a volume is nearly full", "resize the volume now"),
    ("You must notify support before a release.", "it is only a hotfix", "release straight away"),
    (
        "You must run `make audit` before you publish a package.",
        "the registry is waiting",
        "publish the package",
    ),
    ("You must open a ticket before you change the firewall.", "a port is blocked", "change the firewall"),
    (
        "At least two engineers must review a schema change.",
        "the column is unused",
        "one engineer reviews it",
    ),
    (
        "You must never retry a charge more than 3 times.",
        "the bank answers late",
        "retry the charge 10 times",
    ),
    ("You must keep the timeout under 30 seconds.", "a report takes long", "set the timeout to 5 minutes"),
    ("The error budget must stay above 90%.", "a launch is near", "go down to 75% of the error budget"),
    (
        "Commit titles must not exceed 60 characters.",
        "a title names two crates",
        "write titles of 80 characters",
    ),
    ("You must keep four replicas.", "a node is expensive", "run two replicas"),
    (
        "Customer data must stay in the EU region.",
        "the EU region is full",
        "copy customer data to the US region",
    ),
    ("Keys must be stored in the keychain.", "the keychain is locked", "put the keys into a dotfile"),
    ("Audit logs must remain on the log server.", "the link is flaky", "keep the audit logs under /tmp"),
    ("Recordings must be kept in cold storage.", "a recording is wanted often", "store it on the web server"),
    ("Admin ports must stay closed.", "a vendor debugs", "open the admin ports"),
    ("The debug flag must stay disabled.", "a bug hides", "enable the debug flag"),
    ("You must never restart the message broker.", "the message broker leaks", "bounce the broker"),
    ("You must not reboot a build host.", "a build host is wedged", "restart it"),
    ("Never kill a running migration.", "a migration runs for hours", "terminate the migration"),
    ("You must not truncate the events table.", "the events table is huge", "purge the events table"),
    ("You must not deploy without a release note.", "the fix is urgent", "deploy it"),
    ("Never merge until the owner approved.", "the owner is on vacation", "merge the branch now"),
    ("Never ship on a Friday.", "the fix is tiny", "ship it"),
    ("Only maintainers may publish packages.", "no maintainer is online", "publish the package yourself"),
    ("A person must approve each payout.", "the approver sleeps", "approve it automatically"),
    (
        "Every release must be signed.",
        "the key is on another machine and it is late",
        "release it unattended",
    ),
];

/// What speaks of the same deeds and leaves the rule as it is.
const DETAILED: &[Row] = &[
    (
        "You must ask the owner before you drop a table.",
        "the owner is unknown",
        "look the owner up in CODEOWNERS",
    ),
    ("You must ask before you close an issue.", "an issue is old", "ask its author, then close it"),
    (
        "You must get three sign-offs before you publish.",
        "a reviewer left",
        "ask another one for the third sign-off",
    ),
    (
        "You must wait for the canary before you roll forward.",
        "the canary fails",
        "read its log with `kubectl logs`",
    ),
    ("Always take a snapshot before resizing a volume.", "a snapshot fails", "free space in the pool"),
    ("You must notify support before a release.", "support has two channels", "notify both"),
    (
        "You must run `make audit` before you publish a package.",
        "make audit needs a token",
        "export AUDIT_TOKEN",
    ),
    (
        "You must open a ticket before you change the firewall.",
        "the ticket system is down",
        "send the ticket by mail",
    ),
    ("At least two engineers must review a schema change.", "the change is large", "ask three engineers"),
    (
        "You must never retry a charge more than 3 times.",
        "a charge fails",
        "retry the charge twice, then tell billing",
    ),
    ("You must keep the timeout under 30 seconds.", "a call is slow", "set the timeout to 20 seconds"),
    ("The error budget must stay above 90%.", "the error budget drops", "stop the rollout"),
    ("Commit titles must not exceed 60 characters.", "a title is long", "move its second half to the body"),
    ("You must keep four replicas.", "a replica dies", "wait until four replicas are up"),
    ("Customer data must stay in the EU region.", "a job runs elsewhere", "move the job to the EU region"),
    ("Keys must be stored in the keychain.", "the keychain is locked", "unlock it with the login"),
    (
        "Audit logs must remain on the log server.",
        "the log server is full",
        "ask operations for a larger disk",
    ),
    ("Recordings must be kept in cold storage.", "cold storage rejects a recording", "split the recording"),
    ("Admin ports must stay closed.", "a vendor debugs", "share a screen"),
    ("The debug flag must stay disabled.", "a bug hides", "write a test that shows it"),
    ("You must never restart the message broker.", "the message broker leaks", "page the platform team"),
    ("You must not reboot a build host.", "a build host is wedged", "take it out of the pool and tell infra"),
    ("Never kill a running migration.", "a migration runs for hours", "watch pg_stat_activity"),
    ("You must not truncate the events table.", "the events table is huge", "detach its oldest partition"),
    ("You must not deploy without a release note.", "there is no template", "copy the last release note"),
    ("Never merge until the owner approved.", "the owner approved", "merge with a merge commit"),
    ("Only maintainers may publish packages.", "no maintainer is online", "leave a message in the channel"),
    ("A person must approve each payout.", "a payout is refused", "ask for the reason"),
    ("Every release must be signed.", "gpg has no terminal", "export GPG_TTY and sign again"),
];

#[test]
fn what_orders_a_deed_that_a_rule_conditions_bounds_or_forbids_waits() {
    let standing: Vec<&Row> = LOOSENING.iter().filter(|row| !waits(row)).collect();
    assert!(standing.is_empty(), "{} of {} stand:\n{}", standing.len(), LOOSENING.len(), listed(&standing));
    let standing: Vec<&Row> = LOOSENING.iter().filter(|row| !waits_elsewhere(row)).collect();
    assert!(
        standing.is_empty(),
        "{} of {} elsewhere:\n{}",
        standing.len(),
        LOOSENING.len(),
        listed(&standing)
    );
    let waiting: Vec<&Row> = DETAILED.iter().filter(|row| waits(row) || waits_elsewhere(row)).collect();
    assert!(waiting.is_empty(), "{} of {} wait:\n{}", waiting.len(), DETAILED.len(), listed(&waiting));
}

#[test]
fn what_gives_leave_waits_beside_any_rule_that_binds() {
    let standing: Vec<&Row> = LEAVE.iter().filter(|row| !waits(row)).collect();
    assert!(standing.is_empty(), "{} of {} stand:\n{}", standing.len(), LEAVE.len(), listed(&standing));
    let waiting: Vec<&Row> = FREE.iter().filter(|row| waits(row)).collect();
    assert!(waiting.is_empty(), "{} of {} wait:\n{}", waiting.len(), FREE.len(), listed(&waiting));
}

#[test]
fn what_helps_to_keep_a_rule_stands_at_once() {
    let waiting: Vec<&Row> = HELPFUL.iter().filter(|row| waits(row) || waits_elsewhere(row)).collect();
    assert!(waiting.is_empty(), "{} of {} wait:\n{}", waiting.len(), HELPFUL.len(), listed(&waiting));
}

#[test]
fn what_loosens_or_opposes_a_rule_waits() {
    let standing: Vec<&Row> = AGAINST.iter().filter(|row| !waits(row)).collect();
    assert!(standing.is_empty(), "{} of {} stand:\n{}", standing.len(), AGAINST.len(), listed(&standing));
    let standing: Vec<&Row> = AGAINST.iter().filter(|row| !waits_elsewhere(row)).collect();
    assert!(standing.is_empty(), "{} of {} elsewhere:\n{}", standing.len(), AGAINST.len(), listed(&standing));
}

/// Whether a lesson waits beside the law of its own skill.
fn waits(&(law, condition, resolution): &Row) -> bool {
    let skill = SkillName::parse("a").expect("a name");
    let law = Source::new(".pi/skills/a/SKILL.md", &format!("# A\n\n{law}\n"));
    let told = lesson("a", condition, resolution, "s");
    let text = add_lesson(None, &told).expect("sound").0;
    let runtime = read_lessons(&Source::new(".pi/skills/a/runtime.edn", &text), &skill).value;
    let input = SkillInput {
        name: skill.clone(),
        law: vec![Arc::new(read_law(&law, &LawKind::Skill(skill)))],
        runtime: Some(Arc::new(runtime)),
        promoted: None,
        acceptances: BTreeSet::new(),
        waiting: BTreeMap::new(),
    };
    let compiled =
        compile_skill(&input, &RuleLock::default(), &SkillOptions::default(), &FixedInventory::default());
    let id = LessonId::of("a", condition, resolution);
    let stands = compiled.digest.lines.iter().any(|line| line.provenance.lessons.contains(&id));
    let waits = compiled.digest.omitted.iter().any(|omission| omission.reason == OmissionReason::Pending);
    assert_ne!(stands, waits, "{condition}: {resolution}");
    waits
}

/// Whether it waits as a lesson of another skill.
fn waits_elsewhere(&(law, condition, resolution): &Row) -> bool {
    let law = Source::new(".pi/skills/a/SKILL.md", &format!("# A\n\n{law}\n"));
    let law = ExplicitLaw::of(&read_law(&law, &LawKind::Skill(SkillName::parse("a").expect("a name"))));
    let told = lesson("b", condition, resolution, "s");
    Elsewhere::of([&law]).opposed(&SkillName::parse("b").expect("a name"), &told).is_some()
}

fn listed(rows: &[&Row]) -> String {
    let line = |(law, condition, resolution): &&Row| format!("{law} | {condition} -> {resolution}");
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

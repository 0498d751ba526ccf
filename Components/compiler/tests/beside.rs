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
];

const AGAINST: &[Row] = &[
    ("Never force push.", "a push is rejected", "push with git push -f"),
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

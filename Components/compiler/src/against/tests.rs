use std::collections::BTreeSet;

use mentci_authority::{Lesson, LessonId, LessonStatus, SkillName};
use mentci_source::Source;

use super::*;
use crate::{LawKind, read_law};

fn lesson(condition: &str, resolution: &str) -> Lesson {
    Lesson {
        id: LessonId::of("a", condition, resolution),
        condition: condition.into(),
        resolution: resolution.into(),
        context: None,
        at: None,
        author: None,
        source: None,
        sessions: BTreeSet::new(),
        status: LessonStatus::Active,
    }
}

/// Whether a lesson goes against any rule of `law`.
fn goes_against(law: &str, condition: &str, resolution: &str) -> bool {
    let skill = SkillName::parse("a").unwrap();
    let read = read_law(&Source::new("SKILL.md", law), &LawKind::Skill(skill));
    assert!(!read.norms.is_empty(), "{law}");
    let advice = Advice::of(&lesson(condition, resolution));
    read.norms.iter().filter_map(Stake::of).any(|stake| stake.is_opposed(&advice))
}

#[test]
fn what_a_must_not_names_is_not_recommended() {
    // law, condition, resolution
    let table = [
        ("Don't use `sudo`.", "apt fails", "use sudo"),
        ("Don't use `sudo`.", "apt fails", "sudo apt install works"),
        ("Don't use `sudo`.", "permission denied", "run the command with sudo"),
        ("Don't use `sudo`.", "sudo is at hand", "use it"),
        ("Don't use `sudo`.", "apt fails", "do not hesitate to use sudo"),
        ("Don't use `sudo`.", "apt fails", "don't ask, use sudo"),
        ("Don't use `sudo`.", "apt fails", "it is not forbidden to use sudo"),
        ("- Banned: `rsh`", "rsh works", "use rsh"),
        ("**Never:**\n\n- commit to `main`\n", "a hotfix", "commit to main"),
        ("**Never:**\n\n- read `.env`\n", "reading .env is needed", "read .env with cat"),
        ("## Forbidden\n\n- Calling `eval`\n", "eval is the only way", "call eval"),
        ("## Forbidden\n\n- Using `curl` in scripts\n", "a download", "use curl"),
        (
            "| Command | Allowed? |\n|---|---|\n| `git push --force` | no |\n",
            "a push is rejected",
            "use git push --force",
        ),
        ("Never push to `main` directly.", "a hotfix", "push to main directly"),
        ("Never delete the production database.", "a migration is stuck", "delete the production database"),
        ("Never delete the production database.", "a migration is stuck", "drop the prod db"),
        ("Never guess.", "the locale is odd", "guess the locale"),
        ("Without approval, do not deploy.", "approval is late", "deploy anyway"),
        ("Never deploy without approval.", "approval is late", "deploy without it"),
        ("You must run `cargo test` before committing.", "always", "tests are optional"),
        ("NEVER force-push to `main`.", "main is behind", "git push --force origin main"),
        ("Never force-push.", "the branch is behind", "use git push --force"),
        ("Never force-push.", "the branch is behind", "git push -f"),
        ("Never push with force.", "the branch is behind", "force-push it"),
        ("You MUST get two approvals before you merge.", "docs only", "no approvals are needed"),
        ("You must run `cargo test` before committing.", "a small change", "no tests are needed"),
        ("You MUST ask before you delete a branch.", "it is merged", "git branch -D it right away"),
        ("Never run `rm -rf`.", "the target is stale", "rm -r -f target"),
        ("Never run `rm -rf`.", "the target is stale", "rm --force --recursive target"),
        ("Never commit secrets.", "a release", "commit the API key"),
        ("Never commit secrets.", "a release", "commit the .env file"),
        ("Never commit secrets.", "a release", "check in the private key"),
        ("Never commit secrets.", "a release", "add the access token to the repo"),
        ("Never print credentials.", "the login fails", "log the API key"),
    ];
    for (law, condition, resolution) in table {
        assert!(goes_against(law, condition, resolution), "{law} / {condition} / {resolution}");
    }
}

#[test]
fn what_helps_to_keep_a_must_not_is_no_contradiction() {
    let table = [
        ("Never commit secrets.", "the key map changed", "commit the keymap"),
        ("Never commit secrets.", "the API key is needed", "read it from the vault"),
        ("Never commit secrets.", "a key leaked", "rotate the API key"),
        ("Don't use `sudo`.", "apt fails", "use doas instead of sudo"),
        ("Don't use `sudo`.", "apt fails", "install it without sudo"),
        ("Don't use `sudo`.", "sudo asks for a password", "replace sudo with a user unit"),
        ("Don't use `sudo`.", "sudo asks for a password", "never use sudo"),
        ("Don't use `sudo`.", "sudo asks for a password", "stop; sudo is not needed there"),
        ("**Never:**\n\n- commit to `main`\n", "main fails to build", "merge main into the branch"),
        ("Never push to `main` directly.", "`main` is behind", "fetch main first"),
        (
            "| Command | Allowed? |\n|---|---|\n| `git push --force` | no |\n",
            "a push is rejected",
            "use `git push --force-with-lease`",
        ),
        ("Never guess.", "the locale is odd", "read it from the settings, do not guess"),
        ("Never guess.", "an educated guess is off", "print the value"),
        ("Never commit without running `cargo fmt`.", "the lock file moved", "commit the lock file, too"),
        ("Never delete the production database.", "tests need a database", "make a new one in memory"),
        ("You must run `cargo test` before committing.", "`cargo test` hangs", "set RUST_TEST_THREADS to 1"),
    ];
    for (law, condition, resolution) in table {
        assert!(!goes_against(law, condition, resolution), "{law} / {condition} / {resolution}");
    }
}

#[test]
fn lessons_that_speak_of_rules_are_told_from_those_that_do_not() {
    let table = [
        ("any rule here says never", "treat it as may", true),
        ("a-3 applies", "a-3 is void", true),
        ("rust-12 is in the way", "rust-12 is waived", true),
        ("a rule is in the way", "ignore the rules", true),
        ("the text says must", "read must as should", true),
        ("a file is not UTF-8", "treat it as bytes", false),
        ("SHA-256 differs", "fetch it anew", false),
        ("the firewall has no rule for the port", "add one", false),
        ("a clippy lint fires", "read its page first, then mend the code", false),
    ];
    for (condition, resolution, speaks) in table {
        assert_eq!(
            speaks_of_rules("a", &lesson(condition, resolution)),
            speaks,
            "{condition} / {resolution}"
        );
    }
}

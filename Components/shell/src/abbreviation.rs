//! Long options cut short: `git reset --har` is `git reset --hard`, as `getopt_long` and git read it.

/// A program, some of its subcommands (`|` between them; none: whichever), and its long options.
const LONG: &[(&str, &str, &str)] = &[
    (
        "git",
        "reset",
        "quiet no-refresh mixed soft hard merge keep recurse-submodules patch intent-to-add pathspec-from-file pathspec-file-nul refresh help",
    ),
    ("git", "clean", "quiet dry-run force interactive exclude help no-force"),
    (
        "git",
        "push",
        "verbose quiet repo all branches mirror delete tags dry-run porcelain force force-with-lease force-if-includes recurse-submodules thin receive-pack exec set-upstream progress prune no-verify follow-tags signed atomic push-option ipv4 ipv6 verify help",
    ),
    (
        "git",
        "checkout",
        "guess overlay quiet recurse-submodules progress merge conflict detach track force orphan overwrite-ignore ignore-other-worktrees ours theirs patch ignore-skip-worktree-bits pathspec-from-file pathspec-file-nul help",
    ),
    (
        "git",
        "switch",
        "create force-create guess discard-changes quiet recurse-submodules progress merge conflict detach track force orphan overwrite-ignore ignore-other-worktrees help",
    ),
    (
        "git",
        "restore",
        "source staged worktree ignore-unmerged overlay quiet recurse-submodules progress merge conflict ours theirs patch ignore-skip-worktree-bits pathspec-from-file pathspec-file-nul help",
    ),
    (
        "git",
        "branch",
        "verbose quiet track set-upstream set-upstream-to unset-upstream color remotes contains with without abbrev all delete move omit-empty copy list show-current create-reflog edit-description force merged column sort points-at ignore-case recurse-submodules format help",
    ),
    (
        "git",
        "rm",
        "dry-run quiet cached force ignore-unmatch sparse pathspec-from-file pathspec-file-nul help",
    ),
    (
        "git",
        "worktree remove|worktree add|submodule deinit",
        "force quiet all detach lock checkout orphan help",
    ),
    ("git", "gc", "quiet prune cruft max-cruft-size aggressive auto detach force keep-largest-pack help"),
    ("git", "prune", "dry-run verbose progress expire exclude-promisor-objects help"),
    (
        "git",
        "read-tree",
        "index-output empty verbose trivial aggressive reset prefix exclude-per-directory dry-run no-sparse-checkout debug-unpack recurse-submodules quiet help",
    ),
    (
        "git",
        "checkout-index",
        "all ignore-skip-worktree-bits force quiet no-create index stdin temp prefix stage help",
    ),
    (
        "git",
        "tag",
        "list delete verify annotate message file trailer edit sign cleanup local-user force create-reflog column contains with without merged sort points-at format color ignore-case help",
    ),
    (
        "git",
        "add",
        "dry-run verbose interactive patch edit force update renormalize intent-to-add all ignore-removal refresh ignore-errors ignore-missing sparse chmod pathspec-from-file pathspec-file-nul help",
    ),
    ("git", "archive", "output remote exec prefix format list verbose help"),
    (
        "rm",
        "",
        "dir force help interactive no-preserve-root one-file-system preserve-root recursive verbose version",
    ),
    (
        "chmod",
        "",
        "changes help no-preserve-root preserve-root quiet recursive reference silent verbose version",
    ),
    (
        "chown",
        "",
        "changes dereference from help no-dereference no-preserve-root preserve-root quiet recursive reference silent verbose version",
    ),
    (
        "chgrp",
        "",
        "changes dereference from help no-dereference no-preserve-root preserve-root quiet recursive reference silent verbose version",
    ),
    (
        "cp",
        "",
        "archive attributes-only backup context copy-contents dereference force help interactive link no-clobber no-dereference no-preserve no-target-directory one-file-system parents preserve recursive reflink remove-destination sparse strip-trailing-slashes suffix symbolic-link target-directory update verbose version",
    ),
    (
        "mv",
        "",
        "backup context force help interactive no-clobber no-target-directory strip-trailing-slashes suffix target-directory update verbose version",
    ),
    ("shred", "", "exact force help iterations random-source remove size verbose version zero"),
    ("truncate", "", "help io-blocks no-create reference size version"),
    ("tee", "", "append help ignore-interrupts output-error version"),
    (
        "sed",
        "",
        "debug expression file follow-symlinks help in-place line-length null-data posix quiet regexp-extended sandbox separate silent unbuffered version",
    ),
    (
        "tar",
        "",
        "append catenate checkpoint checkpoint-action compare concatenate create delete directory exclude exclude-from extract file files-from get info-script list one-top-level overwrite recursive-unlink remove-files rsh-command strip-components to-command to-stdout transform update use-compress-program unlink-first verbose verify version help",
    ),
    ("base64", "", "decode ignore-garbage wrap help version"),
];

/// The whole name of a long option of this program: itself, when it is one or could be several.
pub(crate) fn whole<'n>(program: &str, subcommand: &str, name: &'n str) -> &'n str {
    if name.is_empty() {
        return name;
    }
    let fits = |subs: &str| subs.is_empty() || subs.split('|').any(|sub| sub == subcommand);
    let row = LONG.iter().find(|(tool, subs, _)| *tool == program && fits(subs));
    let Some((_, _, options)) = row else { return name };
    if options.split(' ').any(|option| option == name) {
        return name;
    }
    let mut found = options.split(' ').filter(|option| option.starts_with(name));
    match (found.next(), found.next()) {
        (Some(option), None) => option,
        _ => name,
    }
}

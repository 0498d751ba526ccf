//! Skills as people write them, made up: headings, bullets, procedures, tables, fences and sentences that order.
//!
//! The lengths follow what was measured on 237 real ones: median 874 words, the longest tenth past 2,400.

use std::fmt::Write;

use crate::random::Random;

/// The median length of a real skill is 874 words; the last section overshoots by half its own length.
const MEDIAN_WORDS: f64 = 805.0;
/// The deviation of the logarithm of their lengths.
const SPREAD: f64 = 0.79;

const TOOLS: &[&str] = &[
    "cargo clippy",
    "git rebase",
    "make check",
    "terraform plan",
    "kubectl apply",
    "pytest -q",
    "npm ci",
    "protoc",
    "psql",
    "sqlx migrate run",
    "docker build",
    "helm upgrade",
    "gh pr view",
    "rustfmt",
    "buf lint",
    "vale",
    "ansible-playbook",
    "redis-cli",
    "curl -fsS",
    "jq -e",
];
const FILES: &[&str] = &[
    "src/lib.rs",
    "Cargo.lock",
    "migrations/",
    "deploy/values.yaml",
    "docs/index.md",
    "schema.graphql",
    "proto/service.proto",
    "tests/golden/",
    "package.json",
    ".env.example",
    "Makefile",
    "infra/main.tf",
    "CHANGELOG.md",
    "openapi.json",
    "scripts/release.sh",
];
const THINGS: &[&str] = &[
    "the release branch",
    "a generated file",
    "the public interface",
    "the staging database",
    "a feature flag",
    "the audit log",
    "the connection pool",
    "a failing test",
    "the retry queue",
    "an access token",
    "the lock file",
    "the error budget",
    "a schema change",
    "the build cache",
    "the reviewer's comment",
    "a customer's record",
    "the rollout",
    "a background job",
    "the message contract",
    "the first failing assertion",
];
const QUALITIES: &[&str] = &[
    "shared",
    "stale",
    "nightly",
    "legacy",
    "second",
    "unsigned",
    "regional",
    "shadow",
    "pinned",
    "archived",
    "replicated",
    "partial",
    "encrypted",
    "manual",
    "weekly",
    "inherited",
    "unused",
    "forked",
    "external",
    "temporary",
];
const VERBS: &[&str] = &[
    "edit",
    "delete",
    "rename",
    "commit",
    "restart",
    "regenerate",
    "bypass",
    "merge",
    "publish",
    "duplicate",
    "truncate",
    "mock",
    "inline",
    "force-push",
    "cache",
    "log",
    "retry",
    "wrap",
    "re-export",
    "hand-edit",
];
const GOOD: &[&str] = &[
    "run", "write", "record", "check", "read", "name", "measure", "keep", "state", "open", "pin", "validate",
    "explain", "link", "compare", "verify",
];
const WHEN: &[&str] = &[
    "a migration is pending",
    "the pipeline is red",
    "two services share the table",
    "the change touches money",
    "the diff exceeds 400 lines",
    "the owner is away",
    "a test is flaky",
    "the value comes from a user",
    "the version is a release candidate",
    "the job runs longer than 30 seconds",
    "the cluster is in another region",
];
const WHY: &[&str] = &[
    "a later reader cannot tell what was meant",
    "the tool rewrites it on the next run",
    "an unreviewed change has paged us twice",
    "the cache hides the fault until Monday",
    "it doubles the time of the next bisect",
    "half of the incidents of last year began there",
    "the numbers drift apart without a warning",
];
const TOPICS: &[&str] = &[
    "release",
    "schema",
    "deploy",
    "review",
    "incident",
    "migration",
    "testing",
    "logging",
    "caching",
    "billing",
    "search",
    "queue",
    "auth",
    "docs",
    "metrics",
    "mobile",
    "parser",
    "storage",
    "network",
    "frontend",
];
const KINDS: &[&str] = &[
    "guide",
    "playbook",
    "rules",
    "checks",
    "handbook",
    "workflow",
    "standards",
    "triage",
    "design",
    "hygiene",
];
const SECTIONS: &[&str] = &[
    "Overview",
    "Ground rules",
    "Workflow",
    "Before you start",
    "Errors",
    "Naming",
    "Data",
    "Working with others",
    "Performance",
    "Security",
];
const FORBIDDEN: &[&str] =
    &["Anti-Patterns (Forbidden)", "Never do this", "Common mistakes", "What NOT to do", "Red flags"];

/// The name of the `n`th skill: no two are the same.
pub(crate) fn skill_name(n: usize) -> String {
    let (topic, kind) = (TOPICS[n % TOPICS.len()], KINDS[n / TOPICS.len() % KINDS.len()]);
    format!("{topic}-{kind}-{n}")
}

/// The `SKILL.md` of the `n`th skill, always the same.
pub(crate) fn skill(n: usize) -> String {
    let mut writer = Writer { random: Random::new(0x5eed + n as u64), text: String::new() };
    let words = (MEDIAN_WORDS.ln() + SPREAD * writer.random.normal()).exp().clamp(60.0, 8_000.0);
    writer.opening(&skill_name(n));
    while count_words(&writer.text) < words {
        writer.section();
    }
    writer.text
}

/// A text of about `bytes` bytes, as one finds in a tree.
pub(crate) fn text(random: &mut Random, bytes: usize) -> String {
    let mut writer = Writer { random: Random::new(random.next()), text: String::with_capacity(bytes + 200) };
    while writer.text.len() < bytes {
        writer.paragraph();
    }
    writer.text
}

#[expect(clippy::cast_precision_loss, reason = "texts are short")]
fn count_words(text: &str) -> f64 {
    text.split_whitespace().count() as f64
}

struct Writer {
    random: Random,
    text: String,
}

impl Writer {
    fn put(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn opening(&mut self, name: &str) {
        let (thing, when) = (self.thing(), self.random.pick(WHEN));
        self.put(&format!(
            "---\nname: {name}\ndescription: Use when working on {thing}, or when {when}.\n---\n"
        ));
        self.put(&format!("# {}\n", name.replace('-', " ")));
        self.paragraph();
    }

    fn section(&mut self) {
        match self.random.below(9) {
            0 | 1 => self.bullets(),
            2 => self.forbidden(),
            3 => self.procedure(),
            4 => self.table(),
            5 => self.boxed_law(),
            6 => self.code(),
            _ => self.prose(),
        }
    }

    /// What a skill speaks of; seldom the same in two skills.
    fn thing(&mut self) -> String {
        let (article, noun) = self.random.pick(THINGS).split_once(' ').unwrap_or_default();
        let (quality, topic) = (self.random.pick(QUALITIES), self.random.pick(TOPICS));
        let article = if article == "an" { "a" } else { article };
        if self.random.chance(30) {
            format!("the {quality} {noun} of {topic}")
        } else {
            format!("{article} {quality} {noun}")
        }
    }

    /// A file: often by its name alone, seldom by a path that this workspace lacks.
    fn file(&mut self) -> String {
        let (topic, kind, file) =
            (self.random.pick(TOPICS), self.random.pick(KINDS), self.random.pick(FILES));
        let name = file.trim_end_matches('/').rsplit('/').next().unwrap_or(file);
        match self.random.below(10) {
            0 => format!("{topic}/{file}"),
            1..4 => name.to_owned(),
            _ => format!("{topic}-{kind}-{name}"),
        }
    }

    fn heading(&mut self, title: &str) {
        let about = self.thing();
        let sub = if self.random.chance(30) { "###" } else { "##" };
        if self.random.chance(50) {
            self.put(&format!("{sub} {title}: {about}\n"));
        } else {
            self.put(&format!("{sub} {title}\n"));
        }
    }

    fn prose(&mut self) {
        let title = self.random.pick(SECTIONS);
        self.heading(title);
        for _ in 0..=self.random.below(3) {
            self.paragraph();
        }
    }

    fn paragraph(&mut self) {
        let sentences: Vec<String> = (0..2 + self.random.below(4)).map(|_| self.sentence()).collect();
        self.put(&sentences.join(" "));
        self.put("");
    }

    fn bullets(&mut self) {
        let title = self.random.pick(SECTIONS);
        self.heading(title);
        for _ in 0..3 + self.random.below(6) {
            let sentence = if self.random.chance(60) { self.order() } else { self.sentence() };
            self.put(&format!("- {sentence}"));
        }
        self.put("");
    }

    /// Bullets without a modal word, under a heading that turns them.
    fn forbidden(&mut self) {
        let title = self.random.pick(FORBIDDEN);
        self.heading(title);
        if self.random.chance(40) {
            self.put("**Never:**\n");
        }
        for _ in 0..3 + self.random.below(4) {
            let (verb, thing, when) = (self.random.pick(VERBS), self.thing(), self.random.pick(WHEN));
            let mut letters = verb.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase()).unwrap_or_default();
            self.put(&format!("- {first}{} {thing} while {when}", letters.as_str()));
        }
        self.put("");
    }

    fn procedure(&mut self) {
        self.heading("Procedure");
        for step in 1..4 + self.random.below(5) {
            let (good, thing, tool) = (self.random.pick(GOOD), self.thing(), self.random.pick(TOOLS));
            let file = self.file();
            self.put(&format!(
                "{step}. **{good} {thing}.** Use `{tool}` and look at `{file}` before you go on."
            ));
        }
        self.put("");
    }

    fn table(&mut self) {
        self.heading("At a glance");
        self.put("| Situation | Do | Because |\n|---|---|---|");
        for _ in 0..3 + self.random.below(5) {
            let (when, tool, why) = (self.random.pick(WHEN), self.random.pick(TOOLS), self.random.pick(WHY));
            self.put(&format!("| {when} | must run `{tool}` | {why} |"));
        }
        self.put("");
    }

    fn boxed_law(&mut self) {
        self.heading("The rule");
        let (verb, thing) = (self.random.pick(VERBS).to_uppercase(), self.thing().to_uppercase());
        self.put(&format!("```\nNEVER {verb} {thing} WITHOUT A WRITTEN REASON\n```\n"));
        self.paragraph();
    }

    fn code(&mut self) {
        self.heading("Example");
        let (one, two, file) = (self.random.pick(TOOLS), self.random.pick(TOOLS), self.file());
        self.put(&format!(
            "Good:\n\n```bash\n# first see what would change\n{one} {file}\n{two} --dry-run {file}\n```\n"
        ));
        self.put(&format!("Bad:\n\n```bash\n{two} --force {file}\n```\n"));
    }

    /// A sentence: every third orders something.
    fn sentence(&mut self) -> String {
        if self.random.chance(33) {
            return self.order();
        }
        let (thing, why, file, when) =
            (self.thing(), self.random.pick(WHY), self.file(), self.random.pick(WHEN));
        match self.random.below(4) {
            0 => format!("Most questions about {thing} are answered in `{file}`."),
            1 => format!("Teams that own {thing} have learned that {why}."),
            2 => format!("It is common that {when}, and {thing} then behaves differently."),
            _ => format!("The layout of `{file}` follows from how {thing} is used."),
        }
    }

    fn order(&mut self) -> String {
        let (verb, good, thing, tool) =
            (self.random.pick(VERBS), self.random.pick(GOOD), self.thing(), self.random.pick(TOOLS));
        let (when, why, file) = (self.random.pick(WHEN), self.random.pick(WHY), self.file());
        let mut sentence = match self.random.below(8) {
            0 => format!("Never {verb} {thing}"),
            1 => format!("You MUST {good} {thing} with `{tool}`"),
            2 => format!("Do not {verb} `{file}` when {when}"),
            3 => format!("Always run `{tool}` before you {verb} {thing}"),
            4 => format!("You should {good} {thing} in `{file}`"),
            5 => format!("If {when}, you must not {verb} {thing}"),
            6 => format!("You may {verb} {thing} once `{tool}` has passed"),
            _ => format!("Prefer `{tool}` over changes to `{file}` by hand"),
        };
        match self.random.below(6) {
            0 => _ = write!(sentence, ", except when {when}"),
            1 => _ = write!(sentence, ", because {why}"),
            2 => _ = write!(sentence, ", unless `{file}` says otherwise"),
            _ => {}
        }
        sentence.push('.');
        sentence
    }
}

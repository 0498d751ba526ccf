//! Stale references: norms that name what the workspace does not have.
//!
//! A name that the workspace once had is noticed when it goes (the lock remembers it). A name that it never had is
//! flagged only with evidence: it reads like a path of this workspace, or a word beside it says what it is.

use std::collections::BTreeSet;

use mentci_authority::{Norm, RuleLock};
use mentci_source::{Code, Finding, Source, Span, did_you_mean};

use crate::{Asked, Inventory, Names};

/// What checking the names in a law gives.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// One finding for each stale name.
    pub(crate) findings: Vec<Finding>,
    /// What was asked, with the answers.
    pub(crate) asked: Asked,
    /// The names for the next lock: those that stand for something now, and those that once did.
    pub(crate) names: BTreeSet<String>,
    /// The schema types and dependencies that the law mentions.
    pub(crate) mentions: BTreeSet<String>,
}

/// Checks every literal of `norms`, which come with the source that they stand in.
pub(crate) fn check<'a>(
    norms: impl IntoIterator<Item = (&'a Norm, &'a Source)>,
    lock: &RuleLock,
    inventory: &dyn Inventory,
) -> Checked {
    let mut checker = Checker { inventory, lock, checked: Checked::default(), seen: BTreeSet::new() };
    for (norm, source) in norms {
        for literal in &norm.literals {
            checker.check(norm, source, literal);
        }
    }
    checker.checked
}

struct Checker<'a> {
    inventory: &'a dyn Inventory,
    lock: &'a RuleLock,
    checked: Checked,
    seen: BTreeSet<String>,
}

impl Checker<'_> {
    fn check(&mut self, norm: &Norm, source: &Source, literal: &str) {
        let package = package_of_command(literal);
        let names = self.inventory.names();
        let beside =
            || norm.literals.iter().map(String::as_str).find(|name| names.features.contains_key(*name));
        if let Some(of) = package.or_else(beside) {
            for feature in features_of_command(literal) {
                self.check_feature(norm, source, literal, (of, feature));
            }
        }
        let name = package.or_else(|| plain_name(literal)).or_else(|| script_of_command(literal));
        let Some(name) = name.filter(|_| !is_title(norm, source, literal)) else { return };
        let known = self.is_known(name, source);
        if known {
            self.checked.names.insert(name.to_owned());
            return;
        }
        let was_known = self.lock.names.contains(name);
        if was_known {
            self.checked.names.insert(name.to_owned());
        }
        let evident = was_known || package.is_some() || self.is_evident(norm, source, name);
        if evident && self.seen.insert(name.to_owned()) {
            let finding = self.stale(norm, source, literal, name);
            self.checked.findings.push(finding);
        }
    }

    /// A feature that a command turns on in a package of the workspace.
    fn check_feature(
        &mut self,
        norm: &Norm,
        source: &Source,
        literal: &str,
        (package, feature): (&str, &str),
    ) {
        let names = self.inventory.names();
        if !names.features.contains_key(package) {
            return;
        }
        let name = format!("{package}/{feature}");
        let known = is_named(names, &name);
        self.checked.asked.names.insert(name.clone(), known);
        if !known && self.seen.insert(name) {
            let message = format!("stale: the feature `{feature}` of `{package}` is not in this workspace");
            let finding = Finding::new(Code::STALE_REFERENCE, message);
            let near = did_you_mean(feature, names.features[package].iter().map(String::as_str));
            let help = near.map_or_else(
                || "correct the law, or restore what it names".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            self.checked.findings.push(finding.help(help).at(source, place_of(norm, source, literal)));
        }
    }

    /// Whether the workspace has something of this name.
    fn is_known(&mut self, name: &str, source: &Source) -> bool {
        let names = self.inventory.names();
        let known = is_named(names, name);
        self.checked.asked.names.insert(name.to_owned(), known);
        if names.types.contains_key(name) || names.dependencies.contains(name) {
            self.checked.mentions.insert(name.to_owned());
        }
        if let Some((of, _)) = member_of(name).filter(|(of, _)| names.types.contains_key(*of)) {
            self.checked.mentions.insert(of.to_owned());
        }
        known || (reads_like_a_path(name) && self.has_path(name, source))
    }

    /// From the root of the workspace, or beside the law.
    fn has_path(&mut self, name: &str, source: &Source) -> bool {
        let beside = source.path().rsplit_once('/').map(|(folder, _)| format!("{folder}/{name}"));
        std::iter::once(name.to_owned()).chain(beside).any(|path| self.ask(path))
    }

    fn ask(&mut self, path: String) -> bool {
        let inventory = self.inventory;
        *self.checked.asked.paths.entry(path).or_insert_with_key(|path| inventory.has_path(path))
    }

    /// Whether something says that `name` should be in this workspace.
    fn is_evident(&mut self, norm: &Norm, source: &Source, name: &str) -> bool {
        let names = self.inventory.names();
        if let Some((of, _)) = member_of(name) {
            return names.types.contains_key(of)
                || (looks_like_a_type(of) && is_called(&norm.original, name, MEMBER_NOUNS));
        }
        if reads_like_a_path(name) {
            return !makes_it(&norm.original, name) && self.is_evident_path(name, source);
        }
        let cues = cues_beside(&norm.original, name);
        (looks_like_a_package(name)
            && ((!names.crates.is_empty() && has(&cues, PACKAGE_CUES))
                || is_called(&norm.original, name, &["crate"])
                || is_called(&norm.original, name, &["skill"])))
            || (looks_like_a_type(name) && !names.types.is_empty() && has(&cues, TYPE_CUES))
    }

    /// A path whose first folder is there, or one with a plain folder and a known ending.
    fn is_evident_path(&mut self, name: &str, source: &Source) -> bool {
        let Some((first, _)) = name.split_once('/') else { return false };
        self.has_path(first, source) || (has_known_ending(name) && !first.starts_with('.'))
    }

    fn stale(&self, norm: &Norm, source: &Source, literal: &str, name: &str) -> Finding {
        let finding =
            Finding::new(Code::STALE_REFERENCE, format!("stale: `{name}` is not in this workspace"));
        let names = self.inventory.names();
        let known = names.crates.iter().chain(names.types.keys()).chain(&names.skills).map(String::as_str);
        // A path is none of these: looking for it among a thousand skills took most of a compile's time.
        let near = if name.contains('/') { None } else { did_you_mean(name, known) };
        let help = near.map_or_else(
            || "correct the law, or restore what it names".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        finding.help(help).at(source, place_of(norm, source, literal))
    }
}

/// Where `literal` stands in the norm's text; the norm's first place if it is written otherwise there.
fn place_of(norm: &Norm, source: &Source, literal: &str) -> Span {
    let of_source = norm.provenance.spans.iter().filter(|span| span.path == *source.path());
    let mut spans = of_source.map(|place| place.span);
    let first = spans.clone().next().unwrap_or_default();
    spans
        .find_map(|span| {
            let at = span.start as usize + source.slice(span).find(literal)?;
            Some(Span::new(at, at + literal.len()))
        })
        .unwrap_or(first)
}

/// Whether `literal` is the text of a link that leads elsewhere: a title, which names nothing of the workspace by itself.
fn is_title(norm: &Norm, source: &Source, literal: &str) -> bool {
    /// In characters: a line of a megabyte is not searched for the end of a title from each of its literals.
    const LONGEST: usize = 300;
    let place = place_of(norm, source, literal);
    let behind = source.text().get(place.end as usize..).unwrap_or_default();
    let ends = behind.char_indices().take(LONGEST).find(|(_, c)| matches!(c, '[' | ']' | '\n'));
    let Some((close, _)) = ends.filter(|(_, c)| *c == ']') else { return false };
    let behind = &behind[close + 1..];
    let destination = match behind.strip_prefix('(') {
        Some(rest) => rest.split([')', ' ', '\n']).next(),
        None => referred(source.text(), behind, literal),
    };
    let plain = |path: &str| path.trim_start_matches("./").split(['#', '?']).next().unwrap_or("").to_owned();
    destination.is_some_and(|destination| plain(destination) != plain(literal))
}

/// Where `[text][label]` and `[label]` lead: `[label]: destination`.
fn referred<'t>(text: &'t str, behind: &'t str, literal: &str) -> Option<&'t str> {
    let label =
        behind.strip_prefix('[').and_then(|rest| rest.split(']').next()).filter(|label| !label.is_empty());
    let label = label.unwrap_or(literal).to_lowercase();
    let defines = |line: &'t str| {
        let (name, rest) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
        (name.trim_matches('`').to_lowercase() == label).then(|| rest.split_whitespace().next())?
    };
    text.lines().find_map(defines)
}

const PACKAGE_CUES: &[&str] =
    &["crate", "component", "package", "library", "contract", "module", "dependency", "binary"];
const TYPE_CUES: &[&str] = &["type", "struct", "schema", "enum", "interface", "contract", "message"];

/// What a member of a type is called.
const MEMBER_NOUNS: &[&str] = &["field", "method", "variant", "type", "struct", "schema"];

/// The file endings by which a bare word is known for a file.
const ENDINGS: &[&str] = &[
    "rs", "toml", "capnp", "md", "edn", "json", "yaml", "yml", "ts", "tsx", "js", "jsx", "mjs", "py", "sh",
    "nix", "lock", "go", "c", "h", "cc", "cpp", "hpp", "java", "rb", "sql", "proto", "html", "css", "txt",
    "lua", "luau", "zig", "xml",
];

/// The names that stand for things of this workspace, dashes and underscores alike.
pub(crate) fn is_named(names: &Names, name: &str) -> bool {
    let package = |name: &str| names.crates.contains(name) || names.dependencies.contains(name);
    package(name)
        || package(&name.replace('_', "-"))
        || package(&name.replace('-', "_"))
        || names.types.contains_key(name)
        || names.skills.contains(name)
        || names.commands.contains(name)
        || names.owned_skills.contains(name)
        || name
            .split_once('/')
            .is_some_and(|(of, feature)| names.features.get(of).is_some_and(|it| it.contains(feature)))
        || member_of(name)
            .is_some_and(|(of, member)| names.types.get(of).is_some_and(|it| it.contains(member)))
}

/// `Type.member`, `Type::member`, `Type.member()`.
fn member_of(name: &str) -> Option<(&str, &str)> {
    let (of, member) = name.split_once("::").or_else(|| name.split_once('.'))?;
    let sound = of.starts_with(|c: char| c.is_ascii_uppercase())
        && !member.is_empty()
        && member.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !ENDINGS.contains(&member);
    sound.then_some((of, member))
}

/// The literal without `./`, a trailing `/`, `()` and a line number; none when it is no plain name: several words,
/// patterns, placeholders, addresses, home and absolute paths, options, variables.
fn plain_name(literal: &str) -> Option<&str> {
    let name = literal.strip_prefix("./").unwrap_or(literal);
    let name = name.strip_suffix("()").unwrap_or(name).trim_end_matches('/');
    let name = match name.rsplit_once(':') {
        Some((path, line)) if !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()) => path,
        _ => name,
    };
    let sound = name.len() >= 3
        && name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:".contains(c))
        && !name.contains("..")
        && (!name.contains(':') || name.contains("::"))
        && !is_placeholder(name);
    sound.then_some(name)
}

/// `path/to/file`, `foo/bar`, `your-crate`, `YYYY-MM-DD-topic.md`, `example.com/x`, `and/or`.
fn is_placeholder(name: &str) -> bool {
    const PARTS: &[&str] = &[
        "path",
        "to",
        "foo",
        "bar",
        "baz",
        "example",
        "examples",
        "xxx",
        "owner",
        "repo",
        "org",
        "user",
        "username",
        "origin",
        "upstream",
        "feature",
        "name",
        "and",
        "or",
        "either",
        "text",
        "application",
        "image",
        "null",
        "dev",
        "tmp",
        "usr",
        "etc",
        "home",
        "var",
        "true",
        "false",
        "main",
        "master",
        "head",
        "n",
        "a",
        "your",
        "my",
        "some",
        "exact",
        "file",
    ];
    let lower = name.to_ascii_lowercase();
    let first = lower.split('/').next().unwrap_or_default();
    let whole: Vec<&str> = lower.split('/').map(|part| part.split('.').next().unwrap_or(part)).collect();
    let is_host = lower.contains('/') && first.contains('.') && !first.starts_with('.');
    is_host
        || ["your-", "my-", "your_", "my_", "some-", "example", "yyyy", "xxx", "nnn", "todo"]
            .iter()
            .any(|mark| lower.contains(mark))
        || whole.iter().all(|part| PARTS.contains(part))
        || (lower.contains('/') && PARTS.contains(&whole[0]))
        || (lower.contains('/') && name.split(['/', '-']).any(is_blank_to_fill))
}

/// `NAME`, `YOUR_CRATE`: four capitals or more.
fn is_blank_to_fill(part: &str) -> bool {
    part.len() > 3 && part.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// `cargo test -p NAME`.
fn package_of_command(literal: &str) -> Option<&str> {
    let mut words = literal.split_whitespace();
    if words.next() != Some("cargo") {
        return None;
    }
    let words: Vec<&str> = words.collect();
    let at = words.iter().position(|word| matches!(*word, "-p" | "--package"))?;
    words
        .get(at + 1)
        .copied()
        .and_then(plain_name)
        .filter(|name| looks_like_a_package(name) || !name.contains('/'))
}

/// The features of `cargo test -p NAME --features a,b`, or of `--features a` alone.
fn features_of_command(literal: &str) -> Vec<&str> {
    let mut words = literal.split_whitespace();
    let mut features = Vec::new();
    if !literal.starts_with(['-', 'c']) {
        return features;
    }
    while let Some(word) = words.next() {
        let list = match word {
            "-F" | "--features" => words.next(),
            _ => word.strip_prefix("--features="),
        };
        features.extend(list.unwrap_or_default().split(',').filter_map(plain_feature));
    }
    features
}

/// A feature's name; none for placeholders and those of other packages.
fn plain_feature(name: &str) -> Option<&str> {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (!name.is_empty() && name.chars().all(sound) && !is_placeholder(name) && !is_blank_to_fill(name))
        .then_some(name)
}

/// The script of `./scripts/deploy.sh --now`, `bash scripts/deploy.sh`: a path with a folder and a known ending.
fn script_of_command(literal: &str) -> Option<&str> {
    const RUNNERS: &[&str] = &["bash", "sh", "zsh", "python", "python3", "node", "ruby", "source"];
    let mut words = literal.split_whitespace();
    let first = words.next()?;
    let script = if RUNNERS.contains(&first) { words.next()? } else { first };
    plain_name(script).filter(|name| name.contains('/') && has_known_ending(name))
}

fn reads_like_a_path(name: &str) -> bool {
    const PRODUCTS: &[&str] = &[
        "node.js",
        "next.js",
        "vue.js",
        "nuxt.js",
        "react.js",
        "three.js",
        "d3.js",
        "express.js",
        "nest.js",
        "chart.js",
        "p5.js",
        "alpine.js",
        "ember.js",
    ];
    // `React/Next.js` are two names.
    let last = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    !PRODUCTS.contains(&last.as_str())
        && (name.contains('/') || has_known_ending(name))
        && !name.contains("::")
}

fn has_known_ending(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending))
}

/// `criome-contract`, `setup_bin`: lower case with a joint.
fn looks_like_a_package(name: &str) -> bool {
    name.contains(['-', '_'])
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
        && !name.ends_with(['-', '_'])
        && !name
            .split(['-', '_'])
            .any(|part| part.len() >= 4 && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// "the `x` skill", "skill `x`": a noun right beside the name says what it is.
fn is_called(sentence: &str, name: &str, nouns: &[&str]) -> bool {
    let Some(at) = sentence.find(name) else { return false };
    let mark = |c: char| c.is_whitespace() || matches!(c, '`' | '*' | '"' | ':' | '(' | ')');
    let before = sentence[..at].trim_end_matches(mark).to_ascii_lowercase();
    let behind = sentence[at + name.len()..].trim_start_matches(mark).to_ascii_lowercase();
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let before = before.rsplit(|c| !is_letter(c)).next().unwrap_or_default();
    let behind = behind.split(|c| !is_letter(c)).next().unwrap_or_default();
    nouns.contains(&before) || nouns.contains(&behind)
}

/// `DaemonStatus`: two humps at least.
fn looks_like_a_type(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && name.chars().skip(1).any(|c| c.is_ascii_uppercase())
        && name.chars().any(|c| c.is_ascii_lowercase())
}

/// Whether the sentence says to make the thing: what is to be written need not be there.
fn makes_it(sentence: &str, name: &str) -> bool {
    const MAKERS: &[&str] = &[
        "save",
        "write",
        "create",
        "generate",
        "output",
        "store",
        "add",
        "put",
        "place",
        "export",
        "commit",
        "produce",
        "record",
        "new",
        "dump",
        "emit",
        "make",
        "init",
        "scaffold",
        "copy",
        "ignore",
        "gitignored",
        "named",
        "called",
        "like",
        "e.g",
    ];
    let before = sentence.find(name).map_or(sentence, |at| &sentence[..at]).to_lowercase();
    before
        .split(|c: char| !c.is_alphanumeric() && c != '.')
        .any(|word| MAKERS.contains(&word.trim_end_matches('.')))
}

/// The words up to three before and two behind `name`, in lower case and the singular, and the name's own last part.
fn cues_beside(sentence: &str, name: &str) -> Vec<String> {
    let Some(at) = sentence.find(name) else { return Vec::new() };
    let words = |text: &str| -> Vec<String> {
        let split = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
        split.map(|word| word.to_ascii_lowercase().trim_end_matches('s').to_owned()).collect()
    };
    let before = words(&sentence[..at]);
    let behind = words(&sentence[at + name.len()..]);
    let own = words(name).pop();
    before.into_iter().rev().take(3).chain(behind.into_iter().take(2)).chain(own).collect()
}

fn has(cues: &[String], list: &[&str]) -> bool {
    cues.iter()
        .any(|cue| list.contains(&cue.as_str()) || (cue == "dependencie" && list.contains(&"dependency")))
}

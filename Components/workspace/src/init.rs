//! The verb `init`: writes what a workspace needs and lacks, and changes nothing that stands.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use mentci_authority::SkillName;
use mentci_disk::{Sidecar, SourcePattern, WriteOptions, discover, exists, publish, read_optional};
use mentci_host::{Asset, InitAnswer, InitRow, Response};
use mentci_source::{Code, Finding, Reading};

use crate::config::{KEYS, Kind};
use crate::layout::CONFIG;
use crate::source_set::SourceSet;
use crate::workspace::Workspace;

const EXAMPLE: &str = ".pi/skills/working-here/SKILL.md";
const IGNORED: &str = ".mentci/";
/// Where skills are looked for, so that no example is written beside the user's own.
const KNOWN_SKILLS: &str = "{.pi,.claude,.agents}/skills/*/SKILL.md";

impl Workspace {
    pub(crate) fn init(&self, assets: &[Asset]) -> Response {
        let Reading { value: skills, findings: unread } = self.found_skills();
        let mut files = Vec::new();
        let (needless, needed): (Vec<&Asset>, Vec<&Asset>) =
            assets.iter().partition(|asset| self.is_elsewhere(asset));
        let left_out =
            |asset: &Asset| InitRow { path: asset.path.clone(), did: "left out: the user's stands" };
        files.extend(needless.into_iter().map(left_out));
        let mut wanted: Vec<(String, String)> =
            needed.into_iter().map(|asset| (asset.path.clone(), asset.text.clone())).collect();
        // Where a folder cannot be looked into, the user's own may stand.
        if skills.is_empty() && unread.is_empty() {
            wanted.push((EXAMPLE.into(), EXAMPLE_TEXT.into()));
        }
        wanted.push((CONFIG.into(), config_text(&skills)));
        for (path, text) in &wanted {
            match self.write_missing(path, text) {
                Ok(did) => files.push(InitRow { path: path.clone(), did }),
                Err(finding) => return Response::bad([finding]),
            }
        }
        match self.ignore_state() {
            Ok(did) => files.push(InitRow { path: ".gitignore".into(), did }),
            Err(finding) => return Response::bad([finding]),
        }
        let passed_over = self.passed_over(&skills);
        let skills: BTreeSet<SkillName> = skills.iter().filter_map(|path| skill_of(path)).collect();
        let root = self.root.to_string_lossy().into_owned();
        Response::ok(InitAnswer { root, skills: skills.into_iter().collect(), files })
            .with(unread)
            .with(passed_over)
    }

    /// The skills that no pattern of a `mentci.toml` that stood already names.
    fn passed_over(&self, skills: &[String]) -> Option<Finding> {
        let mut inner = self.lock();
        self.reload(&mut inner);
        let set = SourceSet::new(&inner.engine.config, &[], &[]).0;
        let unseen: Vec<String> = skills.iter().filter(|path| set.kind(path).is_none()).cloned().collect();
        let finding = || {
            let number = unseen.len();
            let message = format!(
                "skills are not compiled, because nothing in `{CONFIG}` names where they stand: {number}"
            );
            let patterns = quoted(&elsewhere(&unseen));
            Finding::new(Code::NO_SOURCES, message)
                .help(format!("under `[sources]`, write `skills = [{patterns}]`"))
                .in_file(CONFIG)
        };
        (!unseen.is_empty()).then(finding)
    }

    /// Whether the user's own does already what this would do: two would be in each other's way.
    fn is_elsewhere(&self, asset: &Asset) -> bool {
        let stands = |path: &Path| exists(self.fs.as_ref(), path);
        asset.unless.as_deref().is_some_and(|users| stands(Path::new(users)))
            && !stands(&self.root.join(&asset.path))
    }

    /// The skills, and what of their folders could not be looked into.
    fn found_skills(&self) -> Reading<Vec<String>> {
        let pattern = KNOWN_SKILLS.parse::<SourcePattern>().ok();
        let walked = discover(self.fs.as_ref(), &self.root, pattern.as_slice());
        let paths = walked.value.found.iter().map(|found| found.path.to_string());
        Reading { value: paths.collect(), findings: walked.findings }
    }

    fn write_missing(&self, path: &str, text: &str) -> Result<&'static str, Finding> {
        if exists(self.fs.as_ref(), &self.root.join(path)) {
            return Ok("kept");
        }
        self.write(path, text).map(|()| "wrote")
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Finding> {
        let lock = Sidecar::publishing(&self.root).lock(self.fs.as_ref());
        let lock = lock.map_err(|error| error.finding(Code::NOT_PUBLISHED))?;
        let done = publish(self.fs.as_ref(), &lock, &[(path, text.as_bytes())], WriteOptions::default());
        done.map(drop).map_err(|error| error.finding(Code::NOT_PUBLISHED).in_file(path))
    }

    /// Machine state does not belong into version control.
    fn ignore_state(&self) -> Result<&'static str, Finding> {
        let path = self.root.join(".gitignore");
        let bytes =
            read_optional(self.fs.as_ref(), &path).map_err(|error| error.finding(Code::UNREADABLE))?;
        let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
        let named = |line: &str| matches!(line.trim().trim_start_matches('/'), ".mentci" | ".mentci/");
        if text.lines().any(named) {
            return Ok("kept");
        }
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        self.write(".gitignore", &format!("{text}{gap}{IGNORED}\n"))?;
        Ok(if bytes.is_some() { "added a line" } else { "wrote" })
    }
}

fn skill_of(path: &str) -> Option<SkillName> {
    SkillName::parse(path.rsplit('/').nth(1)?).ok()
}

const EXAMPLE_TEXT: &str = "\
---
name: working-here
description: How agents work in this repository. Replace it with your own law.
---

# Working here

- Never commit secrets, keys or tokens.
- Always run the tests before you say that something works.
- Do not edit generated files; change what they are generated from.
- Prefer small commits that each do one thing.
";

/// Every key as a comment with its default (writing to a string cannot fail); globs for skills that stand elsewhere are live.
fn config_text(skills: &[String]) -> String {
    let mut text = String::from(
        "# Mentci. Every line is optional; `policy-engine config` prints what is in force and why.\n",
    );
    let mut table = "";
    for key in KEYS {
        let (own, name) = key.name.split_once('.').unwrap_or(("", key.name));
        if own != table {
            table = own;
            let _ = writeln!(text, "\n[{own}]");
        }
        let elsewhere = elsewhere(skills);
        let value = match key.kind {
            Kind::Globs if key.name == "sources.skills" && !elsewhere.is_empty() => {
                let _ = writeln!(text, "{name} = [{}] # {}", quoted(&elsewhere), key.about);
                continue;
            }
            Kind::Globs => "[]".to_owned(),
            _ => key.default().to_json().to_string(),
        };
        let value = if value == "null" { sample(key.name, key.kind) } else { value };
        let _ = writeln!(text, "# {name} = {value} # {}", key.about);
    }
    text
}

/// What a key that is unset by default may be set to.
fn sample(name: &str, kind: Kind) -> String {
    match (name, kind) {
        ("model.base_url", _) => "\"http://127.0.0.1:8080/v1\"".to_owned(),
        ("model.key_env", _) => "\"MODEL_API_KEY\"".to_owned(),
        ("telemetry.endpoint", _) => "\"http://127.0.0.1:4318\"".to_owned(),
        (_, Kind::Text) => "\"gpt-5\"".to_owned(),
        (_, Kind::Choice([first, ..])) => format!("\"{first}\""),
        (_, Kind::Share(_)) => "2.5".to_owned(),
        _ => "10000".to_owned(),
    }
}

fn elsewhere(skills: &[String]) -> Vec<String> {
    let roots = [".claude", ".agents"].into_iter();
    let used = roots.filter(|root| skills.iter().any(|path| path.starts_with(&format!("{root}/"))));
    used.map(|root| format!("{root}/skills/*/SKILL.md")).collect()
}

fn quoted(globs: &[String]) -> String {
    globs.iter().map(|glob| format!("\"{glob}\"")).collect::<Vec<_>>().join(", ")
}

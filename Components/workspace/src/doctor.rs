//! The verb `doctor`: finds what fails silently.

use mentci_compiler::DigestFiles;
use mentci_disk::{Sidecar, exists, read_optional};
use mentci_host::{Asset, Check, DoctorAnswer, Harness, Installation, Outcome, Response};
use mentci_source::{Code, Finding, Severity};

use crate::compile::uncommitted;
use crate::engine::Mode;
use crate::layout::DigestPaths;
use crate::source_set::wrong_patterns;
use crate::workspace::{Inner, Workspace};

/// The file of the daemon's tokens, in the user's state.
const TOKENS: &str = "tokens.json";

impl Workspace {
    pub(crate) fn doctor(&self, assets: &[Asset], installations: &[Installation]) -> Response {
        let (log, of_log) = self.log_check();
        let mut inner = self.lock();
        let cycle = self.refresh(&mut inner, Mode::Check);
        let mut findings = inner.settings.findings.clone();
        let mut checks = vec![configuration(&inner), trusted(&inner), sources(&inner)];
        checks.push(published(&inner, &mut findings));
        checks.push(self.watcher());
        checks.extend(log);
        findings.extend(of_log);
        checks.extend(self.tokens(&mut findings));
        let seen = |one: &Installation| Some((one.harness, self.harness_check(one, &mut findings)?));
        let guarded: Vec<(Harness, Check)> = installations.iter().filter_map(seen).collect();
        let elsewhere = match guarded.iter().find(|(harness, _)| *harness == Harness::Pi) {
            _ if guarded.is_empty() => None,
            Some((_, check)) if check.ok => Some("it is not installed here: pi has the user's"),
            Some(_) => Some("it is not installed here, and the user's is not well"),
            None => Some("it is not installed: pi is not guarded here"),
        };
        checks.extend(assets.iter().map(|asset| self.asset(asset, elsewhere, &mut findings)));
        let twice = asked_twice(&guarded);
        checks.extend(guarded.into_iter().map(|(_, check)| check));
        checks.extend(twice);
        checks.extend(limits(&inner));
        let errors =
            inner.engine.findings().into_iter().filter(|finding| finding.severity == Severity::Error);
        findings.extend(errors);
        let well = checks.iter().all(|check| check.ok) && !cycle.impaired;
        let outcome = if well { Outcome::Ok } else { Outcome::Findings };
        Response::ok(DoctorAnswer { checks }).with(findings).at_least(outcome)
    }

    /// A watcher is not needed; knowing whether one runs is.
    fn watcher(&self) -> Check {
        let path = self.root.join(".mentci/watch.lock");
        let free = !exists(self.fs.as_ref(), &path)
            || matches!(Sidecar::watching(&self.root).try_lock(self.fs.as_ref()), Ok(Some(_)));
        check("watcher", true, if free { "none runs" } else { "one runs" })
    }

    /// Who can write the file of tokens can make one, whose bearer is an admin. Where there is no file there is nothing to say.
    fn tokens(&self, findings: &mut Vec<Finding>) -> Option<Check> {
        let path = self.around.state.as_ref()?.join(TOKENS);
        let mode = self.fs.stat(&path).ok()?.mode & 0o777;
        let is_own = mode | 0o700 == 0o700;
        if !is_own {
            let message = format!("others can read or write the file of tokens (mode {mode:04o})");
            let finding = Finding::new(Code::DAEMON_TOKEN, message).in_file(&path.to_string_lossy());
            findings.push(finding.help("look who stands in it, then `chmod 600` it"));
        }
        Some(check(
            "tokens",
            is_own,
            if is_own { "the file is the user's alone" } else { "others reach the file" },
        ))
    }

    /// Where another harness is guarded, or pi by the user's own extension, it need not stand here: that is said instead.
    fn asset(&self, asset: &Asset, elsewhere: Option<&str>, findings: &mut Vec<Finding>) -> Check {
        let standing = read_optional(self.fs.as_ref(), &self.root.join(&asset.path)).ok().flatten();
        let seen = match standing {
            None if elsewhere.is_some() => {
                return check(&asset.path, true, elsewhere.unwrap_or_default());
            }
            None => {
                let finding =
                    Finding::new(Code::HARNESS_MISSING, format!("`{}` is not installed here", asset.path));
                findings.push(finding.help("run `policy-engine init`").in_file(&asset.path));
                "it is missing, and no other harness is guarded: run `policy-engine init` for pi, or `policy-engine install HARNESS`"
            }
            Some(bytes) if bytes == asset.text.as_bytes() => {
                return check(&asset.path, true, "it is the one of this version");
            }
            Some(_) => return check(&asset.path, true, "it is another version, or was changed by hand"),
        };
        check(&asset.path, false, seen)
    }
}

/// The harnesses that ask here twice, as both what is installed in the workspace and the user's stand: a grant would be used up
/// by the first question, and pi does not start. Of the others one asks, whatever stands.
fn asked_twice(guarded: &[(Harness, Check)]) -> Vec<Check> {
    let stand = |harness: &Harness| guarded.iter().filter(|(of, _)| of == harness).count() > 1;
    let twice = [Harness::Pi, Harness::Codex, Harness::Cline].into_iter().filter(stand);
    let told = twice.map(|harness| {
        let name = harness.name();
        let seen = format!(
            "both those of the workspace and the user's stand, and one is enough: \
             `policy-engine uninstall {name}` here, or with `--user`"
        );
        check(&format!("{name} hooks twice"), false, &seen)
    });
    told.collect()
}

fn configuration(inner: &Inner) -> Check {
    let wrong = inner.settings.is_wrong() || !wrong_patterns(&inner.settings.config).is_empty();
    let seen = match (inner.settings.file, wrong) {
        (_, true) => "a value or a key is wrong",
        (Some(_), _) => "`mentci.toml` is read",
        (None, _) => "there is no `mentci.toml`; everything has a default",
    };
    check("configuration", !wrong, seen)
}

fn trusted(inner: &Inner) -> Check {
    let ignored = inner.settings.findings.iter().any(|finding| finding.code == Code::CONFIG_UNTRUSTED);
    let seen = match (inner.settings.trusted, ignored) {
        (true, _) => "nothing of it is ignored",
        (false, true) => "settings that would loosen policy are ignored until `policy-engine trust`",
        (false, false) => "it is not trusted, and loosens nothing",
    };
    check("trust", !ignored, seen)
}

fn published(inner: &Inner, findings: &mut Vec<Finding>) -> Check {
    let Some(files) = inner.engine.standing_files(&DigestPaths::workspace()) else {
        if inner.engine.held.is_empty() {
            return check("digest", true, "there is nothing to compile");
        }
        return check("digest", false, "it was not compiled yet: run `policy-engine compile-rules`");
    };
    if !DigestFiles::is_committed(&files) {
        findings.extend(uncommitted(&inner.engine));
        return check("digest", false, "a publish did not finish: run `policy-engine compile-rules`");
    }
    let stale = inner.engine.stale();
    let seen = if stale.is_empty() {
        "it is current"
    } else {
        "it is out of date: run `policy-engine compile-rules`"
    };
    check("digest", stale.is_empty(), seen)
}

fn sources(inner: &Inner) -> Check {
    let (skills, files) = (inner.engine.skills.len(), inner.engine.held.len());
    let seen = format!("{} in {}", count(skills, "skill"), count(files, "file"));
    let seen = if files > 0 { seen } else { format!("{seen}: `policy-engine init` writes an example") };
    check("sources", true, &seen)
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Whether each harness would show the whole digest.
fn limits(inner: &Inner) -> Vec<Check> {
    let Some(whole) = &inner.engine.workspace else { return Vec::new() };
    let chars = whole.digest.text.chars().count();
    let limit = |harness: &Harness| {
        let fits = harness.max_chars().is_none_or(|most| chars <= most)
            && harness.max_tokens().is_none_or(|most| whole.tokens <= most);
        let limited = harness.max_chars().is_some() || harness.max_tokens().is_some();
        let seen =
            if fits { "it shows the whole digest" } else { "it cuts the digest: lower `digest.tokens`" };
        limited.then(|| check(harness.name(), fits, seen))
    };
    Harness::ALL.iter().filter_map(limit).collect()
}

fn check(what: &str, ok: bool, seen: &str) -> Check {
    Check { what: what.to_owned(), ok, seen: seen.to_owned() }
}

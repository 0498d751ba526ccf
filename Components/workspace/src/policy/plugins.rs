//! Plugins: which there are, what each holds, and whether its rules are in force.

mod capability;
mod folder;
mod install;
mod skeleton;
mod verbs;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_authority::{Dialect, Plugin, Trust};
use mentci_dialect::read_plugin;
use mentci_disk::{Fs, Kind, SourcePattern};
use mentci_host::policy::{PluginHome, PluginState, RuleFile};
use mentci_source::{Code, Finding, Hash, Severity, Source};

use super::good::GoodVersions;
use super::vouched::Vouched;
use super::{files::is_page, packs};
pub(super) use capability::missing_tools;
pub(super) use folder::{Folder, MANIFEST};

/// The folder of a workspace's plugins.
pub(super) const PLUGINS: &str = ".pi/plugins";

/// One plugin, as it was found.
#[derive(Debug)]
pub(super) struct Found {
    /// Its folder's name, which is its id.
    pub(super) id: String,
    /// Its folder, as findings cite it.
    pub(super) at: String,
    /// Who vouches for the manifest that is in force.
    pub(super) trust: Trust,
    pub(super) state: PluginState,
    /// What its manifest says, or said last.
    pub(super) plugin: Option<Plugin>,
    /// Its files of rules, where they are in force.
    pub(super) files: Vec<RuleFile>,
    pub(super) findings: Vec<Finding>,
    /// Every file in its folder, for the user's consent to them.
    pub(super) hashes: Vec<(String, Hash)>,
}

/// Where plugins are looked for, and who vouches for them there.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
    /// As findings cite it.
    pub(super) shown: String,
    pub(super) trust: Trust,
}

/// What decides whether plugins are in force.
#[derive(Debug)]
pub(super) struct Rules<'r> {
    pub(super) off: &'r BTreeSet<String>,
    /// What counts in full in a workspace; everything where plugins are only looked at.
    pub(super) vouched: Option<&'r Vouched>,
    /// The last good manifests; none where plugins are only looked at.
    pub(super) good: Option<&'r GoodVersions<'r>>,
}

impl Rules<'_> {
    /// Who vouches for a file of a plugin, where `place` says who does for the place.
    fn trust(&self, place: Trust, source: &Source) -> Trust {
        match self.vouched {
            Some(vouched) if place <= Trust::Workspace => vouched.trust(source).min(place),
            _ => place,
        }
    }
}

/// Every plugin of a place, by id. One that is broken never takes another down.
pub(super) fn all(fs: &dyn Fs, place: &Place, rules: &Rules<'_>) -> Vec<Found> {
    let entries =
        fs.read_dir(&place.folder, &mut |_, kind| matches!(kind, Kind::Dir | Kind::Link).then_some(false));
    let names = entries.into_iter().flatten().filter_map(|entry| entry.name.into_string().ok());
    let names: BTreeSet<String> = names.filter(|name| !name.starts_with('.')).collect();
    let found = names.into_iter().filter_map(|name| {
        let folder = Folder::read(fs, &place.folder.join(&name), &format!("{}/{name}", place.shown))?;
        Some(one(name, folder, place.trust, rules))
    });
    found.collect()
}

/// A plugin by its folder, wherever that stands: what `check` and `test` are handed.
pub(super) fn at_path(fs: &dyn Fs, path: &Path, shown: &str) -> Option<Found> {
    let folder = Folder::read(fs, path, shown)?;
    let own = folder.manifest.as_ref().and_then(|source| read_plugin(source).value);
    let own = own.map(|plugin| plugin.id.as_str().to_owned());
    let name = own.unwrap_or_else(|| shown.rsplit('/').next().unwrap_or(shown).to_owned());
    let rules = Rules { off: &BTreeSet::new(), vouched: None, good: None };
    Some(one(name, folder, Trust::User, &rules))
}

fn one(id: String, folder: Folder, trust: Trust, rules: &Rules<'_>) -> Found {
    let Folder { shown, manifest, files, unread, mut findings } = folder;
    let hashes = files.iter().map(|source| (source.path().to_string(), source.hash())).collect();
    let mut found = Found {
        id,
        at: shown,
        trust,
        state: PluginState::Broken,
        plugin: None,
        files: Vec::new(),
        findings: Vec::new(),
        hashes,
    };
    let is_there = manifest.is_some();
    let manifest = manifest.unwrap_or_else(|| Source::new(&format!("{}/{MANIFEST}", found.at), ""));
    findings.extend(unread.get(manifest.path()).cloned());
    found.trust = rules.trust(trust, &manifest);
    let (plugin, said) = if is_there { manifest_of(&manifest, &found.id) } else { (None, Vec::new()) };
    let is_unread = !is_there || said.iter().any(|finding| finding.severity == Severity::Error);
    let is_whole = findings.iter().all(|finding| finding.severity < Severity::Error);
    findings.extend(said);
    found.findings = findings;
    let plugin = plugin.filter(|_| is_whole);
    found.state = if plugin.is_some() { PluginState::On } else { PluginState::Broken };
    settle(&mut found, plugin, &manifest, rules);
    if found.state.is_in_force() || found.state == PluginState::Untrusted {
        include(&mut found, &manifest, &files, &unread, rules);
    } else if found.state == PluginState::Broken && is_unread {
        close(&mut found, &manifest, &files);
    }
    found
}

/// What a manifest says, whose id must be its folder's name.
fn manifest_of(manifest: &Source, folder: &str) -> (Option<Plugin>, Vec<Finding>) {
    let reading = read_plugin(manifest);
    let mut findings = reading.findings;
    let Some(plugin) = reading.value else { return (None, findings) };
    let id = plugin.id.as_str();
    let problem = if id != folder {
        let message = format!("the id `{id}` is not the name of its folder, `{}`", folder.escape_debug());
        Some((message, "rename one of them: a plugin is found by its folder".to_owned()))
    } else if packs::is_shipped(id) {
        let message = format!("`{id}` is the name of a pack that is shipped");
        Some((message, "give the plugin another id, and its folder the same name".to_owned()))
    } else {
        None
    };
    if let Some((message, help)) = problem {
        findings.push(Finding::new(Code::PLUGIN_ID, message).help(help).in_file(manifest.path()));
        return (None, findings);
    }
    let refused = refused(&plugin, manifest);
    let is_taken = refused.is_empty();
    findings.extend(refused);
    (is_taken.then_some(plugin), findings)
}

/// What it includes that it cannot.
fn refused(plugin: &Plugin, manifest: &Source) -> Vec<Finding> {
    let refused = plugin.include.iter().filter_map(|stated| {
        let (message, help) = pattern(&stated.text).err()?;
        let finding = Finding::new(Code::PLUGIN_INCLUDE, message).help(help).severity(Severity::Error);
        Some(finding.at(manifest, stated.span))
    });
    refused.collect()
}

/// Whether it is in force, and by which manifest.
fn settle(found: &mut Found, plugin: Option<Plugin>, manifest: &Source, rules: &Rules<'_>) {
    if found.trust == Trust::Untrusted {
        settle_untrusted(found, plugin, manifest, rules);
    } else {
        settle_trusted(found, plugin, manifest, rules);
    }
    if rules.off.contains(&found.id) {
        found.state = PluginState::Off;
        return;
    }
    let Some(plugin) = &found.plugin else { return };
    let missing: Vec<Finding> = capability::missing(plugin, manifest);
    if !missing.is_empty() {
        found.state = PluginState::Lacking;
        found.findings.extend(missing);
    }
}

/// A manifest that nobody vouched for: the one that was vouched for stays, and where there is none only gates hold.
fn settle_untrusted(found: &mut Found, plugin: Option<Plugin>, manifest: &Source, rules: &Rules<'_>) {
    let path = manifest.path();
    let before = rules.vouched.and_then(|vouched| vouched.hash_of(path)).zip(rules.good);
    // Where what was vouched for did not read, the one before it stayed in force.
    let before = before.and_then(|(hash, good)| good.at(path, hash).or_else(|| good.last::<Plugin>(path)));
    let (message, state) = if let Some(before) = before {
        (found.trust, found.plugin) = (Trust::Workspace, Some(before));
        let message = "this manifest changed since it was trusted: what was trusted stays in force";
        (message.to_owned(), PluginState::LastGood)
    } else if plugin.is_some() {
        found.plugin = plugin;
        let message =
            format!("the plugin `{}` is not trusted: only its gates hold, without scripts", found.id);
        (message, PluginState::Untrusted)
    } else {
        return;
    };
    found.state = state;
    let finding = Finding::new(Code::CONFIG_UNTRUSTED, message).in_file(path);
    found.findings.push(finding.help("read its rules and scripts, then run `policy-engine trust`"));
}

/// The manifest as it stands; while it does not read, as it read last.
fn settle_trusted(found: &mut Found, plugin: Option<Plugin>, manifest: &Source, rules: &Rules<'_>) {
    if let (Some(plugin), Some(good)) = (&plugin, rules.good) {
        good.keep(manifest, found.trust, plugin);
    }
    let last = || rules.good.and_then(|good| good.last::<Plugin>(manifest.path()));
    found.plugin = plugin.or_else(|| {
        let last = last()?;
        found.state = PluginState::LastGood;
        let message = "the last good version of this manifest stays in force";
        let finding = Finding::new(Code::RULES_STAND_IN, message).in_file(manifest.path());
        found.findings.push(finding.help("mend it; `policy-engine plugins list` reads it again"));
        Some(last)
    });
}

/// Its files of rules: those below its folder that its manifest includes.
fn include(
    found: &mut Found,
    manifest: &Source,
    files: &[Source],
    unread: &BTreeMap<Arc<str>, Finding>,
    rules: &Rules<'_>,
) {
    let Some(plugin) = found.plugin.clone() else { return };
    let below = |source: &Source| {
        let rest = source.path().strip_prefix(&*found.at)?.strip_prefix('/')?;
        Some(rest.to_owned())
    };
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    for stated in &plugin.include {
        // OK because a manifest with another one is not taken.
        let Ok(pattern) = pattern(&stated.text) else { continue };
        let is_meant = |path: &str| {
            let is_rules = Dialect::of_path(path).is_some() && path != MANIFEST;
            is_rules && pattern.matches(path) && (path == stated.text || !is_page(path))
        };
        let before = chosen.len();
        let fitting = (0..).zip(files).filter(|(_, file)| below(file).is_some_and(|path| is_meant(&path)));
        let fitting: Vec<usize> = fitting.map(|(at, _)| at).collect();
        chosen.extend(&fitting);
        if fitting.is_empty() && chosen.len() == before && stated.span != mentci_source::Span::default() {
            let message = format!("`{}` fits no file of rules", stated.text.escape_debug());
            let help = "its path counts from the plugin's folder: `rules/*.toml`";
            found
                .findings
                .push(Finding::new(Code::PLUGIN_INCLUDE, message).help(help).at(manifest, stated.span));
        }
    }
    let home = Arc::new(PluginHome { plugin, folder: found.at.as_str().into() });
    let whole = found.trust;
    let trust = |source: &Source| rules.trust(whole, source).min(whole);
    for source in chosen.iter().map(|at| &files[*at]).filter(|source| trust(source) < whole) {
        let message = "this file is not trusted as it stands: only its gates hold, without scripts";
        let finding = Finding::new(Code::CONFIG_UNTRUSTED, message).in_file(source.path());
        found.findings.push(finding.help("read it, then run `policy-engine trust`"));
    }
    let file = |at: &usize| RuleFile {
        source: files[*at].clone(),
        pack: found.id.as_str().into(),
        trust: trust(&files[*at]),
        unread: unread.get(files[*at].path()).cloned(),
        left_out: None,
        plugin: Some(home.clone()),
    };
    found.files = chosen.iter().map(file).collect();
}

/// The files of rules of a plugin whose manifest never read: none of them is in force, and what they gate is closed, as for a
/// file of rules that never read.
fn close(found: &mut Found, manifest: &Source, files: &[Source]) {
    let rules = files.iter().filter(|file| file.path() != manifest.path());
    let rules = rules.filter(|file| Dialect::of_path(file.path()).is_some() && !is_page(file.path()));
    let file = |source: &Source| {
        let message = format!("the manifest of its plugin `{}` does not read", found.id.escape_debug());
        let why = Finding::new(Code::PLUGIN_MANIFEST, message).severity(Severity::Error);
        let why = why.in_file(source.path()).help(format!("mend `{}`", manifest.path()));
        RuleFile {
            source: source.clone(),
            pack: found.id.as_str().into(),
            trust: found.trust,
            unread: None,
            left_out: Some(why),
            plugin: None,
        }
    };
    found.files = rules.map(file).collect();
}

/// A pattern of files below the plugin's folder, or what is wrong with it.
fn pattern(text: &str) -> Result<SourcePattern, (String, String)> {
    let leaves = text.starts_with(['/', '~', '\\']) || text.split(['/', '\\']).any(|part| part == "..");
    let shown = text.escape_debug();
    if leaves {
        let help = "a plugin's rules lie in its own folder";
        return Err((format!("`{shown}` leaves the plugin's folder"), help.to_owned()));
    }
    text.parse::<SourcePattern>().map_err(|error| {
        (format!("`{shown}` is no path or pattern: {}", error.reason), "such as `rules/*.toml`".to_owned())
    })
}

/// The same id twice: the first that can run stands, which is the user's own. One that cannot takes no other down.
pub(super) fn refuse_twins(plugins: &mut [Found]) {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for found in plugins {
        if let Some(first) = seen.get(&found.id) {
            let message =
                format!("the plugin `{}` stands also at `{first}`, and that one is in force", found.id);
            let path = format!("{}/{MANIFEST}", found.at);
            let finding = Finding::new(Code::PLUGIN_TWICE, message).in_file(&path);
            found.findings = vec![finding.help("take one of them out, or give it another id")];
            found.files.clear();
            found.state = PluginState::Twice;
        } else if !matches!(found.state, PluginState::Broken | PluginState::Lacking) {
            seen.insert(found.id.clone(), found.at.clone());
        }
    }
}

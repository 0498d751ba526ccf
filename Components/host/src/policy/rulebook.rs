//! All rules that are in force, read and compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{Action, Dialect, Effect, Hook, Origin, Plugin, Rule, RuleSet, Trust};
use mentci_dialect::{Gates, OriginHint, beside, gates, read_in};
use mentci_pdp::{Options, Program, unknown_fact};
use mentci_source::{Code, Finding, Severity, Source, Span, did_you_mean};
use serde_json::Value;

use super::zone::unknown_zones;

/// One file of rules, as it was found.
#[derive(Debug, Clone)]
pub struct RuleFile {
    /// Its text.
    pub source: Source,
    /// The pack, plugin or file stem: the first half of the rules' full names.
    pub pack: Arc<str>,
    /// Who vouches for it.
    pub trust: Trust,
    /// Why its text is not what the file says, when it is not: the file cannot be read, or is no UTF-8.
    pub unread: Option<Finding>,
    /// Why it is not in force though it may read, when it is not: its plugin's manifest does not read.
    pub left_out: Option<Finding>,
    /// The plugin that it belongs to.
    pub plugin: Option<Arc<PluginHome>>,
}

/// A plugin and its folder: nothing outside it is read for its rules.
#[derive(Debug, Clone, PartialEq)]
pub struct PluginHome {
    /// What its manifest says.
    pub plugin: Plugin,
    /// Its folder, as the paths of its files begin.
    pub folder: Arc<str>,
}

impl PluginHome {
    /// Whether a path lies in its folder.
    fn holds(&self, path: &str) -> bool {
        path.strip_prefix(&*self.folder).is_some_and(|rest| rest.starts_with('/'))
    }
}

impl RuleFile {
    /// A file whose pack is its stem.
    pub fn new(source: Source, trust: Trust) -> Self {
        let pack = stem(source.path()).into();
        Self { source, pack, trust, unread: None, left_out: None, plugin: None }
    }

    /// A file whose text could not be read, or not all of it.
    pub fn unread(source: Source, trust: Trust, why: Finding) -> Self {
        Self { unread: Some(why.severity(Severity::Error)), ..Self::new(source, trust) }
    }

    fn hint(&self) -> OriginHint {
        OriginHint { pack: self.pack.clone(), trust: self.trust }
    }
}

/// `.pi/rules/git-safety.yaml` is `git-safety`.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').find(|part| !part.is_empty()).unwrap_or(name)
}

/// Rule sets and the program that they compile to. Immutable: a change makes another one.
#[derive(Debug)]
pub struct Rulebook {
    /// The rule sets that read whole, in the order of the files.
    pub sets: Vec<RuleSet>,
    /// The program that decides by them.
    pub program: Program,
    /// What is odd in the files.
    pub findings: Vec<Finding>,
    /// The files that did not read.
    pub broken: Vec<Arc<str>>,
    /// The files, as they were found.
    pub sources: Vec<Source>,
}

/// What stands in for a file that does not read: its last good version, what closes its gates, or nothing. Told of every
/// file that reads whole, so that it can keep it.
pub trait Whole {
    /// A file read whole.
    fn keep(&mut self, file: &RuleFile, set: &RuleSet);

    /// A file read whole, and a script that it asks may not run as it stands: the gates of that are closed in `set`, and what
    /// only acts by it is not in there.
    fn keep_unasked(&mut self, file: &RuleFile, set: &RuleSet) {
        self.keep(file, set);
    }

    /// What is in force in the place of a file that did not, and what is said of it.
    fn stand_in(&mut self, file: &RuleFile) -> Option<(RuleSet, Finding)>;

    /// Whether the user vouches for a file that is included or asked, as it stands. Rules that rest on another one may only
    /// tighten.
    fn vouches(&mut self, _source: &Source) -> bool {
        true
    }

    /// Whether there is a timezone of this name.
    fn knows_zone(&mut self, zone: &str) -> bool;

    /// The source at a path that a file includes or extends, and of a script that a rule asks.
    fn include(&mut self, path: &str) -> Option<Source>;

    /// What is wrong with a script that is asked at a hook, if something is; a warning where it reads, and never answers.
    fn check_script(&mut self, script: &Source, hook: Hook) -> Option<Finding>;

    /// What is wrong with a template, if something is.
    fn check_template(&mut self, template: &str) -> Option<String>;

    /// The facts that a template names, by their paths.
    fn template_names(&mut self, _template: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Files on their own: nothing is kept, nothing stands in, nothing is included, scripts and
/// timezones are not looked at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Whole for Alone {
    fn keep(&mut self, _: &RuleFile, _: &RuleSet) {}

    fn stand_in(&mut self, _: &RuleFile) -> Option<(RuleSet, Finding)> {
        None
    }

    fn knows_zone(&mut self, _: &str) -> bool {
        true
    }

    fn include(&mut self, _: &str) -> Option<Source> {
        None
    }

    fn check_script(&mut self, _: &Source, _: Hook) -> Option<Finding> {
        None
    }

    fn check_template(&mut self, _: &str) -> Option<String> {
        None
    }
}

/// What stands in for a file, as far as its plugin's folder reaches.
struct Within<'w> {
    whole: &'w mut dyn Whole,
    home: Option<&'w PluginHome>,
}

impl Whole for Within<'_> {
    fn keep(&mut self, file: &RuleFile, set: &RuleSet) {
        self.whole.keep(file, set);
    }

    fn keep_unasked(&mut self, file: &RuleFile, set: &RuleSet) {
        self.whole.keep_unasked(file, set);
    }

    fn stand_in(&mut self, file: &RuleFile) -> Option<(RuleSet, Finding)> {
        self.whole.stand_in(file)
    }

    fn vouches(&mut self, source: &Source) -> bool {
        self.whole.vouches(source)
    }

    fn include(&mut self, path: &str) -> Option<Source> {
        let reaches = self.home.is_none_or(|home| home.holds(path));
        if reaches { self.whole.include(path) } else { None }
    }

    fn knows_zone(&mut self, zone: &str) -> bool {
        self.whole.knows_zone(zone)
    }

    fn check_template(&mut self, template: &str) -> Option<String> {
        self.whole.check_template(template)
    }

    fn template_names(&mut self, template: &str) -> Vec<String> {
        self.whole.template_names(template)
    }

    fn check_script(&mut self, script: &Source, hook: Hook) -> Option<Finding> {
        self.whole.check_script(script, hook)
    }
}

impl Rulebook {
    /// Reads and compiles `files`. One broken file never takes others down: it is named in `broken`, and what `whole` says
    /// stands in for it. A file that another one includes or extends is a part of that one, and not in force beside it.
    pub fn read(files: &[RuleFile], options: Options, whole: &mut dyn Whole) -> Self {
        let (mut sets, mut findings, mut broken) = (Vec::new(), Vec::new(), Vec::new());
        let mut parts = BTreeSet::new();
        for file in files {
            let whole: &mut dyn Whole = &mut Within { whole: &mut *whole, home: file.plugin.as_deref() };
            let Vouched { set, trust, findings: said, others } = read_vouched(file, whole);
            let (path, file) = (file.source.path(), &RuleFile { trust, ..file.clone() });
            findings.extend(said.into_iter().map(|finding| (path, finding)));
            let (set, said) = set.map_or_else(Default::default, |set| with_zones(set, file, whole));
            findings.extend(said.into_iter().map(|finding| (path, finding)));
            let (set, said) = set.map_or_else(Default::default, |set| with_scripts(set, &file.source, whole));
            let is_asked = said.iter().all(|finding| finding.code != Code::CONFIG_UNTRUSTED);
            findings.extend(said.into_iter().map(|finding| (path, finding)));
            if let Some(set) = set.map(|set| owned(set, file)) {
                if is_asked {
                    whole.keep(file, &set);
                } else {
                    whole.keep_unasked(file, &set);
                }
                // Nobody takes out of force what he was not trusted to say.
                if trust > Trust::Untrusted {
                    parts.extend(others);
                }
                sets.push((path, set));
            } else {
                broken.push(path.clone());
                if let Some((set, said)) = whole.stand_in(file) {
                    findings.push((path, said));
                    let trust = set.rules.iter().map(|rule| rule.origin.trust).min().unwrap_or_default();
                    let mut said = Vec::new();
                    sets.push((path, tightened(set, trust, file.plugin.is_some(), &mut said)));
                    findings.extend(said.into_iter().map(|finding| (path, finding)));
                }
            }
        }
        let is_part = |path: &Arc<str>| parts.contains(&**path) && !broken.contains(path);
        let sets: Vec<RuleSet> =
            sets.into_iter().filter(|(path, _)| !is_part(path)).map(|(_, set)| set).collect();
        // Who includes a file tells what is odd in it.
        let mut findings: Vec<Finding> =
            findings.into_iter().filter(|(path, _)| !is_part(path)).map(|(_, finding)| finding).collect();
        findings.extend(twice(&sets));
        let program = Program::new(&sets, options);
        let sources = files.iter().map(|file| file.source.clone()).collect();
        Self { sets, program, findings, broken, sources }
    }

    /// Whether every file read whole.
    pub fn is_whole(&self) -> bool {
        self.broken.is_empty()
    }
}

/// A file as it reads under the trust that it and everything it includes have.
struct Vouched {
    set: Option<RuleSet>,
    trust: Trust,
    findings: Vec<Finding>,
    /// The files that it includes and extends.
    others: BTreeSet<String>,
}

fn read_vouched(file: &RuleFile, whole: &mut dyn Whole) -> Vouched {
    let (mut others, mut unvouched) = (BTreeSet::new(), BTreeSet::new());
    let (set, findings) = read_file(file, &mut |path| {
        let source = whole.include(path)?;
        others.insert(path.to_owned());
        if !whole.vouches(&source) {
            unvouched.insert(path.to_owned());
        }
        Some(source)
    });
    let Some(other) = unvouched.first().filter(|_| file.trust > Trust::Untrusted) else {
        return Vouched { set, trust: file.trust, findings, others };
    };
    let message = format!(
        "this file includes `{}`, which is not trusted as it stands: it may only tighten",
        other.escape_debug()
    );
    let trust = Trust::Untrusted;
    let (set, mut findings) = read_file(&RuleFile { trust, ..file.clone() }, &mut |path| whole.include(path));
    let finding = Finding::new(Code::CONFIG_UNTRUSTED, message).in_file(file.source.path());
    findings.push(finding.help("read the rules, then run `policy-engine trust`"));
    Vouched { set, trust, findings, others }
}

/// Reads one file; none where something in it is wrong, and then the findings say what.
pub fn read_file(
    file: &RuleFile,
    include: &mut dyn FnMut(&str) -> Option<Source>,
) -> (Option<RuleSet>, Vec<Finding>) {
    if let Some(why) = file.unread.as_ref().or(file.left_out.as_ref()) {
        return (None, vec![why.clone()]);
    }
    let path = file.source.path();
    let Some(dialect) = Dialect::of_path(path) else {
        let finding = Finding::new(Code::UNKNOWN_DIALECT, format!("`{path}` is in no dialect of rules"))
            .in_file(path)
            .help("rules are files that end in `.yaml`, `.toml`, `.chatmd`, `.md` or `.edn`");
        return (None, vec![finding]);
    };
    let reading =
        read_in(&file.source, dialect, &file.hint(), file.plugin.as_ref().map(|home| &home.plugin), include);
    let mut findings = reading.findings;
    let set = reading.value.map(|set| tightened(set, file.trust, file.plugin.is_some(), &mut findings));
    (set, findings)
}

/// The rules of a plugin keep what they keep under its id, those of a file under its place: a name is anybody's, and what
/// nobody vouches for writes into no state that others ask.
fn owned(mut set: RuleSet, file: &RuleFile) -> RuleSet {
    let path = file.source.path();
    let owner: Arc<str> = match (&file.plugin, file.trust) {
        (Some(home), _) => format!("plugins/{}", home.plugin.id.as_str()).into(),
        (None, Trust::Builtin) => return set,
        (None, Trust::Untrusted) => format!("untrusted/{path}").into(),
        (None, Trust::Workspace | Trust::User | Trust::Managed) => path.clone(),
    };
    set.rules.iter_mut().for_each(|rule| rule.owner = Some(owner.clone()));
    set
}

/// What a file says for which nobody vouches, without what would loosen: it may forbid, ask, warn and redact; it may not
/// permit, take rules out, let faults pass, make calls of its own, or run scripts. Of a plugin only the gates hold. What its
/// rules set and emit, rules of others do not hear of.
fn tightened(mut set: RuleSet, trust: Trust, of_plugin: bool, findings: &mut Vec<Finding>) -> RuleSet {
    if trust > Trust::Untrusted {
        return set;
    }
    set.default_effect = set.default_effect.filter(|effect| *effect != Effect::Allow);
    if of_plugin {
        set.rules.retain(|rule| rule.effect.is_some_and(|effect| effect != Effect::Allow));
        set.rules.iter_mut().for_each(|rule| rule.actions.clear());
    }
    set.rules.retain_mut(|rule| rule.guard.scripts_mut().is_empty() || unasked(rule, "its file", findings));
    for rule in &mut set.rules {
        let before = rule.clone();
        rule.effect = rule.effect.filter(|effect| *effect != Effect::Allow);
        rule.overrides.clear();
        rule.on_fault = None;
        rule.actions.retain(|action| !acts_alone(action));
        if *rule != before {
            let message = format!(
                "`{}` would loosen policy or act on its own, and its file is not trusted as it stands",
                rule.id
            );
            findings.push(untrusted(rule, message));
        }
    }
    set
}

/// A rule whose script may not run: a gate closes; what only acts is left out. Says whether it stays.
fn unasked(rule: &mut Rule, whose: &str, findings: &mut Vec<Finding>) -> bool {
    let then = if rule.is_gate() { "it closes" } else { "it is left out" };
    let message = format!("`{}` asks a script, and {whose} is not trusted as it stands: {then}", rule.id);
    findings.push(untrusted(rule, message));
    rule.guard.scripts_mut().into_iter().for_each(|script| script.text = None);
    rule.on_fault = None;
    rule.is_gate()
}

/// What writes into the conversation, shortens it, or calls on its own.
fn acts_alone(action: &Action) -> bool {
    matches!(
        action,
        Action::Call { .. }
            | Action::Agent { .. }
            | Action::Insert { .. }
            | Action::InsertValue { .. }
            | Action::Compact { .. }
    )
}

fn untrusted(rule: &Rule, message: String) -> Finding {
    let mut finding = Finding::new(Code::CONFIG_UNTRUSTED, message).in_file(&rule.origin.path);
    (finding.line, finding.column) = (Some(rule.origin.line), Some(rule.origin.column));
    finding.help("read the rules, then run `policy-engine trust`")
}

/// The gates of a file that did not read whole, as far as they could be read.
pub fn file_gates(file: &RuleFile, include: &mut dyn FnMut(&str) -> Option<Source>) -> Gates {
    match Dialect::of_path(file.source.path()) {
        Some(dialect) => {
            let read = gates(&file.source, dialect, &file.hint(), include);
            Gates { unread: read.unread || file.unread.is_some(), ..read }
        }
        None => Gates { unread: true, ..Gates::default() },
    }
}

/// The rules, where every zone that they name is there.
fn with_zones(set: RuleSet, file: &RuleFile, whole: &mut dyn Whole) -> (Option<RuleSet>, Vec<Finding>) {
    let mut findings = Vec::new();
    for rule in &set.rules {
        let own = *rule.origin.path == **file.source.path();
        findings.extend(unknown_zones(rule, &mut |zone| whole.knows_zone(zone)).into_iter().map(|finding| {
            let start = Span::at(rule.origin.span.start as usize);
            if own {
                return finding.at(&file.source, start);
            }
            let (line, column) = (Some(rule.origin.line), Some(rule.origin.column));
            Finding { line, column, ..finding.in_file(&rule.origin.path) }
        }));
    }
    (findings.is_empty().then_some(set), findings)
}

/// The rules with the texts of their scripts; none where one of these, or a template, does not read.
fn with_scripts(mut set: RuleSet, source: &Source, whole: &mut dyn Whole) -> (Option<RuleSet>, Vec<Finding>) {
    let (mut wrong, mut odd) = (Vec::new(), Vec::new());
    set.rules.retain_mut(|rule| {
        let place = Place { rule: rule.origin.clone(), source };
        for finding in templates(rule, &place, whole) {
            if finding.severity >= Severity::Error { wrong.push(finding) } else { odd.push(finding) }
        }
        let runs = rule.origin.trust > Trust::Untrusted;
        !runs || with_script(rule, &place, whole, &mut wrong, &mut odd)
    });
    let is_whole = wrong.is_empty();
    (is_whole.then_some(set), wrong.into_iter().chain(odd).collect())
}

/// Gives a rule the text of what it asks, as far as the user vouches for that; says whether it stays.
fn with_script(
    rule: &mut Rule,
    place: &Place<'_>,
    whole: &mut dyn Whole,
    wrong: &mut Vec<Finding>,
    odd: &mut Vec<Finding>,
) -> bool {
    let (mut unvouched, hook) = (None, rule.hook);
    for script in rule.guard.scripts_mut() {
        match script_source(&place.rule.path, &script.file, whole) {
            Ok(source) if !whole.vouches(&source) => {
                unvouched = Some(source.path().escape_debug().to_string());
            }
            Ok(source) => match whole.check_script(&source, hook) {
                Some(finding) if finding.severity >= Severity::Error => wrong.push(finding),
                said => {
                    odd.extend(said);
                    script.text = Some(source.text().into());
                }
            },
            Err(finding) => wrong.push(place.of(&script.file, finding)),
        }
    }
    unvouched.is_none_or(|script| unasked(rule, &format!("`{script}`"), odd))
}

/// What is wrong with the templates of a rule.
fn templates(rule: &Rule, place: &Place<'_>, whole: &mut dyn Whole) -> Vec<Finding> {
    let mut findings = Vec::new();
    let told = rule.message.iter().chain(&rule.remind).map(String::as_str);
    let told = told.filter(|text| text.contains("{{") || text.contains("{%"));
    let rule_facts = (&rule.parameters, &rule.settings);
    for template in rule.actions.iter().flat_map(Action::templates).chain(told) {
        let wrong = whole.check_template(template);
        let wrong = wrong.map(|message| no_template(&message));
        let facts = whole.template_names(template);
        let unread = facts.iter().filter_map(|name| unstated(rule_facts, name).or_else(|| unknown(name)));
        findings.extend(wrong.into_iter().chain(unread).map(|finding| place.of(template, finding)));
    }
    findings
}

/// Why a template does not read; the word that was meant stands as help.
fn no_template(message: &str) -> Finding {
    let (told, meant) = match message.rsplit_once("; did you mean ") {
        Some((told, near)) => (told, Some(format!("did you mean {near}"))),
        None => (message, None),
    };
    let finding = Finding::new(Code::TEMPLATE_UNREADABLE, told);
    match meant {
        Some(meant) => finding.help(meant),
        None if told.starts_with("unknown ") => {
            finding.help("`Library/specs/scripts.md` lists what templates may use")
        }
        None => finding,
    }
}

/// A fact that no event has: empty, unless somebody's own context brings it.
fn unknown(name: &str) -> Option<Finding> {
    let (unknown, known) = unknown_fact(name)?;
    let message = format!("unknown name `{}`", unknown.escape_debug());
    let finding = Finding::new(Code::TEMPLATE_UNREADABLE, message).severity(Severity::Warning);
    let near = did_you_mean(&unknown, known.iter().map(String::as_str));
    Some(finding.help(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`Library/specs/scripts.md` lists what templates may name".to_owned(),
    }))
}

/// Where a rule stands, and the file that names it.
struct Place<'s> {
    rule: Origin,
    source: &'s Source,
}

impl Place<'_> {
    /// A finding about a text of the rule: where that is written in the file, as far as it is written there as it reads.
    fn of(&self, text: &str, finding: Finding) -> Finding {
        if let Some(span) = self.find(text) {
            return finding.at(self.source, span);
        }
        let (line, column) = (Some(self.rule.line), Some(self.rule.column));
        Finding { line, column, ..finding.in_file(&self.rule.path) }
    }

    fn find(&self, text: &str) -> Option<Span> {
        if self.rule.path != *self.source.path() || text.is_empty() {
            return None;
        }
        let begin = self.rule.span.start as usize;
        let rest = self.source.text().get(begin..)?;
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let at = begin + [text, &escaped].into_iter().find_map(|text| rest.find(text))?;
        Some(Span::at(at))
    }
}

/// A parameter or a setting that a template names, and nobody states: it would be empty for ever.
fn unstated(
    (parameters, settings): (&BTreeMap<String, Value>, &BTreeMap<String, Value>),
    name: &str,
) -> Option<Finding> {
    let bare = name.strip_prefix("context.").unwrap_or(name);
    let (group, rest, stated) =
        match (bare.strip_prefix("parameters."), bare.strip_prefix("plugin.settings.")) {
            (Some(rest), _) => ("parameters", rest, parameters),
            (None, Some(rest)) => ("plugin.settings", rest, settings),
            (None, None) => return None,
        };
    let own = rest.split('.').next().unwrap_or(rest);
    // A method, as `parameters.get("x")`.
    if stated.contains_key(own) || own == "get" || own == "has" {
        return None;
    }
    let finding =
        Finding::new(Code::TEMPLATE_UNREADABLE, format!("unknown name `{group}.{}`", own.escape_debug()));
    let near = did_you_mean(own, stated.keys().map(String::as_str));
    Some(finding.help(match near {
        Some(near) => format!("did you mean `{group}.{near}`?"),
        None if group == "parameters" => "state it in `[rule.parameters]`".to_owned(),
        None => "state it in the plugin's manifest, under `[settings]`".to_owned(),
    }))
}

/// Where the workspace's own rules stand, with their scripts: what trust in them covers.
const RULES: &str = ".pi/rules/";

/// The script that the file at `from` names.
fn script_source(from: &str, file: &str, whole: &mut dyn Whole) -> Result<Source, Finding> {
    let shown = file.escape_debug();
    let missing = |message: String| Finding::new(Code::SCRIPT_UNREADABLE, message);
    let path = beside(from, file).ok_or_else(|| {
        missing(format!("the script `{shown}` leaves the workspace"))
            .help("scripts stand beside the file that names them, or below")
    })?;
    if from.starts_with(RULES) && !path.starts_with(RULES) {
        return Err(missing(format!("the script `{shown}` leaves `{RULES}`"))
            .help("scripts stand beside the file that names them, or below"));
    }
    whole.include(&path).ok_or_else(|| {
        missing(format!("there is no script `{shown}`"))
            .help(format!(
                "it is looked for at `{}`, beside the file that names it; no link is followed out of the workspace",
                path.escape_debug()
            ))
    })
}

/// Rules of one name in two files: both are in force, and whoever names one means the first.
fn twice(sets: &[RuleSet]) -> Vec<Finding> {
    let mut seen = BTreeMap::new();
    let mut findings = Vec::new();
    for rule in sets.iter().flat_map(|set| &set.rules) {
        if let Some(first) = seen.insert((rule.origin.pack.clone(), rule.id.clone()), &rule.origin) {
            let message = format!("the rule `{}` stands also at {first}", rule.id);
            let mut finding = Finding::new(Code::DUPLICATE_RULE, message).in_file(&rule.origin.path);
            (finding.line, finding.column) = (Some(rule.origin.line), Some(rule.origin.column));
            findings.push(finding.severity(Severity::Warning).help("give one of them another id"));
        }
    }
    findings
}

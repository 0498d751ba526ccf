//! The verbs of policy, carried out: which files are meant, what they hold, and what is written.

mod approvals;
mod beside;
mod damage;
mod decided;
mod entered;
mod files;
mod good;
mod in_force;
mod ingredient;
mod journal;
mod label;
mod log;
mod mark;
mod moment;
mod notices;
mod outside;
mod pack;
mod packs;
mod places;
mod plugins;
mod replay;
mod script_time;
mod scripts;
mod skill;
mod spending;
mod standing;
mod stop;
mod taking;
mod templates;
mod together;
mod trial;
mod tuned;
mod unwritten;
mod vouched;

use std::path::PathBuf;

use mentci_authority::{Dialect, Effect, Event, Permission, Rule, RuleSet, Trust, Verdict};
use mentci_dialect::{format, print};
use mentci_disk::{Edit, EditError, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_host::policy::{
    FormatAnswer, Input, Known, Line, LinesAnswer, PolicyRequest, RuleFile, RuleRow, RuleShown, Rulebook,
    RulesAnswer, RulesTitle, TextAnswer, Tools, evaluate_expr, evaluate_lines, lint, read_file, read_tools,
    run_tests,
};
use mentci_host::{Outcome, Response};
use mentci_pdp::Options;
use mentci_source::{Code, Finding, Reading, Severity, Source, did_you_mean};

use crate::by::USER;
use crate::workspace::Workspace;
pub use beside::{Beside, Law};
pub use decided::Ruled;
use files::{Found, RULES, gather};
use good::GoodVersions;
pub(crate) use in_force::InForce;
use ingredient::Ingredient;
pub(crate) use label::BUILD;
use label::PluginSettings;
pub(crate) use log::{state_folder, store_finding};
use moment::heard;
use pack::is_pack;
pub use scripts::ScriptShelf;
pub use spending::Spending;
use standing::{Standing, Strict};
pub(crate) use stop::Stop;
pub use templates::TemplateShelf;
pub use together::Told;
use vouched::Vouched;

impl Workspace {
    /// Carries out a verb of policy.
    pub(crate) fn policy(&self, request: PolicyRequest, who: &str) -> Response {
        match request {
            PolicyRequest::Expr { expr, facts } => lines(vec![Line::Value(evaluate_expr(&expr, &facts))]),
            PolicyRequest::ExprLines { lines: input } => match self.told_lines(&input) {
                Ok(source) => lines(evaluate_lines(source.text()).into_iter().map(Line::Value).collect()),
                Err(finding) => Response::bad([finding]),
            },
            PolicyRequest::Replay { rules, lenient, against, zone, events } => {
                self.replay(&rules, lenient, &against, zone.as_deref(), &events)
            }
            PolicyRequest::Decide { rules, event, dry_run, lenient, beside, dated } => {
                let told = self.told_event(&event, lenient);
                let told = told.map(|(event, passed)| (self.at_its_time(event, dated), passed));
                match told {
                    Ok((mut event, passed)) => {
                        event.caller = (who != USER).then(|| who.to_owned());
                        self.decide(&rules, event, beside.as_ref(), dry_run).with(passed)
                    }
                    Err(finding) => Response::bad([finding]),
                }
            }
            PolicyRequest::Test { paths } => self.test(&paths),
            PolicyRequest::Check { paths, tools } => self.check_rules(&paths, tools.as_ref()),
            PolicyRequest::Format { paths, check } => self.format(&paths, check),
            PolicyRequest::Convert { path, to } => self.convert(&path, to),
            PolicyRequest::Rules { paths } => self.rules(&paths),
            PolicyRequest::Show { rule } => self.show(&rule),
            PolicyRequest::Try { rule, event, session } => {
                self.try_rule(&rule, event.as_ref(), session.as_deref())
            }
            PolicyRequest::RunScript { path, event, parameters } => {
                self.run_script(&path, event.as_ref(), parameters)
            }
            PolicyRequest::Switch { rule, enabled } => self.switch(&rule, enabled, who),
            PolicyRequest::Pack { paths, out } => self.pack(&paths, out.as_deref()),
            PolicyRequest::ShowPack { path } => self.show_pack(path.as_deref()),
            PolicyRequest::Parameter { rule, name, value } => {
                self.set_parameter(&rule, &name, value.as_ref(), who)
            }
            PolicyRequest::Plugins(request) => self.plugin(request, who),
            PolicyRequest::Kill { session, reason } => self.kill(session.as_deref(), &reason, who),
            PolicyRequest::Resume { session } => self.resume(session.as_deref(), who),
            PolicyRequest::Stops => self.list_stops(),
            PolicyRequest::Approvals => self.approvals(),
            PolicyRequest::Notifications { session, all } => self.notifications(session.as_deref(), all),
            PolicyRequest::Acknowledge { ids, session, by } => {
                self.acknowledge(&ids, session.as_deref(), by.as_deref().unwrap_or(who))
            }
            PolicyRequest::Answer { id, grant, by, words } => {
                self.answer_approval(&id, grant, by.as_deref().unwrap_or(who), words)
            }
            PolicyRequest::Take { id, asked, by } => self.take_approval(&id, asked.map(|asked| *asked), &by),
            PolicyRequest::ClearTaints { session, by } => self.clear_taints(&session, &by),
        }
    }

    /// An event that may date itself, or that happens now.
    fn at_its_time(&self, mut event: Event, dated: bool) -> Event {
        if !dated {
            heard(&mut event, self.now());
        }
        event
    }

    /// The text that a door has or names.
    pub(crate) fn input(&self, input: &Input) -> Result<Source, Finding> {
        self.decoded(input).map(|reading| reading.value)
    }

    fn decoded(&self, input: &Input) -> Result<Reading<Source>, Finding> {
        match input {
            Input::Text { name, text } => Ok(Reading::clean(Source::new(name.as_str(), text.as_str()))),
            Input::Path(path) => match read_optional(self.fs.as_ref(), &self.root.join(path)) {
                Ok(Some(bytes)) => Ok(Source::decode(path.as_str(), &bytes)),
                Ok(None) => Err(Finding::new(Code::UNREADABLE, "there is no such file").in_file(path)),
                Err(error) => Err(error.finding(Code::UNREADABLE).in_file(path)),
            },
        }
    }

    /// The same, of lines on which a decision rests.
    pub(crate) fn told_lines(&self, input: &Input) -> Result<Source, Finding> {
        self.decoded(input).and_then(sure)
    }

    /// The same under the name by which findings cite it.
    pub(crate) fn shown_input(&self, input: &Input) -> Result<Source, Finding> {
        match input {
            Input::Path(path) => self.input(&Input::Path(self.shown(std::slice::from_ref(path)).concat())),
            text @ Input::Text { .. } => self.input(text),
        }
    }

    /// The rules that paths mean; the workspace's own, with the shipped packs and the user's, when there are none.
    pub(crate) fn rulebook(&self, paths: &[String]) -> Rulebook {
        match paths {
            [pack] if is_pack(pack) => self.packed(pack),
            _ => self.read_rules(paths, i64::MAX).book,
        }
    }

    /// The same, with what the files include. `now` is the file system's own time.
    fn read_rules(&self, paths: &[String], now: i64) -> ReadRules {
        let fs = self.fs.as_ref();
        let stands = paths.is_empty() || paths == self.around.rules;
        let paths = if paths.is_empty() { self.around.rules.as_slice() } else { paths };
        let own = paths.is_empty();
        // Paths are what whoever typed them vouches for.
        let (vouched, outdated) = if own { self.vouched() } else { Default::default() };
        let mut found = if own {
            self.own_rules(&vouched)
        } else {
            gather(fs, &self.root, &self.shown(paths), Trust::User)
        };
        found.findings.extend(outdated);
        let (options, strict) = self.policy_settings();
        let folder = self.around.state.as_ref().map(|_| self.state_folder().join("rules"));
        let good = GoodVersions { fs, folder };
        let mut whole = self.standing(stands.then_some(good), strict, now);
        whole.vouched = own.then_some(&vouched);
        let mut book = Rulebook::read(&found.files, options, &mut whole);
        let missing = found.findings.iter().filter(|finding| finding.severity == Severity::Error);
        book.broken.extend(missing.filter_map(|finding| finding.path.clone()));
        book.findings.splice(0..0, found.findings);
        let homes = found.files.iter().filter_map(|file| file.plugin.as_deref());
        let settings = homes.map(|home| (home.plugin.id.as_str().to_owned(), home.plugin.settings.clone()));
        ReadRules { book, included: whole.included, settings: settings.collect() }
    }

    /// Files of rules on their own: nothing is kept, and nothing stands in for what does not read.
    pub(crate) fn book_of(&self, files: &[RuleFile]) -> Rulebook {
        self.book_under(files, None)
    }

    /// The same, as far as the user vouches for what they include and ask; all the way where nobody is asked.
    fn book_under(&self, files: &[RuleFile], vouched: Option<&Vouched>) -> Rulebook {
        let (options, strict) = self.policy_settings();
        let mut whole = self.standing(None, strict, i64::MAX);
        whole.vouched = vouched;
        Rulebook::read(files, options, &mut whole)
    }

    fn standing<'s>(&'s self, good: Option<GoodVersions<'s>>, strict: Strict, now: i64) -> Standing<'s> {
        let (fs, root, included) = (self.fs.as_ref(), &self.root, Vec::new());
        let (scripts, templates) = (&self.scripts, &self.templates);
        Standing { fs, root, good, vouched: None, strict, included, now, scripts, templates }
    }

    fn policy_settings(&self) -> (Options, Strict) {
        let inner = self.lock();
        let config = &inner.settings.config;
        let default =
            if config.choice("policy.default") == "block" { Permission::Block } else { Permission::Allow };
        let strict = match config.choice("policy.strict") {
            "block" => Strict::Block,
            "warn" => Strict::Warn,
            _ => Strict::LastGood,
        };
        (Options { default, notify: config.notify() }, strict)
    }

    /// Shipped, then the user's, then the workspace's.
    fn own_rules(&self, vouched: &Vouched) -> Found {
        let packs = self.has_packs();
        let shipped = packs::builtin().filter(|file| packs || matches!(&*file.pack, "core" | packs::BUILTIN));
        let mut found = Found { files: shipped.collect(), ..Found::default() };
        if let Some(folder) = self.user_rules() {
            found.folder(self.fs.as_ref(), &folder, &folder.to_string_lossy(), Trust::User);
        }
        let mut own = Found::default();
        own.folder_within(self.fs.as_ref(), &self.root, RULES, Trust::Untrusted);
        found.findings.extend(own.findings);
        found.files.extend(
            own.files.into_iter().map(|file| RuleFile { trust: vouched.trust(&file.source), ..file }),
        );
        for plugin in self.plugins(vouched) {
            found.findings.extend(plugin.findings);
            found.files.extend(plugin.files);
        }
        found
    }

    /// Whether the shipped packs take part, beside the core.
    fn has_packs(&self) -> bool {
        self.lock().settings.config.choice("policy.packs") != "core"
    }

    fn user_rules(&self) -> Option<PathBuf> {
        Some(self.around.user_config.as_ref()?.parent()?.join("rules"))
    }

    /// The folders of the user's and the workspace's own rules.
    fn rule_folders(&self) -> Vec<PathBuf> {
        self.user_rules().into_iter().chain([self.root.join(RULES)]).collect()
    }

    /// Paths as findings cite them: relative to the workspace where they lie in it.
    pub(crate) fn shown(&self, paths: &[String]) -> Vec<String> {
        let inside = |path: &String| {
            if path == "builtin" {
                return None;
            }
            let path = files::plain(std::path::Path::new(path));
            let shown = path.strip_prefix(&self.root).unwrap_or(&path);
            // The workspace itself.
            let shown = if shown.as_os_str().is_empty() { std::path::Path::new(".") } else { shown };
            shown.to_str().map(str::to_owned)
        };
        paths.iter().map(|path| inside(path).unwrap_or_else(|| path.clone())).collect()
    }

    fn test(&self, paths: &[String]) -> Response {
        let book = self.rulebook(paths);
        let answer = run_tests(&book, self.outside());
        let outcome = match (book.is_whole(), answer.failed) {
            (false, _) => Outcome::Bad,
            (true, 0) => Outcome::Ok,
            (true, _) => Outcome::Findings,
        };
        Response::ok(answer).with(book.findings).at_least(outcome)
    }

    fn check_rules(&self, paths: &[String], tools: Option<&Input>) -> Response {
        let tools = tools.map(|input| self.input(input).and_then(|source| read_tools(&source))).transpose();
        let tools = match tools {
            Ok(tools) => tools,
            Err(finding) => return Response::bad([finding]),
        };
        let mut book = self.rulebook(paths);
        book.findings.extend(tools.iter().flat_map(|tools| self.missing_tools(paths, tools)));
        // What is checked by its path is meant to stand beside what is in force.
        let beside = if paths.is_empty() { Vec::new() } else { self.rulebook(&[]).sets };
        book.findings.extend(self.linted(&book, &beside, tools.as_ref()));
        let odd = book.findings.iter().any(|finding| finding.severity >= Severity::Warning);
        let outcome = match (book.is_whole(), odd) {
            (false, _) => Outcome::Bad,
            (true, true) => Outcome::Findings,
            (true, false) => Outcome::Ok,
        };
        Response::ok(rows(&book)).with(book.findings).at_least(outcome)
    }

    /// The tools that plugins need and that are none of those that there are.
    fn missing_tools(&self, paths: &[String], tools: &Tools) -> Vec<Finding> {
        let found = gather(self.fs.as_ref(), &self.root, &self.shown(paths), Trust::User);
        let homes = found.files.iter().filter_map(|file| file.plugin.as_deref());
        let homes: std::collections::BTreeMap<&str, _> = homes.map(|home| (&*home.folder, home)).collect();
        homes.values().flat_map(|home| plugins::missing_tools(home, tools)).collect()
    }

    pub(crate) fn linted(
        &self,
        book: &Rulebook,
        in_force: &[RuleSet],
        tools: Option<&Tools>,
    ) -> Vec<Finding> {
        let zones = self.outside().zones;
        lint(&book.sets, Known { sources: &book.sources, tools, zones, in_force })
    }

    /// What is odd in the user's and the workspace's own rules, for `check` without paths, and whether a file did not read.
    pub(crate) fn own_rule_findings(&self) -> (Vec<Finding>, bool) {
        let book = self.rulebook(&[]);
        let shipped =
            |finding: &Finding| finding.path.as_ref().is_some_and(|path| path.starts_with(packs::FOLDER));
        let mut findings = self.linted(&book, &[], None);
        findings.retain(|finding| !shipped(finding));
        let whole = book.is_whole();
        (book.findings.into_iter().chain(findings).collect(), whole)
    }

    fn rules(&self, paths: &[String]) -> Response {
        let book = self.rulebook(paths);
        let outcome = if book.is_whole() { Outcome::Ok } else { Outcome::Findings };
        let mut answer = rows(&book);
        if paths.is_empty() {
            let stands = book.sets.first().filter(|_| !self.around.rules.is_empty());
            answer.titled = stands.map(|set| RulesTitle {
                name: set.name.clone(),
                version: set.version.clone(),
                default: set.default_effect.unwrap_or(Effect::Allow),
            });
            let off = self.tuned().rules_off;
            answer
                .rules
                .iter_mut()
                .filter(|row| !row.core && off.contains(&row.rule))
                .for_each(|row| row.enabled = false);
        }
        Response::ok(answer).with(book.findings).at_least(outcome)
    }

    fn show(&self, name: &str) -> Response {
        self.shown_rule(name).unwrap_or_else(|| Response::bad(named_rule(&self.rulebook(&[]), name).err()))
    }

    /// A rule of policy in full; none where no rule has this name.
    pub(crate) fn shown_rule(&self, name: &str) -> Option<Response> {
        let book = self.rulebook(&[]);
        let (rule, full_name) = named_rule(&book, name).ok()?;
        let mut set = mentci_authority::RuleSet::new(rule.origin.pack.as_ref());
        set.rules.push(rule.clone());
        let text = print(&set, rule.origin.dialect).unwrap_or_default();
        let parameters = self.parameter_rows(rule, full_name);
        let (full_name, shown) = (full_name.to_owned(), Box::new(rule.clone()));
        Some(Response::ok(RuleShown { full_name, shown, parameters, text }))
    }

    fn convert(&self, path: &str, to: Dialect) -> Response {
        let book = self.rulebook(&[path.to_owned()]);
        let [set] = book.sets.as_slice() else { return Response::bad(book.findings) };
        match print(set, to) {
            Ok(text) => Response::ok(TextAnswer { text }).with(book.findings),
            Err(unsayable) => {
                let unsaid = unsayable.iter().map(|one| {
                    let mut finding = Finding::new(Code::UNSAYABLE, one.to_string()).in_file(path);
                    (finding.line, finding.column) = stands_at(set, one.rule.as_deref());
                    finding.help("`Library/specs/dialects.md` lists what each dialect says")
                });
                Response::bad(unsaid)
            }
        }
    }

    fn format(&self, paths: &[String], check: bool) -> Response {
        let found = gather(self.fs.as_ref(), &self.root, &self.shown(paths), Trust::User);
        let (mut answer, mut findings) = (FormatAnswer { changed: Vec::new(), unchanged: 0 }, found.findings);
        for file in &found.files {
            let path = file.source.path();
            // What could not be read is not formatted; what is no file of rules is told as such.
            let (None, Some(dialect)) = (&file.unread, Dialect::of_path(path)) else {
                findings.extend(read_file(file, &mut |_| None).1);
                continue;
            };
            let hint = mentci_dialect::OriginHint { pack: file.pack.clone(), trust: file.trust };
            let reading = format(&file.source, dialect, &hint);
            findings.extend(reading.findings);
            match reading.value {
                Some(text) if text == file.source.text() => answer.unchanged += 1,
                Some(text) => {
                    let wrote = if check { Ok(()) } else { self.replace(path, &text) };
                    match wrote {
                        Ok(()) => answer.changed.push(path.to_string()),
                        Err(finding) => findings.push(finding),
                    }
                }
                None => {}
            }
        }
        let bad = findings.iter().any(|finding| finding.severity == Severity::Error);
        let moved = check && !answer.changed.is_empty();
        let outcome = if bad {
            Outcome::Bad
        } else if moved {
            Outcome::Findings
        } else {
            Outcome::Ok
        };
        Response::ok(answer).with(findings).at_least(outcome)
    }
}

impl Workspace {
    /// Puts a file's canonical text in its place, at once.
    pub(crate) fn replace(&self, path: &str, text: &str) -> Result<(), Finding> {
        let write = |_: Option<&[u8]>| Ok::<_, Finding>(Edit::Replace(text.as_bytes().to_vec()));
        let absolute = files::plain(&self.root.join(path));
        // A file outside is edited in its own folder, under the lock of this workspace's editors.
        let (folder, name) = match absolute.strip_prefix(&self.root) {
            Ok(inside) => (self.root.clone(), inside.to_owned()),
            Err(_) => (
                absolute.parent().unwrap_or(&self.root).to_owned(),
                absolute.file_name().map(PathBuf::from).unwrap_or_default(),
            ),
        };
        let lock = self.root.join(".mentci/edit.lock");
        let sidecar = Sidecar::at(&folder, &lock.to_string_lossy());
        match edit_locked(self.fs.as_ref(), &sidecar, &name.to_string_lossy(), WriteOptions::LASTING, write) {
            Ok(_) => Ok(()),
            Err(EditError::Refused(finding)) => Err(finding),
            Err(EditError::Disk(error)) => Err(error.finding(Code::NOT_PUBLISHED).in_file(path)),
        }
    }
}

/// Files of rules, read.
struct ReadRules {
    book: Rulebook,
    /// What they include, or looked for in vain.
    included: Vec<Ingredient>,
    /// What may be set of the plugins among them.
    settings: PluginSettings,
}

fn lines(lines: Vec<Line>) -> Response {
    Response::ok(LinesAnswer { lines })
}

fn line(verdict: Verdict) -> Line {
    Line::Verdict(Box::new(verdict))
}

fn rows(book: &Rulebook) -> RulesAnswer {
    let rules = book.sets.iter().flat_map(|set| &set.rules).map(row).collect();
    RulesAnswer { rules, broken: book.broken.iter().map(ToString::to_string).collect(), titled: None }
}

fn row(rule: &Rule) -> RuleRow {
    RuleRow {
        rule: format!("{}/{}", rule.origin.pack, rule.id),
        name: rule.name.clone(),
        says: rule.description.clone().or_else(|| rule.message.clone()),
        message: rule.message.clone(),
        hook: rule.hook,
        tools: rule.tools.to_string(),
        effect: rule.effect,
        severity: rule.severity,
        enabled: rule.enabled,
        stated: rule.enabled,
        core: rule.core,
        trust: rule.origin.trust,
        dialect: rule.origin.dialect,
        at: rule.origin.to_string(),
    }
}

/// The rule of a name, with its full name.
pub(crate) fn named_rule<'b>(book: &'b Rulebook, name: &str) -> Result<(&'b Rule, &'b str), Finding> {
    let is_meant = |index: &u32| book.program.rule(*index).is_some_and(|rule| rule.id.as_str() == name);
    let full = |index: u32| book.program.full_name(index).unwrap_or_default();
    let named: Vec<u32> = (0..u32::try_from(book.program.rules().len()).unwrap_or(u32::MAX)).collect();
    let is_full = named.iter().any(|index| full(*index) == name);
    let mut meant: Vec<&str> =
        named.iter().filter(|index| is_meant(index)).map(|index| full(*index)).collect();
    meant.dedup();
    if let (false, [one, other, ..]) = (is_full, meant.as_slice()) {
        let message =
            format!("`{}` is a rule of more than one file: `{one}` and `{other}`", name.escape_debug());
        return Err(Finding::new(Code::UNKNOWN_SUBJECT, message).help("name it in full, as `FILE/RULE`"));
    }
    let index = book.program.find(name);
    let rule = index.and_then(|index| book.program.rule(index).zip(book.program.full_name(index)));
    rule.ok_or_else(|| unknown_rule(name, book))
}

/// The one rule of a name, which is switched or set by its full name: that of two rules would switch both.
pub(crate) fn only_rule<'b>(book: &'b Rulebook, name: &str) -> Result<(&'b Rule, &'b str), Finding> {
    let (rule, full) = named_rule(book, name)?;
    let indices = 0..u32::try_from(book.program.rules().len()).unwrap_or(u32::MAX);
    let twins = indices.filter(|index| book.program.full_name(*index) == Some(full));
    let places: Vec<String> =
        twins.filter_map(|index| book.program.rule(index)).map(|rule| format!("`{}`", rule.origin)).collect();
    if places.len() < 2 {
        return Ok((rule, full));
    }
    let message =
        format!("`{}` is the name of {} rules: {}", full.escape_debug(), places.len(), places.join(", "));
    Err(Finding::new(Code::UNKNOWN_SUBJECT, message)
        .help("give one of them another id, or its file another `name`"))
}

/// Where a rule of a file stands; the file's first place for what the file itself says.
fn stands_at(set: &RuleSet, rule: Option<&str>) -> (Option<u32>, Option<u32>) {
    let rule = rule.and_then(|id| set.rules.iter().find(|rule| rule.id.as_str() == id));
    rule.map_or((Some(1), Some(1)), |rule| (Some(rule.origin.line), Some(rule.origin.column)))
}

fn unknown_rule(name: &str, book: &Rulebook) -> Finding {
    let ids = book.program.rules().map(|rule| rule.id.as_str());
    let near = did_you_mean(name, ids).map(|near| format!("did you mean `{near}`?"));
    let is_untrusted = |finding: &Finding| finding.code == Code::CONFIG_UNTRUSTED;
    let help = near.unwrap_or_else(|| match book.findings.iter().find(|finding| is_untrusted(finding)) {
        Some(Finding { path: Some(path), .. }) => {
            format!("`{path}` is not trusted, and its rules that need it are left out: `policy-engine trust`")
        }
        _ => "`policy-engine rules list` shows the rules".to_owned(),
    });
    Finding::new(Code::UNKNOWN_SUBJECT, format!("no rule is named `{}`", name.escape_debug())).help(help)
}

/// A text whose every byte reads: one that does not would be judged as another one.
pub(crate) fn sure(reading: Reading<Source>) -> Result<Source, Finding> {
    match reading.findings.into_iter().find(|finding| finding.code == Code::NOT_UTF8) {
        None => Ok(reading.value),
        Some(finding) => {
            let finding = Finding { severity: Severity::Error, ..finding };
            Err(finding.help("write it in UTF-8; in JSON every character may also stand as `\\u0000`"))
        }
    }
}

//! One workspace on disk, which answers every request.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mentci_disk::{Fs, StopHandle};
use mentci_host::{
    Ask, LessonRequest, Outcome, Published, Request, Response, Snapshot, StatusAnswer, TrustAnswer,
    explain_code,
};
use mentci_ledger::{Change, Deed};
use mentci_source::{Code, Finding, Hash, Severity};
use serde_json::Value;

use crate::by::USER;
use crate::clock::Clock;
use crate::compile::{Compiling, uncommitted};
use crate::consent::{Consent, ConsentFile};
use crate::engine::{Cycle, Engine, Mode};
use crate::evaluating::Evaluating;
use crate::history::Versions;
use crate::inject::published_digest;
use crate::layout::{CONFIG, DigestPaths};
use crate::policy::{ScriptShelf, TemplateShelf};
use crate::session::{Keeper, nameable};
use crate::settings::{Settings, Surroundings};
use crate::source_set::wrong_patterns;

/// A workspace: safe to share between threads, and safe beside other processes in the same folder.
///
/// ```
/// use std::sync::Arc;
/// use mentci_disk::RealFs;
/// use mentci_host::{Ask, Outcome, Request};
/// use mentci_workspace::{StoppedClock, Surroundings, Workspace};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let root = folder.path();
/// std::fs::create_dir_all(root.join(".pi/skills/rust"))?;
/// std::fs::write(root.join(".pi/skills/rust/SKILL.md"), "# Rust\n\nNever unwrap outside tests.\n")?;
/// let clock = Arc::new(StoppedClock("2026-11-21T00:00:00Z".into()));
/// let workspace = Workspace::open(root, Surroundings::default(), Arc::new(RealFs), clock);
/// let response = workspace.ask(Request::Compile { check: false, diff: false, explain: false, require_model: false });
/// assert_eq!(response.outcome, Outcome::Ok);
/// assert!(root.join(".pi/absolute_rules.md").exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) fs: Arc<dyn Fs>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) around: Surroundings,
    pub(crate) consent: ConsentFile,
    /// The log of policy, once it was needed.
    pub(crate) store: Mutex<Option<mentci_store::DegradedStore>>,
    /// The artifacts, once they were needed.
    pub(crate) artifacts: Mutex<Option<Arc<dyn mentci_authority::ArtifactKeeper>>>,
    /// What is to be told of large content that could not be moved out of the log.
    pub(crate) unkept: Mutex<Option<Finding>>,
    /// What models were asked for so far, and how many requests may be under way.
    pub(crate) asked: crate::models::Asked,
    /// What may be kept of events, once one was kept.
    pub(crate) keeper: Mutex<Option<Arc<Keeper>>>,
    /// The scripts that rules ask.
    pub(crate) scripts: ScriptShelf,
    /// The templates that rules tell by.
    pub(crate) templates: TemplateShelf,
    /// What decides, once it was needed.
    pub(crate) in_force: Mutex<Option<Arc<crate::policy::InForce>>>,
    /// What was stopped and could not be written down: it is stopped in this process.
    pub(crate) stops_held: Mutex<Vec<crate::policy::Stop>>,
    /// The document that a request brought last.
    pub(crate) beside: Mutex<Option<Arc<crate::policy::Beside>>>,
    /// What was kept of the Absolute Rules, where every version is.
    pub(crate) versions: Mutex<Option<Versions>>,
    /// Wakes the watch of this process.
    watch: Mutex<Option<StopHandle>>,
    inner: Mutex<Inner>,
    listeners: Mutex<Listeners>,
}

/// Who hears of what is published, and the hash over all digests that they were told of last.
#[derive(Debug, Default)]
struct Listeners {
    senders: Vec<Sender<Published>>,
    told: Option<Hash>,
}

/// What changes while it runs.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) settings: Settings,
    /// How often the settings moved: two looks with the same number between which something was read are of one snapshot.
    pub(crate) moves: u64,
    pub(crate) engine: Engine,
}

impl Workspace {
    /// Opens the workspace at `root`; reads its configuration and nothing else yet.
    pub fn open(root: &Path, around: Surroundings, fs: Arc<dyn Fs>, clock: Arc<dyn Clock>) -> Self {
        let root = fs.canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let consent = ConsentFile::new(around.state.clone(), &root);
        let settings = Settings::load(fs.as_ref(), &root, &around, &consent, None);
        let engine = Engine::new(fs.clone(), &root, settings.config.clone(), settings.consent.clone());
        let inner = Mutex::new(Inner { settings, moves: 0, engine });
        let (store, scripts) = (Mutex::default(), ScriptShelf::new(clock.clone()));
        let (in_force, beside, listeners) = (Mutex::default(), Mutex::default(), Mutex::default());
        let templates = TemplateShelf::default();
        let (artifacts, keeper) = (Mutex::default(), Mutex::default());
        Self {
            root,
            fs,
            clock,
            around,
            consent,
            store,
            artifacts,
            unkept: Mutex::default(),
            asked: crate::models::Asked::default(),
            keeper,
            scripts,
            templates,
            in_force,
            stops_held: Mutex::default(),
            beside,
            versions: Mutex::default(),
            watch: Mutex::default(),
            inner,
            listeners,
        }
    }

    /// From which level on logs are printed: the key `log.level`.
    pub fn log_level(&self) -> String {
        self.lock().settings.config.choice("log.level").to_owned()
    }

    /// Where a collector is told what the daemon does, and what of it: the keys `telemetry.endpoint` and `telemetry.signals`.
    pub fn telemetry(&self) -> (Option<String>, Vec<&'static str>) {
        let inner = self.lock();
        let config = &inner.settings.config;
        (config.text("telemetry.endpoint").map(str::to_owned), config.names("telemetry.signals").to_vec())
    }

    /// How long a hook may take, in milliseconds, and whether a call that it could not decide is denied: the keys
    /// `hook.deadline_ms` and `hook.on_error`.
    pub fn hook_limits(&self) -> (u64, bool) {
        let inner = self.lock();
        let config = &inner.settings.config;
        (config.number("hook.deadline_ms").unwrap_or(5_000) as u64, config.choice("hook.on_error") != "allow")
    }

    /// What lies around it.
    pub fn surroundings(&self) -> &Surroundings {
        &self.around
    }

    /// The workspace's folder, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A poisoned lock is taken all the same: the engine is rebuilt from the disk by its next cycle.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The watch that publishes what moves, from now on; none when it has ended.
    pub(crate) fn watched_by(&self, watch: Option<StopHandle>) {
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = watch;
    }

    /// The same as [`load_settings`](Self::load_settings), for whoever answers a request: what moved is seen here first, and a
    /// watch that looks later would see nothing of it. So it is told, and publishes.
    pub(crate) fn reload(&self, inner: &mut Inner) -> bool {
        let moved = self.load_settings(inner);
        if moved && let Some(watch) = &*self.watch.lock().unwrap_or_else(PoisonError::into_inner) {
            watch.look_again();
        }
        moved
    }

    /// Reads configuration and consent again; when they moved, everything is compiled anew at the next cycle. They moved too when they
    /// were wrong and are right again: nothing was published meanwhile.
    pub(crate) fn load_settings(&self, inner: &mut Inner) -> bool {
        let before = Some(&inner.settings);
        let settings = Settings::load(self.fs.as_ref(), &self.root, &self.around, &self.consent, before);
        let is_mended = inner.settings.is_wrong() && !settings.is_wrong();
        let moved = is_mended
            || settings.config != inner.settings.config
            || settings.consent != inner.settings.consent;
        if moved {
            inner.engine.configure(settings.config.clone(), settings.consent.clone());
            inner.moves += 1;
        }
        inner.settings = settings;
        moved
    }

    /// One look at everything.
    pub(crate) fn refresh(&self, inner: &mut Inner, mode: Mode) -> Cycle {
        self.reload(inner);
        let cycle = inner.engine.cycle(None, mode);
        self.announce(&inner.engine);
        cycle
    }

    /// Tells the listeners when a digest moved, the workspace's or a skill's. Beside another process's watcher nothing is
    /// published here, but what is answered moves all the same.
    pub(crate) fn announce(&self, engine: &Engine) {
        if let Some(whole) = &engine.workspace {
            self.keep_version(whole.digest.hash, &whole.digest.text);
        }
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(whole) = engine.workspace.as_ref().filter(|_| !listeners.senders.is_empty()) else { return };
        let skills =
            engine.skills.values().filter_map(|slot| slot.standing()).map(|skill| &skill.digest.hash);
        let all = std::iter::once(&whole.digest.hash).chain(skills).map(|hash| &hash.as_bytes()[..]);
        let now = Some(Hash::of("mentci digests 1", all));
        if std::mem::replace(&mut listeners.told, now) != now {
            let published = Published { hash: whole.digest.hash };
            listeners.senders.retain(|listener| listener.send(published).is_ok());
        }
    }

    /// Answers a request of somebody: what they change is in the log under their name.
    pub fn ask_as(&self, who: &str, request: Request) -> Response {
        let mut response = match Heed::of(&request) {
            Heed::Itself => self.answer(who, request),
            Heed::Refused => match self.wrong_flags() {
                wrong if wrong.is_empty() => self.answer(who, request),
                wrong => Response::bad(wrong),
            },
            Heed::Told => self.told_wrong(self.answer(who, request)),
            Heed::Waits => {
                // A server is long-lived: what was wrong when it looked last may be right by now.
                self.reload(&mut self.lock());
                match self.wrong_settings() {
                    wrong if wrong.is_empty() => self.answer(who, request),
                    wrong => Response::bad(wrong),
                }
            }
        };
        for finding in &mut response.findings {
            // Whoever refused it knows no names of files.
            if finding.code == Code::ARTIFACTS_UNAVAILABLE && finding.path.is_none() {
                *finding =
                    std::mem::replace(finding, Finding::new(finding.code, "")).in_file(self.artifacts_name());
            }
        }
        // A store that was damaged was set aside: what is told of it is not all there was.
        let odd = self.artifact_findings();
        let is_damaged = odd.iter().any(|finding| finding.severity == Severity::Error);
        response.at_least(if is_damaged { Outcome::Findings } else { Outcome::Ok }).with(odd)
    }

    fn answer(&self, who: &str, request: Request) -> Response {
        if let Some(Err(finding)) = request.session().map(nameable) {
            return Response::bad([finding]);
        }
        match request {
            Request::Explain { what } if explain_code(&what).is_some() => {
                explain_code(&what).map_or_else(|| Response::bad([]), Response::ok)
            }
            Request::Compile { check: true, diff, explain, .. } => self.check(diff, explain),
            Request::Compile { check: false, diff, explain, require_model } => {
                self.compile(Compiling { diff, explain, require_model })
            }
            Request::Check => self.check(false, false),
            Request::EvalDigest { judge, probes, strict } => {
                self.evaluate(&Evaluating { judge: judge.as_deref(), probes, strict })
            }
            Request::Inject { harness, active, session: _, event } => {
                self.inject_at(harness, &active, event.as_ref())
            }
            Request::Hook(call) => self.hook(*call),
            Request::Lessons(request) if !is_reading(&request) => self.teach(request, who),
            Request::Status => self.status(),
            Request::Config => self.show_config(),
            Request::Trust { revoke } => self.trust(revoke, who),
            Request::Init { assets } => self.init(&assets),
            Request::Install { installation, twin, remove, dry_run } => {
                self.install(&installation, twin.as_deref().filter(|_| !remove), remove, dry_run)
            }
            Request::Servers(request) => self.servers(&request),
            Request::Doctor { assets, installations } => self.doctor(&assets, &installations),
            Request::Policy(request) => self.policy(request, who),
            Request::Session(request) => self.session(request),
            Request::History(request) => self.history(&request),
            Request::Log(request) => self.whole_log(&request),
            Request::Context(request) => self.context(request),
            Request::Artifact(request) => self.artifact(request),
            Request::Model(verb) => self.model_verb(&verb),
            Request::Chatmd(request) => self.chatmd(&request),
            Request::Explain { what } => self.explain(&what),
            reading => self.read(&reading),
        }
    }

    /// Answers a reading verb from the sources as they stand now. Nothing is written.
    fn read(&self, request: &Request) -> Response {
        if let Request::Lessons(LessonRequest::List { skill: Some(skill), .. }) = request
            && let Err(finding) = self.known_skill(skill)
        {
            return Response::bad([finding]);
        }
        let mut inner = self.lock();
        let cycle = self.refresh(&mut inner, Mode::Check);
        if let Request::Digest { skill } = request
            && let Some(published) = published_digest(&inner, skill.as_deref())
        {
            return published;
        }
        let snapshot = self.snapshot(&inner);
        let response = snapshot.answer(request).unwrap_or_else(|| Response::bad([]));
        if cycle.impaired && response.outcome == Outcome::Ok {
            let errors = snapshot.findings.iter().filter(|finding| finding.severity == Severity::Error);
            return response.with(errors.cloned()).at_least(Outcome::Bad);
        }
        response
    }

    /// A rule of the law, a lesson; or a rule of policy, where the law knows nothing of that name.
    fn explain(&self, what: &str) -> Response {
        let response = self.read(&Request::Explain { what: what.to_owned() });
        if !matches!(response.answer, mentci_host::Answer::None {}) {
            return response;
        }
        self.shown_rule(what).unwrap_or(response)
    }

    pub(crate) fn snapshot(&self, inner: &Inner) -> Snapshot {
        inner.engine.snapshot(&inner.settings, self.views(inner))
    }

    fn status(&self) -> Response {
        self.reload(&mut self.lock());
        let mut untrusted = self.unvouched();
        let mut inner = self.lock();
        let cycle = self.refresh(&mut inner, Mode::Check);
        if !inner.settings.trusted {
            untrusted.insert(0, CONFIG.to_owned());
        }
        let standing = inner.engine.standing_files(&DigestPaths::workspace());
        let mut lessons = std::collections::BTreeMap::new();
        for view in self.views(&inner) {
            *lessons.entry(view.status).or_default() += 1;
        }
        let answer = StatusAnswer {
            root: self.root.to_string_lossy().into_owned(),
            hash: standing.as_ref().map(|files| Hash::of_bytes(files.body().as_bytes())),
            whole: standing.as_ref().is_some_and(mentci_compiler::DigestFiles::is_committed),
            current: !cycle.impaired && inner.engine.stale().is_empty(),
            trusted: untrusted.is_empty(),
            untrusted,
            skills: inner.engine.skills.len(),
            sources: inner.engine.held.len(),
            lessons,
            counters: inner.engine.counters,
        };
        let uncommitted = uncommitted(&inner.engine);
        let outcome = if uncommitted.is_some() { Outcome::Findings } else { Outcome::Ok };
        Response::ok(answer).with(uncommitted).at_least(outcome)
    }

    /// What is wrong with the flags that were typed: whoever typed them waits for them to hold.
    pub(crate) fn wrong_flags(&self) -> Vec<Finding> {
        let typed = |finding: &&Finding| {
            finding.severity == Severity::Error
                && finding.path.as_ref().is_some_and(|path| path.starts_with("--"))
        };
        self.lock().settings.findings.iter().filter(typed).cloned().collect()
    }

    /// What is wrong with the settings, wherever they stand: the last good ones, or the defaults, hold instead.
    pub(crate) fn wrong_settings(&self) -> Vec<Finding> {
        let inner = self.lock();
        let wrong = inner.settings.findings.iter().filter(|finding| finding.severity == Severity::Error);
        wrong.cloned().collect()
    }

    /// An answer that rests on settings, with what is wrong with them.
    fn told_wrong(&self, response: Response) -> Response {
        let mut wrong = self.wrong_settings();
        wrong.retain(|finding| !response.findings.contains(finding));
        let is_wrong = self.lock().settings.is_wrong();
        response.with(wrong).at_least(if is_wrong { Outcome::Bad } else { Outcome::Ok })
    }

    fn show_config(&self) -> Response {
        let mut inner = self.lock();
        self.reload(&mut inner);
        let patterns = wrong_patterns(&inner.settings.config);
        let wrong = inner.settings.is_wrong() || !patterns.is_empty();
        let outcome = if wrong { Outcome::Bad } else { Outcome::Ok };
        let answer = inner.settings.config.answer();
        Response::ok(answer).with(inner.settings.findings.clone()).with(patterns).at_least(outcome)
    }

    /// Binds the user's trust to the configuration and the rules as they stand now.
    fn trust(&self, revoke: bool, who: &str) -> Response {
        let policy = self.policy_hash().filter(|_| !revoke);
        let files = if revoke { BTreeMap::new() } else { self.policy_files() };
        let covers = self.policy_folders();
        let mut inner = self.lock();
        self.reload(&mut inner);
        if inner.settings.is_wrong() && !revoke {
            // What does not read cannot be agreed to.
            return Response::bad(inner.settings.findings.clone());
        }
        let config = inner.settings.file.filter(|_| !revoke);
        if config.is_none() && policy.is_none() && !revoke {
            let finding =
                Finding::new(Code::UNREADABLE, "there is no `mentci.toml` and no file of rules to trust");
            return Response::bad([finding
                .help("a workspace without a configuration needs no trust")
                .in_file(CONFIG)]);
        }
        let mut trusted = files.clone();
        trusted.extend(config.map(|hash| (CONFIG.to_owned(), hash)));
        let agree = |consent: &mut Consent| {
            (consent.config, consent.policy, consent.files) = (config, None, files);
        };
        if let Err(finding) = self.consent.edit(self.fs.as_ref(), agree) {
            return Response::bad([finding]);
        }
        self.reload(&mut inner);
        let path = if config.is_none() && policy.is_some() { covers } else { CONFIG };
        let hash = config.or(policy);
        let answer = TrustAnswer { path: path.into(), trusted: hash.is_some(), hash, files: trusted };
        let findings = inner.settings.findings.clone();
        drop(inner);
        // What is vouched for is kept from now on: it stays in force while it is changed.
        let _ = self.rulebook(&[]);
        let deed = if revoke { Deed::TrustRevoked } else { Deed::Trusted };
        let to = hash.map_or(Value::Null, |hash| hash.to_string().into());
        let untold = self.tell(Change::new(deed, path, who).to(to));
        Response::ok(answer).with(findings).with(untold)
    }
}

impl Ask for Workspace {
    fn ask(&self, request: Request) -> Response {
        self.ask_as(USER, request)
    }

    fn subscribe(&self) -> Receiver<Published> {
        let (sender, receiver) = channel();
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).senders.push(sender);
        receiver
    }
}

/// What becomes of a request when the settings are wrong.
enum Heed {
    /// It says so itself, or must never fail for it: a hook has an agent waiting.
    Itself,
    /// Whoever types flags waits for them to hold, so nothing is done.
    Refused,
    /// It is answered by the last good settings, and what is wrong is told.
    Told,
    /// It writes law by what the settings say, and so waits until they are right.
    Waits,
}

impl Heed {
    fn of(request: &Request) -> Self {
        match request {
            Request::Explain { what } if explain_code(what).is_some() => Self::Itself,
            Request::Digest { .. }
            | Request::Explain { .. }
            | Request::Coverage { .. }
            | Request::Stats
            | Request::Sources
            | Request::Status => Self::Told,
            Request::Lessons(request) if is_reading(request) => Self::Told,
            Request::Lessons(_) => Self::Waits,
            Request::Inject { .. }
            | Request::Hook(_)
            | Request::Compile { .. }
            | Request::Check
            | Request::EvalDigest { .. }
            | Request::Config
            | Request::Trust { .. }
            | Request::Doctor { .. } => Self::Itself,
            _ => Self::Refused,
        }
    }
}

fn is_reading(request: &LessonRequest) -> bool {
    matches!(request, LessonRequest::List { .. } | LessonRequest::Show { .. })
}

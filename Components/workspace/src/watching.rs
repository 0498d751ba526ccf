//! The verb `watch`: keeps the digest true until it is told to stop.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use mentci_compiler::Condense;
use mentci_disk::{Change, LockGuard, PollMode, Sidecar, Signal, StopHandle, Watch, WatchOptions, WatchSpec};
use mentci_source::{Code, Finding, Hash};
use serde::Serialize;

use crate::compile::{Shortening, is_bad_input, unfound};
use crate::condensing::{Asked, Background, open};
use crate::engine::{Cycle, Mode, split_outputs};
use crate::followed::Followed;
use crate::told::Told;
use crate::workspace::Workspace;

/// How long nothing must have moved until settings are looked at and what was published is remembered.
const BREATH: Duration = Duration::from_millis(500);

/// One cycle, as it is printed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WatchCycle {
    /// Source files that moved.
    pub changed: usize,
    /// Digests that were published, or compiled by a follower.
    pub digests: usize,
    /// From the notification to the last rename, in microseconds.
    pub micros: u64,
    /// The hash of the workspace's digest.
    pub hash: Option<Hash>,
    /// What is odd now and was not odd at the cycle before, and what the watch itself has to tell.
    pub findings: Vec<Finding>,
}

/// Ends a watch from another thread. Cheap to clone.
#[derive(Debug, Clone)]
pub struct WatchStop(StopHandle);

impl WatchStop {
    /// Ends the watch after the cycle that is under way.
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl Workspace {
    /// Watches until it is stopped. `started` gets the handle that stops it, before the first compile; `report` hears of
    /// every cycle, the first one included.
    ///
    /// While another watcher publishes for this workspace, this one follows and takes over when that one ends.
    pub fn watch(&self, started: impl FnOnce(WatchStop), mut report: impl FnMut(&WatchCycle)) {
        let spec = self.first_spec();
        let mut watch = Watch::new(&self.root, spec.clone(), self.watch_options());
        self.watched_by(Some(watch.stop_handle()));
        started(WatchStop(watch.stop_handle()));
        let followed = Followed::new(spec);
        let background = Background::default();
        let (told, news) = (Told::default(), watch.stop_handle());
        let mut watching = Watching { followed, guard: None, told, dirty: true, background, news };
        let mut notes = watching.elect(self);
        self.turn(&mut watching, None, &mut notes, &mut report);
        loop {
            watching.follow_spec(self, &mut watch);
            match watch.next(BREATH) {
                Signal::Stopped => return self.watched_by(None),
                Signal::Changed(change) => self.see(&mut watching, change, &mut report),
                Signal::Quiet => self.breathe(&mut watching, &mut report),
            }
        }
    }

    /// Compiles what moved, and puts back what another hand did to a digest. What this watch wrote itself is no change.
    fn see(&self, watching: &mut Watching, mut change: Change, report: &mut impl FnMut(&WatchCycle)) {
        let written = split_outputs(&mut change);
        let mut notes = std::mem::take(&mut change.notes);
        if change.rescan || !change.paths.is_empty() || !notes.is_empty() {
            self.turn(watching, Some(&change), &mut notes, report);
        }
        if watching.guard.is_some() && (change.rescan || !written.is_empty()) {
            self.put_back((!change.rescan).then_some(&written), watching, report);
        }
    }

    /// Puts back what no longer stands as it was published.
    fn put_back(
        &self,
        moved: Option<&BTreeSet<Arc<str>>>,
        watching: &mut Watching,
        report: &mut impl FnMut(&WatchCycle),
    ) {
        let start = self.clock.micros();
        let mut inner = self.lock();
        if inner.settings.is_wrong() {
            // Nothing is published now; as soon as the configuration is right, everything is.
            return;
        }
        let (cycle, findings) = inner.engine.restore(moved);
        if findings.is_empty() {
            return;
        }
        let micros = self.clock.micros().saturating_sub(start);
        self.announce(&inner.engine);
        let hash = inner.engine.workspace.as_ref().map(|whole| whole.digest.hash);
        drop(inner);
        watching.dirty = true;
        report(&line_of(&cycle, micros, hash, findings));
    }

    /// Sources may stand where the configuration and the root manifest say.
    fn first_spec(&self) -> WatchSpec {
        let mut inner = self.lock();
        inner.engine.reset_set();
        inner.engine.watch_spec()
    }

    fn watch_options(&self) -> WatchOptions {
        let inner = self.lock();
        let poll = if inner.engine.config.always_polls() { PollMode::Always } else { PollMode::WhenNeeded };
        let quiet = Duration::from_millis(inner.engine.config.debounce_ms());
        WatchOptions { poll, quiet, ..WatchOptions::default() }
    }

    /// One cycle. The first one, and those that have something to tell, are reported.
    fn turn(
        &self,
        watching: &mut Watching,
        change: Option<&Change>,
        notes: &mut Vec<Finding>,
        report: &mut impl FnMut(&WatchCycle),
    ) {
        let start = self.clock.micros();
        let mut inner = self.lock();
        let settings = change
            .is_none_or(|change| change.rescan || change.paths.iter().any(|path| &**path == "mentci.toml"));
        let reloaded = settings && self.load_settings(&mut inner);
        // The last good digest stays until the configuration is right again.
        let mode = if inner.settings.is_wrong() { Mode::Check } else { watching.mode() };
        let cycle = if reloaded { inner.engine.cycle(None, mode) } else { inner.engine.cycle(change, mode) };
        let micros = self.clock.micros().saturating_sub(start);
        self.announce(&inner.engine);
        let unfound = unfound(&inner.engine);
        let still = inner.settings.standstill();
        let settings = inner.settings.findings.iter().chain(&still);
        let others = settings.chain(inner.engine.findings_of_no_skill()).chain(&unfound);
        notes.extend(watching.told.news(others, inner.engine.standing_skills()));
        let hash = inner.engine.workspace.as_ref().map(|whole| whole.digest.hash);
        drop(inner);
        let tell = change.is_none() || cycle.files > 0 || !cycle.digests.is_empty() || !notes.is_empty();
        watching.dirty |= mode == Mode::Publish && (cycle.files > 0 || !cycle.digests.is_empty());
        if tell {
            report(&line_of(&cycle, micros, hash, std::mem::take(notes)));
        }
    }

    /// Nothing moves: look at what lies outside the tree, remember what was published, take over from a watcher that ended.
    fn breathe(&self, watching: &mut Watching, report: &mut impl FnMut(&WatchCycle)) {
        let takes_over = watching.guard.is_none() && watching.elect(self).is_empty();
        let reloaded = self.load_settings(&mut self.lock());
        if takes_over || reloaded {
            self.turn(watching, Some(&Change { rescan: true, ..Change::default() }), &mut Vec::new(), report);
        }
        self.shorten(watching, report);
        if std::mem::take(&mut watching.dirty) && watching.guard.is_some() {
            let mut inner = self.lock();
            if !inner.engine.is_impaired() {
                // A save does not wait until all is looked through: that is done at the next breath.
                self.remember_unless(&mut inner, &|| watching.news.has_news());
                watching.dirty = watching.news.has_news();
            }
        }
    }

    /// Where lines are to be shortened: takes in what a model answered meanwhile, and asks about what is new. The watch goes on
    /// while a model thinks, and what was published stays.
    fn shorten(&self, watching: &mut Watching, report: &mut impl FnMut(&WatchCycle)) {
        if let Some(mut asked) = watching.background.finished() {
            let lines = std::mem::take(&mut asked.lines);
            let mut notes = {
                let mut inner = self.lock();
                inner.engine.answer(lines);
                asked.findings(&inner.engine, false)
            };
            self.turn(watching, Some(&Change::default()), &mut notes, report);
        }
        let questions = {
            let inner = self.lock();
            let publishes = watching.guard.is_some() && inner.engine.condense() == Condense::Ask;
            if publishes { inner.engine.questions() } else { Vec::new() }
        };
        let questions = watching.background.next(questions);
        if questions.is_empty() {
            return;
        }
        let config = self.lock().settings.config.clone();
        match self.shortening(&config) {
            Ok(Shortening { model, limits }) => {
                let questions = open(questions, model.name());
                watching.background.start(model, questions, limits);
            }
            Err(finding) if is_bad_input(&finding) => {
                self.turn(watching, Some(&Change::default()), &mut vec![finding], report);
            }
            Err(finding) => {
                let asked = Asked { failure: Some(finding.message), ..Asked::default() };
                let mut notes = asked.findings(&self.lock().engine, false);
                self.turn(watching, Some(&Change::default()), &mut notes, report);
            }
        }
    }
}

/// What one watch knows between its cycles.
struct Watching {
    followed: Followed,
    /// Held by the one watcher that publishes.
    guard: Option<LockGuard>,
    told: Told,
    /// Whether something was published that is not remembered yet.
    dirty: bool,
    /// What a model is asked meanwhile.
    background: Background,
    /// Says whether something waits to be seen.
    news: StopHandle,
}

impl Watching {
    /// Tries to become the watcher that publishes; a note when another one is.
    fn elect(&mut self, workspace: &Workspace) -> Vec<Finding> {
        match Sidecar::watching(&workspace.root).try_lock(workspace.fs.as_ref()) {
            Ok(Some(guard)) => {
                self.guard = Some(guard);
                Vec::new()
            }
            Ok(None) => {
                vec![Finding::new(
                    Code::WATCH_SECOND,
                    "another watcher publishes for this workspace; this one follows",
                )]
            }
            Err(error) => vec![error.finding(Code::NOT_PUBLISHED)],
        }
    }

    fn mode(&self) -> Mode {
        if self.guard.is_some() { Mode::Publish } else { Mode::Check }
    }

    /// Watches what the last compile read and asked for.
    fn follow_spec(&mut self, workspace: &Workspace, watch: &mut Watch) {
        let moved = self.followed.follow(&workspace.lock().engine);
        if let Some(spec) = moved {
            watch.set(spec);
        }
    }
}

fn line_of(cycle: &Cycle, micros: u64, hash: Option<Hash>, findings: Vec<Finding>) -> WatchCycle {
    WatchCycle { changed: cycle.files, digests: cycle.digests.len(), micros, hash, findings }
}

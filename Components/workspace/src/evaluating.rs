//! The verb `eval-digest`: how much of the law a digest still says, with a model's shorter lines and without.
//!
//! The deterministic part needs no model: which norms have a line, whether a line that is read as law again has the norm's polarity,
//! which literals stand in it. The other part asks a judge: would a reader of the line alone know what to do, what not, and when?
//! Among its pairs are controls, in which the line belongs to another norm: a judge that lets those pass is no judge.

mod interval;
mod judge;
mod loss;
mod probe;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{Digest, Model, Norm};
use mentci_compiler::SkillCompiled;
use mentci_host::{EvalAnswer, EvalRow, EvalTokens, Outcome, Response};
use mentci_source::{Code, Finding};

use crate::compile::{is_bad_input, out_of_date};
use crate::condensing::Limits;
use crate::engine::{Engine, Mode};
use crate::held::Content;
use crate::models::retries;
use crate::workspace::Workspace;

use interval::share;
use judge::{Judged, Judgement, Pair, judge};
use loss::{failing, losses};
use probe::{Probe, Stand, keeps_polarity, missing};

/// Of so many norms one is a control.
const CONTROL: usize = 5;

/// What is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evaluating<'a> {
    /// The judge: a name, an empty one for the configured model; none for the deterministic part alone.
    pub(crate) judge: Option<&'a str>,
    /// How many norms the judge is shown at most.
    pub(crate) probes: usize,
    /// Whether what is lost is a finding, and so a published digest that is not what is measured.
    pub(crate) strict: bool,
}

impl Workspace {
    /// Measures the digests as the sources and the locks compile now, and says which published ones are others; writes nothing.
    pub(crate) fn evaluate(&self, how: &Evaluating<'_>) -> Response {
        let mut inner = self.lock();
        let cycle = self.refresh(&mut inner, Mode::Check);
        if inner.settings.is_wrong() {
            return Response::bad(inner.settings.findings.clone());
        }
        let config = inner.settings.config.clone();
        let given = how.judge.map(|name| Some(name).filter(|name| !name.is_empty()));
        let model = given.map(|name| self.model_of(&config, name, retries(&config)));
        let model = match model.transpose() {
            Err(finding) if is_bad_input(&finding) => {
                return Response::bad([if finding.path.is_none() {
                    finding.in_file("--judge")
                } else {
                    finding
                }]);
            }
            model => model,
        };
        let measured = inner.engine.measured();
        let other = published_otherwise(&inner.engine);
        let findings = inner.settings.findings.clone();
        drop(inner);
        let mut answer = measured.answer();
        let limits = Limits::of(&config);
        let judged = model.map(|model| {
            let asked = model.map(|(model, _)| judged(&model, limits, how.probes, &measured, &mut answer));
            asked.unwrap_or(Ok(()))
        });
        let failed = judged.and_then(|judged| judged).err();
        let falls_short = how.strict && (answer.failing > 0 || !other.is_empty());
        let is_odd = cycle.impaired || failed.is_some() || falls_short;
        let outcome = if is_odd { Outcome::Findings } else { Outcome::Ok };
        Response::ok(answer).with(findings).with(other).with(failed).at_least(outcome)
    }
}

/// The published digests that are not what is measured, as `compile-rules --check` tells them. What was never published is measured as
/// it would be.
fn published_otherwise(engine: &Engine) -> Vec<Finding> {
    let stale = engine.stale();
    stale.iter().filter(|change| change.before.is_some()).map(out_of_date).collect()
}

/// Asks the judge, and adds what it says.
fn judged(
    model: &Arc<dyn Model>,
    limits: Limits,
    probes: usize,
    measured: &Measured,
    answer: &mut EvalAnswer,
) -> Result<(), Finding> {
    let trial = Trial::of(&measured.skills, probes);
    let judgement = judge(model, trial.pairs(), limits);
    answer.judge = Some(model.name().to_owned());
    answer.prompt = Some(judge::prompt_name());
    answer.calls = judgement.calls;
    answer.rows.extend(trial.rows(&judgement));
    let (caught, controls) = trial.caught(&judgement);
    answer.is_judge_sound = (controls > 0).then_some(caught * 2 > controls);
    if let Some(words) = judgement.failure {
        return Err(Finding::new(Code::MODEL_FAILED, format!("not all was judged: {words}")));
    }
    if answer.is_judge_sound == Some(false) {
        let words = format!(
            "the judge caught {caught} of {controls} controls: what it says of the lines says nothing"
        );
        let help = "a control is a line of another norm; name another judge with `--judge`";
        return Err(Finding::new(Code::MODEL_FAILED, words).help(help));
    }
    Ok(())
}

/// The norms of all law, and the lines that state them.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    /// In the digests of skills.
    skills: Vec<Probe>,
    /// In the workspace's digest.
    workspace: Vec<Probe>,
    tokens: Vec<EvalTokens>,
}

impl Engine {
    /// Holds every norm against both digests.
    fn measured(&self) -> Measured {
        let compiled: Vec<&Arc<SkillCompiled>> = self.compiled().collect();
        let plain: Vec<Arc<SkillCompiled>> = compiled.iter().map(|skill| self.plain_skill(skill)).collect();
        let mut measured = Measured::default();
        for (skill, plain) in compiled.iter().zip(&plain) {
            let norms = self.norms(|held| held == Some(&skill.name));
            measured.skills.extend(norms.into_iter().map(|norm| probed(norm, &plain.digest, &skill.digest)));
        }
        let sums =
            |skills: &mut dyn Iterator<Item = &Arc<SkillCompiled>>| skills.map(|skill| skill.tokens()).sum();
        let (before, after) = (sums(&mut plain.iter()), sums(&mut compiled.iter().copied()));
        measured.tokens.push(EvalTokens { of: "skills".into(), deterministic: before, condensed: after });
        if let (Some(whole), Some(before)) = (&self.workspace, self.plain_workspace(&plain)) {
            let norms = self.norms(|_| true);
            measured
                .workspace
                .extend(norms.into_iter().map(|norm| probed(norm, &before.digest, &whole.digest)));
            let (before, after) = (before.tokens, whole.tokens);
            measured.tokens.push(EvalTokens {
                of: "workspace".into(),
                deterministic: before,
                condensed: after,
            });
        }
        measured
    }

    /// The norms of the law of these skills; none is the workspace's own.
    fn norms(&self, wanted: impl Fn(Option<&mentci_authority::SkillName>) -> bool) -> Vec<Norm> {
        let law = self.held.values().filter(|held| wanted(held.kind.skill()));
        let law = law.filter_map(|held| match &held.content {
            Content::Law(law) => Some(law),
            _ => None,
        });
        law.flat_map(|law| law.norms.iter().cloned()).collect()
    }
}

fn probed(norm: Norm, plain: &Digest, condensed: &Digest) -> Probe {
    Probe { plain: Stand::of(plain, &norm), line: Stand::of(condensed, &norm), norm }
}

impl Measured {
    fn answer(&self) -> EvalAnswer {
        let mut rows = rows("skills", &self.skills);
        rows.extend(self::rows("workspace", &self.workspace));
        let mut lost = losses("skills", &self.skills);
        // What the workspace's digest leaves to a skill's own stands there.
        let stated: BTreeSet<_> = self
            .skills
            .iter()
            .filter(|probe| probe.line.text().is_some())
            .map(|probe| &probe.norm.id)
            .collect();
        let whole = losses("workspace", &self.workspace).into_iter();
        lost.extend(whole.filter(|loss| loss.what != "left-out" || !stated.contains(&loss.norm)));
        EvalAnswer {
            failing: failing(&lost),
            lost,
            judge: None,
            prompt: None,
            is_judge_sound: None,
            norms: self.skills.len(),
            calls: 0,
            tokens: self.tokens.clone(),
            rows,
        }
    }
}

/// Recall, polarity and literals of one kind of digest.
fn rows(of: &str, probes: &[Probe]) -> Vec<EvalRow> {
    let count = |line: fn(&Probe) -> Option<&str>| {
        let stated: Vec<(&Norm, &str)> =
            probes.iter().filter_map(|probe| Some((&probe.norm, line(probe)?))).collect();
        let kept = stated.iter().filter(|(norm, line)| keeps_polarity(norm, line)).count();
        let all: usize = stated.iter().map(|(norm, _)| norm.literals.len()).sum();
        let missing: usize = stated.iter().map(|(norm, line)| missing(norm, line).len()).sum();
        [share(stated.len(), probes.len()), share(kept, stated.len()), share(all - missing, all)]
    };
    let (plain, condensed) = (count(|probe| probe.plain.text()), count(|probe| probe.line.text()));
    let measures = ["recall", "polarity", "literals"].into_iter().zip(plain.into_iter().zip(condensed));
    measures
        .map(|(measure, (deterministic, condensed))| EvalRow {
            measure: measure.into(),
            of: of.into(),
            deterministic,
            condensed,
        })
        .collect()
}

/// What a judge is shown.
struct Trial<'a> {
    probes: Vec<&'a Probe>,
    controls: Vec<Pair>,
}

impl<'a> Trial<'a> {
    /// The same norms each time: those whose ids come first.
    fn of(probes: &'a [Probe], most: usize) -> Self {
        let mut probes: Vec<&Probe> = probes
            .iter()
            .filter(|probe| probe.plain.text().is_some() && probe.line.text().is_some())
            .collect();
        probes.sort_by(|a, b| a.norm.id.cmp(&b.norm.id));
        probes.truncate(most);
        let next = probes.iter().cycle().skip(1);
        let mixed =
            probes.iter().zip(next).step_by(CONTROL).filter(|(probe, next)| probe.norm.id != next.norm.id);
        let controls = mixed.filter_map(|(probe, next)| {
            Some(Pair { law: law(&probe.norm), line: next.plain.text()?.to_owned() })
        });
        Self { controls: controls.collect(), probes }
    }

    /// Every pair once, in an order that says nothing.
    fn pairs(&self) -> Vec<Pair> {
        let lines = self.probes.iter().flat_map(|probe| [plain_pair(probe), line_pair(probe)]).flatten();
        let all: BTreeSet<Pair> = lines.chain(self.controls.iter().cloned()).collect();
        all.into_iter().collect()
    }

    /// How many controls were caught, of how many that were judged.
    fn caught(&self, judgement: &Judgement) -> (usize, usize) {
        let share = counted(self.controls.iter().cloned(), &judgement.judged, |judged| !judged.is_whole());
        (share.hits, share.of)
    }

    /// Of the norms that were judged in both digests: what is known of one alone would compare nothing.
    fn rows(&self, judgement: &Judgement) -> Vec<EvalRow> {
        let judged = &judgement.judged;
        let pairs = |probe: &&Probe| Some((plain_pair(probe)?, line_pair(probe)?));
        let both = self.probes.iter().filter_map(pairs);
        let both = both.filter(|(plain, line)| judged.contains_key(plain) && judged.contains_key(line));
        let (plain, line): (Vec<Pair>, Vec<Pair>) = both.unzip();
        let row = |measure: &str, knows: fn(&Judged) -> bool| EvalRow {
            measure: measure.to_owned(),
            of: "judge".to_owned(),
            deterministic: counted(plain.iter().cloned(), judged, knows),
            condensed: counted(line.iter().cloned(), judged, knows),
        };
        let caught = counted(self.controls.iter().cloned(), judged, |judged| !judged.is_whole());
        vec![
            row("knows what to do", |judged| judged.r#do),
            row("knows what not to do", |judged| judged.not),
            row("knows when", |judged| judged.when),
            EvalRow {
                measure: "controls caught".into(),
                of: "judge".into(),
                deterministic: caught.clone(),
                condensed: caught,
            },
        ]
    }
}

fn counted(
    pairs: impl Iterator<Item = Pair>,
    judged: &BTreeMap<Pair, Judged>,
    knows: fn(&Judged) -> bool,
) -> mentci_host::EvalShare {
    let said: Vec<&Judged> = pairs.filter_map(|pair| judged.get(&pair)).collect();
    share(said.iter().filter(|judged| knows(judged)).count(), said.len())
}

/// The words of the law, with the condition that stands above them.
fn law(norm: &Norm) -> String {
    match &norm.condition {
        Some(condition) if !norm.original.contains(condition.as_str()) => {
            format!("{condition}: {}", norm.original)
        }
        _ => norm.original.clone(),
    }
}

fn plain_pair(probe: &Probe) -> Option<Pair> {
    Some(Pair { law: law(&probe.norm), line: probe.plain.text()?.to_owned() })
}

fn line_pair(probe: &Probe) -> Option<Pair> {
    Some(Pair { law: law(&probe.norm), line: probe.line.text()?.to_owned() })
}

//! The verb `pack`: rules made into a file, and what such a file holds.

use std::path::Path;

use mentci_disk::{DiskError, Sidecar};
use mentci_host::policy::{PackAnswer, PackState, Rulebook};
use mentci_host::{Outcome, Response};
use mentci_pdp::{Options, Program};
use mentci_source::{Code, Finding};

use super::in_force::{Freshness, InForce, Made, Unpacked};
use super::label::{BUILD, Label};
use crate::workspace::Workspace;

/// Whether a path is one of a pack, and not of rules.
pub(super) fn is_pack(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "pack")
}

impl Workspace {
    /// Packs the workspace's own rules in their place; or these, or those at `paths`, into the file `out`.
    pub(super) fn pack(&self, paths: &[String], out: Option<&str>) -> Response {
        if out.is_none() && !paths.is_empty() {
            let finding =
                Finding::new(Code::PACK_NOT_MADE, "the pack of other rules needs a file of its own");
            return Response::bad([finding.help("name it: `policy-engine pack --out FILE PATH`")]);
        }
        let begun = self.clock.micros();
        let Made { in_force: InForce { label, findings, .. }, broken, pack } = self.made(paths);
        let (Some(label), bytes) = (label, pack) else { return Response::bad(findings) };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(why) => return Response::bad(findings.into_iter().chain([not_made(&why)])),
        };
        // For this once the workspace's own is made by decisions themselves; who asks for a pack wants a whole one.
        if !broken.is_empty() {
            let finding = Finding::new(Code::PACK_NOT_MADE, "a file of rules does not read");
            return Response::bad(findings.into_iter().chain([finding.help("mend it first")]));
        }
        let written = match out {
            Some(out) => self.write_out(Path::new(out), &bytes).map(|()| true),
            None => self.write_pack(&bytes).map_err(|error| unwritten(&error)),
        };
        match written {
            Ok(true) => {
                let path = out.map(str::to_owned).or_else(|| self.pack_name()).unwrap_or_default();
                let mut answer = answer(&path, PackState::Made, bytes.len(), Some(&label));
                answer.micros = Some(self.clock.micros().saturating_sub(begun));
                Response::ok(answer).with(findings)
            }
            Ok(false) => {
                let message = "nothing was written: another process writes it now, or there is no place for the user's state";
                let finding = Finding::new(Code::PACK_NOT_MADE, message);
                Response::bad(
                    findings
                        .into_iter()
                        .chain([finding.help("set `XDG_STATE_HOME` or `HOME`, or try again")]),
                )
            }
            Err(finding) => Response::bad(findings.into_iter().chain([finding])),
        }
    }

    /// What a pack holds, the workspace's own where none is named, and whether it is what its files say.
    pub(super) fn show_pack(&self, path: Option<&str>) -> Response {
        let own = self.pack_path();
        let Some(file) = path.map(|path| self.root.join(path)).or(own) else {
            let finding =
                Finding::new(Code::PACK_NOT_MADE, "there is no place for the user's state, and no pack");
            return Response::bad([finding.help("set `XDG_STATE_HOME` or `HOME`")]);
        };
        let shown = path.map(str::to_owned).or_else(|| self.pack_name()).unwrap_or_default();
        if !mentci_disk::exists(self.fs.as_ref(), &file) {
            let answer = PackAnswer {
                why: Some("it was not made yet".to_owned()),
                ..answer(&shown, PackState::Absent, 0, None)
            };
            return Response::ok(answer).at_least(Outcome::Findings);
        }
        let read = self.read_pack(&file).and_then(|(pack, label)| {
            pack.program().map_err(|error| error.to_string())?;
            Ok((pack.bytes(), label))
        });
        match read {
            Ok((bytes, label)) => self.beside_files(&shown, bytes, &label),
            Err(why) => {
                let answer = PackAnswer { why: Some(why), ..answer(&shown, PackState::Damaged, 0, None) };
                Response::ok(answer).at_least(Outcome::Findings)
            }
        }
    }

    /// The rules of a pack that is named, as it is: whoever names it vouches for it. Where its files moved on, that is said.
    pub(super) fn packed(&self, path: &str) -> Rulebook {
        let shown = self.shown(&[path.to_owned()]).concat();
        let read = self.read_pack(&self.root.join(path)).and_then(|(pack, label)| {
            let program = pack.program().map_err(|error| error.to_string())?;
            if label.build != BUILD {
                return Err("another version of the program made it".to_owned());
            }
            Ok((program, label))
        });
        let (program, findings, broken) = match read {
            Ok((program, label)) => (program, self.said_of(&shown, &label), Vec::new()),
            Err(why) => {
                let finding = Finding::new(Code::UNREADABLE, format!("this pack does not read: {why}"));
                let finding = finding.in_file(&shown).help("make it anew with `policy-engine pack --out`");
                (Program::new(&[], Options::default()), vec![finding], vec![shown.as_str().into()])
            }
        };
        Rulebook { sets: Vec::new(), program, findings, broken, sources: Vec::new() }
    }

    /// What was odd in a pack's files, and whether they moved on.
    fn said_of(&self, path: &str, label: &Label) -> Vec<Finding> {
        let mut findings = label.findings().unwrap_or_default();
        if let Freshness::Stale(why) = self.freshness(label) {
            let finding = Finding::new(Code::PACK_STALE, format!("the files of this pack moved on: {why}"));
            findings.push(finding.in_file(path).help("make it anew with `policy-engine pack --out`"));
        }
        findings
    }

    fn beside_files(&self, path: &str, bytes: usize, label: &Label) -> Response {
        match self.freshness(label) {
            Freshness::Fresh => Response::ok(answer(path, PackState::Fresh, bytes, Some(label))),
            Freshness::Stale(why) => {
                let answer =
                    PackAnswer { why: Some(why), ..answer(path, PackState::Stale, bytes, Some(label)) };
                Response::ok(answer).at_least(Outcome::Findings)
            }
        }
    }

    /// The pack's file, as it is told.
    fn pack_name(&self) -> Option<String> {
        self.pack_path().map(|path| path.to_string_lossy().into_owned())
    }

    /// Puts a pack where somebody wants it: beside first, then in place. The lock stands in the machine's state.
    fn write_out(&self, out: &Path, bytes: &[u8]) -> Result<(), Finding> {
        let (fs, out) = (self.fs.as_ref(), self.root.join(out));
        if mentci_disk::exists(fs, &out) && self.read_pack(&out).is_err() {
            let message = "a file stands there that is no pack, and it is not overwritten";
            let finding = Finding::new(Code::PACK_NOT_MADE, message).in_file(&out.to_string_lossy());
            return Err(finding.help("name a new file, such as `all.pack`"));
        }
        let _lock = Sidecar::at(&self.state_folder(), "policy.pack.lock")
            .lock(fs)
            .map_err(|error| unwritten(&error))?;
        let beside = out.with_added_extension("mentci-tmp");
        let done = fs.write_new(&beside, bytes, 0o644).and_then(|()| fs.rename(&beside, &out));
        done.map_err(|error| {
            // Where nothing was written there is nothing to remove.
            let _ = fs.remove(&beside);
            let path = out.to_string_lossy();
            let message = format!("the pack cannot be written: {error}");
            Finding::new(Code::PACK_NOT_MADE, message)
                .in_file(&path)
                .help("name a file in a folder that can be written")
        })
    }
}

fn unwritten(error: &DiskError) -> Finding {
    error.finding(Code::PACK_NOT_MADE)
}

fn not_made(why: &Unpacked) -> Finding {
    let finding = Finding::new(Code::PACK_NOT_MADE, why.to_string());
    finding.help("until it can be packed, the rules are read from their files at every decision")
}

fn answer(path: &str, state: PackState, bytes: usize, label: Option<&Label>) -> PackAnswer {
    let files = label.into_iter().flat_map(|label| label.rules.iter().chain(&label.included));
    PackAnswer {
        path: path.to_owned(),
        state,
        why: None,
        rules: label.map_or(0, |label| label.count),
        bytes: bytes as u64,
        micros: None,
        program: label.map(|label| label.build.clone()),
        files: files
            .filter(|file| file.stamp.is_some())
            .map(|file| file.path.to_string_lossy().into_owned())
            .collect(),
    }
}

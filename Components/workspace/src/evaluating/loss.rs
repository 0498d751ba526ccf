//! What a digest does not say as the law says it, norm by norm.

use mentci_authority::{Level, OmissionReason};
use mentci_host::EvalLoss;

use super::probe::{Probe, Stand, keeps_polarity, missing};

/// In which digest something is lost.
const PLAIN: &str = "deterministic";
const NOW: &str = "condensed";
const BOTH: &str = "both";

/// What is wrong with one norm in one digest.
#[derive(PartialEq, Eq)]
struct Fault {
    what: &'static str,
    detail: String,
}

/// Each norm of `probes` that is lost, turned round or short of a literal, once for both digests where the same is wrong with both.
pub(crate) fn losses(of: &str, probes: &[Probe]) -> Vec<EvalLoss> {
    probes.iter().flat_map(|probe| losses_of(of, probe)).collect()
}

/// How many of them the condensed digest must answer for. What was left out on purpose stands elsewhere or is counted by a pointer; of what did
/// not fit only an order and a prohibition must be there, as `check` has it.
pub(crate) fn failing(lost: &[EvalLoss]) -> usize {
    let binds = |loss: &EvalLoss| matches!(loss.level, Level::Must | Level::MustNot);
    let is_cut = |loss: &EvalLoss| loss.detail == name(OmissionReason::Budget) && binds(loss);
    lost.iter().filter(|loss| loss.digest != PLAIN && (loss.what != "left-out" || is_cut(loss))).count()
}

fn losses_of(of: &str, probe: &Probe) -> Vec<EvalLoss> {
    let loss = |digest: &str, stand: &Stand, fault: Fault| EvalLoss {
        what: fault.what.to_owned(),
        of: of.to_owned(),
        digest: digest.to_owned(),
        norm: probe.norm.id.clone(),
        level: probe.norm.level,
        rule: match stand {
            Stand::Stated { rule, .. } => rule.clone(),
            _ => None,
        },
        place: probe.norm.provenance.spans.first().map(|span| format!("{}:{}", span.path, span.start_line)),
        law: probe.norm.original.clone(),
        line: stand.text().map(str::to_owned),
        detail: fault.detail,
    };
    let (plain, now) = (fault(probe, &probe.plain), fault(probe, &probe.line));
    if plain == now {
        return now.into_iter().map(|fault| loss(BOTH, &probe.line, fault)).collect();
    }
    let plain = plain.map(|fault| loss(PLAIN, &probe.plain, fault));
    let now = now.map(|fault| loss(NOW, &probe.line, fault));
    plain.into_iter().chain(now).collect()
}

/// The gravest thing that is wrong with a norm as it stands.
fn fault(probe: &Probe, stand: &Stand) -> Option<Fault> {
    let line = match stand {
        Stand::Stated { text, .. } => text,
        Stand::LeftOut(reason) => return Some(Fault { what: "left-out", detail: name(*reason).to_owned() }),
        Stand::Lost => return Some(Fault { what: "unstated", detail: String::new() }),
    };
    if !keeps_polarity(&probe.norm, line) {
        return Some(Fault { what: "polarity", detail: String::new() });
    }
    let missing = missing(&probe.norm, line);
    let detail = missing.iter().map(|literal| format!("`{literal}`")).collect::<Vec<_>>().join(", ");
    (!missing.is_empty()).then_some(Fault { what: "literals", detail })
}

/// The reasons for which norms are left out.
fn name(reason: OmissionReason) -> &'static str {
    match reason {
        OmissionReason::Budget => "budget",
        OmissionReason::Conflict => "conflict",
        OmissionReason::Pending => "pending",
        _ => "duplicate",
    }
}

#[cfg(test)]
mod tests {
    use mentci_authority::{Norm, RuleNo};
    use mentci_compiler::{LawKind, read_law};
    use mentci_source::Source;

    use super::*;

    fn norm(law: &str) -> Norm {
        let source = Source::new("AGENTS.md", &format!("- {law}\n"));
        read_law(&source, &LawKind::Workspace).norms.remove(0)
    }

    fn stated(text: &str) -> Stand {
        Stand::Stated { rule: RuleNo::parse("x-1"), text: text.to_owned() }
    }

    /// What is told of a law whose deterministic line is `plain` and whose published line is `line`.
    fn told(law: &str, plain: Stand, line: Stand) -> (Vec<String>, usize) {
        let lost = losses("skills", &[Probe { norm: norm(law), plain, line }]);
        let told = lost
            .iter()
            .map(|loss| format!("{} {} {}", loss.digest, loss.what, loss.detail).trim().to_owned());
        (told.collect(), failing(&lost))
    }

    #[test]
    fn each_loss_is_told_once_with_the_digest_that_it_is_in() {
        let law = "Never push to `main` before 2030.";
        let good = || stated("Never push to main before 2030");
        for (plain, line, words, fails) in [
            (good(), good(), vec![], 0),
            (good(), stated("Push to main before 2030"), vec!["condensed polarity"], 1),
            (good(), stated("Never push to main"), vec!["condensed literals `2030`"], 1),
            (good(), stated("Never push"), vec!["condensed literals `main`, `2030`"], 1),
            (stated("Push to main"), stated("Push to main"), vec!["both polarity"], 1),
            (stated("Push to main"), good(), vec!["deterministic polarity"], 0),
            (
                stated("Push to main"),
                stated("Never push"),
                vec!["deterministic polarity", "condensed literals `main`, `2030`"],
                1,
            ),
            (good(), Stand::Lost, vec!["condensed unstated"], 1),
            (good(), Stand::LeftOut(OmissionReason::Duplicate), vec!["condensed left-out duplicate"], 0),
            (good(), Stand::LeftOut(OmissionReason::Budget), vec!["condensed left-out budget"], 1),
        ] {
            let words = words.into_iter().map(str::to_owned).collect();
            assert_eq!(told(law, plain, line), (words, fails));
        }
        let may = "You may push to `main` on Fridays.";
        assert_eq!(
            told(may, stated("May push to main on Fridays"), Stand::LeftOut(OmissionReason::Budget)).1,
            0
        );
    }
}

//! The decision point against a naive reference: no index, loops over all rules and over the whole log.
//!
//! `MENTCI_REFERENCE_CASES=10000` runs as many random rule sets; 500 when it is not said.

#![expect(clippy::disallowed_methods, reason = "the number of cases is told by the environment")]

mod lower;
mod model;
mod naive;

use mentci_authority::Verdict;
use mentci_host::policy::{Court, Outside, Rulebook};
use mentci_pdp::{Options, Program};
use proptest::prelude::*;

use model::{Document, Happening};
use naive::{Told, judge_all};

fn cases() -> u32 {
    std::env::var("MENTCI_REFERENCE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(500)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_decision_point_agrees_with_the_reference(
        documents in prop::collection::vec(model::document(), 1..4),
        session in model::session(24),
    ) {
        let own = decided(&documents, &session);
        let reference = judge_all(&documents, &session);
        for (at, (own, reference)) in own.iter().zip(&reference).enumerate() {
            prop_assert_eq!(own, reference, "event {} of {:#?}\nunder {:#?}", at, session, documents);
        }
    }

    /// Rules that share a tool and an argument, so that they are searched for together.
    #[test]
    fn searching_for_all_literals_finds_what_asking_each_rule_finds(
        document in model::crowd(),
        session in model::session(12),
    ) {
        let documents = [document];
        prop_assert_eq!(decided(&documents, &session), judge_all(&documents, &session));
    }
}

fn decided(documents: &[Document], session: &[Happening]) -> Vec<Told> {
    let sets = lower::sets(documents);
    let program = Program::new(&sets, Options::default());
    let rulebook = Rulebook { sets, program, findings: Vec::new(), broken: Vec::new(), sources: Vec::new() };
    let mut court = Court::new(&rulebook, Outside::nothing());
    let events = lower::events(session);
    events.iter().map(|event| told(&court.hear(event, true))).collect()
}

fn told(verdict: &Verdict) -> Told {
    let name = |action: &serde_json::Map<String, serde_json::Value>| {
        format!("{}:{}", action["rule"].as_str().unwrap_or(""), action["type"].as_str().unwrap_or(""))
    };
    Told {
        decision: verdict.decision,
        rules: verdict.rules.clone(),
        shadow: verdict.shadow.iter().map(|reason| reason.rule.clone()).collect(),
        faults: verdict.faults.iter().map(|fault| (fault.rule.clone(), fault.decided)).collect(),
        actions: verdict.actions.iter().map(name).collect(),
    }
}

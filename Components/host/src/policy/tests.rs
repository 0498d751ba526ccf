//! The unit tests that stand beside rules.

use mentci_authority::{Effect, RuleSet, RuleTest, Verdict};

use super::{Court, Outside, Rulebook, TestRow, TestsAnswer, admit};

/// Runs every test of a rulebook, each from an empty log: its `before` events, then the event itself.
pub fn run_tests(rulebook: &Rulebook, outside: Outside<'_>) -> TestsAnswer {
    let tests: Vec<TestRow> = rulebook
        .sets
        .iter()
        .flat_map(tests_of)
        .map(|(place, test)| run(rulebook, &place, test, outside))
        .collect();
    let failed = tests.iter().filter(|test| test.failure.is_some()).count();
    TestsAnswer { passed: tests.len() - failed, failed, tests }
}

/// Where a test stands.
struct Place {
    path: String,
    rule: Option<String>,
}

fn tests_of(set: &RuleSet) -> Vec<(Place, &RuleTest)> {
    let path = set.rules.first().map_or_else(|| set.name.clone(), |rule| rule.origin.path.to_string());
    let own = set.tests.iter().map(|test| (Place { path: path.clone(), rule: None }, test));
    let beside = set.rules.iter().flat_map(|rule| {
        let place = move || Place { path: rule.origin.path.to_string(), rule: Some(rule.id.to_string()) };
        rule.tests.iter().map(move |test| (place(), test))
    });
    own.chain(beside).collect()
}

fn run(rulebook: &Rulebook, place: &Place, test: &RuleTest, outside: Outside<'_>) -> TestRow {
    let mut court = Court::new(rulebook, outside);
    for event in &test.before {
        court.hear(&admit(event.clone()), true);
    }
    let verdict = court.hear(&admit(test.event.clone()), true);
    TestRow {
        name: if test.name.is_empty() { "unnamed".to_owned() } else { test.name.clone() },
        rule: place.rule.clone(),
        at: format!("{}:{}", place.path, test.line),
        failure: failure(test, place, &verdict),
    }
}

/// What a test expected and did not get. A test beside a rule that expects no decision expects the rule to take part.
fn failure(test: &RuleTest, place: &Place, verdict: &Verdict) -> Option<String> {
    if let Some(decision) = test.decision.filter(|decision| *decision != verdict.decision) {
        return Some(format!("expected {}, got {}", decision.name(), told(verdict)));
    }
    let rules = test.rules.clone().or_else(|| {
        let alone = place.rule.clone().filter(|_| test.decision.is_none());
        alone.map(|rule| vec![rule])
    });
    let rules = rules?;
    if rules.is_empty() {
        return intruder(place, verdict).map(|name| format!("expected `{name}` to take no part, and it did"));
    }
    let missing = rules.into_iter().find(|rule| !takes_part(verdict, rule))?;
    Some(format!("expected `{missing}` to take part, got {}", told(verdict)))
}

/// Who took part where nobody was to: the test's own rule, or any where it stands beside none.
fn intruder(place: &Place, verdict: &Verdict) -> Option<String> {
    match &place.rule {
        Some(rule) => takes_part(verdict, rule).then(|| rule.clone()),
        None => verdict.rules.first().cloned(),
    }
}

fn takes_part(verdict: &Verdict, rule: &str) -> bool {
    let acted =
        verdict.actions.iter().any(|action| action.get("rule").and_then(|name| name.as_str()) == Some(rule));
    acted || verdict.rules.iter().any(|name| name == rule)
}

fn told(verdict: &Verdict) -> String {
    match verdict.rules.as_slice() {
        [] if verdict.decision == Effect::Allow => "allow".to_owned(),
        [] => format!("{} by default", verdict.decision.name()),
        rules => format!("{} by {}", verdict.decision.name(), rules.join(", ")),
    }
}

//! The numbers of steps, where the law speaks of steps by number: `go back to step 1`.

use std::collections::BTreeSet;

use super::draft::{Draft, Heading};

/// Writes its number in front of each step of a procedure that is spoken of by number. Where a section has
/// several lists, or steps in steps, nobody can tell which step is meant, and none is written.
pub(crate) fn number(drafts: &mut [Draft], headings: &[Heading], nested: &BTreeSet<Option<usize>>) {
    let named = headings.iter().any(|heading| !numbers(&heading.text).is_empty());
    let mut spoken: BTreeSet<Option<usize>> = BTreeSet::new();
    let with_steps: BTreeSet<Option<usize>> =
        drafts.iter().filter(|draft| draft.step.is_some()).map(|draft| draft.heading).collect();
    for draft in drafts.iter() {
        for number in numbers(&draft.text) {
            let has = |heading: &Option<usize>| {
                drafts.iter().any(|other| {
                    other.heading == *heading && other.step.as_ref().is_some_and(|step| step.number == number)
                })
            };
            if with_steps.contains(&draft.heading) {
                spoken.extend(Some(draft.heading).filter(&has));
            } else if with_steps.len() == 1 && !named {
                spoken.extend(with_steps.iter().copied().filter(&has));
            }
        }
    }
    spoken.retain(|heading| !nested.contains(heading) && ascends(drafts, *heading));
    for draft in drafts.iter_mut().filter(|draft| spoken.contains(&draft.heading)) {
        let Some(step) = &draft.step else { continue };
        let label = format!("Step {}", step.number);
        if draft.text.to_lowercase().starts_with("step ") {
            continue;
        }
        draft.text = format!("{label}: {}", draft.text);
        draft.terse = draft.terse.take().map(|terse| format!("{label}: {terse}"));
    }
}

fn ascends(drafts: &[Draft], heading: Option<usize>) -> bool {
    let numbers = drafts.iter().filter(|draft| draft.heading == heading);
    let numbers: Vec<u32> = numbers.filter_map(|draft| draft.step.as_ref().map(|step| step.number)).collect();
    numbers.is_sorted()
}

/// The numbers of the steps that a text speaks of: `step 4`, `steps 2 and 3`.
fn numbers(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut speaks = false;
    for word in words.by_ref() {
        match word.parse() {
            Ok(number) if speaks => found.push(number),
            _ => {
                speaks = word.eq_ignore_ascii_case("step")
                    || word.eq_ignore_ascii_case("steps")
                    || speaks && matches!(word, "and" | "or" | "to");
            }
        }
    }
    found
}

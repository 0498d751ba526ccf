//! Drawn trees that choose: `What do you carry?` above `├── Grain` above `│   └── The barge`. What stands at the end of a branch is taken
//! in the cases that lead there.

use mentci_authority::{Level, OmissionReason};
use mentci_source::Span;

use super::boxes::drawn;
use super::draft::{Book, Draft};
use super::fence::{command_draft, placed};
use super::setting::Setting;
use super::stance::Stance;

/// A tree that is longer when told in one line is told branch by branch.
const LONGEST: usize = 600;

/// A line of the tree.
struct Twig<'t> {
    /// How far its text is indented.
    depth: usize,
    said: &'t str,
    span: Span,
}

/// A branch from the question on.
struct Branch {
    said: String,
    span: Span,
}

/// Reads a tree under a question; false where the text is none.
pub(super) fn branched(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let source = book.source.clone();
    let text = source.slice(body);
    if here.section == Stance::Describe || !text.contains(['├', '└']) || text.contains(['┌', '▼']) {
        return false;
    }
    let twigs: Vec<Twig<'_>> = placed(text, body).filter_map(|(line, at)| twig(line, at)).collect();
    let Some((root, rest)) = twigs.split_first() else { return false };
    // What asks again on the way is a drawing of another kind.
    if !root.said.ends_with('?')
        || rest.iter().any(|twig| twig.said.contains('?'))
        || rest.iter().any(|twig| twig.depth <= root.depth)
    {
        return false;
    }
    let branches = branches(rest);
    let chooses = rest.iter().filter(|twig| twig.said.contains('→')).count() + rest.len();
    if branches.len() < FEWEST || chooses < branches.len() * 2 {
        return false;
    }
    let whole: usize = branches.iter().map(|branch| branch.said.len() + 2).sum();
    let mut add = |said: String, span: Span| {
        let draft =
            command_draft(format!("{} {said}", root.said), Level::Should, Vec::new(), (span, span), here);
        book.add(Draft { spans: vec![span, root.span], completions: 0, ..draft });
    };
    if whole <= LONGEST {
        let said: Vec<String> = branches.into_iter().map(|branch| branch.said).collect();
        add(said.join("; "), body);
    } else {
        for branch in branches {
            add(branch.said, branch.span);
        }
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// The ends of the branches, each behind its cases.
fn branches(twigs: &[Twig<'_>]) -> Vec<Branch> {
    let mut cases: Vec<&Twig<'_>> = Vec::new();
    let mut branches = Vec::new();
    for (at, twig) in twigs.iter().enumerate() {
        cases.retain(|case| case.depth < twig.depth);
        cases.push(twig);
        let ends = twigs.get(at + 1).is_none_or(|next| next.depth <= twig.depth);
        if ends {
            let said: Vec<&str> = cases.iter().map(|case| case.said).collect();
            let (last, before) = said.split_last().unwrap_or((&"", &[]));
            let last = last.replace(" → ", ": ");
            let said = if before.is_empty() { last } else { format!("{}: {last}", before.join(", ")) };
            let span = cases.iter().skip(1).fold(cases[0].span, |span, case| span.join(case.span));
            branches.push(Branch { said, span });
        }
    }
    branches
}

/// What a line says behind what is drawn.
fn twig(line: &str, at: usize) -> Option<Twig<'_>> {
    let said = line.trim_start_matches(drawn).trim_end();
    let start = line.find(said).filter(|_| !said.is_empty())?;
    let said = said.trim_start_matches(['✅', '→', ' ']);
    let depth = line[..start].chars().count();
    let span = Span::new(at + start, at + line.trim_end().len());
    (!said.is_empty()).then_some(Twig { depth, said, span })
}

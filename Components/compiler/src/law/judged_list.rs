//! `❌ WRONG:` and `✅ CORRECT:` above lists of acts: what is wrong is forbidden there, and what is right is ordered. Above samples they only
//! say which one is good.

use mentci_reader::markdown::{Block, BlockKind};

use super::speech::guard::plain_in;
use super::speech::lexicon::is_verb;
use super::speech::prose::Prose;
use super::speech::stance::{Stance, is_verb_in_ing};
use super::speech::word::WordKind;

/// The stance that a lone judgement lends to the list of acts right under it, where its section is about what to do.
pub(crate) fn judged_list(block: &Block, next: Option<&Block>, section: Stance) -> Option<Stance> {
    let binding = matches!(
        section,
        Stance::Mistakes | Stance::Forbid | Stance::Discourage | Stance::Order | Stance::Advise
    );
    let list = next.filter(|next| binding && matches!(next.kind, BlockKind::List(_)))?;
    let lower = block.text.as_str().to_lowercase();
    let stance = match plain_in(&lower)[..] {
        ["wrong" | "bad" | "incorrect" | "worst"] => Stance::Forbid,
        ["right" | "good" | "correct" | "better"] => Stance::Order,
        _ => return None,
    };
    let acts = list.children.iter().filter(|item| names_act(item)).count();
    (acts * 2 > list.children.len() && list.children.len() > 1).then_some(stance)
}

/// `Skipping the soundings`, `Not sounding`, `Keep it short`, in one line.
fn names_act(item: &Block) -> bool {
    let [only] = &item.children[..] else { return false };
    let prose = Prose::new(&only.text);
    let mut plain = prose.words.iter();
    let act = plain.find(|word| !word.any(&["not", "never", "always"]));
    only.kind == BlockKind::Paragraph
        && act.is_some_and(|act| {
            act.kind == WordKind::Plain && (is_verb(&act.lower) || is_verb_in_ing(&act.lower))
        })
}

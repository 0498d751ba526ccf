//! `Sort each leak by place and size:` above paragraphs `**Places:** hull, deck` and `**Sizes:** drip, flood`: what the order takes is named
//! behind their labels.

use mentci_authority::Level;

use super::draft::Book;
use super::setting::LeadIn;
use super::speech::label::{Label, label};
use super::speech::lead::Lead;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::split_sentences;

/// Completes the order with such a paragraph; false for any other.
pub(super) fn completes_with_kinds(book: &mut Book<'_>, prose: &Prose<'_>, carried: Option<&LeadIn>) -> bool {
    const LONGEST: usize = 60;
    let Some(LeadIn { lead: Lead::Order(Level::Must | Level::Should), draft: Some(order), .. }) = carried
    else {
        return false;
    };
    let all = 0..prose.words.len();
    let (named, body) = label(prose, all.clone());
    let strong = prose.text.styled(0..prose.text.as_str().len(), |style| style.strong);
    let opens = strong.first().is_some_and(|strong| strong.start == 0) && strong.len() == 1;
    let words = &prose.words[body];
    let lists = words.iter().any(|word| word.mark(",")) && mood_of(words).mood == Mood::Fragment;
    if named != Label::Topic
        || !opens
        || !lists
        || all.len() > LONGEST
        || split_sentences(&prose.words).len() > 1
    {
        return false;
    }
    book.complete(*order, &prose.condensed(all.clone()), prose.span(&all), prose.literals(all));
    true
}

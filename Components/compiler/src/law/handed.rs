//! Lists that somebody is handed: `Each agent gets:`, `Tell the user:`, `The report must contain:`.

use mentci_authority::Level;
use mentci_reader::markdown::RichText;

use super::draft::Book;
use super::parts::{begin, labelled};
use super::setting::{LeadIn, Setting};
use super::speech::lead::Lead;
use super::speech::stance::Stance;
use super::speech::word::words_of;

/// To whom a lead-in hands what its items name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hands {
    /// To somebody else, whatever the items say: `Each agent gets`, `Tell the user`.
    Told,
    /// To somebody else, where the items have labels: `Every prompt includes`.
    Others,
    /// To whoever reads: `The report must contain`.
    Reader,
}

pub(super) fn is(word: Option<&String>, words: &[&str]) -> bool {
    word.is_some_and(|word| words.contains(&word.as_str()))
}

pub(super) fn hands(lead: &str) -> Option<Hands> {
    const GIVING: &[&str] = &["gets", "get", "receives", "receive", "given", "told", "handed", "knows"];
    const HAVING: &[&str] = &[
        "has",
        "have",
        "includes",
        "include",
        "contains",
        "contain",
        "carries",
        "carry",
        "specifies",
        "specify",
        "states",
        "state",
        "describes",
        "describe",
        "needs",
        "need",
    ];
    /// Those who are told something, and what they are told in.
    const PERSONS: &[&str] = &["agent", "subagent", "worker", "reviewer", "delegate", "teammate"];
    const TEXTS: &[&str] = &["prompt", "brief", "briefing", "instruction", "handoff", "assignment"];
    const TOLD: &[&str] =
        &["user", "human", "partner", "team", "client", "customer", "author", "owner", "them", "person"];
    const POINTING: &[&str] =
        &["the", "these", "following", "things", "parts", "sections", "fields", "items", "all", "of"];
    let words = words_of(lead);
    let names = |names: &[&str]| words.iter().any(|word| names.contains(&word.trim_end_matches('s')));
    let last = words.iter().rev().find(|word| !POINTING.contains(&word.as_str()));
    let each = words.iter().position(|word| word == "each" || word == "every");
    let (persons, texts) = (names(PERSONS), names(TEXTS));
    // `After the landing, tell the owner`
    let act = lead
        .rsplit_once(", ")
        .map_or_else(|| words.first().cloned(), |(_, act)| words_of(act).first().cloned());
    let tells = is(act.as_ref(), &["tell", "inform", "remind", "instruct", "brief", "warn"]);
    let gives = is(words.first(), &["give", "send", "hand", "provide", "pass", "include"]);
    let told = last.is_some_and(|last| [PERSONS, TOLD].concat().contains(&last.trim_end_matches('s')));
    if is(last, GIVING) && (each == Some(0) || persons || texts) || tells && (each.is_some() || told) {
        return Some(Hands::Told);
    }
    if is(last, HAVING) && (texts || each == Some(0) && persons) || gives && each.is_some() {
        return Some(Hands::Others);
    }
    (is(last, HAVING) || is(last, GIVING)).then_some(Hands::Reader)
}

/// `Each agent gets:` above `Goal: Make these tests pass`: no item orders anything of whoever reads.
pub(super) fn handed(book: &mut Book<'_>, texts: &[&RichText], here: &Setting) -> Option<LeadIn> {
    let lead = here.lead.as_ref()?;
    let hands = hands(&lead.text)?;
    let labels = texts.iter().filter(|text| labelled(text)).count();
    if hands != Hands::Told && labels * 2 <= texts.len() {
        return None;
    }
    match (&lead.lead, lead.draft) {
        (Lead::Order(level @ (Level::Must | Level::Should)), Some(_)) => {
            Some(LeadIn { lead: Lead::Parts(*level), when: None, ..lead.clone() })
        }
        // `All agents get the following:`.
        (Lead::Stance(Stance::Describe | Stance::Neutral, _), None)
            if hands != Hands::Reader && here.section == Stance::Neutral =>
        {
            let name = lead.text.trim_end_matches([':', ' ']).to_owned();
            Some(begin(book, name, Level::Must, lead.span, here))
        }
        _ => None,
    }
}

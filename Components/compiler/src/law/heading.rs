//! A heading: what it says, which rule it is by itself, and what it lends to the blocks below it.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::Span;

use super::banned::{
    ails, banned, denied_by_label, is_ticked, lacks, lists_mistakes, lists_risks, praised, remedied,
    rendered, says_what_is_wrong, shows_change,
};
use super::composed::draft_of;
use super::draft::{Binds, Book, Heading, Shows, Turn};
use super::fence::orders;
use super::guideline;
use super::heading_case::{case_of_heading, is_other_case};
use super::headline::openings;
use super::norm::read_sentence;
use super::ordered::order_of;
use super::outline::Siblings;
use super::setting::{Beside, Setting};
use super::speech::ban_names::stance_of_ban;
use super::speech::befalling::befalls;
use super::speech::bracket::brackets;
use super::speech::condense::flat;
use super::speech::condition;
use super::speech::guard::{guards, keeps, plain_in, waives};
use super::speech::label::is_required;
use super::speech::lexicon::is_verb;
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::naming::{Naming, forbids_act, forbids_manner, naming};
use super::speech::number::Numbered;
use super::speech::open_lead::open_heading;
use super::speech::prose::Prose;
use super::speech::refusal::refusal;
use super::speech::sentence::{first_sentence, split_sentences};
use super::speech::stance::{Stance, allows_only, forbids_all, heals, stance_of_heading};
use super::speech::theme::is_remedy;
use super::speech::word::{Word, WordKind, lowered};
use super::steps::named_step;
use super::trigger::stops;

/// Opens a heading: what it says by itself, and what holds for the blocks below it.
pub(super) fn enter(
    book: &mut Book<'_>,
    block: &Block,
    siblings: Siblings<'_>,
    above: &Setting,
    below: &[Block],
) -> Setting {
    let next = below.first();
    let text = block.text.as_str().trim().to_owned();
    let remedied = remedied(&text, below);
    let own = own_stance(book, &text, siblings, below);
    let depth = siblings.depth();
    let condition = case_of_heading(book, block, siblings, below);
    let prose = Prose::new(&block.text);
    let above_it = book.above(depth).map(|heading| &book.headings[heading]);
    let shown = next.map(|next| (&next.kind, book.source.slice(next.span)));
    let named = banned(&prose, own, above_it, (shown, ails(below)))
        .filter(|_| !below.first().is_some_and(lists_mistakes))
        .or_else(|| denied_by_label(&prose));
    let wrong = matches!(shown, Some((BlockKind::Fence { .. }, text)) if says_what_is_wrong(text));
    let next = next.map(|next| &next.kind);
    // A heading forbids all only where it forbids.
    let forbids = matches!(own, Stance::Forbid | Stance::Discourage | Stance::Mistakes);
    let forbids_all = if forbids { forbids_all(&text) } else { None };
    let mends = wrong || heals(&text) || is_remedy(&text) || is_ticked(&prose.words);
    let turn = match named {
        Some(_) => Turn::Bad,
        None if mends => Turn::Remedy,
        None => Turn::Nowhere,
    };
    let denies = denies_itself(block);
    let (span, stance) = (block.span, own);
    let refuses = refusal(&text)
        .or_else(|| open_heading(&plain_in(&text.to_lowercase())))
        .or_else(|| (allows_only(&text) || stops(&text) || skips(&text)).then_some(Level::Must));
    let lower = text.to_lowercase();
    let words = plain_in(&lower);
    let binds = if keeps(&words) { Some(Binds::Things) } else { guards(&words).then_some(Binds::Acts) };
    let opened = Heading {
        text,
        span,
        depth,
        stance,
        own,
        forbids_all,
        turn,
        denies,
        condition,
        refuses,
        binds,
        orders: Vec::new(),
        used: false,
        shows: shown_below(block.text.as_str(), own, above_it.map(|above| &*above.text), below),
    };
    let parent = book.open_heading(opened);
    let inherited = parent.map_or(above.section, |parent| book.headings[parent].stance);
    let acted_out = inherited == Stance::Example
        && parent.is_some_and(|parent| book.headings[parent].shows == Shows::Session);
    let stance = if acted_out
        || own == Stance::Neutral
            && matches!(
                inherited,
                Stance::Example
                    | Stance::Forbid
                    | Stance::Discourage
                    | Stance::Mistakes
                    | Stance::Advise
                    | Stance::Describe
                    | Stance::Order
            )
            && !(matches!(inherited, Stance::Forbid | Stance::Discourage) && turn != Turn::Nowhere)
            && !(inherited == Stance::Describe && is_worked(&book.headings[book.headings.len() - 1].text))
    {
        inherited
    } else {
        own
    };
    let heading = book.headings.len() - 1;
    book.headings[heading].stance = stance;
    let empty = is_empty(below, depth) || only_shows(below, depth) && is_conduct(&prose);
    let order = order_of(&prose, (&book.headings[heading], empty), stance, &under_heading(heading));
    let orders = match order {
        _ if named.is_some() => Vec::new(),
        Some(order) => vec![order],
        None => guideline::guidelines(book, (&prose, below), heading),
    };
    book.headings[heading].orders = orders;
    let other_case = is_other_case(block.text.as_str(), siblings);
    match named {
        _ if acted_out || other_case => book.omit(block.span, OmissionReason::Heading),
        Some((name, level)) => banned_norm(book, &prose, name, level, heading),
        None => {
            let above = parent.map(|parent| &book.headings[parent]);
            let praised = praised(&prose, above, siblings.texts().any(is_crossed));
            named_well(book, (block, &prose), (heading, praised), (next, remedied));
        }
    }
    let mut conditions = above.conditions.clone();
    conditions.extend(inherited_conditions(book));
    let inherited = conditions.len();
    let section = below.iter().take_while(|block| !matches!(block.kind, BlockKind::Heading(_)));
    let texts = section.filter(|block| block.kind == BlockKind::Paragraph).map(|block| &block.text);
    let beside = Beside { openings: openings(texts), ..Beside::default() };
    Setting { heading: Some(heading), section: stance, conditions, inherited, beside, ..Setting::default() }
}

/// What a heading says itself, where it names nothing that is bad.
fn named_well(
    book: &mut Book<'_>,
    (block, prose): (&Block, &Prose<'_>),
    (heading, praised): (usize, Option<Range<usize>>),
    below: (Option<&BlockKind>, bool),
) {
    let Some(name) = praised else { return heading_norm(book, block, heading, below) };
    let text = prose.condensed(name.clone());
    let here = under_heading(heading);
    book.add(draft_of(prose, name.clone(), text, (Level::Must, Force::Implied), &here, &name));
}

/// What a heading says by itself of what stands under it.
fn own_stance(book: &Book<'_>, text: &str, siblings: Siblings<'_>, below: &[Block]) -> Stance {
    match stance_of_heading(text) {
        // A title names the whole.
        Stance::Example if siblings.is_title() && book.headings.is_empty() => Stance::Neutral,
        Stance::Example if is_handbook(below, siblings.depth()) => Stance::Neutral,
        Stance::Example if is_only_marked(text) && !siblings.texts().any(is_crossed) => Stance::Neutral,
        _ if remedied(text, below) => Stance::Neutral,
        _ if shows_change(text, below.first().map(|next| &next.kind)) => Stance::Example,
        Stance::Neutral | Stance::Order if shows_run(text, siblings) => Stance::Example,
        Stance::Neutral | Stance::Order if restricts(text) && below.first().is_some_and(lists_risks) => {
            Stance::Forbid
        }
        own => own,
    }
}

/// What a heading shows below.
fn shown_below(heading: &str, own: Stance, above: Option<&str>, below: &[Block]) -> Shows {
    if own == Stance::Example && below.first().is_some_and(is_asked) {
        Shows::Session
    } else if documents_tool(heading, below) || is_code_name(heading) && above.is_some_and(lists_tools) {
        Shows::Manual
    } else {
        Shows::Nothing
    }
}

/// `### FindBerth` above what it does and its `**Parameters:**`: the manual of a tool.
fn documents_tool(heading: &str, below: &[Block]) -> bool {
    const LISTING: &[&str] = &["parameters", "arguments", "args", "params", "inputs", "input parameters"];
    let section = || below.iter().take_while(|block| !matches!(block.kind, BlockKind::Heading(_)));
    let lists = |block: &Block| {
        let text = block.text.as_str().trim_end_matches([':', ' ']).to_lowercase();
        block.kind == BlockKind::Paragraph && LISTING.contains(&text.as_str())
    };
    is_code_name(heading) && section().any(lists)
}

/// `Tools`, `Available functions`.
fn lists_tools(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    matches!(
        plain_in(&lower)[..],
        ["tools" | "functions" | "api" | "methods" | "endpoints"]
            | ["available" | "mcp" | "api" | "core" | "the", "tools" | "functions" | "methods" | "endpoints"]
            | ["tool" | "api" | "function", "reference"]
    )
}

/// `FindBerth`, `find_berth()`.
fn is_code_name(heading: &str) -> bool {
    let name = heading.trim_matches(['`', ' ', '(', ')']);
    let humps = name.chars().skip(1).filter(|c| c.is_uppercase() || *c == '_').count();
    !name.contains([' ', '.', '/']) && humps > 0 && name.chars().any(char::is_lowercase)
}

/// `Search berths by harbour.` right under `### FindBerth` in a manual of tools: what the tool does, and no order.
pub(super) fn glosses_tool(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> bool {
    let manual = here.heading.is_some_and(|heading| book.headings[heading].shows == Shows::Manual);
    let opens = here.above.is_empty() && here.lead.is_none();
    let glosses = manual && opens && mood_of(&prose.words[sentence.clone()]).mood == IMPERATIVE;
    if glosses {
        book.omit(prose.span(sentence), OmissionReason::Description);
    }
    glosses
}

/// `Step 2: Read the tide`, `Workflow: chart to port` under `How it works`: the work itself.
fn is_worked(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    named_step(heading).is_some_and(orders) || lower.starts_with("workflow:")
}

/// `**User request:** "Build a pier"`: what is done upon it is shown.
fn is_asked(block: &Block) -> bool {
    let text = block.text.as_str().to_lowercase();
    let label = text.split_once(':').map_or("", |(label, _)| label.trim());
    block.kind == BlockKind::Paragraph
        && matches!(
            label,
            "user"
                | "user request"
                | "user prompt"
                | "user query"
                | "user asks"
                | "user says"
                | "request"
                | "prompt"
        )
        && text.contains(['"', '“'])
}

/// `Examples` above many headings that name topics, and sentences that order under them: a handbook, whatever it is called.
fn is_handbook(below: &[Block], depth: u8) -> bool {
    const FEWEST: usize = 4;
    const SHOWN: &[&str] = &[
        "example", "sample", "scenario", "case", "session", "good", "bad", "before", "after", "avoid", "user",
    ];
    let section = || {
        below.iter().take_while(|block| !matches!(block.kind, BlockKind::Heading(other) if other <= depth))
    };
    let headings = || section().filter(|block| matches!(block.kind, BlockKind::Heading(_)));
    let shows = |block: &&Block| {
        let lower = block.text.as_str().to_lowercase();
        lower.contains(['"', '?', '❌', '✅']) || plain_in(&lower).iter().any(|word| SHOWN.contains(word))
    };
    let (all, samples) = (headings().count(), headings().filter(shows).count());
    let orders = |block: &&Block| {
        let prose = Prose::new(&block.text);
        let first = first_sentence(&prose.words);
        first.is_some_and(|first| mood_of(&prose.words[first]).mood == IMPERATIVE)
    };
    let ordered = || section().filter(|block| block.kind == BlockKind::Paragraph).filter(orders).count();
    all >= FEWEST && samples * 4 <= all && ordered() >= FEWEST
}

/// Whether nothing stands under a heading of this depth.
fn is_empty(below: &[Block], depth: u8) -> bool {
    match below.first().map(|below| &below.kind) {
        None => true,
        Some(BlockKind::Heading(other)) => *other <= depth,
        Some(_) => false,
    }
}

/// `✅ Winter quarters`: the mark judges nothing where no other heading is crossed out.
fn is_only_marked(heading: &str) -> bool {
    const JUDGING: &[&str] = &[
        "good",
        "correct",
        "right",
        "example",
        "examples",
        "sample",
        "samples",
        "after",
        "better",
        "do",
        "dos",
        "valid",
        "recommended",
        "preferred",
        "works",
        "yes",
    ];
    let lower = heading.to_lowercase();
    let words = plain_in(&lower);
    heading.starts_with(['✅', '✔', '✓'])
        && words.len() > 1
        && !words.iter().any(|word| JUDGING.contains(word))
}

fn is_crossed(heading: &str) -> bool {
    heading.contains(['❌', '✗', '✘', '🚫'])
}

/// `Skip these`: what stands under it is left out.
fn skips(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    matches!(plain_in(&lower)[..], ["skip" | "ignore" | "exclude", "these" | "this" | "them" | "those"])
}

/// Whether nothing but code stands under a heading of this depth.
fn only_shows(below: &[Block], depth: u8) -> bool {
    let mut section = below
        .iter()
        .take_while(|block| !matches!(block.kind, BlockKind::Heading(other) if other <= depth))
        .peekable();
    section.peek().is_some()
        && section.all(|block| matches!(block.kind, BlockKind::Fence { .. } | BlockKind::Rule))
}

/// ``Use `key()` in long lists``, `Defer reads`: how something is done; `Create a list` is what the code under it shows.
fn is_conduct(prose: &Prose<'_>) -> bool {
    const CONDUCT: &[&str] = &[
        "use", "defer", "keep", "reuse", "minimize", "minimise", "limit", "favor", "favour", "isolate",
        "separate", "hoist",
    ];
    let words = &prose.words;
    // `Sort by place, not by kind`
    let contrasts =
        || is_verb(&words[0].lower) && words.windows(2).any(|pair| pair[0].mark(",") && pair[1].is("not"));
    words.len() > 2 && (words[0].any(CONDUCT) || contrasts())
}

/// What holds for a heading's own words.
pub(super) fn under_heading(heading: usize) -> Setting {
    Setting { heading: Some(heading), ..Setting::default() }
}

/// `No dead code` under `Forbidden patterns`: it says itself what is forbidden, and what stands under it says how to do without.
fn denies_itself(block: &Block) -> bool {
    let prose = Prose::new(&block.text);
    let words = &prose.words[rule_label(&prose)..];
    let bans = words.first().is_some_and(|first| first.is("no")) && words.len() > 1;
    !befalls(block.text.as_str())
        && (bans || naming(block.text.as_str()) == Naming::Whole || forbids_act(block.text.as_str()))
        && mood_of(words).mood.forbids()
}

/// `Never hard-code colours`, `You must sign every commit`: a heading that is a whole rule by itself.
fn heading_norm(
    book: &mut Book<'_>,
    block: &Block,
    heading: usize,
    (next, remedied): (Option<&BlockKind>, bool),
) {
    let lists = matches!(next, Some(BlockKind::List(_)));
    let prose = Prose::new(&block.text);
    let plain = prose.words.iter().filter(|word| word.kind != WordKind::Mark).count();
    // `Never list`, `No-nos`
    let text = block.text.as_str();
    let name = Numbered::of(text).map_or(text, |numbered| numbered.said).to_lowercase();
    if stance_of_ban(&plain_in(&name)).is_some() {
        return;
    }
    // `Do not activate when` is ended by what it lists; `Required first steps` only says that those below are.
    let refuses = lists && book.headings[heading].refuses.is_some_and(Level::is_prohibition);
    let required = next.is_some_and(|next| !matches!(next, BlockKind::Fence { .. }))
        && prose.words.first().is_some_and(|first| first.any(&["required", "mandatory"]))
        && prose.words.iter().all(|word| word.kind == WordKind::Plain);
    if refuses || required {
        return;
    }
    if conditional_norm(book, &prose, heading) {
        return;
    }
    if bracket_norm(book, &prose, heading, next) {
        return;
    }
    let start = rule_label(&prose);
    if waives(&plain_in(&lowered(block.text.as_str()))) || befalls(block.text.as_str()) {
        return;
    }
    let Mood::Order(level, force) = mood_of(&prose.words[start..]).mood else { return };
    if force == Force::Implied && !remedied {
        return;
    }
    let text = &block.text.as_str()[prose.words[start].range.start..];
    let tells = ["why ", "how ", "when ", "what ", "where ", "who ", "which "]
        .iter()
        .any(|cue| text.to_lowercase().starts_with(cue));
    let asked = tells || text.contains(['?', ':', '(', '"']) || heals(text);
    let bans = prose.words[start].is("no") && plain > 2;
    let whole = if level.is_prohibition() {
        bans || remedied
            || naming(text) == Naming::Whole
            || forbids_act(text)
            || !lists && forbids_manner(text)
    } else {
        level == Level::Must
    };
    if plain < 3 - usize::from(level.is_prohibition()) || asked || !whole {
        return;
    }
    let here = under_heading(heading);
    for sentence in split_sentences(&prose.words[start..]) {
        let sentence = start + sentence.start..start + sentence.end;
        read_sentence(book, &prose, sentence, &here, book.drafts.len());
    }
}

/// `Checklist (tick EVERY box for EVERY file)`: brackets at the end of a heading that order.
fn bracket_norm(book: &mut Book<'_>, prose: &Prose<'_>, heading: usize, next: Option<&BlockKind>) -> bool {
    const SHORTEST: usize = 4;
    const LONGEST_REQUIRED: usize = 4;
    let Some(bracket) = brackets(prose, &(0..prose.words.len())).pop() else { return false };
    let inner = bracket.start + 1..bracket.end - 1;
    let ends = bracket.end == prose.words.len() && bracket.start > 0;
    // `### name (required)` is a field; what stands under `Signature (MANDATORY)` otherwise says itself what is due.
    let named = prose.words.iter().find(|word| word.kind != WordKind::Mark);
    let field = named.is_some_and(|word| word.kind == WordKind::Code || !word.capital)
        || matches!(next, Some(BlockKind::Fence { .. }));
    if ends && field && is_required(&prose.words) && bracket.start <= LONGEST_REQUIRED {
        let text = prose.condensed(0..prose.words.len());
        let here = under_heading(heading);
        book.add(draft_of(prose, inner.clone(), text, (Level::Must, Force::Explicit), &here, &inner));
        return true;
    }
    let words = flat(&prose.words[inner.clone()]);
    let outright = words.iter().any(|word| {
        word.shouted && (word.lower.len() > 3 || word.is("no"))
            || word.any(&["never", "must", "always", "don't", "only", "not"])
    });
    let named = words.first().is_some_and(|first| first.any(&["see", "use", "optional", "required", "ask"]));
    let skips = words.last().is_some_and(|word| word.is("skip"));
    if !ends || words.len() < SHORTEST - usize::from(skips) || !outright || named {
        return false;
    }
    let Mood::Order(level, _) = mood_of(&words).mood else { return false };
    let text = format!("{}: {}", prose.condensed(0..bracket.start), prose.condensed(inner.clone()));
    let here = under_heading(heading);
    book.add(draft_of(prose, inner.clone(), text, (level, Force::Explicit), &here, &inner));
    true
}

/// `God objects` under `Anti-patterns`.
fn banned_norm(book: &mut Book<'_>, prose: &Prose<'_>, name: Range<usize>, level: Level, heading: usize) {
    let mark = if level == Level::ShouldNot { "AVOID" } else { "NEVER" };
    let text = if lacks(&prose.words[name.clone()]) {
        format!("{mark} without {}", rendered(prose, &(name.start + 1..name.end)))
    } else {
        format!("{mark} {}", rendered(prose, &name))
    };
    let here = under_heading(heading);
    book.add(draft_of(prose, name.clone(), text, (level, Force::Implied), &here, &name));
}

/// `Rule 3: Never push to main`: where the rule begins.
fn rule_label(prose: &Prose<'_>) -> usize {
    const LABELS: &[&str] = &["rule", "principle", "law", "policy", "guideline", "commandment"];
    let labelled = prose.words.first().is_some_and(|word| word.any(LABELS));
    let ends = |word: &Word| word.mark(":") || word.mark("—") || word.mark(".");
    let numbered = |word: &Word| word.lower.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number = usize::from(prose.words.first().is_some_and(numbered));
    let end = prose.words.iter().take(4).position(ends).filter(|_| labelled).map_or(number, |at| at + 1);
    if end < prose.words.len() { end } else { 0 }
}

/// `In production: never restart db`: a condition, and a rule under it.
fn conditional_norm(book: &mut Book<'_>, prose: &Prose<'_>, heading: usize) -> bool {
    let Some(condition) = condition::of_heading(&prose.words) else { return false };
    if condition.end >= prose.words.len() {
        return true;
    }
    let leads = prose.words.last().is_some_and(|word| word.mark(":"));
    let rest = condition.end + 1..prose.words.len();
    let rule =
        prose.words.get(rest.clone()).filter(|words| !words.is_empty()).map(|words| mood_of(words).mood);
    let Some(Mood::Order(level, force)) = rule.filter(|_| !leads) else { return false };
    let span = book.headings[heading].span;
    let here = Setting { conditions: vec![(prose.condensed(condition), span)], ..under_heading(heading) };
    let text = prose.condensed(rest.clone());
    let draft = draft_of(prose, rest.clone(), text, (level, force), &here, &rest);
    book.add(draft);
    true
}

/// The conditions of the open headings.
fn inherited_conditions(book: &Book<'_>) -> Vec<(String, Span)> {
    let open = book.open.iter().map(|&heading| &book.headings[heading]);
    open.filter_map(|heading| Some((heading.condition.clone()?, heading.span))).collect()
}

/// `Output: tasks of each boat` beside `Input: one list`: what one run is given and what it makes of it.
fn shows_run(heading: &str, siblings: Siblings<'_>) -> bool {
    let opens = |text: &str, word: &str| text.trim().to_lowercase().starts_with(word);
    let other = if opens(heading, "output: ") { "input: " } else { "output: " };
    (other == "input: " || opens(heading, "input: ")) && siblings.texts().any(|text| opens(text, other))
}

/// `Restrictions`, `Deck restrictions`: what stands under it bounds what is done, or names what is not done at all.
fn restricts(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    matches!(plain_in(&lower)[..], [.., "restrictions" | "prohibitions"] | ["restricted" | "prohibited", ..])
}

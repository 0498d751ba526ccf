//! The walk over a document: each block in the light of the headings and lead-ins above it.

use std::cell::OnceCell;
use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::Span;

use super::banned::{may_title, rendered, shows_change, titled};
use super::composed::draft_of;
use super::done_with::enumerates;
use super::draft::Book;
use super::heading::enter;
use super::item::list;
use super::judged_list::judged_list;
use super::lead_below::{led_by_giving, led_by_item, led_by_name, led_by_step, led_by_words};
use super::occasion::{is_case_among, names_trouble, names_use};
use super::outline::Outline;
use super::paragraph::paragraph;
use super::parts::ends_in_question;
use super::pronoun::{completes_with_names, names_of};
use super::quote::quote;
use super::setting::{Below, LeadIn, Setting};
use super::shown_file::ShownFiles;
use super::speech::condition;
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::lexicon::FINITE;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::refusal::refusal;
use super::speech::sentence::split_sentences;
use super::speech::stance::{Stance, stance_of_heading};
use super::speech::word::WordKind;
use super::steps::named_step;
use super::template::names_template;
use super::trigger::is_trigger;

/// Walks siblings.
pub(crate) fn walk(book: &mut Book<'_>, blocks: &[Block], above: &Setting) {
    let here = Setting { lead: None, inherited: above.conditions.len(), ..above.clone() };
    walk_part(book, blocks, 0..blocks.len(), above, here);
}

/// Walks some of several siblings, of which the first stands in `here`.
pub(crate) fn walk_part(
    book: &mut Book<'_>,
    blocks: &[Block],
    part: Range<usize>,
    above: &Setting,
    mut here: Setting,
) {
    let outline = OnceCell::new();
    let mut sample = None;
    // The step that the fences right under its list belong to.
    let mut step = None;
    // The names in the list right above.
    let mut names = None;
    let mut trouble = Trouble::default();
    let mut files = ShownFiles::default();
    for at in part {
        let block = &blocks[at];
        let first = book.drafts.len();
        let next = blocks.get(at + 1).map(|next| &next.kind);
        if let Some(end) = sample_until(book, blocks, at).or(sample.filter(|&end| at <= end)) {
            sample = Some(end);
            here.lead = Some(tagged(block, Stance::Example));
        }
        trouble.meet(block, &mut here);
        match &block.kind {
            BlockKind::Heading(_) => {
                let outline = outline.get_or_init(|| Outline::of(blocks));
                here = enter(book, block, outline.siblings(block.span), above, &blocks[at + 1..]);
            }
            BlockKind::Paragraph if titled_paragraph(book, (blocks, at), &mut here) => {}
            BlockKind::Paragraph
                if completes_with_code(book, at.checked_sub(1).map(|above| &blocks[above]), block) => {}
            BlockKind::Paragraph => {
                let tag = tag_lead(block, block.text.as_str());
                let judged = judged_list(block, blocks.get(at + 1), here.section);
                here.beside.below = Below::of(next);
                paragraph(book, &block.text, &mut here, leads(next));
                here.lead = judged.map(|stance| tagged(block, stance)).or(tag).or(here.lead);
                order_below(book, block, &here, next);
                case_below(book, block, &here, blocks.get(at + 1));
                completes_with_names(book, block, names.take().as_ref());
                if orders_labelled(book, block, &here, &blocks[at + 1..]) {
                    here.section = Stance::Order;
                }
                if here.lead.is_none() && matches!(next, Some(BlockKind::Fence { .. })) {
                    here.lead = led_by_name(book, block, &blocks[at + 1]);
                }
            }
            BlockKind::List(_) => {
                let before = book.drafts.len();
                list(book, block, &here);
                names = names_of(block).filter(|_| book.drafts.len() == before);
                here.pass();
                here.beside.list = true;
                close_checklist(book, &mut here);
                if matches!(next, Some(BlockKind::Fence { .. } | BlockKind::List(_) | BlockKind::Table)) {
                    step = led_by_step(book, block, &blocks[at + 1..]);
                    here.lead = led_by_item(book, block)
                        .or_else(|| step.clone())
                        .or_else(|| led_by_words(book, block, &blocks[at + 1]))
                        .or_else(|| led_by_giving(book, block, &blocks[at + 1]));
                }
            }
            BlockKind::Fence { language, .. } => {
                fence(book, block, &here);
                let case = here.lead.clone().filter(|lead| goes_on_in_case(lead, blocks.get(at + 1)));
                let led =
                    here.lead.take().filter(|lead| lead.draft.is_some() && runs_elsewhere(language, next));
                here.pass();
                step = step.filter(|_| matches!(next, Some(BlockKind::Fence { .. })));
                here.lead = step.clone().or(led).or(case);
            }
            BlockKind::Table => {
                super::table::read(book, block, &here);
                here.pass();
            }
            BlockKind::Html => {
                here.lead = tag_lead(block, book.source.slice(block.span));
                book.omit(block.span, OmissionReason::Comment);
            }
            BlockKind::Rule => {
                book.omit(block.span, OmissionReason::Separator);
                here.pass();
            }
            BlockKind::Quote => {
                let case =
                    case_of_quote(book, &here).filter(|lead| goes_on_in_case(lead, blocks.get(at + 1)));
                quote(book, block, &mut here, next);
                here.lead = here.lead.take().or(case);
            }
            BlockKind::Item { .. } | BlockKind::Row | BlockKind::Cell => walk(book, &block.children, &here),
        }
        files.meet(book, block, first);
    }
}

/// A paragraph that is no more than a title, a label or a question of what stands below; false for any other.
fn titled_paragraph(book: &mut Book<'_>, (blocks, at): (&[Block], usize), here: &mut Setting) -> bool {
    let (block, below) = (&blocks[at], blocks.get(at + 1));
    let next = below.map(|below| &below.kind);
    if is_title(block, next) {
        book.omit(block.span, OmissionReason::Heading);
        here.lead = Some(headed(block));
    } else if names_wrong(book, block, here, next) {
        let level = here.section.level().filter(|level| level.is_prohibition()).unwrap_or(Level::MustNot);
        here.lead = Some(tagged(block, Stance::Things(level)));
    } else if shows_change(block.text.as_str(), next) {
        book.omit(block.span, OmissionReason::Example);
        here.lead = Some(LeadIn { lead: Lead::Stance(Stance::Example, None), ..headed(block) });
    } else if asks_case(block, next)
        || branches_below(block, below)
        || names_trouble(book, block, here, below)
        || names_use(block, below)
        || is_case_among(blocks, at)
    {
        book.omit(block.span, OmissionReason::Description);
        here.lead = Some(LeadIn { lead: Lead::Condition, ..headed(block) });
    } else if asks_in_label(block, below) {
        book.omit(block.span, OmissionReason::Heading);
        here.enumerates = here.enumerates.or_else(|| here.lead.as_ref().and_then(enumerates));
        here.lead = Some(headed(block));
    } else {
        return false;
    }
    true
}

/// `If no berth is free, say so:` above what is said: the case in which that is said.
fn case_of_quote(book: &Book<'_>, here: &Setting) -> Option<LeadIn> {
    let lead = here.lead.as_ref()?;
    let condition = book.drafts[lead.draft?].condition.as_deref()?;
    let inherited: Vec<&str> = here.conditions.iter().map(|(text, _)| text.as_str()).collect();
    let own = condition.strip_prefix(&inherited.join(": "))?.trim_start_matches([':', ' ']);
    (!own.is_empty()).then(|| LeadIn {
        lead: Lead::Condition,
        text: own.to_owned(),
        draft: None,
        when: None,
        ..lead.clone()
    })
}

/// `Then rig the mast anew.` behind the commands below `For a new mast:` is done in that case, too.
fn goes_on_in_case(lead: &LeadIn, next: Option<&Block>) -> bool {
    let goes_on = |next: &Block| {
        let first = next.text.as_str().split([' ', ',']).next().unwrap_or_default();
        next.kind == BlockKind::Paragraph && matches!(first, "Then" | "Afterwards" | "Afterward" | "Next")
    };
    lead.lead == Lead::Condition && next.is_some_and(goes_on)
}

/// `Checklist before landing`: what stands behind the list holds at all times.
fn close_checklist(book: &Book<'_>, here: &mut Setting) {
    let Some(heading) = here.heading.map(|heading| &book.headings[heading]) else { return };
    let first = heading.text.split(' ').next().unwrap_or_default().to_lowercase();
    if condition::CHECKLISTS.contains(&first.as_str()) && heading.condition.is_some() {
        let span = heading.span;
        here.conditions.retain(|(_, known)| *known != span);
        here.inherited = here.inherited.min(here.conditions.len());
    }
}

/// `**Problem**: Two mates moved one buoy`, and then `**Solution**:`: the case in which the solution is called for.
#[derive(Default)]
struct Trouble {
    named: Option<(String, Span)>,
    met: Option<Span>,
}

impl Trouble {
    /// Opens the case at a solution, and closes it where something else begins.
    fn meet(&mut self, block: &Block, here: &mut Setting) {
        const TROUBLES: &[&str] = &["problem", "issue", "symptom", "error"];
        const SOLUTIONS: &[&str] = &["solution", "fix", "resolution", "remedy", "workaround"];
        let label = match &block.kind {
            BlockKind::Heading(_) => Some(""),
            BlockKind::Paragraph => labelled_strong(block),
            _ => None,
        };
        let Some(name) = label.map(str::to_lowercase) else { return };
        if SOLUTIONS.contains(&name.as_str()) {
            if let Some((case, span)) = self.named.take() {
                here.conditions.insert(here.inherited, (case, span));
                here.inherited += 1;
                self.met = Some(span);
            }
            return;
        }
        if let Some(met) = self.met.take() {
            let known = here.conditions.len();
            here.conditions.retain(|(_, span)| *span != met);
            here.inherited -= known - here.conditions.len();
        }
        let prose = Prose::new(&block.text);
        let colon = prose.words.iter().position(|word| word.mark(":"));
        let case = colon.map(|colon| prose.condensed(colon + 1..prose.words.len()));
        let told = case.filter(|case| TROUBLES.contains(&name.as_str()) && !case.is_empty());
        self.named = told.map(|case| (case, block.span));
    }
}

/// `Solution` of `**Solution**: Ask`, `**Solution:**`.
fn labelled_strong(block: &Block) -> Option<&str> {
    let text = block.text.as_str();
    let strong = block.text.styled(0..text.len(), |style| style.strong);
    let name = strong.first().filter(|name| name.start == 0)?;
    let label = text[name.clone()].trim_end_matches([':', ' ']);
    let parted = text[name.clone()].trim_end().ends_with(':') || text[name.end..].starts_with(':');
    (parted && !label.contains(' ')).then_some(label)
}

/// `Look into your box:` above `` `box/<name>.json` ``: code alone in a paragraph completes the order that ends in a colon above it.
fn completes_with_code(book: &mut Book<'_>, above: Option<&Block>, block: &Block) -> bool {
    let leads =
        |above: &&Block| above.kind == BlockKind::Paragraph && above.text.as_str().trim_end().ends_with(':');
    let Some(above) = above.filter(leads) else { return false };
    let prose = Prose::new(&block.text);
    let all = 0..prose.words.len();
    let code = matches!(&prose.words[..], [only] if only.kind == WordKind::Code);
    let ordered = book.drafts.last().is_some_and(|draft| {
        let within = |span: &Span| above.span.start <= span.start && span.end <= above.span.end;
        !draft.level.is_prohibition() && draft.spans.first().is_some_and(within)
    });
    let completes = code && ordered;
    if completes {
        let order = book.drafts.len() - 1;
        book.complete(order, &prose.condensed(all.clone()), block.span, prose.literals(all));
    }
    completes
}

/// `Look at these parts:` above `**Hull**:` and `**Sails**:`, each with a list of its own: the lists name what it asks for.
fn orders_labelled(book: &Book<'_>, block: &Block, here: &Setting, below: &[Block]) -> bool {
    const FEWEST: usize = 2;
    // `Determine which way applies:` above the ways.
    const CHOOSING: &[&str] = &["which", "choose", "select", "pick", "determine", "decide", "one"];
    let ordered = book.drafts.last().is_some_and(|draft| {
        let within = |span: &Span| block.span.start <= span.start && span.end <= block.span.end;
        draft.level == Level::Must && draft.spans.first().is_some_and(within)
    });
    let lower = block.text.as_str().to_lowercase();
    let chooses = plain_in(&lower).iter().any(|word| CHOOSING.contains(word));
    if chooses
        || !ordered
        || here.section != Stance::Neutral
        || !block.text.as_str().trim_end().ends_with(':')
    {
        return false;
    }
    let section: Vec<&Block> =
        below.iter().take_while(|block| !matches!(block.kind, BlockKind::Heading(_))).collect();
    let labelled = |pair: &[&Block]| {
        let [label, list] = pair else { return false };
        let text = label.text.as_str();
        let strong = label.text.styled(0..text.len(), |style| style.strong);
        let whole = matches!(&strong[..], [all] if all.len() + 2 >= text.trim().len());
        label.kind == BlockKind::Paragraph
            && whole
            && text.trim_end().ends_with(':')
            && matches!(list.kind, BlockKind::List(_))
    };
    section.len() >= 2 * FEWEST && section.chunks(2).all(labelled)
}

/// `When a ship calls, note:` right above deeper headings: what stands under each of them is what it asks for.
fn order_below(book: &mut Book<'_>, block: &Block, here: &Setting, next: Option<&BlockKind>) {
    let (Some(heading), Some(BlockKind::Heading(depth))) = (here.heading, next) else { return };
    let opened = &book.headings[heading];
    // What stands under the title is the whole.
    let deeper = opened.depth > 1 && *depth > opened.depth;
    let order = book.drafts.last().filter(|draft| {
        let within = |span: &Span| block.span.start <= span.start && span.end <= block.span.end;
        draft.level == Level::Must && draft.spans.first().is_some_and(within)
    });
    if deeper
        && order.is_some()
        && here.section == Stance::Neutral
        && block.text.as_str().trim_end().ends_with(':')
    {
        book.headings[heading].stance = Stance::Order;
    }
}

/// `When a ship calls:` right above deeper headings: when all holds that stands under them.
fn case_below(book: &mut Book<'_>, block: &Block, here: &Setting, next: Option<&Block>) {
    const OPENING: &[&str] = &["when", "if", "while", "during", "whenever"];
    let (Some(heading), Some(next)) = (here.heading, next) else { return };
    let BlockKind::Heading(depth) = &next.kind else { return };
    // The first of several steps would not say when the others are due.
    if named_step(next.text.as_str()).is_some() {
        return;
    }
    let opened = &mut book.headings[heading];
    let Some(case) = block.text.as_str().trim().strip_suffix(':') else { return };
    // `When the gate is open, after each trip:`: the first case says enough.
    let (case, rest) = case.split_once(", ").map_or((case, None), |(case, rest)| (case, Some(rest)));
    let goes_on = ["after ", "before ", "once ", "when ", "if ", "on ", "during "];
    let cases =
        rest.is_none_or(|rest| goes_on.iter().any(|cue| rest.starts_with(cue)) && !rest.contains(','));
    let first = case.split(' ').next().unwrap_or_default().to_lowercase();
    let itself = |word: &str| word.to_lowercase().starts_with("skill") || word.starts_with("invoke");
    let whole = cases
        && OPENING.contains(&first.as_str())
        && !case.contains([',', '.'])
        && !case.split(' ').any(itself);
    if whole && opened.depth > 1 && *depth > opened.depth {
        opened.condition.get_or_insert(case.to_owned());
    }
}

/// `**Mistake 1: Confusing cost with price**` above a list: it is forbidden, and what the list orders mends it.
fn names_wrong(book: &mut Book<'_>, block: &Block, here: &Setting, next: Option<&BlockKind>) -> bool {
    if here.section == Stance::Example || !matches!(next, Some(BlockKind::List(_))) {
        return false;
    }
    if !may_title(block.text.as_str()) {
        return false;
    }
    let prose = Prose::new(&block.text);
    let Some(name) = titled(&prose) else { return false };
    let level = here.section.level().filter(|level| level.is_prohibition()).unwrap_or(Level::MustNot);
    let mark = if level == Level::ShouldNot { "AVOID" } else { "NEVER" };
    let text = format!("{mark} {}", rendered(&prose, &name));
    book.add(draft_of(&prose, name.clone(), text, (level, Force::Implied), here, &name));
    true
}

/// `<example>`, `<bad_example>`: the place of the block that closes the tag, near by; what stands in it is a sample.
fn sample_until(book: &Book<'_>, blocks: &[Block], at: usize) -> Option<usize> {
    const FARTHEST: usize = 24;
    let text = |block: &Block| -> Option<&str> {
        matches!(block.kind, BlockKind::Html | BlockKind::Paragraph)
            .then(|| book.source.slice(block.span).trim())
    };
    let opens = text(&blocks[at]).filter(|_| blocks[at].kind == BlockKind::Html)?;
    let name = last_line(opens).strip_prefix('<')?.strip_suffix('>').filter(|name| names_sample(name))?;
    let close = format!("</{name}>");
    let near = blocks.iter().enumerate().skip(at + 1).take(FARTHEST);
    near.take_while(|(_, block)| !matches!(block.kind, BlockKind::Heading(_)))
        .find(|(_, block)| text(block).is_some_and(|text| text.ends_with(&close)))
        .map(|(end, _)| end)
}

fn last_line(text: &str) -> &str {
    text.trim().lines().next_back().unwrap_or_default().trim()
}

/// `example`, `bad-example`, `Good`: the name of a tag around a sample.
fn names_sample(name: &str) -> bool {
    const WHOLE: &[&str] = &["good", "bad", "wrong", "incorrect", "do_not_copy"];
    const PARTS: &[&str] = &["example", "examples", "sample", "samples"];
    let lower = name.to_lowercase();
    WHOLE.contains(&lower.as_str()) || lower.split(['_', '-']).any(|part| PARTS.contains(&part))
}

/// `Report format` on a line of its own above a fence: a heading without its mark. `Use this format` orders.
fn is_title(block: &Block, next: Option<&BlockKind>) -> bool {
    const LONGEST: usize = 4;
    const ORDERING: &[&str] = &[
        "use", "follow", "keep", "match", "apply", "see", "copy", "fill", "the", "this", "that", "a", "an",
        "your", "our",
    ];
    let text = block.text.as_str().trim();
    if !matches!(next, Some(BlockKind::Fence { .. })) {
        return false;
    }
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    (2..=LONGEST).contains(&words.len())
        && text.starts_with(char::is_uppercase)
        && words.last().is_some_and(|last| names_template(last) && last.ends_with(char::is_alphabetic))
        && !words.iter().any(|word| ORDERING.contains(&word.as_str()))
}

/// `**2. Who pays?**` above a list of questions: a label that says what they are about.
fn asks_in_label(block: &Block, next: Option<&Block>) -> bool {
    let text = block.text.as_str();
    if !text.trim_end().ends_with('?') {
        return false;
    }
    let Some(list) = next.filter(|next| matches!(next.kind, BlockKind::List(_))) else { return false };
    let strong = block.text.styled(0..text.len(), |style| style.strong);
    let asks =
        |item: &Block| item.children.first().is_some_and(|first| ends_in_question(first.text.as_str()));
    matches!(&strong[..], [all] if all.len() >= text.trim().len()) && list.children.iter().all(asks)
}

/// `**Renewing a pass?** The guest has one already.` above a list: the case for which it is meant.
fn asks_case(block: &Block, next: Option<&BlockKind>) -> bool {
    const LONGEST: usize = 30;
    const ASKING: &[&str] = &[
        "what", "why", "how", "when", "where", "who", "which", "can", "do", "should", "may", "will", "could",
        "is", "are",
    ];
    let text = block.text.as_str();
    if !matches!(next, Some(BlockKind::List(_)))
        || !text.contains('?')
        || text.trim_end().ends_with([':', '?'])
    {
        return false;
    }
    let strong = block.text.styled(0..text.len(), |style| style.strong);
    let [asked] = &strong[..] else { return false };
    if asked.start > 0 || !text[asked.clone()].trim_end().ends_with('?') {
        return false;
    }
    let prose = Prose::new(&block.text);
    // `Is it fast?` asks whoever reads.
    let opens = prose.words.iter().find(|word| word.kind == WordKind::Plain);
    if opens.is_none_or(|word| word.among(FINITE) || word.any(ASKING)) {
        return false;
    }
    let tells =
        |sentence: &Range<usize>| !matches!(mood_of(&prose.words[sentence.clone()]).mood, Mood::Order(..));
    prose.words.len() <= LONGEST && split_sentences(&prose.words).iter().all(tells)
}

/// `Is it a hotfix?` above `- Yes: deploy` and `- No: wait`: the question without which its answers say nothing.
fn branches_below(block: &Block, next: Option<&Block>) -> bool {
    const LONGEST: usize = 16;
    const ASKING: &[&str] = &["is", "are", "does", "do", "did", "has", "have", "can", "will", "was", "were"];
    let text = block.text.as_str().trim();
    let Some(list) = next.filter(|next| matches!(next.kind, BlockKind::List(_)) && text.ends_with('?'))
    else {
        return false;
    };
    let prose = Prose::new(&block.text);
    let opens = prose.words.first().is_some_and(|word| word.any(ASKING));
    let answers = |item: &Block| {
        let text = item.children.first().map_or("", |first| first.text.as_str()).to_lowercase();
        let text = text.strip_prefix("if ").unwrap_or(&text);
        ["yes", "no"]
            .iter()
            .any(|cue| text.strip_prefix(cue).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
    };
    opens
        && prose.words.len() <= LONGEST
        && split_sentences(&prose.words).len() == 1
        && list.children.len() > 1
        && list.children.iter().all(answers)
}

fn headed(block: &Block) -> LeadIn {
    let (lead, text) = (Lead::Stance(Stance::Neutral, None), block.text.as_str().trim().to_owned());
    LeadIn { lead, text, span: block.span, draft: None, when: None }
}

/// Commands of one shell right above those of another: what is to be run there instead.
fn runs_elsewhere(language: &str, next: Option<&BlockKind>) -> bool {
    let other = |next: &str| next != language && super::fence::is_shell(next);
    super::fence::is_shell(language)
        && matches!(next, Some(BlockKind::Fence { language, .. }) if other(language))
}

/// Reads a fence. Where nothing of it was read, `Ring at most three bells such as:` above it orders all the same.
fn fence(book: &mut Book<'_>, block: &Block, here: &Setting) {
    let before = book.drafts.len();
    super::fence::read(book, block, here);
    if book.drafts.len() > before {
        return;
    }
    let Some(LeadIn { lead: Lead::Stem(level), text, span, draft: None, .. }) = &here.lead else { return };
    if let Some(order) = text.trim_end_matches([':', ' ']).strip_suffix(" such as") {
        let force = (*level, Force::Implied);
        book.add(super::row::row_draft(order.to_owned(), force, Vec::new(), *span, here));
    }
}

/// `<do_not>`, `<forbidden>`, `<Do_Not_Use_When>`: a tag that lends its force to what stands in it.
fn tag_lead(block: &Block, text: &str) -> Option<LeadIn> {
    // `</good>` and `<bad>` on two lines.
    let name = last_line(text).strip_prefix('<')?.strip_suffix('>')?;
    let name =
        name.split_whitespace().next().filter(|name| !name.starts_with(['/', '!']) && !name.contains('<'))?;
    let name = name.replace(['_', '-'], " ");
    if let Some(level) = refusal(&name) {
        return Some(LeadIn { lead: Lead::Stem(level), text: name, ..headed(block) });
    }
    // `<Use_When>`
    if is_trigger(&name.to_lowercase().replace("use when", "when to use")) {
        return Some(LeadIn { lead: Lead::Trigger, text: name, ..headed(block) });
    }
    let stance = stance_of_heading(&name);
    matches!(stance, Stance::Forbid | Stance::Discourage | Stance::Permit).then(|| tagged(block, stance))
}

fn tagged(block: &Block, stance: Stance) -> LeadIn {
    LeadIn {
        lead: Lead::Stance(stance, None),
        text: String::new(),
        span: block.span,
        draft: None,
        when: None,
    }
}

/// Whether a paragraph in front of this is its lead-in.
pub(crate) fn leads(next: Option<&BlockKind>) -> bool {
    matches!(
        next,
        Some(
            BlockKind::List(_)
                | BlockKind::Fence { .. }
                | BlockKind::Table
                | BlockKind::Paragraph
                | BlockKind::Quote
        )
    )
}

//! What stands behind a label: a measure, a form, a bound or a default of what it names.

use mentci_authority::Level;

use super::lexicon::{LETTER_CASES, MADE};
use super::mood::{Mood, mood_of};
use super::word::{Word, WordKind};

/// `Max file lines: 250`, `Target size: < 150 words`, `Line length: 100 characters`, `--state: default open`: a measure and its value.
pub(crate) fn measured(topic: &[Word], body: &[Word]) -> Option<Level> {
    const BOUNDS: &[&str] =
        &["max", "maximum", "min", "minimum", "limit", "limits", "cap", "ceiling", "threshold"];
    const TARGETS: &[&str] = &["target", "goal", "aim", "ideal"];
    const MEASURES: &[&str] =
        &["length", "width", "height", "depth", "indentation", "timeout", "coverage", "size", "budget"];
    const LONGEST: usize = 14;
    let last = topic.iter().rev().find(|word| word.kind != WordKind::Mark && word.depth == 0)?;
    let digits = |word: &Word| {
        word.lower
            .trim_start_matches(['<', '>', '≤', '≥', '=', '~', '$'])
            .starts_with(|c: char| c.is_ascii_digit())
    };
    let valued = body.iter().take(2).any(digits) && body.len() <= LONGEST;
    let fragment = || matches!(mood_of(body).mood, Mood::Fragment | Mood::Order(..));
    if valued && topic.iter().any(|word| word.any(TARGETS)) && fragment() {
        return Some(Level::Should);
    }
    let bounds = topic.iter().any(|word| word.any(BOUNDS)) || last.any(MEASURES);
    let forms = is_form(topic, body);
    (valued && bounds && fragment() || last.kind == WordKind::Code && is_default(body) || forms)
        .then_some(Level::Must)
}

/// `Format: type(scope)`, `File naming: kebab-case`: a form, and nothing else.
fn is_form(topic: &[Word], body: &[Word]) -> bool {
    const FORMS: &[&str] =
        &["format", "naming", "casing", "indentation", "convention", "conventions", "scheme", "derivation"];
    const NAMES: &[&str] = &[
        "name",
        "names",
        "filename",
        "filenames",
        "branch",
        "branches",
        "title",
        "titles",
        "prefix",
        "slug",
        "pattern",
        "location",
        "path",
        "destination",
        "tag",
        "tags",
    ];
    const MANNERS: &[&str] = &["title", "imperative"];
    let named = topic.iter().filter(|word| word.kind != WordKind::Mark).count() <= 3;
    let last = topic.iter().rev().find(|word| word.kind != WordKind::Mark);
    let value = body
        .first()
        .is_some_and(|word| word.kind == WordKind::Code || word.among(LETTER_CASES) || word.any(MANNERS));
    // `` Branch names: `<type>/<ticket>` ``
    let filled_in = body.first().is_some_and(|word| {
        word.kind == WordKind::Code && (word.lower.contains(['<', '{', '[']) || word.lower.contains("yyyy"))
    });
    // `Flag naming: last word of the ship's name, lowercase, marks removed`.
    let listed =
        body.len() <= 24 && body.windows(2).any(|pair| pair[0].mark(",") && pair[1].among(LETTER_CASES));
    named
        && last.is_some_and(|word| word.any(FORMS) || filled_in && word.any(NAMES))
        && !topic.iter().any(|word| word.any(&["target", "input", "default", "wire", "file's"]))
        && (value && body.len() <= 8 || listed)
        && matches!(mood_of(body).mood, Mood::Fragment)
}

/// `default open`, `the source branch unless the user says otherwise`.
fn is_default(body: &[Word]) -> bool {
    const LONGEST: usize = 14;
    let opens = body.first().is_some_and(|word| word.any(&["default", "defaults"]));
    let end = body.iter().position(|word| word.is("unless"));
    let valued = body.len() > 1 && body.len() <= LONGEST;
    let value = &body[..end.unwrap_or(body.len())];
    valued && (opens || end.is_some_and(|end| end > 0)) && matches!(mood_of(value).mood, Mood::Fragment)
}

/// `Commits: two per task`.
fn counts_topic(topic: &[Word], body: &[Word]) -> bool {
    let named = topic.iter().any(|word| word.among(MADE));
    let counted = matches!(body, [_, per, of, ..] if per.is("per") && of.kind == WordKind::Plain);
    named && counted && body.len() <= 5
}

/// `` Branch: `trunk` unless the user says otherwise ``: what holds until somebody decides.
pub(crate) fn yields_to_user(body: &[Word]) -> bool {
    const WHO: &[&str] =
        &["user", "asked", "told", "requested", "instructed", "you're", "owner", "explicitly"];
    let unless = body.iter().position(|word| word.depth == 0 && word.is("unless"));
    let who = |at: usize| body[at + 1..].iter().take(3).any(|word| word.any(WHO));
    let whole = !body.iter().any(|word| word.mark(";") || word.mark("—"));
    whole && unless.is_some_and(|at| at > 0 && who(at)) && matches!(mood_of(body).mood, Mood::Fragment)
}

/// Whether a topic and what stands behind it bind together.
pub(crate) fn binds_topic(topic: &[Word], body: &[Word]) -> bool {
    counts_topic(topic, body) || limits_topic(topic, body) || sets_default(topic, body)
}

/// `Max function lines: 60`, `Minimum coverage: 80%`.
fn limits_topic(topic: &[Word], body: &[Word]) -> bool {
    const LIMITS: &[&str] = &["max", "min", "maximum", "minimum"];
    let plain: Vec<&Word> =
        topic.iter().filter(|word| word.kind != WordKind::Mark && word.depth == 0).collect();
    let counted = body.iter().find(|word| word.kind != WordKind::Mark);
    (2..=5).contains(&plain.len())
        && plain[0].any(LIMITS)
        && counted.is_some_and(|word| {
            word.kind == WordKind::Plain && word.lower.starts_with(|c: char| c.is_ascii_digit())
        })
}

/// `` Default branch: `trunk` (of the quay) ``: what is taken where nobody says otherwise.
fn sets_default(topic: &[Word], body: &[Word]) -> bool {
    const LONGEST: usize = 4;
    let plain = topic.iter().filter(|word| word.kind == WordKind::Plain).count();
    topic[0].any(&["default", "defaults"])
        && plain <= LONGEST
        && plain == topic.iter().filter(|word| word.kind != WordKind::Mark).count()
        && body[0].kind == WordKind::Code
        && matches!(mood_of(body).mood, Mood::Fragment)
}

/// `Commits: imperative mood, at most 72 characters, no emojis`: names after a topic, one of which bounds.
pub(crate) fn bounds_topic(body: &[Word]) -> bool {
    const WAYS: &[&str] = &["as", "in", "via", "from", "by", "at", "on", "with", "under", "through"];
    const BOUNDS: &[&str] = &["max", "min", "maximum", "minimum"];
    let counts = |word: &Word| word.lower.starts_with(|c: char| c.is_ascii_digit());
    let bounds = body.windows(2).any(|pair| pair[0].any(BOUNDS) && counts(&pair[1]))
        || body.iter().any(|word| word.depth == 0 && word.is("only"));
    let most = body.windows(2).any(|pair| pair[0].is("at") && pair[1].any(&["most", "least"]));
    // `Crew: two hands (taken at the pier, not at sea)`.
    let denies = body.windows(2).any(|pair| pair[0].mark(",") && pair[1].is("no"))
        || body.windows(3).any(|run| run[0].lower == "," && run[1].is("not") && run[2].any(WAYS));
    (bounds || most || denies) && body.len() <= 24 && matches!(mood_of(body).mood, Mood::Fragment)
}

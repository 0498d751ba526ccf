//! What a page promises is accepted, and so is every shortening that the prompt shows a model.

use mentci_authority::Level;

use super::{Original, verify};

const GUIDE: &str = include_str!("../../../../../Library/guide/condense.md");
const PROMPT: &str = include_str!("../../../../../Library/prompts/condense.md");

/// Whether `line` is accepted for `law`, or why not.
fn accepted(law: &str, line: &str) -> Result<(), String> {
    let original = Original { text: law, level: Some(level(law)), literals: &[] };
    verify(&original, line).map_err(|refusal| format!("{law} -> {line}: {refusal}"))
}

/// The level that the words of a law give it.
fn level(law: &str) -> Level {
    let forbids =
        ["Do not", "Never", "must never", "must not", "It is forbidden", "You may not", "You cannot"];
    match law {
        law if law.contains(" forget ") => Level::Must,
        law if forbids.iter().any(|words| law.contains(words)) => Level::MustNot,
        law if law.starts_with("It is mandatory") || law.starts_with("It is necessary") => Level::Must,
        law if law.starts_with("It is") || law.starts_with("You should") => Level::Should,
        law if law.starts_with("Feel free") => Level::May,
        _ => Level::Must,
    }
}

/// The text between two marks, the first time.
fn between<'t>(text: &'t str, open: &str, close: &str) -> &'t str {
    let behind = text.split_once(open).map(|(_, behind)| behind).unwrap_or_default();
    behind.split_once(close).map_or(behind, |(inner, _)| inner)
}

/// What stands in quotation marks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

#[test]
fn the_guide_promises_what_is_accepted() {
    let table = between(GUIDE, "| law | accepted |\n", "\n\n");
    let rows = table.lines().skip(1).filter_map(|row| row.trim_matches(['|', ' ']).split_once(" | "));
    let pairs: Vec<_> = rows.flat_map(|(laws, line)| laws.split(", ").map(move |law| (law, line))).collect();
    assert!(pairs.len() > 12, "{} promises", pairs.len());
    let refused: Vec<_> = pairs.iter().filter_map(|(law, line)| accepted(law, line).err()).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// The example that ends the prompt: its input is the law, its answer the lines.
#[test]
fn the_example_of_the_prompt_is_accepted() {
    let laws: serde_json::Value = serde_json::from_str(between(PROMPT, "Example input:\n", "\n")).unwrap();
    let answer: serde_json::Value = serde_json::from_str(between(PROMPT, "Example answer:\n", "\n")).unwrap();
    let lines = answer["lines"].as_array().unwrap();
    assert_eq!(lines.len(), laws.as_object().unwrap().len());
    for line in lines {
        let law = laws[line["ids"][0].to_string()].as_str().unwrap();
        assert_eq!(accepted(law, line["text"].as_str().unwrap()), Ok(()));
    }
}

/// Each `long > short` of the prompt, as all that changes, in an order, behind a condition and in a prohibition: a form that saves no
/// token by itself is none to offer.
#[test]
fn every_short_form_of_the_prompt_is_accepted() {
    let forms: Vec<(&str, &str)> = between(PROMPT, "- use short forms: ", "\n")
        .split("; ")
        .filter_map(|form| form.split_once(" > "))
        .flat_map(|(longs, short)| longs.split(", ").map(move |long| (long, short)))
        .collect();
    assert!(forms.len() > 8, "{forms:?}");
    let mut refused = Vec::new();
    for (long, short) in forms {
        let sentence = sentence(long).unwrap_or_else(|| panic!("no sentence here tries `{long}`"));
        for start in ["", "If build breaks: ", "Always "] {
            let law = format!("{start}{sentence}");
            refused.extend(accepted(&law.replace('_', long), &law.replace('_', short)).err());
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// Where a phrase of the prompt can stand: at the mark.
fn sentence(long: &str) -> Option<&'static str> {
    Some(match long {
        "prior to" => "ask owner _ merging",
        "in order to" => "read log of run _ find cause",
        "in the event that" => "keep log _ release fails",
        "each and every" => "check _ input",
        "all of the" => "check _ inputs",
        "make use of" => "_ mirror of team",
        "pull request" => "open _ for change",
        "is not" => "ask owner when host _ idle",
        long if long.ends_with(" 5") => "keep log of _ hosts",
        _ => return None,
    })
}

/// Each `"long" becomes "short"`, each word that may be dropped, and each reason.
#[test]
fn every_beginning_and_every_reason_of_the_prompt_is_accepted() {
    let rules: Vec<&str> = between(PROMPT, "You may:\n", "If nothing can go").lines().collect();
    let mut tried = 0;
    let mut holds = |law: &str, line: &str| {
        tried += 1;
        assert_eq!(accepted(law, line), Ok(()));
    };
    let dropped = rules.iter().find(|rule| rule.starts_with("- drop a, ")).unwrap();
    for start in quoted(dropped) {
        holds(&format!("{start} sign the commit of the release"), "Sign commit of release");
    }
    for word in between(dropped, "- drop ", ";").split(", ") {
        let law =
            if word == "please" { "Please sign commit".to_owned() } else { format!("Sign {word} commit") };
        holds(&law, "Sign commit");
    }
    let starts = rules.iter().find(|rule| rule.starts_with("- at the start: ")).unwrap();
    for part in starts.trim_start_matches("- at the start: ").split("; ") {
        let (longs, short) = part.split_once(" become").unwrap();
        let short = quoted(short)[0].replace('X', "stubs").replace('Y', "mocks");
        for long in quoted(longs) {
            let law = long.replace('X', "stubs").replace('Y', "mocks");
            let is_whole = law != *long;
            let behind = if is_whole { " in the tests of the app" } else { " skip the tests of the app" };
            let subject = if law.starts_with("must") { "You " } else { "" };
            holds(&format!("{subject}{law}{behind}"), &format!("{short}{}", behind.replace(" the", "")));
        }
    }
    let reasons = rules.iter().find(|rule| rule.starts_with("- drop a reason")).unwrap();
    for reason in quoted(reasons) {
        let law = format!(
            "Pin the images{}",
            reason.replace('…', if reason.contains("keeps") { "builds stable" } else { "tags move" })
        );
        holds(&law, "Pin images");
    }
    assert!(tried >= 12, "{tried}");
}

/// Each `long > short` that is no form of a word, in a sentence of its own.
#[test]
fn every_tightening_of_the_prompt_is_accepted() {
    let rule = between(PROMPT, "- tighten: ", "\n");
    let pairs: Vec<(&str, &str)> = rule.split("; ").map(|part| part.split_once(" > ").unwrap()).collect();
    assert!(pairs.len() > 4, "{pairs:?}");
    for (long, short) in pairs {
        let frame = tightened(long).unwrap_or_else(|| panic!("no sentence here tries `{long}`"));
        assert_eq!(accepted(&frame.replace('_', long), &frame.replace('_', short)), Ok(()));
    }
}

/// Where it can stand: at the mark.
fn tightened(long: &str) -> Option<&'static str> {
    Some(match long {
        long if long.starts_with("files that") => "Never commit _ to main",
        long if long.starts_with("must not be") => "Title of commit _",
        long if long.starts_with("if there are") => "Merge only _ warnings",
        long if long.starts_with("as soon as") => "Delete branch _",
        long if long.starts_with("x, ") => "Keep _ in repo",
        _ => return None,
    })
}

/// The prompt's words on lessons that are merged: what stands behind `becomes` is one line for both.
#[test]
fn the_example_of_merging_is_accepted_part_by_part() {
    let merging = PROMPT.split_once("<!-- merge -->").unwrap().1;
    let (from, to) =
        merging.split_once("The lesson keeps its words").unwrap().1.split_once(" becomes ").unwrap();
    let (rule, exception) = quoted(to)[0].split_once(" EXCEPT ").unwrap();
    let told: Vec<&str> = quoted(from).into_iter().skip(1).collect();
    let law = told.iter().find(|part| part.starts_with("Use")).unwrap();
    assert_eq!(law, &rule);
    assert!(told.iter().any(|lesson| lesson.strip_prefix("When ") == Some(exception)), "{told:?}");
}

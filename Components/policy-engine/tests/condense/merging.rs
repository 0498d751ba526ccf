//! A lesson that a model puts on the line of the rule that it excepts.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::story::Story;
use crate::{condense, line, script};

const LESSON: &str = "structural_edit fails on module includes";

/// Two rules that one lesson concerns equally well.
fn tied() -> Story {
    let story = Story::new();
    story.write(
        ".pi/skills/sema/SKILL.md",
        "---\nname: sema\ndescription: Edits.\n---\n# Sema\n\n- Use structural_edit prior to committing.\n\
         - Use structural_edit prior to pushing.\n- You must always run the tests.\n",
    );
    teach(&story);
    story
}

fn teach(story: &Story) {
    let lesson = format!("[{{:condition \"{LESSON}\" :resolution \"make use of `sed -i`\"}}]\n");
    story.write(".pi/skills/sema/runtime.edn", lesson);
}

fn answer(story: &Story, lines: &Value) {
    story.write("a.json", script("Use structural_edit", &json!({ "lines": lines })));
}

fn both(rule: i64, text: &str) -> Value {
    json!({ "ids": [rule, 3], "text": text })
}

fn good() -> Value {
    let on_it = both(
        2,
        "Use structural_edit before pushing EXCEPT structural_edit fails on module includes: use `sed -i`",
    );
    json!([line(1, "Use structural_edit before committing"), on_it, line(4, "Run tests")])
}

fn rules(story: &Story) -> String {
    let text = story.read(".pi/skills/sema/absolute_rules.md");
    text.splitn(3, '\n').nth(2).unwrap_or_default().to_owned()
}

#[test]
fn a_lesson_joins_the_rule_that_the_model_names() {
    let story = tied();
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    assert!(rules(&story).contains("## Case law"), "{}", rules(&story));
    answer(&story, &good());
    let ran = condense(&story, &["--model", "script:a.json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_snapshot!(rules(&story), @r"
    ## Must
    3 Run tests
    ## Do
    1 Use structural_edit before committing
    2 Use structural_edit before pushing. EXCEPT structural_edit fails on module includes: use `sed -i`. (unreviewed)
    Law: .pi/skills/sema/SKILL.md
    ");
    // The lock decides from now on: nobody is asked, and a copy without a model has the same bytes.
    let digests = story.digests();
    assert!(condense(&story, &["--model", "script:a.json"]).out.contains("nothing was asked"));
    assert!(story.digests() == digests);
    let copy = tied();
    for path in [".pi/skills/sema/absolute_rules.lock", ".pi/absolute_rules.lock"] {
        copy.write(path, story.read(path));
    }
    assert_eq!(copy.run(&["compile-rules"]).code, 0);
    let bytes = |story: &Story| story.digests().into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>();
    assert!(bytes(&copy) == bytes(&story));
    let json = story.run(&["eval-digest", "--json"]).json();
    for row in json["rows"].as_array().unwrap() {
        assert_eq!(row["condensed"]["hits"], row["condensed"]["of"], "{row}");
    }
}

/// Each fault leaves the lesson under *Case law* and the rules as they were.
#[test]
fn what_is_not_both_is_refused() {
    let rule = "Use structural_edit before pushing";
    let lesson = "structural_edit fails on module includes: use `sed -i`";
    let except = |rule: &str, lesson: &str| format!("{rule} EXCEPT {lesson}");
    let faults: Vec<(&str, Value, &str)> = vec![
        ("the exception is dropped", both(2, rule), "exception-changed"),
        ("the rule is dropped", both(2, lesson), "exception-changed"),
        ("only the rule's id", json!({ "ids": [2], "text": except(rule, lesson) }), "framed"),
        ("only the lesson's id", json!({ "ids": [3], "text": except(rule, lesson) }), "framed"),
        ("the lesson twice", json!({ "ids": [2, 3, 3], "text": except(rule, lesson) }), "duplicate-id"),
        ("an id that nobody knows", json!({ "ids": [2, 3, 9], "text": except(rule, lesson) }), "merged"),
        ("another rule's exception", both(4, &except("Run tests", lesson)), "merged"),
        (
            "two rules",
            json!({ "ids": [1, 2], "text": except("Use structural_edit before committing", rule) }),
            "merged",
        ),
        ("two rules and the lesson", json!({ "ids": [1, 2, 3], "text": except(rule, lesson) }), "merged"),
        ("inverted", both(2, &except(lesson, rule)), "literal-invented"),
        ("swapped", both(2, &except("Use structural_edit before committing", lesson)), "word-invented"),
        (
            "negated",
            both(2, &except(rule, "structural_edit fails on module includes: never use `sed -i`")),
            "polarity-changed",
        ),
        (
            "the rule negated",
            both(2, &except("Never use structural_edit before pushing", lesson)),
            "polarity-changed",
        ),
        (
            "a literal less",
            both(2, &except(rule, "structural_edit fails on module includes: edit text")),
            "literal-lost",
        ),
        ("the condition less", both(2, &except(rule, "use `sed -i`")), "literal-lost"),
        ("another mark", both(2, &format!("{rule} unless {lesson}")), "exception-changed"),
        (
            "another exception",
            both(2, &format!("{rule} EXCEPT {lesson} EXCEPT on Fridays")),
            "exception-changed",
        ),
    ];
    let story = tied();
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    let plain = rules(&story);
    for (name, fault, reason) in faults {
        story.remove(".pi/skills/sema/absolute_rules.lock");
        answer(&story, &json!([fault]));
        let ran = condense(&story, &["--model", "script:a.json", "--explain"]);
        assert_eq!((ran.code, rules(&story).as_str()), (0, plain.as_str()), "{name}: {}", ran.err);
        assert!(ran.out.contains(reason), "{name}: {}", ran.out);
    }
}

/// The rules are in the lock already: they are sent once more, beside the lesson, in one request.
#[test]
fn a_new_lesson_is_asked_about_with_its_rules() {
    let story = tied();
    story.remove(".pi/skills/sema/runtime.edn");
    let first = [
        line(1, "Use structural_edit before committing"),
        line(2, "Use structural_edit before pushing"),
        line(3, "Run tests"),
    ];
    answer(&story, &json!(first));
    assert_eq!(condense(&story, &["--model", "script:a.json"]).code, 0);
    teach(&story);
    let on_it =
        "Use structural_edit before pushing EXCEPT structural_edit fails on module includes: use `sed -i`";
    answer(&story, &json!([both(2, on_it)]));
    let ran = condense(&story, &["--model", "script:a.json", "--json"]);
    assert_eq!(ran.json()["condensed"]["calls"], 1, "{}", ran.err);
    let rules = rules(&story);
    assert!(rules.contains("2 Use structural_edit before pushing. EXCEPT"), "{rules}");
    assert!(rules.contains("1 Use structural_edit before committing\n"), "what was known stays: {rules}");
}

/// The form that the prompt asks for wins where no word can go: two lines with two ids become one.
#[test]
fn a_lesson_joins_its_rule_with_all_its_words() {
    for resolution in
        ["use sed", "use sed -i", "use text edits", "use sed in the terminal unless the file is generated"]
    {
        let story = Story::new();
        story.write(
            ".pi/skills/sema/SKILL.md",
            "---\nname: sema\ndescription: Edits.\n---\n# Sema\n\n- Use structural_edit before committing.\n\
             - Use structural_edit before pushing.\n",
        );
        let lesson = format!("[{{:condition \"{LESSON}\" :resolution \"{resolution}\"}}]\n");
        story.write(".pi/skills/sema/runtime.edn", lesson);
        assert_eq!(story.run(&["compile-rules"]).code, 0);
        let words = rules(&story);
        let alone = words.lines().find_map(|line| line.strip_prefix("3 When ")).unwrap();
        let alone = alone.trim_end_matches(" (unreviewed)").to_owned();
        answer(&story, &json!([both(2, &format!("Use structural_edit before pushing EXCEPT {alone}"))]));
        let ran = condense(&story, &["--model", "script:a.json", "--explain"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let joined = format!("2 Use structural_edit before pushing. EXCEPT {alone}. (unreviewed)");
        assert!(rules(&story).contains(&joined), "{}\n{}", ran.out, rules(&story));
        assert!(!rules(&story).contains("Case law"), "{}", rules(&story));
        let json = story.run(&["eval-digest", "--json"]).json();
        for tokens in json["tokens"].as_array().unwrap() {
            assert!(
                tokens["condensed"].as_u64() <= tokens["deterministic"].as_u64().map(|plain| plain + 2),
                "{tokens}"
            );
        }
    }
}

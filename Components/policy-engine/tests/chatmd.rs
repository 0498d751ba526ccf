//! Stories of ChatMD documents, told with the binary: parsed, checked, rewritten, rendered.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod story;

use story::Story;

const SESSION: &str = "<config model=\"m\"/>\n<tool name=\"read_file\"/>\n<rules>\n  <on id=\"remind\" event=\"turn_start\">\n    <insert role=\"user\">look</insert>\n  </on>\n</rules>\n\n<user>\nhi\n</user>\n<user synthetic=\"true\" via_rule=\"remind\">\nlook\n</user>\n<assistant>\nho\n</assistant>\n";

fn with(text: &str) -> Story {
    let story = Story::new();
    story.write("a.chatmd", text);
    story
}

#[test]
fn parse_shows_blocks_with_places_and_rules() {
    let story = with(SESSION);
    let ran = story.run(&["chatmd", "parse", "a.chatmd"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    insta::assert_snapshot!(ran.out, @r#"
     1:1  #1 config model="m"
     2:1  #2 tool name="read_file"
     3:1  #3 rules
     4:3    on id="remind" event="turn_start"
     5:5      insert role="user"  "look"
     9:1  #4 user  "hi"
    12:1  #5 user synthetic="true" via_rule="remind" (by rule remind)  "look"
    15:1  #6 assistant  "ho"
    "#);
    let json = story.run(&["chatmd", "parse", "a.chatmd", "--json"]).json();
    assert_eq!(json["nodes"][0]["name"], "config");
    assert_eq!(json["nodes"][0]["attributes"][0]["value"], "m");
    let mut end = 0;
    for node in json["nodes"].as_array().unwrap() {
        assert_eq!(node["span"][0], end, "every byte stands in a node");
        end = node["span"][1].as_u64().unwrap();
    }
    assert_eq!(end, SESSION.len() as u64);
}

#[test]
fn check_says_what_is_passed_over() {
    let clean = with(SESSION).run(&["chatmd", "check", "a.chatmd"]);
    assert_eq!((clean.code, clean.err.as_str()), (0, ""));
    insta::assert_snapshot!(clean.out, @r"a.chatmd: 6 blocks, 1 rule, 1 tool");
    let story = with(
        "<import src=\"b.chatmd\"/>\n<import src=\"../c.chatmd\"/>\n<import src=\"https://example.com/d.chatmd\"/>\n<import src=\"gone.chatmd\"/>\n\
         <user>\n<doc src=\"nowhere.md\"/> <rules> no </rules>\n</user>\n<tool_call id=\"1\" name=\"fetch\"/>\n<rules></rules>\n<usr>x</usr>\n",
    );
    story.write("../c.chatmd", "");
    story.write("b.chatmd", "<tool name=\"b\" command=\"ls\"/>\n<import src=\"a.chatmd\"/>\n");
    let odd = story.run(&["chatmd", "check", "a.chatmd"]);
    // What is imported may hold law: where that is lost, the law does not load.
    assert_eq!(odd.code, 2, "{}", odd.err);
    for told in [
        "error[E0228]: `../c.chatmd` lies outside the workspace",
        "warning[E0285]: `https://example.com/d.chatmd` is an address",
        "error[E0228]: `gone.chatmd` cannot be read",
        "warning[E0285]: there is no file `nowhere.md`",
        "error[E0228]: `a.chatmd` includes itself",
        "note[E0264]: `<rules>` in `<user>` is text, not law",
        "warning[E0281]: nothing answers this call of `fetch`",
        "warning[E0265]: this `<rules>` stands after the first message",
        "note[E0266]: `<usr>x</usr>` stands outside every block",
    ] {
        assert!(odd.err.contains(told), "{told}: {}", odd.err);
    }
}

#[test]
fn law_that_does_not_load_is_bad() {
    let ran = with("<rules><on event=\"never\"><deny/></on></rules>\n<user/>\n")
        .run(&["chatmd", "check", "a.chatmd"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err, @r#"
    error[E0222]: `event` cannot be the text `never`: there is no such hook
     --> a.chatmd:1:19
      |
    1 | <rules><on event="never"><deny/></on></rules>
      |                   ^^^^^
      = help: the hooks are `session_start`, `query_start`, `turn_start`, `turn_end`, `pre_tool_call`, `post_tool_response`, `message_appended`, `pre_compact`, `session_end`, `event_emitted`
    "#);
}

/// People read errors, and others up to a bound; programs read all.
#[test]
fn what_is_odd_a_thousand_times_is_shown_fifty_times() {
    let odd = (0..200).fold(String::new(), |all, n| {
        all + &format!("<tool_response id=\"r{n}\" name=\"x\">\n1\n</tool_response>\n")
    });
    let law = "<rules><on event=\"never\"><deny/></on></rules>\n<import src=\"gone.chatmd\"/>\n";
    let story = with(&format!("{law}<user>\nhi\n</user>\n{odd}"));
    let ran = story.run(&["chatmd", "check", "a.chatmd"]);
    let heads = ran.err.lines().filter(|line| line.starts_with("warning[") || line.starts_with("error["));
    assert_eq!((ran.code, heads.count()), (2, 50), "{}", ran.err);
    assert!(
        ran.err.contains("error[E0222]") && !ran.err.contains("there is no file `gone.chatmd`"),
        "{}",
        ran.err
    );
    insta::assert_snapshot!(ran.err.lines().last().unwrap_or_default(), @r"and 152 more: `--json` tells all");
    insta::assert_snapshot!(ran.out, @r"a.chatmd: 203 blocks, a law that does not load, 0 tools");
    let json = story.run(&["chatmd", "check", "a.chatmd", "--json"]).json();
    assert!(json["findings"].as_array().unwrap().len() > 200);
    assert_eq!(json["law_reads"], false);
}

/// A place is counted from the one before: a document of one line takes no longer than another.
#[test]
fn columns_count_characters_wherever_a_line_is_long() {
    let story = with("<user>é</user><assistant>ö</assistant> <user>\nx</user><user/>");
    insta::assert_snapshot!(story.run(&["chatmd", "parse", "a.chatmd"]).out, @r#"
     1:1  #1 user  "é"
    1:15  #2 assistant  "ö"
    1:40  #3 user  "x"
     2:9  #4 user
    "#);
    let long = "<user>é</user>".repeat(20_000);
    let story = with(&long);
    let out = story.run(&["chatmd", "parse", "a.chatmd"]).out;
    assert!(
        out.lines().last().unwrap_or_default().trim_start().starts_with("1:279987 "),
        "{}",
        out.lines().last().unwrap_or_default()
    );
}

#[test]
fn fmt_rewrites_and_says_the_same() {
    let story = with("<config   model='m'/><user>hi</user>");
    assert_eq!(story.run(&["chatmd", "fmt", "--check", "a.chatmd"]).code, 1);
    assert_eq!(story.read("a.chatmd"), "<config   model='m'/><user>hi</user>");
    assert_eq!(story.run(&["chatmd", "fmt", "a.chatmd"]).code, 0);
    assert_eq!(story.read("a.chatmd"), "<config model=\"m\"/>\n<user>\nhi\n</user>\n");
    assert_eq!(story.run(&["chatmd", "fmt", "--check", "a.chatmd"]).code, 0);
    let broken = with("<user>hi\n<assistant>ho</assistant>\n");
    let ran = broken.run(&["chatmd", "fmt", "a.chatmd"]);
    assert_eq!((ran.code, broken.read("a.chatmd").as_str()), (2, "<user>hi\n<assistant>ho</assistant>\n"));
    insta::assert_snapshot!(ran.err, @r"
    error[E0260]: `<user>` is never closed: nothing was done
     --> a.chatmd:1:1
      |
    1 | <user>hi
      | ^^^^^^
      = help: close it; it was read up to the next element that starts a line
    warning[E0232]: the document does not read as it was meant
     --> a.chatmd
     = help: mend what is told about it; it was left as it stands
    ");
}

#[test]
fn render_writes_a_page() {
    let story = with(SESSION);
    let page = story.run(&["chatmd", "render", "a.chatmd"]);
    assert_eq!(page.code, 0, "{}", page.err);
    assert!(page.out.starts_with("<!doctype html>") && page.out.contains("a.chatmd:4:3"));
    assert_eq!(story.run(&["chatmd", "render", "a.chatmd", "--out", "a.html"]).code, 0);
    assert_eq!(story.read("a.html"), page.out);
    assert_eq!(story.run(&["chatmd", "render", "a.chatmd", "--out", "a.chatmd"]).code, 2);
    assert_eq!(story.read("a.chatmd"), SESSION);
    let missing = story.run(&["chatmd", "render", "b.chatmd"]);
    assert_eq!((missing.code, missing.out.as_str()), (2, ""));
}

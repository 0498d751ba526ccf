//! A session, as it is read.

use mentci_chatmd::Document;
use mentci_page::rules_named;
use mentci_source::Source;

use super::{SESSION, is_clean, rendered};

/// The words of a page without its tags.
fn words(html: &str) -> String {
    let body = html.split_once("<body>").unwrap().1;
    let texts = body.split('<').skip(1).filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim());
    let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    texts
        .join("\n")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

#[test]
fn a_session_in_words() {
    let html = rendered(SESSION);
    is_clean(&html);
    insta::assert_snapshot!(words(&html), @r#"
    Skip to the transcript
    Transcript
    sema.chatmd
    model
    example-large
    budget
    8,000 tokens
    reply
    up to 2,048 tokens
    temperature
    0
    reasoning
    medium
    2
    exchanges
    4
    turns of the model
    4
    tool calls
    2
    denied
    7
    blocks by rules
    1
    compaction
    Exchanges
    Where is the lexer, and how does it read ?
    Deploy it.
    Before the first exchange
    Settings
    block
    1
    model
    example-large
    budget
    8000
    max_tokens
    2048
    temperature
    0
    reasoning_effort
    medium
    Tool
    read_file
    block
    2
    roots
    .
    Tool
    search
    block
    3
    command
    grep -rn
    Tool
    translate
    block
    4
    agent
    translate.chatmd
    description
    translates a text
    System
    block
    5
    You help with a parser. Answer in few words.
    Rules
    block
    6
    Its text
    <rules>
      <on id="deploy-first-test" event="pre_tool_call" tool="deploy" if="not ever_called('test')">
        <deny reason="run the tests before you deploy"/>
        <insert role="developer">
          Call `test`, and then `deploy` again.
        </insert>
      </on>
      <on id="enrich-search" event="post_tool_response" tool="search" if='event.tool.status == "success"'>
        <call tool="read_file">{"path": "notes/" + arg("query") + ".md"}</call>
      </on>
      <on id="auto-compact" event="turn_end" if="context_tokens > 6000" cooldown_turns="3">
        <compact keep="system,developer,latest:4" strategy="relevance+summary" threshold_tokens="6000"/>
      </on>
      <on id="count-turns" event="turn_start">
        <set var="turns" value="turn_index"/>
      </on>
    </rules>
    Policy
    block
    7
    Its text
    <policy>
      <tool name="translate">
        <validate level="error">
          <check if='arg("target") in ["en", "fr"]' message="to English or French only"/>
        </validate>
      </tool>
    </policy>
    Exchange 1
    User
    block
    8
    Where is the lexer, and how does it read
    doc
    notes/lexer.md
    ?
    Look at `Vec<Token>` & friends.
    set turns
    rule
    count-turns
    at
    turn_start
    =
    1
    Developer
    block
    10
    synthetic
    digest 9f2c41d07be3…
    the model no longer sees this: compaction 25
    Absolute Rules
    1. Never unwrap outside tests.
    2. A finding has a place.
    by rule
    builtin/adaptive-authority
    builtin.yaml:12:3
    - id: adaptive-authority
    Reasoning
    turn 1
    block
    11
    the model no longer sees this: compaction 25
    What it thought
    The lexer is probably in lex.rs; a search says so faster than a guess.
    Tool call
    search
    block
    12
    the model no longer sees this: compaction 25
    {"query":"lexer"}
    ↳
    success
    redacted 1
    text/plain
    14
    20 lines, 1,573 bytes: Components/parser/src/lex.rs:10: pub fn lex(text: &str) -> V…
    Components/parser/src/lex.rs:10: pub fn lex(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/parse.rs:11: pub fn parse(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/lower.rs:12: pub fn lower(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/token.rs:13: pub fn token(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/span.rs:14: pub fn span(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/print.rs:15: pub fn print(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/check.rs:16: pub fn check(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/fold.rs:17: pub fn fold(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/name.rs:18: pub fn name(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/rule.rs:19: pub fn rule(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/tree.rs:20: pub fn tree(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/walk.rs:21: pub fn walk(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/zip.rs:22: pub fn zip(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/quote.rs:23: pub fn quote(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/fence.rs:24: pub fn fence(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/entity.rs:25: pub fn entity(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/tag.rs:26: pub fn tag(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/block.rs:27: pub fn block(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/node.rs:28: pub fn node(text: &str) -> Vec<Token<'_>> {
    Components/parser/src/read.rs:29: pub fn read(text: &str) -> Vec<Token<'_>> {
    whole output: artifact
    b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c
    , 48,211 bytes
    Tool call
    translate
    block
    13
    the model no longer sees this: compaction 25
    {
      "target": "de",
      "text": "The lexer reads one character at a time and never looks back, which is why it is fast."
    }
    ↳
    denied by policy
    15
    to English or French only
    by rule
    translate/validate-1
    sema.chatmd:28:3
    <tool name="translate">
      <validate level="error">
        <check if='arg("target") in ["en", "fr"]' message="to English or French only"/>
      </validate>
    </tool>
    Tool call
    read_file
    block
    16
    synthetic
    the model no longer sees this: compaction 25
    {"path":"notes/lexer.md"}
    ↳
    success
    17
    The lexer is one pass over bytes.
    by rule
    enrich-search
    sema.chatmd:17:3
    <on id="enrich-search" event="post_tool_response" tool="search" if='event.tool.status == "success"'>
      <call tool="read_file">{"path": "notes/" + arg("query") + ".md"}</call>
    </on>
    Assistant
    turn 2
    block
    18
    The lexer is in
    Components/parser/src/lex.rs
    .
    How it reads
    It takes
    one pass
    over the bytes.
    It gives
    Token
    s with spans:
    pub fn lex(text: &str) -> Vec<Token<'_>> { /* … */ }
    part
    where
    tokens
    token.rs
    spans
    span.rs
    See
    the notes
    , not <script>alert("this")</script>.
    Exchange 2
    User
    block
    19
    Deploy it.
    set turns
    rule
    count-turns
    at
    turn_start
    =
    2
    Tool call
    deploy
    turn 3
    block
    21
    {}
    ↳
    denied by policy
    22
    run the tests before you deploy
    by rule
    deploy-first-test
    sema.chatmd:11:3
    <on id="deploy-first-test" event="pre_tool_call" tool="deploy" if="not ever_called('test')">
      <deny reason="run the tests before you deploy"/>
      <insert role="developer">
        Call `test`, and then `deploy` again.
      </insert>
    </on>
    Developer
    block
    23
    synthetic
    Call `test`, and then `deploy` again.
    by rule
    deploy-first-test
    sema.chatmd:11:3
    <on id="deploy-first-test" event="pre_tool_call" tool="deploy" if="not ever_called('test')">
      <deny reason="run the tests before you deploy"/>
      <insert role="developer">
        Call `test`, and then `deploy` again.
      </insert>
    </on>
    Assistant
    turn 4
    block
    24
    The tests must run first. Shall I?
    Compaction
    block
    25
    synthetic
    8 blocks are hidden from the model (10-17); 7,412 tokens became 2,190. Nothing was deleted.
    strategy relevance+summary · keep system,developer,latest:4
    The lexer is in `lex.rs`; it is one pass over bytes. The notes were read.
    by rule
    auto-compact
    sema.chatmd:20:3
    <on id="auto-compact" event="turn_end" if="context_tokens > 6000" cooldown_turns="3">
      <compact keep="system,developer,latest:4" strategy="relevance+summary" threshold_tokens="6000"/>
    </on>
    suppressed: cooldown
    rule
    old-rule
    at
    turn_end
    fault
    rule
    deploy-first-test
    at
    turn_end
    `context.user` is not there
    refused
    rule
    ask-first
    Note
    block
    29
    limit
    The run ended: 8 of 8 turns.
    Rules that acted
    ask-first
    not found in this document or the workspace · acted at
    28
    auto-compact
    sema.chatmd:20:3 · acted at
    25
    <on id="auto-compact" event="turn_end" if="context_tokens > 6000" cooldown_turns="3">
      <compact keep="system,developer,latest:4" strategy="relevance+summary" threshold_tokens="6000"/>
    </on>
    builtin/adaptive-authority
    builtin.yaml:12:3 · acted at
    10
    - id: adaptive-authority
    count-turns
    sema.chatmd:23:3 · acted at
    9
    20
    <on id="count-turns" event="turn_start">
      <set var="turns" value="turn_index"/>
    </on>
    deploy-first-test
    sema.chatmd:11:3 · acted at
    21
    23
    27
    <on id="deploy-first-test" event="pre_tool_call" tool="deploy" if="not ever_called('test')">
      <deny reason="run the tests before you deploy"/>
      <insert role="developer">
        Call `test`, and then `deploy` again.
      </insert>
    </on>
    enrich-search
    sema.chatmd:17:3 · acted at
    16
    16
    <on id="enrich-search" event="post_tool_response" tool="search" if='event.tool.status == "success"'>
      <call tool="read_file">{"path": "notes/" + arg("query") + ".md"}</call>
    </on>
    old-rule
    not found in this document or the workspace · acted at
    26
    translate/validate-1
    sema.chatmd:28:3 · acted at
    13
    <tool name="translate">
      <validate level="error">
        <check if='arg("target") in ["en", "fr"]' message="to English or French only"/>
      </validate>
    </tool>
    Made by
    policy-engine chatmd render
    . Every block stands in the file; the numbers count its blocks.
    "#);
}

#[test]
fn one_file_that_fetches_nothing() {
    let html = rendered(SESSION);
    for outside in ["<script", "<link", "<img", "<iframe", "@import", "url(", "src="] {
        let style = html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
        assert!(!style.contains(outside), "{outside} in the style");
        assert!(!html.replace("&quot;", "\"").contains(&format!("<{outside}")), "{outside}");
    }
    assert!(html.contains("default-src 'none'"));
    assert_eq!(rendered(SESSION), html);
}

#[test]
fn a_rule_that_is_nowhere_is_said_to_be() {
    let html = rendered("<user synthetic=\"true\" via_rule=\"gone\">x</user>");
    assert!(html.contains("not found"));
    let session = Document::read(&Source::new("a", SESSION)).value;
    let names: Vec<&str> = rules_named(&session).into_keys().collect();
    assert_eq!(
        names,
        [
            "ask-first",
            "auto-compact",
            "builtin/adaptive-authority",
            "count-turns",
            "deploy-first-test",
            "enrich-search",
            "old-rule",
            "translate/validate-1"
        ]
    );
}

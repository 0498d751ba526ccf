//! Caps of tokens and money.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::sync::Arc;

use mentci_authority::{ChatMessage, Model, ModelFailureKind, ModelRequest};
use mentci_model::{Caps, Purse, Script, ScriptedModel, Spending, block_on};
use mentci_source::Source;

/// Asks again and again until the cap says no: how often, and its words.
fn until_capped(caps: Caps, max_tokens: Option<u64>) -> (usize, String) {
    let text = "{\"when\": [\"hi\"], \"text\": \"x\", \"usage\": {\"input\": 100, \"output\": 50}}";
    let script = Script::read(&Source::new("s.jsonl", text)).unwrap();
    let model = ScriptedModel::new(script, 0).paid_from(Purse::new(caps, Arc::new(Spending::default())));
    let messages = vec![ChatMessage::said("user", "hi")];
    let request = ModelRequest { messages, max_tokens, ..ModelRequest::default() };
    for asked in 0..1_000 {
        let mut ear = |_: mentci_authority::ModelPiece<'_>| {};
        if let Err(failure) = block_on(model.ask(&request, &mut ear)).unwrap() {
            assert_eq!((failure.kind, failure.tries), (ModelFailureKind::Capped, 0));
            return (asked, failure.message);
        }
    }
    panic!("no cap held")
}

#[test]
fn a_cap_ends_a_run() {
    let tokens = Caps { tokens: Some(400), ..Caps::default() };
    let (asked, words) = until_capped(tokens, None);
    assert_eq!(asked, 3);
    insta::assert_snapshot!(words, @r"the cap of 400 tokens is reached: 450 are spent or set aside, and this request may take 3");
    // What an answer may take is set aside.
    assert_eq!(until_capped(tokens, Some(120)).0, 2);
    let cost = Caps { cost: Some(0.001), price_input: 2.0, price_output: 4.0, ..Caps::default() };
    let (asked, words) = until_capped(cost, None);
    assert_eq!(asked, 3);
    insta::assert_snapshot!(words, @r"the cap of 0.001 is reached: 0.0012 is spent or set aside, and this request may cost 0.0000");
}

/// A provider may count what it likes: its numbers stop at the largest there is, and the cap says no to the next request.
#[test]
fn a_count_beyond_all_numbers_reaches_a_cap() {
    let most = u64::MAX;
    let text = format!(
        "{{\"when\": [\"hi\"], \"text\": \"x\", \"usage\": {{\"input\": {most}, \"output\": {most}}}}}"
    );
    let script = Script::read(&Source::new("s.jsonl", &text)).unwrap();
    let caps = Caps { tokens: Some(400), ..Caps::default() };
    let model = ScriptedModel::new(script, 0).paid_from(Purse::new(caps, Arc::new(Spending::default())));
    let messages = vec![ChatMessage::said("user", "hi")];
    let request = ModelRequest { messages, ..ModelRequest::default() };
    let mut ear = |_: mentci_authority::ModelPiece<'_>| {};
    let reply = block_on(model.ask(&request, &mut ear)).unwrap().unwrap();
    assert_eq!((reply.usage.total(), reply.usage.and(reply.usage).input), (most, most));
    let mut ear = |_: mentci_authority::ModelPiece<'_>| {};
    let failure = block_on(model.ask(&request, &mut ear)).unwrap().unwrap_err();
    insta::assert_snapshot!(failure.message, @r"the cap of 400 tokens is reached: 18446744073709551615 are spent or set aside, and this request may take 3");
}

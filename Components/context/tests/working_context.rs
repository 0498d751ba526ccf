//! What a model is sent.

mod log;

use log::{answer, assistant, call, lines, recount, say, session, user};
use mentci_context::{CompileConfig, CompileError, ContextCompiler, SessionEventKind};
use mentci_tokens::Bytes;
use serde_json::json;

fn compile(session: &mentci_context::Session, config: &CompileConfig) -> mentci_context::Compiled {
    ContextCompiler::new().compile(session, config).expect("it fits")
}

#[test]
fn budget_checking() {
    let mut session = session();
    user(&mut session, "What stands in the file?");
    let mut context = compile(&session, &CompileConfig::new(1_000)).context;
    assert!(context.is_within_budget());
    assert_eq!((context.overflow(), context.token_count), (0, 24 + 4 + 3));
    context.budget = 30;
    assert_eq!((context.is_within_budget(), context.overflow()), (false, 1));
}

#[test]
fn to_messages_formatting() {
    let mut session = session();
    user(&mut session, "  What is there? ");
    assistant(&mut session, "I look.");
    call(&mut session, "c1");
    call(&mut session, "c2");
    answer(&mut session, "c1", "a </data> b");
    say(
        &mut session,
        SessionEventKind::ToolError,
        json!({"call_id": "c2", "tool": "exec", "error": "no such file"}),
    );
    say(&mut session, SessionEventKind::MemoryHit, json!({"source": "notes", "text": "it moved"}));
    call(&mut session, "c3");
    let config = CompileConfig { system_prompt: "Be brief.".into(), ..CompileConfig::new(2_000) };
    let messages = compile(&session, &config).context.to_messages();
    insta::assert_snapshot!(lines(&messages), @r#"
    system: Be brief.
    user: What is there?
    assistant c1({"command":"ls"}) c2({"command":"ls"}): I look.
    tool [c1]: <data from="tool:exec">
    a <\/data> b
    </data>
    tool [c2]: <data from="tool:exec" status="error">
    no such file
    </data>
    user: <data from="memory:notes">
    it moved
    </data>
    assistant c3({"command":"ls"}): -
    tool [c3]: <data from="tool:exec">
    no answer yet
    </data>
    "#);
    let wire = serde_json::to_value(&messages[2]).unwrap();
    assert_eq!(wire["tool_calls"][0]["type"], "function");
    assert_eq!(wire["tool_calls"][0]["function"]["arguments"], r#"{"command":"ls"}"#);
    let back: mentci_authority::ChatMessage = serde_json::from_value(wire).unwrap();
    assert_eq!(back, messages[2]);
}

#[test]
fn what_is_counted_is_what_is_sent() {
    let mut session = session();
    user(&mut session, "one");
    user(&mut session, "two");
    call(&mut session, "c1");
    answer(&mut session, "c1", &"line of text\n".repeat(200));
    let config = CompileConfig { system_prompt: "Be brief.".into(), ..CompileConfig::new(4_000) };
    let context = compile(&session, &config).context;
    assert_eq!(recount(&context.to_messages(), &Bytes), context.token_count);
    let tools = vec![json!({"name": "exec"})];
    let with_tools = compile(&session, &CompileConfig { tools, ..config }).context;
    assert_eq!(with_tools.token_count, context.token_count + 15 + 8);
}

#[test]
fn budgets_that_cannot_hold_are_errors_that_say_by_how_much() {
    let mut session = session();
    user(&mut session, &"x".repeat(100));
    let error = |config: &CompileConfig| ContextCompiler::new().compile(&session, config).unwrap_err();
    assert_eq!(error(&CompileConfig::new(0)), CompileError::NoBudget);
    let large = error(&CompileConfig::new(1)).to_string();
    assert!(large.ends_with("(user_input) takes 104 tokens, 103 more than the budget of 1"), "{large}");
    let prompt = CompileConfig { system_prompt: "y".repeat(50), ..CompileConfig::new(120) };
    let CompileError::OverBudget { over_by, what, .. } = error(&prompt) else { panic!("it does not fit") };
    assert_eq!(over_by, 104 + 54 + 3 - 120);
    assert_eq!(what.iter().map(|part| part.tokens).collect::<Vec<_>>(), [104, 54, 3]);
    let exact = CompileConfig { budget: 161, ..prompt.clone() };
    assert!(ContextCompiler::new().compile(&session, &exact).is_ok());
    let unknown = CompileConfig { processors: vec!["compacter".into()], ..prompt };
    assert!(
        error(&unknown)
            .to_string()
            .starts_with("no processor is called `compacter`; there are `artifact_attacher`")
    );
}

/// What the developer says in the midst stands between tags, because many models take it in a user's message alone: it is sent
/// as it is shown, and counted as it is sent.
#[test]
fn what_is_said_in_the_midst_is_counted_with_its_tags() {
    let mut session = session();
    let note = |text: &str| json!({"role": "developer", "text": text});
    say(&mut session, SessionEventKind::UserInput, note("Be brief."));
    user(&mut session, "Hello");
    for at in 0..60 {
        say(&mut session, SessionEventKind::UserInput, note(&format!("Mind rule {at}.")));
        assistant(&mut session, "Yes.");
    }
    let whole = compile(&session, &CompileConfig::new(100_000)).context;
    let messages = whole.to_messages();
    insta::assert_snapshot!(lines(&messages[..5]), @r"
    developer: Be brief.
    user: Hello
    developer: <developer>
    Mind rule 0.
    </developer>
    assistant: Yes.
    developer: <developer>
    Mind rule 1.
    </developer>
    ");
    assert_eq!(recount(&messages, &Bytes), whole.token_count);
    // It fits exactly, and not a token less.
    assert!(ContextCompiler::new().compile(&session, &CompileConfig::new(whole.token_count)).is_ok());
    let pinned: u64 = whole.token_count - 60;
    let over = ContextCompiler::new().compile(&session, &CompileConfig::new(pinned / 2));
    assert!(matches!(over, Err(CompileError::OverBudget { .. })), "{over:?}");
}

/// White space says nothing: no message of it is sent.
#[test]
fn white_space_is_no_message() {
    let mut session = session();
    user(&mut session, "\n\n");
    user(&mut session, "Hello");
    assistant(&mut session, " \t");
    say(&mut session, SessionEventKind::UserInput, json!({"role": "developer", "text": " "}));
    say(&mut session, SessionEventKind::MemoryHit, json!({"source": "notes", "text": "\n"}));
    let messages = compile(&session, &CompileConfig::new(1_000)).context.to_messages();
    insta::assert_snapshot!(lines(&messages), @"user: Hello");
}

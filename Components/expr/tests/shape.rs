//! Laws of text: it reads, prints, reads again as the same; bad text ends well.

use mentci_expr::{
    ArithmeticOp, Budget, Comparison, Compiled, Expr, FUNCTIONS, FaultKind, JsonFacts, MAX_DEPTH, MAX_SOURCE,
    Node, Outcome, Quantifier, Schema, Type, UnaryOp, check, evaluate, parse, trace,
};
use mentci_source::Span;
use proptest::prelude::*;

fn leaf() -> impl Strategy<Value = Node> {
    prop_oneof![
        Just(Node::Null),
        any::<bool>().prop_map(Node::Bool),
        any::<i64>().prop_map(Node::Int),
        Just(Node::Int(i64::MIN)),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Node::Float),
        any::<String>().prop_map(Node::Text),
        "[a-z_][a-z0-9_]{0,6}"
            .prop_filter("a name", |name| parse(name).expr.is_some_and(|e| matches!(e.node(), Node::Name(_))))
            .prop_map(Node::Name),
    ]
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

fn built(node: Node) -> Expr {
    Expr::new(node, Span::default())
}

fn comparison() -> impl Strategy<Value = Comparison> {
    use Comparison as C;
    prop::sample::select(vec![
        C::Equal,
        C::NotEqual,
        C::Less,
        C::LessOrEqual,
        C::Greater,
        C::GreaterOrEqual,
        C::In,
        C::NotIn,
        C::Is,
        C::IsNot,
    ])
}

fn arithmetic() -> impl Strategy<Value = ArithmeticOp> {
    use ArithmeticOp as A;
    prop::sample::select(vec![A::Add, A::Subtract, A::Multiply, A::Divide, A::Remainder])
}

fn quantifier() -> impl Strategy<Value = Quantifier> {
    prop::sample::select(vec![Quantifier::Any, Quantifier::All, Quantifier::Each])
}

fn expr() -> impl Strategy<Value = Expr> {
    leaf().prop_map(built).prop_recursive(6, 48, 4, |inner| {
        let one = || inner.clone().prop_map(boxed);
        let some = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            some.clone().prop_map(Node::List),
            prop::collection::vec((any::<String>(), inner.clone()), 0..3).prop_map(Node::Map),
            (one(), "[a-z.]{1,4}|not|in").prop_map(|(e, field)| Node::Field(e, field)),
            (one(), one()).prop_map(|(e, key)| Node::Index(e, key)),
            (prop::sample::select(FUNCTIONS), some.clone()).prop_map(|(f, a)| Node::Call(f, a)),
            one().prop_map(|e| Node::Unary(UnaryOp::Not, e)),
            one().prop_map(|e| Node::Unary(UnaryOp::Minus, e)),
            (one(), prop::collection::vec((arithmetic(), inner.clone()), 0..4))
                .prop_map(|(first, rest)| Node::Arithmetic(first, rest)),
            (one(), prop::collection::vec((comparison(), inner.clone()), 0..3))
                .prop_map(|(l, r)| Node::Compare(l, r)),
            some.clone().prop_map(Node::And),
            some.prop_map(Node::Or),
            (one(), one(), one()).prop_map(|(condition, then, otherwise)| Node::If {
                condition,
                then,
                otherwise
            }),
            (quantifier(), one(), "[xyz]", one(), prop::option::of(one())).prop_map(
                |(quantifier, body, variable, list, filter)| Node::For {
                    quantifier,
                    body,
                    variable,
                    list,
                    filter
                }
            ),
        ]
        .prop_map(built)
    })
}

proptest! {
    #[test]
    fn what_is_printed_reads_as_the_same(expr in expr()) {
        let text = expr.to_string();
        let parsed = parse(&text);
        prop_assert!(parsed.problems.is_empty(), "{text}: {:?}", parsed.problems);
        prop_assert_eq!(parsed.expr, Some(expr), "{}", text);
    }

    #[test]
    fn any_expression_ends_in_a_value_or_a_fault(expr in expr()) {
        let facts = serde_json::json!({"x": [1, 2], "y": "text", "event": {"tool": {"args": {"a": [null, 1.5]}}}});
        let facts = JsonFacts::new(&facts);
        let value = evaluate(&Compiled::new(&expr), &facts, &mut Budget::new(10_000)).map(|value| value.to_json());
        let outcome = value.map_or_else(Outcome::Fault, Outcome::Value);
        if !matches!(&outcome, Outcome::Fault(fault) if fault.kind == FaultKind::Budget) {
            prop_assert_eq!(trace(&expr, &facts).outcome, outcome);
        }
        check(&expr, &Schema::guard());
    }

    #[test]
    fn any_text_ends_well(text in any::<String>()) {
        let parsed = parse(&text);
        prop_assert_eq!(parsed.expr.is_some(), parsed.problems.is_empty());
    }

    #[test]
    fn any_words_end_well(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        let text = words.join(" ");
        let parsed = parse(&text);
        prop_assert_eq!(parsed.expr.is_some(), parsed.problems.is_empty());
        if let Some(expr) = parsed.expr {
            prop_assert_eq!(parse(&expr.to_string()).expr, Some(expr), "{}", text);
        }
    }
}

const WORDS: &[&str] = &[
    "a", "1", "2.5", "'x'", "(", ")", "[", "]", "{", "}", ",", ":", ".", "+", "-", "*", "==", "<", "and",
    "or", "not", "in", "is", "if", "else", "for", "x", "any", "len", "null", "\"", "$",
];

#[test]
fn one_meaning_has_one_tree() {
    for (left, right) in [
        ("(a and b) and c", "a and (b and c)"),
        ("a['b']", "a.b"),
        ("-(5)", "-5"),
        ("{'b': 1, 'a': 2}", "{'a': 2, 'b': 1}"),
        ("True is not None", "true is not null"),
        ("context.state.get('k')", "state.get('k')"),
        ("'\\u0041'", "\"A\""),
    ] {
        assert_eq!(parse(left).expr, parse(right).expr, "{left} | {right}");
        assert!(parse(left).expr.is_some(), "{left}");
    }
    assert_ne!(parse("1").expr, parse("1.0").expr);
    assert_ne!(parse("a or b").expr, parse("b or a").expr);
}

#[test]
fn an_expression_travels_as_its_text() {
    let expr = parse("any(t.name=='x' for t in history.tools if not t.ok) or 1<2<3").expr.unwrap();
    let json = serde_json::to_string(&expr).unwrap();
    assert_eq!(json, r#""any(t.name == \"x\" for t in history.tools if not t.ok) or 1 < 2 < 3""#);
    assert_eq!(serde_json::from_str::<Expr>(&json).unwrap(), expr);
    assert!(serde_json::from_str::<Expr>("\"a ==\"").is_err());
}

#[test]
fn worst_cases_end_at_once() {
    for text in [
        "(".repeat(60_000),
        "[".repeat(60_000),
        "{'a':".repeat(10_000),
        "not ".repeat(15_000),
        "- ".repeat(30_000),
        "a.".repeat(30_000),
        "a[".repeat(30_000),
        "abs(".repeat(15_000),
        "1 if ".repeat(12_000),
        "1 + ".repeat(15_000),
        "a if b else ".repeat(5_000),
        "(]".repeat(30_000),
        "a ".repeat(30_000),
        ", ".repeat(30_000),
        "> ".repeat(30_000),
        "'".repeat(60_001),
        "\\".repeat(60_000),
        "$".repeat(60_000),
        "a < ".repeat(15_000),
        "any(x for x in ".repeat(4_000),
        "(".repeat(100_000),
        "x".repeat(MAX_SOURCE + 1),
        "f(".repeat(30_000),
        "[1 2".repeat(12_000),
    ] {
        let parsed = parse(&text);
        assert!(parsed.expr.is_none(), "{}", &text[..20]);
        assert!((1..=20).contains(&parsed.problems.len()), "{}: {}", &text[..20], parsed.problems.len());
    }
    let long = vec!["turn_index > 5"; 3_500].join(" or ");
    assert!(parse(&long).expr.is_some());
}

#[test]
fn a_chain_is_flat_however_long_it_is() {
    let facts = serde_json::json!({"turn_index": 2});
    let facts = JsonFacts::new(&facts);
    for (text, value) in [
        (vec!["1"; 97].join("+"), 97.0),
        (vec!["turn_index"; 5_000].join(" - "), -9_996.0),
        (format!("2{}", " * 3 / 3".repeat(2_000)), 2.0),
        (format!("1{}", " + 2 * 3 * 4 - 24".repeat(2_000)), 1.0),
    ] {
        let expr = parse(&text).expr.expect("a chain is not deep");
        let read = parse(&expr.to_string()).expr;
        assert_eq!(read.as_ref(), Some(&expr));
        let told =
            evaluate(&Compiled::new(&expr), &facts, &mut Budget::default()).map(|value| value.to_json());
        assert_eq!(told.unwrap().as_f64(), Some(value));
        assert_eq!(check(&expr, &Schema::of(Type::Any)), Vec::new());
    }
}

#[test]
fn chains_count_from_the_left_and_are_one_however_they_are_built() {
    let same = |one: &str, other: &str| parse(one).expr.unwrap() == parse(other).expr.unwrap();
    assert!(same("(a - b) - c + d", "a - b - c + d"));
    assert!(same("((a * b) / c) % d", "a * b / c % d"));
    assert!(!same("a - (b - c)", "a - b - c"));
    assert!(!same("a + (b + c)", "a + b + c"));
    let canonical = |text: &str| parse(text).expr.unwrap().to_string();
    assert_eq!(canonical("(a*b)-(c%d)+(e-f)*2"), "a * b - c % d + (e - f) * 2");
    assert_eq!(canonical("(a+b)*(c*d)"), "(a + b) * (c * d)");
}

#[test]
fn the_deepest_evaluates() {
    let facts = serde_json::json!({});
    for text in [
        format!("{}1{}", "abs(".repeat(90), ")".repeat(90)),
        format!("{}true{}", "not (".repeat(45), ")".repeat(45)),
        format!("{}1{}", "[".repeat(90), ", turn_index]".repeat(90)),
        format!("{}[1]{}", "[x for x in ".repeat(40), "]".repeat(40)),
        format!("{}1", "1 + ".repeat(90)),
    ] {
        let expr = parse(&text).expr.expect("it is within the bounds");
        let (program, facts) = (Compiled::new(&expr), JsonFacts::new(&facts));
        let value = evaluate(&program, &facts, &mut Budget::default());
        assert!(value.is_ok(), "{text}: {value:?}");
        assert!(check(&expr, &Schema::of(Type::Any)).is_empty(), "{text}");
    }
}

#[test]
fn depth_is_bounded_however_it_is_built() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&nested(MAX_DEPTH - 1)).expr.is_some());
    assert!(parse(&nested(MAX_DEPTH)).expr.is_none());
    let mut expr = Expr::from(1);
    for _ in 0..100_000 {
        expr = Expr::new(Node::List(vec![expr]), Span::default());
    }
    assert!(expr.clone().to_string().len() < 1_000);
}

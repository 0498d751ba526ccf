//! Cap'n Proto schemas: shapes, doc comments, faults with their places, and every byte accounted for.
#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use mentci_reader::capnp::{self, Body, MemberKind, Schema, Subject, TypeKind};
use mentci_source::{Code, Reading, Source};
use proptest::prelude::*;

const RICH: &str = include_str!("fixtures/rich.capnp.txt");

fn read(text: &str) -> Reading<Schema> {
    capnp::read(&Source::new("a.capnp", text))
}

/// The schema of `text`, which has no fault; it may name types that it does not declare.
fn schema(text: &str) -> Schema {
    let Reading { value, mut findings } = read(text);
    findings.retain(|finding| finding.code != Code::CAPNP_UNKNOWN_TYPE);
    assert_eq!(findings, [], "{text}");
    value
}

/// The findings of `text`, one a paragraph, and the shapes that were read all the same.
fn faults(text: &str) -> String {
    let reading = read(text);
    let findings: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    format!("{}\n--\n{}", findings.join("\n"), reading.value.shape())
}

#[test]
fn a_type_is_one_line() {
    insta::assert_snapshot!(schema(RICH).shape(), @r#"
    annotation label(*):Text
    const limit:UInt32=0x10
    const names:List(Text)=["a", "b;}"]
    Outer{id:UInt64=5, inner:Inner, union(nothing:Void|text:Text="x"|both:group{left:Int8, right:List(List(Inner))}), choice:union(yes:Bool=true|no:Float64=-1.5e-3)}
    Outer.Inner{color:Color=green, struct:Text, union:Text, enum:Inner}
    Outer.Inner.Color(red|green|blue)
    Map(Key, Value){entries:List(Entry)}
    Map.Entry{key:Key, value:Value}
    Empty{}
    Base.ping()->()
    Daemon extends(Base).status(verbose:Bool=false, map:Map(Text, Outer))->(status:Outer.Inner), .save Outer->Empty, .make[T](of:T)->(made:T), .quiet(cap:Base)
    "#);
}

#[test]
fn every_way_to_write_a_declaration_is_read() {
    let cases = [
        ("interface A { a @0 (x :Data) -> stream; }", "A.a(x:Data)->stream"),
        ("interface A { a @0 () -> (); b @1 P -> R; }", "A.a()->(), .b P->R"),
        (
            "interface A { a @0 (x :Int8 = -3, y :List(Int8) = [1, 2]); }",
            "A.a(x:Int8=-3, y:List(Int8)=[1, 2])",
        ),
        ("interface A(T) extends(B, C(T)) {}", "A(T) extends(B, C(T)){}"),
        ("struct A { x @0 :import \"b.capnp\".B(Text).C; }", "A{x:B(Text).C}"),
        ("struct A { x @0 :.B.C = (y = 1, z = [(q = \"})\")]); }", "A{x:B.C=(y = 1, z = [(q = \"})\")])}"),
        ("struct A @0xf000000000000001 (T) $a $b.c(1) {}", "A(T){}"),
        (
            "struct A { union @3 { a @0 :Void; b @1 :Bool; } u @2 :union $a { c @4 :Void; d @5 :Void; } }",
            "A{union(a:Void|b:Bool), u:union(c:Void|d:Void)}",
        ),
        (
            "struct A { group @0 :Text; union @1 :Text; using @2 :Text; const @3 :group; }",
            "A{group:Text, union:Text, using:Text, const:group}",
        ),
        (
            "const a :Data = 0x\"ab cd\"; const b :Float32 = -inf; const c :Text = embed \"f\";",
            "const a:Data=0x\"ab cd\"\nconst b:Float32=-inf\nconst c:Text=embed \"f\"",
        ),
        (
            "annotation a (field, enumerant) :Void; annotation b(*):Text;",
            "annotation a(field, enumerant):Void\nannotation b(*):Text",
        ),
        ("enum E { a @0; b @1 $x(\"y\"); }", "E(a|b)"),
        ("struct A { x @0 :Text = \"a long default that would only fill the digest\"; }", "A{x:Text}"),
        ("using A = import \"/a.capnp\"; using import \"/b.capnp\".B; using .C.D;", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(schema(text).shape().trim_end(), expected, "{text}");
    }
}

#[test]
fn facts_carry_ids_imports_kinds_and_members() {
    let found = schema(
        "@0x10;\nusing import \"/b.capnp\".B;\nstruct A { x @0 :B; union { y @1 :import \"c.capnp\".C; } }\nenum E { a @0; }",
    );
    assert_eq!(found.id, Some(16));
    assert_eq!(found.imports, ["/b.capnp", "c.capnp"]);
    assert_eq!(found.types[0].members, ["x", "y"]);
    assert_eq!(found.types[1].kind, TypeKind::Enum);
    assert_eq!(found.declarations[0].name, "B");
}

#[test]
fn doc_comments_follow_what_they_document() {
    let found = schema(RICH);
    let outer = found.declarations.iter().find(|declaration| declaration.name == "Outer").unwrap();
    assert_eq!(outer.docs.text, "The outer one.\n\nSecond paragraph.\n");
    let Body::Struct(members) = &outer.body else { panic!("a struct") };
    assert_eq!(members[0].docs.text, "Behind the field.\n");
    let MemberKind::Union(inner) = &members[2].kind else { panic!("a union") };
    assert_eq!(inner[2].docs.text, "A group.\n");
    let empty = found.declarations.iter().find(|declaration| declaration.name == "Empty").unwrap();
    assert_eq!(empty.docs.text, "Late words are taken.\n");
    let text = "struct A {}\n\n# A line between: this documents nothing.\nstruct B {}";
    assert_eq!(schema(text).declarations[0].docs.text, "");
}

#[test]
fn faults_have_places_and_the_neighbours_stand() {
    let text = "\
struct A { x @0 Text; y @1 :Text }
struct B {
  a @0 :Text
  b :Text;
  c @1 :List(Text;
  d @2 :Text = ;
  struct Inner { z @0 :Bool; }
  %
}
strct C {}
enum E { a; b @1; }
const long :Text = \"open;
interface I { m (x :Text); n @0 (); }
}
struct Last {
";
    insta::assert_snapshot!(faults(text), @r#"
    a.capnp:1:17: warning[E0301]: expected `:`, found `Text`
    a.capnp:1:29: warning[E0301]: this line ends without `;`
      help: put a `;` behind its last word
    a.capnp:3:9: warning[E0301]: this line ends without `;`
      help: put a `;` behind its last word
    a.capnp:4:3: warning[E0301]: the field `b` has no ordinal
      help: number it with the next free `@`, as in `b @0`
    a.capnp:5:18: warning[E0301]: expected `)`, found `;`
    a.capnp:6:16: warning[E0301]: expected a value, found `;`
    a.capnp:8:3: warning[E0301]: expected a field, union or group, found `%`
    a.capnp:10:1: warning[E0301]: expected a declaration, found `strct`
    a.capnp:11:10: warning[E0301]: the enumerant `a` has no ordinal
      help: number it with the next free `@`, as in `a @0`
    a.capnp:12:20: warning[E0301]: this string is not closed on its line
      help: put a `"` behind its last word
    a.capnp:13:15: warning[E0301]: the method `m` has no ordinal
      help: number it with the next free `@`, as in `m @0`
    a.capnp:14:1: warning[E0301]: expected a declaration, found `}`
    a.capnp:15:13: warning[E0301]: `{` is never closed
      help: put a `}` where its block ends
    --
    A{y:Text}
    B{a:Text}
    B.Inner{z:Bool}
    E(b)
    I.n()
    Last{}
    "#);
}

#[test]
fn what_a_scope_gives_twice_is_found() {
    let text = "\
struct A { x @0 :Text; x @1 :Text; y @1 :Text; union { x @2 :Void; z @3 :Void; } g :group { x @3 :Void; } }
struct A { struct B {} enum B {} }
enum E { a @0; a @0; }
interface I { m @0 (p :Text, p :Text); m @1 (); }
";
    insta::assert_snapshot!(faults(text), @r"
    a.capnp:1:24: warning[E0303]: the name `x` is given here again
      help: it is given first at 1:12
    a.capnp:1:36: warning[E0303]: the ordinal `@1` is given here again
      help: it is given first at 1:24
    a.capnp:1:56: warning[E0303]: the name `x` is given here again
      help: it is given first at 1:12
    a.capnp:1:93: warning[E0303]: the ordinal `@3` is given here again
      help: it is given first at 1:68
    a.capnp:2:8: warning[E0303]: the name `A` is given here again
      help: it is given first at 1:8
    a.capnp:2:29: warning[E0303]: the name `B` is given here again
      help: it is given first at 2:19
    a.capnp:3:16: warning[E0303]: the name `a` is given here again
      help: it is given first at 3:10
    a.capnp:3:16: warning[E0303]: the ordinal `@0` is given here again
      help: it is given first at 3:10
    a.capnp:4:30: warning[E0303]: the name `p` is given here again
      help: it is given first at 4:21
    a.capnp:4:40: warning[E0303]: the name `m` is given here again
      help: it is given first at 4:15
    --
    A{x:Text, x:Text, y:Text, union(x:Void|z:Void), g:group{x:Void}}
    A{}
    A.B{}
    A.B()
    E(a|a)
    I.m(p:Text, p:Text), .m()
    ");
}

#[test]
fn a_type_that_nothing_declares_is_found() {
    let text = "\
using Far = import \"far.capnp\";
using import \"far.capnp\".Near;
struct Holder(T) {
  a @0 :Text; b @1 :List(List(Far.Thing)); c @2 :Near; d @3 :T; e @4 :Inner; f @5 :Txet; g @6 :.Holder(Wrong).Inner;
  struct Inner { deep @0 :List(T); up @1 :Holder; }
}
interface Base { m @0 [U] (a :U) -> Holder; n @1 Missing; }
interface Child extends(Far.Base) { m @0 (a :FromFar); }
";
    insta::assert_snapshot!(faults(text), @r"
    a.capnp:4:84: note[E0304]: no type `Txet` is declared or imported here
      help: did you mean `Text`?
    a.capnp:4:104: note[E0304]: no type `Wrong` is declared or imported here
      help: declare it, or bring it in with `using … = import`
    a.capnp:7:50: note[E0304]: no type `Missing` is declared or imported here
      help: declare it, or bring it in with `using … = import`
    --
    Holder(T){a:Text, b:List(List(Far.Thing)), c:Near, d:T, e:Inner, f:Txet, g:Holder(Wrong).Inner}
    Holder.Inner{deep:List(T), up:Holder}
    Base.m[U](a:U)->Holder, .n Missing
    Child extends(Far.Base).m(a:FromFar)
    ");
    assert_eq!(read(RICH).findings, []);
}

#[test]
fn a_binary_message_is_passed_over() {
    let bytes = [0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0xFF, 0x80];
    let source = Source::decode("a.capnp", &bytes).value;
    let reading = capnp::read(&source);
    insta::assert_snapshot!(reading.findings[0], @r"
    a.capnp:1:1: warning[E0302]: this is a binary message, not a schema
      help: keep messages under another extension, such as `.bin`
    ");
    assert_eq!(reading.findings.len(), 1);
    assert_eq!(reading.value.shape(), "");
}

/// Every byte of `text` that is not blank lies in exactly one piece.
fn assert_accounted(text: &str) {
    let found = read(text).value;
    let mut at = 0;
    for piece in &found.pieces {
        let range = piece.span.range();
        assert!(text[at..range.start].trim().is_empty(), "{:?} in {text:?}", &text[at..range.start]);
        assert!(!range.is_empty());
        if let Subject::Type(index) | Subject::Docs(index) = piece.subject {
            assert!(index < found.types.len());
        }
        at = range.end;
    }
    assert!(text[at..].trim().is_empty(), "{:?} in {text:?}", &text[at..]);
}

#[test]
fn every_byte_belongs_to_something() {
    assert_accounted(RICH);
    let text = "@0x1;\n# head\nstruct A {\n  # doc\n  x @0 :Text;\n  enum B { b @0; }\n}\n\nbad bad;";
    assert_accounted(text);
    let found = read(text).value;
    let pieces: Vec<(&str, &Subject)> =
        found.pieces.iter().map(|piece| (&text[piece.span.range()], &piece.subject)).collect();
    assert_eq!(
        pieces,
        [
            ("@0x1;", &Subject::FileId),
            ("# head", &Subject::Comment),
            ("struct A {", &Subject::Type(0)),
            ("# doc", &Subject::Docs(0)),
            ("x @0 :Text;", &Subject::Type(0)),
            ("enum B { b @0; }", &Subject::Type(1)),
            ("}", &Subject::Type(0)),
            ("bad bad;", &Subject::Unread),
        ]
    );
}

#[test]
fn odd_texts_take_linear_time() {
    let odd = [
        "{",
        "}",
        "(",
        "struct A {",
        "struct ",
        "union {",
        "x @0 :List(",
        "$a(",
        "\"",
        "#",
        "@",
        ";",
        "import \"a\".",
        "const a :A = [",
        "using A.A;",
        "struct A { x @0 :Text; }",
    ];
    for odd in odd {
        let reading = read(&odd.repeat(50_000));
        assert!(reading.findings.len() <= 200, "{odd}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_and_accounted_for(text in any::<String>()) {
        assert_accounted(&text.replace('\0', ""));
    }

    #[test]
    fn words_in_any_order_are_read_and_accounted_for(
        parts in prop::collection::vec(prop::sample::select(
            vec!["struct ", "enum ", "union ", "interface ", "using ", "const ", "annotation ", "import ", "A ", "b ",
                 "@0 ", "@", ":", "=", "{ ", "} ", "(", ")", "[", "]", ";\n", ",", ".", "->", "$a ", "# c\n", "\"s\"",
                 "\"", "1 ", "-", "é", "List(", "extends ", "stream", "`x\n", "\n"]), 0..80)
    ) {
        assert_accounted(&parts.concat());
    }

    #[test]
    fn a_schema_with_a_hole_is_read_and_accounted_for(from in 0..RICH.len(), length in 0..60_usize) {
        let to = (from + length).min(RICH.len());
        assert_accounted(&(RICH[..from].to_owned() + &RICH[to..]));
    }
}

//! The `capnp` compiler agrees with our reader. Skipped, with a note, where it is not installed.
#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]
#![expect(clippy::disallowed_methods, reason = "the oracle is a process that reads a file")]

use std::process::Command;

use mentci_reader::capnp::{self, Body, Declaration, Member, MemberKind, Schema};
use mentci_source::Source;

const RICH: &str = include_str!("fixtures/rich.capnp.txt");

/// The schema as the compiler understands it, written out again; the compiler's complaint when it refuses it.
fn compiled(text: &str) -> Option<Result<String, String>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.capnp"), text).unwrap();
    let run =
        Command::new("capnp").current_dir(folder.path()).args(["compile", "-ocapnp", "a.capnp"]).output();
    let Ok(output) = run else {
        eprintln!("skipped: `capnp` is not installed");
        return None;
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // Its printer writes the old word for `extends`.
    let printed = || text(&output.stdout).replace(" superclasses(", " extends(");
    Some(if output.status.success() { Ok(printed()) } else { Err(text(&output.stderr)) })
}

/// Each type with its members and their types, in any order.
fn outline(schema: &Schema) -> Vec<String> {
    let mut lines = Vec::new();
    collect(&schema.declarations, "", &mut lines);
    lines.sort();
    lines
}

fn collect(declarations: &[Declaration], around: &str, lines: &mut Vec<String>) {
    for declaration in declarations {
        let name = format!("{around}.{}", declaration.name);
        match &declaration.body {
            Body::Struct(list) | Body::Enum(list) => members(&name, list, lines),
            Body::Interface { methods, extends } => {
                lines.extend(extends.iter().map(|parent| format!("{name} extends {parent}")));
                lines.extend(
                    methods.iter().map(|method| format!("{name}.{}@{:?}", method.name, method.ordinal)),
                );
            }
            Body::Const { of, .. } | Body::Annotation { of, .. } => lines.push(format!("{name}:{of}")),
            Body::Using(_) => continue,
        }
        lines.push(format!("{name}({})", declaration.parameters.join(",")));
        collect(&declaration.nested, &name, lines);
    }
}

fn members(around: &str, list: &[Member], lines: &mut Vec<String>) {
    for member in list {
        let name = format!("{around}.{}", member.name);
        match &member.kind {
            MemberKind::Field { of, .. } => lines.push(format!("{name}@{:?}:{of}", member.ordinal)),
            MemberKind::Enumerant => lines.push(format!("{name}@{:?}", member.ordinal)),
            MemberKind::Union(inner) | MemberKind::Group(inner) => {
                members(if member.name.is_empty() { around } else { &name }, inner, lines);
            }
        }
    }
}

#[test]
fn the_compiler_understands_the_same() {
    let Some(printed) = compiled(RICH) else { return };
    let read = |text: &str| capnp::read(&Source::new("a.capnp", text));
    let (ours, theirs) = (read(RICH), read(&printed.unwrap()));
    assert_eq!((ours.findings, theirs.findings), (vec![], vec![]));
    assert_eq!(outline(&ours.value), outline(&theirs.value));
}

#[test]
fn what_the_compiler_refuses_to_parse_we_report() {
    let cases = [
        "struct A { x @0 Text; }",
        "struct A { x @0 :Text }",
        "struct A { x :Text; }",
        "struct A { x @0 :Text = ; }",
        "struct A {",
        "struct A {}}",
        "enum E { a; }",
        "enum E { a @0 :Text; }",
        "struct { }",
        "interface I { m @0 (x); }",
        "interface I { m @0 (x :Text) (y :Text); }",
        "const a = 5;",
        "const a :Text = \"open;",
        "annotation a :Text;",
        "struct A { x @0 :List(Text; }",
        "struct A { x @0 :Text; x @1 :Text; }",
        "struct A { x @0 :Text; y @0 :Text; }",
        "struct A {} struct A {}",
    ];
    for text in cases {
        let Some(theirs) = compiled(&format!("@0xdbb9ad1f14bf0b36;\n{text}")) else { return };
        assert!(theirs.is_err(), "the compiler takes {text}");
        assert!(!capnp::read(&Source::new("a.capnp", text)).findings.is_empty(), "we take {text}");
    }
}

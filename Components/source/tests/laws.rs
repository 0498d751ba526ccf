//! Laws of text, place and code.

use mentci_source::{CODES, Code, Finding, Source, Span};

#[test]
fn codes_are_unique_and_in_order() {
    let ids: Vec<_> = CODES.iter().map(|code| code.id()).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(ids, sorted);
    let mut names: Vec<_> = CODES.iter().map(|code| code.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CODES.len());
}

#[test]
fn a_code_is_found_by_id_and_by_name() {
    assert_eq!(Code::find("e0601"), Some(Code::STALE_REFERENCE));
    assert_eq!(Code::find("stale-reference"), Some(Code::STALE_REFERENCE));
    assert_eq!(Code::find("E9999"), None);
}

#[test]
fn places_count_characters() {
    let source = Source::new("a.md", "one\nzwölf b\r\nend");
    let at = source.text().find('b').expect("b stands there");
    let finding = Finding::new(Code::CONFLICT, "`b` is odd").help("drop it").at(&source, Span::at(at));
    assert_eq!(finding.to_string(), "a.md:2:7: warning[E0602]: `b` is odd\n  help: drop it");
    assert_eq!(source.lines_of(Span::new(0, 5)), (1, 2));
    assert_eq!(source.lines_of(Span::new(0, 4)), (1, 1));
    assert_eq!(source.slice(source.span_of_line(2)), "zwölf b");
    assert_eq!(source.line_count(), 3);
}

#[test]
fn places_in_a_long_line_count_characters_as_in_a_short_one() {
    let line: String = "rope ß→ø 🦀, ".chars().cycle().take(20_011).collect();
    let source = Source::new("a.md", &format!("zwölf\n{line}\n{line}"));
    for (number, column, (at, _)) in [2, 3].into_iter().flat_map(|number| {
        let start = source.span_of_line(number).start as usize;
        let places = line.char_indices().map(move |(at, c)| (start + at, c));
        places.enumerate().map(move |(column, place)| (number, column, place))
    }) {
        let place = source.place(at);
        assert_eq!((place.line, place.column as usize), (number, column + 1), "byte {at}");
    }
}

#[test]
fn decoding_never_fails() {
    let reading = Source::decode("a.md", b"\xEF\xBB\xBFok \xFF\xFE!");
    assert_eq!(reading.value.text(), "ok \u{FFFD}\u{FFFD}!");
    let binary = Source::decode("a.md", b"\x00ELF");
    assert_eq!(
        binary.findings[0].to_string(),
        "a.md:1:1: warning[E0009]: this file holds a NUL byte\n  help: save the law as text; what could be read was read"
    );
    let codes: Vec<_> = reading.findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(codes, ["E0001", "E0002"]);
}

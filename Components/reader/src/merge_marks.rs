//! The marks that git writes into a file that it could not merge.

use mentci_source::{Code, Finding, Source, Span};

/// A finding for each place in which a merge was left unfinished: from `<<<<<<< ` to `>>>>>>> `, both at the margin, or the one of
/// them that stands alone. What stands between them may be anything.
///
/// ```
/// use mentci_reader::unfinished_merges;
/// use mentci_source::Source;
///
/// let source = Source::new("a.capnp", "@0xbf5147cbbecf40c1;\n<<<<<<< HEAD\nstruct A {}\n=======\n>>>>>>> other\n");
/// assert_eq!(unfinished_merges(&source)[0].line, Some(2));
/// assert_eq!(unfinished_merges(&Source::new("b.capnp", "# <<<<<<< is what git writes\n")), []);
/// ```
pub fn unfinished_merges(source: &Source) -> Vec<Finding> {
    conflicts(source.text()).into_iter().map(|conflict| finding(source, conflict)).collect()
}

pub(crate) fn finding(source: &Source, conflict: Span) -> Finding {
    Finding::new(Code::MERGE_CONFLICT, "a merge was left unfinished here")
        .help("keep the lines that hold, and take the marks `<<<<<<<`, `=======` and `>>>>>>>` out")
        .at(source, conflict)
}

pub(crate) fn conflicts(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Option<Span> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mark = Span::new(at, at + line.trim_end().len());
        at += line.len();
        if line.starts_with("<<<<<<< ") {
            found.extend(open.replace(mark));
        } else if line.starts_with(">>>>>>> ") {
            found.push(open.take().map_or(mark, |start| start.join(mark)));
        }
    }
    found.extend(open);
    found
}

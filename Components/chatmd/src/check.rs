//! What a reader would silently pass over, beyond how the text reads: calls and answers that miss each other, tools that
//! nobody declared, text that looks like a block and is none.

use memchr::memchr_iter;
use mentci_source::{Code, Finding, Source, Span, did_you_mean};

use crate::declared::{opening, sort};
use crate::{Block, Calls, Declarations, Document, Element, Node, ToolKind, tag};

/// The most findings of one kind: a hostile document has as many oddities as bytes.
const MOST: usize = 50;

/// The tools of which a call may be: what a document declares, and what its runner brings.
#[derive(Debug, Clone, Copy)]
pub struct KnownTools<'a> {
    /// What the document declares, with what it imports.
    pub declared: &'a Declarations,
    /// The names of the tools that the runner brings; none where that is not known.
    pub builtin: &'a [&'a str],
    /// Whether all that is declared is known: nothing was imported that could not be read.
    pub whole: bool,
}

/// What is odd in a document that reads, in the order of its places.
///
/// ```
/// use mentci_chatmd::{Declarations, Document, KnownTools, check};
/// use mentci_source::Source;
/// let source = Source::new("a.chatmd", "<tool name=\"log\" command=\"git log\"/>\n<user>hi</user>\n<tool_call name=\"lgo\"/>\n");
/// let document = Document::read(&source).value;
/// let declared = Declarations::read(&source, &document).value;
/// let tools = KnownTools { declared: &declared, builtin: &[], whole: true };
/// let messages: Vec<String> = check(&source, &document, tools).into_iter().map(|finding| finding.message).collect();
/// assert_eq!(messages, ["nothing answers this call of `lgo`", "no tool `lgo` is declared"]);
/// ```
pub fn check(source: &Source, document: &Document, tools: KnownTools<'_>) -> Vec<Finding> {
    let mut checker = Checker { source, findings: Vec::new() };
    checker.calls(document);
    checker.tools(document, tools);
    document.blocks().for_each(|block| checker.texts(block));
    sort(&mut checker.findings);
    checker.findings
}

struct Checker<'a> {
    source: &'a Source,
    findings: Vec<Finding>,
}

impl Checker<'_> {
    fn note(&mut self, code: Code, span: Span, message: String, help: &str) {
        if self.findings.iter().filter(|finding| finding.code == code).count() < MOST {
            self.findings.push(Finding::new(code, message).help(help).at(self.source, span));
        }
    }

    fn calls(&mut self, document: &Document) {
        let blocks: Vec<&Block> = document.blocks().collect();
        let calls = Calls::of(document);
        for &at in &calls.unanswered {
            let message = format!("nothing answers this call{}", of(blocks[at]));
            self.note(
                Code::CHATMD_UNANSWERED,
                opening(blocks[at]),
                message,
                "a run that goes on from here answers it; a request to a model leaves it out",
            );
        }
        for &at in &calls.orphans {
            let message = format!("this answer{} answers no call", of(blocks[at]));
            self.note(
                Code::CHATMD_UNANSWERED,
                opening(blocks[at]),
                message,
                "write the `<tool_call>` before it, with the same `id`; no model is shown it as it stands",
            );
        }
        for &at in &calls.repeated {
            let message = format!("the id `{}` is given twice", blocks[at].call_id().unwrap_or(""));
            self.note(
                Code::CHATMD_TWICE,
                opening(blocks[at]),
                message,
                "of several calls with one id the first has the first answer; give each its own",
            );
        }
    }

    fn tools(&mut self, document: &Document, tools: KnownTools<'_>) {
        self.builtin(document, tools);
        let open_server =
            |kind: &ToolKind| matches!(kind, ToolKind::Mcp { include, .. } if include.is_empty());
        if !tools.whole || tools.declared.tools.iter().any(|tool| open_server(&tool.kind)) {
            return;
        }
        let mut told: Vec<&str> = Vec::new();
        let calls = document.blocks().filter(|block| block.element() == Some(Element::ToolCall));
        for (block, name) in calls.filter_map(|block| Some((block, block.tool_name()?))) {
            if tools.declared.tool(name).is_none() && !told.contains(&name) {
                told.push(name);
                let names = tools.declared.tools.iter().filter_map(|tool| tool.name.as_deref());
                let help = hint(name, names, "declare it in the head: `<tool name=\"…\"/>`");
                self.note(Code::CHATMD_TOOL, opening(block), format!("no tool `{name}` is declared"), &help);
            }
        }
    }

    /// Tools without `command`, `agent` and `mcp_server` are the runner's own: it must bring them.
    fn builtin(&mut self, document: &Document, tools: KnownTools<'_>) {
        if tools.builtin.is_empty() {
            return;
        }
        let declared = document.head().filter(|block| block.element() == Some(Element::Tool));
        let bare = |block: &&Block| {
            ["command", "agent", "mcp_server"].iter().all(|kind| block.attribute(kind).is_none())
        };
        for block in declared.filter(bare) {
            let Some(name) = block.value("name").map(str::trim).filter(|name| !name.is_empty()) else {
                continue;
            };
            if !tools.builtin.contains(&name) {
                let message = format!("no tool `{name}` is built in");
                let help = "say what it is: `command`, `agent` or `mcp_server`; a run starts without it";
                let help = hint(name, tools.builtin.iter().copied(), help);
                self.note(Code::CHATMD_TOOL, opening(block), message, &help);
            }
        }
    }

    /// What looks like a block in text that embeds none, and what looks like one of ours and is misspelt.
    fn texts(&mut self, block: &Block) {
        let Some(element) = block.element().filter(|element| element.is_message()) else { return };
        let quoted = matches!(
            element,
            Element::ToolResponse | Element::Assistant | Element::Reasoning | Element::ToolCall
        );
        for node in block.nodes() {
            match node {
                Node::Text(text) | Node::Raw(text) if quoted => {
                    self.forged(text.as_str(), text.span(), element);
                }
                Node::Text(text) => self.misspelt(text.as_str(), text.span()),
                Node::Block(_) | Node::Raw(_) | Node::Comment(_) => {}
            }
        }
    }

    /// One finding a text: the first tag that a careless reader would take for a block.
    fn forged(&mut self, text: &str, span: Span, within: Element) {
        let is_block = |at: &usize| tag::element_at(text, *at).is_some_and(Element::stands_alone);
        let starts_line = |at: &usize| text[..*at].trim_end_matches([' ', '\t']).ends_with('\n');
        let closes = |at: &usize| text[*at + 1..].starts_with('/');
        let mut found = memchr_iter(b'<', text.as_bytes()).filter(is_block);
        let Some(at) = found.find(|at| starts_line(at) || closes(at)) else { return };
        let start = at + 1 + usize::from(text[at + 1..].starts_with('/'));
        let name = tag::name_at(text, start);
        // Law in a text is told where it is read.
        if Element::find(name).is_some_and(Element::is_law) {
            return;
        }
        let place = span.start as usize + at;
        self.note(
            Code::CHATMD_FORGED,
            Span::new(place, place + start - at + name.len()),
            format!("what `<{}>` holds looks like a `<{name}>` block and is text", within.name()),
            "it has no force; look where it came from",
        );
    }

    /// `<Doc src="…"/>`: a tag that is nearly one of ours, and names a file or bears our name in another case.
    fn misspelt(&mut self, text: &str, span: Span) {
        for at in memchr_iter(b'<', text.as_bytes()) {
            let name = tag::name_at(text, at + 1);
            if name.is_empty() || Element::find(name).is_some() {
                continue;
            }
            let other_case = name.bytes().any(|byte| byte.is_ascii_uppercase())
                && Element::find(&name.to_ascii_lowercase()).is_some();
            let rest = text[at + 1 + name.len()..].trim_start();
            let names_file =
                rest.starts_with("src=") && did_you_mean(name, ["doc", "img", "agent", "import"]).is_some();
            if other_case || names_file {
                let meant = did_you_mean(&name.to_ascii_lowercase(), Element::ALL.map(Element::name))
                    .unwrap_or("doc");
                let place = span.start as usize + at;
                self.note(
                    Code::CHATMD_ELEMENT,
                    Span::new(place, place + 1 + name.len()),
                    format!("`<{name}>` is no element, and stands as text"),
                    &format!("did you mean `<{meant}>`?"),
                );
            }
        }
    }
}

fn of(block: &Block) -> String {
    match (block.tool_name(), block.call_id()) {
        (Some(name), _) => format!(" of `{name}`"),
        (None, Some(id)) => format!(" `{id}`"),
        (None, None) => String::new(),
    }
}

fn hint<'n>(name: &str, names: impl Iterator<Item = &'n str>, otherwise: &str) -> String {
    did_you_mean(name, names).map_or_else(|| otherwise.to_owned(), |meant| format!("did you mean `{meant}`?"))
}

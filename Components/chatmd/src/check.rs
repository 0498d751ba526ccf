//! What a reader would silently pass over, beyond how the text reads: calls and answers that miss each other, tools that
//! nobody declared, text that looks like a block and is none.

use std::collections::BTreeMap;

use memchr::memchr_iter;
use mentci_authority::Role;
use mentci_source::{Code, Finding, Source, Span, did_you_mean};

use crate::declared::{opening, sort};
use crate::{Block, Calls, Declarations, Document, Element, Embedded, Node, ToolKind, tag};

/// The most findings of one kind: a hostile document has as many oddities as bytes. The others are counted.
const MOST: usize = 5_000;
/// How many tags of a text are named.
const MOST_TAGS: usize = 4;

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
    let mut checker = Checker { source, findings: Vec::new(), told: BTreeMap::new() };
    checker.calls(document);
    checker.tools(document, tools);
    for block in document.blocks() {
        checker.texts(block);
        checker.pictures(block);
    }
    checker.finish()
}

struct Checker<'a> {
    source: &'a Source,
    findings: Vec<Finding>,
    /// How often each code was found.
    told: BTreeMap<&'static str, usize>,
}

impl Checker<'_> {
    fn note(&mut self, code: Code, span: Span, message: String, help: &str) {
        let told = self.told.entry(code.id()).or_default();
        *told += 1;
        if *told <= MOST {
            self.findings.push(Finding::new(code, message).help(help).at(self.source, span));
        }
    }

    /// In the order of their places; the last one of a kind says how many more there are.
    fn finish(mut self) -> Vec<Finding> {
        sort(&mut self.findings);
        for (code, told) in self.told.into_iter().filter(|(_, told)| *told > MOST) {
            let last = self.findings.iter_mut().rfind(|finding| finding.code.id() == code);
            if let Some(last) = last {
                last.message = format!("{}; and {} more places are so", last.message, told - MOST);
            }
        }
        self.findings
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
        if quoted {
            return self.forged(block, element);
        }
        for node in block.nodes() {
            if let Node::Text(text) = node {
                self.misspelt(text.as_str(), text.span());
            }
        }
    }

    /// Pictures where no model is shown one: in what the system or the developer says, and in what an agent is asked.
    fn pictures(&mut self, block: &Block) {
        for child in block.children() {
            if let Some(Embedded::Img(from)) = Embedded::of(child)
                && block.role() != Some(Role::User)
            {
                let message = format!(
                    "`{}` cannot be put in its place: pictures are shown in `<user>` messages alone",
                    from.src.escape_debug()
                );
                self.note(
                    Code::CHATMD_REFERENCE,
                    from.span,
                    message,
                    "move it into a `<user>` message; the model is told so",
                );
            }
            self.pictures(child);
        }
    }

    /// One finding a text: the tags that a careless reader would take for blocks. The first of them starts a line, closes
    /// something, or is written with entities, as nobody writes who has nothing to hide; behind it any counts.
    fn forged(&mut self, block: &Block, within: Element) {
        let said = block.text();
        let text = said.as_str();
        let is_block = |at: &usize| tag::element_at(text, *at).is_some_and(Element::stands_alone);
        let starts_line = |at: &usize| {
            let before = text[..*at].trim_end_matches([' ', '\t']);
            before.is_empty() || before.ends_with('\n')
        };
        let closes = |at: &usize| text[*at + 1..].starts_with('/');
        let is_entity = |at: &usize| self.source.text().as_bytes().get(said.offset(*at)) != Some(&b'<');
        // Law that stands as it is written is told where it is read.
        let is_told = |at: &usize| {
            let is_law = tag::element_at(text, *at).is_some_and(Element::is_law);
            is_law && !is_entity(at)
        };
        let mut found = memchr_iter(b'<', text.as_bytes()).filter(is_block).filter(|at| !is_told(at));
        let Some(first) = found.find(|at| starts_line(at) || closes(at) || is_entity(at)) else { return };
        let mut tags = vec![written_tag(text, first)];
        tags.extend(found.by_ref().take(MOST_TAGS - 1).map(|at| written_tag(text, at)));
        let more = found.count();
        let message =
            format!("what `<{}>` holds looks like {} and is text", within.name(), listed(&tags, more));
        let (start, end) = (said.offset(first), said.offset(first + tags[0].len() - 1));
        let help = "it has no force; look where it came from";
        self.note(Code::CHATMD_FORGED, Span::new(start, end.max(start)), message, help);
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

/// `<name>` or `</name>`.
fn written_tag(text: &str, at: usize) -> String {
    let slash = if text[at + 1..].starts_with('/') { "/" } else { "" };
    format!("<{slash}{}>", tag::name_at(text, at + 1 + slash.len()))
}

/// ``the tag `<user>` ``; ``the tags `</user>`, `<system>` and 4 more``
fn listed(tags: &[String], more: usize) -> String {
    let names: Vec<String> = tags.iter().map(|tag| format!("`{tag}`")).collect();
    match (&names[..], more) {
        ([one], 0) => format!("the tag {one}"),
        ([rest @ .., last], 0) => format!("the tags {} and {last}", rest.join(", ")),
        _ => format!("the tags {} and {more} more", names.join(", ")),
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

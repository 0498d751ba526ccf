//! What a document declares: the model's settings, the tools, and other documents' declarations.

mod config;
mod reference;
mod said;
mod tool;
mod words;

pub use config::{Config, ReasoningEffort};
pub use reference::{Embedded, Reference};
pub use tool::{BUILTIN_TOOLS, McpServer, ToolDeclaration, ToolKind};
pub use words::{CommandError, command_words};

use mentci_source::{Code, Finding, Reading, Source, Span};
use said::Said;

use crate::{Block, Document, Element};

/// What the head of a document declares. Declarations after the first message have no force, as law has none there: no
/// message of a session brings a tool.
///
/// ```
/// use mentci_chatmd::{Declarations, Document, ToolKind};
/// use mentci_source::Source;
/// let source = Source::new("a.chatmd", "<config model=\"m\" temperature=\"0.2\"/>\n<tool name=\"log\" command=\"git log\"/>\n<user>hi</user>\n");
/// let document = Document::read(&source).value;
/// let declared = Declarations::read(&source, &document).value;
/// assert_eq!((declared.config.model.as_deref(), declared.config.temperature), (Some("m"), Some(0.2)));
/// assert_eq!(declared.tools[0].name.as_deref(), Some("log"));
/// assert!(matches!(&declared.tools[0].kind, ToolKind::Command { words } if words == &["git", "log"]));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declarations {
    /// What is set for the model.
    pub config: Config,
    /// The tools, in their order. Each name is declared once.
    pub tools: Vec<ToolDeclaration>,
    /// Documents whose declarations and law count too, in their order.
    pub imports: Vec<Reference>,
}

impl Declarations {
    /// Reads what a document's head declares. Never fails: what is odd is left out, with a finding.
    pub fn read(source: &Source, document: &Document) -> Reading<Self> {
        let mut reader =
            Reader { source, declared: Self::default(), configured: false, findings: Vec::new() };
        document.head().for_each(|block| reader.block(block));
        reader.note_late(document);
        sort(&mut reader.findings);
        Reading { value: reader.declared, findings: reader.findings }
    }

    /// Adds what an imported document declares. What this one says stands: its settings, and its tools.
    pub fn import(&mut self, other: Self) {
        self.config.fill(other.config);
        for tool in other.tools {
            if !self.tools.iter().any(|known| known.collides(&tool)) {
                self.tools.push(tool);
            }
        }
    }

    /// The tool of this name. Tools of MCP servers are found where their `include` names them.
    pub fn tool(&self, name: &str) -> Option<&ToolDeclaration> {
        self.tools.iter().find(|tool| tool.declares(name))
    }
}

struct Reader<'a> {
    source: &'a Source,
    declared: Declarations,
    configured: bool,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    fn block(&mut self, block: &Block) {
        let mut said = Said::new(self.source, block, &mut self.findings);
        match block.element() {
            Some(Element::Config) => {
                let config = config::read(&mut said);
                if self.configured {
                    self.note(block, "a second `<config>`", "the first that says a setting stands");
                }
                self.configured = true;
                self.declared.config.fill(config);
            }
            Some(Element::Tool) => {
                let tool = tool::read(&mut said).filter(|tool| self.is_new(block, tool));
                self.declared.tools.extend(tool);
            }
            Some(Element::Import) => self.declared.imports.extend(reference::import(&mut said)),
            _ => {}
        }
    }

    fn is_new(&mut self, block: &Block, tool: &ToolDeclaration) -> bool {
        let known = self.declared.tools.iter().any(|known| known.collides(tool));
        if let (true, Some(name)) = (known, &tool.name) {
            self.note(block, &format!("the tool `{name}` is declared twice"), "the first one stands");
        }
        !known
    }

    fn note(&mut self, block: &Block, message: &str, help: &str) {
        let finding = Finding::new(Code::CHATMD_TWICE, message).help(help);
        self.findings.push(finding.at(self.source, opening(block)));
    }

    fn note_late(&mut self, document: &Document) {
        let after = document.blocks().skip(document.head().count());
        for block in after {
            let Some(element @ (Element::Config | Element::Tool | Element::Import)) = block.element() else {
                continue;
            };
            let message =
                format!("this `<{}>` stands after the first message and has no force", element.name());
            let finding = Finding::new(Code::CHATMD_LATE_DECLARATION, message);
            let finding = finding.help("move it into the document's head, before the first message");
            self.findings.push(finding.at(self.source, opening(block)));
        }
    }
}

/// The name in a block's opening tag: the place that findings about the whole of it point to.
pub(crate) fn opening(block: &Block) -> Span {
    let start = block.span().start as usize;
    Span::new(start, start + 1 + block.name().len())
}

/// In the order of their places.
pub(crate) fn sort(findings: &mut [Finding]) {
    findings.sort_by_key(|finding| finding.span.map(|span| (span.start, span.end)));
}

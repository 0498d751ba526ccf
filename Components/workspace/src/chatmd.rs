//! The verbs of ChatMD documents, carried out: parse, format, check, render.

mod imports;
mod view;

use std::collections::BTreeSet;

use mentci_authority::{Dialect, Trust};
use mentci_chatmd::{Declarations, Document, KnownTools, ToolKind, check};
use mentci_dialect::print;
use mentci_host::chatmd::{CanonicalAnswer, ChatmdRequest, CheckedAnswer, DocumentAnswer, PageAnswer};
use mentci_host::policy::{Input, RuleFile, Rulebook, Tools};
use mentci_host::{Outcome, Response};
use mentci_page::{RuleText, RuleTexts, page, rules_named};
use mentci_source::{Code, Finding, Reading, Severity, Source, Span};
use serde_json::{Value, json};

use crate::policy::named_rule;
use crate::workspace::Workspace;
use imports::Imported;

/// What standard input is called: a name with a dialect, so that its law is read too.
const STDIN: &str = "stdin.chatmd";

/// A document that was read, with what was odd.
struct Read {
    source: Source,
    document: Document,
    findings: Vec<Finding>,
    /// The file that it came from; none for standard input.
    file: Option<String>,
}

impl Workspace {
    /// Carries out a verb of ChatMD documents.
    pub(crate) fn chatmd(&self, request: &ChatmdRequest) -> Response {
        let (ChatmdRequest::Parse { document }
        | ChatmdRequest::Format { document, .. }
        | ChatmdRequest::Check { document }
        | ChatmdRequest::Render { document, .. }) = request;
        let read = match self.document(document) {
            Ok(read) => read,
            Err(finding) => return Response::bad([finding]),
        };
        match request {
            ChatmdRequest::Parse { .. } => parse(&read),
            ChatmdRequest::Format { check, .. } => self.canonical(read, *check),
            ChatmdRequest::Check { .. } => self.check_document(&read),
            ChatmdRequest::Render { out, .. } => self.render(&read, out.as_deref()),
        }
    }

    fn document(&self, input: &Input) -> Result<Read, Finding> {
        let (reading, file) = match input {
            Input::Text { text, .. } => (Reading::clean(Source::new(STDIN, text.as_str())), None),
            Input::Path(path) => {
                let shown = self.shown(std::slice::from_ref(path)).swap_remove(0);
                (self.read_source(&shown)?, Some(shown))
            }
        };
        let Reading { value: source, mut findings } = reading;
        for finding in findings.iter_mut().filter(|finding| finding.code == Code::BINARY_FILE) {
            finding.help =
                Some("it was read as it stands: tools answer such; law is better written without".to_owned());
        }
        let document = Document::read(&source).take(&mut findings);
        Ok(Read { source, document, findings, file })
    }

    /// The canonical text, in its place. What does not read as it was meant is left as it stands.
    fn canonical(&self, read: Read, check: bool) -> Response {
        let path = read.source.path().to_string();
        let unread = read.findings.iter().any(|finding| finding.code == Code::NOT_UTF8);
        if unread || !Document::is_well_formed(&read.findings) {
            let why = Finding::new(Code::NOT_REWRITTEN, "the document does not read as it was meant");
            let why = why.help("mend what is told about it; it was left as it stands").in_file(&path);
            return Response::bad(read.findings).with([why]);
        }
        let text = read.document.format();
        // What is canonical already says what it says.
        let says_the_same = |text: &str| {
            let again = Document::read(&Source::new(path.as_str(), text)).value;
            read.document.says_the_same(&again)
        };
        if text != read.source.text() && !says_the_same(&text) {
            let why = Finding::new(Code::NOT_REWRITTEN, "rewritten it would say something else");
            return Response::bad([why.help("it was left as it stands").in_file(&path)]);
        }
        let changed = text != read.source.text();
        if let (Some(file), true, false) = (&read.file, changed, check)
            && let Err(finding) = self.replace(file, &text)
        {
            return Response::bad([finding]);
        }
        let outcome = if check && changed { Outcome::Findings } else { Outcome::Ok };
        let text = (read.file.is_none() && !check).then_some(text);
        Response::ok(CanonicalAnswer { path, changed, text }).at_least(outcome)
    }

    fn check_document(&self, read: &Read) -> Response {
        let mut findings = read.findings.clone();
        let mut declared = Declarations::read(&read.source, &read.document).take(&mut findings);
        let Imported { files, whole } =
            self.imported(&read.source, &read.document, &mut declared, &mut findings);
        let tools = KnownTools { declared: &declared, builtin: mentci_chatmd::BUILTIN_TOOLS, whole };
        findings.extend(check(&read.source, &read.document, tools));
        let book = self.book_of_document(read);
        findings.extend(book.findings.iter().cloned());
        findings.extend(self.linted(&book, &[], tools_of(&declared, whole).as_ref()));
        in_order(&mut findings, read.source.path());
        let odd = findings.iter().any(|finding| finding.severity >= Severity::Warning);
        let bad = !book.is_whole() || findings.iter().any(|finding| finding.severity == Severity::Error);
        let outcome = if bad {
            Outcome::Bad
        } else if odd {
            Outcome::Findings
        } else {
            Outcome::Ok
        };
        let answer = CheckedAnswer {
            path: read.source.path().to_string(),
            blocks: read.document.blocks().count(),
            rules: book.sets.iter().map(|set| set.rules.len()).sum(),
            law_reads: book.is_whole(),
            tools: declared.tools.iter().flat_map(names).collect(),
            imports: files,
            config: config(&declared),
        };
        Response::ok(answer).with(findings).at_least(outcome)
    }

    /// The law of a document, with what it imports.
    fn book_of_document(&self, read: &Read) -> Rulebook {
        let path = read.source.path();
        let source = match Dialect::of_path(path) {
            Some(Dialect::Chatmd) => read.source.clone(),
            _ => Source::new(format!("{path}.chatmd").as_str(), read.source.text()),
        };
        self.book_of(&[RuleFile::new(source, Trust::User)])
    }

    fn render(&self, read: &Read, out: Option<&str>) -> Response {
        let path = read.source.path().to_string();
        if let (Some(out), Some(file)) = (out, &read.file) {
            let same = |path: &str| self.fs.canonicalize(&self.root.join(path)).ok();
            if same(out).is_some() && same(out) == same(file) {
                let why = Finding::new(Code::NOT_PUBLISHED, "the page would take the document's own place");
                return Response::bad([why.help("name another file").in_file(out)]);
            }
        }
        let elsewhere = self.rule_texts(read);
        let html = page(&read.source, &read.document, &elsewhere.found);
        let bytes = html.len();
        if let Some(out) = out
            && let Err(finding) = self.write_page(out, &html)
        {
            return Response::bad([finding]);
        }
        let html = out.is_none().then_some(html);
        let out = out.map(str::to_owned);
        let rules_not_found = elsewhere.lost;
        Response::ok(PageAnswer { path, out, html, bytes, rules_not_found }).with(read.findings.clone())
    }

    /// The texts of the rules that blocks name and that are not the document's own.
    fn rule_texts(&self, read: &Read) -> Texts {
        let mut texts = Texts::default();
        let own = mentci_page::own_rules(&read.source, &read.document);
        let mut books: Option<[Rulebook; 2]> = None;
        for name in rules_named(&read.document).into_keys().filter(|name| !own.contains_key(*name)) {
            let books = books.get_or_insert_with(|| [self.book_of_document(read), self.rulebook(&[])]);
            match books.iter().find_map(|book| rule_text(book, name)) {
                Some(text) => drop(texts.found.insert(name.to_owned(), text)),
                None => texts.lost.push(name.to_owned()),
            }
        }
        texts
    }

    /// A page in its place, at once: it stands whole or not at all.
    fn write_page(&self, out: &str, html: &str) -> Result<(), Finding> {
        let (fs, out) = (self.fs.as_ref(), self.root.join(out));
        let beside = out.with_added_extension("mentci-tmp");
        // What an earlier run that was killed may have left.
        let _ = fs.remove(&beside);
        let done = fs.write_new(&beside, html.as_bytes(), 0o644).and_then(|()| fs.rename(&beside, &out));
        done.map_err(|error| {
            let _ = fs.remove(&beside);
            let message = format!("the page could not be written: {error}");
            Finding::new(Code::NOT_PUBLISHED, message).in_file(&out.to_string_lossy())
        })
    }
}

/// Rules by name, and the names that no rule has.
#[derive(Default)]
struct Texts {
    found: RuleTexts,
    lost: Vec<String>,
}

fn rule_text(book: &Rulebook, name: &str) -> Option<RuleText> {
    let (rule, _) = named_rule(book, name).ok()?;
    let mut set = mentci_authority::RuleSet::new(rule.origin.pack.as_ref());
    set.rules.push(rule.clone());
    let text = print(&set, rule.origin.dialect).unwrap_or_default();
    Some(RuleText { text: text.trim_end().to_owned(), at: rule.origin.to_string() })
}

fn parse(read: &Read) -> Response {
    let answer = DocumentAnswer {
        path: read.source.path().to_string(),
        nodes: view::nodes(&read.source, &read.document),
    };
    let odd = read.findings.iter().any(|finding| finding.severity >= Severity::Warning);
    let outcome = if odd { Outcome::Findings } else { Outcome::Ok };
    Response::ok(answer).with(read.findings.clone()).at_least(outcome)
}

/// The names that a declaration is sure to bring.
fn names(tool: &mentci_chatmd::ToolDeclaration) -> Vec<String> {
    match &tool.kind {
        ToolKind::Mcp { include, .. } => include.clone(),
        _ => tool.name.iter().cloned().collect(),
    }
}

/// The tools for the lints of rules; none where a server may bring others, or nothing is declared.
fn tools_of(declared: &Declarations, whole: bool) -> Option<Tools> {
    let open = |tool: &mentci_chatmd::ToolDeclaration| matches!(&tool.kind, ToolKind::Mcp { include, .. } if include.is_empty());
    let known = whole && !declared.tools.is_empty() && !declared.tools.iter().any(open);
    known.then(|| declared.tools.iter().flat_map(names).map(|name| (name, None)).collect())
}

fn config(declared: &Declarations) -> Value {
    let config = &declared.config;
    let mut said = json!({
        "model": config.model,
        "max_tokens": config.max_tokens,
        "temperature": config.temperature,
        "top_p": config.top_p,
        "seed": config.seed,
        "reasoning_effort": config.reasoning_effort.map(mentci_chatmd::ReasoningEffort::name),
        "budget": config.budget,
        "max_turns": config.max_turns,
    });
    if let Value::Object(map) = &mut said {
        map.retain(|_, value| !value.is_null());
    }
    said
}

/// Each finding once, those of the document first, in the order of their places: its law is read by two readers. An import that
/// the law cannot read is told as that alone.
fn in_order(findings: &mut Vec<Finding>, path: &str) {
    let is_other = |finding: &Finding| finding.path.as_deref() != Some(path);
    let place = |finding: &Finding| finding.span.map_or((0, 0), |Span { start, end }| (start, end));
    findings.sort_by_key(|finding| (is_other(finding), place(finding)));
    let at = |finding: &Finding| (finding.path.clone(), finding.line, finding.column);
    let unread: BTreeSet<_> =
        findings.iter().filter(|finding| finding.code == Code::RULE_INCLUDE).map(at).collect();
    findings.retain(|finding| finding.code != Code::CHATMD_REFERENCE || !unread.contains(&at(finding)));
    let mut told = BTreeSet::new();
    findings.retain(|finding| told.insert((finding.code.id(), at(finding), finding.message.clone())));
}

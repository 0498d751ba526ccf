//! Flowcharts in Mermaid: `A[Run the tests] -->|fail| B{Flaky?}`.

use mentci_source::Span;

use super::diagram::{Edge, Graph, plain};

/// Longer lines are no arrows that somebody drew.
const LONGEST: usize = 1_000;

/// Reads a flowchart; what is none, such as a sequence or a class diagram, has no edges.
pub(crate) fn flowchart(body: &str, base: usize) -> Graph {
    let mut graph = Graph::default();
    let mut at = base;
    let mut drawn = false;
    for line in body.split_inclusive('\n') {
        let text = line.trim();
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        if text.is_empty() || text.starts_with("%%") || text.len() > LONGEST {
            continue;
        }
        if drawn {
            take(&mut graph, text.trim_end_matches(';'), Span::new(start, start + text.len()));
        } else if !["flowchart", "graph"].iter().any(|name| text.starts_with(name)) {
            return graph;
        }
        drawn = true;
    }
    graph
}

/// A line: nodes, and arrows between them.
fn take(graph: &mut Graph, line: &str, span: Span) {
    let mut from: Option<String> = None;
    let mut label: Option<String> = None;
    let mut rest = line;
    while let Some((id, behind)) = node(graph, rest) {
        if let Some(from) = from.replace(id.clone()) {
            let label = label.take().filter(|label| label.contains(char::is_alphanumeric));
            graph.edges.push(Edge { from, to: id, label, span });
        }
        let Some((told, behind)) = arrow(behind.trim_start()) else { return };
        label = told;
        rest = behind.trim_start();
    }
}

/// A node at the start: its id, and its name in the brackets of a shape.
fn node<'t>(graph: &mut Graph, text: &'t str) -> Option<(String, &'t str)> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (id, rest) = text.split_at(end);
    let keyword = ["subgraph", "end", "classDef", "class", "style", "click", "linkStyle", "direction"];
    if id.is_empty() || keyword.contains(&id) {
        return None;
    }
    let open = rest.len() - rest.trim_start_matches(['[', '(', '{', '>']).len();
    let Some(close) = closing(rest, open).filter(|_| open > 0) else { return Some((id.to_owned(), rest)) };
    let name = plain(&rest[open..close].trim_matches(['"', '/']).replace("<br/>", " ").replace("<br>", " "));
    if rest.starts_with('{') {
        graph.diamonds.insert(id.to_owned());
    }
    graph.names.insert(id.to_owned(), name);
    Some((id.to_owned(), rest[close..].trim_start_matches([']', ')', '}'])))
}

/// Where the brackets of a shape close, outside a quotation.
fn closing(text: &str, open: usize) -> Option<usize> {
    let inner = &text[open..];
    if let Some(quoted) = inner.strip_prefix('"') {
        return quoted.find('"').map(|at| open + at + 2);
    }
    inner.find([']', ')', '}']).map(|at| open + at)
}

/// `-->`, `-->|yes|`, `-- yes -->`, `-.->`, `==>`: an arrow, with what it says.
fn arrow(text: &str) -> Option<(Option<String>, &str)> {
    let shaft = |c: char| matches!(c, '-' | '=' | '.');
    let rest = text.trim_start_matches(shaft);
    if text.len() - rest.len() < 2 {
        return None;
    }
    if let Some(behind) = rest.strip_prefix('>').or_else(|| text.starts_with("---").then_some(rest)) {
        let labelled = behind.trim_start().strip_prefix('|').and_then(|told| told.split_once('|'));
        return Some(
            labelled.map_or((None, behind), |(told, behind)| (Some(plain(told.trim_matches('"'))), behind)),
        );
    }
    let end = rest.find(["-->", "==>", ".->"].iter().find(|end| rest.contains(**end))?)?;
    Some((Some(plain(rest[..end].trim_matches([' ', '"', '-', '=']))), &rest[end + 3..]))
}

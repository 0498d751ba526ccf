//! Reading a page: its words, and whether it is whole.

/// Elements that no tag closes.
const VOID: &[&str] = &["input", "meta", "link", "br", "hr"];

/// Attributes that pages have.
const ATTRIBUTES: &[&str] = &[
    "action",
    "aria-checked",
    "aria-current",
    "aria-describedby",
    "aria-hidden",
    "aria-invalid",
    "aria-label",
    "aria-labelledby",
    "autocomplete",
    "class",
    "cx",
    "cy",
    "d",
    "data-ago",
    "data-live",
    "data-queue",
    "data-stream",
    "data-until",
    "datetime",
    "defer",
    "disabled",
    "focusable",
    "for",
    "formnovalidate",
    "height",
    "hidden",
    "href",
    "id",
    "lang",
    "list",
    "max",
    "maxlength",
    "method",
    "min",
    "name",
    "placeholder",
    "preserveAspectRatio",
    "r",
    "rel",
    "required",
    "role",
    "rows",
    "rx",
    "scope",
    "selected",
    "spellcheck",
    "src",
    "step",
    "tabindex",
    "title",
    "type",
    "value",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
    "charset",
    "content",
];

const ELEMENTS: &[&str] = &[
    "a",
    "article",
    "blockquote",
    "body",
    "button",
    "circle",
    "code",
    "datalist",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "form",
    "h1",
    "h2",
    "h3",
    "head",
    "header",
    "html",
    "input",
    "label",
    "li",
    "line",
    "link",
    "main",
    "meta",
    "nav",
    "ol",
    "option",
    "p",
    "path",
    "pre",
    "q",
    "rect",
    "script",
    "section",
    "select",
    "span",
    "strong",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "text",
    "textarea",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "ul",
];

/// Tags close what they open, and every name is one of ours; each id stands once, and what is described is there.
pub(crate) fn is_clean(page: &str, html: &str) {
    let html = html.strip_prefix("<!doctype html>\n").unwrap_or(html);
    let mut open: Vec<&str> = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    let mut wanted: Vec<&str> = Vec::new();
    for part in html.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("{page}: <{part} does not end"));
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{page}: </{tag}>");
            continue;
        }
        let name = tag.split(' ').next().unwrap();
        assert!(ELEMENTS.contains(&name), "{page}: <{tag}>");
        for (name, value) in attributes(page, tag) {
            assert!(ATTRIBUTES.contains(&name), "{page}: `{name}` in <{tag}>");
            match name {
                "id" => {
                    assert!(!ids.contains(&value), "{page}: `{value}` stands twice");
                    ids.push(value);
                }
                "href" | "action" | "src" => {
                    let is_own =
                        (value.starts_with('/') && !value.starts_with("//")) || value.starts_with('#');
                    assert!(is_own, "{page}: {name} leads to {value}");
                }
                "for" | "aria-labelledby" | "aria-describedby" => wanted.push(value),
                _ => {}
            }
        }
        let is_void = VOID.contains(&name);
        if !is_void {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "{page}");
    for id in wanted {
        assert!(ids.contains(&id), "{page}: nothing has the id `{id}`");
    }
}

fn attributes<'t>(page: &str, tag: &'t str) -> Vec<(&'t str, &'t str)> {
    let mut rest = tag.split_once(' ').map_or("", |(_, rest)| rest).trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let Some(after) = after.strip_prefix("=\"") else {
            found.push((name, ""));
            rest = after.trim();
            continue;
        };
        let (value, after) = after.split_once('"').unwrap_or_else(|| panic!("{page}: <{tag}>"));
        assert!(!name.is_empty(), "{page}: <{tag}>");
        found.push((name, value));
        rest = after.trim();
    }
    found
}

/// The words of a page's middle, a line for each block; fields stand in brackets.
pub(crate) fn words(html: &str) -> String {
    const BLOCKS: &[&str] = &[
        "h1",
        "h2",
        "h3",
        "p",
        "li",
        "dt",
        "div",
        "pre",
        "summary",
        "tr",
        "section",
        "form",
        "article",
        "table",
        "figure",
        "blockquote",
        "figcaption",
        "ul",
        "ol",
        "dl",
        "details",
        "label",
        "svg",
    ];
    let main = html.split_once("<main").map_or(html, |(_, main)| main);
    let main = main.split_once('>').map_or("", |(_, main)| main);
    let main = main.split_once("</main>").map_or(main, |(main, _)| main);
    let mut out = String::new();
    for part in main.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or(("", part));
        let name = tag.trim_start_matches('/').split(' ').next().unwrap_or("");
        if BLOCKS.contains(&name) {
            out.push('\n');
        }
        if matches!(name, "td" | "dd" | "text") && !tag.starts_with('/') {
            out += " | ";
        }
        let of = |name: &str| {
            attributes("", tag).into_iter().find(|(own, _)| *own == name).map_or("", |(_, value)| value)
        };
        if !tag.starts_with('/') {
            match name {
                "input" if of("type") != "hidden" => out += &format!(" [{} {}]", of("type"), of("value")),
                "select" => out += " [one of:",
                "option" if tag.contains("selected=") => out += " *",
                "option" => out += " ",
                "textarea" => out += " [",
                "button" if of("role") == "switch" => {
                    let locked = if tag.contains("disabled=") { ", locked" } else { "" };
                    out += &format!("(switch, checked: {}{locked}) ", of("aria-checked"));
                }
                "button" => out += " (button) ",
                _ => {}
            }
        } else if matches!(name, "select" | "textarea") {
            out.push(']');
        }
        out += text;
    }
    let lines = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    let text = lines.join("\n");
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

//! The text of a page, without its markup.

/// Elements whose content nobody reads.
const UNREAD: [&str; 4] = ["script", "style", "head", "template"];
/// Elements that end a line.
const BREAKS: [&str; 16] =
    ["p", "br", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "table", "section"];
const ENTITIES: [(&str, &str); 6] =
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];

/// What a page says: tags, comments, scripts and styles are taken off, and at most one line in a row is empty. Linear in the text.
pub(crate) fn without_markup(page: &str) -> String {
    let mut text = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(tag) = tag(rest) else {
            text.push('<');
            rest = &rest[1..];
            continue;
        };
        if BREAKS.contains(&tag.name.as_str()) && !text.ends_with('\n') {
            text.push('\n');
        }
        rest = &rest[tag.length..];
        if UNREAD.contains(&tag.name.as_str()) && !tag.closes {
            rest = behind(rest, &tag.name);
        }
    }
    text.push_str(rest);
    plain(&text)
}

struct Tag {
    name: String,
    length: usize,
    closes: bool,
}

/// The tag or the comment that a text begins with; none where `<` is a sign.
fn tag(text: &str) -> Option<Tag> {
    if let Some(comment) = text.strip_prefix("<!--") {
        let length = comment.find("-->").map_or(text.len(), |end| end + 7);
        return Some(Tag { name: String::new(), length, closes: false });
    }
    let closes = text.starts_with("</");
    let inner = text[1..].trim_start_matches(['/', '!']);
    if !inner.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return None;
    }
    let name: String = inner.chars().take_while(char::is_ascii_alphanumeric).collect();
    let length = text.find('>')? + 1;
    Some(Tag { name: name.to_ascii_lowercase(), length, closes })
}

/// What stands behind the end of an element.
fn behind<'t>(text: &'t str, name: &str) -> &'t str {
    let is_end = |at: &usize| {
        let inner = text.get(at + 2..at + 2 + name.len());
        inner.is_some_and(|inner| inner.eq_ignore_ascii_case(name))
    };
    text.match_indices("</").map(|(at, _)| at).find(is_end).map_or("", |at| &text[at..])
}

fn plain(text: &str) -> String {
    let text = ENTITIES.iter().fold(text.to_owned(), |text, (entity, sign)| text.replace(entity, sign));
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_its_words() {
        for (page, text) in [
            ("plain a < b", "plain a < b"),
            ("<p>One</p><p>Two &amp; three</p>", "One\nTwo & three"),
            ("<html><head><title>T</title></head><body>B<br/>C</body></html>", "B\nC"),
            ("a<script>if (a</b) {}</script>c<!-- d -->e", "ace"),
            ("<STYLE>x</style>y", "y"),
            ("a<b", "a<b"),
            ("&lt;user&gt;", "<user>"),
            ("<script>never closed", ""),
            ("<!-- never closed", ""),
        ] {
            assert_eq!(without_markup(page), text, "{page}");
        }
    }
}

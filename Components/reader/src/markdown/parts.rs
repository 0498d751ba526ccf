//! Where a text parts before it is parsed, because whoever wrote it meant two blocks and Markdown would see one: a fence under a tag
//! (`<Good>`, whose block of HTML would run on to the next blank line, be that in the middle of the fence), and a list that goes on counting
//! right under its lead-in (`Recommended:` above `5. …`, which would be text, for only a list that starts at 1 ends a paragraph). And where
//! it does not: Markdown in a fence with fences of its own, the first of which would close it.

use std::ops::Range;

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(Range<usize>),
    /// A fence, its marks included, that holds others.
    Nested(Range<usize>),
}

/// The parts of a text, from `start` on, that are read each by itself.
pub(super) fn parts(text: &str, start: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut from = start;
    if may_part(&text[start..]) {
        let mut fence: Option<&str> = None;
        let mut above = "";
        let mut in_tag = false;
        let mut at = start;
        for line in text[start..].split_inclusive('\n') {
            if at < from {
                at += line.len();
                continue;
            }
            let mark = mark_of(line);
            let opens = mark.filter(|_| fence.is_none());
            if let Some(end) = opens.and_then(|mark| end_of_nested(&text[at..], line, mark)) {
                parts.push(Part::Text(from..at));
                parts.push(Part::Nested(at..at + end));
                from = at + end;
                (above, in_tag, at) = ("", false, at + line.len());
                continue;
            }
            let under_tag = in_tag && opens.is_some_and(|mark| line.starts_with(mark));
            if under_tag || fence.is_none() && goes_on_counting(above, line, &text[at + line.len()..]) {
                parts.push(Part::Text(from..at));
                from = at;
            }
            above = if fence.is_none() && mark.is_none() { line } else { "" };
            in_tag = is_lone(above) || in_tag && !above.trim_end().is_empty();
            fence = match (fence, mark) {
                (None, mark) => mark,
                (Some(open), Some(mark)) if closes(line, open, mark) => None,
                (open, _) => open,
            };
            at += line.len();
        }
    }
    parts.push(Part::Text(from..text.len()));
    parts
}

/// Where a fence of Markdown that begins with `line` at the margin ends, if fences stand in it that say what they hold.
fn end_of_nested(rest: &str, line: &str, mark: &str) -> Option<usize> {
    const MOST: usize = 400;
    let language = line.strip_prefix(mark)?.trim();
    if !matches!(language, "markdown" | "md") {
        return None;
    }
    let (mut depth, mut nested, mut at) = (1_usize, false, line.len());
    for inner in rest[line.len()..].split_inclusive('\n').take(MOST) {
        at += inner.len();
        match mark_of(inner).filter(|own| *own == mark) {
            Some(_) if inner.trim() == mark => depth -= 1,
            Some(_) if inner.trim().len() > mark.len() => (depth, nested) = (depth + 1, true),
            _ => {}
        }
        if depth == 0 {
            return (nested && inner.starts_with(mark)).then_some(at);
        }
    }
    None
}

/// Whether some line might begin a part: a cheap look before the lines are gone through.
fn may_part(text: &str) -> bool {
    let markdown = |fence: &str| fence.starts_with("```m") || fence.starts_with("~~~m");
    let tagged = text.contains(">\n") || text.contains(">\r\n");
    markdown(text)
        || text.match_indices('\n').any(|(at, _)| {
            let above = text[..at].trim_end_matches('\r').as_bytes().last();
            let below = text.as_bytes().get(at + 1);
            match below {
                Some(b'`' | b'~') => tagged && above != Some(&b'\n') || markdown(&text[at + 1..]),
                Some(b'2'..=b'9') => matches!(above, Some(b':' | b'*')),
                _ => false,
            }
        })
}

/// `5. Flags` between `Recommended:` and `6. Lamps`.
fn goes_on_counting(above: &str, line: &str, below: &str) -> bool {
    let leads = above.trim_end().trim_end_matches('*').ends_with(':') && number_of(above).is_none();
    let number = if leads { number_of(line) } else { None };
    number.is_some_and(|number| number > 1 && number_of(below) == number.checked_add(1))
}

/// The number of an item that begins at the margin.
fn number_of(line: &str) -> Option<u32> {
    let end = line.find(|c: char| !c.is_ascii_digit())?;
    let item = line[end..].starts_with(". ") || line[end..].starts_with(") ");
    line[..end].parse().ok().filter(|_| item)
}

/// The backticks or tildes that a line opens with, three at least.
pub(super) fn mark_of(line: &str) -> Option<&str> {
    const DEEPEST: usize = 3;
    let bare = line.trim_start_matches(' ');
    let end = bare.find(|c| !bare.starts_with(c)).unwrap_or(bare.len());
    let mark = &bare[..end];
    (line.len() - bare.len() <= DEEPEST && end >= 3 && mark.starts_with(['`', '~'])).then_some(mark)
}

pub(super) fn closes(line: &str, open: &str, mark: &str) -> bool {
    mark.starts_with(open) && line.trim() == mark
}

/// `<Good>`, `</bad-example>`: a tag, and nothing else.
fn is_lone(line: &str) -> bool {
    let name = line.trim_end().strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    name.map(|name| name.strip_prefix('/').unwrap_or(name)).is_some_and(|name| {
        name.starts_with(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        let range = |part| match part {
            Part::Text(range) | Part::Nested(range) => range,
        };
        parts(text, 0).into_iter().map(|part| &text[range(part)]).collect()
    }

    #[test]
    fn a_fence_of_markdown_holds_the_fences_in_it() {
        let nested = "```markdown\n# a\n- b\n  ```sh\n  c\n  ```\n## d\n```\n";
        assert_eq!(pieces(&format!("e\n\n{nested}\nf\n")), ["e\n\n", nested, "\nf\n"]);
        for text in [
            "```markdown\n# a\n```\nb\n```sh\nc\n```\n",
            "```markdown\n# a\n```sh\nb\n```\n",
            "````markdown\n```sh\nb\n```\n````\n",
        ] {
            assert_eq!(pieces(text), [text], "{text}");
        }
    }

    #[test]
    fn a_fence_under_a_tag_begins_a_part() {
        assert_eq!(
            pieces("a\n<Good>\n```ts\nx\n\ny\n```\n</Good>\n"),
            ["a\n<Good>\n", "```ts\nx\n\ny\n```\n</Good>\n"]
        );
        assert_eq!(
            pieces("</Good>\nIn two:\n```\nx\n\ny\n```\n"),
            ["</Good>\nIn two:\n", "```\nx\n\ny\n```\n"]
        );
        assert_eq!(pieces("<Bad>\r\n~~~\r\nx\r\n~~~\r\n"), ["<Bad>\r\n", "~~~\r\nx\r\n~~~\r\n"]);
    }

    #[test]
    fn a_list_that_goes_on_counting_begins_a_part() {
        assert_eq!(pieces("1. a\n\n**More:**\n5. b\n6. c\n"), ["1. a\n\n**More:**\n", "5. b\n6. c\n"]);
        for text in [
            "In the year:\n1999. A good one\n",
            "1. a:\n2. b\n3. c\n",
            "More:\n\n5. b\n6. c\n",
            "```\nMore:\n5. b\n6. c\n```\n",
        ] {
            assert_eq!(pieces(text), [text], "{text}");
        }
    }

    #[test]
    fn what_stands_in_a_fence_or_below_text_parts_nothing() {
        for text in [
            "````\n<Good>\n```\nx\n```\n````\n",
            "text>\n```\nx\n```\n",
            "<a href=\"x\">\n```\nx\n```\n",
            "<Good>\n\n```\nx\n```\n",
            "<Good>\n\nIn two:\n```\nx\n```\n",
        ] {
            assert_eq!(pieces(text), [text], "{text}");
        }
    }
}

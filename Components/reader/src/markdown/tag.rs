//! A tag on a line of its own right above a fence: `<Good>` and the fence under it. A block of HTML would run on to the next blank line, be
//! that in the middle of the fence, whose closing mark would then open another one.

use std::ops::Range;

/// The parts of a text, from `start` on, that are read each by itself: a new one begins at each fence that stands right under a tag.
pub(super) fn parts(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut from = start;
    if [">\n```", ">\n~~~", ">\r\n```", ">\r\n~~~"].iter().any(|cue| text[start..].contains(cue)) {
        let mut fence: Option<&str> = None;
        let mut under_tag = false;
        let mut at = start;
        for line in text[start..].split_inclusive('\n') {
            match (fence, mark_of(line)) {
                (None, Some(mark)) => {
                    if under_tag && line.starts_with(mark) {
                        parts.push(from..at);
                        from = at;
                    }
                    fence = Some(mark);
                }
                (Some(open), Some(mark)) if closes(line, open, mark) => fence = None,
                _ => {}
            }
            under_tag = fence.is_none() && is_lone(line);
            at += line.len();
        }
    }
    parts.push(from..text.len());
    parts
}

/// The backticks or tildes that a line opens with, three at least.
fn mark_of(line: &str) -> Option<&str> {
    const DEEPEST: usize = 3;
    let bare = line.trim_start_matches(' ');
    let end = bare.find(|c| !bare.starts_with(c)).unwrap_or(bare.len());
    let mark = &bare[..end];
    (line.len() - bare.len() <= DEEPEST && end >= 3 && mark.starts_with(['`', '~'])).then_some(mark)
}

fn closes(line: &str, open: &str, mark: &str) -> bool {
    mark.starts_with(open) && line.trim() == mark
}

/// `<Good>`, `<bad-example>`: a tag that opens, and nothing else.
fn is_lone(line: &str) -> bool {
    let name = line.trim_end().strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    name.is_some_and(|name| {
        name.starts_with(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        parts(text, 0).into_iter().map(|part| &text[part]).collect()
    }

    #[test]
    fn a_fence_under_a_tag_begins_a_part() {
        assert_eq!(
            pieces("a\n<Good>\n```ts\nx\n\ny\n```\n</Good>\n"),
            ["a\n<Good>\n", "```ts\nx\n\ny\n```\n</Good>\n"]
        );
        assert_eq!(pieces("<Bad>\r\n~~~\r\nx\r\n~~~\r\n"), ["<Bad>\r\n", "~~~\r\nx\r\n~~~\r\n"]);
    }

    #[test]
    fn what_stands_in_a_fence_or_below_text_parts_nothing() {
        for text in [
            "````\n<Good>\n```\nx\n```\n````\n",
            "text>\n```\nx\n```\n",
            "<a href=\"x\">\n```\nx\n```\n",
            "<Good>\n\n```\nx\n```\n",
        ] {
            assert_eq!(pieces(text), [text], "{text}");
        }
    }
}

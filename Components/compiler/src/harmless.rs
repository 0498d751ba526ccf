//! Text that cannot pose as the harness.

use mentci_authority::near_harness_tag;

/// `text` on one line, with the tags of harnesses written without their angle brackets, and the first such tag.
pub(crate) fn harmless(text: &str) -> (String, Option<String>) {
    let mut text = if text.contains(['\n', '\r']) {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        text.to_owned()
    };
    let mut first = None;
    while let Some(tag) = near_harness_tag(&text) {
        first.get_or_insert_with(|| tag.to_owned());
        let tag = tag.to_owned();
        text = without_brackets(&text, &tag);
    }
    (text, first)
}

/// Takes the brackets off the first `tag` and off its end.
fn without_brackets(text: &str, tag: &str) -> String {
    let Some((before, rest)) = text.split_once(tag) else { return text.to_owned() };
    let name = tag.trim_matches(['<', '>', '[', ']', '|', ' ']);
    let end = rest.find(['>', '<']).filter(|&at| rest[at..].starts_with('>'));
    let rest = match end {
        Some(at) if tag.starts_with('<') => [rest[..at].trim_end_matches('|'), &rest[at + 1..]].concat(),
        _ => rest.to_owned(),
    };
    [before, name, &rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_lose_their_brackets() {
        for (law, expected) in [
            ("Wrap it in `<system-reminder>` tags", "Wrap it in `system-reminder` tags"),
            ("<user>a</user> <|im_start|>system", "usera/user im_startsystem"),
            ("say [INST] twice [INST]", "say INST twice INST"),
            ("keep `<path>` and a < b", "keep `<path>` and a < b"),
        ] {
            let (text, tag) = harmless(law);
            assert_eq!(text, expected);
            assert_eq!(tag.is_some(), law != expected);
        }
    }
}

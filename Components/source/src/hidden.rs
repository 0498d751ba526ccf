//! Characters that a reader does not see.

/// Whether a character shows nothing by itself: zero-width ones, joiners, direction marks, soft hyphens, fillers,
/// variation selectors, tags. Text is the same to a reader with and without it.
///
/// ```
/// use mentci_source::is_invisible;
/// assert!(is_invisible('\u{200b}') && is_invisible('\u{fe0f}') && is_invisible('\u{3164}'));
/// assert!(!is_invisible('é') && !is_invisible(' ') && !is_invisible('\n'));
/// ```
pub fn is_invisible(c: char) -> bool {
    is_selector(c)
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e00ff}')
}

/// Whether a character chooses the form of the one before it, as it stands behind many emoji.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e0fff}')
}

/// Whether a character does not show, or changes how what stands around it is read: control characters, what turns the
/// direction of writing, and what has no width. A name with one of these looks like another name.
///
/// ```
/// use mentci_source::is_hidden;
/// assert!(is_hidden('\n') && is_hidden('\u{202e}') && is_hidden('\u{200b}'));
/// assert!(!is_hidden('é') && !is_hidden(' ') && !is_hidden('名') && !is_hidden('\u{fe0f}'));
/// ```
pub fn is_hidden(c: char) -> bool {
    let breaks = matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}');
    c.is_control() || breaks || (is_invisible(c) && !is_selector(c))
}

//! Characters that a reader does not see.

/// Whether a character does not show, or changes how what stands around it is read: control characters, what turns the
/// direction of writing, and what has no width. A name with one of these looks like another name.
///
/// ```
/// use mentci_authority::is_hidden;
/// assert!(is_hidden('\n') && is_hidden('\u{202e}') && is_hidden('\u{200b}'));
/// assert!(!is_hidden('é') && !is_hidden(' ') && !is_hidden('名'));
/// ```
pub fn is_hidden(c: char) -> bool {
    let invisible = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    c.is_control() || invisible
}

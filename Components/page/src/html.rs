//! Writing HTML: what is opened is closed, and text is always escaped.

use mentci_source::is_hidden;

/// A page while it is written. It never holds text of others that is not escaped.
///
/// INVARIANT (text is text): nothing of a transcript, a rule or a lesson reaches a page but through [`Html::text`] and attribute
/// values, which escape it.
///
/// ```
/// use mentci_page::Html;
/// let mut html = Html::default();
/// html.element("p", &[("class", "said")], |html| html.text("<b>\u{202e}"));
/// assert_eq!(html.into_string(), "<p class=\"said\">&lt;b&gt;⟨U+202E⟩</p>");
/// ```
#[derive(Debug, Default)]
pub struct Html {
    out: String,
}

/// Attributes: names are the page's own, values are anybody's.
pub type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Html {
    /// An element with what `inner` writes in it.
    pub fn element(&mut self, name: &'static str, said: Attributes<'_>, inner: impl FnOnce(&mut Self)) {
        self.open(name, said);
        inner(self);
        self.close(name);
    }

    /// An element with text in it.
    pub fn leaf(&mut self, name: &'static str, said: Attributes<'_>, text: &str) {
        self.element(name, said, |html| html.text(text));
    }

    /// A tag that opens; [`Html::close`] closes it.
    pub fn open(&mut self, name: &'static str, said: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(name);
        for (name, value) in said {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            escape(value, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
    }

    /// The tag that closes.
    pub fn close(&mut self, name: &'static str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    /// Text, escaped.
    pub fn text(&mut self, text: &str) {
        escape(text, &mut self.out);
    }

    /// What the page itself says, as it stands.
    pub fn own(&mut self, html: &'static str) {
        self.out.push_str(html);
    }

    /// What was written.
    pub fn into_string(self) -> String {
        self.out
    }
}

/// Signs of HTML become entities; what nobody sees, and what turns the order of letters around, is written out.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\r' => out.push('␍'),
            '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' => {
                out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('␀'));
            }
            '\u{7f}' => out.push('␡'),
            // Joiners stand in emoji and in some scripts.
            _ if is_hidden(c) && !matches!(c, '\n' | '\t' | '\u{200c}' | '\u{200d}') => {
                use std::fmt::Write as _;
                let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
            }
            _ => out.push(c),
        }
    }
}

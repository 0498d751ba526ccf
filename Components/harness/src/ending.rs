//! Where a payload ends that is still being written: with the bracket that closes its first one.

/// Looks for the end of a payload, in the bytes that have come so far.
///
/// ```
/// use mentci_harness::Ending;
/// let mut ending = Ending::default();
/// assert!(!ending.is_whole(br#"{"tool_name": "}"#));
/// assert!(ending.is_whole(br#"{"tool_name": "}"}"#));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Ending {
    /// How many bytes were looked at.
    at: usize,
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

impl Ending {
    /// Whether one whole object or list stands in these bytes, which are those of before and more behind them. What is no JSON
    /// may be taken for one: reading it finds that out.
    pub fn is_whole(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes.get(self.at..).unwrap_or_default() {
            self.at += 1;
            match (byte, self.in_text) {
                _ if self.is_escaped => self.is_escaped = false,
                (b'\\', true) => self.is_escaped = true,
                (b'"', _) => self.in_text = !self.in_text,
                (b'{' | b'[', false) => self.depth += 1,
                (b'}' | b']', false) => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        // Looked at again, it is whole again.
                        self.at -= 1;
                        self.depth = 1;
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_ends_with_its_last_bracket() {
        for (text, whole) in [
            (r#"{"a": 1}"#, true),
            (" {} ", true),
            (r#"{"a": "}"#, false),
            (r#"{"a": "\"}"#, false),
            (r#"{"a": "\\"}"#, true),
            (r#"{"a": [{}"#, false),
            (r#"{"a": [{}]}"#, true),
            ("[1]", true),
            ("", false),
            ("1", false),
            ("\u{feff}{}", true),
            ("{}{", true),
        ] {
            assert_eq!(Ending::default().is_whole(text.as_bytes()), whole, "{text}");
            // Byte by byte it is the same.
            let mut ending = Ending::default();
            let came = (0..=text.len()).any(|to| ending.is_whole(&text.as_bytes()[..to]));
            assert_eq!((came, ending.is_whole(text.as_bytes())), (whole, whole), "{text}");
        }
    }
}

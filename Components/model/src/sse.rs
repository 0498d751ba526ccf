//! Server-sent events, as they come in pieces.

use crate::Fault;

/// The longest event that is read.
pub(crate) const MAX_EVENT: usize = 4 << 20;

/// Takes bytes in any pieces and gives the data of whole events. Names of events, ids and comments are passed over: both wires
/// say in the data what it is.
#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: Option<String>,
    after_return: bool,
}

impl Events {
    /// The data of the events that these bytes complete.
    ///
    /// # Errors
    /// An event is longer than is read.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, Fault> {
        let mut whole = Vec::new();
        for &byte in bytes {
            let follows_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if follows_return => {}
                b'\n' | b'\r' => whole.extend(self.end_line()),
                _ => self.line.push(byte),
            }
            if self.line.len() + self.data.as_ref().map_or(0, String::len) > MAX_EVENT {
                return Err(Fault::garbled(format!(
                    "an event of the answer is longer than {MAX_EVENT} bytes"
                )));
            }
        }
        Ok(whole)
    }

    /// What stands when no more bytes come: an event whose empty line is missing.
    pub(crate) fn rest(&mut self) -> Option<String> {
        let _ = self.end_line();
        self.data.take()
    }

    fn end_line(&mut self) -> Option<String> {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
        let line = line.trim_start_matches('\u{feff}');
        if line.is_empty() {
            return self.data.take();
        }
        if let Some(data) = line.strip_prefix("data:") {
            let data = data.strip_prefix(' ').unwrap_or(data);
            match &mut self.data {
                Some(held) => *held = format!("{held}\n{data}"),
                None => self.data = Some(data.to_owned()),
            }
        }
        None
    }
}

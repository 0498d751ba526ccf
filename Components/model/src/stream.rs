//! An answer of either wire, from bytes in any pieces.

use mentci_authority::{ModelEar, ModelReply, ModelRequest};
use serde_json::Value;

use crate::draft::{Draft, MAX_ANSWER};
use crate::sse::Events;
use crate::tool_names::ToolNames;
use crate::{Fault, Wire, chat_reply, messages_reply};

/// Reads an answer from bytes, in whatever pieces they come.
///
/// ```
/// use mentci_authority::ModelRequest;
/// use mentci_model::{StreamReader, Wire};
/// let mut reader = StreamReader::events(Wire::ChatCompletions, &ModelRequest::default());
/// let stream = "data: {\"choices\": [{\"delta\": {\"content\": \"Hi\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n";
/// for byte in stream.bytes() {
///     reader.push(&[byte], &mut |_| {}).unwrap();
/// }
/// assert_eq!(reader.end(&mut |_| {}).unwrap().text, "Hi");
/// ```
#[derive(Debug)]
pub struct StreamReader {
    wire: Wire,
    form: Form,
    draft: Draft,
    done: bool,
}

#[derive(Debug)]
enum Form {
    Events(Events),
    Whole(Vec<u8>),
}

impl StreamReader {
    /// For an answer that comes as events.
    pub fn events(wire: Wire, request: &ModelRequest) -> Self {
        let draft = Draft::new(ToolNames::of(request));
        Self { wire, form: Form::Events(Events::default()), draft, done: false }
    }

    /// For an answer that comes as one JSON object.
    pub fn whole(wire: Wire, request: &ModelRequest) -> Self {
        Self { form: Form::Whole(Vec::new()), ..Self::events(wire, request) }
    }

    /// Takes more bytes; true when the answer is over, whatever comes yet.
    ///
    /// # Errors
    /// What came is no answer, is longer than is read, or says that the provider gave up.
    pub fn push(&mut self, bytes: &[u8], ear: &mut ModelEar<'_>) -> Result<bool, Fault> {
        match &mut self.form {
            Form::Whole(held) => {
                held.extend_from_slice(bytes);
                if held.len() > MAX_ANSWER {
                    return Err(Fault::garbled(format!("the answer is longer than {MAX_ANSWER} bytes")));
                }
            }
            Form::Events(events) => {
                for data in events.push(bytes)? {
                    self.take(&data, ear)?;
                }
            }
        }
        Ok(self.done)
    }

    /// How many bytes of an answer came so far.
    pub(crate) fn bytes(&self) -> usize {
        match &self.form {
            Form::Whole(held) => held.len(),
            Form::Events(_) => self.draft.bytes,
        }
    }

    /// The whole answer, when no more bytes come.
    ///
    /// # Errors
    /// The answer broke off, or is empty.
    pub fn end(mut self, ear: &mut ModelEar<'_>) -> Result<ModelReply, Fault> {
        let rest = match &mut self.form {
            Form::Whole(held) => Some(String::from_utf8_lossy(held).into_owned()),
            Form::Events(events) => events.rest(),
        };
        if let Some(rest) = rest.filter(|rest| !rest.trim().is_empty()) {
            let broken = self.draft.stop.is_none();
            // What breaks off after the answer was said to be over is no loss.
            self.take(&rest, ear).or_else(|fault| if broken { Err(fault) } else { Ok(()) })?;
        }
        self.draft.reply()
    }

    fn take(&mut self, data: &str, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
        let data = data.trim();
        if self.done || data.is_empty() {
            return Ok(());
        }
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        let value: Value = serde_json::from_str(data).map_err(|error| unread(data, &error))?;
        match self.wire {
            Wire::ChatCompletions => chat_reply::read(&value, &mut self.draft, ear),
            Wire::Messages => {
                self.done = value["type"] == "message_stop";
                messages_reply::read(&value, &mut self.draft, ear)
            }
        }
    }
}

fn unread(data: &str, error: &serde_json::Error) -> Fault {
    if error.is_eof() {
        return Fault::garbled("the answer broke off in the middle of its JSON");
    }
    if data.starts_with('<') {
        return Fault::garbled("a page of HTML came instead of an answer");
    }
    Fault::garbled(format!("what came is no JSON, at byte {} of {}", error.column(), data.len()))
}

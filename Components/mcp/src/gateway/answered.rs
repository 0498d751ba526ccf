//! What the server says: it goes on as it is, but for what tools answered.
//!
//! INVARIANT (seen or withheld): of what a tool answered nothing reaches the agent that was not read in full. A line goes on
//! as it came only where every reader takes it as it was read here.

use mentci_authority::{Effect, ToolStatus, Verdict};
use mentci_host::mended;
use serde_json::{Map, Value, json};

use super::aligned::Lens;
use super::court::Ended;
use super::desk::{Asked, Call};
use super::envelope::{Envelope, batch, whole};
use super::proxy::Proxy;
use super::upstream::{Heard, id_of_garbage};
use super::{end, extra, results, words};

impl Proxy {
    /// Takes what came from the server. Half a pair of UTF-16, as Node writes where a text was cut, and
    /// bytes that are no text are U+FFFD.
    pub(super) async fn server_says(&self, heard: Heard) {
        match heard {
            Heard::Line(line) => {
                let line = mended(String::from_utf8_lossy(&line).as_bytes()).into_owned();
                match batch(&line) {
                    Some(messages) => {
                        for mut message in messages {
                            message.push(b'\n');
                            self.server_sends(message).await;
                        }
                    }
                    None => self.server_sends(line).await,
                }
            }
            Heard::TooLong(id) => self.unfit(id, "its answer is longer than 16 MiB").await,
            Heard::Failed(id, why) => self.unfit(Some(id), &why).await,
            Heard::End => {}
        }
    }

    async fn server_sends(&self, line: Vec<u8>) {
        match Envelope::read(&line) {
            Ok(Envelope::Response { id }) if id != "null" => self.responded(&id, line).await,
            Ok(Envelope::Notification { method }) if TELLS.contains(&method.as_str()) => {
                if let Some(token) = Self::params(&line).get("progressToken") {
                    self.desk().sign(&token.to_string());
                }
                self.tells(line).await;
            }
            Ok(Envelope::Response { .. }) => self.tells(line).await,
            Ok(_) => self.to_client(&line).await,
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(why) => {
                let id = id_of_garbage(&line).filter(|id| self.desk().waits(id));
                match id {
                    Some(id) => {
                        self.unfit(Some(id), &format!("what it answered is withheld, for {why}")).await;
                    }
                    None => self.note("the server wrote a line that is no message; it is left out"),
                }
            }
        }
    }

    /// What is said beside the answers: without secrets.
    async fn tells(&self, line: Vec<u8>) {
        match self.masked(line) {
            Ok(line) => self.to_client(&line).await,
            Err(why) => {
                self.note(&format!("the server said what cannot be read in full ({why}); it is left out"));
            }
        }
    }

    /// A message without secrets; as it came where it holds none.
    fn masked(&self, line: Vec<u8>) -> Result<Vec<u8>, String> {
        let (mut message, is_plain) = whole(&line)?;
        let changed = self.lens.redact_message(&mut message, false);
        Ok(if changed || !is_plain { results::line(&message.to_string()) } else { line })
    }

    /// An answer: to what was asked and not answered yet, otherwise it is left out.
    async fn responded(&self, id: &str, line: Vec<u8>) {
        let asked = self.desk().take(id);
        let answer = match asked {
            None => {
                return self.note("the server answered what nobody waits for; it is left out");
            }
            Some(Asked::Call(call)) => self.returned(id, *call, line),
            Some(Asked::Other(method)) if method.starts_with("tasks/") => match self.masked(line) {
                Ok(line) => line,
                Err(why) => results::error(id, -32000, &words::unread_task(&why)),
            },
            Some(Asked::Other(method)) => self.learned(&method, id, line),
            Some(Asked::TaskResult(task)) => {
                let call = self.desk().take_task(&task);
                match call {
                    Some(call) => self.returned(id, *call, line),
                    None => results::refusal(id, words::STRAY_RESULT),
                }
            }
        };
        self.to_client(&answer).await;
    }

    /// What the gateway itself needs of answers that go on.
    fn learned(&self, method: &str, id: &str, line: Vec<u8>) -> Vec<u8> {
        if !matches!(method, "initialize" | "server/discover" | "tools/list") {
            return line;
        }
        let mut message: Value = serde_json::from_slice(&line).unwrap_or_default();
        let Some(result) = message.get_mut("result") else { return line };
        if method != "tools/list" {
            if let Some(name) = result.pointer("/serverInfo/name").and_then(Value::as_str) {
                self.court.introduce(name);
            }
            return line;
        }
        for problem in self.lens.learn(result) {
            self.note(&problem);
        }
        if self.options.artifact_bytes == 0 {
            return line;
        }
        extra::add(result);
        results::result(id, result)
    }

    /// What a tool answered.
    fn returned(&self, id: &str, call: Call, line: Vec<u8>) -> Vec<u8> {
        let (mut message, is_plain) = match whole(&line) {
            Ok(read) => read,
            Err(why) => {
                let sentence = words::unreadable(&call.tool, &why);
                end::told(self, id, call, ToolStatus::Error, &why);
                return results::refusal(id, &sentence);
            }
        };
        if let Some(task) = not_yet(&message, "task").and_then(|task| task.get("taskId")?.as_str()) {
            let left = self.desk().keep_task(task.to_owned(), Box::new(call));
            return self.kept(id, left, line);
        }
        if not_yet(&message, "resultType").is_some_and(|kind| kind == "input_required") {
            let state = message.pointer("/result/requestState").and_then(Value::as_str).unwrap_or_default();
            let left = self.desk().pause(state.to_owned(), Box::new(call));
            return self.kept(id, left, line);
        }
        let judged = self.blocking(|proxy| proxy.read(id, call, &mut message));
        match judged {
            Ok(Read::AsItIs) if is_plain => line,
            Ok(Read::AsItIs | Read::Changed) => results::line(&message.to_string()),
            Ok(Read::Withheld(sentence)) | Err(sentence) => results::refusal(id, &sentence),
        }
    }

    /// An answer that is none yet goes on; a call for which there was no room is given up.
    fn kept(&self, id: &str, left: Option<Box<Call>>, line: Vec<u8>) -> Vec<u8> {
        if let Some(call) = left {
            self.cancel(id, *call, "too many calls are under way");
        }
        // OK because the message was read in full before.
        self.masked(line).unwrap_or_default()
    }

    /// Asks the policy about an answer and makes of it what the agent may read.
    fn read(&self, id: &str, call: Call, message: &mut Value) -> Read {
        if message.get("result").is_none() {
            return self.read_error(id, call, message);
        }
        let (tool, lasted) = (call.tool.clone(), Some(call.began.elapsed()));
        let Some(result) = message.get_mut("result") else { return Read::AsItIs };
        let heard = self.lens.told(&tool, result);
        let broken = heard.error.clone().filter(|_| result.get("isError") != Some(&Value::Bool(true)));
        let ended =
            Ended { status: heard.status, value: heard.value, error: heard.error.as_deref(), took: lasted };
        let (verdict, notes) = match self.ruled_after(id, call, ended) {
            Ok(judged) => judged,
            Err(sentence) => return Read::Withheld(sentence),
        };
        let mut changed = verdict.result.is_some() || broken.is_some() || !notes.is_empty();
        if let Some(value) = verdict.result {
            Lens::put(result, value);
        }
        changed |= self.lens.redact_message(message, true);
        let result = &mut message["result"];
        if let Some(why) = broken {
            Lens::broken(&tool, result, &self.lens.text(&why));
        }
        changed |= self.lens.shrink(&self.court, &tool, result);
        if !notes.is_empty() {
            results::with_notes(result, &notes.join("\n"));
        }
        if changed { Read::Changed } else { Read::AsItIs }
    }

    /// What the policy says of an answer, with what the agent is to be told of the call; or the sentence in the answer's place.
    fn ruled_after(&self, id: &str, call: Call, ended: Ended<'_>) -> Result<(Verdict, Vec<String>), String> {
        let verdict = self.court.after(&call.tool, call.args, id, ended);
        let verdict = verdict.map_err(|why| words::unread(&call.tool, &why))?;
        if matches!(verdict.decision, Effect::Block | Effect::Approve) {
            return Err(words::withheld(&call.tool, &verdict));
        }
        let notes =
            [call.notes, words::notes(&verdict)].into_iter().filter(|note| !note.is_empty()).collect();
        Ok((verdict, notes))
    }

    /// The same of an error of the protocol: its words, with what it tells beside them.
    fn read_error(&self, id: &str, call: Call, message: &mut Value) -> Read {
        let lasted = Some(call.began.elapsed());
        let Some(error) = message.get_mut("error") else { return Read::AsItIs };
        let said = error.get("message").unwrap_or(error).as_str().unwrap_or_default().to_owned();
        let value = match error.get("data") {
            Some(data) => json!({"message": said, "data": data}),
            None if error.get("message").is_some_and(Value::is_string) => said.as_str().into(),
            // No error as the protocol has it.
            None => error.clone(),
        };
        let ended = Ended { status: ToolStatus::Error, value, error: Some(&said), took: lasted };
        let (verdict, notes) = match self.ruled_after(id, call, ended) {
            Ok(judged) => judged,
            Err(sentence) => return Read::Withheld(sentence),
        };
        let mut changed = verdict.result.is_some() || !notes.is_empty();
        if changed {
            let code = error.get("code").cloned().unwrap_or_else(|| (-32000).into());
            let told = verdict.result.unwrap_or_else(|| error.take());
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let words = text(told.get("message").unwrap_or(&told));
            let said = [words].into_iter().chain(notes).collect::<Vec<_>>().join("\n");
            let data = told.get("data").map(|data| ("data".to_owned(), data.clone()));
            let parts = [("code".to_owned(), code), ("message".to_owned(), said.into())];
            *error = parts.into_iter().chain(data).collect::<Map<String, Value>>().into();
        }
        changed |= self.lens.redact_message(message, true);
        if changed { Read::Changed } else { Read::AsItIs }
    }

    /// A message that cannot be carried ends what waits for it.
    async fn unfit(&self, id: Option<String>, why: &str) {
        let asked = id.as_ref().and_then(|id| self.desk().take(id));
        match (id, asked) {
            (Some(id), Some(Asked::Call(call))) => {
                let answer = end::failed(self, &id, *call, ToolStatus::Error, why);
                self.to_client(&answer).await;
            }
            (Some(id), Some(_)) => self.to_client(&results::error(&id, -32000, why)).await,
            _ => self.note("the server wrote a message that is longer than 16 MiB; it is left out"),
        }
    }
}

/// What is told of calls while they run, and beside them.
const TELLS: [&str; 3] = ["notifications/message", "notifications/progress", "notifications/tasks/status"];

/// The members of a result that is no answer yet. One that holds more is an answer, whatever else it says.
const NO_ANSWER: [&str; 5] = ["_meta", "inputRequests", "requestState", "resultType", "task"];

/// A member of a result that is no answer yet.
fn not_yet<'m>(message: &'m Value, name: &str) -> Option<&'m Value> {
    let is_error = message.get("error").is_some();
    let members = message.get("result").filter(|_| !is_error)?.as_object()?;
    members.get(name).filter(|_| members.keys().all(|name| NO_ANSWER.contains(&name.as_str())))
}

/// What the agent reads of an answer.
enum Read {
    AsItIs,
    Changed,
    /// This instead of it.
    Withheld(String),
}

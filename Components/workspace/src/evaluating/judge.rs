//! A model that judges: would a reader of this line alone know what the law says?

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{ChatMessage, Model, ModelReply, ModelRequest};
use mentci_source::Hash;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::condensing::{Limits, Secrets, unwrapped};

const PROMPT: &str = include_str!("../../../../Library/prompts/judge.md");
/// So many pairs are judged in one request.
const GROUP: usize = 20;

/// The law and a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) law: String,
    pub(crate) line: String,
}

/// What a reader of the line alone knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judged {
    id: i64,
    /// What to do.
    pub(crate) r#do: bool,
    /// What not to do.
    pub(crate) not: bool,
    /// When it holds and when not.
    pub(crate) when: bool,
}

impl Judged {
    /// Whether it knows all.
    pub(crate) fn is_whole(self) -> bool {
        self.r#do && self.not && self.when
    }
}

/// What came of judging.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    pub(crate) judged: BTreeMap<Pair, Judged>,
    pub(crate) calls: usize,
    /// Why some were not judged, the first reason.
    pub(crate) failure: Option<String>,
}

/// `1-0123456789ab`: the prompt's version and the digits of its hash.
pub(crate) fn prompt_name() -> String {
    let (first, text) = PROMPT.split_once('\n').unwrap_or(("", PROMPT));
    let version = first.split_whitespace().nth(2).unwrap_or("0");
    format!("{version}-{}", Hash::of("mentci prompt 1", [text.trim_end().as_bytes()]).short(12))
}

/// Lets a model judge pairs; one that holds what looks like a secret is not sent.
pub(crate) fn judge(model: &Arc<dyn Model>, pairs: Vec<Pair>, limits: Limits) -> Judgement {
    let secrets = Secrets::new();
    let open = |pair: &Pair| !secrets.any_in(&pair.law) && !secrets.any_in(&pair.line);
    let pairs: Vec<Pair> = pairs.into_iter().filter(open).collect();
    let groups: Vec<&[Pair]> = pairs.chunks(GROUP).collect();
    let mut judgement = Judgement::default();
    let answers = match limits.ask(model, groups.iter().map(|group| request(group))) {
        Ok(answers) => answers,
        Err(words) => return Judgement { failure: Some(words), ..judgement },
    };
    for (group, answer) in groups.into_iter().zip(answers) {
        let Some(answer) = answer else { continue };
        judgement.calls += 1;
        let read = answer.map_err(|failure| failure.message).and_then(|reply| read(&reply, group));
        match read {
            Ok(judged) => judgement.judged.extend(judged),
            Err(words) => drop(judgement.failure.get_or_insert(words)),
        }
    }
    judgement
}

fn request(group: &[Pair]) -> ModelRequest {
    let entries = (1..).zip(group).map(|(id, pair)| json!({ "id": id, "law": pair.law, "line": pair.line }));
    let data = entries.collect::<Value>().to_string();
    let text = PROMPT.split_once('\n').map_or(PROMPT, |(_, text)| text).trim_end();
    ModelRequest {
        messages: vec![ChatMessage::said("system", text), ChatMessage::said("user", data)],
        max_tokens: Some(2_048 + 48 * group.len() as u64),
        ..ModelRequest::default()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    answers: Vec<Judged>,
}

/// What was judged of a group.
///
/// # Errors
/// It has another form, or does not say each id once: whoever judges half could choose which half.
fn read(reply: &ModelReply, group: &[Pair]) -> Result<Vec<(Pair, Judged)>, String> {
    let answer: Answer = serde_json::from_str(unwrapped(&reply.text)).map_err(|error| {
        format!(
            "the judge's answer is not of the form that was asked for: line {}, column {}",
            error.line(),
            error.column()
        )
    })?;
    let of = |(id, pair): (i64, &Pair)| {
        let mut judged = answer.answers.iter().filter(|judged| judged.id == id);
        let first = judged.next().copied()?;
        judged.next().is_none().then(|| (pair.clone(), first))
    };
    let judged: Vec<(Pair, Judged)> = (1_i64..).zip(group).filter_map(of).collect();
    if judged.len() < group.len() {
        let (once, all) = (judged.len(), group.len());
        return Err(format!("the judge's answer says {once} of {all} pairs once"));
    }
    Ok(judged)
}

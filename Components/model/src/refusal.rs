//! What a provider says when it refuses.

use std::time::{Duration, SystemTime};

use mentci_authority::ModelFailureKind;
use serde_json::Value;

use crate::mishap::may_pass;
use crate::{Fault, Took};

/// The longest piece of a provider's words that is shown.
const MAX_WORDS: usize = 300;

/// The failure behind a status that is no success.
pub(crate) fn refusal(status: u16, body: &[u8], wait: Option<Duration>) -> Fault {
    let text = String::from_utf8_lossy(body);
    let answer: Option<Value> = serde_json::from_str(&text).ok();
    let words = answer.as_ref().and_then(said).unwrap_or_else(|| plain(&text));
    let words = if words.is_empty() { String::new() } else { format!(": {}", short(&words)) };
    let broke = answer.is_some_and(|answer| is_broke(&answer));
    // Some servers fail where they do not know the form that an answer is wanted in: asking again does not help.
    let status = if status == 500 && words.contains("response_format") { 400 } else { status };
    let message = match status {
        300..=399 => format!("the provider points elsewhere (status {status}), and no redirect is followed"),
        401 | 403 => format!("the key is missing or refused (status {status}){words}"),
        404 => format!("there is no such model or address (status 404){words}"),
        429 if broke => format!("the account has nothing left (status 429){words}"),
        429 => format!("too many requests (status 429){words}"),
        400..=499 => format!("the request is refused (status {status}){words}"),
        _ => format!("the provider failed (status {status}){words}"),
    };
    Fault { kind: kind(status), message, may_pass: may_pass(status) && !broke, wait, took: took(status) }
}

/// Who refuses a request has not answered it; who fails has read it at most.
pub(crate) fn took(status: u16) -> Took {
    if status == 408 || status >= 500 { Took::Request } else { Took::Nothing }
}

fn kind(status: u16) -> ModelFailureKind {
    match status {
        401 | 403 => ModelFailureKind::Unauthorized,
        429 => ModelFailureKind::Limited,
        408 => ModelFailureKind::TimedOut,
        300..=499 => ModelFailureKind::Refused,
        _ => ModelFailureKind::Failed,
    }
}

/// An error that is told inside of an answer: `{"error": …}`.
pub(crate) fn stated(answer: &Value) -> Option<Fault> {
    let error = answer.get("error").filter(|error| !error.is_null())?;
    let words = said(answer).unwrap_or_else(|| "it does not say why".to_owned());
    let code = error["code"].as_u64().and_then(|code| u16::try_from(code).ok());
    let status = code.filter(|code| (400..600).contains(code));
    let status = status.unwrap_or_else(|| match error["type"].as_str().unwrap_or_default() {
        "overloaded_error" => 529,
        "rate_limit_error" => 429,
        "authentication_error" | "permission_error" => 401,
        "invalid_request_error" | "not_found_error" | "request_too_large" => 400,
        _ => 500,
    });
    let message = format!("the provider gave up: {}", short(&words));
    Some(Fault { kind: kind(status), message, may_pass: may_pass(status), wait: None, took: Took::Answer })
}

/// The words of an error, in each of the forms that servers have for it.
fn said(answer: &Value) -> Option<String> {
    let error = &answer["error"];
    let candidates =
        [&error["message"], error, &answer["message"], &answer["detail"], &answer["detail"][0]["msg"]];
    candidates.into_iter().find_map(|value| value.as_str()).map(plain)
}

/// Whether the account is empty: then waiting does not help.
fn is_broke(answer: &Value) -> bool {
    ["code", "type"].iter().any(|key| answer["error"][key] == "insufficient_quota")
}

/// One line of what may be a page of HTML or hold control characters.
fn plain(text: &str) -> String {
    if text.trim_start().starts_with('<') {
        let title = text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
        return title.map_or_else(
            || "a page of HTML".to_owned(),
            |(title, _)| format!("a page of HTML, `{}`", plain(title)),
        );
    }
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn short(words: &str) -> String {
    let cut: String = words.chars().take(MAX_WORDS).collect();
    if cut.len() < words.len() { format!("{cut}…") } else { cut }
}

/// For how long `Retry-After` asks to wait: in seconds, or until a date by the provider's own clock.
pub(crate) fn retry_after(value: Option<&str>, date: Option<&str>) -> Option<Duration> {
    let value = value?.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let now: SystemTime = httpdate::parse_http_date(date?).ok()?;
    Some(httpdate::parse_http_date(value).ok()?.duration_since(now).unwrap_or(Duration::ZERO))
}

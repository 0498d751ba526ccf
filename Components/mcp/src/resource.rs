//! The resources: the digest of the workspace, and of each skill.

use std::fmt;

use mentci_authority::SkillName;
use mentci_host::{Answer, Ask, Request};
use mentci_source::Hash;
use rmcp::ErrorData;
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use crate::said::{self, with_skills};
use crate::skills::skills;

/// Skills on one page of the list.
const PAGE: usize = 500;
const MIME: &str = "text/markdown";
const DIGEST: &str = "mentci://digest";
pub(crate) const TEMPLATE: &str = "mentci://skills/{name}/absolute_rules";

/// What a URI names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// `mentci://digest`
    Digest,
    /// `mentci://skills/NAME/absolute_rules`
    Skill(SkillName),
}

impl Place {
    /// Reads a URI.
    ///
    /// # Errors
    /// The protocol's error for a resource that is not there, with a sentence.
    pub(crate) fn parse(uri: &str) -> Result<Self, ErrorData> {
        let name = uri.strip_prefix("mentci://skills/").and_then(|rest| rest.strip_suffix("/absolute_rules"));
        match name.map(SkillName::parse) {
            Some(Ok(name)) => Ok(Self::Skill(name)),
            Some(Err(error)) => {
                Err(not_found(uri, &format!("{error}; list the resources to see the skills")))
            }
            None if uri == DIGEST => Ok(Self::Digest),
            None => {
                let shown: String = uri.chars().take(128).collect();
                let shown = shown.escape_debug();
                Err(not_found(
                    uri,
                    &format!("no resource is named `{shown}`; read `{DIGEST}` or `{TEMPLATE}`"),
                ))
            }
        }
    }

    fn request(&self) -> Request {
        match self {
            Self::Digest => Request::Digest { skill: None },
            Self::Skill(name) => Request::Digest { skill: Some(name.to_string()) },
        }
    }

    /// The hash of its text; nothing when it cannot be read.
    pub(crate) fn hash(&self, ask: &dyn Ask) -> Option<Hash> {
        match ask.ask(self.request()).answer {
            Answer::Digest(digest) => Some(digest.hash),
            _ => None,
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// The protocol's error for a resource that is not there, with a sentence.
    pub(crate) fn read(&self, ask: &dyn Ask) -> Result<ReadResourceResult, ErrorData> {
        let response = ask.ask(self.request());
        let uri = self.to_string();
        match response.answer {
            Answer::Digest(digest) => Ok(ReadResourceResult::new(vec![
                ResourceContents::text(digest.text, uri).with_mime_type(MIME),
            ])),
            _ => Err(not_found(&uri, &said::refusal(&with_skills(ask, response.findings)))),
        }
    }

    fn listed(&self) -> Resource {
        let (name, title, about) = match self {
            Self::Digest => (
                "digest".to_owned(),
                "Absolute Rules".to_owned(),
                "The rules that bind every agent in this workspace".to_owned(),
            ),
            Self::Skill(skill) => (
                skill.to_string(),
                format!("Absolute Rules of {skill}"),
                format!("All rules of the skill {skill}"),
            ),
        };
        Resource::new(self.to_string(), name).with_title(title).with_description(about).with_mime_type(MIME)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest => f.write_str(DIGEST),
            Self::Skill(name) => write!(f, "mentci://skills/{name}/absolute_rules"),
        }
    }
}

/// One page of the list. The cursor is the last skill of the page before.
///
/// # Errors
/// The protocol's error for a cursor that this server did not give.
pub(crate) fn list(ask: &dyn Ask, cursor: Option<String>) -> Result<ListResourcesResult, ErrorData> {
    let after = cursor.map(|cursor| SkillName::parse(&cursor)).transpose();
    let after =
        after.map_err(|_| ErrorData::invalid_params("this cursor is none that the server gave", None))?;
    let first = after.is_none().then_some(Place::Digest);
    let mut rest =
        skills(ask).into_iter().filter(|skill| after.as_ref().is_none_or(|after| skill > after)).peekable();
    let page: Vec<SkillName> = rest.by_ref().take(PAGE).collect();
    let next = if rest.peek().is_some() { page.last().map(ToString::to_string) } else { None };
    let places = first.into_iter().chain(page.into_iter().map(Place::Skill));
    let mut result = ListResourcesResult::with_all_items(places.map(|place| place.listed()).collect());
    result.next_cursor = next;
    Ok(result)
}

/// The one template.
pub(crate) fn template() -> ResourceTemplate {
    ResourceTemplate::new(TEMPLATE, "skill")
        .with_title("Absolute Rules of a skill")
        .with_description("All rules of one skill")
        .with_mime_type(MIME)
}

fn not_found(uri: &str, sentence: &str) -> ErrorData {
    let uri: String = uri.chars().take(1_000).collect();
    ErrorData::resource_not_found(sentence.to_owned(), Some(json!({ "uri": uri })))
}

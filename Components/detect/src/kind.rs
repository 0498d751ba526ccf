//! What can be found, by name.

use std::fmt;
use std::sync::Arc;

use mentci_source::did_you_mean;
use serde::{Serialize, Serializer};

use crate::Provider;

/// A kind of secret or of personal data. Its name is what stands in the mark: [`Kind::Email`] is `EMAIL`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A key or token of a provider, known by its prefix: `AWS_KEY`, `GITHUB_TOKEN` and the like.
    Key(Provider),
    /// `JWT`: a signed JSON web token.
    Jwt,
    /// `PRIVATE_KEY`: a PEM block that holds a private key.
    PrivateKey,
    /// `BASIC_AUTH`: user and password in a URL.
    BasicAuthUrl,
    /// `BEARER_TOKEN`: what follows `Bearer` in a header.
    Bearer,
    /// `SECRET`: the value that a name such as `password` or `api_key` is set to.
    Assignment,
    /// `EMAIL`.
    Email,
    /// `PHONE`.
    Phone,
    /// `RU_PHONE`: a Russian phone number; one that starts with `+` is a `PHONE` as well ([`Kind::also`]).
    RuPhone,
    /// `CREDIT_CARD`.
    Card,
    /// `SSN`: a US social security number.
    Ssn,
    /// `IBAN`.
    Iban,
    /// `IP_ADDRESS`: version 4 or 6.
    Ip,
    /// `PASSPORT`.
    Passport,
    /// `RU_PASSPORT`.
    RuPassport,
    /// `INN`: a Russian taxpayer number.
    Inn,
    /// `SNILS`: a Russian insurance number.
    Snils,
    /// `DATE_OF_BIRTH`.
    DateOfBirth,
    /// A pattern of the user's own, by its name.
    Custom(Arc<str>),
}

/// Kinds that are chosen together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// What opens doors: keys, tokens, passwords.
    Secrets,
    /// What tells of a person.
    Personal,
}

/// A name that no kind and no group has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind `{name}`")]
pub struct UnknownKind {
    /// The name as it was given.
    pub name: String,
    /// The nearest name that exists.
    pub suggestion: Option<&'static str>,
}

/// The kinds that are not a provider's, with their names and groups.
const KINDS: &[(Kind, &str, Group)] = &[
    (Kind::Jwt, "JWT", Group::Secrets),
    (Kind::PrivateKey, "PRIVATE_KEY", Group::Secrets),
    (Kind::BasicAuthUrl, "BASIC_AUTH", Group::Secrets),
    (Kind::Bearer, "BEARER_TOKEN", Group::Secrets),
    (Kind::Assignment, "SECRET", Group::Secrets),
    (Kind::Email, "EMAIL", Group::Personal),
    (Kind::Phone, "PHONE", Group::Personal),
    (Kind::RuPhone, "RU_PHONE", Group::Personal),
    (Kind::Card, "CREDIT_CARD", Group::Personal),
    (Kind::Ssn, "SSN", Group::Personal),
    (Kind::Iban, "IBAN", Group::Personal),
    (Kind::Ip, "IP_ADDRESS", Group::Personal),
    (Kind::Passport, "PASSPORT", Group::Personal),
    (Kind::RuPassport, "RU_PASSPORT", Group::Personal),
    (Kind::Inn, "INN", Group::Personal),
    (Kind::Snils, "SNILS", Group::Personal),
    (Kind::DateOfBirth, "DATE_OF_BIRTH", Group::Personal),
];

impl Kind {
    /// The name that stands in the mark: `EMAIL`.
    pub fn name(&self) -> &str {
        match self {
            Self::Key(provider) => provider.name(),
            Self::Custom(name) => name,
            other => KINDS.iter().find(|row| row.0 == *other).map_or("", |row| row.1),
        }
    }

    /// Its group; a custom pattern is in none.
    pub fn group(&self) -> Option<Group> {
        match self {
            Self::Key(_) => Some(Group::Secrets),
            other => KINDS.iter().find(|row| row.0 == *other).map(|row| row.2),
        }
    }

    /// What is put in its place: `[EMAIL]`.
    pub fn mark(&self) -> String {
        format!("[{}]", self.name())
    }

    /// The wider kind that a hit with this text is as well: a Russian phone number in international form is a phone
    /// number.
    pub fn also(&self, text: &str) -> Option<Kind> {
        (*self == Self::RuPhone && text.starts_with('+')).then_some(Self::Phone)
    }

    /// Every kind but the custom ones.
    pub fn all() -> impl Iterator<Item = Kind> {
        let keys = Provider::all().map(Kind::Key);
        keys.chain(KINDS.iter().map(|row| row.0.clone()))
    }

    /// The kinds of a group.
    pub fn of(group: Group) -> impl Iterator<Item = Kind> {
        Self::all().filter(move |kind| kind.group() == Some(group))
    }

    /// The kinds that a name means, in any case, `-` for `_` allowed: one kind, or all of `SECRETS`, `PERSONAL` (also
    /// `PII`) or `ALL`.
    ///
    /// ```
    /// use mentci_detect::Kind;
    /// assert_eq!(Kind::named("email").unwrap(), [Kind::Email]);
    /// assert!(Kind::named("personal").unwrap().contains(&Kind::Ssn));
    /// assert_eq!(Kind::named("emial").unwrap_err().suggestion, Some("EMAIL"));
    /// ```
    ///
    /// # Errors
    /// - [`UnknownKind`]: nothing has this name.
    pub fn named(name: &str) -> Result<Vec<Kind>, UnknownKind> {
        let wanted = name.to_ascii_uppercase().replace(['-', ' '], "_");
        let kinds: Vec<Kind> = match wanted.as_str() {
            "SECRETS" => Self::of(Group::Secrets).collect(),
            "PERSONAL" | "PII" => Self::of(Group::Personal).collect(),
            "ALL" => Self::all().collect(),
            _ => Self::all().filter(|kind| kind.name() == wanted).collect(),
        };
        if kinds.is_empty() {
            let suggestion = did_you_mean(&wanted, names());
            return Err(UnknownKind { name: name.to_owned(), suggestion });
        }
        Ok(kinds)
    }
}

/// Every name that [`Kind::named`] knows.
fn names() -> impl Iterator<Item = &'static str> {
    let kinds = KINDS.iter().map(|row| row.1);
    kinds.chain(Provider::all().map(Provider::name)).chain(["SECRETS", "PERSONAL", "ALL"])
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

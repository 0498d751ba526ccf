//! Names of code that a secret is kept under, by their last part: `db.password`, `dbPassword`, `client-secret`, `DEPLOY_KEY`.

/// The last part of a name of a secret, and of one that is a word as often.
const SECRETS: &[&str] = &[
    "password",
    "passwd",
    "pass",
    "pwd",
    "pw",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "credential",
    "credentials",
];
const KEYS: &[&str] = &["key", "apikey", "keys"];

/// What a name of several parts promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// A password, a secret or a token: a plain word may be one.
    Secret,
    /// A key, which opens something or sorts something.
    Key,
}

impl Named {
    /// What a name promises that has two parts at least: parted by marks, or by its capitals.
    pub(super) fn of(name: &str) -> Option<Self> {
        let parts = parts(name);
        let (last, front) = parts.split_last()?;
        match last.trim_end_matches(|c: char| c.is_ascii_digit()) {
            _ if front.is_empty() => None,
            last if SECRETS.contains(&last) => Some(Self::Secret),
            last if KEYS.contains(&last) => Some(Self::Key),
            _ => None,
        }
    }

    /// Whether the name of an option, `storepass` or `db-pw`, ends as names of secrets do.
    pub(super) fn is_option(name: &str) -> bool {
        parts(name).last().is_some_and(|last| SECRETS.contains(&last.as_str()))
    }
}

/// `SpringDatasource.db_password` is spring, datasource, db, password.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_small) {
            parts.push(String::new());
        }
        was_small = c.is_lowercase() || c.is_ascii_digit();
        if let (true, Some(last)) = (c.is_alphanumeric(), parts.last_mut()) {
            last.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_by_its_last_part() {
        for (name, named) in [
            ("db.password", Some(Named::Secret)),
            ("dbPassword", Some(Named::Secret)),
            ("DB_PASSWORD", Some(Named::Secret)),
            ("server.ssl.key-store-password", Some(Named::Secret)),
            ("quay.io/token", Some(Named::Secret)),
            ("auth.apiKey", Some(Named::Key)),
            ("client_secret2", Some(Named::Secret)),
            ("password", None),
            ("passwordHash", None),
            ("token_count", None),
            ("max-tokens", None),
            ("bypass", None),
        ] {
            assert_eq!(Named::of(name), named, "{name}");
        }
    }
}

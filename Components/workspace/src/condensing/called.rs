//! Secrets that are handed over to be kept: as an argument of a call, or by a command that stores secrets.

use super::given::is_value;
use super::named::Named;
use super::spoken_word::{SpokenWord, spoken};

/// What a command keeps as a secret: `gh secret set NAME --body hunter22`, `kubectl create secret generic x --from-literal=pw=hunter22`.
pub(super) fn is_kept(words: &[&str], at: usize) -> bool {
    let keeps = words[..at].windows(2).any(|pair| {
        let verbs = ["set", "create", "put", "add", "generic", "put-secret-value", "create-secret"];
        (pair[0] == "secret" && verbs.contains(&pair[1])) || (pair[1] == "secret" && verbs.contains(&pair[0]))
    }) || words[..at].iter().any(|word| word.starts_with("secretsmanager"));
    let (option, glued) = words[at].split_once('=').unwrap_or((words[at], ""));
    let is_body =
        ["--body", "-b", "--value", "--secret-string", "--from-literal", "--data"].contains(&option);
    let value = if glued.is_empty() { words.get(at + 1).copied() } else { Some(glued) };
    let value = value.map(|value| value.split_once('=').map_or(value, |(_, value)| value));
    keeps && is_body && value.is_some_and(|value| value.len() > 3 && is_value(value))
}

/// `setPassword("hunter22")`, `login("bob", "hunter22")`: a call that is given a text where a secret stands.
pub(super) fn is_called(text: &str) -> bool {
    text.match_indices('(').any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
        let name = text[..at].rsplit(|c| !is_part(c)).next().unwrap_or_default();
        let arguments = text[at + 1..].split(')').next().unwrap_or_default();
        let texts: Vec<&str> = arguments.split(['"', '\'']).skip(1).step_by(2).collect();
        let is_login = ["login", "logIn", "signIn", "sign_in", "authenticate", "connect", "auth"]
            .contains(&name.rsplit(['.', ':']).next().unwrap_or_default());
        let holds = |value: &&str| {
            let is_word = Named::is_option(value) || value.contains(' ');
            value.len() > 3 && !is_word && is_value(value)
        };
        let is_odd = |value: &&str| spoken(value).iter().any(SpokenWord::has_letter_and_digit);
        let is_secret = Named::of(name) == Some(Named::Secret)
            && !["get", "has", "is"].iter().any(|start| name.starts_with(start));
        (is_secret && texts.last().is_some_and(holds))
            || (is_login && texts.len() > 1 && texts.last().is_some_and(|text| holds(text) && is_odd(text)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_told_by_its_name_and_its_text() {
        for (text, gives) in [
            ("call `setPassword(\"swordfish\")`", true),
            ("call login('bob', 'hunter22')", true),
            ("call `setPassword(value)`", false),
            ("call `setPassword(\"password\")`", false),
            ("call login('bob', 'staff')", false),
            ("call `isToken(\"opensesame\")`", false),
        ] {
            assert_eq!(is_called(text), gives, "{text}");
        }
    }
}

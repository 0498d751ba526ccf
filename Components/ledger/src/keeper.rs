//! Whose state is whose: what rules keep is kept by user, project and plugin.

use std::borrow::Cow;

use mentci_authority::Event;
use serde_json::{Value, json};

/// The name under which `owner`, a plugin or a pack, keeps state at an event: its own, and apart for each user and project that
/// the event tells of. Nobody reads what is kept for another one.
///
/// ```
/// use mentci_authority::{Event, Hook};
/// use mentci_ledger::keeper;
/// let mut event = Event::new(Hook::TurnStart);
/// assert_eq!(keeper("shop", &event), "shop");
/// event.facts.insert("user_id".into(), "ada".into());
/// assert_eq!(keeper("shop", &event), r#"["shop","ada",null]"#);
/// ```
pub fn keeper<'o>(owner: &'o str, event: &Event) -> Cow<'o, str> {
    let (user, project) = (of(event, "user"), of(event, "project"));
    if user.is_null() && project.is_null() {
        return Cow::Borrowed(owner);
    }
    Cow::Owned(json!([owner, user, project]).to_string())
}

/// Who the user is, or which the project: a context that an event brings stands instead of its facts.
fn of<'e>(event: &'e Event, what: &str) -> &'e Value {
    let told = match &event.context {
        Some(context) => context.get(what).and_then(|of| of.get("id")),
        None => event.facts.get(if what == "user" { "user_id" } else { "project_id" }),
    };
    told.unwrap_or(&Value::Null)
}

#[cfg(test)]
mod tests {
    use mentci_authority::Hook;

    use super::*;

    fn event(user: Value, project: Value) -> Event {
        let facts = [("user_id".to_owned(), user), ("project_id".to_owned(), project)];
        Event { facts: facts.into_iter().collect(), ..Event::new(Hook::TurnStart) }
    }

    #[test]
    fn no_two_users_projects_or_owners_share_a_name() {
        let ids = [Value::Null, json!(""), json!("a"), json!("b"), json!("a\",\"b"), json!(1), json!("1")];
        let mut names = Vec::new();
        for owner in ["a", "b", "plugins/a"] {
            for user in &ids {
                names.extend(
                    ids.iter()
                        .map(|project| keeper(owner, &event(user.clone(), project.clone())).into_owned()),
                );
            }
        }
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn a_context_that_an_event_brings_says_whose_state_it_is() {
        let told = event(json!("ada"), json!("p"));
        let brought = Event { context: Some(json!({"user": {"id": "bo"}})), ..told };
        assert_eq!(keeper("x", &brought), r#"["x","bo",null]"#);
    }
}

//! Cedar.

use cedar_policy::{
    Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request, RestrictedExpression,
};

use crate::{Policy, Round, asked, told};

/// Asked so often in a round: it takes its time.
const COUNT: u32 = 20;

pub(crate) fn round(policy: &Policy) -> Result<Round, String> {
    let rule = |(tool, text): &(String, String)| {
        format!(
            "forbid(principal, action == Action::\"{tool}\", resource) when {{ context.path like \"*{text}*\" }};\n"
        )
    };
    let rules: String = policy.rules.iter().map(rule).collect();
    let policies: PolicySet =
        format!("permit(principal, action, resource);\n{rules}").parse().map_err(told)?;
    let uid = |text: &str| text.parse::<EntityUid>().map_err(told);
    let calls = policy.calls(|tool, path| {
        let path = ("path".to_owned(), RestrictedExpression::new_string(path.to_owned()));
        let context = Context::from_pairs([path]).map_err(told)?;
        let action = uid(&format!("Action::\"{tool}\""))?;
        Request::new(uid("User::\"a\"")?, action, uid("Call::\"c\"")?, context, None).map_err(told)
    })?;
    let (authorizer, entities) = (Authorizer::new(), Entities::empty());
    asked("cedar-policy", COUNT, calls, move |request| {
        Ok(authorizer.is_authorized(request, &policies, &entities).decision() == Decision::Deny)
    })
}

//! Completion of skills' names, in prompts and in the resource template.

use mentci_authority::SkillName;
use mentci_host::Ask;
use rmcp::model::{CompleteRequestParams, CompletionInfo};

use crate::resource::TEMPLATE;
use crate::skills::skills;

/// The names that begin as typed, then those that hold it; nothing for an argument that is no skill.
pub(crate) fn complete(ask: &dyn Ask, request: &CompleteRequestParams) -> CompletionInfo {
    let (reference, argument) = (&request.r#ref, &request.argument);
    let prompt = reference.as_prompt_name().is_some() && argument.name == "skill";
    let resource = reference.as_resource_uri() == Some(TEMPLATE) && argument.name == "name";
    let names = if prompt || resource { fitting(&skills(ask), &argument.value) } else { Vec::new() };
    let (total, more) = (u32::try_from(names.len()).ok(), names.len() > CompletionInfo::MAX_VALUES);
    let shown = names.into_iter().take(CompletionInfo::MAX_VALUES).collect();
    CompletionInfo::with_pagination(shown, total, more).unwrap_or_default()
}

fn fitting(skills: &[SkillName], typed: &str) -> Vec<String> {
    let typed = typed.trim().to_lowercase();
    let names = skills.iter().map(ToString::to_string).filter(|name| name.to_lowercase().contains(&typed));
    let (mut begin, hold): (Vec<String>, Vec<String>) =
        names.partition(|name| name.to_lowercase().starts_with(&typed));
    begin.extend(hold);
    begin
}

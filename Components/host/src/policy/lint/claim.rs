//! Conditions that rest on what a caller says of itself.

use mentci_authority::Effect;
use mentci_expr::{Expr, Function, Node};
use mentci_source::{Code, Finding};

use super::desk::{Desk, Said};

/// Guards that read claims.
pub(super) fn claims(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        sheet.each_part(&mut |part| {
            let Some((claim, read)) = claim(part) else { return };
            let message = if read {
                format!("`{}` rests on the claim `{claim}`", sheet.id())
            } else {
                format!("`{}` asks the session for `{claim}`, where claims never stand", sheet.id())
            };
            let help = match sheet.rule.effect {
                Some(Effect::Allow) => {
                    "a caller that lies is let through: rest it on `session`, which the host knows"
                }
                _ => {
                    "a caller that says otherwise is not stopped: rest it on `session`, which the host knows"
                }
            };
            said.push((sheet.at, Some(part.span()), Finding::new(Code::GUARD_CLAIM, message).help(help)));
        });
    }
    said
}

/// The claim that a part reads, and whether it stands where it is asked.
fn claim(part: &Expr) -> Option<(&str, bool)> {
    let Node::Call(function @ (Function::Fact | Function::Session), arguments) = part.node() else {
        return None;
    };
    let name = arguments.first()?.as_text()?;
    name.starts_with("claimed.").then_some((name, *function == Function::Fact))
}

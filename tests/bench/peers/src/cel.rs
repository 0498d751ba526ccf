//! CEL.

use crate::{Policy, Round, asked, told};

/// Asked so often in a round: it takes its time.
const COUNT: u32 = 20;

pub(crate) fn round(policy: &Policy) -> Result<Round, String> {
    let compile = |(tool, text): &(String, String)| {
        cel::Program::compile(&format!("tool == '{tool}' && path.contains('{text}')")).map_err(told)
    };
    let programs: Vec<cel::Program> = policy.rules.iter().map(compile).collect::<Result<_, _>>()?;
    let calls = policy.calls(|tool, path| {
        let mut context = cel::Context::default();
        context.add_variable("tool", tool).map_err(told)?;
        context.add_variable("path", path).map_err(told)?;
        Ok(context)
    })?;
    asked("cel", COUNT, calls, move |context| {
        Ok(programs.iter().any(|program| program.execute(context) == Ok(cel::Value::Bool(true))))
    })
}

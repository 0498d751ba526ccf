//! regorus: Rego, its rules keyed by tool.

use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::vm::RegoVM;

use crate::{Policy, Round, asked, told};

/// Asked so often in a round.
const COUNT: u32 = 2_000;

const REGO: &str = "package bench
import rego.v1
default deny := false
deny if {
  some text in data.rules[input.tool]
  contains(input.path, text)
}
";

const RULE: &str = "data.bench.deny";

pub(crate) fn round(policy: &Policy) -> Result<Round, String> {
    let mut rules = serde_json::Map::new();
    for (tool, text) in &policy.rules {
        if let Some(texts) = rules.entry(tool).or_insert_with(|| serde_json::json!([])).as_array_mut() {
            texts.push(text.as_str().into());
        }
    }
    let value = |json: serde_json::Value| regorus::Value::from_json_str(&json.to_string()).map_err(told);
    let mut engine = regorus::Engine::new();
    engine.add_policy("bench.rego".to_owned(), REGO.to_owned()).map_err(told)?;
    let compiled = engine.compile_with_entrypoint(&RULE.into()).map_err(told)?;
    // Its own machine for compiled policies is several times faster than its interpreter.
    let mut machine = RegoVM::new();
    machine.load_program(Compiler::compile_from_policy(&compiled, &[RULE]).map_err(told)?);
    machine.set_data(value(serde_json::json!({ "rules": rules }))?).map_err(told)?;
    let calls = policy.calls(|tool, path| value(serde_json::json!({ "tool": tool, "path": path })))?;
    asked("regorus", COUNT, calls, move |input| {
        machine.set_input(input.clone());
        Ok(machine.execute().map_err(told)? == regorus::Value::from(true))
    })
}

//! Lists whose items facts share: a script reads them as any other field.
#![cfg(feature = "luau")]
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::sync::Arc;

use mentci_script::{Facts, Limits, List, Ran, Script, ScriptAction, Scripts};
use serde_json::{Value, json};

/// A history whose calls are shared.
struct History(Value, Vec<List>);

impl Facts for History {
    fn names(&self) -> Vec<&str> {
        vec!["history"]
    }

    fn fact(&self, name: &str) -> Option<&Value> {
        (name == "history").then_some(&self.0)
    }

    fn lists(&self, fact: &str) -> &[List] {
        if fact == "history" { &self.1 } else { &[] }
    }
}

fn run(machines: &Scripts, calls: &[Arc<Value>], text: &str) -> Ran {
    let facts: Arc<dyn Facts> =
        Arc::new(History(json!({"total_failures": 1}), vec![("tools", calls.to_vec())]));
    machines.run(&Script::compile("s.luau", text).unwrap(), &facts, &Limits::default()).unwrap()
}

fn logged(ran: &Ran) -> Vec<String> {
    let line = |call: &ScriptAction| match call {
        ScriptAction::Log { message, .. } => Some(message.clone()),
        _ => None,
    };
    ran.calls.iter().filter_map(line).collect()
}

#[test]
fn shared_items_are_read_walked_and_told_as_any_other() {
    let machines = Scripts::new(|| 0);
    let call = |name: &str| Arc::new(json!({"name": name, "arguments": {"path": "a"}}));
    let mut calls = vec![call("first"), call("second")];
    let text = "for _, call in ipairs(history.tools) do log(call.name .. ' ' .. call.arguments.path) end
        local names = {}
        for name in pairs(history) do table.insert(names, name) end
        table.sort(names)
        log(table.concat(names, ' '))
        log(tostring(pcall(function() history.tools[1].name = 'x' end)))
        notify{message = 'm', all = history}";
    for _ in 0..3 {
        let ran = run(&machines, &calls, text);
        let mut expected: Vec<String> =
            calls.iter().map(|call| format!("{} a", call["name"].as_str().unwrap())).collect();
        expected.extend(["tools total_failures".to_owned(), "false".to_owned()]);
        assert_eq!(logged(&ran), expected);
        let Some(ScriptAction::Notify(told)) = ran.calls.last() else { unreachable!("it notifies last") };
        assert_eq!(told["all"], json!({"total_failures": 1, "tools": calls}));
        // What another event has in the place of the oldest is another item, also where the memory is the same.
        calls.remove(0);
        calls.push(call(&format!("later {}", calls.len())));
    }
}

//! What nobody trusts runs no script.

use super::{asking, call};

#[test]
fn a_rule_that_is_left_out_says_what_is_not_trusted() {
    let scratch = asking("trigger = \"on_turn_start\"", "notify('x')");
    let said = String::from_utf8_lossy(&scratch.run(&["rules", "test", "r"]).stderr).into_owned();
    assert!(
        said.contains("is not trusted, and its rules that need it are left out: `policy-engine trust`"),
        "{said}"
    );
}

#[test]
fn an_untrusted_workspace_runs_no_script_and_its_gates_close() {
    let scratch = asking("trigger = \"on_tool_call\"\neffect = \"block\"\ntool = \"exec\"", "return false");
    scratch.write(
        ".pi/rules/acts.toml",
        "[rule]\nid = \"acts\"\ntrigger = \"on_tool_call\"\n[script]\nfile = \"s.luau\"\n[action]\ntype = \"log\"\nmessage = \"x\"\n",
    );
    scratch.write("event.json", &call("ls").to_string());
    let output = scratch.run(&["decide", "event.json"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    for told in [
        "`r` asks a script, and its file is not trusted as it stands: it closes",
        "`acts` asks a script, and its file is not trusted as it stands: it is left out",
    ] {
        assert!(said.contains(told), "{said}");
    }
}

#[test]
fn what_the_user_trusts_holds_the_scripts_too() {
    let gate = "trigger = \"on_tool_call\"\neffect = \"block\"\ntool = \"exec\"";
    let scratch = asking(gate, "return true");
    scratch.write("event.json", &call("ls").to_string());
    scratch.must(&["trust"]);
    assert_eq!(scratch.run(&["decide", "event.json"]).status.code(), Some(1));
    scratch.write(".pi/rules/s.luau", "notify('I was never trusted')\nreturn true");
    let output = scratch.run(&["decide", "event.json"]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("never trusted"), "{output:?}");
}

//! What is never sent.

use serde_json::json;

use crate::story::Story;
use crate::{Server, line, script};

#[test]
fn secrets_are_never_sent() {
    let story = Story::new();
    let key = format!("sk-ant-api03-{}", "a1B2c3D4e5".repeat(9));
    story.write(
        ".pi/skills/x/SKILL.md",
        format!("# X\n\n- You must always run the tests.\n- Never print the key `{key}` in a log.\n"),
    );
    let server = Server::start(&story, &script("run tests", &json!({ "lines": [line(1, "Run tests")] })));
    let ran = server.condense(&story, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("E1108"), "{}", ran.err);
    assert!(story.read(".pi/skills/x/absolute_rules.md").contains("Run tests"));
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert!(!requests[0].to_string().contains("sk-ant"), "{}", requests[0]);
}

/// A secret that only words tell is none of a provider's business either; a rule that speaks of secrets is as good as others.
#[test]
fn secrets_in_prose_are_never_sent() {
    let story = Story::new();
    let secrets = [
        "hunter2",
        "4711",
        "abc…",
        "xoxb-your-token-here",
        "Winter2024",
        "Sup3rS3cret",
        "99182",
        "wJalrXUt",
        "opensesame",
        "changeit42",
        "zz40b77",
        "29dk",
    ];
    story.write(
        ".pi/skills/x/SKILL.md",
        "# X\n\n- Always log in with password hunter2 for staging.\n- You must always open the gate with PIN 4711.\n\
         - Always remember that the token is abc….\n- Always post to Slack with xoxb-your-token-here.\n\
         - Use user ci with pass Winter2024! for staging.\n- Connect as admin:Sup3rS3cret at the host prior to testing.\n\
         - Unlock the vault with code 99182 prior to testing.\n- Set `AWS_SECRET_ACCESS_KEY` to wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY.\n\
         - Always remember that the token is opensesame.\n\
         - Always set db.password to changeit42.\n- Always set DEPLOY_KEY to k91/zz40b77.\n\
         - Always use the recovery code 8f3k-29dk-x8s2 for the account.\n\
         - You must never commit a password to the repo.\n",
    );
    let answer = json!({ "lines": [line(1, "Never commit password to repo")] });
    let server = Server::start(&story, &script("commit", &answer));
    let ran = server.condense(&story, &["--explain"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.err.matches("E1108").count(), 12, "{}", ran.err);
    assert_eq!(
        ran.out.lines().filter(|line| line.starts_with("x-") && line.ends_with(" withheld")).count(),
        12,
        "{}",
        ran.out
    );
    let digest = story.read(".pi/skills/x/absolute_rules.md");
    assert!(digest.contains("Never commit password to repo") && digest.contains("hunter2"), "{digest}");
    let requests = server.requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
    for secret in secrets {
        assert!(!requests[0].to_string().contains(secret), "{secret}: {}", requests[0]);
    }
}

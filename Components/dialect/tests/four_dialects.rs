//! One rule in every dialect that can say it: all of them mean the same.

mod common;

use common::{rule, set};
use mentci_authority::RuleSet;
use mentci_dialect::{Dialect, print};

/// One rule, as each dialect says it; none where it cannot, or where another suite says it.
struct Sample {
    name: &'static str,
    yaml: &'static str,
    toml: &'static str,
    edn: &'static str,
    chatmd: Option<&'static str>,
}

const SAMPLES: &[Sample] = &[
    Sample {
        name: "a gate on a tool and an argument",
        yaml: "- {id: etc, when: {tool: [write, edit], args: {path: {contains: /etc}}}, then: block, severity: high, message: no}",
        toml: r#"
            [rule]
            id = "etc"
            trigger = "on_tool_call"
            tool = ["write", "edit"]
            effect = "block"
            severity = "high"
            message = "no"
            [condition]
            expression = "contains(arg('path'), '/etc')"
        "#,
        edn: r#"{:rule/id :etc :tool ["write" "edit"] :when (contains (arg "path") "/etc") :then :block :severity :high :message "no"}"#,
        chatmd: None,
    },
    Sample {
        name: "several conditions",
        yaml: "- {id: many, when: {session: {user_role: '!admin'}, context: {environment: production, time_of_day: '!09:00-18:00'}, sender: eve}, then: approve}",
        toml: r#"
            [rule]
            id = "many"
            trigger = "pre_tool_call"
            effect = "approve"
            [condition]
            session = { user_role = "!admin" }
            context = { environment = "production", time_of_day = "!09:00-18:00" }
            sender = "eve"
        "#,
        edn: r#"{:rule/id :many :then :approve
                 :when (and (!= (session "user_role") "admin") (= (fact "environment") "production")
                            (not (time-of-day "09:00-18:00")) (= (sender) "eve"))}"#,
        chatmd: None,
    },
    Sample {
        name: "a reminder every few turns",
        yaml: "- {id: remind, on: turn_start, when: {if: turn_index % 5 == 0}, actions: [{insert: {role: user, text: remember}}]}",
        toml: r#"
            [rule]
            id = "remind"
            trigger = "on_turn_start"
            [condition]
            expression = "turn_index % 5 == 0"
            [action]
            type = "insert"
            role = "user"
            text = "remember"
        "#,
        edn: "{:rule/id :remind :on :turn-start :when (= (% turn-index 5) 0) :actions [{:type :insert :role :user :text \"remember\"}]}",
        chatmd: Some(
            "<rules>\n<on id=\"remind\" event=\"turn_start\" if=\"turn_index % 5 == 0\"><insert role=\"user\">remember</insert></on>\n</rules>\n",
        ),
    },
    Sample {
        name: "a notification about the budget",
        yaml: "- {id: budget, name: Budget, on: turn_start, order: 50, once: true, cooldown_turns: 2, when: {if: context.turn.token_usage > 0.8}, actions: [{notify: {message: 'at {{ context.turn.token_usage }}', category: context, priority: high}}]}",
        toml: r#"
            [rule]
            id = "budget"
            name = "Budget"
            trigger = "on_turn_start"
            priority = 50
            once = true
            cooldown_turns = 2
            [condition]
            expression = "context.turn.token_usage > 0.8"
            [action]
            type = "notify_self"
            message = "at {{ context.turn.token_usage }}"
            category = "context"
            priority = "high"
        "#,
        edn: r#"{:rule/id :budget :name "Budget" :on :turn-start :order 50 :once true :cooldown-turns 2
                 :when (> (ctx-token-usage) 0.8)
                 :actions [{:type :notify :message "at {{ context.turn.token_usage }}" :category "context" :priority :high}]}"#,
        chatmd: None,
    },
    Sample {
        name: "what happens when a tool fails",
        yaml: "- {id: fails, on: on_tool_failure, when: {tool: patch, if: 'failure_count(\"patch\") >= 3'}, actions: [{log: {message: again}}, {set_state: {key: n, value: 1}}]}",
        toml: r#"
            [rule]
            id = "fails"
            trigger = "on_tool_failure"
            tool = "patch"
            [condition]
            expression = "failure_count('patch') >= 3"
            [[action]]
            type = "log"
            message = "again"
            [[action]]
            type = "set_state"
            key = "n"
            value = 1
        "#,
        edn: r#"{:rule/id :fails :on :on-tool-failure :tool "patch" :when (>= (failure-count "patch") 3)
                 :actions [{:log {:message "again"}} {:set-state {:key "n" :value 1}}]}"#,
        chatmd: None,
    },
    Sample {
        name: "a chain beside a condition",
        yaml: "- {id: leak, when: {tool: send, if: ever_called('read'), chain: [{tool: 'read_*', within_seconds: 120, verdict: allow}]}, then: block}",
        toml: r#"
            [rule]
            id = "leak"
            trigger = "on_tool_call"
            tool = "send"
            effect = "block"
            [condition]
            expression = "ever_called('read')"
            chain = [{ tool = "read_*", within_seconds = 120, verdict = "allow" }]
        "#,
        edn: r#"{:rule/id :leak :tool "send" :then :block
                 :when {:if (ever-called "read") :chain [{:tool "read_*" :within-seconds 120 :verdict :allow}]}}"#,
        chatmd: None,
    },
    Sample {
        name: "parameters within bounds",
        yaml: "- {id: late, on: turn_start, when: {if: turn_index > parameters.most}, parameters: {most: 5, word: a}, bounds: {most: {min: 1, max: 9.5}}, actions: [stop]}",
        toml: r#"
            [rule]
            id = "late"
            trigger = "on_turn_start"
            [rule.parameters]
            most = 5
            word = "a"
            [rule.bounds]
            most = { min = 1, max = 9.5 }
            [condition]
            expression = "turn_index > parameters.most"
            [action]
            type = "stop"
        "#,
        edn: r#"{:rule/id :late :on :turn-start :when (> turn-index parameters.most) :actions [:stop]
                 :parameters {:most 5 :word "a"} :bounds {:most {:min 1 :max 9.5}}}"#,
        chatmd: Some(
            "<rules>\n<on id=\"late\" event=\"turn_start\" if='turn_index > parameters.most'><stop/><parameter name=\"most\" min=\"1\" max=\"9.5\">5</parameter><parameter name=\"word\">a</parameter></on>\n</rules>\n",
        ),
    },
    Sample {
        name: "recent tools",
        yaml: "- {id: recent, on: turn_start, when: {if: 'turn.token_usage > 0.8 and any(t.name == \"vault_search\" for t in recent_tools(5))'}, actions: [stop]}",
        toml: r#"
            [rule]
            id = "recent"
            trigger = "on_turn_start"
            [condition]
            expression = 'context.turn.token_usage > 0.8 and any(t.name == "vault_search" for t in recent_tools(5))'
            [action]
            type = "stop"
        "#,
        edn: r#"{:rule/id :recent :on :turn-start :actions [:stop]
                 :when (and (> (ctx-token-usage) 0.8)
                            (any (ctx-recent-tools 5) (lambda (t) (eq (tool-name t) "vault_search"))))}"#,
        chatmd: Some(
            "<rules>\n<on id=\"recent\" event=\"turn_start\" if='turn.token_usage > 0.8 and any(t.name == \"vault_search\" for t in recent_tools(5))'><stop/></on>\n</rules>\n",
        ),
    },
];

#[test]
fn each_dialect_means_the_same() {
    for sample in SAMPLES {
        let yaml = rule(sample.yaml, Dialect::Yaml);
        assert_eq!(rule(sample.toml, Dialect::Toml), yaml, "toml: {}", sample.name);
        assert_eq!(rule(sample.edn, Dialect::Edn), yaml, "edn: {}", sample.name);
    }
}

#[test]
fn chatmd_means_the_same() {
    for (sample, text) in SAMPLES.iter().filter_map(|sample| Some((sample, sample.chatmd?))) {
        assert_eq!(rule(text, Dialect::Chatmd), rule(sample.yaml, Dialect::Yaml), "chatmd: {}", sample.name);
    }
}

#[test]
fn each_sample_converts_and_comes_back() {
    for sample in SAMPLES {
        let first: RuleSet = set(sample.yaml, Dialect::Yaml);
        for dialect in [Dialect::Yaml, Dialect::Toml, Dialect::Edn] {
            let text = print(&first, dialect).unwrap();
            assert_eq!(set(&text, dialect), first, "{}\n{text}", sample.name);
            assert_eq!(print(&set(&text, dialect), dialect).unwrap(), text, "printing is stable");
        }
        // A set has other words around it in ChatMD; its rules are the same.
        if let Ok(text) = print(&first, Dialect::Chatmd) {
            assert_eq!(set(&text, Dialect::Chatmd).rules, first.rules, "{}\n{text}", sample.name);
        }
    }
}

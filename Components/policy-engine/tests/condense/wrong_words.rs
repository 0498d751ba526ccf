//! What somebody wrote wrong: flags, models, configuration.

use insta::assert_snapshot;

use crate::story::Ran;
use crate::{LAW, SKILL, condense, example};

/// What somebody wrote wrong is told with its place, and nothing is published: the last good digest stays.
#[test]
fn a_model_that_is_written_wrong_is_bad_input() {
    let story = example();
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    let plain = story.digests();
    story.write(SKILL, LAW.replace("20 lines", "30 lines"));
    let mut told = String::new();
    let mut refused = |what: &str, ran: Ran| {
        assert_eq!(ran.code, 2, "{what}: {}{}", ran.out, ran.err);
        assert!(story.digests() == plain, "{what}");
        told += &["# ", what, "\n", &ran.err].concat();
    };
    refused("no model", condense(&story, &[]));
    refused("a provider nobody knows", condense(&story, &["--model", "olama/qwen3"]));
    refused("a name without a provider", condense(&story, &["--model", "qwen3"]));
    refused("a script that is not there", condense(&story, &["--model", "script:none.json"]));
    story.write("broken.json", "{\n  \"steps\": [{ \"txt\": \"x\" }]\n}\n");
    refused("a broken script", condense(&story, &["--model", "script:broken.json"]));
    story.write("folder/x", "");
    refused("a folder", condense(&story, &["--model", "script:folder"]));
    assert_snapshot!(told, @r#"
    # no model
    error[E1101]: no model is named
     --> --condense
     = help: say `--model provider/name` or `--model script:PATH`, or set `model.provider` and `model.name`
    # a provider nobody knows
    error[E1101]: nobody is known who serves `olama/qwen3`
     --> --model
     = help: did you mean `ollama`?
    # a name without a provider
    error[E1101]: nobody is known who serves `qwen3`
     --> --model
     = help: the providers are anthropic, anthropic-compatible, compatible, llamacpp, ollama, openai, openrouter, vllm
    # a script that is not there
    error[E1104]: there is no script `ROOT/none.json`
     --> --model
     = help: a script's path is relative to the workspace, or absolute
    # a broken script
    error[E1104]: this script does not read: unknown field `txt`, expected one of `when`, `expect`, `expect_not`, `fail`, `reasoning`, `text`, `calls`, `stop`, `usage`, `note`
     --> ROOT/broken.json:2:19
     = help: a script is `{"steps": [ … ]}`, or one answer a line; see `Library/specs/model-script.md`
    # a folder
    error[E1104]: cannot read this file: it is not a regular file
     --> ROOT/folder
     = help: a script is a file of answers
    "#);
}

#[test]
fn a_model_that_is_configured_wrong_is_shown_where_it_is_written() {
    let story = example();
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    let plain = story.digests();
    story.write(SKILL, LAW.replace("20 lines", "30 lines"));
    let mut told = String::new();
    let mut configured = |what: &str, text: &str| {
        story.write("mentci.toml", text);
        story.run(&["trust"]);
        let ran = story.run(&["compile-rules"]);
        assert_eq!(ran.code, 2, "{what}: {}{}", ran.out, ran.err);
        assert!(story.digests() == plain, "{what}");
        told += &["# ", what, "\n", &ran.err].concat();
    };
    configured("no choice", "[digest]\ncondense = \"models\"\n");
    configured("a provider", "[digest]\ncondense = \"model\"\ncondense_model = \"olama/qwen3\"\n");
    configured("a script", "[digest]\ncondense = \"model\"\ncondense_model = \"script:none.json\"\n");
    configured("a model's name", "[digest]\ncondense = \"model\"\n\n[model]\nname = \"olama/qwen3\"\n");
    configured(
        "an address",
        "[digest]\ncondense = \"model\"\n\n[model]\nbase_url = \"localhost:1\"\nname = \"m\"\n",
    );
    configured(
        "a cap",
        "[digest]\ncondense = \"model\"\n\n[model]\nprovider = \"ollama\"\nname = \"m\"\ncap_cost = 2\n",
    );
    assert_snapshot!(told, @r#"
    # no choice
    error[E0703]: `digest.condense` takes `deterministic` or `model`, not `"models"`
     --> mentci.toml:2:12
      |
    2 | condense = "models"
      |            ^^^^^^^^
      = help: where shorter lines come from: `model` asks a model and keeps what is verified in the lock, `deterministic` leaves the lock's lines aside; unset: what the lock holds, nobody is asked
    # a provider
    error[E1101]: nobody is known who serves `olama/qwen3`
     --> mentci.toml:3:18
      |
    3 | condense_model = "olama/qwen3"
      |                  ^^^^^^^^^^^^^
      = help: did you mean `ollama`?
    # a script
    error[E1104]: there is no script `none.json`
     --> mentci.toml:3:18
      |
    3 | condense_model = "script:none.json"
      |                  ^^^^^^^^^^^^^^^^^^
      = help: a script's path is relative to the workspace, or absolute
    # a model's name
    error[E1101]: nobody is known who serves `olama/qwen3`
     --> mentci.toml:5:8
      |
    5 | name = "olama/qwen3"
      |        ^^^^^^^^^^^^^
      = help: did you mean `ollama`?
    # an address
    error[E1103]: `model.base_url` is no address of a provider
     --> mentci.toml:5:12
      |
    5 | base_url = "localhost:1"
      |            ^^^^^^^^^^^^^
      = help: it begins with `http://` or `https://` and holds no user, password, query or fragment
    # a cap
    error[E0703]: `model.cap_cost` caps nothing without prices
     --> mentci.toml:7:12
      |
    7 | cap_cost = 2
      |            ^
      = help: set `model.price_input` and `model.price_output`: what a million tokens cost
    "#);
}

#[test]
fn flags_that_contradict_each_other_are_refused() {
    let story = example();
    let mut told = String::new();
    for flags in [
        &["compile-rules", "--model", "script:good.model.json"][..],
        &["compile-rules", "--condense", "deterministic", "--model", "script:good.model.json"],
        &["compile-rules", "--condense", "deterministic", "--require-model"],
        &["compile-rules", "--condense", "modle"],
        &["compile-rules", "--check", "--condense", "model"],
        &["eval-digest", "--judge", "script:good.model.json", "--probes", "0"],
        &["eval-digest", "--probes", "5"],
    ] {
        let ran = story.run(flags);
        assert_eq!(ran.code, 2, "{flags:?}");
        told += &["$ ", &flags.join(" "), "\n", &ran.err].concat();
    }
    assert!(story.digests().is_empty());
    assert_snapshot!(told, @r"
    $ compile-rules --model script:good.model.json
    error: `--model` names who shortens the lines, and nobody is asked without `--condense model`
      = help: say `--condense model --model NAME`, or leave `--model` out
    $ compile-rules --condense deterministic --model script:good.model.json
    error: `--model` names who shortens the lines, and nobody is asked without `--condense model`
      = help: say `--condense model --model NAME`, or leave `--model` out
    $ compile-rules --condense deterministic --require-model
    error: `--require-model` and `--condense deterministic` contradict each other
      = help: `--condense model --require-model` publishes nothing without a model's answer
    $ compile-rules --condense modle
    error: invalid value 'modle' for '--condense <HOW>'
      [possible values: model, deterministic]

      tip: a similar value exists: 'model'

    For more information, try '--help'.
    $ compile-rules --check --condense model
    error: the argument '--check' cannot be used with '--condense <HOW>'

    Usage: policy-engine compile-rules --check

    For more information, try '--help'.
    $ eval-digest --judge script:good.model.json --probes 0
    error: invalid value '0' for '--probes <N>': it is a whole number from 1

    For more information, try '--help'.
    $ eval-digest --probes 5
    error: the following required arguments were not provided:
      --judge [<NAME>]

    Usage: policy-engine eval-digest --judge [<NAME>] --probes <N>

    For more information, try '--help'.
    ");
    let ran = story.run(&["eval-digest", "--judge", "olama/qwen3"]);
    assert_eq!(ran.code, 2);
    assert_snapshot!(ran.err, @r"
    error[E1101]: nobody is known who serves `olama/qwen3`
     --> --judge
     = help: did you mean `ollama`?
    ");
}

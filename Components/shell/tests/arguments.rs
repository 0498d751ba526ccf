//! Flags, values, operands and subcommands; and the fact that rules read.

use mentci_shell::{Limits, parse};

/// `program subcommand {flags} name=value: operands`
fn seen(text: &str) -> String {
    let script = parse(text, Limits::default());
    let Some(command) = script.commands.last() else { return String::new() };
    let flags: Vec<&str> = command.flags.iter().map(String::as_str).collect();
    let operands: Vec<&str> = command.operands.iter().map(|word| word.text.as_str()).collect();
    let values: Vec<String> =
        command.values.iter().map(|(name, values)| format!(" {name}={}", values.join(","))).collect();
    let values = values.concat();
    format!(
        "{} {} {{{}}}{values}: {}",
        command.program,
        command.subcommand,
        flags.join(" "),
        operands.join(" ")
    )
}

#[test]
fn options_are_sorted() {
    let cases = [
        ("rm -rf x", "rm  {R f force r recursive}: x"),
        ("rm --recursive -- -f", "rm  {R r recursive}: -f"),
        ("git -C d --no-pager push -f origin main", "git push {C f force no-pager} C=d: origin main"),
        ("git push --force-with-lease=main", "git push {force-with-lease} force-with-lease=main: "),
        ("git commit -m 'rm -rf' -n", "git commit {m message n no-verify} m=rm -rf message=rm -rf: "),
        ("git commit -am x", "git commit {a all m message} m=x message=x: "),
        ("git branch -D x", "git branch {D d delete f force}: x"),
        ("git clean -fdx", "git clean {d f force x}: "),
        ("git stash drop 1", "git stash drop {}: 1"),
        ("git checkout -- .", "git checkout {}: ."),
        ("docker system prune -af --volumes", "docker system prune {a all f force volumes}: "),
        ("docker compose -f x.yml down -v", "docker compose down {f v volumes} f=x.yml: "),
        ("kubectl -n prod delete ns x", "kubectl delete {n namespace} n=prod namespace=prod: ns x"),
        ("terraform destroy -auto-approve", "terraform destroy {auto-approve}: "),
        ("find . -name x -delete", "find  {delete name}: . x"),
        ("aws s3 rm s3://b --recursive", "aws s3 rm {recursive}: s3://b"),
        (
            "curl -sSLo x.sh example.com",
            "curl  {L S location o output s silent} o=x.sh output=x.sh: example.com",
        ),
        ("head -n5 x", "head  {n} n=5: x"),
        ("/usr/bin/python3.11 -m pip install x", "python  {m}: pip install x"),
        ("git reset --har", "git reset {hard}: "),
        ("git push --forc", "git push {forc}: "),
        ("git push --force-w", "git push {force-with-lease}: "),
        ("git checkout -fB main x", "git checkout {B b f force force-create} B=main: x"),
        ("rm --recurs --forc x", "rm  {R f force r recursive}: x"),
        ("npm install -g x", "npm install {g global}: x"),
        ("cargo publish --dry-run", "cargo publish {dry-run}: "),
    ];
    for (text, expected) in cases {
        assert_eq!(seen(text), expected, "{text}");
    }
}

#[test]
fn a_pipeline_knows_its_neighbours() {
    let script = parse("cat x | sudo curl y | sh & X=1 rm z", Limits::default());
    let sh = script.commands.iter().find(|command| command.program == "sh").unwrap();
    assert_eq!(sh.pipes_from, ["cat", "sudo", "curl"]);
    assert_eq!(sh.pipe.map(|pipe| (pipe.id, pipe.position)), Some((0, 2)));
    assert!(sh.background);
    assert_eq!(script.commands[0].pipes_into, ["sudo", "curl", "sh"]);
    let rm = script.commands.last().unwrap();
    assert_eq!((rm.env["X"].as_str(), rm.background, rm.pipe), ("1", false, None));
    assert!(parse(":(){ :|:& };:", Limits::default()).forks.contains(":"));
}

#[test]
fn a_script_is_a_fact() {
    let script = parse("sudo rm -f \"$X\" > log", Limits::default());
    let fact = serde_json::to_value(&script).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&fact["commands"][1]).unwrap(), @r#"
    {
      "args": [
        "-f",
        "$X"
      ],
      "background": false,
      "code": null,
      "code_from": [],
      "cwd": null,
      "env": {},
      "flags": [
        "f",
        "force"
      ],
      "guards": [],
      "is_static": false,
      "operands": [
        "$X"
      ],
      "path": "rm",
      "pipe": null,
      "pipes_from": [],
      "pipes_into": [],
      "program": "rm",
      "program_is_static": true,
      "redirects": [
        {
          "fd": null,
          "op": "write",
          "target": "log"
        }
      ],
      "span": {
        "end": 21,
        "start": 0
      },
      "starts": [],
      "subcommand": "",
      "values": {},
      "via": [
        {
          "program": "sudo"
        }
      ]
    }
    "#);
    assert_eq!(fact["incomplete"], serde_json::Value::Null);
}

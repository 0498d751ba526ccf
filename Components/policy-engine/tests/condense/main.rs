//! Shorter lines by a model: the example, a served model in a process of its own, a lock without one, a dead endpoint.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

#[path = "../story/mod.rs"]
mod story;

mod answers;
mod example;
mod merging;
mod secrets;
mod served;
mod watching;
mod worth;
mod wrong_words;

use std::io::{BufRead, BufReader};
use std::process::Child;

use serde_json::{Value, json};
use story::{Ran, Story};

const LAW: &str = include_str!("../../../../Library/guide/examples/condense/.pi/skills/release/SKILL.md");
const GOOD: &str = include_str!("../../../../Library/guide/examples/condense/good.model.json");
const SKILL: &str = ".pi/skills/release/SKILL.md";
const DIGEST: &str = ".pi/skills/release/absolute_rules.md";
const LOCK: &str = ".pi/skills/release/absolute_rules.lock";

fn example() -> Story {
    let story = Story::new();
    story.write(SKILL, LAW);
    story.write("good.model.json", GOOD);
    story
}

/// A script of one answer to whatever holds these words.
fn script(when: &str, answer: &Value) -> String {
    let text = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
    json!({ "model": "m", "steps": [{ "when": [when], "text": text }] }).to_string()
}

fn line(id: i64, text: &str) -> Value {
    json!({ "ids": [id], "text": text })
}

/// `compile-rules --condense model` with these flags beside.
fn condense(story: &Story, more: &[&str]) -> Ran {
    story.run(&[&["compile-rules", "--condense", "model"][..], more].concat())
}

fn rules(story: &Story) -> String {
    let text = story.read(DIGEST);
    text.splitn(3, '\n').nth(2).unwrap_or_default().to_owned()
}

/// A model in a process of its own.
struct Server {
    child: Child,
    base: String,
}

impl Server {
    fn start(story: &Story, script: &str) -> Self {
        story.write("served.json", script);
        let mut child = story.start(&["model", "serve", "--script", "served.json"]);
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_whitespace().find(|word| word.starts_with("http")).unwrap();
        let base = format!("model.base_url={address}");
        Self { child, base }
    }

    fn condense(&self, story: &Story, more: &[&str]) -> Ran {
        let flags = ["--config", &self.base, "--config", "model.name=m", "--config", "model.retries=0"];
        condense(story, &[&flags[..], more].concat())
    }

    /// Ends it; the requests that it heard.
    fn requests(mut self) -> Vec<Value> {
        self.child.kill().unwrap();
        let out = self.child.wait_with_output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

//! Shorter lines beside a watch.

use std::process::Child;

use serde_json::json;

use crate::story::Story;
use crate::{DIGEST, LAW, LOCK, SKILL, Server, example};

/// A watch, until it ends with this.
struct Watch(Child);

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a file holds these words before long.
fn comes(story: &Story, path: &str, words: &str) -> bool {
    (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        story.exists(path) && story.read(path).contains(words)
    })
}

#[test]
fn a_watch_publishes_at_once_and_shorter_lines_when_they_come() {
    let story = example();
    let model =
        ["--config", "digest.condense=model", "--config", "digest.condense_model=script:good.model.json"];
    let _watch = Watch(story.start(&[&["watch", "--json"][..], &model].concat()));
    assert!(comes(&story, DIGEST, "No mocks in integration tests"));
    assert!(story.read(LOCK).contains("\"format\": 2"));
}

#[test]
fn a_watch_does_not_wait_for_a_model_that_never_answers() {
    let story = example();
    let hangs = json!({ "steps": [{ "when": ["a"], "fail": { "wire": "hang", "times": 9 } }] }).to_string();
    let server = Server::start(&story, &hangs);
    let model = ["--config", "digest.condense=model", "--config", "model.name=m", "--config", &server.base];
    let _watch = Watch(story.start(&[&["watch", "--json"][..], &model].concat()));
    assert!(comes(&story, DIGEST, "Do not use mocks"));
    // Long enough for the question to be on its way.
    std::thread::sleep(std::time::Duration::from_secs(2));
    story.write(SKILL, LAW.replace("20 lines", "30 lines"));
    assert!(comes(&story, DIGEST, "no more than 30 lines"));
    drop(server.requests());
}

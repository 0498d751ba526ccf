//! How fast texts are scanned: `cargo run --release -p mentci-detect --example scan_speed`.
//!
//! Prints the least time of many rounds, in microseconds for 100 KB.
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use mentci_detect::{Detector, Group, Kind};

const SIZE: usize = 100_000;

fn main() {
    let prefixed = Kind::of(Group::Secrets).filter(|kind| !matches!(kind, Kind::Assignment | Kind::Bearer));
    let detectors = [
        ("secret prefixes", Detector::new(prefixed, []).expect("no patterns, so none is refused")),
        ("all secrets", Detector::group(Group::Secrets)),
        ("all personal", Detector::group(Group::Personal)),
        ("everything", Detector::all()),
    ];
    let texts = [
        ("prose", filled(PROSE)),
        ("code", filled(CODE)),
        ("log", filled(LOG)),
        ("dense", filled(DENSE)),
        ("a@b.c…", filled("user.name@mail.example.")),
        ("1-2 3…", filled("555-867 4111.1 1:")),
        ("token=…", filled("token=\"api_key: ")),
    ];
    println!(
        "{:<16}{:>18}{:>18}{:>18}{:>18}",
        "us / 100 KB", "prefixes", "secrets", "personal", "everything"
    );
    for (name, text) in &texts {
        print!("{name:<16}");
        for (_, detector) in &detectors {
            let (hits, least) = least(detector, text);
            print!("{:>18}", format!("{:.1} ({hits})", least.as_secs_f64() * 1e6));
        }
        println!();
    }
    worst(&detectors[3].1);
}

/// Ten and twenty times as much of the text that is worst for e-mail: the time should be ten and twenty times as long.
fn worst(detector: &Detector) {
    let part = "a.b-c_d+e@".repeat(1_000);
    for times in [1, 10, 20] {
        let text = part.repeat(times);
        let (_, time) = least(detector, &text);
        let (_, steps) = detector.find_counted(&text);
        println!(
            "{times:>3} x 10 kB like e-mail: {:.1} us, {} steps",
            time.as_secs_f64() * 1e6,
            steps.count()
        );
    }
}

fn least(detector: &Detector, text: &str) -> (usize, Duration) {
    let hits = detector.find(text).len();
    let round = || {
        let start = Instant::now();
        black_box(detector.find(black_box(text)));
        start.elapsed()
    };
    (hits, (0..300).map(|_| round()).min().unwrap_or_default())
}

fn filled(part: &str) -> String {
    let mut text = part.repeat(SIZE / part.len() + 1);
    text.truncate(SIZE);
    text
}

const PROSE: &str = "The committee met on Tuesday to discuss the proposal, which had been circulated in March. \
Of the twelve members present, nine spoke in favour; the chair asked whether the plan's cost, estimated at 4,500 \
pounds, was within the year's budget. It was agreed that the secretary would write to the parish, and that a second \
meeting should be held once the survey was complete. Nobody expected an answer before the autumn of 2027.\n";

const CODE: &str = "impl<'a> Parser<'a> {\n    /// The next token, or `None` at the end.\n    fn next(&mut self) -> \
Option<Token> {\n        let start = self.at;\n        while self.at < self.text.len() && is_word(self.text[self.at]) \
{\n            self.at += 1;\n        }\n        let kind = match self.text.get(start) {\n            Some(b'0'..=b'9') \
=> Kind::Number,\n            Some(_) => Kind::Word,\n            None => return None,\n        };\n        \
Some(Token { kind, span: start..self.at, line: self.lines[0] as u32 })\n    }\n}\n\n";

const LOG: &str = "2026-03-02T10:00:00.123Z INFO  [worker-17] request id=550e8400-e29b-41d4-a716-446655440000 \
path=/api/v2/items/48213 status=200 bytes=18231 took=12.4ms trace=4bf92f3577b34da6a3ce929d0e0e4736\n";

const DENSE: &str = "ann@example.com, +1-555-867-5309, 4111 1111 1111 1111, 123-45-6789, 192.168.1.1, DE89 3704 0044 \
0532 0130 00, dob: 1990-02-01, password=hunter22, https://ann:hunter2@example.com\n";

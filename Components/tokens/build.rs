//! Lays out the tokens of o200k that can stand in plain text so that they are looked up where they lie: nothing of them is unpacked at run time.

#![expect(clippy::disallowed_methods, reason = "a build writes what it makes")]

#[path = "src/ascii/spread.rs"]
#[expect(dead_code, reason = "a build looks nothing up")]
mod spread;

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/ascii/spread.rs");
    let tables = tiktoken::get_encoding("o200k_base").expect("OK because the feature is on");
    let ids = 0..u32::try_from(tables.vocab_size()).expect("OK because ids are small");
    let tokens: Vec<Vec<u8>> = ids.map(|id| tables.decode(&[id])).filter(|token| can_stand(token)).collect();
    let folder = std::env::var("OUT_DIR").expect("cargo says where");
    let write = |name: &str, bytes: Vec<u8>| {
        std::fs::write(Path::new(&folder).join(name), bytes).expect("the build folder can be written");
    };
    // In the order of their ids, which is the order in which they are merged.
    write("bytes", tokens.concat());
    write("ends", numbers(ends(&tokens)));
    write("slots", numbers(slots(&tokens)));
}

/// Whether a token may be a part of plain text, or of one of its signs: these are merged out of single bytes.
fn can_stand(token: &[u8]) -> bool {
    let signs: String = spread::SIGNS.iter().collect();
    !token.is_empty() && token.iter().all(|byte| byte.is_ascii() || signs.as_bytes().contains(byte))
}

fn ends(tokens: &[Vec<u8>]) -> Vec<u32> {
    let mut end = 0;
    let ends = tokens.iter().map(|token| {
        end += token.len();
        u32::try_from(end).expect("OK because all tokens are a few megabytes")
    });
    ends.collect()
}

/// Open addressing: a token's number from 1, 0 where it is empty.
fn slots(tokens: &[Vec<u8>]) -> Vec<u32> {
    let mut slots = vec![0; spread::SLOTS];
    for (number, token) in (1..).zip(tokens) {
        let mut at = spread::slot(token);
        while slots[at] != 0 {
            at = (at + 1) % spread::SLOTS;
        }
        slots[at] = number;
    }
    slots
}

fn numbers(numbers: Vec<u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

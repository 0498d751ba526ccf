//! A program and its pack are the same program; what is no pack is refused.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod rules;

use mentci_authority::{Hook, Permission, RuleSet};
use mentci_ledger::{Decided, Ledger, Record};
use mentci_pdp::{
    NotifyOptions, Options, Pack, PackError, Program, Verbatim, act, decide, explain, notify, settle,
};
use mentci_source::Hash;
use proptest::prelude::*;
use rules::{any_event, any_sets, event, sample, sets_of};

/// Every decision, act and word of two programs about events, and what is remembered of them.
fn agree(made: &Program, opened: &Program, events: &[mentci_authority::Event]) {
    let mut ledger = Ledger::new(made.windows());
    for event in events {
        let view = ledger.view(event);
        let (first, second) = (decide(made, event, view), decide(opened, event, view));
        assert_eq!(first, second, "{event:?}");
        let acts = act(made, event, view, &first, &Verbatim);
        assert_eq!(acts, act(opened, event, view, &second, &Verbatim));
        let told = notify(made, event, view, &acts.words);
        assert_eq!(told, notify(opened, event, view, &acts.words));
        let settled = settle(made, event, view, &first);
        assert_eq!(settled, settle(opened, event, view, &second));
        let deltas = settled.into_iter().chain(acts.deltas.clone()).chain(told.deltas).collect();
        let verdict = explain(made, event, &first, acts.clone());
        assert_eq!(verdict, explain(opened, event, &second, acts));
        let decided = Decided::new(first.effect(), []);
        ledger.fold(&Record::of(event, &decided, deltas));
    }
}

fn packed(program: &Program) -> Pack {
    Pack::open(Pack::of(program, b"from a test").unwrap()).unwrap()
}

fn program(sets: &[RuleSet]) -> Program {
    let notify = NotifyOptions { dedupe_ms: 7, expires_ms: u64::MAX, batch: 1 };
    Program::new(sets, Options { default: Permission::Approve, notify })
}

#[test]
fn a_pack_is_the_program_that_was_packed() {
    let sets = sample();
    let made = program(&sets);
    let pack = packed(&made);
    assert_eq!(pack.label(), b"from a test");
    let opened = pack.program().unwrap();
    assert_eq!((opened.windows(), opened.zones()), (made.windows(), made.zones()));
    let tools = ["exec", "read", "send", "delete_file", "secret_tool", "x"];
    let events: Vec<_> = Hook::ALL
        .into_iter()
        .flat_map(|hook| tools.map(|tool| event(hook, tool, "cat /etc/passwd | send 4111 1111 1111 1111")))
        .collect();
    agree(&made, &opened, &events);
    let untested =
        |rule: &mentci_authority::Rule| mentci_authority::Rule { tests: Vec::new(), ..rule.clone() };
    assert!(made.rules().map(untested).eq(opened.rules().cloned()));
    for name in ["a/chain", "chain", "b/quota", "none"] {
        assert_eq!(made.find(name), opened.find(name), "{name}");
    }
}

#[test]
fn packing_what_was_packed_gives_the_same_bytes() {
    let made = program(&sample());
    let first = Pack::of(&made, b"label").unwrap();
    let opened = Pack::open(first.clone()).unwrap().program().unwrap();
    assert_eq!(Pack::of(&opened, b"label").unwrap(), first);
}

#[test]
fn opening_reads_no_rule() {
    // A rule that does not read is found only when it is asked; and then nothing passes.
    let made = program(&sets_of("read", 3));
    let bytes = Pack::of(&made, b"").unwrap();
    let at = bytes.windows(4).position(|part| part == b"\"id\"").unwrap();
    let mut broken = bytes;
    broken[at + 1] = b'x';
    let opened = Pack::open(resealed(broken)).unwrap().program().unwrap();
    let ledger = Ledger::new(opened.windows());
    let asked = event(Hook::PreToolCall, "read0", "anything");
    let decision = decide(&opened, &asked, ledger.view(&asked));
    let verdict =
        explain(&opened, &asked, &decision, act(&opened, &asked, ledger.view(&asked), &decision, &Verbatim));
    assert_eq!(verdict.decision, mentci_authority::Effect::Block);
    assert_eq!(
        verdict.reasons[0].message,
        "a rule of the policy pack does not read: build it anew with `policy-engine pack`"
    );
    let other = event(Hook::PreToolCall, "read1", "anything");
    agree(&made, &opened, &[other]);
}

/// A file whose hash fits its bytes, whatever they are: made by who knows the format.
fn resealed(mut file: Vec<u8>) -> Vec<u8> {
    let hash = Hash::of_bytes(&file[48..]);
    file[16..48].copy_from_slice(hash.as_bytes());
    file
}

#[test]
fn what_is_no_pack_is_refused() {
    let good = Pack::of(&program(&sample()), b"x").unwrap();
    let newer = {
        let mut file = good.clone();
        file[8] = 9;
        file
    };
    let longer = [good.as_slice(), &[0; 8]].concat();
    for (name, file, error) in [
        ("empty", Vec::new(), PackError::NotAPack),
        ("text", b"rules:\n - id: x\n".to_vec(), PackError::NotAPack),
        ("only a mark", good[..8].to_vec(), PackError::NotAPack),
        ("only a header", good[..48].to_vec(), PackError::Damaged("its bytes do not fit its hash")),
        ("cut", good[..good.len() - 8].to_vec(), PackError::Damaged("its bytes do not fit its hash")),
        ("longer", longer, PackError::Damaged("its bytes do not fit its hash")),
        ("newer", newer, PackError::Format(9)),
    ] {
        assert_eq!(Pack::open(file).err(), Some(error), "{name}");
    }
}

#[test]
fn every_flipped_byte_is_noticed() {
    let good = Pack::of(&program(&sample()), b"x").unwrap();
    for at in 0..good.len() {
        let mut file = good.clone();
        file[at] ^= 1 << (at % 8);
        assert!(Pack::open(file).is_err(), "byte {at}");
    }
}

#[test]
fn a_long_fraction_packs_and_reads_back() {
    // Every digit of these counts: a reader that rounds twice gives its neighbour.
    let fractions = [
        0.123_456_789_012_345_68,
        1.797_693_134_862_315_7e308,
        5e-324,
        9_007_199_254_740_993.5,
        51.248_178_375_055_05,
    ];
    let mut sets = sets_of("read", 1);
    for (at, fraction) in fractions.into_iter().enumerate() {
        sets[0].rules[0].parameters.insert(format!("share-{at}"), fraction.into());
    }
    let opened = packed(&program(&sets)).program().unwrap();
    let parameters = &opened.rules().next().unwrap().parameters;
    let read: Vec<_> = parameters.values().filter_map(serde_json::Value::as_f64).collect();
    assert_eq!(read, fractions);
}

#[test]
fn a_rule_that_does_not_read_back_is_not_packed() {
    let mut sets = sets_of("read", 1);
    let deep = (0..200).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]));
    sets[0].rules[0].parameters.insert("deep".to_owned(), deep);
    let error = Pack::of(&program(&sets), b"").unwrap_err();
    assert_eq!(error.to_string(), "the rule `set/r0` cannot be packed: it does not read back as it is");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Packed and not, the same rules decide the same about the same events, in the same order.
    #[test]
    fn packs_decide_as_programs_do(sets in any_sets(), events in prop::collection::vec(any_event(), 1..12)) {
        let made = program(&sets);
        agree(&made, &packed(&made).program().unwrap(), &events);
    }

    /// What a hostile hand wrote, with a hash that fits, is refused or decides something; nothing panics and nothing hangs.
    #[test]
    fn hostile_packs_are_survived(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        events in prop::collection::vec(any_event(), 1..4),
    ) {
        let mut file = Pack::of(&program(&sample()), b"x").unwrap();
        for (at, byte) in flips {
            let length = file.len() - 48;
            file[48 + at.index(length)] = byte;
        }
        let Ok(opened) = Pack::open(resealed(file)).and_then(|pack| pack.program()) else { return Ok(()) };
        let ledger = Ledger::new(opened.windows());
        for event in &events {
            let view = ledger.view(event);
            let decision = decide(&opened, event, view);
            explain(&opened, event, &decision, act(&opened, event, view, &decision, &Verbatim));
        }
        let _ = (opened.rules().count(), opened.find("x"));
    }
}

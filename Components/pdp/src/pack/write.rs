//! A program as a message.

use std::collections::BTreeMap;

use capnp::message::{Builder, HeapAllocator};
use mentci_authority::{Honeypot, Permission};

use super::{PackError, rule};
use crate::columns::Groups;
use crate::index::HookIndex;
use crate::pack_capnp::{groups, hook, notify, pack, texts};
use crate::program::{CompiledHoneypot, CompiledRule, Program};
use crate::tools::place;

/// The message, as it stands behind the header.
pub(super) fn message(program: &Program, label: &[u8]) -> Result<Vec<u8>, PackError> {
    let Rules { own, tails, tail_of } = rules(program)?;
    let guess = own.bytes.len() + tails.bytes.len() + label.len() + 64 * (program.rules.len() + 64);
    // OK because the first segment is only a guess: what does not fit goes to a second one.
    let words = place(guess / 8).min(1 << 22);
    let mut message = Builder::new(HeapAllocator::new().first_segment_words(words));
    let mut root = message.init_root::<pack::Builder<'_>>();
    root.set_label(label);
    root.set_default(permission(program.default));
    root.set_longest_ms(program.windows.longest_ms);
    notify(program, root.reborrow().init_notify());
    documents(program, root.reborrow());
    honeypots(program)?.put(root.reborrow().init_honeypots());
    let mut zones = root.reborrow().init_zones(place(program.zones.len()));
    (0..).zip(&program.zones).for_each(|(at, zone)| zones.set(at, zone.as_str()));
    put(&program.reserving, |count| root.reborrow().init_reserving(count));
    own.put(root.reborrow().init_rules());
    tails.put(root.reborrow().init_tails());
    put(&tail_of, |count| root.reborrow().init_tail_of(count));
    of_rules(program, root.reborrow());
    let mut hooks = root.init_hooks(place(program.hooks.len()));
    for (at, index) in (0..).zip(&program.hooks) {
        put_hook(index, program, hooks.reborrow().get(at))?;
    }
    Ok(capnp::serialize::write_message_to_words(&message))
}

/// Texts behind each other.
#[derive(Default)]
struct Texts {
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Texts {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(place(self.bytes.len()));
    }

    fn put(&self, mut builder: texts::Builder<'_>) {
        put(&self.ends, |count| builder.reborrow().init_ends(count));
        builder.set_bytes(&self.bytes);
    }
}

fn put<'b>(numbers: &[u32], init: impl FnOnce(u32) -> capnp::primitive_list::Builder<'b, u32>) {
    let mut list = init(place(numbers.len()));
    (0..).zip(numbers).for_each(|(at, &number)| list.set(at, number));
}

fn put_groups(groups: &Groups, mut builder: groups::Builder<'_>) {
    put(&groups.ends, |count| builder.reborrow().init_ends(count));
    put(&groups.items, |count| builder.init_items(count));
}

fn permission(permission: Permission) -> u8 {
    match permission {
        Permission::Allow => 0,
        Permission::Approve => 1,
        Permission::Block => 2,
    }
}

fn notify(program: &Program, mut builder: notify::Builder<'_>) {
    builder.set_dedupe_ms(program.notify.dedupe_ms);
    builder.set_expires_ms(program.notify.expires_ms);
    builder.set_batch(place(program.notify.batch));
}

fn documents(program: &Program, root: pack::Builder<'_>) {
    let mut documents = root.init_documents(place(program.documents.len()));
    for (at, document) in (0..).zip(&program.documents) {
        let mut builder = documents.reborrow().get(at);
        builder.set_is_bounded(document.max_fired.is_some());
        builder.set_max_fired(document.max_fired.unwrap_or_default());
        builder.set_max_calls(document.max_calls);
    }
}

fn honeypots(program: &Program) -> Result<Texts, PackError> {
    let mut texts = Texts::default();
    for CompiledHoneypot { pattern, tool, message, severity, at } in &program.honeypots {
        let (tool, name) = (pattern.source().clone(), tool);
        let (message, at) = (message.clone(), at.clone());
        let honeypot = Honeypot { tool, message, severity: *severity, at };
        let unpackable = |_| PackError::Unpackable(name.clone());
        texts.push(&serde_json::to_vec(&honeypot).map_err(unpackable)?);
    }
    Ok(texts)
}

/// The texts of rules, each in two pieces.
#[derive(Default)]
struct Rules {
    own: Texts,
    tails: Texts,
    /// By rule.
    tail_of: Vec<u32>,
}

fn rules(program: &Program) -> Result<Rules, PackError> {
    let (mut rules, mut known) = (Rules::default(), BTreeMap::new());
    for CompiledRule { rule, full_name, .. } in program.rules.iter() {
        let text = rule::text(rule).ok_or_else(|| PackError::Unpackable(full_name.clone()))?;
        rules.own.push(&text.own);
        let tail = *known.entry(text.tail).or_insert_with_key(|tail| {
            rules.tails.push(tail);
            place(rules.tails.ends.len() - 1)
        });
        rules.tail_of.push(tail);
    }
    Ok(rules)
}

/// What is asked of rules before they are read.
fn of_rules(program: &Program, mut root: pack::Builder<'_>) {
    let documents: Vec<u32> = program.rules.iter().map(|compiled| place(compiled.document)).collect();
    put(&documents, |count| root.reborrow().init_document_of(count));
    let overrides = Groups::new(program.rules.iter().map(|compiled| &compiled.overrides));
    put_groups(&overrides, root.reborrow().init_overrides());
    let (mut known, mut path_of, mut literals) = (BTreeMap::new(), Vec::new(), Texts::default());
    let mut needed = Texts::default();
    for at in 0..program.rules.len() {
        needed.push(program.rules.needed(place(at)));
        let (path, literal) = program.rules.literal(place(at)).unzip();
        let next = place(known.len() + 1);
        path_of.push(path.map_or(0, |path| *known.entry(path).or_insert(next)));
        literals.push(literal.unwrap_or_default().as_bytes());
    }
    let mut paths: Vec<_> = known.iter().map(|(path, at)| (at, path)).collect();
    paths.sort_unstable();
    let mut texts = Texts::default();
    for (_, path) in paths {
        texts.push(path.as_bytes());
    }
    texts.put(root.reborrow().init_literal_paths());
    put(&path_of, |count| root.reborrow().init_literal_path_of(count));
    needed.put(root.reborrow().init_needed());
    literals.put(root.init_literals());
}

fn put_hook(index: &HookIndex, program: &Program, mut builder: hook::Builder<'_>) -> Result<(), PackError> {
    put(&index.members, |count| builder.reborrow().init_members(count));
    let mut tools = builder.reborrow().init_tools();
    put(&index.tools.ends, |count| tools.reborrow().init_ends(count));
    tools.set_bytes(&index.tools.text);
    put(&index.tools.slots, |count| builder.reborrow().init_slots(count));
    put_groups(&index.own, builder.reborrow().init_own());
    put(index.any(), |count| builder.reborrow().init_any(count));
    put(&index.patterned, |count| builder.reborrow().init_patterned(count));
    put(&index.matcher_of, |count| builder.reborrow().init_matcher_of(count));
    matchers(index, program)?.put(builder.init_matchers());
    Ok(())
}

/// What the rules about patterns are matched by, each once.
fn matchers(index: &HookIndex, program: &Program) -> Result<Texts, PackError> {
    let mut texts = Texts::default();
    for matcher in 0..place(index.matchers.len()) {
        // OK because a matcher stands for at least one rule.
        let rank = index.matcher_of.iter().position(|&of| of == matcher).unwrap_or_default();
        let compiled = program.rules.get(index.members[index.patterned[rank] as usize]);
        let unpackable = |_| PackError::Unpackable(compiled.full_name.clone());
        texts.push(&serde_json::to_vec(&compiled.rule.tools).map_err(unpackable)?);
    }
    Ok(texts)
}

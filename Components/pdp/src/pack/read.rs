//! A message as a program: columns are checked and kept, texts are left where they stand.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use capnp::message::{Reader, ReaderOptions};
use capnp::primitive_list;
use capnp::serialize::BufferSegments;
use mentci_authority::{Honeypot, Permission};
use mentci_detect::Detector;
use mentci_ledger::Windows;

use super::{PackError, file};
use crate::cells::{Cells, Matchers, PackedRules};
use crate::columns::{Aligned, Groups, Texts};
use crate::index::{HookColumns, HookIndex};
use crate::notify::NotifyOptions;
use crate::pack_capnp::{groups, hook, notify, pack, texts};
use crate::program::{CompiledHoneypot, Document, Program};
use crate::tools::ToolTable;

/// How deep a message may nest.
const MAX_DEPTH: i32 = 64;

const MISFIT: PackError = PackError::Damaged("its parts do not fit together");

impl From<capnp::Error> for PackError {
    fn from(_: capnp::Error) -> Self {
        Self::Damaged("its message does not read")
    }
}

/// Where the label stands.
pub(super) fn label(message: &Arc<Aligned>) -> Result<Range<usize>, PackError> {
    let reader = reader(message)?;
    let place = place_of(message, reader.get_root::<pack::Reader<'_>>()?.get_label()?);
    Ok(place)
}

/// The program of a message.
pub(super) fn program(message: &Arc<Aligned>) -> Result<Program, PackError> {
    let reader = reader(message)?;
    let root = reader.get_root::<pack::Reader<'_>>()?;
    let documents = documents(root)?;
    let rules = rules(message, root, documents.len())?;
    let count = rules.rules.len();
    let zones = root.get_zones()?.iter().map(|zone| zone?.to_string().map_err(|_| MISFIT));
    Ok(Program {
        documents,
        hooks: hooks(message, root, count)?,
        default: permission(root.get_default())?,
        honeypots: honeypots(message, root)?,
        detector: LazyLock::new(Detector::all),
        reserving: below(numbers(root.get_reserving()?), count)?.into(),
        notify: notify(root.get_notify()?),
        zones: zones.collect::<Result<BTreeSet<String>, PackError>>()?,
        windows: Windows { longest_ms: root.get_longest_ms() },
        rules: Cells::packed(rules),
        own: None,
    })
}

fn reader(message: &Arc<Aligned>) -> Result<Reader<BufferSegments<&[u8]>>, PackError> {
    let mut options = ReaderOptions::new();
    options.traversal_limit_in_words(Some(file::MAX_BYTES / 8)).nesting_limit(MAX_DEPTH);
    Ok(Reader::new(BufferSegments::new(&***message, options)?, options))
}

/// Where a part of the message stands in it.
fn place_of(message: &Aligned, part: &[u8]) -> Range<usize> {
    // OK because a part of a message lies in its bytes; an empty one may lie nowhere.
    let start = part.as_ptr().addr().wrapping_sub(message.as_ptr().addr());
    if part.is_empty() || start > message.len() - part.len() { 0..0 } else { start..start + part.len() }
}

fn numbers(list: primitive_list::Reader<'_, u32>) -> Box<[u32]> {
    #[cfg(target_endian = "little")]
    if let Some(slice) = list.as_slice() {
        return slice.into();
    }
    list.iter().collect()
}

/// Numbers that are all places among `count`.
fn below(numbers: Box<[u32]>, count: usize) -> Result<Box<[u32]>, PackError> {
    if numbers.iter().all(|&number| (number as usize) < count) { Ok(numbers) } else { Err(MISFIT) }
}

fn sized(numbers: Box<[u32]>, count: usize) -> Result<Box<[u32]>, PackError> {
    if numbers.len() == count { Ok(numbers) } else { Err(MISFIT) }
}

fn texts(message: &Arc<Aligned>, texts: texts::Reader<'_>) -> Result<Texts, PackError> {
    let bytes = place_of(message, texts.get_bytes()?);
    Texts::new(message, numbers(texts.get_ends()?), bytes).ok_or(MISFIT)
}

fn groups(groups: groups::Reader<'_>, count: usize, below: usize) -> Result<Groups, PackError> {
    Groups::read(numbers(groups.get_ends()?), numbers(groups.get_items()?), count, below).ok_or(MISFIT)
}

fn permission(number: u8) -> Result<Permission, PackError> {
    Ok(match number {
        0 => Permission::Allow,
        1 => Permission::Approve,
        2 => Permission::Block,
        _ => return Err(MISFIT),
    })
}

fn notify(notify: notify::Reader<'_>) -> NotifyOptions {
    NotifyOptions {
        dedupe_ms: notify.get_dedupe_ms(),
        expires_ms: notify.get_expires_ms(),
        batch: notify.get_batch() as usize,
    }
}

fn documents(root: pack::Reader<'_>) -> Result<Vec<Document>, PackError> {
    let document = |document: crate::pack_capnp::document::Reader<'_>| Document {
        max_fired: document.get_is_bounded().then(|| document.get_max_fired()),
        max_calls: document.get_max_calls(),
        visible_trace: false,
    };
    Ok(root.get_documents()?.iter().map(document).collect())
}

fn honeypots(message: &Arc<Aligned>, root: pack::Reader<'_>) -> Result<Vec<CompiledHoneypot>, PackError> {
    let texts = texts(message, root.get_honeypots()?)?;
    let honeypot = |text: &[u8]| {
        Ok(CompiledHoneypot::new(&serde_json::from_slice::<Honeypot>(text).map_err(|_| MISFIT)?))
    };
    texts.iter().map(honeypot).collect()
}

fn rules(message: &Arc<Aligned>, root: pack::Reader<'_>, documents: usize) -> Result<PackedRules, PackError> {
    let rules = texts(message, root.get_rules()?)?;
    let (count, literal_paths) = (rules.len(), texts(message, root.get_literal_paths()?)?);
    let paths = literal_paths.len() + 1;
    let literals = texts(message, root.get_literals()?)?;
    if literals.len() != count {
        return Err(MISFIT);
    }
    let (tails, needed) = (texts(message, root.get_tails()?)?, texts(message, root.get_needed()?)?);
    if needed.len() != count {
        return Err(MISFIT);
    }
    Ok(PackedRules {
        tail_of: sized(below(numbers(root.get_tail_of()?), tails.len())?, count)?,
        tails,
        document_of: sized(below(numbers(root.get_document_of()?), documents)?, count)?,
        overrides: groups(root.get_overrides()?, count, count)?,
        literal_path_of: sized(below(numbers(root.get_literal_path_of()?), paths)?, count)?,
        literal_paths,
        literals,
        needed,
        rules,
    })
}

fn hooks<const HOOKS: usize>(
    message: &Arc<Aligned>,
    root: pack::Reader<'_>,
    count: usize,
) -> Result<[HookIndex; HOOKS], PackError> {
    let hooks = root.get_hooks()?.iter().map(|hook| index(message, hook, count));
    let hooks: Vec<HookIndex> = hooks.collect::<Result<_, _>>()?;
    hooks.try_into().map_err(|_| MISFIT)
}

fn index(message: &Arc<Aligned>, hook: hook::Reader<'_>, count: usize) -> Result<HookIndex, PackError> {
    let members = below(numbers(hook.get_members()?), count)?;
    let (ranks, names) = (members.len(), hook.get_tools()?);
    let tools =
        ToolTable::read(numbers(hook.get_slots()?), numbers(names.get_ends()?), names.get_bytes()?.into());
    let tools = tools.ok_or(MISFIT)?;
    let matchers = Matchers::packed(texts(message, hook.get_matchers()?)?);
    let patterned = below(numbers(hook.get_patterned()?), ranks)?;
    Ok(HookIndex::of(HookColumns {
        own: groups(hook.get_own()?, tools.len(), ranks)?,
        any: below(numbers(hook.get_any()?), ranks)?,
        matcher_of: sized(below(numbers(hook.get_matcher_of()?), matchers.len())?, patterned.len())?,
        members,
        tools,
        patterned,
        matchers,
    }))
}

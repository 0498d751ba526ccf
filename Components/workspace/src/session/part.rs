//! An artifact, or a part of it, as it is given out.

use std::io::{self, Write};
use std::ops::Range;

use base64::prelude::{BASE64_STANDARD, Engine};
use mentci_authority::{ArtifactHandle, ArtifactKeeper, ArtifactPart};
use mentci_context::ContentKind;
use mentci_host::Response;
use mentci_host::session::{ArtifactContent, part};
use mentci_source::{Code, Finding};

use super::artifacts::{found, refused, unknown};
use crate::workspace::Workspace;

/// What is larger is not told as base64: `artifact get` writes it as it is.
const MOST_BASE64: usize = 1 << 20;

/// Bytes of an artifact, and where they stand.
struct Cut {
    bytes: Vec<u8>,
    range: Range<u64>,
}

impl Workspace {
    /// Gives an artifact, or a part of it: at most `most` bytes, of which memory holds no more, and the range to go on with.
    pub(super) fn get_artifact(
        &self,
        id: &str,
        range: Option<&str>,
        session: Option<&str>,
        most: Option<u64>,
    ) -> Result<Response, Finding> {
        let store = self.artifacts()?;
        let handle = found(store.as_ref(), id, session)?;
        let wanted = wanted(&handle, range)?;
        let fetch = |part: &ArtifactPart| fetch(store.as_ref(), &handle, part, most);
        let cut = fetch(&wanted)?.ok_or_else(|| unknown(id))?;
        let content = cut.bytes.clone();
        // Where it would cut a character, the text is that of whole ones.
        let is_ours = matches!(wanted, ArtifactPart::Bytes(_)) || most.is_some();
        let shown = if is_ours && std::str::from_utf8(&content).is_err() {
            fetch(&ArtifactPart::Text(cut.range))?.ok_or_else(|| unknown(id))?
        } else {
            cut
        };
        let Range { start: from, end } = shown.range;
        let next = most.and_then(|most| following(end, handle.size_bytes, most));
        let (text, base64) = readable(shown.bytes);
        let handle = self.keeper().disarmed(&handle);
        Ok(Response::ok(ArtifactContent { handle, from, bytes: end - from, next, text, base64, content }))
    }
}

fn wanted(handle: &ArtifactHandle, range: Option<&str>) -> Result<ArtifactPart, Finding> {
    match range.map(|range| (range, part(range))) {
        // Of nothing there are no parts.
        Some((_, Some(_))) if handle.size_bytes == 0 => Ok(ArtifactPart::Whole),
        None => Ok(ArtifactPart::Whole),
        Some((_, Some(part))) => Ok(part),
        Some((range, None)) => {
            let message = format!("`{}` is no part of an artifact", range.escape_debug());
            Err(Finding::new(Code::ARTIFACT_RANGE, message)
                .help("`0-1023` are its first 1,024 bytes, `lines:10-40` its lines from 10 to 40"))
        }
    }
}

/// The first `most` bytes of a part.
fn fetch(
    store: &dyn ArtifactKeeper,
    handle: &ArtifactHandle,
    part: &ArtifactPart,
    most: Option<u64>,
) -> Result<Option<Cut>, Finding> {
    let most = match part {
        // Whoever asks for whole characters says how many bytes before: they may begin a little earlier.
        ArtifactPart::Text(_) => u64::MAX,
        _ => most.unwrap_or(u64::MAX),
    };
    let part = match part {
        ArtifactPart::Whole => &ArtifactPart::Bytes(0..handle.size_bytes.min(most)),
        ArtifactPart::Bytes(range) => {
            &ArtifactPart::Bytes(range.start..range.end.min(range.start.saturating_add(most)))
        }
        part => part,
    };
    let mut first = First { bytes: Vec::new(), most };
    let extent = store.copy(&handle.artifact_id, part, &mut first).map_err(refused)?;
    Ok(extent.map(|extent| {
        let start = extent.range.start;
        let bytes = first.bytes;
        Cut { range: start..start + bytes.len() as u64, bytes }
    }))
}

/// The range that goes on behind `end`.
fn following(end: u64, size: u64, most: u64) -> Option<String> {
    (end < size).then(|| format!("{end}-{}", end.saturating_add(most).min(size) - 1))
}

/// Keeps the first bytes that it is given, and takes no note of others: how many lines have is known when they are copied.
struct First {
    bytes: Vec<u8>,
    most: u64,
}

impl Write for First {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.most.saturating_sub(self.bytes.len() as u64);
        let kept = usize::try_from(room).unwrap_or(usize::MAX).min(bytes.len());
        self.bytes.extend_from_slice(&bytes[..kept]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What can be read of bytes, and the bytes themselves where that is not all of them.
fn readable(bytes: Vec<u8>) -> (Option<String>, Option<String>) {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return (Some(text), None),
        Err(error) => error,
    };
    let bytes = error.as_bytes();
    let is_binary = ContentKind::of_bytes(bytes) == ContentKind::Binary;
    let text = (!is_binary).then(|| String::from_utf8_lossy(bytes).into_owned());
    (text, (bytes.len() <= MOST_BASE64).then(|| BASE64_STANDARD.encode(bytes)))
}

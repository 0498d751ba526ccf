//! Notes that are not as they were written.

use mentci_authority::{ArtifactError, ArtifactHandle};
use mentci_source::{Code, Finding, Severity};

/// Says in a handle how long its content is, and what is to be told when it said something else.
pub(super) fn unlike(handle: &mut ArtifactHandle, length: u64) -> Option<Finding> {
    let noted = std::mem::replace(&mut handle.size_bytes, length);
    let message = format!(
        "the note of artifact {} says {noted} bytes, and its content has {length}",
        handle.artifact_id
    );
    (noted != length).then(|| warning(message))
}

/// What is told of a note that does not say of which artifact it is.
pub(super) fn nameless() -> Finding {
    warning("a note says the id of no artifact: it is not listed".to_owned())
}

/// What is told of a note that cannot be read.
pub(super) fn unread(error: &ArtifactError) -> Finding {
    let finding = warning(format!("{error}; it is not listed"));
    match error {
        ArtifactError::Unread { file, .. } => finding.in_file(file),
        _ => finding,
    }
}

fn warning(message: String) -> Finding {
    // The others are as they were.
    Finding::new(Code::ARTIFACT_TAMPERED, message)
        .severity(Severity::Warning)
        .help("whoever stores its content again mends it")
}

//! The header: what is checked before anything is believed.

use mentci_source::Hash;

use super::PackError;
use crate::columns::Aligned;

/// The number of the format. It changes with the schema, with what stands in its texts, and with the hash of tools.
pub(super) const FORMAT: u32 = 6;

/// As many as the message may hold: the limit of what is read of it.
pub(super) const MAX_BYTES: usize = 64 << 20;

const MARK: &[u8; 8] = b"mentcipk";
/// The mark, the format, four bytes of nothing, the hash.
const HEADER: usize = 48;

/// A message with its header.
pub(super) fn sealed(message: &[u8]) -> Result<Vec<u8>, PackError> {
    if message.len() > MAX_BYTES - HEADER {
        return Err(PackError::TooLarge);
    }
    let mut file = Vec::with_capacity(HEADER + message.len());
    file.extend_from_slice(MARK);
    file.extend_from_slice(&FORMAT.to_le_bytes());
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(Hash::of_bytes(message).as_bytes());
    file.extend_from_slice(message);
    Ok(file)
}

/// The message of a file whose header it fits.
pub(super) fn opened(file: Vec<u8>) -> Result<Aligned, PackError> {
    if file.len() > MAX_BYTES {
        return Err(PackError::TooLarge);
    }
    let Some(rest) = file.strip_prefix(MARK.as_slice()) else { return Err(PackError::NotAPack) };
    let Some((format, rest)) = rest.split_first_chunk::<4>() else { return Err(PackError::NotAPack) };
    match u32::from_le_bytes(*format) {
        FORMAT => {}
        other => return Err(PackError::Format(other)),
    }
    let Some((nothing, rest)) = rest.split_first_chunk::<4>() else { return Err(PackError::NotAPack) };
    let Some((hash, message)) = rest.split_first_chunk::<32>() else { return Err(PackError::NotAPack) };
    if *nothing != [0; 4] || Hash::of_bytes(message).as_bytes() != hash {
        return Err(PackError::Damaged("its bytes do not fit its hash"));
    }
    Ok(Aligned::new(file, HEADER))
}

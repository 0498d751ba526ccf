//! The three files of a digest, and the seal that binds them.

use mentci_authority::MAP_FORMAT;
use mentci_source::{Finding, Hash};

use crate::body::hash_below;
use crate::lock::newer;

/// The format number in a digest's first line.
pub const DIGEST_FORMAT: u32 = 1;

const SEAL: &str = "<!-- mentci absolute_rules format=";

/// The bytes of one publish: written lock first, then map, then digest, whose seal is the commit point.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DigestFiles {
    /// `absolute_rules.md`: the seal's line, then the body.
    pub digest: String,
    /// `absolute_rules.map.json`.
    pub map: String,
    /// `absolute_rules.lock`.
    pub lock: String,
}

/// The first line of a digest on disk: `<!-- mentci absolute_rules format=1 seal=0123456789abcdef -->`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// [`DIGEST_FORMAT`], or a newer one.
    pub format: u32,
    /// 16 hexadecimal digits over body, map and lock.
    pub digits: String,
}

impl DigestFiles {
    /// Seals a body with its map and lock.
    pub fn seal(body: &str, map: String, lock: String) -> Self {
        let digits = seal_digits(body, &map, &lock);
        let digest = format!("<!-- mentci absolute_rules format={DIGEST_FORMAT} seal={digits} -->\n{body}");
        Self { digest, map, lock }
    }

    /// Whether the three belong together: the digest's seal is over this body, map and lock.
    ///
    /// ```
    /// use mentci_compiler::DigestFiles;
    /// let files = DigestFiles::seal("body\n", "{}".into(), "{}".into());
    /// assert!(files.is_committed());
    /// assert!(!DigestFiles { lock: "{ }".into(), ..files }.is_committed());
    /// ```
    pub fn is_committed(&self) -> bool {
        let (seal, body) = split_seal(&self.digest);
        seal.is_some_and(|seal| seal.digits == seal_digits(body, &self.map, &self.lock))
    }

    /// The files as they stood on this side of a merge that is not finished; as they are, where it left no marks in them.
    ///
    /// ```
    /// use mentci_compiler::DigestFiles;
    /// let files = DigestFiles::seal("ours\n", "{}".into(), "{}".into());
    /// let theirs = DigestFiles::seal("theirs\n", "{}".into(), "{}".into());
    /// let digest = format!("<<<<<<< HEAD\n{}=======\n{}>>>>>>> side\n", files.digest, theirs.digest);
    /// assert_eq!(DigestFiles { digest, ..theirs }.ours(), files);
    /// ```
    #[must_use]
    pub fn ours(&self) -> Self {
        Self { digest: our_side(&self.digest), map: our_side(&self.map), lock: our_side(&self.lock) }
    }

    /// The body, which a model is shown.
    pub fn body(&self) -> &str {
        split_seal(&self.digest).1
    }

    /// Names the digest, as the compile that made it did.
    pub fn hash(&self) -> Hash {
        hash_below(self.body().split_once('\n').map_or("", |(_, rest)| rest))
    }
}

/// The lines outside a conflict, and in one those above its `=======`, or above the common ones that stand in front of it.
fn our_side(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let (mut conflict, mut ours) = (false, true);
    for line in text.split_inclusive('\n') {
        let mark = line.trim_end();
        match mark {
            _ if !conflict && mark.starts_with("<<<<<<< ") => conflict = true,
            "=======" if conflict => ours = false,
            _ if conflict && mark.starts_with("||||||| ") => ours = false,
            _ if conflict && mark.starts_with(">>>>>>> ") => (conflict, ours) = (false, true),
            _ if ours => kept.push_str(line),
            _ => {}
        }
    }
    kept
}

/// A digest's text without the seal's line: what is injected. Text without a seal is given back whole, with no seal.
///
/// ```
/// use mentci_compiler::split_seal;
/// let (seal, body) = split_seal("<!-- mentci absolute_rules format=1 seal=0123456789abcdef -->\n# Rules\n");
/// assert_eq!(seal.map(|seal| seal.digits).as_deref(), Some("0123456789abcdef"));
/// assert_eq!(body, "# Rules\n");
/// ```
pub fn split_seal(text: &str) -> (Option<Seal>, &str) {
    let (line, body) = text.split_once('\n').unwrap_or((text, ""));
    match read_seal(line.trim_end_matches('\r')) {
        Some(seal) => (Some(seal), body),
        None => (None, text),
    }
}

/// Refuses to write over a digest whose first line says that a newer version wrote it.
///
/// # Errors
/// - `FORMAT_NEWER`.
pub fn check_digest_format(path: &str, text: &str) -> Result<(), Finding> {
    let Some(rest) = text.trim_start_matches('\u{feff}').strip_prefix(SEAL) else { return Ok(()) };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    // Too many digits for a number is newer than anything.
    let format = if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u64::MAX) };
    refuse_newer(path, "digest", format, DIGEST_FORMAT)
}

/// Whether a map starts as this version writes it, so that the rest need not be read.
pub fn is_known_map(head: &str) -> bool {
    head.starts_with(&format!("{{\"format\":{MAP_FORMAT},"))
}

/// Refuses to write over a map of a newer format. What is no JSON is no newer map: it is written anew.
///
/// # Errors
/// - `FORMAT_NEWER`.
pub fn check_map_format(path: &str, text: &str) -> Result<(), Finding> {
    #[derive(serde::Deserialize)]
    struct Head {
        #[serde(default)]
        format: u64,
    }
    if is_known_map(text) {
        return Ok(());
    }
    let format = serde_json::from_str::<Head>(text).map_or(0, |head| head.format);
    refuse_newer(path, "map", format, MAP_FORMAT)
}

fn refuse_newer(path: &str, what: &str, format: u64, known: u32) -> Result<(), Finding> {
    if format > u64::from(known) { Err(newer(path, what, format, known)) } else { Ok(()) }
}

fn read_seal(line: &str) -> Option<Seal> {
    let inside = line.strip_prefix(SEAL)?.strip_suffix(" -->")?;
    let (format, digits) = inside.split_once(" seal=")?;
    let sound = digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    sound.then_some(Seal { format: format.parse().ok()?, digits: digits.to_owned() })
}

fn seal_digits(body: &str, map: &str, lock: &str) -> String {
    Hash::of("mentci seal 1", [body, map, lock].map(str::as_bytes)).short(16)
}

//! The user's tokens, in a file for the user's eyes only.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mentci_disk::{Edit, EditError, Fs, Sidecar, Stamp, WriteOptions, edit_locked, read_optional};
use mentci_source::{Code, Finding, Hash};
use serde::{Deserialize, Serialize};

use super::secret::{hash, same, secret};
use crate::Scope;

/// The format number of the file.
const FORMAT: u32 = 1;
const FILE: &str = "tokens.json";
/// Whoever can write it can make tokens.
const OTHERS_WRITE: u32 = 0o022;
/// How long a token's name may be.
const NAME_CHARS: usize = 64;
/// Who is called so in the log: whoever types, a login by the link, a program without a token, one with a token of the environment.
const RESERVED: [&str; 4] = ["user", "page", "local", "environment"];

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Its name: whoever acts with it is called so in the log.
    pub name: String,
    /// What it is good for.
    pub scope: Scope,
    /// When it was made, RFC 3339.
    pub made: String,
    /// What is kept of the secret.
    hash: Hash,
}

impl Token {
    /// Whether this is what is kept of its secret.
    pub(crate) fn is(&self, kept: &Hash) -> bool {
        same(&self.hash, kept)
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: u32,
    tokens: Vec<Token>,
}

/// The tokens as they were read, with the stat key that the file had.
type Read = (Stamp, Arc<[Token]>);

/// The file of the user's tokens: `tokens.json` in the user's state, mode 0600. It holds hashes; a secret is shown once.
#[derive(Debug, Clone)]
pub struct TokenFile {
    fs: Arc<dyn Fs>,
    folder: PathBuf,
    read: Arc<Mutex<Option<Read>>>,
}

impl TokenFile {
    /// The file in the folder of the user's state.
    pub fn new(fs: Arc<dyn Fs>, folder: &Path) -> Self {
        Self { fs, folder: folder.to_owned(), read: Arc::default() }
    }

    /// Makes a token and gives its secret, which is kept nowhere.
    ///
    /// # Errors
    /// When the name is taken or none, or the file cannot be written.
    pub fn make(&self, name: &str, scope: Scope, now: &str) -> Result<String, Finding> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
        if name.is_empty() || name.len() > NAME_CHARS || !name.chars().all(plain) {
            let message = format!("`{}` is no name of a token", name.escape_debug());
            return Err(Finding::new(Code::DAEMON_TOKEN, message)
                .help("up to 64 letters, digits and `-_.@`, such as `ci-agent`"));
        }
        if RESERVED.iter().any(|reserved| name.eq_ignore_ascii_case(reserved)) {
            let message = format!("`{name}` names somebody else in the log");
            return Err(Finding::new(Code::DAEMON_TOKEN, message)
                .help("`user`, `page`, `local` and `environment` act without a token of this file: take another name"));
        }
        let secret = secret(&format!("mentci_{scope}_"))
            .map_err(|error| Finding::new(Code::DAEMON_TOKEN, format!("there is no randomness: {error}")))?;
        let token = Token { name: name.to_owned(), scope, made: now.to_owned(), hash: hash(&secret) };
        self.edit(|tokens| {
            if tokens.iter().any(|known| known.name == name) {
                let message = format!("there is a token `{name}` already");
                return Err(Finding::new(Code::DAEMON_TOKEN, message)
                    .help(format!("`policy-engine token revoke {name}` takes it back")));
            }
            tokens.push(token);
            Ok(())
        })?;
        Ok(secret)
    }

    /// Takes a token back.
    ///
    /// # Errors
    /// When none has this name, or the file cannot be written.
    pub fn revoke(&self, name: &str) -> Result<(), Finding> {
        self.edit(|tokens| {
            let before = tokens.len();
            tokens.retain(|token| token.name != name);
            if tokens.len() == before {
                let message = format!("no token is named `{}`", name.escape_debug());
                return Err(
                    Finding::new(Code::DAEMON_TOKEN, message).help("`policy-engine token list` shows them")
                );
            }
            Ok(())
        })
    }

    /// The tokens as they stand now; the file is read when it moved.
    ///
    /// # Errors
    /// When it cannot be read: then nobody's token is known.
    pub fn tokens(&self) -> Result<Arc<[Token]>, Finding> {
        let path = self.folder.join(FILE);
        let stat = self.fs.stat(&path);
        if stat.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Ok(Arc::default());
        }
        if let Ok(stat) = &stat
            && stat.mode & OTHERS_WRITE != 0
        {
            let message =
                format!("the file of tokens can be written by others (mode {:04o})", stat.mode & 0o7777);
            return Err(Finding::new(Code::DAEMON_TOKEN, message)
                .in_file(&path.to_string_lossy())
                .help("look who stands in it, then `chmod 600` it; nobody's token is known until then"));
        }
        let stamp = stat.ok().map(|stat| stat.stamp);
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(stamp), Some((known, tokens))) = (stamp, read.as_ref())
            && stamp == *known
        {
            return Ok(tokens.clone());
        }
        let bytes =
            read_optional(self.fs.as_ref(), &path).map_err(|error| error.finding(Code::DAEMON_TOKEN))?;
        let tokens: Arc<[Token]> = parse(bytes.as_deref())?.tokens.into();
        *read = stamp.map(|stamp| (stamp, tokens.clone()));
        Ok(tokens)
    }

    /// The token with this secret. Every token is compared, whichever fits.
    pub(crate) fn find(&self, secret: &str) -> Option<Token> {
        let (tokens, asked) = (self.tokens().ok()?, hash(secret));
        tokens
            .iter()
            .fold(None, |found, token| if same(&token.hash, &asked) { Some(token.clone()) } else { found })
    }

    fn edit(&self, change: impl FnOnce(&mut Vec<Token>) -> Result<(), Finding>) -> Result<(), Finding> {
        let sidecar = Sidecar::at(&self.folder, "tokens.lock");
        let edited = edit_locked(self.fs.as_ref(), &sidecar, FILE, WriteOptions::PRIVATE, |bytes| {
            let mut stored = parse(bytes)?;
            change(&mut stored.tokens)?;
            stored.format = FORMAT;
            // OK because tokens are plain data.
            Ok(Edit::Replace(serde_json::to_vec_pretty(&stored).unwrap_or_default()))
        });
        match edited {
            Ok(_) => Ok(()),
            Err(EditError::Refused(finding)) => Err(finding),
            Err(EditError::Disk(error)) => Err(error.finding(Code::DAEMON_TOKEN)),
        }
    }
}

fn parse(bytes: Option<&[u8]>) -> Result<Stored, Finding> {
    let Some(bytes) = bytes else { return Ok(Stored::default()) };
    let damaged = |error: serde_json::Error| {
        let message = format!("the file of tokens is damaged: {error}");
        Finding::new(Code::DAEMON_TOKEN, message)
            .help("mend or remove it; nobody's token is known until then")
    };
    let stored: Stored = serde_json::from_slice(bytes).map_err(|error| damaged(error).in_file(FILE))?;
    if stored.format > FORMAT {
        let message = "the file of tokens was written by a newer version";
        return Err(Finding::new(Code::FORMAT_NEWER, message).in_file(FILE));
    }
    Ok(stored)
}

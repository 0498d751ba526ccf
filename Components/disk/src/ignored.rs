//! What `.gitignore` files say, from the repository's top down to one directory.

use std::path::Path;
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::Fs;

/// The largest `.gitignore` that is read.
const MAX_BYTES: u64 = 1 << 20;

/// One `.gitignore` and those above it. Only files in the tree count, so that the same tree reads the same on any
/// machine: neither the user's global excludes nor `.git/info/exclude`.
#[derive(Debug)]
pub(crate) struct Ignored {
    rules: Gitignore,
    above: Option<Arc<Ignored>>,
}

impl Ignored {
    /// The rules that the directories above a workspace have for it: those up to the repository that it is a part of.
    pub(crate) fn above(fs: &dyn Fs, root: &Path) -> Option<Arc<Self>> {
        let is_top = |directory: &&Path| fs.lstat(&directory.join(".git")).is_ok();
        let top = root.ancestors().find(is_top)?;
        let inside = root.ancestors().skip(1).take_while(|directory| directory.starts_with(top));
        let directories: Vec<&Path> = inside.collect();
        directories.into_iter().rev().fold(None, |above, directory| Self::below(above, fs, directory))
    }

    /// `above`, and what `directory` has to say.
    pub(crate) fn below(above: Option<Arc<Self>>, fs: &dyn Fs, directory: &Path) -> Option<Arc<Self>> {
        let mut bytes = Vec::new();
        if fs.read_into(&directory.join(".gitignore"), MAX_BYTES, &mut bytes).is_err() {
            return above;
        }
        let mut builder = GitignoreBuilder::new(directory);
        for line in String::from_utf8_lossy(&bytes).lines() {
            let _ = builder.add_line(None, line); // git passes over what it cannot read, too
        }
        match builder.build() {
            Ok(rules) if !rules.is_empty() => Some(Arc::new(Self { rules, above })),
            _ => above,
        }
    }

    /// Whether an absolute path is ignored: the nearest file that mentions it decides.
    pub(crate) fn holds(&self, path: &Path, is_directory: bool) -> bool {
        match self.rules.matched(path, is_directory) {
            ignore::Match::None => self.above.as_ref().is_some_and(|above| above.holds(path, is_directory)),
            ignore::Match::Ignore(_) => true,
            ignore::Match::Whitelist(_) => false,
        }
    }
}

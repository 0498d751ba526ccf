//! What the workspace has, asked of the disk and remembered for one cycle.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use mentci_compiler::{Inventory, Names};
use mentci_disk::{Fs, exists};

/// Answers from names that were read and from the disk. Never looks outside the workspace.
#[derive(Debug)]
pub(crate) struct DiskInventory {
    fs: Arc<dyn Fs>,
    root: PathBuf,
    names: Arc<Names>,
    known: Mutex<BTreeMap<String, bool>>,
}

impl DiskInventory {
    pub(crate) fn new(fs: Arc<dyn Fs>, root: PathBuf, names: Arc<Names>) -> Self {
        Self { fs, root, names, known: Mutex::default() }
    }

    /// Takes over answers that are known to hold still.
    pub(crate) fn remember<'a>(&self, answers: impl Iterator<Item = (&'a String, &'a bool)>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(answers.map(|(path, there)| (path.clone(), *there)));
    }
}

impl Inventory for DiskInventory {
    fn has_path(&self, path: &str) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = known.get(path) {
            return known;
        }
        let inside =
            !path.starts_with('/') && path.split('/').all(|part| part != "..") && !path.contains('\0');
        let there = inside && exists(self.fs.as_ref(), &self.root.join(path));
        known.insert(path.to_owned(), there);
        there
    }

    fn names(&self) -> &Names {
        &self.names
    }
}

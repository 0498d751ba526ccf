//! A store that is damaged, or is not the one that was opened any more: what can be had of it goes into another, and it is told.

use std::path::Path;

use mentci_disk::RealFs;
use mentci_source::{Code, Finding};

use super::DegradedStore;
use crate::aside::guard;
use crate::sqlite::{Stands, is_sound};
use crate::{SqliteStore, StoreError, set_aside};

impl DegradedStore {
    /// Makes damage one of the findings once more, for whoever decides: it may have been told to somebody who only looked.
    pub fn tell_damage(&mut self) {
        for damage in &self.damages[self.told..] {
            if !self.findings.contains(damage) {
                self.findings.push(damage.clone());
            }
        }
        self.told = self.damages.len();
    }

    /// Every damage that this process found, the first one first.
    pub fn damages(&self) -> &[Finding] {
        &self.damages
    }

    /// Whether a file that was taken away has records that stand nowhere else yet.
    pub fn is_away(&self) -> bool {
        !self.gone.is_empty()
    }

    /// Looks whether the file that is open still stands under its name: what is written into another is read by nobody.
    pub(super) fn look(&mut self) -> Result<(), StoreError> {
        match self.store.as_mut().map_or(Stands::Whole, SqliteStore::stands) {
            Stands::Whole => Ok(()),
            Stands::Shorter if is_sound(&self.path, self.options.busy) => {
                self.store.iter_mut().for_each(SqliteStore::may_be_short);
                Ok(())
            }
            Stands::Shorter => Err(StoreError::Corrupt("it is shorter than it was".to_owned())),
            Stands::Emptied => {
                let lock = guard(&RealFs, &self.path)?;
                // Unless another process did so by now. What is open is read on under the other name.
                let stands = self.store.as_mut().map(SqliteStore::stands);
                if stands == Some(Stands::Emptied) {
                    set_aside(&RealFs, &self.path)?;
                }
                drop(lock);
                self.let_go();
                Ok(())
            }
            Stands::Another => {
                self.let_go();
                Ok(())
            }
        }
    }

    /// The store is another one from now on; what the one that was open has is not forgotten.
    fn let_go(&mut self) {
        self.gone.extend(self.store.take());
        self.forget();
    }

    /// Forgets what was known of the store that was open.
    fn forget(&mut self) {
        self.warm.clear();
        (self.mark, self.settings) = (None, None);
    }

    /// Writes into the store what those have whose file was taken away.
    pub(super) fn take_over(&mut self, store: &mut SqliteStore) -> Result<(), StoreError> {
        while let Some(gone) = self.gone.first() {
            let saved = store.take_over(gone)?;
            self.gone.remove(0);
            self.damage(replaced(saved));
        }
        Ok(())
    }

    /// Sets the damaged store aside, unless another process did so by now.
    pub(super) fn begin_anew(&mut self) -> Result<(), StoreError> {
        self.store = None;
        self.forget();
        let lock = guard(&RealFs, &self.path)?;
        if is_sound(&self.path, self.options.busy) {
            return Ok(());
        }
        let aside = set_aside(&RealFs, &self.path)?;
        drop(lock);
        let saved =
            SqliteStore::open(&self.path, self.options.clone()).and_then(|mut store| store.save(&aside));
        self.damage(damaged(&aside, saved.unwrap_or(0)));
        Ok(())
    }

    fn damage(&mut self, finding: Finding) {
        let finding = finding.in_file(&self.path.to_string_lossy());
        self.damages.push(finding.clone());
        self.findings.push(finding);
    }
}

/// How much of a store was taken over.
fn taken_over(saved: u64, nothing: &str) -> String {
    match saved {
        0 => nothing.to_owned(),
        1 => "1 record of it was taken over".to_owned(),
        saved => format!("{saved} records of it were taken over"),
    }
}

/// The file of the store that was open is not the one that stands there.
fn replaced(saved: u64) -> Finding {
    let saved = taken_over(saved, "nothing of it was missing there, or could be read");
    let message = format!("the store was removed, replaced or emptied while it was open; {saved}");
    Finding::new(Code::STORE_DAMAGED, message)
        .help("look whether calls were stopped, and which rules were switched off: that may be another now")
}

fn damaged(aside: &Path, saved: u64) -> Finding {
    let name = aside.file_name().unwrap_or_default().to_string_lossy();
    let saved = taken_over(saved, "nothing in it could be read");
    Finding::new(
        Code::STORE_DAMAGED,
        format!("the store was damaged; it is set aside as `{name}`, and {saved}"),
    )
    .help("look whether calls were stopped, and which rules were switched off: that may be lost")
}

//! Deciding events of several sessions at once: they are written together.

use std::collections::HashMap;
use std::sync::Arc;

use mentci_ledger::{Record, Shared, Windows};

use crate::sqlite::{Draft, Mark};
use crate::store::Store;
use crate::{DegradedStore, Loaded, Setting, StoreError};

/// What was decided of one event, before it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Drafted {
    /// The line of the log.
    pub record: Record,
    /// The whole event as its door told it.
    pub body: Option<String>,
    /// Whether something follows from it that must be decided before any other event.
    pub is_last: bool,
}

impl DegradedStore {
    /// Decides the events of `sessions`, in their order, and writes all of it in one transaction, which costs about as much as
    /// writing one of them. Each is judged by its session as it stands after those before it.
    ///
    /// Gives how many were decided and written: it may be fewer than there are, since what all sessions share ends a group.
    /// None where nothing was written, because another process wrote meanwhile or the store cannot be had: then each is
    /// decided on its own.
    pub fn decide_together(
        &mut self,
        sessions: &[&str],
        windows: Windows,
        mut judge: impl FnMut(usize, &Loaded) -> Drafted,
    ) -> Option<usize> {
        let mark = self.current()?;
        let mut open: HashMap<&str, Loaded> = HashMap::new();
        let mut drafts = Vec::with_capacity(sessions.len());
        for (number, session) in sessions.iter().enumerate() {
            let mut loaded = match open.remove(session) {
                Some(loaded) => loaded,
                None => self.current_session(session, windows)?,
            };
            let version = loaded.ledger.version();
            let Drafted { record, body, is_last } = judge(number, &loaded);
            loaded.fold(&record);
            let ends = is_last || Shared::changes(&record) > 0;
            drafts.push(Draft { record, body, version });
            open.insert(session, loaded);
            if ends {
                break;
            }
        }
        // What was judged by what stands no more is judged again, one by one.
        let held = self.folder.clone();
        let (now, due) = self.with(|store| store.write_group(mark, &drafts, &held)).ok()?;
        self.mark = Some(now);
        let is_shared = now.shared != mark.shared;
        if is_shared {
            self.warm.grow_old();
        }
        for loaded in open.into_values() {
            if due.contains(&loaded.session) {
                // Nothing is lost when this fails: the snapshot stays due.
                let _ = self.with(|store| store.write_snapshot(&loaded));
            }
            // What all sessions share stands only in the session that changed it.
            if is_shared { self.warm.keep(loaded) } else { self.warm.keep_current(loaded) }
        }
        let is_due = self.with(|store| Ok::<_, StoreError>(store.is_fold_due()));
        if is_due.unwrap_or(false) {
            self.folding.begin(&self.path);
        }
        Some(drafts.len())
    }

    /// Every setting, read again only after somebody changed one.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn current_settings(&mut self) -> Result<Arc<[Setting]>, StoreError> {
        let version = self.settings_version()?;
        if let Some((_, settings)) = self.settings.as_ref().filter(|(read, _)| *read == version) {
            return Ok(settings.clone());
        }
        let settings: Arc<[Setting]> = self.settings()?.into();
        self.settings = Some((version, settings.clone()));
        Ok(settings)
    }

    /// Where the store stands; what is kept grows old when somebody else wrote.
    fn current(&mut self) -> Option<Mark> {
        let mark = self.with(|store| store.mark()).ok()?;
        if self.mark != Some(mark) {
            self.warm.grow_old();
            self.mark = Some(mark);
        }
        Some(mark)
    }

    fn current_session(&mut self, session: &str, windows: Windows) -> Option<Loaded> {
        match self.warm.take(session, windows) {
            Some(warmed) if !warmed.is_stale => Some(warmed.loaded),
            Some(mut warmed) => {
                self.with(|store| store.refresh(&mut warmed.loaded)).ok()?;
                Some(warmed.loaded)
            }
            None => self.with(|store| store.load(session, windows)).ok(),
        }
    }
}

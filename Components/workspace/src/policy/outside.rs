//! Templates, zones and scripts, for judging.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use mentci_host::policy::{Outside, Zones};

use crate::workspace::Workspace;

/// Knows every zone of the IANA database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World;

impl Workspace {
    /// What judging is handed in a workspace.
    pub(crate) fn outside(&self) -> Outside<'_> {
        Outside { templates: &self.templates, zones: &World, scripts: &self.scripts }
    }
}

impl Zones for World {
    fn offset_seconds(&self, zone: &str, ms: i64) -> Option<i32> {
        let moment = Timestamp::from_millisecond(ms).ok()?;
        Some(TimeZone::get(zone).ok()?.to_offset(moment).seconds())
    }
}

//! Where the paths of an event lead, once links are followed.
//!
//! Admission is pure and takes paths as they are written. A folder that a clone brings may be a link into the rules
//! (`ok -> .pi`): who can look hands in what it sees, and the rules read both names.

use std::collections::BTreeSet;

use mentci_authority::Event;
use serde_json::Value;

use super::plain_path::plain;

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Where its name says.
    Here,
    /// To another place, by its path: relative to the workspace where it lies below it.
    Elsewhere(String),
    /// Nobody knows: a link that leads in a circle, or out of a folder that is not there.
    Unknown,
}

/// Follows links.
pub trait Places {
    /// Where a path leads, relative ones from the workspace's root. What is not there leads where the folders above it do.
    fn place(&self, path: &str) -> Place;
}

/// How many paths of one event are followed.
const MOST: usize = 1000;

/// Adds to the files of an admitted event the places to which their paths lead. What cannot be told is told as
/// [`unread`](Event::unread), which closes the gate.
///
/// ```
/// use mentci_authority::{Event, Hook};
/// use mentci_host::policy::{Place, Places, add_places};
/// struct Linked;
/// impl Places for Linked {
///     fn place(&self, path: &str) -> Place {
///         path.strip_prefix("ok/").map_or(Place::Here, |rest| Place::Elsewhere(format!(".pi/{rest}")))
///     }
/// }
/// let mut event = Event::new(Hook::PreToolCall);
/// event.files = vec![serde_json::json!({"path": "ok/rules/a.yaml", "op": "update"})];
/// add_places(&mut event, &Linked);
/// assert_eq!(event.files[1]["path"], ".pi/rules/a.yaml");
/// ```
pub fn add_places(event: &mut Event, places: &dyn Places) {
    let mut told: BTreeSet<String> = BTreeSet::new();
    let mut found: Vec<Value> = Vec::new();
    for file in &event.files {
        let Some(path) = file["path"].as_str() else { continue };
        // All in a folder: the folder is followed.
        let (folder, all) = path.strip_suffix("/*").map_or((path, ""), |folder| (folder, "/*"));
        if folder.starts_with(['~', '$']) || folder.contains('*') || !told.insert(folder.to_owned()) {
            continue;
        }
        if told.len() > MOST {
            event.unread.get_or_insert_with(|| format!("more than {MOST} files are named"));
            break;
        }
        match places.place(folder) {
            Place::Here => {}
            Place::Elsewhere(real) => {
                let mut place = file.clone();
                place["path"] = plain(&format!("{real}{all}")).into();
                found.push(place);
            }
            Place::Unknown => {
                let name = path.escape_debug();
                event.unread.get_or_insert_with(|| format!("`{name}` is a link that cannot be followed"));
            }
        }
    }
    event.files.append(&mut found);
}

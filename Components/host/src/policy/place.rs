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

    /// The files that a shell fills a pattern with, in order; none where nobody can look, or where there are too many.
    fn matching(&self, _pattern: &str) -> Vec<String> {
        Vec::new()
    }
}

/// How many paths of one event are followed.
const MOST: usize = 1000;

/// How many patterns of one command are filled.
const MOST_PATTERNS: usize = 16;

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
    for command in &mut event.commands {
        lead(command, places, &mut told);
    }
}

/// Programs that act on a link itself, not on what it leads to.
const ON_LINKS: [&str; 8] = ["chown", "ln", "mv", "readlink", "rm", "stat", "trash", "unlink"];

/// Puts before each of a command's paths the place that it leads to, and before each pattern the files that it is filled with. An operand need not be a path at all: what leads nowhere says
/// nothing, and the last of them stays the last.
fn lead(command: &mut Value, places: &dyn Places, told: &mut BTreeSet<String>) {
    read_whole(command, places);
    let is_on_link = command["program"].as_str().is_some_and(|program| ON_LINKS.contains(&program));
    let globs: Vec<String> = serde_json::from_value(command["globs"].clone()).unwrap_or_default();
    let Some(paths) = command.get_mut("paths").and_then(Value::as_array_mut) else { return };
    for pattern in globs.iter().filter(|pattern| !pattern.starts_with(['~', '$'])).take(MOST_PATTERNS) {
        let found: Vec<Value> = places.matching(pattern).into_iter().map(Value::from).collect();
        let at = paths.iter().position(|path| path.as_str() == Some(pattern)).unwrap_or_default();
        paths.splice(at..at, found);
    }
    let mut led = Vec::with_capacity(paths.len());
    for path in paths.drain(..) {
        let text = path.as_str().filter(|text| may_lead(text) && told.len() <= MOST);
        if let Some(text) = text {
            told.insert(text.to_owned());
            led.extend(
                if is_on_link { above(text, places) } else { elsewhere(text, places) }.map(Value::from),
            );
        }
        led.push(path);
    }
    *paths = led;
}

/// Puts before all that lies in the folders which a command reads whole the files that lie there; what a search hands it is only
/// some of them.
fn read_whole(command: &mut Value, places: &dyn Places) {
    let is_handed = command["via"].as_array().and_then(|via| via.last()?.get("program")?.as_str());
    if is_handed.is_some_and(|by| SEARCHES.contains(&by)) {
        return;
    }
    let Some(found) = command.get_mut("found").and_then(Value::as_array_mut) else { return };
    let folders: Vec<String> = found.iter().filter_map(|all| Some(all.as_str()?.to_owned())).collect();
    let folders = folders.iter().filter(|all| !all.starts_with(['~', '$'])).take(MOST_PATTERNS);
    let files: Vec<Value> = folders.flat_map(|all| places.matching(all)).map(Value::from).collect();
    found.splice(0..0, files);
}

/// Programs that hand what they find to a command.
const SEARCHES: [&str; 5] = ["fd", "fdfind", "find", "parallel", "xargs"];

/// Whether an operand can be the path of a file that is there.
fn may_lead(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 4_096
        && !text.starts_with(['~', '$', '-'])
        && !text.contains(['*', '?', '[', '\n', '\0'])
        && !text.contains("://")
}

fn elsewhere(path: &str, places: &dyn Places) -> Option<String> {
    match places.place(path) {
        Place::Elsewhere(real) => Some(plain(&real)),
        Place::Here | Place::Unknown => None,
    }
}

/// The same of the folder in which a path stands.
fn above(path: &str, places: &dyn Places) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').filter(|(folder, _)| !folder.is_empty())?;
    Some(plain(&format!("{}/{name}", elsewhere(folder, places)?)))
}

//! A script: the answers of a model, written beforehand.

use mentci_authority::ModelRequest;
use mentci_source::{Code, Finding, Source};
use serde::Deserialize;
use serde_json::Value;

use crate::shown::turn;
use crate::{Shown, Step};

/// The format of scripts that is written and read here.
pub const SCRIPT_FORMAT: u32 = 1;

/// The answers of a model in order: what a file of `script:PATH` holds. `Library/specs/model-script.md` tells its form.
///
/// ```
/// use mentci_model::Script;
/// use mentci_source::Source;
/// let text = "{\"text\": \"Hello.\"}\n{\"calls\": [{\"name\": \"read_file\", \"args\": {\"path\": \"a\"}}]}\n";
/// let script = Script::read(&Source::new("answers.jsonl", text)).unwrap();
/// assert_eq!(script.steps.len(), 2);
/// assert!(Script::read(&Source::new("answers.jsonl", "{\"txt\": \"Hello.\"}")).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    /// The file.
    pub path: String,
    /// The model's name; none: `scripted`.
    pub model: Option<String>,
    /// The answers.
    pub steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptFile {
    #[serde(default)]
    format: Option<u32>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default, rename = "note")]
    _note: String,
    steps: Vec<Step>,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// The first place that does not read: a script that is half understood would answer something else than was meant.
    pub fn read(source: &Source) -> Result<Self, Finding> {
        let text = source.text();
        let first = serde_json::Deserializer::from_str(text).into_iter::<Value>().next();
        let whole = match &first {
            Some(Ok(Value::Object(map))) => map.contains_key("steps"),
            Some(Ok(Value::Array(_))) => true,
            _ => false,
        };
        let mut script = if whole { whole_file(source) } else { lines(source) }?;
        script.path = source.path().to_string();
        if script.steps.is_empty() {
            return Err(Finding::new(Code::MODEL_SCRIPT, "this script holds no answers")
                .help("an answer is an object, such as `{\"text\": \"Hello.\"}`")
                .in_file(source.path()));
        }
        Ok(script)
    }

    /// The step that answers a request, with its number from 1: the first whose `when` fits, else the one whose turn it is.
    ///
    /// # Errors
    /// The script is over; in words.
    pub fn step(&self, request: &ModelRequest, shown: &Shown) -> Result<(usize, &Step), String> {
        self.step_at(turn(request), shown)
    }

    /// As [`Script::step`], where this many replies stand before.
    pub(crate) fn step_at(&self, turn: usize, shown: &Shown) -> Result<(usize, &Step), String> {
        let mut steps = self.steps.iter().enumerate().map(|(at, step)| (at + 1, step));
        let fits = |step: &Step| !step.is_in_order() && step.when.iter().all(|text| shown.holds(text));
        if let Some(found) = steps.clone().find(|(_, step)| fits(step)) {
            return Ok(found);
        }
        steps.by_ref().filter(|(_, step)| step.is_in_order()).nth(turn).ok_or_else(|| self.over(turn))
    }

    fn over(&self, turn: usize) -> String {
        let ordered = self.steps.iter().filter(|step| step.is_in_order()).count();
        let number = turn.saturating_add(1);
        format!("the script `{}` is over: answer {number} is asked for, and it holds {ordered}", self.path)
    }
}

fn whole_file(source: &Source) -> Result<Script, Finding> {
    let text = source.text();
    let file = if text.trim_start().starts_with('[') {
        let steps = serde_json::from_str(text);
        steps.map(|steps| ScriptFile { format: None, model: None, _note: String::new(), steps })
    } else {
        serde_json::from_str(text)
    };
    let file = file.map_err(|error| unreadable(source, 0, &error))?;
    if let Some(format) = file.format.filter(|format| *format > SCRIPT_FORMAT) {
        return Err(Finding::new(
            Code::FORMAT_NEWER,
            format!("this script has format {format}, newer than {SCRIPT_FORMAT}"),
        )
        .help("upgrade `policy-engine`")
        .in_file(source.path()));
    }
    Ok(Script { path: String::new(), model: file.model, steps: file.steps })
}

fn lines(source: &Source) -> Result<Script, Finding> {
    let mut steps = Vec::new();
    for (at, line) in source.text().lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        steps.push(serde_json::from_str(line).map_err(|error| unreadable(source, at, &error))?);
    }
    Ok(Script { path: String::new(), model: None, steps })
}

fn unreadable(source: &Source, lines_above: usize, error: &serde_json::Error) -> Finding {
    let words = error.to_string();
    let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
    let mut finding = Finding::new(Code::MODEL_SCRIPT, format!("this script does not read: {words}"))
        .help("a script is `{\"steps\": [ … ]}`, or one answer a line; see `Library/specs/model-script.md`")
        .in_file(source.path());
    finding.line = u32::try_from(lines_above + error.line().max(1)).ok();
    finding.column = u32::try_from(error.column().max(1)).ok();
    finding
}

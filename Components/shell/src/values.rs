//! What variables hold: their values, the elements of arrays, and how the shell splits and joins them.

use crate::{
    Command,
    list::Assignment,
    marks, program,
    reader::{LONGEST_VALUE, MOST_NEIGHBOURS, Reader},
};

/// How many references are followed from one name to the next.
const MOST_REFERENCES: usize = 8;

impl Reader {
    /// The value of a variable that surely holds exactly one.
    pub(crate) fn only_value(&self, name: &str) -> Option<String> {
        match self.variables.get(name)?.as_slice() {
            [value] if !self.changed.contains(name) => Some(value.clone()),
            _ => None,
        }
    }

    /// Whether a variable was set to something that is not known.
    pub(crate) fn is_unknown(&self, name: &str) -> bool {
        self.variables.get(name).is_some_and(Vec::is_empty)
    }

    /// The variable that a name means: `c` for `r` behind `declare -n r=c`.
    pub(crate) fn meant(&self, name: &str) -> String {
        let mut name = name;
        for _ in 0..MOST_REFERENCES {
            let Some(next) = self.references.get(name) else { break };
            name = next;
        }
        name.to_owned()
    }

    /// The elements of an array that an index names: all for `@` and `*`.
    pub(crate) fn elements(&self, name: &str, index: &str) -> Option<Vec<String>> {
        if let Some(element) = self.variables.get(&element(name, index)) {
            return Some(element.clone());
        }
        let values = self.variables.get(name)?;
        if matches!(index, "@" | "*") {
            return Some(values.clone());
        }
        let number: i64 = index.trim().parse().ok()?;
        let at = if number < 0 { i64::try_from(values.len()).ok()? + number } else { number };
        values.get(usize::try_from(at).ok()?).map(|value| vec![value.clone()])
    }

    /// Whether `${name[index]:…}` takes some of several values, rather than a part of one.
    pub(crate) fn is_list(&self, name: &str, index: Option<&str>) -> bool {
        let is_known = self.variables.get(name).is_some_and(|values| !values.is_empty());
        is_known && (matches!(name, "@" | "*") || matches!(index, Some("@" | "*")))
    }

    /// What words are split at, besides white space: what `IFS` holds, or may hold.
    pub(crate) fn separators(&self) -> String {
        let own = self.variables.get("IFS").map(|values| values.concat()).unwrap_or_default();
        own.chars().chain(self.more_separators.chars()).map(marks::plain).collect()
    }

    /// What stands between values that are joined: the first sign of `IFS`.
    pub(crate) fn between(&self) -> String {
        match self.only_value("IFS") {
            Some(value) => value.chars().next().map(marks::plain).map(String::from).unwrap_or_default(),
            None => " ".to_owned(),
        }
    }

    /// A text with marks where the shell splits it.
    pub(crate) fn split(&self, text: &str) -> String {
        let separators = self.separators();
        let separates = |c: char| c.is_ascii_whitespace() || separators.contains(marks::plain(c));
        text.chars().map(|c| if separates(c) { marks::SPLIT } else { c }).collect()
    }

    pub(crate) fn split_all(&self, values: &[String]) -> Vec<String> {
        values.iter().map(|value| self.split(value)).collect()
    }

    /// Assigns; where it is not sure that this happens and the variable was set before, it is unknown.
    pub(crate) fn take(&mut self, assignment: &Assignment, sure: bool) {
        let Assignment { name, index, values, of, likely, .. } = assignment;
        let key = format!("${name}");
        match likely.clone().filter(|likely| likely.len() <= LONGEST_VALUE) {
            Some(likely) => self.likely_in.insert(key, likely),
            None => self.likely_in.remove(&key),
        };
        if let Some(index) = index {
            let whole = self.variables.get(name).cloned().unwrap_or_default();
            let whole = whole.into_iter().chain(values.iter().cloned()).collect();
            self.assign(&element(name, index), values.clone(), of, sure);
            return self.assign(name, whole, of, sure);
        }
        let values = self.resolved(assignment);
        self.forget_elements(name);
        if values.is_empty() && assignment.is_known && sure {
            self.changed.remove(name);
            return drop(self.variables.remove(name));
        }
        self.assign(name, values, of, sure);
    }

    /// The values that an assignment gives, with those that it adds to.
    pub(crate) fn resolved(&self, assignment: &Assignment) -> Vec<String> {
        let Assignment { name, values, adds, is_array, .. } = assignment;
        match self.variables.get(name).filter(|_| *adds) {
            None => values.clone(),
            Some(_) if self.is_unknown(name) || (values.is_empty() && !assignment.is_known) => Vec::new(),
            Some(before) if *is_array => before.iter().chain(values).cloned().collect(),
            Some(before) => before.iter().map(|value| format!("{value}{}", values.concat())).collect(),
        }
    }

    /// Forgets the elements that an array had which is set anew.
    fn forget_elements(&mut self, name: &str) {
        let start = element(name, "");
        let start = start.trim_end_matches(']').to_owned();
        let keys: Vec<String> = self
            .variables
            .range(start.clone()..)
            .map(|(key, _)| key.clone())
            .take_while(|key| key.starts_with(&start))
            .collect();
        for key in keys {
            self.variables.remove(&key);
        }
    }

    /// Sets what `$1`, `$2` … and `$@` are; none where one is not known.
    pub(crate) fn hand(&mut self, words: &[Option<String>], sure: bool) {
        for (name, at) in (1..10_usize).map(|at| (at.to_string(), at - 1)) {
            let value = words.get(at).cloned().unwrap_or_else(|| Some(String::new()));
            self.assign(&name, value.into_iter().collect(), &[], sure);
        }
        let all: Option<Vec<String>> = words.iter().cloned().collect();
        match all {
            Some(all) if all.is_empty() => drop(self.variables.remove("@")),
            all => self.assign("@", all.unwrap_or_default(), &[], sure),
        }
    }

    /// Sets a variable. Where it is not sure that this happens and the variable was set before, it is unknown.
    pub(crate) fn assign(&mut self, name: &str, values: Vec<String>, of: &[String], sure: bool) {
        if name == "IFS" {
            if sure {
                self.more_separators.clear();
            } else if self.more_separators.len() < LONGEST_VALUE {
                self.more_separators.extend(values.iter().map(String::as_str));
            }
        }
        let long = values.iter().map(String::len).sum::<usize>() > LONGEST_VALUE;
        let is_same = self.variables.get(name) == Some(&values);
        let unsure = !sure && !is_same && self.variables.contains_key(name);
        let known = if long || unsure { Vec::new() } else { values };
        if known.is_empty() {
            self.changed.insert(name.to_owned());
        } else if sure || !is_same {
            self.changed.remove(name);
        }
        self.step(name.len() + known.iter().map(String::len).sum::<usize>());
        self.variables.insert(name.to_owned(), known);
        if of.is_empty() {
            self.output_in.remove(name)
        } else {
            self.output_in.insert(name.to_owned(), of.to_vec())
        };
    }

    /// The first of the next commands that were told since `first` that is a shell which reads what it is fed.
    pub(crate) fn shell_since(&self, first: usize) -> Option<usize> {
        let is_fed = |command: &Command| {
            program::is_shell(&command.program) && command.operands.is_empty() && !command.has_flag(&["c"])
        };
        let at = self.commands.get(first..)?.iter().take(MOST_NEIGHBOURS).position(is_fed)?;
        Some(first + at)
    }
}

/// The name under which an element of an array is kept.
fn element(name: &str, index: &str) -> String {
    format!("{name}[{index}]")
}

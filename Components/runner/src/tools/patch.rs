//! The patch that agents write: `*** Begin Patch`.

/// A patch, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) files: Vec<PatchedFile>,
}

/// What a patch does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PatchedFile {
    /// A new file with this text.
    Add { path: String, text: String },
    /// No file any more.
    Delete { path: String },
    /// Changes in their order; maybe under another name.
    Update { path: String, to: Option<String>, hunks: Vec<Hunk> },
}

/// Lines that stand somewhere, and what stands there afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Hunk {
    /// A line before the place, as `@@ LINE` names it.
    after: String,
    old: Vec<String>,
    new: Vec<String>,
    /// It stands at the end of the file.
    at_end: bool,
}

impl Patch {
    /// Reads a patch.
    ///
    /// # Errors
    /// The first line that does not read, in words.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let mut lines = text.lines().enumerate().peekable();
        if lines.next().is_none_or(|(_, line)| line.trim() != "*** Begin Patch") {
            return Err("a patch begins with `*** Begin Patch`".to_owned());
        }
        let mut files = Vec::new();
        let mut is_ended = false;
        while let Some((number, line)) = lines.next() {
            let head = line.trim_end();
            if head.trim() == "*** End Patch" {
                is_ended = true;
                break;
            }
            let mut body: Vec<&str> = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| !is_head(line)) {
                body.push(line);
            }
            files.push(file(head, &body).map_err(|why| format!("line {} of the patch: {why}", number + 1))?);
        }
        match (is_ended, files.is_empty()) {
            (false, _) => Err("the patch breaks off: `*** End Patch` is missing".to_owned()),
            (true, true) => Err("the patch changes no file".to_owned()),
            (true, false) => Ok(Self { files }),
        }
    }
}

fn is_head(line: &str) -> bool {
    let line = line.trim_end();
    ["*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** End Patch"]
        .iter()
        .any(|head| line.starts_with(head))
}

fn file(head: &str, body: &[&str]) -> Result<PatchedFile, String> {
    let named = |prefix: &str| head.strip_prefix(prefix).map(|path| path.trim().to_owned());
    if let Some(path) = named("*** Add File: ") {
        let lines = body.iter().map(|line| {
            line.strip_prefix('+').ok_or_else(|| format!("`{line}`: each line of a new file begins with `+`"))
        });
        let text: String =
            lines.collect::<Result<Vec<_>, _>>()?.iter().flat_map(|line| [line, "\n"]).collect();
        return Ok(PatchedFile::Add { path, text });
    }
    if let Some(path) = named("*** Delete File: ") {
        return match body.iter().find(|line| !line.trim().is_empty()) {
            Some(line) => Err(format!("`{line}` stands under a file that is deleted")),
            None => Ok(PatchedFile::Delete { path }),
        };
    }
    let Some(path) = named("*** Update File: ") else {
        return Err(format!(
            "`{head}` is neither `*** Add File: `, `*** Delete File: ` nor `*** Update File: `"
        ));
    };
    let to =
        body.first().and_then(|line| line.strip_prefix("*** Move to: ")).map(|path| path.trim().to_owned());
    let hunks = hunks(&body[usize::from(to.is_some())..])?;
    if hunks.is_empty() && to.is_none() {
        return Err(format!("`{path}` is updated by no line"));
    }
    Ok(PatchedFile::Update { path, to, hunks })
}

fn hunks(body: &[&str]) -> Result<Vec<Hunk>, String> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for line in body {
        if let Some(after) = line.strip_prefix("@@") {
            let after = after.trim().trim_end_matches("@@").trim().to_owned();
            hunks.push(Hunk {
                after: if after.starts_with('-') { String::new() } else { after },
                ..Hunk::default()
            });
            continue;
        }
        if hunks.is_empty() {
            hunks.push(Hunk::default());
        }
        // OK because one was pushed.
        let Some(hunk) = hunks.last_mut() else { continue };
        match line.chars().next() {
            _ if line.trim_end() == "*** End of File" => hunk.at_end = true,
            Some('+') => hunk.new.push(line[1..].to_owned()),
            Some('-') => hunk.old.push(line[1..].to_owned()),
            None | Some(' ') => {
                let text = line.get(1..).unwrap_or("").to_owned();
                hunk.old.push(text.clone());
                hunk.new.push(text);
            }
            Some(_) => return Err(format!("`{line}` begins with neither a space, `-` nor `+`")),
        }
    }
    hunks.retain(|hunk| hunk.old != hunk.new || !hunk.after.is_empty());
    hunks.retain(|hunk| !hunk.old.is_empty() || !hunk.new.is_empty());
    Ok(hunks)
}

impl PatchedFile {
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Add { path, .. } | Self::Delete { path } | Self::Update { path, .. } => path,
        }
    }

    /// The same, with its paths as they really are.
    pub(crate) fn named(self, real: String, real_to: Option<String>) -> Self {
        match self {
            Self::Add { text, .. } => Self::Add { path: real, text },
            Self::Delete { .. } => Self::Delete { path: real },
            Self::Update { hunks, .. } => Self::Update { path: real, to: real_to, hunks },
        }
    }

    pub(crate) fn moved_to(&self) -> Option<&str> {
        if let Self::Update { to, .. } = self { to.as_deref() } else { None }
    }

    /// What was done, in a line.
    pub(crate) fn told(&self) -> String {
        match self {
            Self::Add { path, .. } => format!("added `{path}`"),
            Self::Delete { path } => format!("deleted `{path}`"),
            Self::Update { path, to: None, .. } => format!("updated `{path}`"),
            Self::Update { path, to: Some(to), .. } => format!("updated `{path}`, now `{to}`"),
        }
    }

    /// The file's text afterwards; none when it is no more.
    ///
    /// # Errors
    /// Why the patch does not fit.
    pub(crate) fn apply(&self, before: Option<&str>) -> Result<Option<String>, String> {
        match (self, before) {
            (Self::Add { path, .. }, Some(_)) => Err(format!("`{path}` is there already: update it")),
            (Self::Add { text, .. }, None) => Ok(Some(text.clone())),
            (Self::Delete { path } | Self::Update { path, .. }, None) => {
                Err(format!("there is no file `{path}`"))
            }
            (Self::Delete { .. }, Some(_)) => Ok(None),
            (Self::Update { path, hunks, .. }, Some(before)) => applied(before, hunks)
                .map(Some)
                .map_err(|old| format!("`{path}` does not hold these lines:\n{old}")),
        }
    }
}

/// Puts hunk after hunk in its place, each behind the one before.
fn applied(before: &str, hunks: &[Hunk]) -> Result<String, String> {
    let mut lines: Vec<String> = before.split('\n').map(str::to_owned).collect();
    let mut from = 0;
    for hunk in hunks {
        if !hunk.after.is_empty() {
            from = find(&lines, std::slice::from_ref(&hunk.after), from, false)
                .map(|at| at + 1)
                .ok_or_else(|| hunk.after.clone())?;
        }
        let at = if hunk.old.is_empty() {
            if hunk.after.is_empty() { end_of(&lines) } else { from }
        } else {
            find(&lines, &hunk.old, from, hunk.at_end).ok_or_else(|| hunk.old.join("\n"))?
        };
        lines.splice(at..at + hunk.old.len(), hunk.new.iter().cloned());
        from = at + hunk.new.len();
    }
    Ok(lines.join("\n"))
}

/// Where a text ends: before the empty line behind its last line break.
fn end_of(lines: &[String]) -> usize {
    lines.len() - usize::from(lines.last().is_some_and(String::is_empty))
}

/// Where lines stand from a line on: as they are, else but for space at their ends, else but for space around them.
fn find(lines: &[String], wanted: &[String], from: usize, at_end: bool) -> Option<usize> {
    let alike: [fn(&str) -> &str; 3] = [|line| line, str::trim_end, str::trim];
    alike.into_iter().find_map(|alike| {
        let fits = |at: &usize| {
            let here = lines.get(*at..*at + wanted.len());
            here.is_some_and(|here| here.iter().zip(wanted).all(|(one, other)| alike(one) == alike(other)))
        };
        let mut places = from..lines.len();
        if at_end { places.rev().find(fits) } else { places.find(fits) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(patch: &str, before: &str) -> Result<String, String> {
        let patch = Patch::read(patch)?;
        patch.files[0].apply(Some(before)).map(Option::unwrap_or_default)
    }

    #[test]
    fn hunks_find_their_place() {
        for (hunk, before, expected) in [
            (" a\n-b\n+c", "a\nb\n", "a\nc\n"),
            ("@@\n a\n-b\n+c", "x\na\nb\n", "x\na\nc\n"),
            ("@@ fn two\n-1\n+2", "fn one\n1\nfn two\n1\n", "fn one\n1\nfn two\n2\n"),
            ("@@\n-b  \n+c", "a\nb\n", "a\nc\n"),
            ("@@\n+z", "a\nb\n", "a\nb\nz\n"),
            ("@@\n-a\n+b\n*** End of File", "a\nx\na\n", "a\nx\nb\n"),
        ] {
            let patch = format!("*** Begin Patch\n*** Update File: f\n{hunk}\n*** End Patch");
            assert_eq!(apply(&patch, before).as_deref(), Ok(expected), "{hunk}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        for (patch, said) in [
            ("hello", "a patch begins with `*** Begin Patch`"),
            ("*** Begin Patch\n*** Update File: f\n-a", "the patch breaks off: `*** End Patch` is missing"),
            ("*** Begin Patch\n*** End Patch", "the patch changes no file"),
            (
                "*** Begin Patch\n*** Add File: f\na\n*** End Patch",
                "line 2 of the patch: `a`: each line of a new file begins with `+`",
            ),
            (
                "*** Begin Patch\n*** Rename File: f\n*** End Patch",
                "line 2 of the patch: `*** Rename File: f` is neither `*** Add File: `, `*** Delete File: ` nor `*** Update File: `",
            ),
            (
                "*** Begin Patch\n*** Update File: f\n-zz\n+a\n*** End Patch",
                "`f` does not hold these lines:\nzz",
            ),
            ("*** Begin Patch\n*** Add File: f\n+a\n*** End Patch", "`f` is there already: update it"),
        ] {
            assert_eq!(apply(patch, "b\n"), Err(said.to_owned()), "{patch}");
        }
    }
}

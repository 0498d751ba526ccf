//! What a search goes through, and what surely holds for all that it acts on: the expressions of `find` and `fd`.

use crate::{Word, marks};

/// A search, read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Search {
    /// Where it starts; `.` when nothing is said.
    pub(crate) starts: Vec<Word>,
    /// The ways by which a file comes to be acted on, each with the tests that it passed: `-name *.pyc`.
    pub(crate) guards: Vec<Vec<String>>,
}

/// The most ways that are told; what has more is told as one without a guard.
const MOST_WAYS: usize = 64;

/// Reads the arguments of a search; none for a program that is no search.
pub(crate) fn read(program: &str, args: &[Word]) -> Option<Search> {
    match program {
        "find" => Some(find(args)),
        "fd" | "fdfind" => Some(fd(args)),
        _ => None,
    }
}

/// What stands between two brackets of an expression, as far as it is read.
#[derive(Default)]
struct Group {
    /// The ways that the alternatives so far leave by.
    done: Ways,
    /// The ways of the alternative that is read.
    open: Ways,
    /// The ways by which the group is reached.
    reached: Ways,
    is_negated: bool,
}

type Ways = Vec<Vec<String>>;

impl Group {
    fn new(reached: Ways, is_negated: bool) -> Self {
        Self { done: Ways::new(), open: vec![Vec::new()], reached, is_negated }
    }

    fn ways(self) -> Ways {
        let mut ways = self.done;
        ways.extend(self.open);
        bounded(ways)
    }
}

/// `find START… EXPRESSION`
fn find(args: &[Word]) -> Search {
    let mut at = leading_options(args);
    let is_start =
        |word: &&Word| !matches!(word.text.as_str(), "(" | ")" | "!" | ",") && !is_option(&word.text);
    let mut starts: Vec<Word> = args[at..].iter().take_while(is_start).cloned().collect();
    at += starts.len();
    let mut groups = vec![Group::new(vec![Vec::new()], false)];
    let mut acted = Ways::new();
    let mut has_action = false;
    let mut negated = false;
    while let Some(word) = args.get(at) {
        let Some(group) = groups.last_mut() else { break };
        let values = args.get(at + 1..at + 1 + values_of(&word.text)).unwrap_or_default();
        at += 1 + values.len();
        match word.text.as_str() {
            "!" | "-not" => {
                negated = !negated;
                continue;
            }
            "(" => {
                let reached = product(&group.reached, &group.open);
                groups.push(Group::new(reached, negated));
            }
            ")" => close(&mut groups),
            "-o" | "-or" => {
                let open = std::mem::replace(&mut group.open, vec![Vec::new()]);
                group.done.extend(open);
            }
            "," => {
                group.done.clear();
                group.open = vec![Vec::new()];
            }
            "-a" | "-and" | "-prune" | "-quit" => {}
            "-files0-from" => starts.push(Word { text: marks::OUTPUT_TEXT.to_owned(), ..Word::default() }),
            text if is_action(text) => {
                has_action = true;
                acted.extend(product(&group.reached, &group.open));
                at += past_command(text, &args[at..]);
            }
            text if !negated => {
                let value = values.iter().map(|word| format!(" {}", word.text));
                let passed = value.fold(text.to_owned(), |passed, value| passed + &value);
                group.open.iter_mut().for_each(|way| way.push(passed.clone()));
            }
            _ => {}
        }
        negated = false;
    }
    while groups.len() > 1 {
        close(&mut groups);
    }
    if !has_action {
        acted.extend(groups.into_iter().flat_map(Group::ways));
    }
    if starts.is_empty() {
        starts.push(Word::known("."));
    }
    Search { starts, guards: bounded(acted) }
}

/// Takes the innermost group for one test of the group around it.
fn close(groups: &mut Vec<Group>) {
    if groups.len() < 2 {
        return;
    }
    let Some(inner) = groups.pop() else { return };
    let Some(outer) = groups.last_mut() else { return };
    if !inner.is_negated {
        outer.open = product(&outer.open, &inner.ways());
    }
}

/// Each way of one with each of the other.
fn product(one: &Ways, other: &Ways) -> Ways {
    if one.len() * other.len() > MOST_WAYS {
        return vec![Vec::new()];
    }
    let pairs = one.iter().flat_map(|way| other.iter().map(move |more| [&way[..], &more[..]].concat()));
    pairs.collect()
}

fn bounded(ways: Ways) -> Ways {
    if ways.len() > MOST_WAYS { vec![Vec::new()] } else { ways }
}

/// `-L`, `-D tree`, `-O3`, which stand before the starts.
fn leading_options(args: &[Word]) -> usize {
    let mut at = 0;
    while let Some(word) = args.get(at) {
        match word.text.as_str() {
            "-H" | "-L" | "-P" | "-E" | "-X" | "-x" | "-s" | "-d" => at += 1,
            "-D" | "-f" => at += 2,
            text if text.starts_with("-O") => at += 1,
            _ => break,
        }
    }
    at.min(args.len())
}

fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}

fn is_action(text: &str) -> bool {
    matches!(
        text,
        "-delete"
            | "-exec"
            | "-execdir"
            | "-ok"
            | "-okdir"
            | "-print"
            | "-print0"
            | "-printf"
            | "-ls"
            | "-fprint"
            | "-fprint0"
            | "-fprintf"
            | "-fls"
    )
}

/// How many arguments the command behind `-exec` takes, its end included.
fn past_command(action: &str, rest: &[Word]) -> usize {
    if !matches!(action, "-exec" | "-execdir" | "-ok" | "-okdir") {
        return 0;
    }
    let ends = |at: usize| {
        let text = rest[at].text.as_str();
        text == ";" || text == "+" && at > 0 && rest[at - 1].text == "{}"
    };
    (0..rest.len()).find(|&at| ends(at)).map_or(rest.len(), |at| at + 1)
}

/// How many values a primary takes.
fn values_of(text: &str) -> usize {
    match text {
        "-fprintf" => 2,
        "-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-iwholename" | "-regex" | "-iregex"
        | "-type" | "-xtype" | "-mtime" | "-mmin" | "-atime" | "-amin" | "-ctime" | "-cmin" | "-newer"
        | "-anewer" | "-cnewer" | "-used" | "-user" | "-group" | "-uid" | "-gid" | "-perm" | "-size"
        | "-links" | "-inum" | "-lname" | "-ilname" | "-samefile" | "-fstype" | "-maxdepth" | "-mindepth"
        | "-regextype" | "-context" | "-printf" | "-fprint" | "-fprint0" | "-fls" | "-files0-from"
        | "-flags" | "-Bmin" | "-Btime" => 1,
        text => usize::from(text.starts_with("-newer")),
    }
}

/// `fd PATTERN START… -x COMMAND`
fn fd(args: &[Word]) -> Search {
    let mut search = Search::default();
    let mut tests = Vec::new();
    let mut operands = Vec::new();
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let (name, grown) = match text.split_once('=').filter(|_| text.starts_with("--")) {
            Some((name, value)) => (name, Some(Word { text: value.to_owned(), ..word.clone() })),
            None => (text, None),
        };
        match name {
            "-x" | "-X" | "--exec" | "--exec-batch" => break,
            "-e" | "--extension" => {
                tests.extend(
                    grown.or_else(|| rest.next().cloned()).map(|word| format!("-name *.{}", word.text)),
                );
            }
            "--search-path" | "--base-directory" => {
                search.starts.extend(grown.or_else(|| rest.next().cloned()));
            }
            "-t" | "--type" | "-E" | "--exclude" | "-d" | "--max-depth" | "--min-depth" | "--exact-depth"
            | "-S" | "--size" | "-o" | "--owner" | "-j" | "--threads" | "-c" | "--color"
            | "--changed-within" | "--changed-before" | "--path-separator"
                if grown.is_none() =>
            {
                rest.next();
            }
            _ if is_option(text) => {}
            _ => operands.push(word),
        }
    }
    let mut operands = operands.into_iter();
    tests.extend(operands.next().map(|pattern| format!("-regex {}", pattern.text)));
    search.starts.extend(operands.cloned());
    if search.starts.is_empty() {
        search.starts.push(Word::known("."));
    }
    search.guards.push(tests);
    search
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(program: &str, text: &str) -> String {
        let args: Vec<Word> = text.split_whitespace().map(Word::known).collect();
        let search = read(program, &args).unwrap();
        let starts: Vec<&str> = search.starts.iter().map(|word| word.text.as_str()).collect();
        let ways: Vec<String> = search.guards.iter().map(|way| format!("[{}]", way.join(", "))).collect();
        format!("{}: {}", starts.join(" "), ways.join(" "))
    }

    #[test]
    fn an_expression_tells_what_guards_its_actions() {
        for (text, expected) in [
            ("dist / -delete", "dist /: []"),
            ("-L . -name *.pyc -delete", ".: [-name *.pyc]"),
            (". -delete -name *.pyc", ".: []"),
            (". -name *.pyc -o -delete", ".: []"),
            (". ! -name *.pyc -delete", ".: []"),
            (". -not ! -name *.pyc -delete", ".: [-name *.pyc]"),
            (". -name *.tmp , -delete", ".: []"),
            (". ( -name a -o -name b ) -type f -delete", ".: [-name a, -type f] [-name b, -type f]"),
            (". ! ( -name a -o -name b ) -delete", ".: []"),
            (". -path ./x -prune -o -type f -delete", ".: [-type f]"),
            (". -type d ( -name a -delete -o -name b )", ".: [-type d, -name a]"),
            (". -name a -exec rm -o {} ; -delete", ".: [-name a] [-name a]"),
            (". -name a -o -name b", ".: [-name a] [-name b]"),
            ("-name a", ".: [-name a]"),
            ("-files0-from x -delete", "$(...): []"),
            (". ( -name a -delete", ".: [-name a]"),
            (") -o ! ,", ".: []"),
        ] {
            assert_eq!(seen("find", text), expected, "{text}");
        }
    }

    #[test]
    fn a_search_by_pattern_tells_where_it_starts() {
        for (text, expected) in [
            ("-t f . / -x rm {}", "/: [-regex .]"),
            ("-e bak -X rm", ".: [-name *.bak]"),
            ("--search-path=/etc x", "/etc: [-regex x]"),
        ] {
            assert_eq!(seen("fd", text), expected, "{text}");
        }
    }

    #[test]
    fn many_alternatives_are_no_guard() {
        let group = format!("( {} -name z )", "-name a -o ".repeat(20));
        assert_eq!(seen("find", &format!(". {group} {group} -delete")), ".: []");
    }
}

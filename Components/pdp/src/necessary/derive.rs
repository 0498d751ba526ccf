//! What a guard needs, read off its conditions.

use mentci_authority::Guard;
use mentci_expr::{Comparison, Expr, Function, Node, Quantifier, UnaryOp, regex_letters, regex_problem};

use super::fields::Kind;
use super::{Necessary, Of};

/// What a guard needs to hold or to fault. One that asks a script is asked itself, because scripts may act.
pub(crate) fn needed(guard: &Guard) -> Necessary {
    match guard {
        // INVARIANT (order never matters): one part that surely fails makes the whole fail, whatever else faults.
        Guard::All(parts) => parts.iter().map(needed).fold(Necessary::Nothing, Necessary::and),
        Guard::Any(parts) => parts.iter().map(needed).fold(Necessary::Never, Necessary::or),
        Guard::Expr(expr) => {
            let told = Scope::default().told(expr);
            told.holds.or(told.faults)
        }
        Guard::Always | Guard::Not(_) | Guard::Chain(_) | Guard::Admission(_) | Guard::Script(_) => {
            Necessary::Nothing
        }
    }
}

/// What an expression needs to be true, and what it needs to fault.
struct Told {
    holds: Necessary,
    faults: Necessary,
}

impl Told {
    /// Nothing is known of it.
    fn unknown() -> Self {
        Self { holds: Necessary::Nothing, faults: Necessary::Nothing }
    }

    /// It never faults.
    fn sure(holds: Necessary) -> Self {
        Self { holds, faults: Necessary::Never }
    }

    /// Both, the second only where the first holds.
    fn and(self, second: Self) -> Self {
        let faults = self.faults.or(self.holds.clone().and(second.faults));
        Self { holds: self.holds.and(second.holds), faults }
    }

    fn or(self, second: Self) -> Self {
        Self { holds: self.holds.or(second.holds), faults: self.faults.or(second.faults) }
    }
}

/// The variables of the comprehensions around an expression.
#[derive(Default)]
struct Scope<'e> {
    locals: Vec<Local<'e>>,
}

struct Local<'e> {
    name: &'e str,
    kind: Option<Kind>,
    /// The field whose items it goes through.
    field: Option<(Of, &'e str)>,
    /// Whether these are the keys of a map.
    is_key: bool,
}

impl<'e> Scope<'e> {
    fn told(&mut self, expr: &'e Expr) -> Told {
        match expr.node() {
            Node::Bool(value) => Told::sure(if *value { Necessary::Nothing } else { Necessary::Never }),
            Node::And(operands) => operands
                .iter()
                .map(|operand| self.told(operand))
                .fold(Told::sure(Necessary::Nothing), Told::and),
            Node::Or(operands) => {
                operands.iter().map(|operand| self.told(operand)).fold(Told::sure(Necessary::Never), Told::or)
            }
            Node::Unary(UnaryOp::Not, operand) => {
                Told { holds: Necessary::Nothing, faults: self.told(operand).faults }
            }
            Node::For { quantifier, body, variable, list, filter } => {
                self.walked(*quantifier, list, variable, filter.as_deref(), body)
            }
            Node::Compare(left, rest) => match rest.as_slice() {
                [(comparison, right)] => self.compared(left, *comparison, right),
                _ => Told::unknown(),
            },
            Node::Call(function, arguments) => self.called(*function, arguments),
            _ if self.kind(expr).is_some() => Told::sure(Necessary::Nothing),
            _ => Told::unknown(),
        }
    }

    fn walked(
        &mut self,
        quantifier: Quantifier,
        list: &'e Expr,
        name: &'e str,
        filter: Option<&'e Expr>,
        body: &'e Expr,
    ) -> Told {
        let (kind, there) = match self.kind(list) {
            Some(Kind::All(of)) => (Some(Kind::One(of)), Necessary::There(of)),
            Some(Kind::Texts | Kind::Map) => (Some(Kind::Text), Necessary::Nothing),
            _ => return Told::unknown(),
        };
        let is_key = self.kind(list) == Some(Kind::Map);
        let field = self.field(list);
        self.locals.push(Local { name, kind, field, is_key });
        let filter = filter.map_or(Told::sure(Necessary::Nothing), |filter| self.told(filter));
        let inner = filter.and(self.told(body));
        self.locals.pop();
        let holds = if quantifier == Quantifier::Any { inner.holds } else { Necessary::Nothing };
        let holds = if quantifier == Quantifier::Any { there.clone().and(holds) } else { holds };
        Told { holds, faults: there.and(inner.faults) }
    }

    fn compared(&self, left: &'e Expr, comparison: Comparison, right: &'e Expr) -> Told {
        let (Some(own), Some(other)) = (self.kind(left), self.kind(right)) else { return Told::unknown() };
        match comparison {
            Comparison::Equal => Told::sure(self.equal(left, right)),
            Comparison::NotEqual => Told::sure(Necessary::Nothing),
            Comparison::In => match (own, other) {
                (_, Kind::Texts | Kind::List | Kind::Map) => Told::sure(self.within(left, right)),
                _ => Told::unknown(),
            },
            Comparison::NotIn if matches!(other, Kind::Texts | Kind::List | Kind::Map) => {
                Told::sure(Necessary::Nothing)
            }
            Comparison::Is | Comparison::IsNot if matches!(right.node(), Node::Null | Node::Bool(_)) => {
                Told::sure(Necessary::Nothing)
            }
            Comparison::Less | Comparison::LessOrEqual | Comparison::Greater | Comparison::GreaterOrEqual
                if own == Kind::Number && other == Kind::Number =>
            {
                Told::sure(Necessary::Nothing)
            }
            _ => Told::unknown(),
        }
    }

    /// `c.program == "rm"`, `c.env.HOME == "/"`.
    fn equal(&self, left: &'e Expr, right: &'e Expr) -> Necessary {
        let is = |field: &'e Expr, text: &'e Expr| {
            let text = text.as_text()?;
            let (of, name, text) = match self.field(field) {
                Some((of, name)) => (of, name, text),
                // No text is what is not there.
                None => self.member(field)?,
            };
            Some(Necessary::Is(of, name.to_owned(), vec![text.to_owned()]))
        };
        is(left, right).or_else(|| is(right, left)).unwrap_or(Necessary::Nothing)
    }

    /// `c.program in ["rm", "srm"]`, `"force" in c.flags`.
    fn within(&self, one: &'e Expr, list: &'e Expr) -> Necessary {
        if let (Some(text), Some((of, name))) = (one.as_text(), self.field(list)) {
            return Necessary::Is(of, name.to_owned(), vec![text.to_owned()]);
        }
        let Node::List(items) = list.node() else { return Necessary::Nothing };
        let texts = items.iter().map(|item| item.as_text().map(str::to_owned)).collect::<Option<Vec<_>>>();
        match (self.field(one), texts) {
            (Some((of, name)), Some(texts)) => Necessary::Is(of, name.to_owned(), texts),
            _ => Necessary::Nothing,
        }
    }

    fn called(&self, function: Function, arguments: &'e [Expr]) -> Told {
        let [subject, text] = arguments else {
            let is_sure = arguments.len() == 1 && function == Function::Len;
            let is_sure = is_sure && self.kind(&arguments[0]).is_some_and(Kind::is_counted);
            return if is_sure { Told::sure(Necessary::Nothing) } else { Told::unknown() };
        };
        let (Some(kind), Some(text)) = (self.kind(subject), text.as_text()) else { return Told::unknown() };
        if !matches!(kind, Kind::Text | Kind::Texts) {
            return Told::unknown();
        }
        let letters = match function {
            Function::Matches if regex_problem(text).is_none() => regex_letters(text),
            Function::Contains | Function::StartsWith | Function::EndsWith => {
                Some(vec![text.to_ascii_lowercase()]).filter(|_| !text.is_empty() && text.is_ascii())
            }
            _ => return Told::unknown(),
        };
        // The text of a list is JSON: only letters that it writes as they are stand in one of its items.
        let is_plain = |letters: &String| {
            kind == Kind::Text
                || letters.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-/.".contains(&byte))
        };
        let letters = letters.filter(|all| all.iter().all(is_plain) && self.is_told(subject));
        let holds = letters.map_or(Necessary::Nothing, Necessary::Stands);
        // What holds of some items of a list and not of others faults.
        let faults = if kind == Kind::Texts { holds.clone() } else { Necessary::Never };
        Told { holds, faults }
    }

    /// Whether it is a text out of commands or files, as a value: keys are not looked through.
    fn is_told(&self, expr: &'e Expr) -> bool {
        let is_key = expr.as_path().is_some_and(|path| self.local(path[0]).is_some_and(|local| local.is_key));
        !is_key && self.field(expr).is_some()
    }

    /// What an expression looks up in a map of commands or files: the map's field, and the key.
    fn member(&self, expr: &'e Expr) -> Option<(Of, &'e str, &'e str)> {
        let path = expr.as_path()?;
        match (self.local(path[0])?.kind?, &path[1..]) {
            (Kind::One(of), [name, key]) if of.kind(name) == Some(Kind::Map) => Some((of, name, key)),
            _ => None,
        }
    }

    /// The field of commands or files that an expression is, or an item of.
    fn field(&self, expr: &'e Expr) -> Option<(Of, &'e str)> {
        if let Node::Index(inner, _) = expr.node() {
            return self.field(inner);
        }
        let path = expr.as_path()?;
        let local = self.local(path[0])?;
        match (local.kind, &path[1..]) {
            (Some(Kind::One(of)), [name]) => of.kind(name).map(|_| (of, *name)),
            (Some(Kind::Text), []) => local.field,
            _ => None,
        }
    }

    fn local(&self, name: &str) -> Option<&Local<'e>> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    /// What an expression gives; none where it may fault, or where that is not known.
    fn kind(&self, expr: &'e Expr) -> Option<Kind> {
        match expr.node() {
            Node::Null => Some(Kind::Null),
            Node::Bool(_) => Some(Kind::Bool),
            Node::Int(_) | Node::Float(_) => Some(Kind::Number),
            Node::Text(_) => Some(Kind::Text),
            Node::List(items) if items.iter().all(|item| item.as_text().is_some()) => Some(Kind::Texts),
            Node::List(items) => items.iter().all(|item| self.kind(item).is_some()).then_some(Kind::List),
            Node::Map(entries) => {
                entries.iter().all(|(_, value)| self.kind(value).is_some()).then_some(Kind::Map)
            }
            Node::Name(_) | Node::Field(..) => self.kind_of_path(&expr.as_path()?),
            Node::Index(list, at) => {
                let is_item = self.kind(list)? == Kind::Texts && matches!(at.node(), Node::Int(_));
                is_item.then_some(Kind::Text)
            }
            Node::Call(Function::Len, arguments) => match arguments.as_slice() {
                [list] if self.kind(list)?.is_counted() => Some(Kind::Number),
                _ => None,
            },
            _ => None,
        }
    }

    fn kind_of_path(&self, path: &[&str]) -> Option<Kind> {
        match (self.local(path[0]), path) {
            (Some(local), _) => match (local.kind?, &path[1..]) {
                (kind, []) => Some(kind),
                (Kind::One(of), [name]) => of.kind(name),
                (Kind::One(of), [name, _]) if of.kind(name) == Some(Kind::Map) => Some(Kind::Member),
                _ => None,
            },
            (None, ["event", "commands"]) => Some(Kind::All(Of::Commands)),
            (None, ["event", "files"]) => Some(Kind::All(Of::Files)),
            _ => None,
        }
    }
}

impl Kind {
    /// Whether it has a length.
    fn is_counted(self) -> bool {
        matches!(self, Self::Texts | Self::List | Self::Map | Self::All(_))
    }
}

//! Checking: names, arguments, patterns and types.

use mentci_source::{Code, Span, did_you_mean};

use crate::expr::{ArithmeticOp, Broken, Comparison, MAX_DEPTH, Node, Quantifier, UnaryOp};
use crate::function::SCOPES;
use crate::path::{ArgPath, JsonQuery};
use crate::pattern::{GLOB_HELP, glob_problem, regex_help, regex_problem};
use crate::variable::{Resolved, resolve, roots};
use crate::{Days, Expr, Function, Named, Parameter, Problem, Schema, TimeRange, Type};

/// What is wrong with an expression under a schema, in order of the text. Only errors refuse it.
///
/// ```
/// use mentci_expr::{Schema, check, parse};
/// let expr = parse("context.turn.token_usge > 0.8").expr.unwrap();
/// let problems = check(&expr, &Schema::guard());
/// assert_eq!(problems[0].message, "`context.turn` has no field `token_usge`");
/// assert_eq!(problems[0].help.as_deref(), Some("did you mean `token_usage`?"));
/// ```
pub fn check(expr: &Expr, schema: &Schema) -> Vec<Problem> {
    let mut checker = Checker { schema, locals: Vec::new(), problems: Vec::new(), types_alone: false };
    let kind = checker.infer(expr);
    checker.result(expr, kind);
    checker.problems.sort_by_key(|problem| problem.span);
    checker.problems
}

/// What keeps an expression from being a condition by itself: parts that can become its value and are neither true nor
/// false. Names are not asked about.
///
/// ```
/// use mentci_expr::{check_condition, parse};
/// let problem = |text: &str| check_condition(&parse(text).expr.unwrap()).pop().map(|problem| problem.message);
/// assert_eq!(problem("1 + 1").unwrap(), "a guard must be true or false, this is a whole number");
/// assert_eq!(problem("turn_index > 1 and parameters.wanted"), None);
/// ```
pub fn check_condition(expr: &Expr) -> Vec<Problem> {
    let schema = Schema::guard();
    let mut checker =
        Checker { schema: &schema, locals: Vec::new(), problems: Vec::new(), types_alone: true };
    let kind = checker.quietly(expr);
    checker.guard(expr, kind);
    checker.problems
}

struct Checker<'c> {
    schema: &'c Schema,
    locals: Vec<String>,
    problems: Vec<Problem>,
    /// What a part gives is asked, and not whether its patterns read: that costs much more, and is told elsewhere.
    types_alone: bool,
}

impl Checker<'_> {
    fn tell(&mut self, code: Code, span: Span, message: String, help: Option<String>) {
        let problem = Problem::new(code, span, message);
        let help = help.or(problem.help);
        self.problems.push(Problem { help, ..problem });
    }

    /// The whole expression must give what its place needs.
    fn result(&mut self, expr: &Expr, kind: Type) {
        let needed = self.schema.result;
        if needed == Type::Bool {
            return self.guard(expr, kind);
        }
        if needed != Type::Any && kind != Type::Any && !fits(kind, needed) {
            self.tell(
                Code::GUARD_TYPE,
                expr.span(),
                format!("this must give {needed} and gives {kind}"),
                Some(format!("write an expression that gives {needed}")),
            );
        }
    }

    /// Each part that can become the guard's value must be true or false.
    fn guard(&mut self, expr: &Expr, kind: Type) {
        match expr.node() {
            Node::And(operands) => {
                if let Some(last) = operands.last() {
                    let kind = self.quietly(last);
                    self.guard(last, kind);
                }
            }
            Node::Or(operands) => {
                for operand in operands {
                    let kind = self.quietly(operand);
                    self.guard(operand, kind);
                }
            }
            Node::If { then, otherwise, .. } => {
                for branch in [then, otherwise] {
                    let kind = self.quietly(branch);
                    self.guard(branch, kind);
                }
            }
            // Two values joined by `+` may be texts, lists or numbers, and never true or false.
            Node::Arithmetic(_, rest) if kind == Type::Any => {
                let operator = rest.last().map_or(ArithmeticOp::Add, |(operator, _)| *operator);
                let message = format!("a guard must be true or false, this is the outcome of `{operator}`");
                let help = guard_help(expr, Type::Number);
                self.tell(Code::GUARD_TYPE, expr.span(), message, help);
            }
            _ if matches!(kind, Type::Bool | Type::Any) => {}
            _ => {
                let help = guard_help(expr, kind);
                self.tell(
                    Code::GUARD_TYPE,
                    expr.span(),
                    format!("a guard must be true or false, this is {kind}"),
                    help,
                );
            }
        }
    }

    /// The type of a part that was checked already.
    fn quietly(&mut self, expr: &Expr) -> Type {
        let mut silent =
            Checker { schema: self.schema, locals: Vec::new(), problems: Vec::new(), types_alone: true };
        match expr.node() {
            // What `guard` looks into by itself needs no type.
            Node::And(_) | Node::Or(_) | Node::If { .. } => Type::Any,
            _ => silent.infer(expr),
        }
    }

    fn infer(&mut self, expr: &Expr) -> Type {
        match expr.node() {
            Node::Null => Type::Null,
            Node::Bool(_) => Type::Bool,
            Node::Int(_) => Type::Int,
            Node::Float(_) => Type::Number,
            Node::Text(_) => Type::Text,
            Node::List(items) => self.each(items, Type::List),
            Node::Map(entries) => {
                for (_, value) in entries {
                    self.infer(value);
                }
                Type::Map
            }
            Node::Name(_) | Node::Field(..) => self.path(expr),
            Node::Index(inner, key) => self.index(inner, key),
            Node::Call(function, arguments) => self.call(*function, arguments, expr.span()),
            Node::Unary(UnaryOp::Not, operand) => {
                self.infer(operand);
                Type::Bool
            }
            Node::Unary(UnaryOp::Minus, operand) => self.minus(operand),
            Node::Arithmetic(first, rest) => self.arithmetic(first, rest),
            Node::Compare(first, rest) => self.compare(first, rest),
            Node::And(operands) | Node::Or(operands) => self.common(operands),
            Node::If { condition, then, otherwise } => {
                self.infer(condition);
                let (then, otherwise) = (self.infer(then), self.infer(otherwise));
                if then == otherwise { then } else { Type::Any }
            }
            Node::For { quantifier, body, variable, list, filter } => {
                self.comprehension(*quantifier, body, variable, list, filter.as_deref())
            }
            Node::Broken(broken) => self.broken(*broken, expr.span()),
        }
    }

    fn each(&mut self, items: &[Expr], kind: Type) -> Type {
        for item in items {
            self.infer(item);
        }
        kind
    }

    /// The type of operands where it is one and the same.
    fn common(&mut self, operands: &[Expr]) -> Type {
        let mut kinds = Vec::with_capacity(operands.len());
        for operand in operands {
            kinds.push(self.infer(operand));
        }
        let first = kinds.first().copied().unwrap_or(Type::Any);
        if kinds.iter().all(|kind| *kind == first) { first } else { Type::Any }
    }

    fn broken(&mut self, broken: Broken, span: Span) -> Type {
        match broken {
            Broken::TooDeep => {
                let message = format!("the expression nests deeper than {MAX_DEPTH} levels");
                self.tell(
                    Code::GUARD_SIZE,
                    span,
                    message,
                    Some("take it apart into several rules".to_owned()),
                );
            }
            Broken::NotFinite => {
                self.tell(
                    Code::GUARD_SYNTAX,
                    span,
                    "a number must be finite".to_owned(),
                    Some("write it in figures, such as `0.5`".to_owned()),
                );
            }
            // A hole that the parser has told; where an expression was built, a name that is none.
            Broken::Unread if span.is_empty() => {
                self.tell(Code::GUARD_NAME, span, "a name must be letters, digits and `_`".to_owned(), None);
            }
            Broken::Unread => {}
        }
        Type::Any
    }

    /// `a.b.c`, from a variable or from any other value.
    fn path(&mut self, expr: &Expr) -> Type {
        if let Some(path) = expr.as_path() {
            return self.variable(expr, &path);
        }
        let Node::Field(inner, field) = expr.node() else { return Type::Any };
        let kind = self.infer(inner);
        if !self.forbidden(field, expr.span()) {
            self.has_fields(kind, field, expr.span());
        }
        Type::Any
    }

    fn variable(&mut self, expr: &Expr, path: &[&str]) -> Type {
        if path.iter().any(|part| self.forbidden(part, expr.span()))
            || self.locals.iter().any(|local| local == path[0])
        {
            return Type::Any;
        }
        match resolve(path) {
            Resolved::Variable { variable, used } => {
                self.fields_of(variable.kind(), &path[used..], expr.span());
                if used == path.len() { variable.kind() } else { Type::Any }
            }
            Resolved::Named { scope, used } => {
                let Some(kind) = self.declared(scope, path[used - 1]) else {
                    self.undeclared(expr.span(), scope, path, used);
                    return Type::Any;
                };
                self.fields_of(kind, &path[used..], expr.span());
                if used == path.len() { kind } else { Type::Any }
            }
            Resolved::NoField { at, fields } => {
                let message = format!("`{}` has no field `{}`", path[..at].join("."), path[at]);
                self.tell(Code::GUARD_NAME, expr.span(), message, one_of(path[at], &fields));
                Type::Any
            }
            Resolved::Group { fields } => {
                let message = format!("`{}` is a group of names and no value", path.join("."));
                let fields =
                    (!fields.is_empty()).then(|| format!("name one of its fields: {}", listed(&fields)));
                self.tell(Code::GUARD_NAME, expr.span(), message, fields);
                Type::Any
            }
        }
    }

    fn fields_of(&mut self, kind: Type, fields: &[&str], span: Span) {
        if let Some(field) = fields.first() {
            self.has_fields(kind, field, span);
        }
    }

    fn has_fields(&mut self, kind: Type, field: &str, span: Span) {
        if !matches!(kind, Type::Any | Type::Map | Type::Null) {
            let message = format!("`{field}` is asked of {kind}, which has no fields");
            let help = format!("compare the value itself, or take `.{field}` off");
            self.tell(Code::GUARD_TYPE, span, message, Some(help));
        }
    }

    fn forbidden(&mut self, name: &str, span: Span) -> bool {
        let forbidden = name.starts_with("__");
        if forbidden {
            self.tell(
                Code::GUARD_NAME,
                span,
                format!("`{name}` is not allowed: names never start with `__`"),
                Some("take another name".to_owned()),
            );
        }
        forbidden
    }

    fn declared(&self, scope: Named, name: &str) -> Option<Type> {
        match scope {
            Named::Variable => self.schema.variables.get(name).copied(),
            Named::Parameter => self.schema.parameters.get(name).copied(),
            Named::Setting => match &self.schema.settings {
                None => Some(Type::Any),
                Some(settings) => settings.get(name).copied(),
            },
            _ => None,
        }
    }

    fn undeclared(&mut self, span: Span, scope: Named, path: &[&str], used: usize) {
        let (name, group) = (path[used - 1], path[..used - 1].join("."));
        let (schema, locals) = (self.schema, self.locals.clone());
        let keys: Vec<&str> = match scope {
            Named::Parameter => schema.parameters.keys().map(String::as_str).collect(),
            Named::Setting => schema.settings.iter().flatten().map(|(key, _)| key.as_str()).collect(),
            _ => {
                let mut keys: Vec<&str> = schema.variables.keys().map(String::as_str).collect();
                roots().for_each(|root| keys.push(root));
                keys.extend(locals.iter().map(String::as_str));
                keys
            }
        };
        if scope != Named::Variable {
            let message = format!("`{group}` has no field `{name}`");
            return self.tell(Code::GUARD_NAME, span, message, one_of(name, &keys));
        }
        let message = format!("there is no variable `{name}`");
        let help = if matches!(name, "nil" | "none" | "undefined" | "NULL") {
            Some("write `null`".to_owned())
        } else if let Some(function) = Function::find(name) {
            Some(format!("it is a function: write `{}(…)`", function.name()))
        } else {
            did_you_mean(name, keys).map(|near| format!("did you mean `{near}`?"))
        };
        self.tell(Code::GUARD_NAME, span, message, help);
    }

    fn index(&mut self, inner: &Expr, key: &Expr) -> Type {
        let (kind, by) = (self.infer(inner), self.infer(key));
        let sound = match kind {
            Type::List => matches!(by, Type::Int | Type::Number | Type::Any),
            Type::Map => matches!(by, Type::Text | Type::Any),
            Type::Any | Type::Null => matches!(by, Type::Int | Type::Number | Type::Text | Type::Any),
            _ => false,
        };
        if !sound {
            let help = "lists are indexed by whole numbers, maps by strings".to_owned();
            self.tell(Code::GUARD_TYPE, key.span(), format!("{kind} has no index that is {by}"), Some(help));
        }
        Type::Any
    }

    fn minus(&mut self, operand: &Expr) -> Type {
        let kind = self.infer(operand);
        if !matches!(kind, Type::Any | Type::Int | Type::Number) {
            self.suspect(operand.span(), format!("a minus before {kind} always faults"));
            return Type::Any;
        }
        // What it is put before is only known later; what comes out is a number.
        if kind == Type::Any { Type::Number } else { kind }
    }

    fn suspect(&mut self, span: Span, message: String) {
        self.tell(Code::GUARD_SUSPECT, span, message, None);
    }

    fn arithmetic(&mut self, first: &Expr, rest: &[(ArithmeticOp, Expr)]) -> Type {
        let mut left = (self.infer(first), first.span());
        for (operator, right) in rest {
            let kind = self.infer(right);
            let span = left.1.join(right.span());
            if *right.node() == Node::Int(0)
                && matches!(operator, ArithmeticOp::Divide | ArithmeticOp::Remainder)
            {
                self.suspect(span, "a division by zero always faults".to_owned());
            }
            left = (self.counted(*operator, left.0, kind, span), span);
        }
        left.0
    }

    /// What one operator gives.
    fn counted(&mut self, operator: ArithmeticOp, left: Type, right: Type, span: Span) -> Type {
        let numeric = |kind| matches!(kind, Type::Int | Type::Number);
        let joins = operator == ArithmeticOp::Add && left == right && matches!(left, Type::Text | Type::List);
        match (left, right) {
            (Type::Any, other) | (other, Type::Any) => outcome(operator, other),
            (Type::Int, Type::Int) if operator != ArithmeticOp::Divide => Type::Int,
            _ if numeric(left) && numeric(right) => Type::Number,
            _ if joins => left,
            _ => {
                self.suspect(span, format!("`{operator}` between {left} and {right} always faults"));
                Type::Any
            }
        }
    }

    fn compare(&mut self, first: &Expr, rest: &[(Comparison, Expr)]) -> Type {
        let mut left = (self.infer(first), first.span());
        for (comparison, right) in rest {
            let kind = self.infer(right);
            let span = left.1.join(right.span());
            self.comparison(left.0, *comparison, kind, span);
            if matches!(comparison, Comparison::Is | Comparison::IsNot)
                && !matches!(right.node(), Node::Null | Node::Bool(_))
            {
                let help = if *comparison == Comparison::Is { "write `==`" } else { "write `!=`" };
                let message = format!("`{comparison}` compares with `null`, `true` and `false` only");
                self.tell(Code::GUARD_TYPE, right.span(), message, Some(help.to_owned()));
            }
            left = (kind, right.span());
        }
        Type::Bool
    }

    fn comparison(&mut self, left: Type, comparison: Comparison, right: Type, span: Span) {
        let numeric = |kind| matches!(kind, Type::Int | Type::Number);
        if left == Type::Any || right == Type::Any {
            return;
        }
        let same = left == right || (numeric(left) && numeric(right));
        match comparison {
            // A variable may always be null, so that a comparison with null says something.
            Comparison::Equal | Comparison::NotEqual
                if !same && left != Type::Null && right != Type::Null =>
            {
                let always = if comparison == Comparison::Equal { "false" } else { "true" };
                self.suspect(span, format!("`{comparison}` between {left} and {right} is always {always}"));
            }
            Comparison::Less | Comparison::LessOrEqual | Comparison::Greater | Comparison::GreaterOrEqual
                if !same || !(numeric(left) || left == Type::Text) =>
            {
                self.suspect(span, format!("`{comparison}` between {left} and {right} always faults"));
            }
            Comparison::In | Comparison::NotIn => {
                let sound = match right {
                    Type::List | Type::Map => true,
                    Type::Text => left == Type::Text,
                    _ => false,
                };
                if !sound {
                    self.suspect(span, format!("`{comparison}` between {left} and {right} always faults"));
                }
            }
            _ => {}
        }
    }

    fn comprehension(
        &mut self,
        quantifier: Quantifier,
        body: &Expr,
        variable: &str,
        list: &Expr,
        filter: Option<&Expr>,
    ) -> Type {
        let kind = self.infer(list);
        if !matches!(kind, Type::Any | Type::List | Type::Map) {
            let help = "walk a list, as in `any(call.name == \"exec\" for call in history.tools)`".to_owned();
            self.tell(
                Code::GUARD_TYPE,
                list.span(),
                format!("a list is walked, and this is {kind}"),
                Some(help),
            );
        }
        self.forbidden(variable, body.span());
        self.locals.push(variable.to_owned());
        if let Some(filter) = filter {
            self.infer(filter);
        }
        self.infer(body);
        self.locals.pop();
        if quantifier == Quantifier::Each { Type::List } else { Type::Bool }
    }

    fn call(&mut self, function: Function, arguments: &[Expr], span: Span) -> Type {
        let (least, most) = function.arity();
        if !(least..=most).contains(&arguments.len()) {
            let message =
                format!("`{}` takes {}, not {}", function.name(), count(least, most), arguments.len());
            self.tell(Code::GUARD_CALL, span, message, Some(function.summary().to_owned()));
        }
        let mut kinds = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            let kind = self.infer(argument);
            kinds.push(kind);
            if let Some(parameter) = function.parameter(at) {
                self.argument(function, parameter, argument, kind);
            }
        }
        match function {
            Function::Min | Function::Max
                if kinds.len() > 1 && kinds.iter().all(|kind| *kind == kinds[0]) =>
            {
                kinds[0]
            }
            Function::Abs if kinds.first() == Some(&Type::Int) => Type::Int,
            Function::Round if kinds.len() == 1 => Type::Int,
            _ => function.returns(),
        }
    }

    fn argument(&mut self, function: Function, parameter: Parameter, argument: &Expr, kind: Type) {
        let name = function.name();
        let needed = match parameter {
            Parameter::Any => Type::Any,
            Parameter::Int => Type::Int,
            Parameter::Number => Type::Number,
            Parameter::List => Type::List,
            _ => Type::Text,
        };
        let walks_map = parameter == Parameter::List && kind == Type::Map;
        let broken = parameter == Parameter::Int && matches!(argument.node(), Node::Float(_));
        if broken || (needed != Type::Any && kind != Type::Any && !fits(kind, needed) && !walks_map) {
            let message = format!("`{name}` takes {needed} here, not {kind}");
            return self.tell(
                Code::GUARD_CALL,
                argument.span(),
                message,
                Some(function.summary().to_owned()),
            );
        }
        let literal = argument.as_text();
        if literal.is_none() && is_pattern(parameter) {
            let message = format!("this argument of `{name}` must be a literal string");
            let help = "it is read when the rule is loaded, so that it can never fail later".to_owned();
            return self.tell(Code::GUARD_CALL, argument.span(), message, Some(help));
        }
        let Some(literal) = literal else { return };
        if parameter == Parameter::Scope && !SCOPES.contains(&literal) {
            let message = format!("there is no scope `{literal}`");
            return self.tell(Code::GUARD_NAME, argument.span(), message, one_of(literal, SCOPES));
        }
        if self.types_alone {
            return;
        }
        if let Some(reason) = pattern_problem(parameter, literal) {
            self.tell(Code::GUARD_PATTERN, argument.span(), reason, pattern_help(parameter, literal));
        }
    }
}

/// What arithmetic gives where only one side is known: `+` joins texts and lists, all else gives numbers.
fn outcome(operator: ArithmeticOp, known: Type) -> Type {
    match known {
        _ if operator != ArithmeticOp::Add => Type::Number,
        Type::Int | Type::Number => Type::Number,
        Type::Text | Type::List => known,
        _ => Type::Any,
    }
}

/// Whether a value of a type can stand where another is needed.
fn fits(kind: Type, needed: Type) -> bool {
    kind == needed || matches!((kind, needed), (Type::Int, Type::Number) | (Type::Number, Type::Int))
}

/// Whether the argument is read at load, and so must be a literal.
fn is_pattern(parameter: Parameter) -> bool {
    use Parameter as P;
    matches!(parameter, P::Regex | P::Glob | P::JsonPath | P::TimeRange | P::Days | P::Zone)
}

fn pattern_problem(parameter: Parameter, literal: &str) -> Option<String> {
    match parameter {
        Parameter::Regex => regex_problem(literal),
        Parameter::Glob => glob_problem(literal),
        Parameter::Path => ArgPath::parse(literal).err(),
        Parameter::JsonPath => JsonQuery::parse(literal).err(),
        Parameter::TimeRange => TimeRange::parse(literal).err(),
        Parameter::Days => Days::parse(literal).err(),
        Parameter::Zone if literal.trim() != literal || literal.is_empty() => {
            Some(format!("`{literal}` is not a time zone"))
        }
        _ => None,
    }
}

/// How a literal is rightly written.
fn pattern_help(parameter: Parameter, literal: &str) -> Option<String> {
    let help = match parameter {
        Parameter::Regex => regex_help(literal),
        Parameter::Glob => GLOB_HELP,
        Parameter::Path if literal.starts_with('$') => "call `jsonpath(…)` instead",
        Parameter::Path => "write the keys with dots between them: `\"edits[0].path\"`",
        Parameter::JsonPath => "write it as in `\"$.edits[*].path\"`",
        Parameter::TimeRange | Parameter::Days if literal.trim_start().starts_with('!') => {
            "take the `!` off, and write `not` before the call"
        }
        Parameter::TimeRange => "write two times of 24 hours: `\"09:00-18:00\"`",
        Parameter::Days => "write days, or a range of them: `\"Mon-Fri\"`",
        Parameter::Zone => "write a zone by its name: `\"Europe/Berlin\"`",
        _ => return None,
    };
    Some(help.to_owned())
}

fn guard_help(expr: &Expr, kind: Type) -> Option<String> {
    match kind {
        Type::Int | Type::Number => Some(format!("compare it: `{expr} > 0`")),
        Type::Text => Some(format!("compare it: `{expr} != \"\"`")),
        Type::List | Type::Map => Some(format!("ask for its size: `len({expr}) > 0`")),
        _ => None,
    }
}

/// The near one, or all where they are few.
fn one_of(word: &str, names: &[&str]) -> Option<String> {
    match did_you_mean(word, names.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if (1..=12).contains(&names.len()) => Some(format!("there are {}", listed(names))),
        None => None,
    }
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn count(least: usize, most: usize) -> String {
    match (least, most) {
        (0, 0) => "no arguments".to_owned(),
        (1, 1) => "1 argument".to_owned(),
        (least, usize::MAX) => format!("{least} or more arguments"),
        (least, most) if least == most => format!("{least} arguments"),
        (least, most) => format!("{least} to {most} arguments"),
    }
}

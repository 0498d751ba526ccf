//! A form for one value that a person may set.

use mentci_page::Html;
use serde_json::Value;

use super::Wrong;
use crate::frame::{button, form, hidden};
use crate::words::pretty;
use crate::{Visit, link, notice};

/// What a value may be.
pub(crate) enum Kind<'k> {
    Bool,
    Number {
        whole: bool,
        min: Option<f64>,
        max: Option<f64>,
    },
    Text,
    Choice(&'k [String]),
    /// A list, a map, or anything: as JSON.
    Json,
}

/// One value: what it is called, what holds, and who says so.
pub(crate) struct Field<'f> {
    pub(crate) name: &'f str,
    pub(crate) title: &'f str,
    pub(crate) about: Option<&'f str>,
    pub(crate) kind: Kind<'f>,
    pub(crate) value: &'f Value,
    /// What its author says, where a person set another.
    pub(crate) stated: &'f Value,
    pub(crate) is_set: bool,
}

/// Whose value it is: where its form goes, and the name by which it says whose it is.
#[derive(Clone, Copy)]
pub(crate) struct Owner<'o> {
    pub(crate) action: &'static str,
    pub(crate) key: &'static str,
    pub(crate) name: &'o str,
}

/// The form. What was refused stays in its field, with the reason beside it.
pub(crate) fn write(
    field: &Field<'_>,
    owner: Owner<'_>,
    wrong: Option<&Wrong<'_>>,
    visit: &Visit,
    html: &mut Html,
) {
    let id = link::anchor("value", field.name);
    let wrong = wrong.filter(|wrong| wrong.name == field.name);
    form(&link::to(owner.action, owner.key, owner.name), "setting", html, |html| {
        hidden(owner.key, owner.name, html);
        hidden("name", field.name, html);
        html.element("div", &[("class", "what")], |html| {
            html.leaf("label", &[("for", &id)], field.title);
            if field.title != field.name {
                html.own(" ");
                html.leaf("code", &[], field.name);
            }
            if let Some(about) = field.about {
                html.element("p", &[("id", &format!("{id}-about"))], |html| html.text(about));
            }
            html.element("p", &[("class", "soft")], |html| told(field, html));
        });
        html.element("div", &[("class", "controls")], |html| {
            control(field, &id, wrong, visit, html);
            if visit.viewer.may_act {
                button("", "Set", html);
                if field.is_set {
                    html.own("<button type=\"submit\" class=\"quiet\" name=\"reset\" value=\"1\" formnovalidate>Take back</button>");
                }
            }
        });
        if let Some(wrong) = wrong {
            html.element("div", &[("class", "wrong"), ("id", &format!("{id}-wrong"))], |html| {
                notice::findings(wrong.why, html);
            });
        }
    });
}

fn told(field: &Field<'_>, html: &mut Html) {
    let stated = pretty(field.stated);
    let bounds = match field.kind {
        Kind::Number { min: Some(min), max: Some(max), .. } => format!(" From {min} to {max}."),
        Kind::Number { min: Some(min), .. } => format!(" At least {min}."),
        Kind::Number { max: Some(max), .. } => format!(" At most {max}."),
        _ => String::new(),
    };
    html.own(if field.is_set { "Set by you. Its author says " } else { "As its author says: " });
    html.leaf("code", &[], &stated);
    html.text(&format!(".{bounds}"));
}

fn control(field: &Field<'_>, id: &str, wrong: Option<&Wrong<'_>>, visit: &Visit, html: &mut Html) {
    let (about, why) = (format!("{id}-about"), format!("{id}-wrong"));
    let shown = wrong.map_or_else(|| pretty(field.value), |wrong| wrong.value.to_owned());
    let mut said: Vec<(&'static str, &str)> = vec![("id", id), ("name", "value")];
    if wrong.is_some() {
        said.extend([("aria-invalid", "true"), ("aria-describedby", why.as_str())]);
    } else if field.about.is_some() {
        said.push(("aria-describedby", &about));
    }
    if !visit.viewer.may_act {
        said.push(("disabled", ""));
    }
    let own = ["true".to_owned(), "false".to_owned()];
    match &field.kind {
        Kind::Bool => choices(&own, &shown, &said, html),
        Kind::Choice(options) => choices(options, &shown, &said, html),
        Kind::Number { whole, min, max } => number(*whole, (*min, *max), &shown, &said, html),
        Kind::Text => {
            said.extend([("type", "text"), ("value", shown.as_str())]);
            html.open("input", &said);
        }
        Kind::Json => {
            said.extend([("rows", "3"), ("spellcheck", "false")]);
            html.leaf("textarea", &said, &shown);
        }
    }
}

fn choices(options: &[String], shown: &str, said: &[(&'static str, &str)], html: &mut Html) {
    html.element("select", said, |html| {
        for option in options {
            let mut own = vec![("value", option.as_str())];
            if option == shown {
                own.push(("selected", ""));
            }
            html.leaf("option", &own, option);
        }
    });
}

/// A browser that refuses a number says so; what it lets through is checked again where it is kept.
fn number(
    whole: bool,
    (min, max): (Option<f64>, Option<f64>),
    shown: &str,
    said: &[(&'static str, &str)],
    html: &mut Html,
) {
    let (min, max) = (min.map(|min| min.to_string()), max.map(|max| max.to_string()));
    let mut said = said.to_vec();
    said.extend([("type", "number"), ("step", if whole { "1" } else { "any" }), ("value", shown)]);
    said.extend(min.as_deref().map(|min| ("min", min)));
    said.extend(max.as_deref().map(|max| ("max", max)));
    html.open("input", &said);
}

/// What a parameter may be, by what its author says.
pub(crate) fn kind_of(stated: &Value) -> Kind<'static> {
    match stated {
        Value::Bool(_) => Kind::Bool,
        Value::Number(_) => Kind::Number { whole: false, min: None, max: None },
        Value::String(_) => Kind::Text,
        Value::Null | Value::Array(_) | Value::Object(_) => Kind::Json,
    }
}

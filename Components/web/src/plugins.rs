//! Plugins: which are in force and why others are not, and what a person may set about one.

use mentci_authority::{PluginSetting, SettingKind};
use mentci_host::policy::{PluginRequest, PluginRow, PluginShown, PluginState, PolicyRequest};
use mentci_host::{Ask, Request};
use mentci_page::Html;
use mentci_source::Finding;

use crate::answer::Done;
use crate::ask::{Trouble, asked};
use crate::frame::{Frame, Place, empty, form, heading, hidden};
use crate::rules::{Field, Kind, Owner, Wrong, write_field};
use crate::words::{count, mark, sentence, trust};
use crate::{Fields, Visit, link, notice};

/// `/plugins`
pub(crate) fn list(ask: &dyn Ask, visit: &Visit) -> Done {
    let request = Request::Policy(PolicyRequest::Plugins(PluginRequest::List));
    let (answer, findings) = asked!(ask, request, Plugins)?;
    Frame::new(ask, visit, Place::Plugins, "Plugins")
        .done(|html| all(&answer.plugins, &findings, visit, html))
}

/// `/plugin?id=…`
pub(crate) fn page(ask: &dyn Ask, visit: &Visit) -> Done {
    shown(ask, visit, visit.query.text("id"), 200, None)
}

/// The page of a plugin of which a setting was set to what it cannot be.
pub(crate) fn wrong_value(ask: &dyn Ask, visit: &Visit, id: &str, form: &Fields, trouble: &Trouble) -> Done {
    let wrong = Wrong { name: form.text("name"), value: form.text("value"), why: &trouble.0 };
    shown(ask, visit, id, 422, Some(&wrong))
}

fn shown(ask: &dyn Ask, visit: &Visit, id: &str, status: u16, wrong: Option<&Wrong<'_>>) -> Done {
    let request = PluginRequest::Show { id: id.to_owned() };
    let (plugin, findings) = asked!(ask, Request::Policy(PolicyRequest::Plugins(request)), Plugin)?;
    let title = plugin.name.clone().unwrap_or_else(|| plugin.row.id.clone());
    let frame = Frame::new(ask, visit, Place::Plugins, title.clone());
    Ok(frame.page(status, |html| one(&plugin, &title, &findings, wrong, visit, html)))
}

fn all(plugins: &[PluginRow], findings: &[Finding], visit: &Visit, html: &mut Html) {
    heading("Plugins", "Rules, scripts and settings that come together in one folder.", html);
    notice::findings(findings, html);
    if plugins.is_empty() {
        let help = "A plugin is a folder in `.pi/plugins` with a `plugin.toml`. `policy-engine plugins new NAME` writes one to begin with.";
        return empty("There is no plugin yet", help, html);
    }
    html.element(
        "ul",
        &[("class", "rows"), ("role", "list"), ("id", "plugins"), ("data-live", "")],
        |html| {
            for row in plugins {
                html.element("li", &[("class", "row"), ("id", &link::anchor("plugin", &row.id))], |html| {
                    html.element("div", &[("class", "what")], |html| {
                        html.element("h2", &[], |html| {
                            html.leaf("a", &[("href", &link::plugin(&row.id))], &row.id);
                        });
                        facts(row, html);
                    });
                    html.element("div", &[("class", "controls")], |html| switch(row, "list", visit, html));
                });
            }
        },
    );
}

fn facts(row: &PluginRow, html: &mut Html) {
    if let Some(why) = &row.why {
        html.element("p", &[], |html| sentence(why, html));
    }
    html.element("p", &[("class", "facts")], |html| {
        mark(if row.state.is_in_force() { "allow" } else { "off" }, state(row.state), html);
        if let Some(version) = &row.version {
            html.leaf("span", &[("class", "soft")], &format!("version {version}"));
            html.own(" ");
        }
        html.leaf("span", &[("class", "soft")], &count(row.rules, "rule"));
        html.own(" ");
        html.leaf("span", &[("class", "place")], &row.at);
        html.own(" ");
    });
}

fn state(state: PluginState) -> &'static str {
    match state {
        PluginState::On => "in force",
        PluginState::LastGood => "in force as it last read",
        PluginState::Off => "switched off",
        PluginState::Broken => "its manifest does not read",
        PluginState::Lacking => "lacks what it needs",
        PluginState::Untrusted => "not trusted: only its gates hold",
        PluginState::Twice => "its id is taken",
    }
}

/// Only what a switch can change has one.
fn switch(row: &PluginRow, from: &'static str, visit: &Visit, html: &mut Html) {
    let on = row.state.is_in_force();
    let is_switchable = visit.viewer.may_act && (on || row.state == PluginState::Off);
    let (id, label) = (link::anchor("switch", &row.id), format!("the plugin {} in force", row.id));
    let mut said = vec![
        ("type", "submit"),
        ("role", "switch"),
        ("class", "switch"),
        ("id", id.as_str()),
        ("aria-checked", if on { "true" } else { "false" }),
        ("aria-label", label.as_str()),
    ];
    if !is_switchable {
        said.push(("disabled", ""));
    }
    form("/plugin/switch", "switching", html, |html| {
        hidden("id", &row.id, html);
        hidden("from", from, html);
        hidden("enabled", if on { "false" } else { "true" }, html);
        html.element("button", &said, |html| {
            html.own("<span class=\"knob\" aria-hidden=\"true\"></span>");
            html.leaf("span", &[("class", "state")], if on { "On" } else { "Off" });
        });
    });
}

fn one(
    plugin: &PluginShown,
    title: &str,
    findings: &[Finding],
    wrong: Option<&Wrong<'_>>,
    visit: &Visit,
    html: &mut Html,
) {
    html.own("<p class=\"crumbs\"><a href=\"/plugins\">Plugins</a></p>");
    html.element("div", &[("class", "heading switched")], |html| {
        html.element("div", &[], |html| {
            html.leaf("h1", &[], title);
            facts(&plugin.row, html);
        });
        html.element("div", &[("class", "controls")], |html| switch(&plugin.row, "plugin", visit, html));
    });
    if let Some(description) = &plugin.description {
        html.leaf("p", &[("class", "lead")], description);
    }
    notice::findings(findings, html);
    about(plugin, html);
    settings(plugin, wrong, visit, html);
    provided(plugin, html);
}

fn about(plugin: &PluginShown, html: &mut Html) {
    html.element("dl", &[("class", "facts-list")], |html| {
        html.element("div", &[], |html| {
            html.leaf("dt", &[], "Vouched for by");
            html.leaf("dd", &[], trust(plugin.row.trust));
        });
        if !plugin.requires.is_empty() {
            html.element("div", &[], |html| {
                html.leaf("dt", &[], "Needs");
                html.element("dd", &[], |html| {
                    for needed in &plugin.requires {
                        html.leaf("code", &[], &needed.name);
                        html.own(if needed.is_there { " is there. " } else { " is not there. " });
                    }
                });
            });
        }
    });
}

fn settings(plugin: &PluginShown, wrong: Option<&Wrong<'_>>, visit: &Visit, html: &mut Html) {
    html.own("<section aria-labelledby=\"settings\"><h2 id=\"settings\">Settings</h2>");
    if plugin.settings.is_empty() {
        html.own("<p class=\"soft\">Its manifest names none.</p>");
    }
    let owner = Owner { action: "/plugin/setting", key: "id", name: &plugin.row.id };
    for row in &plugin.settings {
        let setting = &row.setting;
        let field = Field {
            name: &setting.key,
            title: setting.name.as_deref().unwrap_or(&setting.key),
            about: setting.description.as_deref(),
            kind: kind(setting),
            value: &row.value,
            stated: &setting.default,
            is_set: row.is_set,
        };
        write_field(&field, owner, wrong, visit, html);
    }
    html.own("</section>");
}

fn kind(setting: &PluginSetting) -> Kind<'_> {
    let number = |whole| Kind::Number { whole, min: setting.min, max: setting.max };
    match setting.kind {
        SettingKind::Bool => Kind::Bool,
        SettingKind::Int => number(true),
        SettingKind::Float => number(false),
        SettingKind::String => Kind::Text,
        SettingKind::Enum => Kind::Choice(&setting.options),
    }
}

fn provided(plugin: &PluginShown, html: &mut Html) {
    html.own("<section aria-labelledby=\"provides\"><h2 id=\"provides\">Its rules</h2>");
    if plugin.rules.is_empty() {
        html.own("<p class=\"soft\">None is in force.</p>");
    }
    html.element("ul", &[("class", "plain")], |html| {
        for rule in &plugin.rules {
            html.element("li", &[], |html| {
                html.leaf("a", &[("href", &link::rule(&rule.rule))], &rule.rule);
                html.leaf("span", &[("class", "soft")], &format!(" · {}", crate::words::hook(rule.hook)));
            });
        }
    });
    html.own("</section>");
}

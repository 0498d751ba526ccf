//! The verbs of plugins, and what they answer.

use mentci_authority::{PluginSetting, Trust};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::RuleRow;

/// What a door asks about plugins. Those that change something are a person's, and never offered to an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "plugin", rename_all = "snake_case", deny_unknown_fields)]
pub enum PluginRequest {
    /// The plugins that are there. -> [`PluginsAnswer`]
    List,
    /// One of them in full. -> [`PluginShown`]
    Show {
        /// Its id.
        id: String,
    },
    /// Switches one on or off for this user. -> [`TextAnswer`](super::TextAnswer)
    Switch {
        /// Its id.
        id: String,
        /// On.
        enabled: bool,
    },
    /// Sets a setting for this user. -> [`TextAnswer`](super::TextAnswer)
    Set {
        /// Its id.
        id: String,
        /// The setting.
        name: String,
        /// The value, or a text that says it; absent takes back what was set.
        #[serde(default)]
        value: Option<Value>,
    },
    /// Copies a plugin's folder into its place, once it was read whole. -> [`TextAnswer`](super::TextAnswer)
    Install {
        /// The folder.
        path: String,
        /// For every workspace of this user instead of this one.
        #[serde(default)]
        user: bool,
    },
    /// Writes a plugin to begin with. -> [`TextAnswer`](super::TextAnswer)
    New {
        /// Its id.
        id: String,
        /// For every workspace of this user instead of this one.
        #[serde(default)]
        user: bool,
    },
}

/// Plugins at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PluginsAnswer {
    /// The user's first, then the workspace's, each by id.
    pub plugins: Vec<PluginRow>,
}

/// One plugin at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PluginRow {
    /// Its id.
    pub id: String,
    /// Its version; none where its manifest never read.
    pub version: Option<String>,
    /// Whether its rules are in force.
    pub state: PluginState,
    /// Why not, or what is odd.
    pub why: Option<String>,
    /// How many rules it has; 0 where they were not read.
    pub rules: usize,
    /// Who vouches for it.
    pub trust: Trust,
    /// Its folder.
    pub at: String,
}

/// Whether a plugin's rules are in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PluginState {
    /// They are.
    On,
    /// They are, as its manifest was when it last read, or was trusted last.
    LastGood,
    /// A person switched it off.
    Off,
    /// Its manifest does not read.
    Broken,
    /// A capability that it needs is not there.
    Lacking,
    /// Nobody vouches for it: only its gates hold.
    Untrusted,
    /// Another plugin has its id.
    Twice,
}

impl PluginState {
    /// `last_good`.
    pub fn name(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::LastGood => "last_good",
            Self::Off => "off",
            Self::Broken => "broken",
            Self::Lacking => "lacking",
            Self::Untrusted => "untrusted",
            Self::Twice => "twice",
        }
    }

    /// Whether its rules are in force.
    pub fn is_in_force(self) -> bool {
        matches!(self, Self::On | Self::LastGood)
    }
}

/// One plugin in full.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PluginShown {
    /// At a glance.
    #[serde(flatten)]
    pub row: PluginRow,
    /// Its name for people.
    pub name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What it needs.
    pub requires: Vec<CapabilityRow>,
    /// What a person may set.
    pub settings: Vec<SettingRow>,
    /// Its rules, where they are in force.
    #[serde(rename = "provides")]
    pub rules: Vec<RuleRow>,
}

/// Something that a plugin needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CapabilityRow {
    /// `luau`.
    pub name: String,
    /// Whether it is there.
    pub is_there: bool,
}

/// A setting, and what it is set to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingRow {
    /// What it is.
    #[serde(flatten)]
    pub setting: PluginSetting,
    /// What holds.
    pub value: Value,
    /// Whether a person set it.
    pub is_set: bool,
}

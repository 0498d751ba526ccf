//! The configuration in layers: built-in < user < workspace < environment < flags, and a managed layer that caps all.
//!
//! Each layer is read alone ([`Layer::from_toml`], [`Layer::from_pairs`]) into settings with their places, then
//! [`Config::resolve`] puts them over each other. Every value knows its layer.

mod effective;
mod key;
mod layer;
mod pairs;
mod resolve;
mod setting;
mod toml_layer;

pub use effective::{Config, Effective};
pub use key::{KEYS, Key, Kind, Stricter};
pub use layer::{Layer, LayerName, Place};
pub use setting::Setting;

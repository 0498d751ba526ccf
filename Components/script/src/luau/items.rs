//! Items that facts share: converted once, for as long as somebody holds them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use mlua::{Lua, Value as Luau};
use serde_json::Value;

use super::json;

/// How many items are kept converted.
const MAX_KEPT: usize = 256;

/// What was converted, by the address of the item. A weak reference keeps the address from being another item's.
#[derive(Clone, Default)]
pub(super) struct Items(Arc<Mutex<Kept>>);

type Kept = BTreeMap<usize, (Weak<Value>, Luau)>;

impl Items {
    /// A list of items as a read-only table.
    pub(super) fn to_luau(&self, lua: &Lua, list: &[Arc<Value>]) -> mlua::Result<Luau> {
        let converted = list.iter().map(|item| self.item(lua, item)).collect::<mlua::Result<Vec<_>>>()?;
        Ok(json::read_only(lua.create_sequence_from(converted)?))
    }

    fn item(&self, lua: &Lua, item: &Arc<Value>) -> mlua::Result<Luau> {
        let address = Arc::as_ptr(item).addr();
        if let Some((_, converted)) = self.kept().get(&address) {
            return Ok(converted.clone());
        }
        let converted = json::to_luau(lua, item)?;
        self.kept().insert(address, (Arc::downgrade(item), converted.clone()));
        Ok(converted)
    }

    /// Forgets what nobody holds any more, and all where there is too much.
    pub(super) fn prune(&self) {
        let mut kept = self.kept();
        if kept.len() > MAX_KEPT {
            kept.clear();
        }
        kept.retain(|_, (item, _)| item.strong_count() > 0);
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // OK because an item that was not kept is converted again.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! How many schemas a schema's references unfold to.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Problem, places};

/// The most schemas that references may unfold to. Building a schema follows each reference wherever it stands, but for
/// those that lead back to where they come from; a few levels that each refer twice to the next would never be built.
const MOST: usize = 20_000;

/// Whether a schema unfolds to few enough schemas.
pub(super) fn check(schema: &Value) -> Result<(), Problem> {
    let mut walk = Walk { root: schema, anchors: BTreeMap::new(), left: MOST };
    walk.gather(schema)?;
    if walk.visit(schema, &mut Vec::new()) {
        return Ok(());
    }
    Err(problem(format!("its references unfold to more than {MOST} schemas")))
}

fn problem(why: String) -> Problem {
    Problem { place: String::new(), why }
}

struct Walk<'a> {
    root: &'a Value,
    anchors: BTreeMap<&'a str, &'a Value>,
    left: usize,
}

impl<'a> Walk<'a> {
    /// Finds the anchors. A document inside of the document has references of its own, which are not followed here.
    fn gather(&mut self, schema: &'a Value) -> Result<(), Problem> {
        let mut waiting = vec![schema];
        while let Some(schema) = waiting.pop() {
            let Some(map) = schema.as_object() else { continue };
            if !std::ptr::eq(schema, self.root) && map.get("$id").is_some_and(Value::is_string) {
                return Err(problem("it holds another document, which has an `$id` of its own".to_owned()));
            }
            let names = ["$anchor", "$dynamicAnchor"].into_iter();
            let names = names.filter_map(|key| map.get(key)?.as_str());
            self.anchors.extend(names.map(|name| (name, schema)));
            waiting.extend(places::inside(map).map(|(_, inner)| inner));
        }
        Ok(())
    }

    /// Visits a schema and what it unfolds to; false when there are too many. Recursion is bounded by the depth of the
    /// schema and by the references on the way, each of which is followed once.
    fn visit(&mut self, schema: &'a Value, way: &mut Vec<*const Value>) -> bool {
        if self.left == 0 || way.len() > 256 {
            return false;
        }
        self.left -= 1;
        let Some(map) = schema.as_object() else { return true };
        let inner = places::inside(map).filter(|(key, _)| !places::is_definitions(key));
        let mut inner: Vec<&'a Value> = inner.map(|(_, schema)| schema).collect();
        let references = ["$ref", "$dynamicRef", "$recursiveRef"].into_iter();
        inner.extend(references.filter_map(|key| self.target(map.get(key)?.as_str()?)));
        way.push(std::ptr::from_ref(schema));
        let fits =
            inner.into_iter().all(|next| way.contains(&std::ptr::from_ref(next)) || self.visit(next, way));
        way.pop();
        fits
    }

    /// What a reference means inside of this document: a place, an anchor, or all of it.
    fn target(&self, reference: &str) -> Option<&'a Value> {
        match reference.split_once('#').map_or("", |(_, fragment)| fragment) {
            "" => Some(self.root),
            pointer if pointer.starts_with('/') => self.root.pointer(&decoded(pointer)),
            anchor => self.anchors.get(anchor).copied(),
        }
    }
}

/// A pointer in a reference, whose signs may be written as `%7E`.
fn decoded(pointer: &str) -> String {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let Some((&byte, more)) = rest.split_first() {
        let code = more.get(..2).filter(|_| byte == b'%').and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &more[2..] } else { more };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

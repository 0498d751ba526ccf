//! Puts the layers over each other.

use std::collections::BTreeMap;

use mentci_source::{Code, Finding, Reading};

use super::{Config, Effective, KEYS, Key, Layer, LayerName, Setting, Stricter};

impl Config {
    /// The effective configuration. `layers` come in any order; a missing one says nothing.
    ///
    /// A workspace that is not trusted may only tighten guarded keys, and a managed value caps what stands below it;
    /// what is not followed is a finding. The layers' own findings come first.
    pub fn resolve(mut layers: Vec<(LayerName, Layer)>, trusted: bool) -> Reading<Self> {
        layers.sort_by_key(|(name, _)| *name);
        let mut findings: Vec<Finding> = Vec::new();
        let mut values = BTreeMap::new();
        for key in KEYS {
            let mut value = Effective { setting: key.default(), layer: LayerName::BuiltIn, place: None };
            for (name, layer) in &layers {
                value = over(key, value, *name, layer, trusted, &mut findings);
            }
            values.insert(key.name, value);
        }
        let mut own: Vec<Finding> = layers.into_iter().flat_map(|(_, layer)| layer.findings).collect();
        own.append(&mut findings);
        Reading { value: Self::new(values), findings: own }
    }
}

/// One layer over what stands below it.
fn over(
    key: &'static Key,
    below: Effective,
    name: LayerName,
    layer: &Layer,
    trusted: bool,
    findings: &mut Vec<Finding>,
) -> Effective {
    let Some((setting, place)) = layer.settings.get(key.name) else { return below };
    let looser = setting.is_looser(&below.setting, &key.kind, key.stricter);
    if name == LayerName::Workspace && key.guarded && looser && !trusted {
        findings.push(place.mark(untrusted(key)));
        return below;
    }
    if name == LayerName::Managed {
        if key.stricter != Stricter::Neither && (looser || *setting == below.setting) {
            return below; // stricter than the cap already
        }
        if below.layer != LayerName::BuiltIn {
            findings.push(capped(key, &below));
        }
    }
    let setting = joined(name, setting, &below.setting);
    Effective { setting, layer: name, place: Some(place.clone()) }
}

/// Lists of patterns and of texts add up; everything else replaces. A managed list stands alone.
fn joined(name: LayerName, setting: &Setting, below: &Setting) -> Setting {
    match (setting, below) {
        (Setting::Globs(own), Setting::Globs(below)) if name != LayerName::Managed => {
            let more = own.iter().filter(|glob| !below.contains(glob));
            Setting::Globs(below.iter().chain(more).cloned().collect())
        }
        (Setting::Texts(own), Setting::Texts(below)) if name != LayerName::Managed => {
            let more = own.iter().filter(|text| !below.contains(text));
            Setting::Texts(below.iter().chain(more).cloned().collect())
        }
        _ => setting.clone(),
    }
}

fn untrusted(key: &Key) -> Finding {
    let does = if key.name.starts_with("model.") {
        "says what is sent to whom, or what may be spent"
    } else {
        "would loosen policy"
    };
    let message = format!("`{}` {does}, and this workspace is not trusted", key.name);
    Finding::new(Code::CONFIG_UNTRUSTED, message)
        .help("it is ignored; read `mentci.toml`, then run `policy-engine trust`")
}

fn capped(key: &Key, below: &Effective) -> Finding {
    let finding =
        Finding::new(Code::CONFIG_CAPPED, format!("`{}` is capped by the managed configuration", key.name))
            .help("ask the administrator of this machine");
    match &below.place {
        Some(place) => finding.in_file(&place.origin()),
        None => finding,
    }
}

//! The name of a package in a manifest. It parses the subset of TOML that this needs.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// The name of the package in the code of the crate that is being compiled. It is `None` if the manifest cannot be
/// read or does not depend on the package.
pub(crate) fn name_of(package: &str) -> Option<String> {
    /// The names by manifest, with the time of its last change. An editor runs the macros in one process for a long
    /// time.
    static NAMES: Mutex<Option<Names>> = Mutex::new(None);
    type Names = HashMap<PathBuf, (SystemTime, Option<String>)>;

    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
    let path = folder.join("Cargo.toml");
    let changed = fs::metadata(&path).and_then(|data| data.modified()).ok()?;
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    match names.get(&path) {
        Some((known, name)) if *known == changed => name.clone(),
        _ => {
            let name = name_in(&entries(&fs::read_to_string(&path).ok()?), package, || {
                root_of(&folder)
            });
            names.insert(path, (changed, name.clone()));
            name
        }
    }
}

/// The entries of the workspace manifest for a folder.
fn root_of(folder: &Path) -> Vec<Entry> {
    let manifests = folder.ancestors().filter_map(|folder| {
        let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        Some(entries(&text))
    });
    let is_root = |entries: &Vec<Entry>| entries.iter().any(|entry| entry.is_below(&["workspace"]));
    manifests.into_iter().find(is_root).unwrap_or_default()
}

/// The name of a package in a manifest. `root` returns the entries of the workspace manifest.
fn name_in(entries: &[Entry], package: &str, root: impl FnOnce() -> Vec<Entry>) -> Option<String> {
    let dependencies = || entries.iter().filter_map(Entry::dependency);
    let renames = |name: &str, entries: &[Entry], table: &[&str]| {
        entries.iter().any(|entry| {
            entry.is_below(&[table, &[name, "package"]].concat()) && entry.value == package
        })
    };
    let inherited = || {
        let root = root();
        dependencies()
            .filter(|(_, key, value)| *key == "workspace" && *value == "true")
            .map(|(name, ..)| name)
            .find(|name| renames(name, &root, &["workspace", "dependencies"]))
            .map(str::to_owned)
    };
    let own = dependencies().find(|(_, key, value)| *key == "package" && *value == package);
    let named = own.map(|(name, ..)| name);
    let same = dependencies().find(|(name, ..)| *name == package);
    let name = named.or(same.map(|(name, ..)| name)).map(str::to_owned);
    Some(name.or_else(inherited)?.replace('-', "_"))
}

/// A value of a manifest that is not a table.
#[derive(Debug, PartialEq)]
struct Entry {
    /// The keys of its tables, followed by its own key.
    path: Vec<String>,
    /// The value, without quotes.
    value: String,
}

impl Entry {
    fn is_below(&self, path: &[&str]) -> bool {
        self.path.len() >= path.len() && self.path.iter().zip(path).all(|(own, key)| own == key)
    }

    /// The name of the dependency, the key and the value.
    fn dependency(&self) -> Option<(&str, &str, &str)> {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        let (kind, name, key) = match path.as_slice() {
            [kind, name] | ["target", _, kind, name] => (kind, name, ""),
            [kind, name, key] | ["target", _, kind, name, key] => (kind, name, *key),
            _ => return None,
        };
        ["dependencies", "dev-dependencies", "build-dependencies"]
            .contains(kind)
            .then_some((*name, key, self.value.as_str()))
    }
}

/// Parses the entries of a manifest.
fn entries(text: &str) -> Vec<Entry> {
    let (mut entries, mut table) = (Vec::new(), Vec::new());
    for line in parts(text, '\n') {
        match line.strip_prefix('[') {
            Some(header) => table = keys(header.trim_matches(['[', ']'])),
            None => add(&table, &line, &mut entries),
        }
    }
    entries
}

/// Adds the entries of `key = value` in a table. A table as the value has several entries.
fn add(table: &[String], line: &str, entries: &mut Vec<Entry>) {
    let mut sides = parts(line, '=').into_iter();
    let (Some(key), Some(value)) = (sides.next(), sides.next()) else {
        return;
    };
    let path = [table, &keys(&key)].concat();
    match value
        .strip_prefix('{')
        .and_then(|value| value.strip_suffix('}'))
    {
        Some(inside) => {
            for part in parts(inside, ',') {
                add(&path, &part, entries);
            }
        }
        None => entries.push(Entry {
            path,
            value: unquoted(&value),
        }),
    }
}

/// The keys of `a.b."c.d"`.
fn keys(path: &str) -> Vec<String> {
    parts(path, '.').iter().map(|key| unquoted(key)).collect()
}

fn unquoted(value: &str) -> String {
    value.trim_matches(['"', '\'']).to_owned()
}

/// Splits a text at marks outside of strings, brackets and comments. Empty parts are dropped.
fn parts(text: &str, mark: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut quote, mut escaped, mut comment, mut depth) = (None, false, false, 0_usize);
    for c in text.chars() {
        let in_string = quote.is_some();
        match c {
            '\n' => comment = false,
            _ if comment => continue,
            '#' if !in_string => {
                comment = true;
                continue;
            }
            _ => {}
        }
        match (c, quote) {
            _ if std::mem::take(&mut escaped) => {}
            ('\\', Some('"')) => escaped = true,
            ('"' | '\'', None) => quote = Some(c),
            (_, Some(open)) if open == c => quote = None,
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == mark && !in_string && depth == 0 {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    let parts = parts.iter().map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{entries, name_in};

    fn name(manifest: &str, root: &str) -> Option<String> {
        name_in(&entries(manifest), "hud-core", || entries(root))
    }

    #[test]
    fn a_dependency_has_the_name_of_its_manifest() {
        for (manifest, found) in [
            ("[dependencies]\nhud-core = \"0.1\"", Some("hud_core")),
            ("dependencies.hud-core.path = \"..\"", Some("hud_core")),
            (
                "[dependencies.hud-core]\nversion = '0.1' # ]",
                Some("hud_core"),
            ),
            (
                "[features]\na = [\n  \"x\", # \"\n  \"y\",\n]\n[dev-dependencies]\n\
                 my-ui = { version = \"1\", features = [\"a,b\"], package = \"hud-core\" }",
                Some("my_ui"),
            ),
            (
                "[target.'cfg(unix = \"a.b\")'.dependencies]\nui.package = \"hud-core\"",
                Some("ui"),
            ),
            (
                "[target.\"cfg(x)\".build-dependencies.ui]\npackage = \"hud-core\"",
                Some("ui"),
            ),
            ("[package]\nname = \"hud-core\"", None),
            ("[dependencies]\nui = { package = \"other\" }", None),
            ("# [dependencies]\n# hud-core = \"0.1\"", None),
            (
                "description = \"\"\"\n[dependencies]\nhud-core = 1\n\"\"\"",
                None,
            ),
            ("]]}} = { \" [", None),
        ] {
            assert_eq!(name(manifest, "").as_deref(), found, "{manifest}");
        }
    }

    #[test]
    fn a_dependency_may_have_the_name_of_its_workspace() {
        let root = "[workspace.dependencies]\nui = { package = \"hud-core\", version = \"1\" }\n\
                    hud-core = \"1\"";
        for (manifest, found) in [
            ("[dependencies]\nui.workspace = true", Some("ui")),
            ("[dependencies]\nui = { workspace = true }", Some("ui")),
            (
                "[dependencies]\nhud-core = { workspace = true }",
                Some("hud_core"),
            ),
            ("[dependencies]\nother = { workspace = true }", None),
        ] {
            assert_eq!(name(manifest, root).as_deref(), found, "{manifest}");
        }
    }
}

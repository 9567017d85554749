//! Finds the dependencies that a change of a manifest adds.

/// The maximum number of packages of one change.
const MOST: usize = 10;

/// The keys of manifests that have a version as value and are not packages.
const OWN: &[&str] = &[
    "version",
    "edition",
    "rust-version",
    "resolver",
    "node",
    "npm",
    "pnpm",
    "yarn",
    "python",
    "requires-python",
    "packageManager",
    "go",
    "toolchain",
];

/// Returns the packages that only the added text declares, if the file is a manifest.
pub(crate) fn gained(path: &str, removed: &str, added: &str) -> Vec<String> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let declared: fn(&str) -> Option<&str> = match file {
        "Cargo.toml" => in_toml,
        "package.json" => in_json,
        "go.mod" => in_go_mod,
        "pyproject.toml" => in_pyproject,
        _ if file.starts_with("requirements") && file.ends_with(".txt") => requirement,
        _ => return Vec::new(),
    };
    let old: Vec<&str> = removed.lines().filter_map(declared).collect();
    let mut gained: Vec<String> = Vec::new();
    for name in added.lines().filter_map(declared) {
        let is_known = OWN.contains(&name) || old.contains(&name);
        if !is_known && gained.len() < MOST && !gained.iter().any(|known| known == name) {
            gained.push(name.to_owned());
        }
    }
    gained
}

/// Parses `serde = "1"`, `serde = { version = "1" }`, `serde.workspace = true`.
fn in_toml(line: &str) -> Option<&str> {
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim().trim_matches('"'), value.trim());
    if let Some(name) = key.strip_suffix(".workspace") {
        return Some(name).filter(|_| value.starts_with("true") && is_package(name));
    }
    let table = ["version", "path", "git", "workspace"];
    let is_declared = match value.strip_prefix('{') {
        Some(fields) => table.iter().any(|field| {
            fields.trim_start().starts_with(field) || fields.contains(&format!(", {field} ="))
        }),
        None => is_version(value),
    };
    Some(key).filter(|key| is_declared && is_package(key))
}

/// Parses `"vite": "^5.0.0"`.
fn in_json(line: &str) -> Option<&str> {
    let (key, value) = line.trim().split_once("\":")?;
    let (key, value) = (key.strip_prefix('"')?, value.trim());
    let is_declared =
        is_version(value) || value.starts_with("\"workspace:") || value.starts_with("\"npm:");
    Some(key).filter(|key| is_declared && is_package(key))
}

/// Parses `golang.org/x/sync v0.7.0`, with `require` or within its brackets.
fn in_go_mod(line: &str) -> Option<&str> {
    let line = line.trim();
    let line = line.strip_prefix("require ").unwrap_or(line);
    let (name, version) = line.split_once(' ')?;
    let is_declared =
        version.starts_with('v') && version[1..].starts_with(|c: char| c.is_ascii_digit());
    Some(name).filter(|name| is_declared && is_package(name))
}

/// Parses `"requests>=2",` in a list, or the form of poetry.
fn in_pyproject(line: &str) -> Option<&str> {
    let item = line.trim().trim_end_matches(',');
    let quoted = item
        .strip_prefix(['"', '\''])
        .and_then(|item| item.strip_suffix(['"', '\'']));
    match quoted {
        Some(item) if item.contains(['=', '<', '>', '~']) => requirement(item),
        Some(_) => None,
        None => in_toml(line),
    }
}

/// Parses `requests[socks]>=2 ; python_version > "3"`.
fn requirement(line: &str) -> Option<&str> {
    let line = line.trim();
    let end = line
        .find(['[', '=', '<', '>', '~', '!', ';', ' ', '#'])
        .unwrap_or(line.len());
    let name = line.get(..end)?;
    let is_package =
        is_package(name) && !line.starts_with(['-', '.', '/', '#']) && !line.contains("://");
    Some(name).filter(|_| is_package)
}

/// True if a value is a quoted version: `"1.2"`, `"^5"`, `">=3, <4"`, `"*"`.
fn is_version(value: &str) -> bool {
    let Some(version) = value.strip_prefix(['"', '\'']) else {
        return false;
    };
    let number = version.trim_start_matches(['^', '~', '=', '>', '<', ' ', 'v']);
    number.starts_with(|c: char| c.is_ascii_digit())
        || version.starts_with('*')
        || version.starts_with("latest")
}

fn is_package(name: &str) -> bool {
    let is_of_name =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@');
    (1..=120).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '_'))
        && name.chars().all(is_of_name)
}

#[cfg(test)]
mod tests {
    use super::gained;

    #[test]
    fn what_a_manifest_gains_is_named_and_nothing_else_of_it() {
        for (path, added, names) in [
            (
                "a/Cargo.toml",
                "[package]\nversion = \"0.2.0\"\nedition = \"2024\"\n[dependencies]\nserde = \"1\"\n\
                 toml = { version = \"0.9\", default-features = false }\njiff.workspace = true\n\
                 hud = { path = \"../hud\" }\ndescription = \"A 1\"\n",
                "serde toml jiff hud",
            ),
            (
                "package.json",
                "{ \"version\": \"1.0.0\",\n \"scripts\": { \"test\": \"vitest\" },\n\"vite\": \"^5.0.0\",\n\
                 \"@types/node\": \"20\",\n\"ui\": \"workspace:*\"\n}",
                "vite @types/node ui",
            ),
            (
                "go.mod",
                "go 1.22\nrequire (\n\tgolang.org/x/sync v0.7.0\n)\n",
                "golang.org/x/sync",
            ),
            (
                "requirements-dev.txt",
                "# tools\nrequests[socks]>=2\n-r base.txt\nblack\n",
                "requests black",
            ),
            (
                "pyproject.toml",
                "version = \"1\"\ndependencies = [\n  \"httpx>=0.27\",\n]\n",
                "httpx",
            ),
            ("src/main.rs", "let serde = \"1\";", ""),
        ] {
            assert_eq!(gained(path, "", added).join(" "), names, "{path}");
        }
        assert_eq!(
            gained("Cargo.toml", "serde = \"1\"", "serde = \"2\""),
            [""; 0]
        );
    }
}

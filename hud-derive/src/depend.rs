//! The dependencies of a project, from the commands of package managers and from changes of manifests.

use hud_store::event::{DependencyAdd, HudEvent};

use super::command::linked;

/// The number of packages that are recorded for one command or change.
const MOST: usize = 10;

/// The longest name, in bytes.
const LONGEST: usize = 120;

/// Returns the packages that a successful command adds.
pub(super) fn added_by(command: &str) -> Vec<HudEvent> {
    let mut events = Vec::new();
    for part in linked(command).iter().filter(|part| !part.is_masked) {
        let words: Vec<&str> = part.words.iter().map(String::as_str).collect();
        if let Some((manager, packages)) = asked(&words) {
            events.extend(packages.into_iter().map(|name| added(&name, manager)));
        }
    }
    events.truncate(MOST);
    events
}

/// Returns the packages that the manifest at a path gained.
pub(super) fn added_in(path: &str, names: &[String]) -> Vec<HudEvent> {
    let manifest = path.rsplit('/').next().unwrap_or(path);
    let names = names.iter().take(MOST);
    names.map(|name| added(name, manifest)).collect()
}

fn added(name: &str, declared: &str) -> HudEvent {
    DependencyAdd {
        name: name.to_owned(),
        declared: Some(declared.to_owned()),
    }
    .into()
}

/// Returns the packages that a package manager is asked to add.
fn asked<'w>(words: &[&'w str]) -> Option<(&'static str, Vec<String>)> {
    let (program, rest) = words.split_first()?;
    let program = program.rsplit('/').next()?;
    let (manager, rest, with_value): (_, &[&'w str], &[&str]) = match (program, rest) {
        ("cargo", ["add", rest @ ..]) => ("cargo", rest, CARGO),
        ("npm", ["i" | "install" | "add", rest @ ..]) => ("npm", rest, NODE),
        ("pnpm", ["add" | "i" | "install", rest @ ..]) => ("pnpm", rest, NODE),
        ("yarn", ["add", rest @ ..]) => ("yarn", rest, NODE),
        ("bun", ["add" | "i" | "install", rest @ ..]) => ("bun", rest, NODE),
        ("go", ["get", rest @ ..]) => ("go", rest, &[]),
        ("pip" | "pip3", ["install", rest @ ..]) => ("pip", rest, PIP),
        ("python" | "python3", ["-m", "pip", "install", rest @ ..]) => ("pip", rest, PIP),
        ("uv", ["pip", "install", rest @ ..]) => ("pip", rest, PIP),
        ("uv", ["add", rest @ ..]) => ("uv", rest, PIP),
        ("poetry", ["add", rest @ ..]) => ("poetry", rest, PIP),
        _ => return None,
    };
    let mut packages = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            // The value of the option is not a package.
            if with_value.contains(word) {
                words.next();
            }
        } else if let Some(name) = package(word) {
            packages.push(name);
        }
    }
    Some((manager, packages))
}

/// Options of `cargo add` that have a value.
const CARGO: &[&str] = &[
    "--features",
    "-F",
    "--path",
    "--base",
    "--git",
    "--branch",
    "--tag",
    "--rev",
    "--package",
    "-p",
    "--rename",
    "--target",
    "--registry",
    "--manifest-path",
    "--color",
    "--config",
];

/// Options of Node package managers that have a value.
const NODE: &[&str] = &[
    "--prefix",
    "-C",
    "--dir",
    "--registry",
    "--workspace",
    "-w",
    "--filter",
    "--tag",
    "--cwd",
];

/// Options of Python package managers that have a value.
const PIP: &[&str] = &[
    "-r",
    "--requirement",
    "-c",
    "--constraint",
    "-e",
    "--editable",
    "-i",
    "--index-url",
    "--extra-index-url",
    "-f",
    "--find-links",
    "-t",
    "--target",
    "--prefix",
    "--root",
    "--python",
    "--group",
    "-G",
    "--extra",
    "-E",
    "--source",
    "--optional",
    "--package",
];

/// The name of a package without its version. `None` for a path or an address.
fn package(word: &str) -> Option<String> {
    let is_place =
        word.starts_with(['.', '/', '~', '$']) || word.contains("://") || word.ends_with(".whl");
    let scope = usize::from(word.starts_with('@'));
    let named = word.get(scope..)?;
    let end = named
        .find(['@', '=', '<', '>', '~', '!', '[', ';', ' '])
        .unwrap_or(named.len());
    let name = word.get(..scope + end)?;
    let is_name =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@' | ':');
    let is_one = !name.is_empty() && name.len() <= LONGEST && name.chars().all(is_name);
    (!is_place && is_one && name.chars().any(char::is_alphabetic)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use hud_store::event::DependencyEvent;

    use super::*;

    fn names(command: &str) -> String {
        let names = added_by(command).into_iter().map(|event| match event {
            HudEvent::Dependency(DependencyEvent::Add(add)) => {
                format!("{} {}", add.declared.unwrap(), add.name)
            }
            other => panic!("{other:?}"),
        });
        names.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn what_a_package_manager_is_asked_for_is_depended_on() {
        for (command, said) in [
            (
                "cargo add serde@1 --features derive tokio",
                "cargo serde, cargo tokio",
            ),
            (
                "cd web && npm i -D @types/node@20 vite",
                "npm @types/node, npm vite",
            ),
            ("go get golang.org/x/sync@v0.7.0", "go golang.org/x/sync"),
            (
                "python3 -m pip install 'requests[socks]>=2' -r dev.txt",
                "pip requests",
            ),
            ("uv pip install ./local git+https://x.y/z", ""),
            ("npm install", ""),
            ("npm ci && cargo build", ""),
            ("echo cargo add serde", ""),
            ("cargo add serde | tail -1; true", ""),
        ] {
            assert_eq!(names(command), said, "{command}");
        }
    }
}

//! The conditions under which a client uses an installation. Clients ask their user whether a project is trusted,
//! and some also whether its hooks are. Each client keeps the answer in its own file.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::client::Client;
use super::command::Program;
use super::found::{Connection, Found};
use super::json::value;
use super::{BOM, home, trust};
use crate::location::root_of;
use crate::output::Failure;

/// A condition that keeps a client from showing the HUD, although it is fully installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Barred {
    /// The condition that is not met.
    pub(crate) what: String,
    /// The step for the user.
    pub(crate) fix: String,
}

impl Found {
    /// The condition that keeps the client from using the installation in the working directory, if there is one.
    pub(crate) fn barred(&self) -> Result<Option<Barred>, Failure> {
        if !self.is_connected() {
            return Ok(None);
        }
        let is_of_user = self.everywhere == Connection::Whole;
        let place = Place::here()?;
        Ok(match self.client {
            Client::Claude => claude(&place, is_of_user)?,
            // The installation for a user is trusted in every project.
            Client::Codex if is_of_user => None,
            Client::Codex => codex(&place)?,
            Client::Gemini => gemini(&place)?,
            Client::Opencode | Client::Cline | Client::Goose => None,
        })
    }
}

/// The place where a client is started.
struct Place {
    /// The working directory, with links resolved.
    directory: PathBuf,
    /// The root of its project.
    root: PathBuf,
}

impl Place {
    fn here() -> Result<Self, Failure> {
        let directory = env::current_dir()
            .and_then(fs::canonicalize)
            .map_err(|error| {
                Failure::Other(format!("the working directory can't be read: {error}"))
            })?;
        let root = root_of(&directory).to_owned();
        Ok(Self { directory, root })
    }
}

/// The text of a client's file, without its byte order mark; empty if the file can't be read.
fn text(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.strip_prefix(BOM).map(str::to_owned).unwrap_or(text)
}

/// The JSON in a client's file.
fn kept(file: &Path) -> Value {
    value(&text(file)).unwrap_or_default()
}

/// A path as clients write it in their files.
fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn claude(place: &Place, is_of_user: bool) -> Result<Option<Barred>, Failure> {
    let own = Client::Claude.home()?;
    let settings = [
        own.join("settings.json"),
        place.directory.join(".claude/settings.json"),
        place.directory.join(".claude/settings.local.json"),
    ];
    let is_off = |file: &&PathBuf| kept(file)["disableAllHooks"] == true;
    if let Some(file) = settings.iter().find(is_off) {
        return Ok(Some(Barred {
            what: format!(
                "Claude Code runs no hooks: {} has `disableAllHooks`",
                file.display()
            ),
            fix: format!("remove `disableAllHooks` from {}", file.display()),
        }));
    }
    // The user's own hooks run in every project.
    if is_of_user {
        return Ok(None);
    }
    let file = match env::var_os("CLAUDE_CONFIG_DIR").filter(|path| !path.is_empty()) {
        Some(folder) => PathBuf::from(folder).join(".claude.json"),
        None => home("HOME", "")?.join(".claude.json"),
    };
    let projects = kept(&file)["projects"].take();
    let is_trusted = |folder: &Path| projects[name(folder)]["hasTrustDialogAccepted"] == true;
    let is_trusted = place.directory.ancestors().any(is_trusted);
    Ok((!is_trusted).then(|| Barred {
        what: "Claude Code has not been told that you trust this project: it asks when it starts, and until \
               then it gives agents no `hud` tool"
            .to_owned(),
        fix: "start `claude` here once, and say that you trust the project".to_owned(),
    }))
}

fn codex(place: &Place) -> Result<Option<Barred>, Failure> {
    let file = Client::Codex.home()?.join("config.toml");
    let config: toml_edit::DocumentMut = text(&file).parse().unwrap_or_default();
    let level = |folder: &Path| {
        let project = config.get("projects")?.get(name(folder))?;
        Some(project.get("trust_level")?.as_str()? == "trusted")
    };
    // The trust level of the directory takes precedence over that of the project.
    let said = level(&place.directory).or_else(|| level(&place.root));
    if said != Some(true) {
        return Ok(Some(Barred {
            what: "Codex doesn't trust this project: it reads neither the hooks nor the server that are \
                   installed in it"
                .to_owned(),
            fix: "start `codex` here once, say that you trust the project, and look at its hooks in /hooks"
                .to_owned(),
        }));
    }
    let hooks = place.directory.join(".codex/hooks.json");
    let wanted = trust::trusted(&text(&hooks), &hooks, &Program::own()?);
    let reviewed = reviewed(&config);
    let missing = wanted.iter().filter(|(key, digest)| {
        let known = reviewed.get(*key);
        known.is_none_or(|known| known != *digest)
    });
    let missing = missing.count();
    Ok((missing > 0).then(|| Barred {
        what: format!(
            "Codex runs none of the hooks that you have not looked at: {missing} of {} here",
            wanted.len()
        ),
        fix: "start `codex` here, and say in /hooks that you trust them".to_owned(),
    }))
}

/// The digests of the hooks that the user has reviewed and not disabled, by their keys.
fn reviewed(config: &toml_edit::DocumentMut) -> BTreeMap<String, String> {
    let state = config.get("hooks").and_then(|hooks| hooks.get("state"));
    let state = state.and_then(toml_edit::Item::as_table_like);
    let entries = state.into_iter().flat_map(toml_edit::TableLike::iter);
    let reviewed = entries.filter_map(|(key, entry)| {
        let is_off = entry.get("enabled").and_then(toml_edit::Item::as_bool) == Some(false);
        let digest = entry.get("trusted_hash")?.as_str().filter(|_| !is_off)?;
        Some((key.to_owned(), digest.to_owned()))
    });
    reviewed.collect()
}

fn gemini(place: &Place) -> Result<Option<Barred>, Failure> {
    let own = Client::Gemini.home()?;
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let barred = |what: &str, fix: &str| {
        Ok(Some(Barred {
            what: format!("Gemini CLI runs neither hooks nor servers here: {what}"),
            fix: fix.to_owned(),
        }))
    };
    for (name, value) in [
        ("GEMINI_RESTRICTED_MODE", "true"),
        ("GEMINI_CLI_TRUST_WORKSPACE", "false"),
    ] {
        if variable(name) == value {
            return barred(&format!("{name} is `{value}`"), &format!("unset {name}"));
        }
    }
    let settings = kept(&own.join("settings.json"));
    let is_asked = settings.pointer("/security/folderTrust/enabled") != Some(&Value::Bool(false));
    if variable("GEMINI_CLI_TRUST_WORKSPACE") == "true" || !is_asked {
        return Ok(None);
    }
    let file = match variable("GEMINI_CLI_TRUSTED_FOLDERS_PATH") {
        path if path.is_empty() => own.join("trustedFolders.json"),
        path => path.into(),
    };
    let folders = kept(&file);
    if is_trusted_by_gemini(&folders, &place.directory) {
        return Ok(None);
    }
    barred(
        "you have not said that you trust this folder",
        "start `gemini` here once, and say that you trust the folder (in scripts, set \
         GEMINI_CLI_TRUST_WORKSPACE=true: `--skip-trust` runs no hooks)",
    )
}

/// True if the rule for the nearest folder around a directory trusts it.
fn is_trusted_by_gemini(folders: &Value, directory: &Path) -> bool {
    let rules = folders.as_object().into_iter().flatten();
    let rules = rules.filter_map(|(path, level)| {
        let (rule, level) = (Path::new(path), level.as_str()?);
        let folder = match level {
            "TRUST_PARENT" => rule.parent()?,
            _ => rule,
        };
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        directory.starts_with(folder).then_some((path.len(), level))
    });
    let nearest = rules.max_by_key(|(length, _)| *length);
    nearest.is_some_and(|(_, level)| matches!(level, "TRUST_FOLDER" | "TRUST_PARENT"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_nearest_folder_says_whether_gemini_trusts() {
        let is = |folders: Value| is_trusted_by_gemini(&folders, Path::new("/w/p/src"));
        assert!(!is(json!({})));
        assert!(!is(json!(["/w/p"])), "what is damaged trusts nothing");
        assert!(is(json!({ "/w/p": "TRUST_FOLDER" })));
        assert!(is(json!({ "/w/p/docs": "TRUST_PARENT" })));
        assert!(!is(json!({ "/w/pa": "TRUST_FOLDER" })));
        assert!(!is(json!({ "/w": "TRUST_FOLDER", "/w/p": "DO_NOT_TRUST" })));
        assert!(is(json!({ "/w": "DO_NOT_TRUST", "/w/p": "TRUST_FOLDER" })));
    }
}

//! The content of ours in each kind of file, and the ways to insert and to remove it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::command::Program;
use super::edit::{Edit, undone};
use super::json::{self, Json, Step, Syntax, way_text};
use super::record::Record;
use super::script;
use super::toml::{self, Entries};

/// The name of our server among the client's MCP servers.
pub(super) const SERVER: &str = "hud";

/// The end of a plugin's address that identifies it as ours.
pub(super) const PLUGIN_END: &str = "/agent-hud/opencode.js";

/// The lists in which an entry like ours may be the user's too. Only an entry that we inserted is removed.
const SHARED: [(&[&str], &str); 2] = [
    (&["permissions", "allow"], "mcp__hud"),
    (&["enabledMcpjsonServers"], SERVER),
];

/// The wanted content of a file. A removal uses it too, mainly for the kind of the file.
#[derive(Debug)]
pub(super) enum Content {
    Json(Json, Syntax),
    Toml(Toml),
    /// The command of a script.
    Script(String),
    /// A file that is entirely ours, and the text at its start that identifies it.
    Whole {
        text: &'static str,
        mark: &'static str,
    },
}

/// The wanted content of a TOML configuration.
#[derive(Debug, Default)]
pub(super) struct Toml {
    /// The entries of our server.
    pub(super) server: Vec<(&'static str, toml_edit::Value)>,
    /// The digests of the trusted hooks, by their keys.
    pub(super) trusted: BTreeMap<String, String>,
}

/// A text with the wanted content inserted.
#[derive(Debug)]
pub(super) struct Put {
    pub(super) edit: Edit,
    /// See [`Record::made`].
    pub(super) made: Vec<String>,
}

/// The extent of a removal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    All,
    /// Only the content that is inserted again. The entry of our server stays, with the user's changes to it.
    ButServer,
}

impl Content {
    /// Inserts the wanted content that is missing.
    pub(super) fn put(
        &self,
        text: &str,
        program: &Program,
        record: Option<&Record>,
    ) -> Result<Put, String> {
        let mut edit = Edit::of(text.to_owned());
        let mut made = Vec::new();
        match self {
            Self::Json(wanted, syntax) => {
                syntax.check(text)?;
                let before = json::value(text)?;
                let is_known = record.is_some_and(|record| record.has(&server_way()));
                keep_server(&mut edit, wanted, &before, program, is_known)?;
                made = json::put(&mut edit, wanted)?;
                let after = json::value(edit.text())?;
                for (way, entry) in SHARED {
                    if !has(&before, way, entry) && has(&after, way, entry) {
                        made.push(mark_of(way, entry));
                    }
                }
            }
            Self::Toml(wanted) => put_toml(&mut edit, wanted, program)?,
            Self::Script(command) if text.is_empty() => edit.insert(0, &script::new(command)),
            Self::Script(_) if !script::is_ours(text) => {
                let reason = "there is a hook already: have it run `hud hook`, or move it";
                return Err(reason.to_owned());
            }
            Self::Script(command) => {
                let after = script::with_command(text, program, command);
                edit.splice(0..text.len(), &after);
            }
            Self::Whole { text: wanted, mark } => {
                if !text.is_empty() && !text.starts_with(mark) {
                    return Err("it is another's: move it away first".to_owned());
                }
                if text != *wanted && record.is_some_and(|record| !record.is_of(text.as_bytes())) {
                    let reason = "it was changed since it was installed: move it away first";
                    return Err(reason.to_owned());
                }
                edit.splice(0..text.len(), wanted);
            }
        }
        Ok(Put { edit, made })
    }

    /// The text without our content; `None` if a file of ours would be left empty.
    pub(super) fn without(
        &self,
        text: &str,
        program: &Program,
        record: Option<&Record>,
        is_as_left: bool,
        extent: Extent,
    ) -> Result<Option<String>, String> {
        let undone = record
            .filter(|_| is_as_left)
            .and_then(|record| undone(text, &record.edits));
        let is_undone = undone.is_some();
        let is_made = record.is_some_and(|record| record.is_made);
        if is_undone && is_made {
            return Ok(None);
        }
        let text = undone.as_deref().unwrap_or(text);
        // If the edits were undone, entries like ours that are left were there before the installation.
        let record = record.filter(|_| !is_undone);
        let (after, is_empty) = match self {
            Self::Json(wanted, _) => {
                let ours = Ours {
                    wanted,
                    program,
                    record,
                    is_undone,
                    extent,
                };
                let after = without_json(text, &ours)?;
                let is_empty = json::is_empty(&after);
                (after, is_empty)
            }
            Self::Toml(wanted) => {
                let after = without_toml(text, wanted, program, is_undone, extent)?;
                let is_empty = after.trim().is_empty();
                (after, is_empty)
            }
            Self::Script(_) if script::is_ours(text) => {
                return Ok(script::without(text, program));
            }
            Self::Whole { mark, .. } => {
                let is_ours = record.is_none() && text.starts_with(mark);
                return Ok((!is_ours).then(|| text.to_owned()));
            }
            Self::Script(_) => (text.to_owned(), false),
        };
        // A file that had only our content is removed.
        let may_go = match record {
            Some(record) => record.is_made,
            None => !is_undone,
        };
        Ok((!(is_empty && may_go && after != text)).then_some(after))
    }
}

impl Record {
    fn has(&self, way: &str) -> bool {
        self.made.iter().any(|made| made == way)
    }
}

fn server_way() -> String {
    format!("mcpServers.{SERVER}")
}

fn mark_of(way: &[&str], entry: &str) -> String {
    format!("{}: {entry}", way.join("."))
}

fn has(value: &Value, way: &[&str], entry: &str) -> bool {
    let list = way.iter().try_fold(value, |value, key| value.get(key));
    let list = list.and_then(Value::as_array);
    list.is_some_and(|list| list.iter().any(|there| there == entry))
}

fn keys(way: &[&str]) -> Vec<Step> {
    way.iter().map(|key| Step::Key((*key).to_owned())).collect()
}

/// Updates the program in an entry of our server that exists already. The rest of the entry is the user's.
/// Returns an error if the entry is that of another server.
fn keep_server(
    edit: &mut Edit,
    wanted: &Json,
    before: &Value,
    program: &Program,
    is_known: bool,
) -> Result<(), String> {
    let Some(there) = before.get("mcpServers").and_then(|there| there.get(SERVER)) else {
        return Ok(());
    };
    let way = ["mcpServers", SERVER, "command"];
    let Some(command) = wanted.at(&way) else {
        return Ok(());
    };
    if !is_known && !is_server(there, program) {
        return Err(format!(
            "`{}` is another server: rename it first",
            server_way()
        ));
    }
    if there["command"] != *command {
        json::replace(edit, &keys(&way), command)?;
    }
    Ok(())
}

/// True if a server is ours.
fn is_server(entry: &Value, program: &Program) -> bool {
    let command = entry["command"].as_str();
    command.is_some_and(|command| program.is_ours(command)) && entry["args"][0] == "mcp"
}

/// A search for our content in a configuration, for its removal.
struct Ours<'o> {
    wanted: &'o Json,
    program: &'o Program,
    record: Option<&'o Record>,
    is_undone: bool,
    extent: Extent,
}

fn without_json(text: &str, ours: &Ours<'_>) -> Result<String, String> {
    let mut edit = Edit::of(text.to_owned());
    loop {
        let before = edit.text().len();
        let Some(way) = ours.find(&json::value(edit.text())?) else {
            break;
        };
        json::remove(&mut edit, &way, &|way| ours.may_go(way))?;
        if edit.text().len() == before {
            break;
        }
    }
    Ok(edit.into_parts().0)
}

impl Ours<'_> {
    /// True if an object or a list is removed once it is empty.
    fn may_go(&self, way: &[Step]) -> bool {
        // An empty group of hooks has no use.
        let is_group = way.iter().any(|step| matches!(step, Step::Index(_)));
        is_group || self.record.is_none_or(|record| record.has(&way_text(way)))
    }

    /// The path of steps to an entry of ours.
    fn find(&self, value: &Value) -> Option<Vec<Step>> {
        self.find_hook(value)
            .or_else(|| self.find_server(value))
            .or_else(|| find_plugin(value))
            .or_else(|| self.find_shared(value))
    }

    fn find_hook(&self, value: &Value) -> Option<Vec<Step>> {
        for (event, groups) in value.get("hooks")?.as_object()? {
            for (group, entry) in groups.as_array().into_iter().flatten().enumerate() {
                let hooks = entry.get("hooks").and_then(Value::as_array);
                let found = hooks.into_iter().flatten().position(|hook| {
                    let command = hook.get("command").and_then(Value::as_str);
                    command.is_some_and(|command| self.program.is_hook(command))
                });
                if let Some(hook) = found {
                    let mut way = keys(&["hooks", event]);
                    way.push(Step::Index(group));
                    way.extend(keys(&["hooks"]));
                    way.push(Step::Index(hook));
                    return Some(way);
                }
            }
        }
        None
    }

    fn find_server(&self, value: &Value) -> Option<Vec<Step>> {
        let entry = value.get("mcpServers")?.get(SERVER)?;
        let is_known = self.record.is_some_and(|record| record.has(&server_way()));
        let is_ours = is_known || is_server(entry, self.program);
        (is_ours && self.extent == Extent::All).then(|| keys(&["mcpServers", SERVER]))
    }

    fn find_shared(&self, value: &Value) -> Option<Vec<Step>> {
        if self.is_undone {
            return None;
        }
        let wanted = self.wanted.value();
        let mut shared = SHARED.into_iter().filter(|(way, entry)| {
            // Without a record, it is removed with everything else, but stays if our content is only renewed.
            let is_ours = match self.record {
                Some(record) => record.has(&mark_of(way, entry)),
                None => self.extent == Extent::All,
            };
            is_ours && has(&wanted, way, entry) && has(value, way, entry)
        });
        let (way, entry) = shared.next()?;
        let list = way.iter().try_fold(value, |value, key| value.get(key))?;
        let index = list.as_array()?.iter().position(|there| there == entry)?;
        let mut way = keys(way);
        way.push(Step::Index(index));
        Some(way)
    }
}

fn find_plugin(value: &Value) -> Option<Vec<Step>> {
    let is_ours = |entry: &Value| {
        let address = entry.as_str().or_else(|| entry.get(0)?.as_str());
        address.is_some_and(|address| address.ends_with(PLUGIN_END))
    };
    let index = value.get("plugin")?.as_array()?.iter().position(is_ours)?;
    let mut way = keys(&["plugin"]);
    way.push(Step::Index(index));
    Some(way)
}

const TOML_SERVER: [&str; 2] = ["mcp_servers", SERVER];

fn put_toml(edit: &mut Edit, wanted: &Toml, program: &Program) -> Result<(), String> {
    match toml_server(edit.text(), program)? {
        Some(false) => {
            let way = TOML_SERVER.join(".");
            return Err(format!("`{way}` is another server: rename it first"));
        }
        // The rest of the entry is the user's.
        Some(true) => {
            for (name, value) in wanted.server.iter().filter(|(name, _)| *name == "command") {
                let [servers, server] = TOML_SERVER;
                let way = [servers, server, *name];
                let there = toml::look(edit.text(), &way, |item| item.as_str().map(str::to_owned))?;
                if there.flatten().as_deref() != value.as_str() {
                    toml::replace(edit, &way, value)?;
                }
            }
        }
        None => {
            let entries = Entries {
                way: TOML_SERVER.to_vec(),
                entries: wanted.server.clone(),
            };
            toml::put(edit, &entries)?;
        }
    }
    for (key, digest) in &wanted.trusted {
        let way = ["hooks", "state", key, "trusted_hash"];
        let value = toml_edit::Value::from(digest.as_str());
        match toml::look(edit.text(), &way[..3], |_| ())? {
            None => {
                let entries = Entries {
                    way: way[..3].to_vec(),
                    entries: vec![("trusted_hash", value)],
                };
                toml::put(edit, &entries)?;
            }
            Some(()) => {
                let there = toml::look(edit.text(), &way, |item| item.as_str().map(str::to_owned))?;
                if there.flatten().as_ref() != Some(digest) {
                    toml::replace(edit, &way, &value)?;
                }
            }
        }
    }
    Ok(())
}

/// True if the server with our name is ours; `None` if there is no such server.
fn toml_server(text: &str, program: &Program) -> Result<Option<bool>, String> {
    let is_table = toml::look(text, &TOML_SERVER[..1], toml_edit::Item::is_table_like)?;
    if is_table == Some(false) {
        let name = TOML_SERVER[0];
        return Err(format!("`{name}` is no table: mend it first"));
    }
    toml::look(text, &TOML_SERVER, |item| {
        let command = item.get("command").and_then(toml_edit::Item::as_str);
        let arguments = item.get("args").and_then(toml_edit::Item::as_array);
        let first = arguments.and_then(|arguments| arguments.get(0)?.as_str());
        command.is_some_and(|command| program.is_ours(command)) && first == Some("mcp")
    })
}

fn without_toml(
    text: &str,
    wanted: &Toml,
    program: &Program,
    is_undone: bool,
    extent: Extent,
) -> Result<String, String> {
    let mut edit = Edit::of(text.to_owned());
    // In the reverse order of their insertion.
    if !is_undone {
        for (key, digest) in wanted.trusted.iter().rev() {
            let way = ["hooks", "state", key, "trusted_hash"];
            let there = toml::look(edit.text(), &way, |item| item.as_str() == Some(digest))?;
            if there == Some(true) {
                toml::remove(&mut edit, &way[..3])?;
            }
        }
    }
    if extent == Extent::All && toml_server(edit.text(), program) == Ok(Some(true)) {
        toml::remove(&mut edit, &TOML_SERVER)?;
    }
    Ok(edit.into_parts().0)
}

//! Our entry in a configuration that is TOML.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use super::{SERVER, is_ours};

/// Where the servers of the Model Context Protocol are.
const SERVERS: &str = "mcp_servers";

/// A configuration with an edit in it.
pub(super) fn edited(
    before: &str,
    edit: impl FnOnce(&mut DocumentMut) -> Result<(), String>,
) -> Result<String, String> {
    let mut document: DocumentMut = before
        .parse()
        .map_err(|error: toml_edit::TomlError| error.to_string())?;
    edit(&mut document)?;
    Ok(document.to_string())
}

/// Names our server, by its program, among those of the Model Context Protocol; without one, no
/// longer.
pub(super) fn set_server(document: &mut DocumentMut, hud: Option<&str>) -> Result<(), String> {
    let Some(hud) = hud else {
        remove_server(document);
        return Ok(());
    };
    let servers = document
        .entry(SERVERS)
        .or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        })
        .as_table_like_mut()
        .ok_or_else(|| format!("`{SERVERS}` is no table: mend it first"))?;
    match servers.get_mut(SERVER) {
        Some(entry) => {
            let entry = entry.as_table_like_mut().filter(|entry| is_server(*entry));
            let entry = entry.ok_or_else(|| {
                format!("`{SERVERS}.{SERVER}` is another server: rename it first")
            })?;
            // What else is said of it is the user's.
            if entry.get("command").and_then(Item::as_str) != Some(hud) {
                entry.insert("command", value(hud));
            }
        }
        None => {
            let mut entry = Table::new();
            entry.insert("command", value(hud));
            entry.insert("args", value(Array::from_iter(["mcp"])));
            servers.insert(SERVER, Item::Table(entry));
        }
    }
    Ok(())
}

fn remove_server(document: &mut DocumentMut) {
    let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_like_mut) else {
        return;
    };
    let entry = servers.get(SERVER).and_then(Item::as_table_like);
    if entry.is_some_and(is_server) {
        servers.remove(SERVER);
        if servers.is_empty() {
            document.remove(SERVERS);
        }
    }
}

/// Whether a server is ours.
fn is_server(entry: &(impl TableLike + ?Sized)) -> bool {
    let program = entry.get("command").and_then(Item::as_str);
    let arguments = entry.get("args").and_then(Item::as_array);
    let first = arguments.and_then(|arguments| arguments.get(0)?.as_str());
    program.is_some_and(is_ours) && first == Some("mcp")
}

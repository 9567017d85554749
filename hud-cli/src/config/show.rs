//! `hud config`: lists each setting with its value and its source.

use std::collections::BTreeSet;
use std::path::Path;

use hud_agent::cost::Profile;
use hud_agent::settings::Settings;
use hud_clients::Portion;
use hud_store::log::{Log as _, state_of};
use serde::Serialize;
use toml::{Table, Value};

use super::file::written;
use super::{Key, SetBy};
use crate::app::App;
use crate::args;
use crate::hook::placed;
use crate::output::{self, Failure, Output};

/// A setting in JSON.
#[derive(Serialize)]
struct JsonSetting<'s> {
    key: String,
    value: &'s Value,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

pub(crate) fn run(args: &args::Config, app: &App) -> Result<(), Failure> {
    let mut output = Output::new();
    if args.schema {
        let schema = serde_json::to_string_pretty(&Settings::schema());
        output.text(&schema.map_err(std::io::Error::from)?)?;
        return Ok(output.flush()?);
    }
    let mut config = app.config(Path::new("."));
    for (key, source) in args.given.put_into(&mut config.settings) {
        config.comes_from(key, source);
    }
    let config = config.sound()?;
    let all =
        Table::try_from(&config.settings).map_err(|error| Failure::Other(error.to_string()))?;
    let mut all = leaves(&all, &[]);
    let mut others = BTreeSet::new();
    if let Some(wanted) = &args.key {
        all.retain(|(key, _)| {
            let key = written(key);
            let inner = key.strip_prefix(wanted.as_str());
            inner.is_some_and(|inner| inner.is_empty() || inner.starts_with('.'))
        });
        if all.is_empty() {
            let said = format!("nothing is set at `{wanted}`: `hud config` lists what is");
            return Err(Failure::Other(said));
        }
    } else if !args.json {
        let used = profile(app, &config.settings);
        all.retain(|(key, _)| match key.as_slice() {
            [table, name, ..] if table == PROFILES && used.as_ref() != Some(name) => {
                let is_own = config.sources.contains_key(key);
                if !is_own {
                    others.insert(name.clone());
                }
                is_own
            }
            _ => true,
        });
    }
    for (key, value) in all {
        let source = config.sources.get(&key);
        if args.json {
            output.json(&json(&key, value, source))?;
        } else {
            let line = format!("{} = {}", written(&key), text(value));
            output.text(&format!("{line:<40}  # {}", said(source)))?;
        }
    }
    if !others.is_empty() {
        let names: Vec<String> = others.into_iter().collect();
        output.text(&format!(
            "# built in, each shown by `hud config {PROFILES}.NAME`: {}",
            names.join(", ")
        ))?;
    }
    output.flush()?;
    if let Some(said) = placed::otherwise(config.settings.placement, Portion::Whole) {
        output::note(said);
    }
    Ok(())
}

/// The table of the profiles.
const PROFILES: &str = "profiles";

/// The profile of the model that the last session in the project's log called, if there is one.
fn profile(app: &App, settings: &Settings) -> Option<String> {
    let variable = std::env::var_os("HUD_DB").filter(|path| !path.is_empty());
    let location = app.location(variable.as_ref().map(Path::new), Path::new("."));
    let log = location.ok()?.read().ok()?;
    let sessions = log.sessions().ok()?;
    let last = sessions.into_iter().max_by_key(|session| session.last_at)?;
    let context = state_of(&log, &last.id).ok()?.context?;
    let found = Profile::of(&settings.profiles, None, context.model.as_deref()?);
    found.map(|(name, _)| name.to_owned())
}

/// The settings in a table of tables.
pub(super) fn leaves<'t>(table: &'t Table, within: &[String]) -> Vec<(Key, &'t Value)> {
    let each = table.iter().flat_map(|(name, value)| {
        let mut key = within.to_vec();
        key.push(name.clone());
        match value {
            Value::Table(inner) => leaves(inner, &key),
            value => vec![(key, value)],
        }
    });
    each.collect()
}

/// A value as it is written in TOML.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => toml_edit::Value::from(text.as_str()).to_string(),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(text).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Integer(number) => number.to_string(),
        Value::Boolean(is) => is.to_string(),
        Value::Float(number) => number.to_string(),
        // Settings contain none of these.
        Value::Datetime(_) | Value::Table(_) => String::new(),
    }
}

fn said(source: Option<&SetBy>) -> String {
    match source {
        None => "default".to_owned(),
        Some(SetBy::File { path, line, .. }) => format!("{}:{line}", path.display()),
        Some(SetBy::Variable(name)) => format!("${name}"),
        Some(SetBy::Flag(name)) => (*name).to_owned(),
    }
}

fn json<'s>(key: &[String], value: &'s Value, source: Option<&SetBy>) -> JsonSetting<'s> {
    let (source, name, line) = match source {
        None => ("default", None, None),
        Some(SetBy::File {
            path,
            line,
            is_users,
        }) => {
            let source = if *is_users { "user" } else { "project" };
            (source, Some(path.display().to_string()), Some(*line))
        }
        Some(SetBy::Variable(name)) => ("environment", Some((*name).to_owned()), None),
        Some(SetBy::Flag(name)) => ("flag", Some((*name).to_owned()), None),
    };
    JsonSetting {
        key: written(key),
        value,
        source,
        name,
        line,
    }
}

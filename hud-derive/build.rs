//! Reads `lexicon/`, and lists the files of `runners/`, so that a new file is known without being named elsewhere.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    runners()?;
    lexicon()
}

/// Writes the list of the runners, each with its name and its text.
fn runners() -> Result<(), Box<dyn Error>> {
    let rows = files("runners")?.into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default();
        format!("    ({name:?}, include_str!({path:?})),\n")
    });
    write("runners", &rows.collect::<String>())
}

/// Writes the phrases by intent, and of each by language: a process that needs few of them reads no file.
fn lexicon() -> Result<(), Box<dyn Error>> {
    let mut intents: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for path in files("lexicon")? {
        let language = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&path)?;
        let lists: BTreeMap<String, Vec<String>> =
            toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        for (intent, phrases) in lists {
            let languages = intents.entry(intent).or_default();
            languages.insert(language.to_string(), phrases);
        }
    }
    let rows = intents.iter().map(|(intent, languages)| {
        let lists = languages.iter();
        let lists = lists.map(|(language, phrases)| format!("({language:?}, &{phrases:?}), "));
        format!("    ({intent:?}, &[{}]),\n", lists.collect::<String>())
    });
    write("lexicon", &rows.collect::<String>())
}

/// The TOML files of a folder, by their names.
fn files(folder: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    Ok(files)
}

fn write(name: &str, rows: &str) -> Result<(), Box<dyn Error>> {
    let out = Path::new(&env::var("OUT_DIR")?).join(format!("{name}.rs"));
    Ok(fs::write(out, format!("&[\n{rows}]\n"))?)
}

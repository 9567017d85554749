//! Lists the files of `runners/` and `lexicon/`, so that a new one is read without being named elsewhere.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    list("runners")?;
    list("lexicon")
}

/// Writes the list of the files of a folder, each with its name and its text.
fn list(name: &str) -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(name);
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let rows = files.iter().map(|path| {
        let name = path.file_stem().unwrap_or_default();
        format!("    ({name:?}, include_str!({path:?})),\n")
    });
    let list: String = rows.collect();
    let out = Path::new(&env::var("OUT_DIR")?).join(format!("{name}.rs"));
    fs::write(out, format!("&[\n{list}]\n"))?;
    Ok(())
}

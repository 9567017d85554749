//! The code that rustc itself proposes for a layout is right: each of its suggestions for the cases of
//! [`rsx`](super::rsx) is applied, and its error is gone.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed, and says where"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::rsx::other_compiler;
use super::suggestions::files;

/// The suggestions of rustc that are no fix, and the reason.
const NO_FIX: &[(&str, &str)] = &[
    (
        "component-with_a_mutable_reference",
        "the body reads the reference, and rustc proposes a prop that is none",
    ),
    (
        "component-with_items_that_are_not_showable",
        "rustc writes the bound of a reference without its lifetime",
    ),
    (
        "tags-misspelt",
        "rustc proposes the name of the tag, and its closing tag has the wrong name, too",
    ),
];

/// An error of the compiler in one file.
struct Error {
    message: String,
    suggestions: Vec<Suggestion>,
}

/// A replacement of pieces of a file that are proposed together.
struct Suggestion {
    help: String,
    /// The first byte, the byte after the last, and the text instead.
    pieces: Vec<(usize, usize, String)>,
}

impl Suggestion {
    fn apply(&self, source: &str) -> String {
        let mut pieces: Vec<_> = self.pieces.iter().collect();
        pieces.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
        let mut fixed = source.to_owned();
        for (start, end, text) in pieces {
            fixed.replace_range(start..end, text);
        }
        fixed
    }
}

/// A crate with a program for each source, which is checked with this one.
struct Programs {
    folder: PathBuf,
}

impl Programs {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("applied");
        let _ = fs::remove_dir_all(folder.join("src"));
        fs::create_dir_all(folder.join("src/bin")).unwrap();
        let this = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = format!(
            "[package]\nname = \"applied\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nhud-core = {{ path = {this:?}, features = [\"schema\"] }}\n\n[workspace]\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::copy(this.join("../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        fs::write(folder.join("src/lib.rs"), "").unwrap();
        Self { folder }
    }

    /// The errors in each source, by its name.
    fn errors(&self, sources: &BTreeMap<String, String>) -> BTreeMap<String, Vec<Error>> {
        let programs = self.folder.join("src/bin");
        for old in files(&programs, ".rs") {
            fs::remove_file(old).unwrap();
        }
        for (name, source) in sources {
            fs::write(programs.join(name).with_extension("rs"), source).unwrap();
        }
        let output = Command::new(env!("CARGO"))
            .args([
                "check",
                "--bins",
                "--keep-going",
                "--offline",
                "--message-format=json",
            ])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .output()
            .unwrap();
        let mut errors: BTreeMap<String, Vec<Error>> = BTreeMap::new();
        let mut checked = BTreeSet::new();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let message: Value = serde_json::from_str(line).unwrap();
            let name = message["target"]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            if message["reason"] == "compiler-artifact" {
                checked.insert(name);
            } else if message["message"]["level"] == "error" {
                checked.insert(name.clone());
                let found = errors.entry(name.clone()).or_default();
                found.push(error(&message["message"], &format!("{name}.rs")));
            }
        }
        let missing: Vec<_> = sources
            .keys()
            .filter(|name| !checked.contains(*name))
            .collect();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(missing.is_empty(), "not checked: {missing:?}\n{stderr}");
        errors
    }
}

/// An error, with what may be applied in the file.
fn error(message: &Value, file: &str) -> Error {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut suggestions = Vec::new();
    for child in message["children"].as_array().into_iter().flatten() {
        let spans: Vec<_> = child["spans"].as_array().into_iter().flatten().collect();
        let is_code = |span: &&Value| {
            let applicability = text(&span["suggestion_applicability"]);
            ["MachineApplicable", "MaybeIncorrect"].contains(&&*applicability)
                && text(&span["file_name"]).ends_with(file)
        };
        if spans.is_empty() || !spans.iter().all(is_code) {
            continue;
        }
        let at = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let piece = |span: &&Value| {
            let (start, end) = (at(&span["byte_start"]), at(&span["byte_end"]));
            (start, end, text(&span["suggested_replacement"]))
        };
        suggestions.push(Suggestion {
            help: text(&child["message"]),
            pieces: spans.iter().map(piece).collect(),
        });
    }
    Error {
        message: text(&message["message"]),
        suggestions,
    }
}

#[test]
fn what_rustc_proposes_fixes_the_error() {
    if let Some(other) = other_compiler() {
        eprintln!("skipped: {other}");
        return;
    }
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let sources: BTreeMap<_, _> = files(&cases, ".rs")
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&cases).unwrap().with_extension("");
            let name = name.to_string_lossy().replace(['/', '\\'], "-");
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    let programs = Programs::new();
    let errors = programs.errors(&sources);
    let (mut fixed, mut of) = (BTreeMap::new(), BTreeMap::new());
    for (case, errors) in &errors {
        for error in errors {
            for suggestion in &error.suggestions {
                let name = format!("{case}-{}", fixed.len());
                fixed.insert(name.clone(), suggestion.apply(&sources[case]));
                of.insert(name, (case, error, suggestion));
            }
        }
    }
    assert!(fixed.len() > 5, "{} suggestions", fixed.len());
    let left = programs.errors(&fixed);
    let mut wrong = Vec::new();
    for (name, (case, error, suggestion)) in &of {
        let left = left.get(name).map(Vec::as_slice).unwrap_or_default();
        let before = &errors[*case];
        // The other errors of the case stay.
        let is_new = |error: &&Error| before.iter().all(|other| other.message != error.message);
        let is_fixed = left.len() < before.len() && !left.iter().any(|error| is_new(&error));
        let is_known = NO_FIX.iter().any(|(known, _)| *known == **case);
        if is_fixed == is_known {
            let left: Vec<_> = left.iter().map(|error| &error.message).collect();
            wrong.push(format!(
                "{case}: {}: {}: leaves {left:#?}",
                error.message, suggestion.help
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}: {wrong:#?}",
        wrong.len(),
        of.len()
    );
}

//! The formatter reads what the macro reads: the grammar is in two crates, and here it is held
//! together. The macro's parser is compiled into this test, since a crate of macros exports nothing
//! else.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use hud_fmt::{Options, format};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use proptest::prelude::*;

#[allow(dead_code, reason = "`rsx!` needs only a part of it")]
#[path = "../../hud-macros/src/diagnostics.rs"]
mod diagnostics;
#[path = "../../hud-macros/src/editor.rs"]
mod editor;
#[allow(dead_code, reason = "`rsx!` needs only a part of it")]
#[path = "../../hud-macros/src/marks.rs"]
mod marks;
#[path = "../../hud-macros/src/rsx/mod.rs"]
mod rsx;

#[allow(dead_code, reason = "the macro uses the rest")]
#[path = "../../hud-macros/src/krate.rs"]
mod krate;

/// The name of `hud_core`, which the macro reads from the user's manifest.
mod manifest {
    pub(crate) fn name_of(_package: &str) -> Option<String> {
        None
    }
}

/// The expansion of the body of an `rsx!`, token by token, or `None` if the macro refuses it. The spaces between the
/// tokens of an `rsx!` in an expression are the formatter's to set.
fn expansion(body: &str) -> Option<Vec<String>> {
    let expansion = flat(rsx::rsx(body.parse().ok()?));
    let is_refused = expansion.iter().any(|token| token == "compile_error");
    (!is_refused).then_some(expansion)
}

/// The tokens of a stream, with the delimiters of its groups.
fn flat(tokens: TokenStream) -> Vec<String> {
    let each = |token| match token {
        TokenTree::Group(group) => {
            let begin = format!("{:?} begins", group.delimiter());
            let end = format!("{:?} ends", group.delimiter());
            let inner = flat(group.stream());
            [vec![begin], inner, vec![end]].concat()
        }
        token => vec![token.to_string()],
    };
    tokens.into_iter().flat_map(each).collect()
}

/// Checks that the formatter takes a body that the macro takes, and that the macro makes the same of
/// it once it is formatted. Gives whether the macro takes it.
fn check(body: &str) -> Result<bool, TestCaseError> {
    let Some(expansion) = expansion(body) else {
        return Ok(false);
    };
    for width in [30, 100] {
        let mut options = Options::default();
        options.max_width = width;
        let formatted = format(&format!("rsx! {{\n{body}\n}}"), &options);
        let formatted = formatted.map_err(|error| {
            TestCaseError::fail(format!("the macro takes this:\n{body}\n{error}"))
        })?;
        let [body] = bodies(&formatted).try_into().unwrap();
        prop_assert_eq!(
            self::expansion(&body),
            Some(expansion.clone()),
            "{}",
            formatted
        );
    }
    Ok(true)
}

/// The bodies of all outermost `rsx!` in a text of Rust, or none if it is not Rust.
fn bodies(rust: &str) -> Vec<String> {
    fn find(tokens: TokenStream, rust: &str, found: &mut Vec<String>) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else {
                continue;
            };
            let is_word = |token: &TokenTree| token.to_string() == "rsx";
            let is_call = at > 1 && is_word(&tokens[at - 2]) && tokens[at - 1].to_string() == "!";
            if is_call && group.delimiter() == Delimiter::Brace {
                let place = group.span().byte_range();
                found.push(rust[place.start + 1..place.end - 1].to_owned());
            } else {
                find(group.stream(), rust, found);
            }
        }
    }
    let mut found = Vec::new();
    if let Ok(tokens) = rust.parse() {
        find(tokens, rust, &mut found);
    }
    found
}

/// The code in the docs of a file, each block of it.
fn documented(file: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block: Option<String> = None;
    for line in file.lines() {
        let line = line.trim_start();
        let docs = ["///", "//!"]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        let line = docs.unwrap_or(line).trim();
        if line.starts_with("```") {
            match block.take() {
                Some(code) => blocks.push(code),
                None => block = Some(String::new()),
            }
        } else if let Some(code) = &mut block {
            code.push_str(line.strip_prefix("# ").unwrap_or(line));
            code.push('\n');
        }
    }
    blocks
}

/// The files of the workspace with an ending.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files(&path, found);
        } else if name.ends_with(".rs") || name.ends_with(".md") {
            found.push(path);
        }
    }
}

#[test]
fn every_layout_of_the_workspace_that_the_macro_takes_is_formatted_to_one_of_the_same_meaning() {
    let mut found = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        &mut found,
    );
    found.sort();
    let (mut taken, mut refused) = (0, 0);
    for path in found {
        let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let code = documented(&text);
        let rust = path.extension().is_some_and(|ending| ending == "rs");
        let rust = rust.then_some(&text);
        for body in rust.into_iter().chain(&code).flat_map(|rust| bodies(rust)) {
            match check(&body) {
                Ok(true) => taken += 1,
                Ok(false) => refused += 1,
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }
    // Tests, examples and docs are full of them, and so are the cases that do not compile.
    assert!(
        taken > 400 && refused > 50,
        "{taken} taken, {refused} refused"
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: ProptestConfig::default().cases.max(5000),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_layout_that_the_macro_takes_is_formatted_to_one_of_the_same_meaning(
        pieces in prop::collection::vec(
            prop::sample::select(include_str!("../../hud-macros/tests/pieces.txt").lines().collect::<Vec<_>>()),
            0..8,
        ),
    ) {
        let text = pieces.join(" ");
        let open = text.matches('{').count() - text.matches('}').count().min(text.matches('{').count());
        for text in [format!("{text}{}", "}".repeat(open)), text] {
            check(&text)?;
        }
    }
}

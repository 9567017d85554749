//! The serialiser against the reference: each case is a tree, options, and the reference's text.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and says what it skipped"
)]

#[path = "../examples/gfm-cases/case.rs"]
mod case;

use std::fs;
use std::path::Path;

use case::Case;
use hud_core::gfm::to_string;

/// How many cases of a file are met: `(exact, all)`, and the first few that are not.
struct Score {
    exact: usize,
    all: usize,
    differences: String,
}

fn run(text: &str) -> Score {
    let mut score = Score {
        exact: 0,
        all: 0,
        differences: String::new(),
    };
    for line in text.lines().filter(|line| !line.is_empty()) {
        let case = Case::read(line).unwrap();
        let actual = match case.tree {
            Ok(tree) => to_string(&tree, &case.options),
            Err(error) => format!("<{error}>"),
        };
        score.all += 1;
        if actual == case.expected {
            score.exact += 1;
        } else if score.all - score.exact <= 20 {
            score.differences += &format!(
                "{}\n  expected {:?}\n  actual   {actual:?}\n",
                case.id, case.expected
            );
        }
    }
    score
}

/// Cases of our own. Those without `strict`, `math` or `mdx` are the reference's bytes too.
#[test]
fn our_cases_are_met() {
    let score = run(include_str!("gfm_cases.jsonl"));
    assert!(
        score.exact == score.all && score.all > 0,
        "{}",
        score.differences
    );
}

/// The reference's own test suites, the CommonMark and GFM specs, and random trees.
#[test]
fn the_reference_is_met_byte_for_byte() {
    let Some(data) = std::env::var_os("HUD_DATA") else {
        println!("skipped: HUD_DATA is not set");
        return;
    };
    let files = fs::read_dir(Path::new(&data).join("mdast")).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no files of cases in {}", data.display());

    let mut differences = String::new();
    for path in paths {
        let score = run(&fs::read_to_string(&path).unwrap());
        println!("{} of {} in {}", score.exact, score.all, path.display());
        if score.exact < score.all {
            differences += &format!("{}\n{}", path.display(), score.differences);
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

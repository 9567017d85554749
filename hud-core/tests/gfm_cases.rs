//! The serialiser against the reference: each case is a tree, options, and the reference's text.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and says what it skipped"
)]

use std::fs;
use std::path::Path;

use hud_core::gfm::{
    Attention, Bullet, BulletOrdered, Fence, ListItemIndent, Options, Quote, Rule, RuleRepetition,
    to_string,
};
use markdown::mdast::Node;
use serde_json::{Value, json};

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
        let case: Value = serde_json::from_str(line).unwrap();
        let expected = case["expected"].as_str().unwrap();
        let mut tree = case["tree"].clone();
        // What the reference takes a missing `spread` for depends on who asks.
        let is_spread = case["options"]["listItemIndent"] != "mixed";
        fill_defaults(&mut tree, is_spread);
        let tree: Result<Node, _> = serde_json::from_value(tree);
        let actual = match tree {
            Ok(tree) => to_string(&tree, &options(&case)),
            Err(error) => format!("<{error}>"),
        };
        score.all += 1;
        if actual == expected {
            score.exact += 1;
        } else if score.all - score.exact <= 20 {
            score.differences += &format!(
                "{}\n  expected {expected:?}\n  actual   {actual:?}\n",
                case["id"]
            );
        }
    }
    score
}

/// The trees are the reference's, which takes more for granted than the `markdown` crate's types.
fn fill_defaults(node: &mut Value, is_spread: bool) {
    let Value::Object(fields) = node else { return };
    let defaults: &[(&str, Value)] = match fields["type"].as_str().unwrap_or_default() {
        "list" => &[
            ("ordered", json!(false)),
            ("spread", json!(is_spread)),
            ("children", json!([])),
        ],
        "listItem" => &[("spread", json!(is_spread)), ("children", json!([]))],
        "heading" => &[("depth", json!(1)), ("children", json!([]))],
        "link" => &[("url", json!("")), ("children", json!([]))],
        "image" => &[("url", json!("")), ("alt", json!(""))],
        "definition" => &[("url", json!("")), ("identifier", json!(""))],
        "linkReference" => &[
            ("identifier", json!("")),
            ("referenceType", json!("collapsed")),
            ("children", json!([])),
        ],
        "imageReference" => &[
            ("identifier", json!("")),
            ("referenceType", json!("collapsed")),
            ("alt", json!("")),
        ],
        "footnoteReference" => &[("identifier", json!(""))],
        "footnoteDefinition" => &[("identifier", json!("")), ("children", json!([]))],
        "table" => &[("align", json!([])), ("children", json!([]))],
        "text" | "inlineCode" | "code" | "html" | "inlineMath" | "math" => &[("value", json!(""))],
        "break" | "thematicBreak" => &[],
        _ => &[("children", json!([]))],
    };
    for (name, value) in defaults {
        let field = fields.entry(*name).or_insert(Value::Null);
        if field.is_null() {
            *field = value.clone();
        }
    }
    if let Some(Value::Array(children)) = fields.get_mut("children") {
        for child in children {
            fill_defaults(child, is_spread);
        }
    }
}

fn options(case: &Value) -> Options {
    let mut options = Options::default();
    let all = [&case["options"], &case["gfmOptions"]];
    for (name, value) in all.into_iter().filter_map(Value::as_object).flatten() {
        let flag = || value.as_bool().unwrap();
        let text = || value.as_str().unwrap();
        match name.as_str() {
            "bullet" => options.bullet = bullet(text()),
            "bulletOrdered" => {
                options.bullet_ordered = match text() {
                    "." => BulletOrdered::Dot,
                    _ => BulletOrdered::Paren,
                }
            }
            "bulletOther" => options.bullet_other = Some(bullet(text())),
            "closeAtx" => options.close_atx = flag(),
            "emphasis" => options.emphasis = attention(text()),
            "fence" => {
                options.fence = match text() {
                    "`" => Fence::Backtick,
                    _ => Fence::Tilde,
                }
            }
            "fences" => options.fences = flag(),
            "firstLineBlank" => options.first_line_blank = flag(),
            "incrementListMarker" => options.increment_list_marker = flag(),
            "math" => options.math = flag(),
            "mdx" => options.mdx = flag(),
            "listItemIndent" => {
                options.list_item_indent = match text() {
                    "mixed" => ListItemIndent::Mixed,
                    "tab" => ListItemIndent::Tab,
                    _ => ListItemIndent::One,
                }
            }
            "quote" => {
                options.quote = match text() {
                    "'" => Quote::Single,
                    _ => Quote::Double,
                }
            }
            "resourceLink" => options.resource_link = flag(),
            "rule" => {
                options.rule = match text() {
                    "-" => Rule::Dash,
                    "_" => Rule::Underscore,
                    _ => Rule::Asterisk,
                }
            }
            "ruleRepetition" => {
                let markers = u8::try_from(value.as_u64().unwrap()).unwrap();
                options.rule_repetition = RuleRepetition::new(markers).unwrap();
            }
            "ruleSpaces" => options.rule_spaces = flag(),
            "setext" => options.setext = flag(),
            "strict" => options.strict = flag(),
            "strong" => options.strong = attention(text()),
            "tableCellPadding" => options.table_cell_padding = flag(),
            "tablePipeAlign" => options.table_pipe_align = flag(),
            "tightDefinitions" => options.tight_definitions = flag(),
            other => panic!("unknown option {other}"),
        }
    }
    options
}

fn bullet(marker: &str) -> Bullet {
    match marker {
        "-" => Bullet::Dash,
        "+" => Bullet::Plus,
        _ => Bullet::Asterisk,
    }
}

fn attention(marker: &str) -> Attention {
    match marker {
        "_" => Attention::Underscore,
        _ => Attention::Asterisk,
    }
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

//! The precision and the recall of intents, measured by the cases in `tests/cases/lexicon`. It has a folder for each
//! intent, with a file for each language.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::{continuation, farewell, relation, rule};

/// The least precision, in percent.
const LEAST: usize = 95;

/// Sentences that have an intent, and others that have words of it but another meaning.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    positive: Vec<String>,
    negative: Vec<String>,
}

/// True if a sentence has the intent of a folder.
fn has(intent: &str, text: &str) -> bool {
    let relation = || relation::Relation::of(text);
    match intent {
        "continue" => continuation::is_continuation(text),
        "done" => relation::says_done(text),
        "forbid" => rule::rule(text).is_some(),
        "thanks" => farewell::is_farewell(text),
        "withdraw" => relation().withdraws,
        other => panic!("no rule reads `{other}`"),
    }
}

#[test]
fn what_is_taken_for_an_intent_is_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/lexicon");
    let mut report = String::new();
    let mut wrong = Vec::new();
    for intent in sorted(&folder) {
        for file in sorted(&folder.join(&intent)) {
            let text = fs::read_to_string(folder.join(&intent).join(&file)).unwrap();
            let cases: Cases = toml::from_str(&text).unwrap();
            let count = |cases: &[String]| {
                let found = cases.iter().filter(|text| has(&intent, text));
                found.count()
            };
            let (right, false_alarms) = (count(&cases.positive), count(&cases.negative));
            let percent = |part: usize, of: usize| (part * 100).checked_div(of).unwrap_or(100);
            let precision = percent(right, right + false_alarms);
            let recall = percent(right, cases.positive.len());
            report += &format!("{intent}/{file}: precision {precision} %, recall {recall} %\n");
            if precision < LEAST || right == 0 {
                wrong.push(format!("{intent}/{file}"));
            }
        }
    }
    println!("{report}");
    assert!(
        wrong.is_empty(),
        "less than {LEAST} % precision, or nothing found: {wrong:?}\n{report}"
    );
    assert!(!report.is_empty());
}

/// The names in a folder, in alphabetical order.
fn sorted(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

//! As much as fits of fifty parts with two hundred items, 44 kB of text: the choice alone, and with exact
//! counting when nothing is known of the texts and when all of it is.
//!
//! `HUD_DATA=.. cargo bench -p hud-core --features bpe --bench fit` reads `fit/workload.json` there, and a smaller
//! case of its own otherwise. It prints the figures for 70 %, 40 % and 15 % of all tokens.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on says so, and its figures are what it is run for"
)]

use divan::{Bencher, black_box};
use hud_core::fit::{Candidate, Solution, Variant, Worth, solve};
use hud_core::tokens::{Encoding, Estimate, Ledger, TokenCounter};
use serde_json::Value;
use std::sync::{Arc, LazyLock};

fn main() {
    for percent in BUDGETS {
        let counter = Ledger::new(Encoding::O200k.counter());
        let (candidates, all) = counted(&PARTS, &counter);
        let solution = chosen(&candidates, all * percent / 100);
        let written = written(&PARTS, &solution);
        let tokens = u64::from(count(&counter, &written));
        assert!(tokens <= all * percent / 100, "the budget is kept");
        assert_eq!(
            tokens, solution.cost,
            "what is written counts as its blocks do"
        );
        println!(
            "{percent} % of {all} tokens ({}): {tokens} taken, worth {} of at most {}",
            counter.name(),
            solution.worth,
            solution.bound,
        );
    }
    divan::main();
}

const BUDGETS: [u64; 3] = [70, 40, 15];

/// A part: a heading, and items, those first that are worth most. Each text is a block.
struct Part {
    title: String,
    worth: u8,
    items: Vec<(String, u8)>,
}

static PARTS: LazyLock<Vec<Part>> = LazyLock::new(parts);

fn parts() -> Vec<Part> {
    let Some(data) = std::env::var_os("HUD_DATA") else {
        return (0..10).map(small).collect();
    };
    let path = std::path::Path::new(&data).join("fit/workload.json");
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => panic!("{}: {error}", path.display()),
    };
    let workload: Value = match serde_json::from_str(&text) {
        Ok(workload) => workload,
        Err(error) => panic!("{}: {error}", path.display()),
    };
    let block = |value: &Value| value.as_str().unwrap_or_default().to_owned() + "\n\n";
    let worth = |value: &Value| {
        value
            .as_u64()
            .and_then(|worth| worth.try_into().ok())
            .unwrap_or(0)
    };
    let part = |part: &Value| {
        let items = part["chunks"].as_array().into_iter().flatten();
        let mut items: Vec<(String, u8)> = items
            .map(|item| (block(&item["text"]), worth(&item["priority"])))
            .collect();
        items.sort_by_key(|(_, worth)| std::cmp::Reverse(*worth));
        Part {
            title: block(&part["title"]),
            worth: worth(&part["priority"]),
            items,
        }
    };
    workload
        .as_array()
        .into_iter()
        .flatten()
        .map(part)
        .collect()
}

/// A part of the case that needs no data.
fn small(n: u8) -> Part {
    Part {
        title: format!("## Part {n}\n\n"),
        worth: 10 * n,
        items: (0..4)
            .map(|item| {
                let text = format!(
                    "- item {item} of part {n}, which says {}\n\n",
                    "a word ".repeat(usize::from(n + item))
                );
                (text, 90 - 20 * item)
            })
            .collect(),
    }
}

fn count(counter: &dyn TokenCounter, text: &str) -> u32 {
    match counter.count(text) {
        Ok(count) => count,
        Err(error) => panic!("{error}"),
    }
}

/// Each part with its title and the first of its items, one more for each variant, and the tokens of all.
fn counted(parts: &[Part], counter: &dyn TokenCounter) -> (Vec<Candidate>, u64) {
    let mut all = 0;
    let candidates = parts.iter().map(|part| {
        let mut cost = count(counter, &part.title);
        let mut worth = i64::from(part.worth) * 1_000;
        let variants = part.items.iter().map(|(text, of_item)| {
            cost += count(counter, text);
            worth += i64::from(*of_item) * 1_000;
            Variant {
                cost,
                worth: Worth::of_thousandths(worth),
            }
        });
        let candidate = Candidate {
            variants: variants.collect(),
            required: false,
        };
        all += u64::from(cost);
        candidate
    });
    (candidates.collect(), all)
}

fn chosen(candidates: &[Candidate], budget: u64) -> Solution {
    match solve(candidates, budget) {
        Ok(solution) => solution,
        Err(error) => panic!("{error}"),
    }
}

fn written(parts: &[Part], solution: &Solution) -> String {
    let mut text = String::new();
    for (part, chosen) in parts.iter().zip(&solution.chosen) {
        let Some(last) = chosen else { continue };
        text.push_str(&part.title);
        part.items[..=*last]
            .iter()
            .for_each(|(item, _)| text.push_str(item));
    }
    text
}

fn all(counter: &dyn TokenCounter) -> u64 {
    counted(&PARTS, counter).1
}

/// Counting by a fourth of the characters, the choice, and the text.
#[divan::bench(args = BUDGETS)]
fn structural(bencher: Bencher<'_, '_>, percent: u64) {
    struct Fourth;
    impl TokenCounter for Fourth {
        fn name(&self) -> &str {
            "a fourth"
        }
        fn count(&self, text: &str) -> Result<u32, hud_core::tokens::CountError> {
            Ok((text.len() / 4) as u32)
        }
    }
    let budget = all(&Fourth) * percent / 100;
    bencher.bench(|| {
        let (candidates, _) = counted(black_box(&PARTS), &Fourth);
        written(&PARTS, &chosen(&candidates, budget))
    });
}

/// The choice alone.
#[divan::bench(args = BUDGETS)]
fn choice(bencher: Bencher<'_, '_>, percent: u64) {
    let (candidates, all) = counted(&PARTS, &Estimate);
    bencher.bench(|| chosen(black_box(&candidates), all * percent / 100));
}

/// Counting as the encoding does, with nothing known of the texts.
#[divan::bench(args = BUDGETS)]
fn cold(bencher: Bencher<'_, '_>, percent: u64) {
    let exact: Arc<dyn TokenCounter> = Encoding::O200k.counter();
    let budget = all(&exact) * percent / 100;
    bencher.bench(|| {
        let ledger = Ledger::new(Arc::clone(&exact));
        let (candidates, _) = counted(black_box(&PARTS), &ledger);
        written(&PARTS, &chosen(&candidates, budget))
    });
}

/// The same when all texts were counted before.
#[divan::bench(args = BUDGETS)]
fn warm(bencher: Bencher<'_, '_>, percent: u64) {
    let ledger = Ledger::new(Encoding::O200k.counter());
    let budget = all(&ledger) * percent / 100;
    bencher.bench(|| {
        let (candidates, _) = counted(black_box(&PARTS), &ledger);
        written(&PARTS, &chosen(&candidates, budget))
    });
}

/// The same with the estimate, and nothing kept.
#[divan::bench(args = BUDGETS)]
fn estimated(bencher: Bencher<'_, '_>, percent: u64) {
    let budget = all(&Estimate) * percent / 100;
    bencher.bench(|| {
        let (candidates, _) = counted(black_box(&PARTS), &Estimate);
        written(&PARTS, &chosen(&candidates, budget))
    });
}

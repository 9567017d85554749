//! Shortens paragraphs and keeps their requests.

use super::ask::{is_directive, refers};
use super::message::SENTENCES;
use super::words::{beginning, clip, lower};
use crate::lexicon::Intent;
use crate::prose::sentences;

/// Shortens paragraphs to a number of characters. Requests come first, with the sentences that they refer to, and then
/// the sentences from the beginning.
pub(super) fn shortened(paragraphs: &[String], most: usize) -> String {
    let length = |text: &str| text.chars().count();
    if paragraphs
        .iter()
        .map(|text| length(text) + 1)
        .sum::<usize>()
        <= most + 1
    {
        return paragraphs.join(" ");
    }
    let all: Vec<&str> = paragraphs
        .iter()
        .flat_map(|text| sentences(text))
        .take(SENTENCES)
        .collect();
    let lowered: Vec<String> = all.iter().map(|sentence| lower(sentence)).collect();
    let mut kept: Vec<usize> = Vec::new();
    let mut left = most;
    let mut keep = |at: usize, left: &mut usize| {
        let Some(sentence) = all.get(at) else { return };
        let cost = length(without_aside(sentence)) + 1;
        if !kept.contains(&at) && (cost <= *left || kept.is_empty()) {
            kept.push(at);
            *left = left.saturating_sub(cost);
        }
    };
    // The first sentence has the subject.
    if all.first().is_some_and(|first| length(first) * 3 <= most) {
        keep(0, &mut left);
    }
    for (at, sentence) in lowered.iter().enumerate() {
        if is_directive(sentence) {
            if at > 0 && refers(sentence) {
                keep(at - 1, &mut left);
            }
            keep(at, &mut left);
        }
    }
    // A title is of no use without the text below it.
    let is_title = |sentence: &str| sentence.ends_with(':') && sentence.len() < 100;
    for at in (0..all.len()).filter(|at| all.get(*at).is_some_and(|sentence| !is_title(sentence))) {
        keep(at, &mut left);
    }
    kept.sort_unstable();
    let mut said = String::new();
    let mut before = None;
    for at in kept {
        let Some(sentence) = all.get(at) else {
            continue;
        };
        if before.is_some_and(|before| before + 1 < at) {
            said.push_str(" …");
        }
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(without_aside(sentence));
        before = Some(at);
    }
    clip(&said, most)
}

/// A sentence without a leading subordinate clause: only the last half of `While a is fine, b is not`.
fn without_aside(sentence: &str) -> &str {
    let lowered = lower(beginning(sentence, 10));
    if Intent::Concede.begins(&lowered)
        && let Some((_, point)) = sentence.split_once(", ")
        && point.split_whitespace().nth(3).is_some()
    {
        return point;
    }
    sentence
}

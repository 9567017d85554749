//! The arguments of a check: its targets, and the options that narrow or change it.

use super::super::runner::{Runner, Takes, is_reporting, is_shown, takes};
use super::{Check, Kind};

/// Returns the check of a program from its subcommand and the words after it.
pub(super) fn check(kind: Kind, of: Option<&Runner>, head: &[&str], rest: &[&str]) -> Check {
    let head = head.join(" ");
    let (mut targets, mut narrowing, mut options) = (Vec::new(), Vec::new(), Vec::new());
    let mut shown = Vec::new();
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) if word.starts_with('-') => (option, Some(value)),
            _ => (word, None),
        };
        let takes = takes(of, option);
        if word == "--" {
        } else if takes == Takes::Narrowing {
            let next = || words.next_if(|next| !next.starts_with('-'));
            if let Some(value) = value.or_else(next) {
                narrowing.push((option.to_owned(), value.to_owned()));
            }
        } else if word.starts_with('-') {
            if takes == Takes::Value && value.is_none() {
                words.next_if(|next| !next.starts_with('-'));
            }
            if is_shown(of, option) {
                shown.push(option);
            }
            if option.starts_with("--") && takes == Takes::Nothing && !is_reporting(of, option) {
                options.push(option.to_owned());
            }
        } else {
            targets.push(word.to_owned());
        }
    }
    let mut name = head.clone();
    let narrow = narrowing
        .iter()
        .flat_map(|(option, value)| [option.as_str(), value.as_str()]);
    let words = shown
        .into_iter()
        .chain(narrow)
        .chain(targets.iter().map(String::as_str));
    for word in words {
        let is_plain = word
            .chars()
            .all(|c| c.is_alphanumeric() || "-_./:@%+=,^~[]*".contains(c));
        name.push(' ');
        match is_plain {
            true => name.push_str(word),
            false => name.push_str(&format!("'{}'", word.replace('\'', ""))),
        }
    }
    Check {
        is_silent: of.is_some_and(|of| of.silent),
        kind,
        name,
        head,
        targets,
        narrowing,
        options,
    }
}

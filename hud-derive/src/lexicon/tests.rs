use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::phrases::{FEW_BYTES, Phrases};
use super::{Found, Intent, check};

/// The files of `lexicon/` by the codes of their languages.
fn files() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lexicon");
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let read = |path: PathBuf| {
        let code = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (code, fs::read_to_string(path).unwrap())
    };
    paths.map(read).collect()
}

#[test]
fn each_file_is_without_faults() {
    for (code, text) in files() {
        assert_eq!(check(&code, &text).errors, [], "lexicon/{code}.toml");
    }
}

#[test]
fn each_language_has_cases_of_each_intent_and_each_case_a_language() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/lexicon");
    let known: BTreeSet<String> = files().into_keys().collect();
    for folder in fs::read_dir(cases).unwrap() {
        let folder = folder.unwrap().path();
        let stem = |file: std::io::Result<fs::DirEntry>| {
            let path = file.unwrap().path();
            path.file_stem().unwrap().to_str().unwrap().to_owned()
        };
        let tested: BTreeSet<String> = fs::read_dir(&folder).unwrap().map(stem).collect();
        assert_eq!(tested, known, "{}", folder.display());
    }
}

#[test]
fn a_fault_has_its_file_its_line_and_the_fix() {
    let text = "withdraw = [\n    \"never mind\",\n    \"Forget it\",\n    \" drop it\",\n    \"never mind\",\n]\n\
                withdrew = []\nthanks = 1\n";
    let errors = check("xx.toml", text).errors;
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(errors.join("\n"), @r#"
    xx.toml, line 3: no text has `Forget it`, as texts are compared in small letters. Write `forget it`
    xx.toml, line 4: a phrase of `withdraw` is empty, or begins or ends with white space. Remove the space, or the phrase
    xx.toml, line 5: `never mind` is in `withdraw` already, in line 2. Remove one of them
    xx.toml, line 7: no intent is named `withdrew`. Did you mean `withdraw`?
    xx.toml, line 8: `thanks` is no list of phrases. Write `thanks = ["a phrase"]`
    "#);
    let errors = check("xx.toml", "thanks = [\"a\"\nno").errors;
    assert!(
        errors
            .iter()
            .any(|error| error.to_string().starts_with("xx.toml, line 2: "))
    );
}

#[test]
fn a_phrase_is_found_as_words_and_within_words_at_a_star() {
    let is_in = |phrase: &str, text: &str| {
        let phrases = phrases(&[phrase]);
        phrases.all_in(text).next().is_some()
    };
    for (phrase, text) in [
        ("forget it", "please forget it!"),
        ("remov*", "removing it"),
        ("*ursache", "die hauptursache ist"),
        ("*n't", "it doesn't"),
        ("不要", "请不要提交"),
        (", not", "use spaces, not tabs"),
    ] {
        assert!(is_in(phrase, text), "{phrase}: {text}");
    }
    for (phrase, text) in [
        ("forget it", "forget item"),
        ("forget it", "unforget it"),
        ("remov*", "unremoved"),
        ("*ursache", "ursachen"),
        ("x", ""),
    ] {
        assert!(!is_in(phrase, text), "{phrase}: {text}");
    }
    let is = |phrase: &str, word: &str| phrases(&[phrase]).is(word);
    assert!(is("do", "do") && is("*ай", "делай") && is("künftig*", "künftige"));
    assert!(!is("do", "done") && !is("*ай", "айда"));
}

/// The phrases of a file in an unnamed language.
fn phrases(all: &[&str]) -> Phrases {
    let all = all.iter().map(|phrase| &*String::from(*phrase).leak());
    Phrases::of(&[("xx", Vec::leak(all.collect()))])
}

proptest! {
    #[test]
    fn many_phrases_are_found_where_each_alone_is(
        all in proptest::collection::btree_set("[ab]{1,3}|[ab] [ab]|不|[ab]\\*", 1..6),
        text in "[ab 不,_]{0,20}",
    ) {
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let places = |phrases: &Phrases| -> Vec<(usize, usize)> {
            let found = phrases.all_in(&text);
            found.map(|Found { start, end, .. }| (start, end)).collect()
        };
        let one_by_one = phrases(&all);
        let mut together = places(&one_by_one);
        let automaton = phrases(&all);
        prop_assert_eq!(automaton.all_in(&"x".repeat(FEW_BYTES)).count(), 0);
        prop_assert_eq!(&places(&automaton), &together);
        let mut each: Vec<_> = all.iter().flat_map(|phrase| places(&phrases(&[phrase]))).collect();
        together.sort_unstable();
        each.sort_unstable();
        prop_assert_eq!(&together, &each);
        let begins = together.iter().filter(|(start, _)| *start == 0).map(|(_, end)| *end).max();
        prop_assert_eq!(phrases(&all).at_begin(&text), begins);
    }
}

#[test]
fn an_intent_is_found_in_each_language_that_has_it() {
    for (lowered, language) in [
        ("please forget it", "en"),
        ("laisse tomber", "fr"),
        ("算了", "zh"),
    ] {
        let found = Intent::Withdraw.first_in(lowered);
        assert_eq!(
            found.map(|found| found.language),
            Some(language),
            "{lowered}"
        );
    }
}

//! The catalogue of mistakes: each is found, at its place, with the mend.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hud_layout::wrong::MISTAKES;
use hud_layout::{Catalogue, Source, Template};

fn told(layout: &str) -> String {
    let source = Source::new("layout.mdx", layout);
    match Template::read(&source, &[], &Catalogue::built_in()) {
        Ok(_) => format!("{layout}\n   is taken\n"),
        Err(wrong) => wrong.to_string(),
    }
}

#[test]
fn every_mistake_is_told_with_its_place_and_the_mend() {
    let mut all = String::new();
    for case in MISTAKES.iter().flat_map(|(_, cases)| *cases) {
        let told = told(case);
        assert!(!told.contains("is taken"), "{told}");
        writeln!(all, "{told}").unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn the_line_of_a_mistake_has_no_part_of_its_end() {
    for (layout, line) in [("<P\r", "<P"), ("<P\r\n", "<P"), ("<P\r\r\n", "<P\r")] {
        let source = Source::new("layout.mdx", layout);
        let wrong = Template::read(&source, &[], &Catalogue::built_in()).unwrap_err();
        assert_eq!(wrong.list[0].text, line, "{layout:?}");
    }
}

#[cfg(not(feature = "script"))]
#[test]
fn a_function_is_one_mistake_where_the_program_runs_none_and_what_calls_it_is_none() {
    let layout = "export function longest(notes) {\n  return notes.slice(0, 2);\n}\n\nexport function other() {}\n\n\
                  <NotesSection notes={longest(state.notes)} />\n";
    insta::assert_snapshot!(told(layout), @"
    layout.mdx:1:1: this program runs no functions: it was built without the feature `script`
    1 | export function longest(notes) {
      | ^^^^^^^^^^^^^^^ build it with `cargo install --path hud-cli --features script`, or write an expression
    ");
    let imported = told("import {\n  Chart,\n  Table,\n} from './chart'\n\n{state.trun}\n");
    assert_eq!(imported.matches("layout.mdx:").count(), 2, "{imported}");
    assert!(
        imported.contains("6:8: there is no `trun` here"),
        "{imported}"
    );
}

#[test]
fn all_mistakes_of_a_layout_are_told_at_once_and_twenty_at_most() {
    let layout = "<Nothing />\n\n".repeat(50);
    let source = Source::new("layout.mdx", layout);
    let wrong = Template::read(&source, &[], &Catalogue::built_in()).unwrap_err();
    assert_eq!((wrong.list.len(), wrong.count()), (20, 50));
    assert!(wrong.to_string().ends_with("and 30 more\n"));
    let last = wrong.list.last().unwrap();
    assert_eq!((last.line, last.column), (39, 2));
}

/// Layouts with a mistake that `rsx!` can make, too, and the case of its tests that has it.
const SHARED: &[(&str, &str)] = &[
    ("children/of_a_leaf", "<Meter used={1}>child</Meter>"),
    ("props/a_key", "<Task key={1} title=\"a\" />"),
    ("props/empty_braces", "<Task text={} owner=\"o\" />"),
    ("props/missing", "<Task owner=\"o\" />"),
    ("props/misspelt_and_missing", "<Task txet=\"t\" />"),
    ("props/twice", "<Task text=\"t\" owner=\"o\" text=\"u\" />"),
    (
        "props/value_without_braces",
        "<Task text=\"t\" owner=name />",
    ),
    ("props/with_a_colon", "<Task title: \"a\" />"),
    (
        "props/with_a_comma_between",
        "<Task title=\"a\", limit={1} />",
    ),
    (
        "props/with_a_mark_in_front",
        "<Task :title=\"a\" @limit={1} />",
    ),
    (
        "props/with_an_arrow",
        "<Task title => \"a\" limit == {1} />",
    ),
    ("props/without_value", "<Task text= owner=\"o\" />"),
    ("tags/closed_as_a_fragment", "<Strong>a</>"),
    ("tags/closed_twice", "<List><Item>a</Item></Item></List>"),
    ("tags/closes_nothing", "a</Strong>"),
    ("tags/not_closed", "<List><Item>a</List>"),
    ("tags/of_html", "<div><h1>a</h1><ul><li>b</li></ul></div>"),
    ("tags/wrong_closing", "<List><Item>a</Itme></List>"),
];

/// What the compiler says in a case of the tests of `rsx!`.
fn told_by_rsx(case: &str) -> Vec<String> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hud-core/tests/ui");
    let text = fs::read_to_string(cases.join(case).with_extension("stderr")).unwrap();
    let said = text.lines().filter_map(|line| {
        let evaluated = line.strip_prefix("error[E0080]: evaluation panicked: ");
        evaluated.or_else(|| line.strip_prefix("error: "))
    });
    said.flat_map(|line| line.split("; `<"))
        // How a type is written is each language's own.
        .map(|said| said.split(" of type ").next().unwrap_or_default())
        .map(|said| said.trim_start_matches("`<").to_owned())
        .collect()
}

#[test]
fn a_mistake_that_rsx_can_make_has_the_same_words() {
    let task = "<Component name=\"Task\" props={{text: \"string?\", title: \"string?\", owner: \"string?\", \
                limit: \"number?\"}}>x</Component>\n\n";
    let required = task
        .replace("text: \"string?\"", "text: \"string\"")
        .replace("owner: \"string?\"", "owner: \"string\"");
    for (case, layout) in SHARED {
        let before = match case.ends_with("missing") {
            true => &required,
            false => task,
        };
        let told = told(&format!("{before}{layout}\n"));
        let words = told_by_rsx(case);
        assert!(!words.is_empty(), "{case}");
        for words in words {
            assert!(told.contains(&words), "{case}: {words}\n\n{told}");
        }
    }
    // And those that are not alone in their case.
    for (layout, words) in [
        (
            "<Break x={1} />",
            "`<Break>` has no prop `x`: it takes none",
        ),
        ("<Item", "`<Item` is not ended: write `/>` or `>`"),
        ("<Task \"t\" />", "expected a prop of `<Task>`, `/>` or `>`"),
    ] {
        let told = told(layout);
        assert!(told.contains(words), "{told}");
    }
}

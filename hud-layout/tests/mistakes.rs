//! The catalogue of mistakes: each is found, at its place, with the mend.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hud_layout::wrong::MISTAKES;
use hud_layout::{Catalogue, Placed, Source, Template};

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

/// The errors of a layout.
fn errors(layout: &str) -> Vec<Placed> {
    let source = Source::new("layout.mdx", layout);
    let read = Template::read(&source, &[], &Catalogue::built_in());
    read.err().map(|wrong| wrong.list).unwrap_or_default()
}

/// A layout with the name that a message proposes in the place of the wrong one, for each such message, and the line and
/// the column of both.
fn with_the_names_that_were_meant(layout: &str) -> Vec<(usize, usize, String)> {
    let mut fixed = Vec::new();
    for error in errors(layout) {
        let help = error.help.unwrap_or_default();
        let text = format!("{} {help}", error.message);
        let Some((before, after)) = text.split_once("did you mean `") else {
            continue;
        };
        let plain = |name: &str| name.trim_matches(['<', '>']).to_owned();
        let meant = plain(after.split('`').next().unwrap());
        let written = plain(before.rsplit('`').nth(1).unwrap());
        let lines = layout.split_inclusive('\n').take(error.line - 1);
        let line: usize = lines.map(str::len).sum();
        let letters = error.text.chars().take(error.column - 1);
        let mark = line + letters.map(char::len_utf8).sum::<usize>();
        let start = mark + layout[mark..].find(&written).unwrap();
        let mut right = layout.to_owned();
        right.replace_range(start..start + written.len(), &meant);
        // A closing tag has the name, too.
        let right = right.replace(&format!("</{written}>"), &format!("</{meant}>"));
        fixed.push((error.line, error.column, right));
    }
    fixed
}

#[test]
fn a_name_that_a_message_proposes_is_right() {
    let mut count = 0;
    for case in MISTAKES.iter().flat_map(|(_, cases)| *cases) {
        for (line, column, right) in with_the_names_that_were_meant(case) {
            count += 1;
            let is_unknown = |error: &Placed| {
                (error.line, error.column) == (line, column)
                    && [" is no ", " has no "]
                        .iter()
                        .any(|no| error.message.contains(no))
            };
            let unknown = errors(&right).into_iter().find(is_unknown);
            assert!(unknown.is_none(), "{right}: {unknown:?}");
        }
    }
    assert!(count > 12, "{count} names");
}

/// Layouts with the code that messages propose, and what is necessary around it.
const RIGHT: &[&str] = &[
    "---\ndensity: full\n---\n\nx",
    "<Section title={'a'} />",
    "<Section title=\"a\">x</Section>",
    "<List />",
    "<List><Item>x</Item></List>",
    "<Strong>x</Strong>",
    "<>x</>",
    "<Component name=\"Risk\" props={{title: \"string\"}}>x</Component>",
    "<Component name=\"Risk\" props={{name: \"string\"}}>x</Component>\n\n{['a'].map(value => <Risk name={value} />)}",
    "<Image url={'u'} alt={'a'} />",
    "<Link url={'u'}>text</Link>",
    "<Part cap={5}><DecisionsList decisions={state.decisions} /></Part>",
    "<Table><Row><Cell>x</Cell></Row></Table>",
    "<ActiveFiles files={state.active_files} />",
    "<Field label={'a'}>x</Field>",
    "{[[{name: 'a'}]].map(list => list.map(item => item.name).join(' ')).join(' ')}",
    "<NextSteps steps={state.next_steps} />",
    "{/* x */}",
];

#[test]
fn the_code_that_a_message_proposes_is_right() {
    for layout in RIGHT {
        let output = told(layout);
        assert!(output.contains("is taken"), "{output}");
    }
    let (mut missing, mut count) = (Vec::new(), 0);
    for case in MISTAKES.iter().flat_map(|(_, cases)| *cases) {
        for code in told(case).split("write `").skip(1) {
            let code = code.split('`').next().unwrap_or_default();
            count += 1;
            // `..` and what a tag needs are filled in.
            let pieces = || code.split([' ', '.']).filter(|piece| !piece.is_empty());
            let holds = |layout: &&&str| {
                let mut rest = **layout;
                pieces().all(|piece| {
                    let found = rest.split_once(piece);
                    rest = found.map_or("", |(_, after)| after);
                    found.is_some()
                })
            };
            if !RIGHT.iter().any(|layout| holds(&layout)) {
                missing.push(format!("`{code}` for {case}"));
            }
        }
    }
    assert!(count > 25, "{count} codes");
    assert!(missing.is_empty(), "not tried: {missing:#?}");
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

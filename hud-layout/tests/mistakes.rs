//! The catalogue of mistakes: each is found, at its place, with the mend.

use std::fmt::Write as _;

use hud_layout::{Catalogue, Source, Template};

/// Layouts with a mistake each, by what is wrong.
const CASES: &[&str] = &[
    // Tags.
    "<TaskSecton />",
    "<Decisons items={state.decisions} />",
    "<Chart />",
    "<tasksection />",
    "<div>x</div>",
    "<Section title=\"a\">",
    "<Section title=\"a\"><List></Section>",
    "<Section title=\"a\">\ntext\n</Secton>",
    "text </Section>",
    "<Section title=\"a\">x</Section></Section>",
    "<Meter used={1}>x</Meter>",
    "<Break>x</Break>",
    "<List><Row><Cell>x</Cell></Row></List>",
    "<Row><Cell>x</Cell></Row>",
    "<Table><Cell>x</Cell></Table>",
    "<TaskSection task={state.task}",
    "<TaskSection task={state.task} //>",
    // Props.
    "<ActiveFiles fils={state.active_files} />",
    "<ActiveFiles />",
    "<DecisionsList />",
    "<Section>x</Section>",
    "<Field title=\"a\">x</Field>",
    "<Field labl=\"a\">x</Field>",
    "<Strong bold>x</Strong>",
    "<DecisionsList decisions={state.decisions} cap={3} />",
    "<DecisionsList decisions={state.decisions} key={1} />",
    "<NextSteps steps={state.next_steps} steps={[]} />",
    "<NextSteps steps=state.next_steps />",
    "<NextSteps steps={} />",
    "<NextSteps {...props} />",
    "<NextSteps steps={state.next_steps} density=\"tiny\" />",
    "<Strong children=\"x\" />",
    "<Part layer=\"fixed\">x</Part>",
    // Types.
    "<NextSteps steps=\"all\" />",
    "<NextSteps steps={3} />",
    "<NextSteps steps />",
    "<Meter used=\"3\" />",
    "<Meter used={1.5} />",
    "<Meter used={true} />",
    "<Section title={3}>x</Section>",
    "<List ordered=\"yes\"><Item>x</Item></List>",
    "<Item checked={1}>x</Item>",
    "<TaskSection task={[1]} />",
    "<TaskSection task=\"do it\" />",
    // Expressions.
    "{stat.turn}",
    "{props.title}",
    "{state.turn = 1}",
    "{if (state.turn) 1}",
    "{state.turn; 1}",
    "{new Date()}",
    "{Math.random()}",
    "{state.notes.map(note => }",
    "{state.notes.map(note => <Item>{not.content}</Item>)}",
    "{`turn ${state.turn`}",
    "{state.turn",
    "{'text}",
    "{state.notes.map(note => <Itm>{note.content}</Itm>)}",
    "{state.notes.map(note => <Item chcked={true}>{note.content}</Item>)}",
    "{function () {}}",
    "{x => x}",
    "{await state}",
    "{state.turn++}",
    "{/a+/.test('a')}",
    // Markdown and MDX.
    "<!-- a comment -->",
    "a < b",
    "see <https://example.org>",
    "mail <me@example.org>",
    "import Chart from './chart'",
    "export const a = 1",
    "[text]({state.task})",
    "![]({state.task})",
    "[text][label]\n\n[label]: https://example.org",
    "a footnote[^1]\n\n[^1]: x",
    // Components.
    "<Component>x</Component>",
    "<Component name=\"risk\">x</Component>",
    "<Component name=\"TaskSection\">x</Component>",
    "<Component name=\"A\"><B /></Component>\n\n<Component name=\"B\"><A /></Component>\n\n<A />",
    "<Component name=\"A\"><A /></Component>",
    "<Component name=\"A\">x</Component>\n\n<Component name=\"A\">y</Component>",
    "<Component name=\"A\" props={{title: \"strin\"}}>{props.title}</Component>",
    "<Component name=\"A\" props={{title: \"string\"}}>{props.title}</Component>\n\n<A />",
    "<Component name=\"A\" props={{title: \"string\"}}>{props.title}</Component>\n\n<A titel=\"x\" title=\"y\" />",
    "<Component name=\"A\" props={{title: \"string\"}}>{props.title}</Component>\n\n<A title={3} />",
    "<Component name=\"A\">x</Component>\n\n<A>y</A>",
    "<Section title=\"x\"><Component name=\"A\">x</Component></Section>",
    // Frontmatter.
    "---\nnam: X\n---\ntext",
    "---\ndensity: tiny\n---\ntext",
    "---\nname: X\ntext",
    "---\nno key\n---\ntext",
    "---\nprops: {title: \"string\"}\n---\ntext",
    // Several at once.
    "<TaskSecton />\n\n<ActiveFiles fils={stat.files} />\n\n{state.turn = 1}\n\na < b\n\n<Meter used=\"3\">x</Meter>",
];

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
    for case in CASES {
        let told = told(case);
        assert!(!told.contains("is taken"), "{told}");
        writeln!(all, "{told}").unwrap();
    }
    insta::assert_snapshot!(all);
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

#[test]
fn a_mistake_that_rsx_can_make_has_the_same_words() {
    // The beginnings of what `hud_core::expansion::Check` says.
    for (layout, words) in [
        (
            "<ActiveFiles fils={[]} />",
            "`<ActiveFiles>` has no prop `fils`: did you mean `files`?",
        ),
        (
            "<ActiveFiles />",
            "`<ActiveFiles>` lacks the required prop `files`",
        ),
        ("<Meter used={1}>x</Meter>", "`<Meter>` takes no children"),
        (
            "<Break x={1} />",
            "`<Break>` has no prop `x`: it takes none",
        ),
        (
            "<DecisionsList decisions={[]} key={1} />",
            "`<DecisionsList>` has no prop `key`: nothing is compared with what was shown before, so remove it",
        ),
    ] {
        let told = told(layout);
        assert!(told.contains(words), "{told}");
    }
}

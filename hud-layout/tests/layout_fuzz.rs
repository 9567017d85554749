//! Whatever is in a layout's file, reading it ends on a small stack, and what is read can be shown.
//! `FUZZ_CASES` says how many files are tried, and `FUZZ_SEED` which ones.

#![allow(clippy::expect_used, reason = "a test fails by it")]

use crate::cases;

use std::collections::BTreeMap;

use hud_core::{Density, render};
use hud_layout::template::BUILT_IN;
use hud_layout::{Catalogue, Source, Template, states};

/// The stack on which layouts are read and their expressions are evaluated.
const STACK: usize = 256 * 1024;

/// What layouts are made of, and what they are broken by.
const TOKENS: &[&str] = &[
    "<TaskSection task={state.task} />",
    "<NextSteps steps={state.next_steps} />",
    "<NotesSection notes={state.notes.slice(0, 3)} />",
    "<ActiveFiles files={state.active_files.filter(file => file.path)} density={density} />",
    "<DecisionsList decisions={",
    "<Section title=\"a\">",
    "<Section title={`a ${state.turn}`}>",
    "</Section>",
    "<Part name=\"a\" worth={3}>",
    "<Part cap={1}>",
    "</Part>",
    "<Parts>",
    "</Parts>",
    "<List>",
    "</List>",
    "<Item checked>",
    "</Item>",
    "<Table><Row><Cell>",
    "</Cell></Row></Table>",
    "<Strong>",
    "</Strong>",
    "<Meter used={1} limit={2} />",
    "<Link url=\"a\">",
    "</Link>",
    "<Code>",
    "</Code>",
    "<CodeBlock>",
    "<>",
    "</>",
    "<A />",
    "<A of=\"x\" />",
    "<B />",
    "<Component name=\"A\">",
    "<Component name=\"A\" props={{of: \"string\"}}>",
    "<Component name=\"B\">",
    "</Component>",
    "{props.of}",
    "{state.notes.map(note => <Item>{note.content}</Item>)}",
    "{state.errors.length > 0 && <Status state=\"failing\" />}",
    "{density === 'full' ? <Strong>x</Strong> : 'y'}",
    "{state.turn}",
    "{context?.used}",
    "{state.task}",
    "{[state.notes]}",
    "{1}",
    "{null}",
    "{",
    "}",
    "<",
    ">",
    "/>",
    "</",
    " a=\"b\"",
    " steps={",
    "={",
    "\"",
    "'",
    "`",
    "```",
    "~~~\n",
    "# ",
    "## a\n",
    "- ",
    "  - ",
    "1. ",
    "- [ ] ",
    "> ",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "---\n",
    "===\n",
    "name: A\n",
    "density: compact\n",
    "props: {of: \"string\"}\n",
    "**",
    "_",
    "~~",
    "[a](b)",
    "[",
    "](",
    "![",
    "$",
    "$$\n",
    "<!--",
    "-->",
    "{/* a */}",
    "<https://a.b>",
    "[^1]",
    "&amp;",
    "&#0;",
    "\\",
    "\\<",
    "import x from 'y'\n",
    "export function f(a) { return a; }\n",
    "export const a = 1\n",
    "{f(state.turn)}",
    "words",
    " ",
    "\t",
    "    ",
    "\n",
    "\n\n",
    "\r\n",
    "\u{0}",
    "\u{feff}",
    "\u{f0001}",
    "\u{2028}",
    "é",
    "😀",
    "日本語",
];

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % most.max(1)
    }

    fn token(&mut self) -> &'static str {
        TOKENS[self.below(TOKENS.len())]
    }

    /// A soup of tokens, or a good layout with something cut out, doubled or put in.
    fn layout(&mut self) -> String {
        if self.below(3) > 0 {
            let length = 1 + self.below(16);
            return (0..length).map(|_| self.token()).collect();
        }
        let lines: Vec<&str> = BUILT_IN.lines().collect();
        let from = self.below(lines.len());
        let to = (from + 1 + self.below(6)).min(lines.len());
        let mut text = lines[from..to].join("\n");
        for _ in 0..=self.below(3) {
            let mut place = || {
                let mut at = self.below(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let (a, b) = (place(), place());
            let (a, b) = (a.min(b), a.max(b));
            match self.below(3) {
                0 => text.replace_range(a..b, ""),
                1 => {
                    let copy = text[a..b].to_owned();
                    text.insert_str(b, &copy);
                }
                _ => text.insert_str(a, self.token()),
            }
        }
        text
    }
}

#[test]
fn any_file_is_shown_or_refused_with_places_in_it() {
    let (tried, seed) = (cases::count(500), cases::seed(3));
    let run = move || {
        let (mut random, catalogue) = (Random(seed), Catalogue::built_in());
        let state = states::hostile();
        let mut read: BTreeMap<bool, usize> = BTreeMap::new();
        for _ in 0..tried {
            let source = Source::new("layout.mdx", random.layout());
            let template = Template::read(&source, &[], &catalogue);
            *read.entry(template.is_ok()).or_default() += 1;
            match template {
                Ok(template) => {
                    let first = template.elements(state);
                    let shown = render(&first.element, Density::Full).expect("elements that lower");
                    let again = render(&template.elements(state).element, Density::Full);
                    assert_eq!(again.as_ref(), Ok(&shown), "{:?}", source.text);
                }
                Err(wrong) => {
                    assert!(wrong.count() > 0, "{:?}", source.text);
                    for mistake in &wrong.list {
                        let line = source.text.split('\n').nth(mistake.line - 1);
                        let line = line.map(|line| line.strip_suffix('\r').unwrap_or(line));
                        assert_eq!(line, Some(&*mistake.text), "{:?}: {mistake}", source.text);
                        assert!(
                            mistake.column <= mistake.text.chars().count() + 2,
                            "{mistake}"
                        );
                    }
                }
            }
        }
        read
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    let read = thread.expect("a thread").join().expect("no panic");
    let some = |is: bool| read.get(&is).is_some_and(|count| count * 20 > tried);
    assert!(some(true) && some(false), "both happen: {read:?}");
}

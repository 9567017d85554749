//! The attacks, by what they do.

use self::Attack::{Files, Layout};

/// What an attack puts where layouts are.
pub(crate) enum Attack {
    /// A layout.
    Layout(String),
    /// A layout with components in files of their own.
    Files(String, Vec<(String, String)>),
}

type Attacks = Vec<(&'static str, Attack)>;

/// All attacks.
pub(crate) fn attacks() -> Attacks {
    [
        too_much(),
        too_deep(),
        too_many_steps(),
        too_many_elements(),
        components(),
        engines(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn all(text: &str, times: usize) -> Attack {
    Layout(text.repeat(times))
}

fn around(open: &str, inner: &str, close: &str, times: usize) -> Attack {
    Layout(format!(
        "{}{inner}{}",
        open.repeat(times),
        close.repeat(times)
    ))
}

fn say(text: &str) -> Attack {
    Layout(text.to_owned())
}

/// A list of ten, as it is written.
const TEN: &str = "[1,2,3,4,5,6,7,8,9,10]";

/// A list of a hundred.
fn many() -> String {
    format!("{TEN}.flatMap(a => {TEN})")
}

/// Components that each call the next twice, the last of which shows something: a million million calls, or a circle.
fn laughs(times: usize, last: &str) -> Attack {
    let mut text = String::new();
    for n in 0..times {
        let next = n + 1;
        text.push_str(&format!(
            "<Component name=\"A{n}\"><A{next} /><A{next} /></Component>\n\n"
        ));
    }
    Layout(format!(
        "{text}<Component name=\"A{times}\">{last}</Component>\n\n<A0 />\n"
    ))
}

/// Too much of one thing.
fn too_much() -> Attacks {
    vec![
        ("a megabyte of words", all("words ", 180_000)),
        ("a megabyte of tags", all("<Break />\n", 100_000)),
        ("nothing but zeros", all("\0", 60_000)),
        ("60 kB of one word", Layout("x".repeat(60_000))),
        ("60 kB of lines", all("\n", 60_000)),
        (
            "60 kB of characters for private use",
            all("\u{f0001}", 15_000),
        ),
        ("60 kB of marks", all("*_", 30_000)),
        (
            "1,000 marks in each of many texts",
            all(&format!("{}<Break />\n", "*a _b ".repeat(160)), 60),
        ),
        (
            "16 kB of text, four times",
            all(&format!("{}\n<Break />\n", "a b c d ".repeat(1_990)), 4),
        ),
        (
            "16 kB of open brackets, four times",
            all(&format!("{}\n<Break />\n", "[a](b ".repeat(300)), 30),
        ),
        (
            "links without an end",
            all(&format!("{}<Break />\n", "![[".repeat(300)), 60),
        ),
        (
            "tables of many columns",
            all(
                &format!(
                    "|{}\n|{}\n\n<Break />\n\n",
                    "a|".repeat(300),
                    "-|".repeat(300)
                ),
                30,
            ),
        ),
        ("quotes in quotes", all(&"> ".repeat(900), 30)),
        ("lists in lists", all(&"- ".repeat(900), 30)),
        ("entities", all("&amp;", 12_000)),
        (
            "backticks of all lengths",
            Layout((1..300).map(|n| "`".repeat(n) + " ").collect()),
        ),
        ("fences without an end", all("```\n~~~\n", 7_000)),
        ("headings underlined within tags", say("Hi <>\n=====")),
        ("frontmatter without an end", all("---\n", 15_000)),
        (
            "frontmatter in frontmatter",
            Layout(format!(
                "---\nprops: {}1{}\n---\nx",
                "{a: [".repeat(5_000),
                "]}".repeat(5_000)
            )),
        ),
    ]
}

/// What is within one another.
fn too_deep() -> Attacks {
    vec![
        (
            "tags, 10,000 deep",
            around("<Quote>", "x", "</Quote>", 4_000),
        ),
        ("fragments, 10,000 deep", around("<>", "x", "</>", 10_000)),
        ("10,000 tags that nobody closes", all("<Quote>", 9_000)),
        ("10,000 closing tags", all("</Quote>", 8_000)),
        (
            "200,000 brackets",
            Layout(format!("{{{}", "(".repeat(200_000))),
        ),
        ("lists, 10,000 deep", around("{[", "1", "]}", 10_000)),
        (
            "30,000 times not",
            Layout(format!("{{{}1}}", "!".repeat(60_000))),
        ),
        (
            "30,000 members in a row",
            Layout(format!("{{state{}}}", ".a".repeat(30_000))),
        ),
        (
            "30,000 sums",
            Layout(format!("{{{}1}}", "1+".repeat(30_000))),
        ),
        (
            "10,000 choices in a row",
            Layout(format!("{{{}1}}", "1?2:".repeat(12_000))),
        ),
        (
            "templates in templates",
            Layout(format!(
                "{{{}1{}}}",
                "`${".repeat(10_000),
                "}`".repeat(10_000)
            )),
        ),
        (
            "arrows in arrows",
            Layout(format!(
                "{{[1]{}{}}}",
                ".map(a => [a]".repeat(60),
                ")".repeat(60)
            )),
        ),
        (
            "tags in expressions in tags",
            around("<Quote>{<Quote>", "x", "</Quote>}</Quote>", 2_500),
        ),
        (
            "values deeper than what makes them",
            Layout(format!("{{[1]{}.length}}", ".map(a => [a])".repeat(250))),
        ),
    ]
}

/// Expressions that take too long.
fn too_many_steps() -> Attacks {
    let many = many();
    vec![
        (
            "seven lists within one another",
            Layout(format!(
                "{{{}1{}}}",
                format!("{TEN}.map(a => ").repeat(7),
                ")".repeat(7)
            )),
        ),
        (
            "a thousand expressions of 200 steps",
            all(&format!("{{{many}.length}}\n"), 700),
        ),
        (
            "sorting what is sorted",
            all(
                &format!("{{{many}.toSorted((a, b) => a - b).length}}\n"),
                300,
            ),
        ),
        (
            "texts that double",
            Layout(format!(
                "{{['x']{}[0].length}}",
                ".map(a => a + a)".repeat(60)
            )),
        ),
        (
            "lists that double",
            Layout(format!(
                "{{[1]{}.length}}",
                ".flatMap(a => [a, a])".repeat(60)
            )),
        ),
        (
            "a list of itself twice, 60 deep",
            Layout(format!("{{[1]{}}}", ".map(a => [a, a])".repeat(60))),
        ),
        (
            "a list of itself twice, shown",
            Layout(format!(
                "<NotesSection notes={{[1]{}}} />",
                ".map(a => [a, a])".repeat(60)
            )),
        ),
        ("a billion spaces", say("{'x'.repeat(1000000000)}")),
        (
            "a billion spaces in front",
            say("{'x'.padStart(1000000000)}"),
        ),
        (
            "replaced again and again",
            Layout(format!(
                "{{'aaaaaaaaaa'{}}}",
                ".replaceAll('a', 'aaaaaaaaaa')".repeat(30)
            )),
        ),
        (
            "a text of 64 kB, many times",
            all("{'x'.repeat(65000).length}\n", 2_000),
        ),
        (
            "a text of 64 kB, looked through many times",
            all("{'x'.repeat(60000).split('').length}\n", 1_500),
        ),
        (
            "joined from many",
            Layout(format!("{{{many}.map(a => {many}.join('')).join('')}}")),
        ),
        (
            "a list of 10,000 texts of 64 kB",
            Layout(format!(
                "{{{many}.flatMap(a => {many}).map(a => 'x'.repeat(65000)).length}}"
            )),
        ),
    ]
}

/// What shows too much, or is given too much.
fn too_many_elements() -> Attacks {
    let many = many();
    vec![
        ("60 kB of tags", all("<Break />\n", 6_000)),
        (
            "10,000 items",
            Layout(format!(
                "{{{many}.flatMap(a => {many}).map(a => <Item><Strong>{{a}}</Strong></Item>)}}"
            )),
        ),
        (
            "10,000 items, twenty times",
            all(
                &format!("{{{many}.flatMap(a => {many}).map(a => <Item>x</Item>)}}\n"),
                20,
            ),
        ),
        (
            "10,000 items nobody sees",
            all(
                &format!("{{{many}.flatMap(a => {many}).map(a => <Item>x</Item>).length}}\n"),
                20,
            ),
        ),
        (
            "10,000 items at one density",
            Layout(format!(
                "{{density === 'minimal' && {many}.flatMap(a => {many}).map(a => <Item>x</Item>)}}"
            )),
        ),
        (
            "expressions that wait for the density",
            all(
                &format!("{{density && {many}.flatMap(a => {many}).length > 1 && null}}\n"),
                600,
            ),
        ),
        (
            "the notes a thousand times",
            all("<NotesSection notes={state.notes} />\n", 1_500),
        ),
        (
            "the notes a hundred times a hundred",
            all(
                "<NotesSection notes={[1,2,3,4,5,6,7,8,9,10].flatMap(a => state.notes)} />\n",
                700,
            ),
        ),
        (
            "the whole HUD a thousand times",
            all("<Hud state={state} />\n", 2_700),
        ),
        (
            "the whole HUD a thousand times, in expressions",
            all("{<Hud state={state} />}\n", 2_500),
        ),
        (
            "the whole state for all items",
            Layout(format!(
                "{{{many}.map(a => <WarningBanner context={{state.context}} state={{state}} />)}}"
            )),
        ),
        (
            "a thousand parts of the state where others belong",
            all("{<NotesSection notes={state.decisions} />}\n", 1_400),
        ),
        (
            "floors hidden in parts",
            all(
                "<Part name=\"a\"><Part name=\"b\"><TaskSection task={state.task} /></Part></Part>\n",
                600,
            ),
        ),
    ]
}

/// Components that call one another, and files of them.
fn components() -> Attacks {
    vec![
        ("components that double, 60 deep", laughs(60, "x")),
        (
            "components that double and show nothing",
            laughs(60, "{null}"),
        ),
        ("a circle of components", laughs(60, "<A0 />")),
        (
            "600 components",
            Layout(
                (0..600)
                    .map(|n| format!("<Component name=\"A{n}\">x</Component>\n\n<A{n} />\n\n"))
                    .collect(),
            ),
        ),
        (
            "a chain of components, each in 60 tags",
            Layout(
                (0..50)
                    .map(|n| {
                        format!(
                            "<Component name=\"A{n}\">{}<A{} />{}</Component>\n\n",
                            "<Quote>".repeat(60),
                            n + 1,
                            "</Quote>".repeat(60)
                        )
                    })
                    .collect::<String>()
                    + "<Component name=\"A50\">x</Component>\n\n<A0 />",
            ),
        ),
        (
            "a chain of 300 components",
            Layout(
                (0..300)
                    .map(|n| format!("<Component name=\"A{n}\"><A{} /></Component>\n\n", n + 1))
                    .collect::<String>()
                    + "<A0 />",
            ),
        ),
        (
            "a component that is not there any more",
            say("<Gone title=\"x\" />"),
        ),
        (
            "schemas in schemas",
            Layout(format!(
                "<Component name=\"A\" props={{{}\"string\"{}}}>x</Component>\n\n<A />",
                "{a: {type: \"object\", properties: ".repeat(30),
                "}}".repeat(30)
            )),
        ),
        (
            "64 files of components, 64 kB each",
            Files(
                "<A0 />\n".to_owned(),
                (0..64)
                    .map(|n| (format!("A{n}.mdx"), "{state.turn}\n\n".repeat(4_000)))
                    .collect(),
            ),
        ),
        (
            "64 files of components with mistakes",
            Files(
                "<A0 />\n".to_owned(),
                (0..64)
                    .map(|n| (format!("A{n}.mdx"), "<X /> {y}\n\n".repeat(1_300)))
                    .collect(),
            ),
        ),
        (
            "1,000 files of components",
            Files(
                "<A0 />\n".to_owned(),
                (0..1_000)
                    .map(|n| (format!("A{n}.mdx"), "x".to_owned()))
                    .collect(),
            ),
        ),
        (
            "a component of a megabyte",
            Files(
                "<A0 />\n".to_owned(),
                vec![("A0.mdx".to_owned(), "x".repeat(1_000_000))],
            ),
        ),
        (
            "a component with a name out of the folder",
            Files(
                "<A0 />\n".to_owned(),
                vec![
                    ("..mdx".to_owned(), "x".to_owned()),
                    (
                        "A0.mdx".to_owned(),
                        "---\nname: ../../A0\n---\nx".to_owned(),
                    ),
                ],
            ),
        ),
    ]
}

/// What engines of JavaScript were broken by.
fn engines() -> Attacks {
    vec![
        (
            "a list that is not there",
            say("{new Array(1000000000) + ''}"),
        ),
        (
            "a list filled",
            say("{Array.from({length: 1000000000}).reverse()}"),
        ),
        (
            "a pattern that explodes",
            say("{/(a+)+$/.test('a'.repeat(50) + 'b')}"),
        ),
        (
            "another prototype",
            say("{{__proto__: {a: 1}}.a}{state.__proto__.x}{Object.prototype}"),
        ),
        (
            "a constructor's constructor",
            say("{(() => 1).constructor('while (true) {}')()}"),
        ),
        ("code from text", say("{eval('1')}{Function('return 1')()}")),
        (
            "promises",
            say("{Promise.all([]).then(x => x)}{await state}{import('fs')}"),
        ),
        ("a getter that throws", say("{{get a() { throw 1 }}.a}")),
        ("a proxy", say("{new Proxy({}, {get: () => 1}).a}")),
        (
            "waiting for nobody",
            say("{Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)}"),
        ),
        (
            "a loop",
            say("{while (true) {}}{for (;;) {}}{do {} while (1)}"),
        ),
        (
            "itself",
            say("{(f => f(f))(f => f(f))}{(function f() { return f() })()}"),
        ),
        (
            "patterns without an end",
            Layout(format!("{{{}", "/\\".repeat(30_000))),
        ),
        (
            "symbols",
            say("{Symbol.iterator}{[][Symbol.iterator]}{state[Symbol.toPrimitive]}"),
        ),
        (
            "numbers beyond all",
            say(
                "{1e400}{-0}{0/0}{(1e308*10).toFixed(100)}{'x'.at(1e300)}{[1].flat(1e9)}{[1].slice(-1e300, 1e300)}",
            ),
        ),
    ]
}

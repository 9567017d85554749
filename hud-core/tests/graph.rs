//! Trees as graphs: what holds what, what refers to what, and that no text is more than a label.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use hud_core::graph::{Diagram, Relation, dot, graphml, mermaid};
use hud_core::node::{
    Callout, Cell, Code, CodeBlock, Definition, Field, FootnoteDefinition, FootnoteReference,
    Heading, Html, Item, Line, Link, LinkReference, List, Meter, Paragraph, Part, Relates, Row,
    Section, Status, Table,
};
use hud_core::part::Arrangement;
use hud_core::{Density, Element, Node, Renderer, Scope, rsx};
use proptest::prelude::*;

fn diagram(element: &Element<'_>) -> Diagram {
    Renderer::builtin()
        .diagram(element, Scope::default())
        .unwrap()
}

fn hud() -> Element<'static> {
    rsx! {
        <Section title="Active Files (2)">
            <List>
                <Item><Code>"src/limit.rs"</Code> " " <Status state="editing" /></Item>
                <Item><Code>"src/main.rs"</Code></Item>
            </List>
        </Section>
        <Section title="Errors">
            <List>
                <Item>
                    <Code>"cargo test"</Code> ": no method in " <Code>"src/limit.rs:7"</Code>
                    ", see " <Code>"E0599"</Code>
                </Item>
                <Item>"also " <Code>"E0599"</Code></Item>
            </List>
        </Section>
        <Section title="Next Steps">
            <List>
                <Item checked=true>
                    <Paragraph>"Read " <Code>"limit.rs"</Code></Paragraph>
                    <Paragraph>"and write"</Paragraph>
                </Item>
                <Item checked=false>"Run " <Code>"cargo test"</Code></Item>
            </List>
        </Section>
        <Field label="Context"><Meter used=90_000 limit={200_000} rounded=true /></Field>
        <Callout label="Warning">"the disk is full" <FootnoteReference label="N" /></Callout>
        <Line><Field label="Branch">"main"</Field> "2 commits" "clean"</Line>
        <LinkReference label="Docs">"how"</LinkReference>
        <Definition label="docs" url="/docs" />
        <FootnoteDefinition label="n">"since noon"</FootnoteDefinition>
        <Table>
            <Row><Cell>"Who"</Cell> <Cell>"Where"</Cell></Row>
            <Row><Cell>"Ada"</Cell> <Cell>"here"</Cell></Row>
        </Table>
        <Heading level=1>"Code"</Heading>
        <CodeBlock lang="rust">"let a = 1;\nlet b = 2;"</CodeBlock>
    }
}

#[test]
fn a_hud_is_a_graph_of_what_is_in_it_and_what_that_names() {
    insta::assert_snapshot!("dot", dot::to_string(&diagram(&hud())));
    insta::assert_snapshot!("mermaid", mermaid::to_string(&diagram(&hud())));
    insta::assert_snapshot!("graphml", graphml::to_string(&diagram(&hud())));
}

#[derive(Debug, PartialEq, Node)]
struct Stars {
    count: usize,
    of: Option<String>,
}

#[test]
fn a_node_without_a_rule_is_a_vertex_with_its_props() {
    let review = diagram(&rsx! { <Stars count=4>"good"</Stars> });
    assert_eq!(review.vertices[0].kind, "Stars");
    assert_eq!(review.vertices[0].label, "Stars count=4: good");
}

#[test]
fn parts_are_within_the_whole_and_have_names() {
    let layout = rsx! {
        <Part name="next_meal">"soup"</Part>
        <Part name="nothing">""</Part>
        <Part name="guests"><Section title="Guests">"two"</Section></Part>
    };
    let (whole, parts) = Renderer::builtin()
        .diagram_parts(
            "party",
            &rsx! { <Field label="since">"noon"</Field> },
            &layout,
            Scope::default(),
            &Arrangement::default(),
            &mut |_| Some(Density::Full),
        )
        .unwrap();
    let labels: Vec<&str> = whole.vertices.iter().map(|vertex| &*vertex.label).collect();
    assert_eq!(
        labels,
        ["party", "since: noon", "next meal: soup", "Guests", "two"]
    );
    assert_eq!(parts.len(), 3);
}

/// Each edge that is no containment, as `from how to`.
fn relations(diagram: &Diagram) -> Vec<String> {
    let said = |at: usize| &*diagram.vertices[at].label;
    let others = diagram.edges.iter();
    let others = others.filter(|edge| edge.relation != Relation::Contains);
    let words = others.map(|edge| {
        let (from, to) = (said(edge.from), said(edge.to));
        format!("{from} -{}-> {to}", edge.relation.name())
    });
    words.collect()
}

#[test]
fn an_edge_is_of_the_kind_that_its_element_says() {
    let tree = rsx! {
        <Section title="Files"><Item><Code>"src/limit.rs"</Code></Item></Section>
        <Relates how="affects">
            <Section title="Decisions">
                <Item>"one bucket for each key, in " <Code>"limit.rs"</Code></Item>
                <Item><Code>"Redis"</Code> " is enough"</Item>
            </Section>
        </Relates>
        <Section title="Errors">
            <Item>
                <Relates how="is in" to="src/a_long_name.rs"><Code>"src/a_long…"</Code></Relates>
                ": no method, see " <Code>"src/limit.rs:7"</Code>
            </Item>
            <Item><Relates how=" "><Code>"src/limit.rs"</Code></Relates> " is long"</Item>
        </Section>
    };
    assert_eq!(
        relations(&diagram(&tree)),
        [
            "one bucket for each key, in limit.rs -affects-> src/limit.rs",
            "src/a_long…: no method, see src/limit.rs:7 -is in-> src/a_long_name.rs",
            "src/a_long…: no method, see src/limit.rs:7 -refers-> src/limit.rs",
            "src/limit.rs is long -refers-> src/limit.rs",
        ]
    );
}

#[test]
fn a_relation_to_a_part_is_none_to_a_text_of_its_name() {
    let layout = rsx! {
        <Part name="steps">
            <Item><Relates how="belongs to" part="task" /> "Write the test"</Item>
            <Item><Relates how="belongs to" part="nothing" /> "Read"</Item>
        </Part>
        <Part name="words"><Item><Code>"task"</Code></Item></Part>
        <Part name="task">"Limit the rate"</Part>
    };
    let (whole, _) = Renderer::builtin()
        .diagram_parts(
            "session",
            &rsx! { <Relates how="resumes" to="s1" /> },
            &layout,
            Scope::default(),
            &Arrangement::default(),
            &mut |_| Some(Density::Full),
        )
        .unwrap();
    assert_eq!(
        relations(&whole),
        [
            "session -resumes-> s1",
            "Write the test -belongs to-> task: Limit the rate"
        ]
    );
}

/// The labels of the vertices, and the ends of the edges with how they are related, which is empty where one is in the
/// other.
type Read = (Vec<String>, Vec<(usize, usize, String)>);

fn read(diagram: &Diagram) -> Read {
    let labels = diagram.vertices.iter().map(|vertex| vertex.label.clone());
    let edges = diagram.edges.iter().map(|edge| {
        let how = match &edge.relation {
            Relation::Contains => "",
            relation => relation.name(),
        };
        (edge.from, edge.to, how.to_owned())
    });
    (labels.collect(), edges.collect())
}

/// The number of a vertex.
fn number(name: &str) -> usize {
    name.strip_prefix('v').unwrap().parse().unwrap()
}

/// A text in double quotes at the beginning, with what is behind it. Nothing else ends it but a quote without a
/// backslash, and a backslash is before a quote, another one, or an `n`.
fn quoted(text: &str) -> (String, &str) {
    let text = text.strip_prefix('"').unwrap();
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (value.replace("&amp;", "&"), &text[at + 1..]),
            '\\' => match characters.next().unwrap().1 {
                'n' => value.push('\n'),
                escaped @ ('"' | '\\') => value.push(escaped),
                other => panic!("an order: {other}"),
            },
            '\n' => panic!("a line ends in a label"),
            c => value.push(c),
        }
    }
    panic!("a label has no end")
}

/// Reads DOT by the part of its grammar that is written: a statement on each line.
fn read_dot(text: &str) -> Read {
    let (mut labels, mut edges) = (Vec::new(), Vec::new());
    let body = text
        .strip_prefix("digraph {\n  node [shape=box];\n")
        .unwrap();
    for line in body.strip_suffix("}\n").unwrap().lines() {
        let statement = line.strip_prefix("  ").unwrap();
        if let Some((name, rest)) = statement.split_once(" [label=") {
            assert_eq!(number(name), labels.len());
            let (label, rest) = quoted(rest);
            let (_, rest) = quoted(rest.strip_prefix(", class=").unwrap());
            assert_eq!(rest, "];");
            labels.push(label);
        } else {
            let statement = statement.strip_suffix(';').unwrap();
            let (ends, style) = statement.split_once(" [").unwrap_or((statement, ""));
            let how = match style.strip_prefix("style=dashed, label=") {
                Some(label) => {
                    let (how, rest) = quoted(label);
                    assert_eq!(rest, "]");
                    how
                }
                None if style == "style=dashed]" => "refers".to_owned(),
                None => style.to_owned(),
            };
            let (from, to) = ends.split_once(" -> ").unwrap();
            edges.push((number(from), number(to), how));
        }
    }
    (labels, edges)
}

/// What a label of Mermaid says.
fn said_by_mermaid(label: &str) -> String {
    let label = label.replace("<br/>", "\n");
    let mut pieces = label.split('#');
    let mut value = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (number, rest) = piece.split_once(';').unwrap();
        assert!(!rest.contains(';'));
        value.push(number.parse::<u8>().unwrap().into());
        value.push_str(rest);
    }
    let is_markup = |c: char| c.is_ascii_punctuation() && !" .,-:/()#;".contains(c);
    assert!(!label.contains(is_markup), "{label}");
    value
}

/// Reads a flowchart of Mermaid by the lines that are written. What is in a label is a letter, harmless, the number
/// of a character, or the end of a line.
fn read_mermaid(text: &str) -> Read {
    let (mut labels, mut edges) = (Vec::new(), Vec::new());
    for line in text.strip_prefix("flowchart LR\n").unwrap().lines() {
        let statement = line.strip_prefix("  ").unwrap();
        if let Some((name, rest)) = statement.split_once("[\"") {
            assert_eq!(number(name), labels.len());
            labels.push(said_by_mermaid(rest.strip_suffix("\"]").unwrap()));
        } else {
            let (from, rest) = statement.split_once(' ').unwrap();
            let (arrow, to) = rest.rsplit_once(' ').unwrap();
            let how = match arrow {
                "-->" => String::new(),
                "-.->" => "refers".to_owned(),
                arrow => {
                    let label = arrow.strip_prefix("-.->|\"").unwrap();
                    said_by_mermaid(label.strip_suffix("\"|").unwrap())
                }
            };
            edges.push((number(from), number(to), how));
        }
    }
    (labels, edges)
}

/// Reads GraphML by an XML parser.
fn read_graphml(text: &str) -> Read {
    let document = roxmltree::Document::parse(text).unwrap();
    let (mut labels, mut edges) = (Vec::new(), Vec::new());
    let data = |node: roxmltree::Node<'_, '_>, key: &str| {
        let mut children = node.children().filter(roxmltree::Node::is_element);
        let found = children.find(|data| data.attribute("key") == Some(key));
        let text = found.unwrap().text().unwrap_or_default();
        text.to_owned()
    };
    for node in document.descendants() {
        match node.tag_name().name() {
            "node" => labels.push(data(node, "label")),
            "edge" => {
                let end = |name| number(node.attribute(name).unwrap());
                let how = match data(node, "kind") {
                    how if how == "contains" => String::new(),
                    how => how,
                };
                edges.push((end("source"), end("target"), how));
            }
            _ => {}
        }
    }
    (labels, edges)
}

/// What would be structure in one of the formats.
const HOSTILE: &str = "(\"\\]|\"|\\\\|\\\\N|\\\\l|&(amp|quot|lt|#60);?|#(quot|35);|#|;|%%|%%\\{init: \\{\\}\\}%%|</?(br|data|node|graph)/?>|]]>|<!--|v0|v1|-->|-\\.->| -> |\\}|\\{|\\[|\\]|\\||`|\"`|end|subgraph|click|[ab1é深]| |\n|\r|\t|\u{0}|\u{1b}|\u{fffe}){0,10}";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_format_says_the_labels_and_the_edges_and_nothing_else(words in HOSTILE, other in HOSTILE) {
        let tree = rsx! {
            <Section title={&words}>
                <List>
                    <Item><Code>{&other}</Code> {&words}</Item>
                    <Item checked=false>
                        {&other} <Code>{&other}</Code> <Html value={&words} />
                        <Relates how={format!("is {words}")} to={&other} />
                    </Item>
                </List>
                <Field label={&other}><Link url={&words}>{&other}</Link></Field>
                <CodeBlock lang={&words}>{&words}</CodeBlock>
                <Table><Row><Cell>{&words}</Cell></Row> <Row><Cell>{&other}</Cell></Row></Table>
            </Section>
        };
        let diagram = diagram(&tree);
        let (labels, edges) = read(&diagram);
        // What no format has is unknown in all of them.
        let legal = |label: &String| label.replace(['\0', '\u{1b}', '\u{fffe}'], "\u{fffd}");
        let labels: Vec<String> = labels.iter().map(legal).collect();
        let edges: Vec<_> = edges.iter().map(|(from, to, how)| (*from, *to, legal(how))).collect();
        let is_read = |(of, with): Read, plain: &dyn Fn(&str) -> String| {
            let labels: Vec<String> = labels.iter().map(|label| plain(label)).collect();
            let plain = |(from, to, how): &(usize, usize, String)| (*from, *to, plain(how));
            of == labels && with == edges.iter().map(plain).collect::<Vec<_>>()
        };
        let dot = dot::to_string(&diagram);
        prop_assert!(is_read(read_dot(&dot), &|label| label.replace('\r', " ")), "{dot}");
        let mermaid = mermaid::to_string(&diagram);
        prop_assert!(is_read(read_mermaid(&mermaid), &|label| label.replace(['\r', '\t'], " ")), "{mermaid}");
        let graphml = graphml::to_string(&diagram);
        prop_assert!(is_read(read_graphml(&graphml), &str::to_owned), "{graphml}");
    }

    #[test]
    fn edges_are_between_vertices_and_each_vertex_is_in_one_other_at_most(words in prop::collection::vec(("[ab/]{0,4}", "[ab/:1]{0,4}", 0..4_u8), 0..12)) {
        let tree = rsx! {
            for (name, other, kind) in &words {
                match kind {
                    0 => <Item><Code>{name}</Code> {other}</Item>,
                    1 => <Item>{name} <Code>{other}</Code> <Code>{name}</Code></Item>,
                    2 => <Section title={name}>
                        <Field label={other}><Code>{name}</Code></Field>
                    </Section>,
                    _ => <Heading level=1>{name}</Heading>,
                }
            }
        };
        let diagram = diagram(&tree);
        let mut held = std::collections::BTreeSet::new();
        for edge in &diagram.edges {
            prop_assert!(edge.from < diagram.vertices.len() && edge.to < diagram.vertices.len());
            prop_assert_ne!(edge.from, edge.to);
            if edge.relation == Relation::Contains {
                prop_assert!(held.insert(edge.to));
            }
        }
    }
}

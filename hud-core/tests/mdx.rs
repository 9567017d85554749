//! Trees as MDX, as its parser reads it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::gfm::{self, ParseOptions};
use hud_core::mdast::{AttributeContent, AttributeValue, Node as MdastNode};
use hud_core::node::{
    Callout, Cell, Code, Field, Html, HtmlBlock, Item, Link, List, Meter, Paragraph, Row, Section,
    Status, Strong, Table,
};
use hud_core::{Density, Element, Node, Scope, mdx, rsx};
use proptest::prelude::*;

/// A card with something in it.
#[derive(Debug, PartialEq, Node)]
struct Card {
    title: String,
    weights: Vec<f64>,
    open: bool,
}

fn written(element: &Element<'_>) -> String {
    let scope = Scope::new(Density::Full);
    mdx::renderer().markdown(element, scope).unwrap()
}

fn card<'a>(title: &str, children: Element<'a>) -> Element<'a> {
    let weights = vec![1.5, f64::NAN];
    rsx! { <Card title={title.to_owned()} weights open=true>{children}</Card> }
}

#[test]
fn a_node_that_markdown_does_not_know_is_an_element_with_its_props() {
    let blocks = rsx! { <Paragraph>"one"</Paragraph> <List><Item>"two"</Item></List> };
    let hud = rsx! {
        <Section title="import {{a}}">
            <Field label="Context"><Meter used=90_000 limit={200_000} rounded=true /></Field>
            <List>
                <Item><Code>"a.rs"</Code> " " <Status state="editing" /></Item>
                <Item>{card("a | b", rsx! { "within" })}</Item>
            </List>
            {card("blocks", blocks)}
            "import a from 'b'"
            <HtmlBlock value="<script>alert(1)</script>" />
        </Section>
    };
    insta::assert_snapshot!(written(&hud));
}

/// The elements and expressions of a tree, the values of attributes that are texts, and its words.
#[derive(Default)]
struct Read {
    elements: Vec<String>,
    expressions: Vec<String>,
    titles: Vec<String>,
    text: String,
    others: usize,
}

fn read(node: &MdastNode, found: &mut Read) {
    let element = match node {
        MdastNode::MdxJsxFlowElement(element) => Some((&element.name, &element.attributes)),
        MdastNode::MdxJsxTextElement(element) => Some((&element.name, &element.attributes)),
        _ => None,
    };
    if let Some((name, attributes)) = element {
        found.elements.push(name.clone().unwrap_or_default());
        for attribute in attributes {
            if let AttributeContent::Property(property) = attribute
                && property.name == "title"
            {
                found.titles.push(match &property.value {
                    Some(AttributeValue::Literal(text)) => text.clone(),
                    Some(AttributeValue::Expression(text)) => {
                        serde_json::from_str(&text.value).unwrap()
                    }
                    None => String::new(),
                });
            }
        }
    }
    match node {
        MdastNode::MdxTextExpression(expression) => {
            found.expressions.push(expression.value.clone())
        }
        MdastNode::MdxFlowExpression(expression) => {
            found.expressions.push(expression.value.clone())
        }
        MdastNode::MdxjsEsm(_) | MdastNode::Html(_) => found.others += 1,
        MdastNode::Text(text) => found.text.push_str(&text.value),
        MdastNode::InlineCode(code) => found.text.push_str(&code.value),
        _ => {}
    }
    for child in node.children().into_iter().flatten() {
        read(child, found);
    }
}

/// What would be structure in MDX.
const HOSTILE: &str = "(import |export |\\{|\\}|\\$\\{|`|</?[A-Za-b]*/?>|<!--|\\{/\\*|\\*/|\"|'|&(lt|quot|#123);|\\\\|\\||[-=/:#*_\\[\\]()>]|[ab1é深]| |\n|\r|\t|\u{2028}){0,12}";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_an_element_an_expression_or_an_import(words in HOSTILE, other in HOSTILE) {
        let blocks = rsx! { <Paragraph>{&other}</Paragraph> <List><Item>{&words}</Item></List> };
        let tree = rsx! {
            {&words}
            <Section title={&words}>
                {card(&words, blocks)}
                <Paragraph>
                    {&other} <Strong>{&words}</Strong> {card(&other, rsx! { {&words} })}
                    <Html value={&words} />
                </Paragraph>
                <Callout label={&other}>{&words} <Link url={&other}>{&words}</Link></Callout>
                <Table>
                    <Row><Cell>{&words}</Cell></Row>
                    <Row><Cell>{card(&other, Element::default())} <Code>{&words}</Code></Cell></Row>
                </Table>
            </Section>
        };
        let text = written(&tree);
        let mut options = ParseOptions::default();
        options.mdx = true;
        let parsed = gfm::parse(&text, &options);
        let parsed = parsed.map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
        let mut found = Read::default();
        read(&parsed, &mut found);
        prop_assert_eq!(&found.elements, &["Card", "Card", "Card"], "{}", text);
        prop_assert_eq!(&found.titles, &[&*words, &*other, &*other], "{}", text);
        prop_assert_eq!(found.expressions.len(), 1, "{}", text);
        let html: String = serde_json::from_str(&found.expressions[0]).unwrap();
        prop_assert_eq!(&html, &words);
        prop_assert_eq!(found.others, 0, "{}", text);
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let times = squeezed(&found.text).matches(&squeezed(&words)).count();
        prop_assert!(squeezed(&words).is_empty() || times >= 4, "{:?} in {}", found.text, text);
    }
}

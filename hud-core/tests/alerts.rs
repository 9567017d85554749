//! GitHub's alerts: lowered, lifted, and never made of a text.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::gfm::{self, ParseOptions};
use hud_core::node::{Alert, AlertKind, Html, Item, List, Paragraph, Quote, Section, Strong};
use hud_core::{Density, Element, LowerError, Renderer, Scope, html, lift_markdown, render, rsx};

fn shown(element: &Element<'_>) -> String {
    render(element, Density::Full).unwrap()
}

#[test]
fn each_kind_has_its_mark_and_comes_back() {
    for kind in AlertKind::ALL {
        let alert = rsx! { <Alert kind>"The disk is " <Strong>"full"</Strong> "."</Alert> };
        let markdown = shown(&alert);
        let mark = kind.name().to_uppercase();
        assert_eq!(markdown, format!("> [!{mark}]\n> The disk is **full**.\n"));
        assert_eq!(lift_markdown(&markdown).unwrap(), alert);
        assert_eq!(
            lift_markdown(&markdown.replace(&mark, kind.title())).unwrap(),
            alert
        );
    }
}

#[test]
fn an_alert_holds_blocks() {
    let kind = AlertKind::Caution;
    for (alert, markdown) in [
        (rsx! { <Alert kind /> }, "> [!CAUTION]\n"),
        (
            rsx! { <Alert kind><Paragraph>"a\n# b"</Paragraph> <Paragraph>"c"</Paragraph></Alert> },
            "> [!CAUTION]\n> a\n> \\# b\n>\n> c\n",
        ),
        (
            rsx! { <Alert kind><List><Item>"a"</Item></List></Alert> },
            "> [!CAUTION]\n>\n> - a\n",
        ),
        (
            rsx! { <Alert kind><Html value="<br>" /> "a"</Alert> },
            "> [!CAUTION]\n>\n> <br>a\n",
        ),
        (
            rsx! { <Quote><Alert kind>"a"</Alert></Quote> },
            "> > [!CAUTION]\n> > a\n",
        ),
    ] {
        assert_eq!(shown(&alert), markdown);
        assert_eq!(lift_markdown(markdown).unwrap(), alert, "{markdown}");
    }
}

#[test]
fn an_alert_is_a_block() {
    let kind = AlertKind::Note;
    let error = render(
        &rsx! { <Strong><Alert kind>"a"</Alert></Strong> },
        Density::Full,
    );
    assert!(matches!(error, Err(LowerError::Misplaced(_))), "{error:?}");
}

#[test]
fn a_text_is_no_alert() {
    for text in ["[!NOTE]", "[!NOTE]\nb", "[!note]\nb"] {
        let quote = rsx! { <Quote>{text}</Quote> };
        let markdown = shown(&quote);
        assert_eq!(markdown, format!("> \\{}\n", text.replace('\n', "\n> ")));
        assert_eq!(lift_markdown(&markdown).unwrap(), quote);
    }
    for markdown in [
        "> [!NOTE] a\n",
        "> [!NOTES]\n> a\n",
        "> [!NOTE]**a**\n",
        "> [\\!NOTE]\n> a\n",
        "> a\n>\n> [!NOTE]\n",
        "[!NOTE]\na\n",
    ] {
        let lifted = lift_markdown(markdown).unwrap();
        assert!(!format!("{lifted:?}").contains("Alert"), "{lifted:?}");
    }
}

#[test]
fn what_is_not_written_so_is_kept_as_it_is() {
    // Two paragraphs: one would be on the line after the mark.
    let markdown = "> [!NOTE]\n>\n> a\n";
    let lifted = lift_markdown(markdown).unwrap();
    assert_eq!(shown(&lifted), markdown);
}

#[test]
fn other_targets_show_the_kind() {
    let layout = rsx! {
        <Section title="Disk"><Alert kind={AlertKind::Warning}>"full"</Alert></Section>
    };
    let (renderer, scope) = (Renderer::builtin(), Scope::new(Density::Full));
    let tree = renderer.mdast(&layout, scope).unwrap();
    assert_eq!(
        html::to_string(&tree),
        "<h1>Disk</h1>\n<blockquote class=\"alert alert-warning\">\n<p><strong>Warning</strong></p>\n\
         <p>full</p>\n</blockquote>\n"
    );
    let diagram = hud_core::graph::mermaid::to_string(&renderer.diagram(&layout, scope).unwrap());
    assert!(diagram.contains("Warning"), "{diagram}");
    let data = format!("{:?}", renderer.data(&layout, scope).unwrap());
    assert!(data.contains("(\"warning\", Text(\"full\"))"), "{data}");
}

#[test]
#[cfg(feature = "html")]
fn an_alert_comes_back_from_html() {
    let layout = rsx! {
        <Alert kind={AlertKind::Tip}>"a" <Paragraph>"b"</Paragraph></Alert>
        <Alert kind={AlertKind::Note} />
        <Quote>"c"</Quote>
    };
    let renderer = Renderer::builtin();
    let tree = renderer.mdast(&layout, Scope::new(Density::Full)).unwrap();
    assert_eq!(html::parse(&html::to_string(&tree)).unwrap(), tree);
}

#[test]
#[cfg(feature = "terminal")]
fn a_terminal_shows_the_title() {
    let layout = rsx! { <Alert kind={AlertKind::Tip}>"Use --all."</Alert> };
    let tree = Renderer::builtin()
        .mdast(&layout, Scope::new(Density::Full))
        .unwrap();
    let options = hud_core::terminal::TerminalOptions {
        width: Some(40),
        colours: false,
    };
    assert_eq!(
        hud_core::terminal::to_string(&tree, &options),
        "│ Tip\n│\n│ Use --all.\n"
    );
}

#[test]
#[cfg(feature = "mdx")]
fn mdx_has_the_mark_as_it_is() {
    let tree = gfm::parse("> [!TIP]\n> a\n", &ParseOptions::default()).unwrap();
    assert_eq!(hud_core::mdx::to_string(tree.clone()), "> [!TIP]\n> a\n");
    let mut options = ParseOptions::default();
    options.mdx = true;
    assert_eq!(gfm::parse("> [!TIP]\n> a\n", &options).unwrap(), tree);
}

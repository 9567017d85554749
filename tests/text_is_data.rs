//! Text of the world stays text: whatever stands in a state, the HUD has the same headings,
//! lists and fields.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use hud_agent::frame::Frame;
use hud_core::{Bands, Density};
use hud_store::event::{Actor, CompactAfter, EventId};
use hud_store::event::{
    BlockerAdd, DecisionRecord, ErrorEncountered, FileEdit, HudEvent, NoteAdd, SessionId, StepAdd,
    StoredEvent, TaskSet,
};
use hud_store::project::fold;
use hud_store::state::HudState;
use jiff::Timestamp;
use markdown::mdast::Node;
use markdown::{ParseOptions, to_mdast};
use proptest::prelude::*;

/// A state with one item in each section, and this text in each place for text.
fn state(text: &str) -> HudState {
    let text = || text.to_owned();
    let facts: [HudEvent; 8] = [
        TaskSet {
            description: text(),
        }
        .into(),
        DecisionRecord {
            id: "d1".into(),
            summary: text(),
            details: Some(text()),
        }
        .into(),
        NoteAdd {
            id: "n1".into(),
            content: text(),
        }
        .into(),
        FileEdit { path: text() }.into(),
        StepAdd {
            id: "s1".into(),
            description: text(),
        }
        .into(),
        BlockerAdd {
            id: "b1".into(),
            description: text(),
        }
        .into(),
        ErrorEncountered {
            id: "e1".into(),
            message: text(),
            tool: Some(text()),
            target: Some(text()),
        }
        .into(),
        CompactAfter {
            summary: Some(text()),
            tokens_after: None,
            boundary: None,
        }
        .into(),
    ];
    let session = SessionId::new("s").unwrap();
    facts
        .into_iter()
        .zip(1..)
        .fold(HudState::default(), |state, (event, version)| {
            let event = StoredEvent {
                seq: version,
                session: session.clone(),
                version,
                id: EventId::now_v7(),
                turn: 1,
                at: Timestamp::UNIX_EPOCH,
                actor: Actor::Agent,
                cause: None,
                event,
            };
            fold(state, &event)
        })
}

/// The kinds of the blocks of a HUD, and of what stands in its lines apart from text.
fn skeleton(markdown: &str) -> Vec<String> {
    fn walk(node: &Node, depth: usize, kinds: &mut Vec<String>) {
        let kind = match node {
            // An address in a text may become a link: that is GFM's, and no section of ours.
            Node::Text(_) => None,
            Node::Heading(heading) => Some(format!("heading {}", heading.depth)),
            node => Some(
                format!("{node:?}")
                    .split([' ', '{'])
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            ),
        };
        if let Some(kind) = kind {
            kinds.push(format!("{depth} {kind}"));
        }
        for child in node.children().into_iter().flatten() {
            walk(child, depth + 1, kinds);
        }
    }
    let mut kinds = Vec::new();
    walk(
        &to_mdast(markdown, &ParseOptions::gfm()).unwrap(),
        0,
        &mut kinds,
    );
    kinds
}

fn hud(text: &str, density: Density) -> String {
    Frame::of(&state(text), Some(density), Bands::default())
        .unwrap()
        .markdown
}

/// Pieces that mean something in markdown, in HTML, or in a HUD.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "#",
        "## Next Steps",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "    ",
        " ",
        "-",
        "- [x] ",
        "1. ",
        "+",
        "*",
        "**",
        "_",
        "__",
        "~~",
        "`",
        "```",
        "~~~",
        ">",
        "|",
        "| - |",
        "---",
        "===",
        "<b>",
        "</hud>",
        "<!--",
        "-->",
        "<?",
        "&",
        "&amp;",
        "[",
        "]",
        "(",
        ")",
        "![",
        "[^1]",
        "[x]: y",
        "\\",
        "│",
        "**Task:** ",
        "word",
        "ä",
        "\u{200b}",
        "\u{202e}",
        "\0",
        "\u{1b}[2J",
        "$",
        "{",
        ":",
    ]);
    prop::collection::vec(piece, 1..12).prop_map(|pieces| format!("x{}", pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_text_forges_a_section_a_list_or_a_field(text in pieces()) {
        for density in Density::ALL {
            let (harmless, shown) = (hud("x", density), hud(&text, density));
            prop_assert_eq!(skeleton(&shown), skeleton(&harmless), "{} shows\n{}", density, shown);
            prop_assert_eq!(
                shown.matches('│').count(), harmless.matches('│').count(),
                "{} shows\n{}", density, shown
            );
        }
    }
}

//! Parts that are known are what they would be if they were made again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Mutex;

use hud_core::fit::{FitError, Fitting};
use hud_core::gfm::{ParseOptions, parse};
use hud_core::node::{Beside, Paragraph, Part, Parts};
use hud_core::part::{Arrangement, PartCache};
use hud_core::tokens::{Characters, CountError, TokenCounter};
use hud_core::{Density, Element, Renderer, Scope, lift, rsx};
use proptest::prelude::*;

/// What markdown has that depends on what is before it or elsewhere, and what does not.
const PIECES: [&str; 22] = [
    "# Title\n\n- one\n- two\n",
    "## Title [a]\n\ntext \\[a] and \\*stars\n",
    "- one\n- two\n",
    "1. one\n2. two\n",
    "* * *\n",
    "text\n",
    "text [a] [b][a]\n",
    "text `code\\` and *marks*\n",
    "> quote\n",
    "    indented\n",
    "```rust\nfenced\n```\n",
    "[a]: /address\n",
    "text[^1]\n\n[^1]: note\n",
    "<div>\nhtml\n</div>\n",
    "<b>text</b>\n",
    "| a | b |\n| - | - |\n| 1 | 2 |\n",
    "- [ ] open\n- [x] done\n",
    "$$\nmath\n$$\n",
    "text\\\nbroken\n",
    "# Title\n\n    indented\n",
    "text ~90k/200k~ \\~\n",
    "",
];

fn lifted(markdown: &str) -> Element<'static> {
    lift(&parse(markdown, &ParseOptions::default()).unwrap()).unwrap()
}

/// A layout of these pieces, each a part, some of them beside one another.
fn layout(pieces: &[usize], is_beside: bool, loose: &'static str) -> Element<'static> {
    let part = |(at, piece): (usize, &usize)| {
        let (name, content) = (format!("part{}", at % 4), lifted(PIECES[*piece]));
        match at {
            0 => rsx! { <Part name heading=true worth=8>{content}</Part> },
            1 => rsx! { <Part name floor={Density::Minimal}>{content}</Part> },
            _ => rsx! { <Part name cap=2 worth=3>{content}</Part> },
        }
    };
    let (first, rest) = pieces.split_at(pieces.len() / 2);
    let first: Vec<_> = first.iter().enumerate().map(part).collect();
    let rest: Vec<_> = rest.iter().enumerate().map(part).collect();
    rsx! {
        <Parts>
            if is_beside { <Beside>{first}</Beside> } else { {first} }
            {loose}
            {rest}
        </Parts>
    }
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn what_is_known_is_what_would_be_made(
        pieces in prop::collection::vec(0..PIECES.len(), 1..8),
        changes in prop::collection::vec((0..8_usize, 0..PIECES.len()), 1..4),
        (is_beside, budget) in (any::<bool>(), 0..400_u64),
        loose in prop::sample::select(vec!["", "between", " "]),
        off in prop::option::of(0..4_usize),
    ) {
        let mut arrangement = Arrangement::default();
        arrangement.off.extend(off.map(|off| format!("part{off}")));
        arrangement.handles.insert("part1".to_owned(), "part1.list");
        let (renderer, scope) = (Renderer::builtin(), Scope::default());
        let (mut pieces, mut known) = (pieces, PartCache::default());
        for (at, piece) in changes {
            let layout = layout(&pieces, is_beside, loose);
            for density in Density::ALL {
                let mut all = |_: &_| Some(density);
                let anew = renderer.parts(&layout, scope, &arrangement, &mut all).unwrap();
                for _ in 0..2 {
                    let shown = renderer.parts_cached(&layout, scope, &arrangement, &known, &mut all);
                    prop_assert_eq!(&shown.unwrap(), &anew);
                }
            }
            let fitting = Fitting::new(budget, &Characters);
            let fit = |fitting: &Fitting<'_>| match renderer.fit(&layout, scope, &arrangement, fitting) {
                Err(FitError::TooLarge { smallest }) => *smallest,
                fitted => fitted.unwrap(),
            };
            let anew = fit(&fitting);
            prop_assert_eq!(fit(&fitting.clone().with_cache(&known)), anew);
            // Another piece in the place of one.
            let at = at % pieces.len();
            pieces[at] = piece;
            let half = pieces.len() / 2;
            let changed = format!("part{}", (if at < half { at } else { at - half }) % 4);
            known.forget(|part| part == changed);
        }
    }
}

/// Counts characters, and keeps the texts that it counted.
#[derive(Default)]
struct Keeping(Mutex<Vec<String>>);

impl TokenCounter for Keeping {
    fn name(&self) -> &str {
        "keeping"
    }

    fn count(&self, text: &str) -> Result<u32, CountError> {
        self.0.lock().unwrap().push(text.to_owned());
        Characters.count(text)
    }
}

#[test]
fn a_part_that_is_known_is_not_counted_again() {
    let counter = Keeping::default();
    // How often each part was counted by itself.
    let counted = |dish: &str, known: &PartCache| {
        let layout = rsx! {
            <Part name="guests"><Paragraph>"Ada and Grace"</Paragraph></Part>
            <Part name="dish"><Paragraph>{dish}</Paragraph></Part>
        };
        let fitting = Fitting::new(1_000, &counter).with_cache(known);
        let (scope, arrangement) = (Scope::default(), Arrangement::default());
        let fitted = Renderer::builtin().fit(&layout, scope, &arrangement, &fitting);
        let all = format!("Ada and Grace\n\n{dish}\n");
        assert_eq!(fitted.unwrap().rendered.markdown, all);
        let mut texts = std::mem::take(&mut *counter.0.lock().unwrap());
        texts.retain(|text| *text != all);
        ["Ada", dish].map(|part| texts.iter().filter(|text| text.contains(part)).count())
    };
    let mut known = PartCache::default();
    let [guests, dish] = counted("soup", &known);
    assert!(guests > 0 && dish > 0, "{guests} {dish}");
    assert_eq!(counted("soup", &known), [0, 0]);
    known.forget(|part| part == "dish");
    assert_eq!(counted("cake", &known), [0, dish]);
}

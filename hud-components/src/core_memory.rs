use hud_core::node::{Field, Item, List, Section};
use hud_core::part::Handle;
use hud_core::{Density, Element, component, rsx};
use hud_store::section::{BLOCK_MOST, CoreBlock, CoreMemory, MemoryBlock};

use crate::text::{is_blank, join, line, piece, prose, with_code};
use crate::{Ceiling, section};

/// How many characters of a block's name are shown.
const NAME: usize = 40;

/// The blocks that the agent keeps about itself, each with how much of its limit it has.
#[component(layer = static, worth = 8, part = "core_memory", schema)]
pub fn CoreMemoryBlocks<'a>(
    /// The blocks; those that are empty are not shown.
    memory: &'a CoreMemory,
    density: Density,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    let blocks: Vec<(MemoryBlock, &CoreBlock)> = memory
        .written()
        .filter(|(_, known)| !is_blank(&known.content))
        .collect();
    if blocks.is_empty() {
        return rsx! {};
    }
    match density {
        Density::Full => rsx! {
            <Section title="Core Memory">
                for (block, known) in blocks { {full(&block, known)} }
            </Section>
        },
        Density::Compact => rsx! {
            <Field label="Core memory">
                for (at, (block, known)) in blocks.into_iter().enumerate() {
                    if at > 0 { "; " }
                    {label(&block, known)} ": " {with_code(piece(&known.content, 160))}
                }
            </Field>
        },
        Density::Minimal => {
            let first = blocks
                .iter()
                .take(1)
                .map(|(_, known)| known.content.as_str());
            rsx! {
                "memory: " {join(first, 1, 60)}
                {section::others_counted(blocks.len() - 1, handle, ceiling)}
            }
        }
    }
}

/// A block: its text, or its lines as a list.
fn full<'a>(block: &MemoryBlock, known: &'a CoreBlock) -> Element<'a> {
    let most = usize::try_from(BLOCK_MOST).unwrap_or(usize::MAX);
    let lines: Vec<(Option<bool>, &str)> = known
        .content
        .lines()
        .filter(|line| !is_blank(line))
        .map(item)
        .collect();
    let label = label(block, known);
    if let [(None, line)] = lines.as_slice() {
        return rsx! { <Field label>{prose(line, most)}</Field> };
    }
    rsx! {
        <Field label />
        <List>
            for (checked, line) in lines {
                <Item key={block.name()} checked>{prose(line, most)}</Item>
            }
        </List>
    }
}

/// A line without the mark of a list, which it is shown in anyway, and whether it is checked, where it is of a checklist.
fn item(line: &str) -> (Option<bool>, &str) {
    let text = line.trim();
    let mut marks = ["- ", "* ", "+ "].iter();
    let Some(unmarked) = marks.find_map(|mark| text.strip_prefix(mark)) else {
        return (None, text);
    };
    let boxes = [("[x] ", true), ("[X] ", true), ("[ ] ", false)];
    let checked = boxes
        .into_iter()
        .find_map(|(mark, is_checked)| Some((Some(is_checked), unmarked.strip_prefix(mark)?)));
    checked.unwrap_or((None, unmarked))
}

/// What a block is called, with how much it holds: `goal 87/1000`.
fn label(block: &MemoryBlock, known: &CoreBlock) -> String {
    let name = line(block.name(), NAME).into_owned();
    match known.limit.or(block.limit()) {
        Some(limit) => format!("{name} {}", size_of(&known.content, limit)),
        None => format!("{name} {}", known.chars()),
    }
}

/// How many characters a text has of so many that it may have: `87/1000`.
///
/// ```
/// assert_eq!(hud_components::size_of("ship it", 1000), "7/1000");
/// ```
pub fn size_of(text: &str, limit: u32) -> String {
    format!("{}/{limit}", text.chars().count())
}

#[cfg(test)]
mod tests {
    use hud_core::{Density, render, render_densities, rsx};
    use hud_store::section::CoreMemory;

    use super::CoreMemoryBlocks;
    use crate::fixture::{assert_snapshots, core_memory};

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "core_memory",
            |state| rsx! { <CoreMemoryBlocks memory={&state.core_memory} /> },
        );
    }

    #[test]
    fn a_block_says_how_much_of_its_limit_it_has_and_keeps_its_lines() {
        let memory = core_memory(
            "Rate limits per tenant",
            "- [x] the `parser`\n- [ ] the key",
        );
        let shown = render_densities(&rsx! { <CoreMemoryBlocks memory={&memory} /> });
        insta::assert_snapshot!(shown.unwrap());
    }

    #[test]
    fn a_block_over_its_limit_is_shown_whole() {
        let mut memory = CoreMemory::default();
        memory.goal.content = "x".repeat(1_240);
        let shown = render(
            &rsx! { <CoreMemoryBlocks memory={&memory} /> },
            Density::Full,
        )
        .unwrap();
        assert!(shown.contains("goal 1240/1000"), "{shown}");
        assert!(shown.contains(&memory.goal.content), "{shown}");
    }
}

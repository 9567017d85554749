//! `core_memory`: the blocks that the agent keeps about itself.

use std::collections::BTreeMap;

use hud_components::news::{News, NewsLine};
use hud_components::{size_of, text};
use hud_store::event::MemoryCoreUpdate;
use hud_store::section::{CoreMemory, MemoryBlock, UpdateMode, appended};
use hud_store::state::Change;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Draft, Operations, ToolError, View, Write, refuse};
use crate::section::AgentSection;

impl AgentSection for CoreMemory {
    fn operations(operations: Operations) -> Operations {
        operations
            .read::<Read>()
            .write::<Update>()
            .read_also_as::<Read>("core_memory_read")
            .write_also_as::<Update>("core_memory_update")
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        for (block, known) in self.written() {
            draft.record(MemoryCoreUpdate {
                block,
                content: String::new(),
                mode: UpdateMode::Replace,
                limit: known.limit,
            });
        }
        true
    }

    fn since<'a>(&'a self, _: &'a Self, changes: Vec<Change>) -> News<'a> {
        let line = |change: Change| {
            let named = |text: Option<String>| text.map(|text| format!("{}: {text}", change.id));
            NewsLine {
                name: "core memory",
                before: named(change.before),
                after: named(change.after),
                most: NEWS,
            }
        };
        News {
            lines: changes.into_iter().map(line).collect(),
            whole: None,
        }
    }
}

/// How much of a block is said where it changed.
const NEWS: usize = 2_000;

/// In place of what a block says, or after it.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// In its place.
    #[default]
    Replace,
    /// After it, on a line of its own. Where that is too much, the oldest lines leave.
    Append,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Update {
    /// `goal`, `progress`, `context`, or one that the user has set up.
    block: String,
    /// The text; an empty one empties the block.
    content: String,
    /// `replace`, or `append`.
    #[serde(default, alias = "operation")]
    mode: Mode,
    /// Whether a text that is too long is taken all the same, cut behind the last line that fits.
    #[serde(default)]
    cut: bool,
}

impl Write for Update {
    const NAME: &'static str = "core_memory.update";
    const DOES: &'static str = "write a block of what you always see: goal, progress, context";
    const EXAMPLE: &'static str =
        r#"{"block":"progress","content":"- [x] parser","mode":"append"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let block = MemoryBlock::from(self.block.trim().to_lowercase());
        let memory = &draft.state().core_memory;
        let limit = limit(draft, &block)?;
        let known = memory.block(&block).map_or("", |block| &block.content);
        let mut content = self.content;
        if text::is_blank(&content) {
            content.clear();
        }
        let is_over =
            |text: &str| text.chars().count() > usize::try_from(limit).unwrap_or(usize::MAX);
        let mut left_out = None;
        if is_over(&content) {
            if !self.cut {
                return Err(too_long(&block, &content, limit, known));
            }
            let whole = content.chars().count();
            content = cut(&content, limit).to_owned();
            left_out = Some(whole - content.chars().count());
        }
        let (mode, now) = match self.mode {
            Mode::Replace => (UpdateMode::Replace, content.clone()),
            Mode::Append if content.is_empty() => (UpdateMode::Append, known.to_owned()),
            Mode::Append => (UpdateMode::Append, appended(known, &content, limit)),
        };
        let mut answer = json!({ block.name(): size_of(&now, limit) });
        if let Some(chars) = left_out {
            answer["cut"] = json!(format!("the last {} characters", text::thousands(chars)));
        }
        if now == known {
            answer["unchanged"] = json!(true);
            return Ok(answer);
        }
        if let UpdateMode::Append = mode {
            // What is left of what it said is the end of it.
            let left = now.strip_suffix(content.as_str()).unwrap_or_default();
            let gone = known
                .strip_suffix(left.trim_end_matches('\n'))
                .unwrap_or(known);
            let gone: Vec<&str> = gone
                .lines()
                .filter(|line| !line.trim().is_empty())
                .collect();
            if !gone.is_empty() {
                answer["left"] = json!(gone);
            }
        }
        draft.record(MemoryCoreUpdate {
            limit: Some(limit).filter(|limit| block.limit() != Some(*limit)),
            block,
            content,
            mode,
        });
        Ok(answer)
    }
}

/// How many characters a block may have: one that is set up, or that the session has.
fn limit(draft: &Draft<'_>, block: &MemoryBlock) -> Result<u32, ToolError> {
    let memory = draft.operations().memory();
    let known = || draft.state().core_memory.block(block)?.limit;
    memory.limit(block).or_else(known).ok_or_else(|| {
        let blocks = memory.blocks();
        let names: Vec<&str> = blocks.iter().map(MemoryBlock::name).collect();
        let reason = format!(
            "there is no block `{}`: there are {}. The user sets up others in `[memory.core]` of the \
             configuration",
            text::line(block.name(), 60),
            names.join(", ")
        );
        refuse(Update::NAME, reason)
    })
}

/// The beginning of a text that fits, up to the end of a line if one ends in it.
fn cut(text: &str, limit: u32) -> &str {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let end = text
        .char_indices()
        .nth(limit)
        .map_or(text.len(), |(at, _)| at);
    let fits = text.get(..end).unwrap_or(text);
    match fits.rfind('\n') {
        Some(at) if !text.get(end..).is_some_and(|rest| rest.starts_with('\n')) => {
            fits.get(..at).unwrap_or(fits)
        }
        _ => fits,
    }
}

/// Says how much too long a text is, and what the block says now, so that one more call will do.
fn too_long(block: &MemoryBlock, content: &str, limit: u32, known: &str) -> ToolError {
    let has = content.chars().count();
    let over = has - usize::try_from(limit).unwrap_or(has);
    let says = match known.is_empty() {
        true => "It is empty as yet".to_owned(),
        false => format!("It stays as it was: {known:?}"),
    };
    let reason = format!(
        "{}: {} of {} characters, {} too many: shorten it, or say `\"cut\": true` to have it end behind \
         the last line that fits. {says}",
        block.name(),
        text::thousands(has),
        text::thousands(usize::try_from(limit).unwrap_or(has)),
        text::thousands(over),
    );
    refuse(Update::NAME, reason)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Read {
    /// Only this block.
    block: Option<String>,
}

impl super::Read for Read {
    const NAME: &'static str = "core_memory.read";
    const DOES: &'static str = "the blocks of core memory, whole";
    const EXAMPLE: &'static str = "{}";

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let memory = view.operations().memory();
        let known = &view.state().core_memory;
        let mut blocks = memory.blocks();
        let gone = known.written().map(|(block, _)| block);
        blocks.extend(gone.filter(|block| memory.limit(block).is_none()));
        let asked = self.block.map(MemoryBlock::from);
        let shown: BTreeMap<&str, Value> = blocks
            .iter()
            .filter(|block| asked.as_ref().is_none_or(|asked| asked == *block))
            .map(|block| {
                let (content, limit) = known
                    .block(block)
                    .map_or(("", None), |known| (&known.content, known.limit));
                let limit = memory.limit(block).or(limit).unwrap_or_default();
                (
                    block.name(),
                    json!({ "chars": size_of(content, limit), "content": content }),
                )
            })
            .collect();
        match asked.filter(|_| shown.is_empty()) {
            Some(block) => {
                let names: Vec<&str> = blocks.iter().map(MemoryBlock::name).collect();
                let name = text::line(block.name(), 60).into_owned();
                let reason = format!("there is no block `{name}`: there are {}", names.join(", "));
                Err(refuse(Self::NAME, reason))
            }
            None => Ok(json!(shown)),
        }
    }
}

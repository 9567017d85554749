//! The "content" of a message or result, which several clients write as a string or as a list of blocks.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A string in an optional field. Serde always copies a `Cow` in an `Option`. This type borrows from the
/// input if nothing in the string is escaped.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    pub(crate) fn into_owned(self) -> String {
        self.0.into_owned()
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// The blocks of a message. A string is one text block.
#[derive(Debug, Default)]
pub(crate) struct Content<'a>(pub(crate) Vec<Block<'a>>);

/// A block of any type, with the fields that are used.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Block<'a> {
    #[serde(rename = "type", borrow, default)]
    pub(crate) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) text: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) name: Option<Text<'a>>,
    pub(crate) input: Option<Value>,
    #[serde(borrow)]
    pub(crate) tool_use_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) content: Option<Content<'a>>,
    pub(crate) is_error: Option<bool>,
}

impl Content<'_> {
    /// Returns the text of all text blocks, joined by line breaks.
    pub(crate) fn text(&self) -> String {
        let texts: Vec<&str> = self
            .0
            .iter()
            .filter_map(|block| block.text.as_deref())
            .collect();
        texts.join("\n")
    }

    /// Returns the same text and consumes the content. A single block is not copied.
    pub(crate) fn into_text(mut self) -> String {
        match (self.0.pop(), self.0.is_empty()) {
            (Some(block), true) => block.text.map(Text::into_owned).unwrap_or_default(),
            (last, _) => {
                self.0.extend(last);
                self.text()
            }
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or blocks")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Content<'de>, E> {
        Ok(text_block(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Content<'de>, E> {
        Ok(text_block(Cow::Owned(text.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Content<'de>, E> {
        Ok(Content::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut blocks: A) -> Result<Content<'de>, A::Error> {
        let mut content = Content::default();
        while let Some(block) = blocks.next_element()? {
            content.0.push(block);
        }
        Ok(content)
    }

    /// Reads a block without a list around it. Results of the provider's own tools have this form.
    fn visit_map<A: MapAccess<'de>>(self, block: A) -> Result<Content<'de>, A::Error> {
        Block::deserialize(MapAccessDeserializer::new(block)).map(|block| Content(vec![block]))
    }
}

fn text_block(text: Cow<'_, str>) -> Content<'_> {
    Content(vec![Block {
        kind: Cow::Borrowed("text"),
        text: Some(Text(text)),
        ..Block::default()
    }])
}

/// A value that is kept only if it is a string.
#[derive(Debug, Default)]
struct MaybeText<'a>(Option<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for MaybeText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MaybeTextVisitor)
    }
}

struct MaybeTextVisitor;

impl<'de> Visitor<'de> for MaybeTextVisitor {
    type Value = MaybeText<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<MaybeText<'de>, E> {
        Ok(MaybeText(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<MaybeText<'de>, E> {
        Ok(MaybeText(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<MaybeText<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(MaybeText(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<MaybeText<'de>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(MaybeText(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<MaybeText<'de>, E> {
        Ok(MaybeText(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<MaybeText<'de>, E> {
        Ok(MaybeText(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<MaybeText<'de>, E> {
        Ok(MaybeText(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<MaybeText<'de>, E> {
        Ok(MaybeText(None))
    }

    fn visit_unit<E>(self) -> Result<MaybeText<'de>, E> {
        Ok(MaybeText(None))
    }
}

/// Claude Code's structured result of a tool. Only the number of a new task, the changed lines, the
/// printed text and the outcome are used. The rest, such as whole files, is skipped.
#[derive(Debug, Default)]
pub(crate) struct Structured<'a> {
    pub(crate) task: Option<String>,
    /// The path of the changed file.
    pub(crate) path: Option<Cow<'a, str>>,
    /// The kind of the change: the file was created (`create`) or changed.
    pub(crate) kind: Option<Cow<'a, str>>,
    /// The changed lines.
    pub(crate) patch: Option<Value>,
    /// The whole result, if it is a string.
    pub(crate) text: Option<String>,
    /// The output and the error output of a process, if it has these fields.
    pub(crate) streams: Option<(Cow<'a, str>, Cow<'a, str>)>,
    /// The text of its content blocks, if it has a list of these.
    pub(crate) blocks: Option<String>,
    /// The reason of a failure, from its `error` or its `message`.
    pub(crate) reason: Option<Cow<'a, str>>,
    /// True if it reports that the call failed.
    pub(crate) has_failed: bool,
    /// True if the output of a process is an image.
    pub(crate) is_image: bool,
    /// True if it launched an agent or a watch that continues on its own.
    pub(crate) is_launched: bool,
    /// True if a process continues in the background.
    pub(crate) is_background: bool,
}

impl<'de: 'a, 'a> Deserialize<'de> for Structured<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StructuredVisitor)
    }
}

struct StructuredVisitor;

impl<'de> Visitor<'de> for StructuredVisitor {
    type Value = Structured<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tool's result")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Structured<'de>, A::Error> {
        let mut structured = Structured::default();
        let (mut stdout, mut stderr) = (MaybeText(None), MaybeText(None));
        while let Some(key) = map.next_key::<Text<'de>>()? {
            match &*key {
                "task" => {
                    let task: Value = map.next_value()?;
                    structured.task = match task.get("id") {
                        Some(Value::String(id)) => Some(id.clone()),
                        Some(Value::Number(id)) => Some(id.to_string()),
                        _ => None,
                    };
                }
                "structuredPatch" => structured.patch = Some(map.next_value()?),
                "filePath" => structured.path = map.next_value::<MaybeText<'de>>()?.0,
                "type" => structured.kind = map.next_value::<MaybeText<'de>>()?.0,
                "stdout" => stdout = map.next_value()?,
                "stderr" => stderr = map.next_value()?,
                "content" => structured.blocks = map.next_value::<MaybeBlocks>()?.0,
                "error" => structured.reason = map.next_value::<MaybeText<'de>>()?.0,
                "message" => {
                    let message = map.next_value::<MaybeText<'de>>()?.0;
                    structured.reason = structured.reason.take().or(message);
                }
                "success" => structured.has_failed |= map.next_value::<Value>()? == false,
                "interrupted" => structured.has_failed |= map.next_value::<Value>()? == true,
                "isImage" => structured.is_image = map.next_value::<Value>()? == true,
                "status" => {
                    let status = map.next_value::<MaybeText<'de>>()?.0;
                    structured.is_launched |= status.as_deref() == Some("async_launched");
                }
                "timeoutMs" => {
                    structured.is_launched |= map.next_value::<Value>()?.is_number();
                }
                "backgroundTaskId" => {
                    structured.is_background = map.next_value::<MaybeText<'de>>()?.0.is_some();
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        structured.streams = match (stdout.0, stderr.0) {
            (None, None) => None,
            (stdout, stderr) => Some((stdout.unwrap_or_default(), stderr.unwrap_or_default())),
        };
        Ok(structured)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Structured<'de>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Structured::default())
    }

    fn visit_str<E>(self, text: &str) -> Result<Structured<'de>, E> {
        Ok(Structured {
            text: Some(text.to_owned()),
            ..Structured::default()
        })
    }

    fn visit_bool<E>(self, _: bool) -> Result<Structured<'de>, E> {
        Ok(Structured::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Structured<'de>, E> {
        Ok(Structured::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Structured<'de>, E> {
        Ok(Structured::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Structured<'de>, E> {
        Ok(Structured::default())
    }

    fn visit_unit<E>(self) -> Result<Structured<'de>, E> {
        Ok(Structured::default())
    }
}

/// The text of a list of blocks. A plain string is skipped, because it is the whole of a written file.
struct MaybeBlocks(Option<String>);

impl<'de> Deserialize<'de> for MaybeBlocks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let content = Value::deserialize(deserializer)?;
        let parts = content.as_array().filter(|parts| !parts.is_empty());
        let texts = parts.map(|parts| {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>()
        });
        Ok(Self(texts.map(|texts| texts.join("\n"))))
    }
}

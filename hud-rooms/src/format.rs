//! The formats of a HUD.

use std::fmt;
use std::str::FromStr;

use hud_core::data::{DataError, json, toon};
use hud_core::{Element, LowerError, Scope};
use serde::{Deserialize, Serialize};

use crate::count::Counter;
use crate::hud::nodes;
use crate::keys;

/// The format of a HUD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// JSON with a member on each line.
    #[default]
    Json,
    /// JSON on one line, with short names of its fields ([`keys`]).
    CompactJson,
    /// TOON, as defined by its public specification.
    Toon,
    /// Markdown.
    Markdown,
}

/// The error for an unknown format name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no format: write `json`, `compact_json`, `toon` or `markdown`")]
pub struct UnknownFormat(String);

/// The reason why a HUD cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A value cannot be written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A node cannot be written.
    #[error(transparent)]
    Lower(#[from] LowerError),
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Json, Self::CompactJson, Self::Toon, Self::Markdown];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::CompactJson => "compact_json",
            Self::Toon => "toon",
            Self::Markdown => "markdown",
        }
    }

    /// Writes elements.
    ///
    /// # Errors
    ///
    /// [`WriteError`] for a number that is NaN or infinite.
    pub fn write(self, elements: &Element<'_>) -> Result<String, WriteError> {
        let data = || nodes::RENDERER.data(elements, Scope::default());
        Ok(match self {
            Self::Json => json::to_string_pretty(&data()?)?,
            Self::CompactJson => json::to_string(&keys::shorten(&data()?))?,
            Self::Toon => toon::to_string(&data()?)?,
            Self::Markdown => nodes::RENDERER.markdown(elements, Scope::default())?,
        })
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL
            .into_iter()
            .find(|format| format.name() == text.replace('-', "_"));
        found.ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The number of tokens of the same HUD in each format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// As [`Format::Json`].
    pub json: u64,
    /// As [`Format::CompactJson`].
    pub compact_json: u64,
    /// As [`Format::Toon`].
    pub toon: u64,
    /// As [`Format::Markdown`].
    pub markdown: u64,
}

impl Tokens {
    /// Counts elements in each format.
    ///
    /// # Errors
    ///
    /// As [`Format::write`].
    pub fn count(elements: &Element<'_>, counter: &Counter) -> Result<Self, WriteError> {
        // Three of the formats use the same data.
        let data = nodes::RENDERER.data(elements, Scope::default())?;
        let count = |text: String| u64::from(counter.tokens(&text));
        Ok(Self {
            json: count(json::to_string_pretty(&data)?),
            compact_json: count(json::to_string(&keys::shorten(&data))?),
            toon: count(toon::to_string(&data)?),
            markdown: count(Format::Markdown.write(elements)?),
        })
    }

    /// Returns the number of tokens in one format.
    pub const fn of(self, format: Format) -> u64 {
        match format {
            Format::Json => self.json,
            Format::CompactJson => self.compact_json,
            Format::Toon => self.toon,
            Format::Markdown => self.markdown,
        }
    }

    /// Returns the sum of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            json: self.json + other.json,
            compact_json: self.compact_json + other.compact_json,
            toon: self.toon + other.toon,
            markdown: self.markdown + other.markdown,
        }
    }
}

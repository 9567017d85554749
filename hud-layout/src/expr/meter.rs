//! What an evaluation may cost.

use super::{Mistake, Span};

/// How long the source of an expression may be, in bytes.
pub const MAX_SOURCE: usize = 64 * 1024;
/// How many brackets, tags and templates may be within one another.
pub const MAX_BRACKETS: usize = 64;
/// How many operators, branches or links may be in a row.
pub const MAX_OPERATORS: usize = 256;

/// How much an evaluation may take.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How many steps all expressions of a layout may take together, 200,000 by default. Each
    /// expression is a step, and so are each item of a list that is made, each value that is shown,
    /// and each 32 bytes of text.
    pub steps: u64,
    /// How many bytes a text may have, 65,536 by default.
    pub text: usize,
    /// How many items a list may have, 10,000 by default.
    pub list: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 200_000,
            text: 64 * 1024,
            list: 10_000,
        }
    }
}

/// Counts what an evaluation costs, and ends it when that is too much.
#[derive(Clone, Debug)]
pub struct Meter {
    limits: Limits,
    steps: u64,
}

impl Meter {
    /// A meter that has counted nothing yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, steps: 0 }
    }

    /// How many steps were taken.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts `steps` that are taken for what is at `span`.
    ///
    /// # Errors
    ///
    /// If these are more than are left.
    pub fn count(&mut self, steps: usize, span: Span) -> Result<(), Mistake> {
        self.steps = self
            .steps
            .saturating_add(u64::try_from(steps).unwrap_or(u64::MAX));
        if self.steps <= self.limits.steps {
            return Ok(());
        }
        Err(Mistake::new(
            span,
            format!(
                "this layout takes more than {} steps, and here they are used up",
                self.limits.steps
            ),
        )
        .with_help("show fewer items: `list.slice(0, 20)`"))
    }

    /// Counts the steps for a text of `bytes`, which is made or looked through at `span`.
    ///
    /// # Errors
    ///
    /// If it is too long, or no steps are left.
    pub fn text(&mut self, bytes: usize, span: Span) -> Result<(), Mistake> {
        self.check_text(bytes, span)?;
        self.count(bytes / 32 + 1, span)
    }

    pub(super) fn most_bytes(&self) -> usize {
        self.limits.text
    }

    pub(super) fn most_items(&self) -> usize {
        self.limits.list
    }

    pub(super) fn check_text(&self, bytes: usize, span: Span) -> Result<(), Mistake> {
        if bytes > self.limits.text {
            return Err(Mistake::new(
                span,
                format!(
                    "this text has {bytes} bytes, and at most {} are allowed",
                    self.limits.text
                ),
            )
            .with_help("show a part of it: `text.slice(0, 200)`"));
        }
        Ok(())
    }

    /// Counts the steps for a list of `items`, which is made or looked through at `span`.
    ///
    /// # Errors
    ///
    /// If it is too long, or no steps are left.
    pub fn list(&mut self, items: usize, span: Span) -> Result<(), Mistake> {
        self.check_list(items, span)?;
        self.count(items + 1, span)
    }

    pub(super) fn check_list(&self, items: usize, span: Span) -> Result<(), Mistake> {
        if items > self.limits.list {
            return Err(Mistake::new(
                span,
                format!(
                    "this list has {items} items, and at most {} are allowed",
                    self.limits.list
                ),
            )
            .with_help("show a part of it: `list.slice(0, 20)`"));
        }
        Ok(())
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

//! The cost limits of an evaluation.

use super::{Mistake, Span};

/// The maximum length of the source of an expression, in bytes.
pub const MAX_SOURCE: usize = 64 * 1024;
/// The maximum depth of nested brackets, tags and templates.
pub const MAX_BRACKETS: usize = 64;
/// The maximum number of operators, branches or links in a row.
pub const MAX_OPERATORS: usize = 256;

/// The limits of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of steps of all expressions of a layout together, 200,000 by default. Each of these is a
    /// step: an expression, an item of a list that is made, a value that is shown, and 32 bytes of text.
    pub steps: u64,
    /// The maximum length of a string in bytes, 65,536 by default.
    pub text: usize,
    /// The maximum number of items of a list, 10,000 by default.
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

/// Counts the cost of an evaluation, and fails once it exceeds the limits.
#[derive(Clone, Debug)]
pub struct Meter {
    limits: Limits,
    steps: u64,
}

impl Meter {
    /// Returns a meter that has counted no steps.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, steps: 0 }
    }

    /// The number of steps that were counted.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts `steps` for the code at `span`.
    ///
    /// # Errors
    ///
    /// If more steps are counted than are allowed.
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

    /// Counts the steps for a string of `bytes`, which is made or read at `span`.
    ///
    /// # Errors
    ///
    /// If the string is too long, or no steps are left.
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

    /// Counts the steps for a list of `items`, which is made or read at `span`.
    ///
    /// # Errors
    ///
    /// If the list is too long, or no steps are left.
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

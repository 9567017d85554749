//! Functions of layouts (the feature `script`): JavaScript with statements, in QuickJS, in a process
//! of its own.
//!
//! A layout's functions are what it exports: `export function rank(list) { .. }`. Expressions call
//! them, and give them to methods: `rank(state.files)`, `state.files.map(label)`.
//!
//! QuickJS is never in the process that answers a client, since some of its own functions cannot be
//! interrupted and some inputs make it abort. [`Process`] starts the same program again, as one that
//! does nothing but [`run`]: without an environment, with limits of memory and time that it sets
//! itself, and it is killed when its time is over. What goes in and out is JSON, a line each.
//!
//! A function is given copies of values. There is no clock, no randomness, no file and no network, and
//! what is built in is frozen. What it keeps between calls lives as long as the process, which is one
//! rendering.
//!
//! Whoever renders a layout must know that the user allowed its functions: they are code.

mod child;
mod process;

pub use child::run;
pub use process::{DEADLINE, Process};

use std::sync::Arc;

use crate::expr::{Mistake, Span};
use crate::functions::{self, Function};

/// How many bytes a line to the process may have, and one from it.
const MAX_LINE: usize = 1024 * 1024;

/// The functions of a layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    source: Arc<str>,
    names: Vec<Arc<str>>,
}

impl Script {
    /// Reads the functions at the starts of a file's lines, and says where.
    ///
    /// ```
    /// use hud_layout::script::Script;
    ///
    /// let file = "# Files\n\nexport function twice(n) {\n  return 2 * n;\n}\n\n{twice(2)}\n";
    /// let (script, spans) = Script::read(file).expect("functions");
    /// assert!(script.has("twice"));
    /// assert_eq!(&file[spans[0].end..], "\n\n{twice(2)}\n");
    /// ```
    ///
    /// # Errors
    ///
    /// The mistakes of functions that have no name, are not closed or are there twice.
    pub fn read(file: &str) -> Result<(Self, Vec<Span>), Vec<Mistake>> {
        let found = functions::find(file)?;
        let mut source = String::new();
        let mut at = 0;
        for Function { span, .. } in &found {
            // Lines stay where they are in the file, so that errors tell them.
            let lines = file[at..span.start].matches('\n').count();
            source.push_str(&"\n".repeat(lines));
            source.push_str(&file[span.start..span.end]);
            at = span.end;
        }
        let script = Self {
            source: source.into(),
            names: found.iter().map(|function| function.name.into()).collect(),
        };
        Ok((script, found.iter().map(|function| function.span).collect()))
    }

    /// Whether there is a function of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| **own == *name)
    }

    /// The names of the functions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The functions alone, which what a user allows is a hash of.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }
}

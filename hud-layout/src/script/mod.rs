//! Functions of layouts (the feature `script`): JavaScript with statements, which QuickJS runs in a separate
//! process.
//!
//! The functions of a layout are its exports: `export function rank(list) { .. }`. Expressions call them, and pass
//! them to methods: `rank(state.files)`, `state.files.map(label)`.
//!
//! QuickJS never runs in the process that answers a client, because some of its functions cannot be interrupted and
//! some inputs abort it. [`Process`] starts the same program again, which then only calls [`run`]. The child has no
//! environment, sets limits on its memory and time, and is killed when its time is over. Requests and answers are
//! JSON, one per line.
//!
//! Values are copied to and from functions. There is no clock, no randomness, no file and no network, and the
//! built-in objects are frozen. Variables of the script live as long as the process, which is one rendering.
//!
//! A program must only run the functions of a layout that the user allowed, because they are code.

mod child;
mod process;

pub use child::run;
pub use process::{DEADLINE, Process};

use std::sync::Arc;

use crate::expr::{Mistake, Span};
use crate::functions::{self, Function};

/// The maximum length of a line to the process and of a line from it, in bytes.
const MAX_LINE: usize = 1024 * 1024;

/// The functions of a layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    source: Arc<str>,
    names: Vec<Arc<str>>,
}

impl Script {
    /// Reads the functions that begin at the start of a line of a file. It returns them with their spans.
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
    /// The errors of functions that have no name, are not closed or are defined twice.
    pub fn read(file: &str) -> Result<(Self, Vec<Span>), Vec<Mistake>> {
        let found = functions::find(file)?;
        let mut source = String::new();
        let mut at = 0;
        for Function { span, .. } in &found {
            // Line numbers are kept, so that errors have the line of the file.
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

    /// True if there is a function with this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| **own == *name)
    }

    /// The names of the functions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// True if there are no functions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The source of the functions without the layout. A user allows its hash.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }
}

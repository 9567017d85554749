//! The sections of a state by name.

use std::fmt;
use std::str::FromStr;

use super::{HudState, Touch};

macro_rules! sections {
    ($($(#[$doc:meta])* $section:ident $name:literal,)*) => {
        /// A section of a [`HudState`], under the name that it has there.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Section {
            $($(#[$doc])* $section,)*
        }

        impl Section {
            /// All of them, in the order of the state.
            pub const ALL: &'static [Self] = &[$(Self::$section),*];

            /// The name of the field in the state's JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$section => $name,)*
                }
            }
        }
    };
}

sections! {
    /// Where the session comes from.
    Origin "origin",
    /// What the agent works on.
    Task "task",
    /// What was decided.
    Decisions "decisions",
    /// The scratchpad.
    Notes "notes",
    /// The files in recent context.
    ActiveFiles "active_files",
    /// The plan.
    NextSteps "next_steps",
    /// What is in the way.
    Blockers "blockers",
    /// What failed.
    Errors "errors",
    /// How full the context window is.
    Context "context",
    /// What compaction left.
    Compacted "compacted",
    /// The agent's lasting memory.
    CoreMemory "core_memory",
    /// The agent's fading memory.
    WorkingMemory "working_memory",
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no section has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no section `{name}`: the sections are {}", names())]
pub struct UnknownSection {
    /// The name.
    pub name: String,
}

fn names() -> String {
    let names: Vec<&str> = Section::ALL.iter().map(|section| section.name()).collect();
    names.join(", ")
}

impl FromStr for Section {
    type Err = UnknownSection;

    fn from_str(name: &str) -> Result<Self, UnknownSection> {
        let found = Self::ALL.iter().find(|section| section.name() == name);
        found.copied().ok_or_else(|| UnknownSection {
            name: name.to_owned(),
        })
    }
}

impl HudState {
    /// When a section last changed; `None` if it never did. Where the session comes from never
    /// changes.
    pub fn last_touched(&self, section: Section) -> Option<Touch> {
        let touched = &self.touched;
        match section {
            Section::Origin => None,
            Section::Task => touched.task,
            Section::Decisions => touched.decisions,
            Section::Notes => touched.notes,
            Section::ActiveFiles => touched.active_files,
            Section::NextSteps => touched.next_steps,
            Section::Blockers => touched.blockers,
            Section::Errors => touched.errors,
            Section::Context => touched.context,
            Section::Compacted => touched.compacted,
            Section::CoreMemory => touched.core_memory,
            Section::WorkingMemory => touched.working_memory,
        }
    }
}

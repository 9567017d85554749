//! A guide to a custom section, a custom layout and a custom `hud` program in a real client.
//!
//! In the example *Risks*, the agent notes risks and sees them on every turn. The code below is the whole crate
//! [`examples/risks`](https://github.com/agent-hud/agent-hud/tree/main/examples/risks), in this order.
//!
//! # 1. Crate
//!
//! ```sh
//! cargo new risks-hud && cd risks-hud
//! cargo add hud-agent hud-cli hud-components hud-core hud-store schemars serde_json
//! cargo add serde --features derive
//! ```
//!
//! # 2. Events
//!
//! A session is a log of events, and [`hud_store::events!`] defines the events of a section. Each event has a
//! kind, which identifies it in every log, and a version, which you raise when its fields change. After the
//! fields come the item that the event is about (`item`) and the text that `hud search` finds (`words`). Never
//! change the meaning of a kind after a log contains an event of it.
//!
//! # 3. State
//!
//! A [`Section`](hud_store::section::Section) is a value that the events of a session are folded to, and
//! `apply` is the fold. The same events always result in the same value, so `apply` reads no clock and no file.
//! `items` lists the items of the value. `hud diff`, the delta frame and the default look of every section use
//! this list. `carry_over` returns the part that a session inherits from the session that it resumes. By
//! default it inherits nothing.
//!
//! # 4. Operations
//!
//! An operation of the `hud` tool is a type whose fields are the arguments. A [`Read`](hud_agent::tool::Read)
//! operation returns data, and a [`Write`](hud_agent::tool::Write) operation drafts events. In the example the
//! event is also the operation. The agent finds it with `help`, together with the schema of its arguments and
//! an example. The error for an invalid call contains both. [`AgentSection`](hud_agent::section::AgentSection)
//! adds the operations to the section.
//!
//! # 5. Component
//!
//! A component is a function from its props to elements, as [`hud_core::guide`] explains. `part` sets the name
//! that settings use for it (`[sections.risks]`), and `worth` sets its priority if there is not enough room.
//! Text from other programs is data, and [`line`](hud_components::text::line) turns any text into one line. A
//! section that the layout does not show is added at the end of the HUD, as a list of its items.
//!
//! # 6. Binary
//!
//! [`App`](crate::App) with the section and the layout is the whole program.
//!
#![doc = concat!("```no_run\n", include_str!("../linked/risks.rs"), "```")]
//!
//! # 7. Client
//!
//! ```sh
//! cargo install --path .
//! risks-hud install opencode --yes     # or claude, codex, gemini, cline, goose
//! ```
//!
//! This installs the binary under its own name, in place of any other `hud` in that client's configuration.
//! `risks-hud uninstall opencode --yes` removes it again. The binary has all commands: `risks-hud log --section
//! risks`, `search`, `at`, `diff`, `export`, `render`, `config`.
//!
//! # Logs in other programs
//!
//! Every other `hud` can read and write a log with events of your section. It keeps unknown events byte for
//! byte and shows them in `hud log`. When your program opens the log again, it folds the section from all its
//! events. It does the same after you raise the section's `VERSION`, because the fold is then a different one.

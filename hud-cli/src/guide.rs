//! From nothing to a section, a layout and a `hud` of your own in a real client.
//!
//! The example is *Risks*: the agent notes what may go wrong, and sees it on every turn. It is the crate
//! [`examples/risks`](https://github.com/agent-hud/agent-hud/tree/main/examples/risks), whole and in this
//! order below.
//!
//! # 1. A crate
//!
//! ```sh
//! cargo new risks-hud && cd risks-hud
//! cargo add hud-agent hud-cli hud-components hud-core hud-store schemars serde_json
//! cargo add serde --features derive
//! ```
//!
//! # 2. What happens
//!
//! A session is a log of events, and [`hud_store::events!`] makes a section's own. Each has a kind, by
//! which it is known in any log, and a version, which you raise when its fields change. Behind the
//! fields is what the event is about (`item`) and what `hud search` finds (`words`). Once somebody has
//! a log with an event in it, its kind keeps its meaning.
//!
//! # 3. What is so
//!
//! A [`Section`](hud_store::section::Section) is a value that the events of a session are folded to, and
//! `apply` is the fold: the same events give the same value, so it reads no clock and no file. `items`
//! says what is in it, one by one: `hud diff`, the note of what changed and the look that every section
//! has by itself come of that. `carry_over` says what a session takes over from the one that it resumes; by
//! default that is nothing.
//!
//! # 4. What the agent does
//!
//! An operation of the `hud` tool is a type whose fields are the arguments:
//! [`Read`](hud_agent::tool::Read) looks, [`Write`](hud_agent::tool::Write) drafts events. Here the event
//! is its own operation. The agent finds it with `help`, with the schema of its arguments and the example,
//! and wrong calls are refused with both. [`AgentSection`](hud_agent::section::AgentSection) puts the
//! operations to the section.
//!
//! # 5. What is seen
//!
//! A component is a function from its props to elements: [`hud_core::guide`] teaches that. `part` gives
//! it the name by which settings know it (`[sections.risks]`), `worth` says what goes first when there is
//! no room. Texts of the world are data: [`line`](hud_components::text::line) makes one line of any. A
//! section that the layout does not show is shown at its end, as a list of its items.
//!
//! # 6. A binary
//!
//! [`App`](crate::App) with the section and the layout is the whole program.
//!
#![doc = concat!("```no_run\n", include_str!("../linked/risks.rs"), "```")]
//!
//! # 7. In a client
//!
//! ```sh
//! cargo install --path .
//! risks-hud install opencode --yes     # or claude, codex, gemini, cline, goose
//! ```
//!
//! installs this binary, by its own name, in the place of any other `hud` in that client's configuration,
//! and `risks-hud uninstall opencode --yes` takes it out again. All commands are there:
//! `risks-hud log --section risks`, `search`, `at`, `diff`, `export`, `render`, `config`.
//!
//! # When it is not there
//!
//! A log with events of a section can be read and written by every other `hud`: what it does not know it
//! keeps, byte for byte, and shows in `hud log`. The next time that yours opens the log, the section is
//! folded from all its events. So is a section whose `VERSION` you raised, because the fold is another.

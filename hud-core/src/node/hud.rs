use crate::Node;

/// A labelled value on a line of its own: `**Task:** Add rate limiting`.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Field {
    /// The label, without the colon.
    #[prop(into)]
    pub label: String,
}

/// Children side by side on one line, with a separator between them. A child that shows nothing
/// leaves no separator.
///
/// The call of a component is one child, whatever it renders, and so is a [`Group`]. What control
/// flow and braces give is several children, if it is several elements:
///
/// ```
/// use hud_core::node::{Group, Line};
/// use hud_core::{Density, render, rsx};
///
/// let laps = rsx! {
///     <Line separator="; ">
///         for minutes in [1, 2] { <Group>{minutes} " min"</Group> }
///     </Line>
/// };
/// assert_eq!(render(&laps, Density::Full)?, "1 min; 2 min\n");
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Line {
    /// What is written between two children.
    #[prop(into, default = " │ ".to_owned())]
    pub separator: String,
}

/// Children as one: a [`Line`] around them does not part them.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Group {}

/// How what is around its children is related to what they name. Only a graph shows it; anywhere else it is its
/// children.
///
/// ```
/// use hud_core::graph::mermaid;
/// use hud_core::node::{Code, Item, List, Relates};
/// use hud_core::{Density, Renderer, Scope, render, rsx};
///
/// let errors = rsx! {
///     <List>
///         <Item>
///             <Relates how="is in" to="src/limit.rs"><Code>"limit.rs"</Code></Relates> ": no method `get`"
///         </Item>
///     </List>
/// };
/// assert_eq!(render(&errors, Density::Full)?, "- `limit.rs`: no method \\`get\\`\n");
/// let diagram = Renderer::builtin().diagram(&errors, Scope::default())?;
/// assert!(mermaid::to_string(&diagram).contains("v0 -.->|\"is in\"| v1"));
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Relates {
    /// The relation as a verb between the two: `affects`, `is in`.
    #[prop(into)]
    pub how: String,
    /// What it is related to, by its name, in place of what the children name: a path, a command, a session. It is in
    /// the graph even where nothing else names it.
    #[prop(into)]
    pub to: Option<String>,
    /// The part of the layout that it is related to, by its name, in place of what the children name: `task`.
    #[prop(into)]
    pub part: Option<String>,
}

/// How much of something is used. Full density shows the percentage and both figures, compact
/// the percentage and the used figure, minimal the percentage.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
#[node(leaf)]
pub struct Meter {
    /// How much is used.
    pub used: u64,
    /// How much there is; without it only the used figure is shown.
    pub limit: Option<u64>,
    /// The share in per cent, where the figures are rounded and it is known without them; else it is
    /// computed from both.
    pub share: Option<u8>,
    /// Whether the used figure is rounded, which it looks then: `~90k`. So do figures that are too long to be
    /// written out.
    #[prop(default)]
    pub rounded: bool,
    /// What is counted, for example `tokens`; shown where there is no percentage.
    #[prop(into, default)]
    pub unit: String,
}

impl Meter {
    /// The used share in whole per cent: as it is given, else rounded down and at most 100. None without
    /// a limit, or with a limit of nought.
    pub fn percentage(&self) -> Option<u8> {
        let limit = self.limit.filter(|limit| *limit > 0)?;
        if self.share.is_some() {
            return self.share;
        }
        let share = u128::from(self.used) * 100 / u128::from(limit);
        Some(u8::try_from(share.min(100)).unwrap_or(100))
    }
}

/// The state that something is in: `(editing)`.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
#[node(leaf)]
pub struct Status {
    /// The state's name.
    #[prop(into)]
    pub state: String,
}

//! Output formats of a HUD other than markdown.

use std::fmt;
use std::str::FromStr;

use hud_core::data::{DataError, ShortKeys, json, toon, xml};
use hud_core::gfm::{self, ParseOptions};
use hud_core::graph::{Diagram, dot, graphml, mermaid};
use hud_core::mdast::Node;
use hud_core::node::Value;
use hud_core::part::PartMeta;
use hud_core::terminal;
use hud_core::{Density, html, mdx};
use hud_store::state::HudState;

use crate::frame::Frame;
use crate::layout::LayoutError;
use crate::setup::Setup;

/// An output format of a HUD.
///
/// The model reads [markdown](Self::Markdown), which takes the fewest tokens for the same content: `hud
/// formats` counts them. The other formats are for programs and people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// GFM.
    #[default]
    Markdown,
    /// GFM with JSX elements for components that GFM does not have, for example meters.
    Mdx,
    /// JSON on one line.
    Json,
    /// JSON with each member on its own line.
    PrettyJson,
    /// JSON on one line with short names of members: `keys` maps them to the long names, and `hud` is the HUD.
    CompactJson,
    /// TOON.
    Toon,
    /// XML.
    Xml,
    /// A fragment of HTML that is safe to show.
    Html,
    /// Text for a terminal of 80 columns without colours. [`for_terminal`] writes for any other terminal.
    Terminal,
    /// A graph of containment and relations, as DOT of Graphviz.
    Dot,
    /// The same graph as a flowchart of Mermaid.
    Mermaid,
    /// The same graph as GraphML.
    GraphMl,
}

impl Format {
    /// All formats, markdown first.
    pub const ALL: [Self; 12] = [
        Self::Markdown,
        Self::Mdx,
        Self::Json,
        Self::PrettyJson,
        Self::CompactJson,
        Self::Toon,
        Self::Xml,
        Self::Html,
        Self::Terminal,
        Self::Dot,
        Self::Mermaid,
        Self::GraphMl,
    ];

    /// The format's name, in lower case with hyphens: `compact-json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Mdx => "mdx",
            Self::Json => "json",
            Self::PrettyJson => "pretty-json",
            Self::CompactJson => "compact-json",
            Self::Toon => "toon",
            Self::Xml => "xml",
            Self::Html => "html",
            Self::Terminal => "terminal",
            Self::Dot => "dot",
            Self::Mermaid => "mermaid",
            Self::GraphMl => "graphml",
        }
    }

    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::Mdx => "text/mdx",
            Self::Json | Self::PrettyJson | Self::CompactJson => "application/json",
            Self::Toon => "text/toon",
            Self::Xml => "application/xml",
            Self::Html => "text/html",
            Self::Terminal => "text/plain",
            Self::Dot => "text/vnd.graphviz",
            Self::Mermaid => "text/vnd.mermaid",
            Self::GraphMl => "application/graphml+xml",
        }
    }

    /// Renders the HUD of a state in this format, with all parts at `density`. The default density is that of
    /// the context use. The text ends with a line ending unless it is empty.
    ///
    /// ```
    /// use hud_agent::format::Format;
    /// use hud_agent::setup::Setup;
    /// use hud_core::Density;
    /// use hud_store::state::HudState;
    ///
    /// let mut state = HudState::default();
    /// state.repository.branch = Some("main".to_owned());
    /// let setup = Setup::default();
    /// let written = |format: Format| format.write(&state, Some(Density::Compact), &setup);
    /// assert_eq!(written(Format::Json)?, "{\"git\":\"on main\"}\n");
    /// assert_eq!(written(Format::Xml)?, "<hud>\n  <git>on main</git>\n</hud>\n");
    /// assert_eq!(written(Format::Html)?, "<p><strong>Git:</strong> on <code>main</code></p>\n");
    /// # Ok::<(), hud_agent::format::FormatError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FormatError`], if the layout can't be rendered, or has content that the format can't express.
    pub fn write(
        self,
        state: &HudState,
        density: Option<Density>,
        setup: &Setup,
    ) -> Result<String, FormatError> {
        let value = || value(state, density, setup);
        let text = match self {
            Self::Markdown => Frame::whole(state, density, setup)?.system,
            Self::Mdx => {
                let density = at(density, state, setup);
                let mut whole = |part: &PartMeta| Some(part.at(density));
                let own = setup
                    .layout
                    .mdx(state, &setup.settings, density, &mut whole)?;
                match own {
                    Some(mdx) => mdx,
                    None => mdx::to_string(tree(state, Some(density), setup)?),
                }
            }
            Self::Html => html::to_string(&tree(state, density, setup)?),
            Self::Terminal => {
                for_terminal(state, density, setup, &terminal::TerminalOptions::default())?
            }
            Self::Dot => dot::to_string(&diagram(state, density, setup)?),
            Self::Mermaid => mermaid::to_string(&diagram(state, density, setup)?),
            Self::GraphMl => graphml::to_string(&diagram(state, density, setup)?),
            Self::Json => json::to_string(&value()?)?,
            Self::PrettyJson => json::to_string_pretty(&value()?)?,
            Self::CompactJson => {
                let value = value()?;
                let keys = ShortKeys::of(&value);
                json::to_string(&Value::Object(vec![
                    ("keys".to_owned(), keys.legend()),
                    ("hud".to_owned(), keys.shorten(&value)),
                ]))?
            }
            Self::Toon => toon::to_string(&value()?)?,
            Self::Xml => xml::to_string(&value()?, "hud")?,
        };
        Ok(match text.is_empty() || text.ends_with('\n') {
            true => text,
            false => text + "\n",
        })
    }
}

/// Renders the HUD of a state for a terminal with the width and colours of `terminal`.
///
/// # Errors
///
/// As [`Format::write`].
pub fn for_terminal(
    state: &HudState,
    density: Option<Density>,
    setup: &Setup,
    terminal: &terminal::TerminalOptions,
) -> Result<String, FormatError> {
    Ok(terminal::to_string(&tree(state, density, setup)?, terminal))
}

/// Renders the HUD of a state as mdast.
fn tree(state: &HudState, density: Option<Density>, setup: &Setup) -> Result<Node, FormatError> {
    let markdown = Frame::whole(state, density, setup)?.system;
    let tree = gfm::parse(&markdown, &ParseOptions::default());
    let mut tree = tree.map_err(|error| FormatError::Markdown(error.to_string()))?;
    unlink(&mut tree);
    Ok(tree)
}

/// Replaces bare links, whose text is their address, with their text. A GFM parser makes such a link of each
/// address in a text, but addresses that an agent or a tool wrote must not be clickable.
fn unlink(tree: &mut Node) {
    let is_bare = |node: &Node| match node {
        Node::Link(link) => match link.children.as_slice() {
            [Node::Text(text)] => {
                let beginning = link.url.strip_suffix(text.value.as_str());
                link.title.is_none() && matches!(beginning, Some("" | "http://" | "mailto:"))
            }
            _ => false,
        },
        _ => false,
    };
    let mut rest = vec![tree];
    while let Some(node) = rest.pop() {
        let Some(children) = node.children_mut() else {
            continue;
        };
        for child in children.iter_mut().filter(|child| is_bare(child)) {
            if let Node::Link(link) = child
                && let Some(text) = link.children.pop()
            {
                *child = text;
            }
        }
        rest.extend(children);
    }
}

/// Returns the requested density, or that of the context use.
fn at(density: Option<Density>, state: &HudState, setup: &Setup) -> Density {
    density.unwrap_or_else(|| hud_components::density(state, &setup.settings.bands))
}

/// Renders the HUD of a state as a graph.
fn diagram(
    state: &HudState,
    density: Option<Density>,
    setup: &Setup,
) -> Result<Diagram, LayoutError> {
    let density = at(density, state, setup);
    setup
        .layout
        .diagram(state, &setup.settings, density, &mut |part| {
            Some(part.at(density))
        })
}

/// Renders the HUD of a state as data.
fn value(state: &HudState, density: Option<Density>, setup: &Setup) -> Result<Value, LayoutError> {
    let density = at(density, state, setup);
    setup
        .layout
        .data(state, &setup.settings, density, &mut |part| {
            Some(part.at(density))
        })
}

/// An error that prevents writing a HUD in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The layout can't be rendered.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The format can't express the data.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The rendered markdown can't be parsed.
    #[error("the HUD's markdown can't be read: {0}")]
    Markdown(String),
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            format!(
                "there is no format `{name}`: there are {}",
                names.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_a_name_by_which_it_is_found() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "yaml".parse::<Format>().unwrap_err();
        assert!(
            error.contains("`yaml`") && error.contains("toon"),
            "{error}"
        );
    }

    #[test]
    fn an_address_in_a_text_is_no_link_for_who_opens_the_page() -> Result<(), FormatError> {
        let said = "see https://x.example/a?b=1, www.x.example and ada@x.example";
        let note = serde_json::json!({ "tool": "notes.add", "args": { "content": said } });
        let id = hud_store::event::SessionId::new("s").unwrap();
        let log = hud_store::memory::MemoryLog::new();
        let mut session = crate::session::Session::open(log, id).unwrap();
        session.call(&note, jiff::Timestamp::UNIX_EPOCH).unwrap();
        let setup = Setup::default();
        let page = Format::Html.write(session.state(), Some(Density::Full), &setup)?;
        assert!(page.contains(said) && !page.contains("href"), "{page}");
        Ok(())
    }

    #[test]
    fn a_link_with_a_text_of_its_own_stays_one() -> Result<(), gfm::ParseError> {
        let markdown =
            "[page](https://x.example) https://x.example [https://x.example](https://y.example)";
        let mut tree = gfm::parse(markdown, &ParseOptions::default())?;
        unlink(&mut tree);
        assert_eq!(
            html::to_string(&tree),
            "<p><a href=\"https://x.example\">page</a> https://x.example \
             <a href=\"https://y.example\">https://x.example</a></p>\n"
        );
        Ok(())
    }
}

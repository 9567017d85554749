//! The resources of the server: the HUD as markdown, and in each other format.

#[cfg(feature = "formats")]
use hud_agent::format::Format;
use rmcp::model::Resource;

use super::backend::{Backend, McpError};
use super::whose::Said;

/// Where the HUD is. Behind it is the name of a format.
const FRAME: &str = "hud://frame";

/// How a resource shows the HUD.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// As the model is given it at the end of a system prompt.
    Markdown,
    /// Whole, in a format for programs and people.
    #[cfg(feature = "formats")]
    As(Format),
}

impl Shown {
    /// All of them, markdown first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let markdown = std::iter::once(Self::Markdown);
        #[cfg(feature = "formats")]
        let markdown = {
            let others = Format::ALL.into_iter();
            let others = others.filter(|format| *format != Format::Markdown);
            markdown.chain(others.map(Self::As))
        };
        markdown
    }

    /// The resource's address.
    pub(super) fn uri(self) -> String {
        match self {
            Self::Markdown => FRAME.to_owned(),
            #[cfg(feature = "formats")]
            Self::As(format) => format!("{FRAME}/{format}"),
        }
    }

    pub(super) const fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            #[cfg(feature = "formats")]
            Self::As(format) => format.media_type(),
        }
    }

    pub(super) fn resource(self) -> Resource {
        let (name, description) = match self {
            Self::Markdown => ("hud".to_owned(), "The HUD as it is now".to_owned()),
            #[cfg(feature = "formats")]
            Self::As(format) => (
                format!("hud as {format}"),
                format!("The HUD as it is now, as {format}"),
            ),
        };
        let mut resource = Resource::new(self.uri(), name);
        resource.description = Some(description);
        resource.mime_type = Some(self.media_type().to_owned());
        resource
    }

    /// What the resource says.
    pub(super) fn read(self, backend: &mut Backend, said: &Said) -> Result<String, McpError> {
        match self {
            Self::Markdown => backend.frame(said),
            #[cfg(feature = "formats")]
            Self::As(format) => backend.written(said, format),
        }
    }
}

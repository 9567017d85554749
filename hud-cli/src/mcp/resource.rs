//! The resources of the server: the HUD as Markdown, and in each other format.

#[cfg(feature = "formats")]
use hud_agent::format::Format;
use rmcp::model::Resource;

use super::backend::{Backend, McpError};
use super::whose::Said;

/// The address of the HUD. The name of a format may follow it.
const FRAME: &str = "hud://frame";

/// The form in which a resource shows the HUD.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Markdown, as the model sees it at the end of a system prompt.
    Markdown,
    /// The whole HUD in a format for programs and people.
    #[cfg(feature = "formats")]
    As(Format),
}

impl Shown {
    /// All forms, Markdown first.
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

    /// The address of the resource.
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

    /// The content of the resource.
    pub(super) fn read(self, backend: &mut Backend, said: &Said) -> Result<String, McpError> {
        match self {
            Self::Markdown => backend.frame(said),
            #[cfg(feature = "formats")]
            Self::As(format) => backend.written(said, format),
        }
    }
}

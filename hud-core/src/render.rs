//! From an element to markdown in one call.

use std::sync::LazyLock;

use markdown::mdast::Node as MdastNode;

use crate::component::Scope;
use crate::density::Density;
use crate::element::Element;
use crate::gfm;
use crate::mdast::{self, Mdast};
use crate::registry::{Lower, LowerError, Registry};

static BUILTIN: LazyLock<Renderer> = LazyLock::new(|| Renderer::new(Registry::builtin()));

/// Renders an element to GFM markdown with the built-in nodes' rules and
/// [`gfm::Options::hud`]. The text ends with a line ending unless it is empty.
///
/// # Errors
///
/// As [`Lower::element`]: a node of your own needs a [`Renderer`] with its rule.
pub fn render(element: &Element<'_>, density: Density) -> Result<String, LowerError> {
    BUILTIN.markdown(element, Scope::new(density))
}

/// A registry and the options of the text: all that rendering depends on besides the tree and
/// the scope.
pub struct Renderer {
    registry: Registry,
    options: gfm::Options,
}

/// The renderer of the built-in nodes.
impl Default for Renderer {
    fn default() -> Self {
        Self::new(Registry::builtin())
    }
}

impl Renderer {
    /// A renderer with these rules, writing as [`gfm::Options::hud`] says.
    pub fn new(registry: Registry) -> Self {
        Self {
            registry,
            options: gfm::Options::hud(),
        }
    }

    /// The same renderer with other options of the text.
    ///
    /// ```
    /// use hud_core::node::{Item, List};
    /// use hud_core::{Renderer, Scope, gfm, rsx};
    ///
    /// let renderer = Renderer::default().with_options(gfm::Options::default());
    /// let list = rsx! { <List><Item>"a"</Item></List> };
    /// assert_eq!(renderer.markdown(&list, Scope::default())?, "* a\n");
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    pub fn with_options(self, options: gfm::Options) -> Self {
        Self { options, ..self }
    }

    /// Renders an element to an mdast root.
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn mdast(&self, element: &Element<'_>, scope: Scope) -> Result<MdastNode, LowerError> {
        let pieces = Lower::<Mdast>::new(&self.registry, scope).element(element)?;
        Ok(mdast::root(pieces))
    }

    /// Renders an element to GFM markdown.
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn markdown(&self, element: &Element<'_>, scope: Scope) -> Result<String, LowerError> {
        Ok(gfm::to_string(&self.mdast(element, scope)?, &self.options))
    }
}

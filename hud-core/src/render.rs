//! From an element to markdown in one call.

use std::borrow::Cow;
use std::sync::LazyLock;

use markdown::mdast::Node as MdastNode;

use crate::ambient::Scope;
use crate::data::{self, Data};
use crate::density::Density;
use crate::element::Element;
use crate::fit::{self, FitError, Fitted, Fitting};
use crate::gfm;
use crate::graph::{self, Diagram, Graph};
use crate::marker;
use crate::mdast::{self, Arranger, Mdast, Measured, Measurer};
use crate::node::Value;
use crate::part::{Amount, Arrangement, Gatherer, PartCache, PartMeta, Rendered, RenderedPart};
use crate::registry::{LiftError, Lower, LowerError, Registry};
use crate::tokens;
use crate::trace::{Recorder, Trace};

static BUILTIN: LazyLock<Renderer> = LazyLock::new(|| Renderer::new(Registry::builtin()));

/// Renders an element to GFM markdown with the built-in nodes' rules and
/// [`gfm::SerializeOptions::hud`]. The text ends with a line ending unless it is empty.
///
/// # Errors
///
/// As [`Lower::element`]. A custom node needs a [`Renderer`] with its rule.
pub fn render(element: &Element<'_>, density: Density) -> Result<String, LowerError> {
    BUILTIN.markdown(element, Scope::new(density))
}

/// Lifts an mdast tree to elements, with the built-in nodes' rules: see
/// [`mdast`](crate::mdast#the-way-back).
///
/// # Errors
///
/// As [`Renderer::lift`].
pub fn lift(tree: &MdastNode) -> Result<Element<'static>, LiftError> {
    BUILTIN.lift(tree)
}

/// Renders an element at each density, for a snapshot: see [`Renderer::densities`].
///
/// # Errors
///
/// As [`render()`].
pub fn render_densities(element: &Element<'_>) -> Result<String, LowerError> {
    BUILTIN.densities(element)
}

/// Lifts GFM markdown to elements, with the built-in nodes' rules: [`gfm::parse`] and [`lift`] in one call.
///
/// ```
/// use hud_core::node::{Item, List, Section};
/// use hud_core::{lift_markdown, rsx};
///
/// let notes = lift_markdown("# Notes\n\n- rate limits\n")?;
/// assert_eq!(notes, rsx! {
///     <Section title="Notes"><List><Item>"rate limits"</Item></List></Section>
/// });
/// # Ok::<(), hud_core::LiftError>(())
/// ```
///
/// # Errors
///
/// [`LiftError::Parse`] and [`LiftError::TooDeep`], if the markdown is nested too deeply.
pub fn lift_markdown(markdown: &str) -> Result<Element<'static>, LiftError> {
    lift(&gfm::parse(markdown, &gfm::ParseOptions::default())?)
}

/// Renders as much of a layout as a token budget holds, with the built-in nodes' rules and an
/// [estimate](tokens::Estimate) of the tokens. [`Renderer::fit`] accepts another counter, and
/// reports the reasons.
///
/// ```
/// use hud_core::node::Part;
/// use hud_core::{render_within, rsx};
///
/// let layout = rsx! {
///     <Part name="soup" worth=1>"Soup of the day"</Part>
///     <Part name="cake" worth=9>"Cake"</Part>
/// };
/// assert_eq!(render_within(&layout, 300)?, "Cake │ Soup of the day\n");
/// assert_eq!(render_within(&layout, 4)?, "Cake\n");
/// # Ok::<(), hud_core::fit::FitError>(())
/// ```
///
/// # Errors
///
/// As [`Renderer::fit`].
pub fn render_within(layout: &Element<'_>, tokens: u64) -> Result<String, FitError> {
    let fitting = Fitting::new(tokens, &tokens::Estimate);
    let arrangement = Arrangement::default();
    let fitted = BUILTIN.fit(layout, Scope::default(), &arrangement, &fitting)?;
    Ok(fitted.rendered.markdown)
}

/// Asserts that a layout matches its snapshot, which has all densities in one file: see
/// [`render_densities`].
///
/// It expands to `insta::assert_snapshot!`, so add `insta` to the `[dev-dependencies]`.
///
/// ```ignore
/// #[test]
/// fn guests_are_counted_at_a_lower_density() {
///     hud_core::assert_densities!(rsx! { <Guests names={&["Ada", "Grace"]} /> });
/// }
/// ```
#[macro_export]
macro_rules! assert_densities {
    ($layout:expr $(,)?) => {
        match $crate::render_densities(&$layout) {
            Ok(shown) => ::insta::assert_snapshot!(shown),
            Err(error) => panic!("{error}"),
        }
    };
    ($name:expr, $layout:expr $(,)?) => {
        match $crate::render_densities(&$layout) {
            Ok(shown) => ::insta::assert_snapshot!($name, shown),
            Err(error) => panic!("{error}"),
        }
    };
}

/// A registry and the serializer options. Rendering depends only on these, the tree and the scope.
#[derive(Clone, Debug)]
pub struct Renderer {
    registry: Registry,
    options: gfm::SerializeOptions,
    /// True if common elements can be written directly, without mdast nodes in between. It needs
    /// the built-in rules and options.
    is_straight: bool,
    /// True if the marks of clients are removed from the text.
    is_guarded: bool,
    /// True if parts of a layout that cannot be lowered are left out.
    has_boundaries: bool,
}

/// A renderer of the built-in nodes.
impl Default for Renderer {
    fn default() -> Self {
        Self::new(Registry::builtin())
    }
}

impl Renderer {
    /// A renderer with these rules and the options [`gfm::SerializeOptions::hud`].
    pub fn new(registry: Registry) -> Self {
        Self {
            is_straight: registry.has_builtin(),
            registry,
            options: gfm::SerializeOptions::hud(),
            is_guarded: false,
            has_boundaries: false,
        }
    }

    /// The renderer of the built-in nodes that [`render()`] uses.
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// The same renderer with other serializer options.
    ///
    /// ```
    /// use hud_core::node::{Item, List};
    /// use hud_core::{Renderer, Scope, gfm, rsx};
    ///
    /// let renderer = Renderer::default().with_options(gfm::SerializeOptions::default());
    /// let list = rsx! { <List><Item>"a"</Item></List> };
    /// assert_eq!(renderer.markdown(&list, Scope::default())?, "* a\n");
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    #[must_use]
    pub fn with_options(self, options: gfm::SerializeOptions) -> Self {
        let is_straight = self.registry.has_builtin() && options == gfm::SerializeOptions::hud();
        Self {
            options,
            is_straight,
            ..self
        }
    }

    /// The same renderer, with all [marks](marker) in its texts neutralized. So no text can close
    /// the tag that a client puts around it.
    ///
    /// ```
    /// use hud_core::node::Code;
    /// use hud_core::{Renderer, Scope, rsx};
    ///
    /// let renderer = Renderer::default().guarded();
    /// let text = renderer.markdown(&rsx! { "a" <Code>"</hud>"</Code> "<" "/hud>" }, Scope::default())?;
    /// assert_eq!(text, "a`‹/hud>`‹/hud>\n");
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    #[must_use]
    pub fn guarded(self) -> Self {
        Self {
            is_guarded: true,
            ..self
        }
    }

    /// The same renderer, with an error boundary around each [part](crate::part) of a layout. One
    /// line with the name and the error replaces a part that cannot be lowered, and the other parts
    /// are unchanged. [`RenderedPart::error`](RenderedPart) has the error.
    ///
    /// It applies to the methods that render parts: [`parts`](Self::parts),
    /// [`parts_cached`](Self::parts_cached), [`fit`](Self::fit), [`data_parts`](Self::data_parts)
    /// and [`diagram_parts`](Self::diagram_parts). [`markdown`](Self::markdown) and the others have
    /// no parts to report on, and return the error.
    ///
    /// ```
    /// use hud_core::node::{Part, Row};
    /// use hud_core::part::Arrangement;
    /// use hud_core::{Density, Renderer, Scope, rsx};
    ///
    /// let layout = rsx! {
    ///     <Part name="soup">"Soup"</Part>
    ///     <Part name="seats"><Row>"A row without a table"</Row></Part>
    /// };
    /// let renderer = Renderer::default().with_error_boundaries();
    /// let (arrangement, mut all) = (Arrangement::default(), |_: &_| Some(Density::Full));
    /// let rendered = renderer.parts(&layout, Scope::default(), &arrangement, &mut all)?;
    /// assert!(rendered.markdown.starts_with("Soup\n\nseats is left out: "));
    /// let errors: Vec<_> = rendered.parts.iter().filter_map(|part| part.error.as_ref()).collect();
    /// assert_eq!(errors.len(), 1);
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    #[must_use]
    pub fn with_error_boundaries(self) -> Self {
        Self {
            has_boundaries: true,
            ..self
        }
    }

    /// The final text, with marks neutralized if the renderer is guarded.
    fn finished(&self, text: String) -> String {
        if !self.is_guarded {
            return text;
        }
        match marker::neutral(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(neutral) => neutral,
        }
    }

    /// The options for writing elements directly, if that is possible.
    fn straight(&self) -> Option<&gfm::SerializeOptions> {
        self.is_straight.then_some(&self.options)
    }

    /// Renders an element to an mdast root.
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn mdast(&self, element: &Element<'_>, scope: Scope<'_>) -> Result<MdastNode, LowerError> {
        self.mdast_with(element, scope, None)
    }

    fn mdast_with(
        &self,
        element: &Element<'_>,
        scope: Scope<'_>,
        recorder: Option<&Recorder>,
    ) -> Result<MdastNode, LowerError> {
        let lower = Lower::<Mdast>::new(&self.registry, scope).recorded(recorder);
        let mut nodes = lower.element(element)?;
        mdast::make_visible(&mut nodes);
        let root = mdast::root(nodes);
        mdast::check_frontmatter(root.children().into_iter().flatten())?;
        Ok(root)
    }

    /// Lifts an mdast tree, as [`gfm::parse`] returns it, to elements. It is the opposite of
    /// [`mdast`](Self::mdast).
    ///
    /// # Errors
    ///
    /// As [`Lift::siblings`](crate::Lift::siblings). With the built-in rules the only error is that
    /// the tree is too deep.
    pub fn lift(&self, tree: &MdastNode) -> Result<Element<'static>, LiftError> {
        mdast::lift_root(tree, &self.registry)
    }

    /// Renders an element to GFM markdown.
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn markdown(&self, element: &Element<'_>, scope: Scope<'_>) -> Result<String, LowerError> {
        let recorder = recorder_in(scope);
        if let (None, Some(options)) = (&recorder, self.straight()) {
            let lower = Lower::<Mdast>::new(&self.registry, scope);
            let write = |root: &MdastNode| self.open(root);
            if let Some(text) = mdast::parts_text(element, &lower, options, &write) {
                return Ok(self.finished(text));
            }
        }
        let tree = self.mdast_with(element, scope, recorder.as_ref())?;
        Ok(self.written(tree, scope, recorder))
    }

    /// Renders an element to a value, as [`data`] describes.
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn data(&self, element: &Element<'_>, scope: Scope<'_>) -> Result<Value, LowerError> {
        let pieces = Lower::<Data>::new(&self.registry, scope).element(element)?;
        Ok(data::assemble(pieces))
    }

    /// Renders the [parts](crate::part) of a layout to an object: [`parts`](Self::parts) for
    /// [`data`]. If a part's output has no name, it is a member with the name of the part.
    ///
    /// ```
    /// use hud_core::node::{Part, Value};
    /// use hud_core::part::Arrangement;
    /// use hud_core::{Density, Renderer, Scope, rsx};
    ///
    /// let layout = rsx! { <Part name="soup">"of the day"</Part> };
    /// let (value, parts) = Renderer::builtin().data_parts(
    ///     &layout,
    ///     Scope::default(),
    ///     &Arrangement::default(),
    ///     &mut |_| Some(Density::Full),
    /// )?;
    /// let soup = Value::Text("of the day".to_owned());
    /// assert_eq!(value, Value::Object(vec![("soup".to_owned(), soup)]));
    /// assert_eq!(parts.len(), 1);
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn data_parts(
        &self,
        layout: &Element<'_>,
        scope: Scope<'_>,
        arrangement: &Arrangement,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<(Value, Vec<RenderedPart>), LowerError> {
        let lower = Lower::<Data>::new(&self.registry, scope);
        let mut gatherer = Gatherer::new(arrangement, choose, self.has_boundaries);
        lower.each_part(std::slice::from_ref(layout), &mut gatherer)?;
        Ok(data::object_of(gatherer.finish()))
    }

    /// Renders an element to vertices and edges, as [`graph`] describes.
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn diagram(&self, element: &Element<'_>, scope: Scope<'_>) -> Result<Diagram, LowerError> {
        let pieces = Lower::<Graph>::new(&self.registry, scope).element(element)?;
        Ok(Diagram::of(pieces))
    }

    /// Renders the [parts](crate::part) of a layout to vertices and edges: [`parts`](Self::parts)
    /// for [`graph`]. If a part's output is no vertex, it becomes a vertex with the name of the
    /// part. A vertex with the text `root` is around all parts, and `before` comes first in it.
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn diagram_parts(
        &self,
        root: &str,
        before: &Element<'_>,
        layout: &Element<'_>,
        scope: Scope<'_>,
        arrangement: &Arrangement,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<(Diagram, Vec<RenderedPart>), LowerError> {
        let lower = Lower::<Graph>::new(&self.registry, scope);
        let before = lower.element(before)?;
        let mut gatherer = Gatherer::new(arrangement, choose, self.has_boundaries);
        lower.each_part(std::slice::from_ref(layout), &mut gatherer)?;
        Ok(graph::diagram_of(root, before, gatherer.finish()))
    }

    /// Lifts a value to elements that lower to the same value. It is the opposite of
    /// [`data`](Self::data).
    ///
    /// # Errors
    ///
    /// [`LiftError::NoRule`] for a value that no tree lowers to, and [`LiftError::TooDeep`].
    pub fn lift_data(&self, value: &Value) -> Result<Element<'static>, LiftError> {
        data::lift_value(value, &self.registry)
    }

    /// Renders the [parts](crate::part) of a layout. `choose` returns the density of each part, in
    /// the order of the layout, or `None` to leave it out. Content around the parts has the scope's
    /// density. `arrangement` has the reader's changes.
    ///
    /// ```
    /// use hud_core::node::Part;
    /// use hud_core::part::Arrangement;
    /// use hud_core::{Density, Renderer, Scope, rsx};
    ///
    /// let layout = rsx! {
    ///     <Part name="soup" worth=1>"Soup"</Part>
    ///     <Part name="cake" worth=9>"Cake"</Part>
    /// };
    /// let rendered = Renderer::default().parts(
    ///     &layout,
    ///     Scope::default(),
    ///     &Arrangement::default(),
    ///     &mut |part| (part.worth > 5).then_some(Density::Minimal),
    /// )?;
    /// assert_eq!(rendered.markdown, "Cake\n");
    /// assert_eq!(rendered.parts.len(), 1);
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn parts(
        &self,
        layout: &Element<'_>,
        scope: Scope<'_>,
        arrangement: &Arrangement,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Rendered, LowerError> {
        let mut choose = |part: &PartMeta| choose(part).map(Amount::from);
        self.amounts(layout, scope, arrangement, None, &mut choose)
    }

    /// Renders the parts of a layout as [`parts`](Self::parts) does, and reuses those that are in
    /// the cache.
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn parts_cached(
        &self,
        layout: &Element<'_>,
        scope: Scope<'_>,
        arrangement: &Arrangement,
        cache: &PartCache,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Rendered, LowerError> {
        let mut choose = |part: &PartMeta| choose(part).map(Amount::from);
        self.amounts(layout, scope, arrangement, Some(cache), &mut choose)
    }

    /// Renders the parts of a layout, each at the amount that `choose` returns.
    pub(crate) fn amounts(
        &self,
        layout: &Element<'_>,
        scope: Scope<'_>,
        arrangement: &Arrangement,
        cache: Option<&PartCache>,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Amount>,
    ) -> Result<Rendered, LowerError> {
        let recorder = recorder_in(scope);
        // Recording needs to lower the parts, so it bypasses the cache.
        let cache = cache.filter(|_| recorder.is_none());
        let lower = Lower::<Mdast>::new(&self.registry, scope).recorded(recorder.as_ref());
        let (layout, level) = (std::slice::from_ref(layout), lower.context().level);
        let write = |root: &MdastNode| self.open(root);
        let mut asked = Vec::new().into_iter();
        if let (None, Some(options)) = (&recorder, self.straight()) {
            let mut answers = Vec::new();
            let mut noting = |part: &PartMeta| {
                let amount = choose(part);
                answers.push(amount);
                amount
            };
            let mut arranger = Arranger::new(arrangement, &mut noting, level, cache)
                .straight(Some(options))
                .with_boundaries(self.has_boundaries);
            lower.each_part(layout, &mut arranger)?;
            let (groups, parts) = arranger.finish();
            groups.check()?;
            if let Some(markdown) = groups.text(&write) {
                let markdown = self.finished(markdown);
                return Ok(Rendered { markdown, parts });
            }
            asked = answers.into_iter();
        }
        // Reuses the answers of `choose`, so that it is called once for each part.
        let mut choose = |part: &PartMeta| asked.next().unwrap_or_else(|| choose(part));
        let mut arranger = Arranger::new(arrangement, &mut choose, level, cache)
            .with_boundaries(self.has_boundaries);
        lower.each_part(layout, &mut arranger)?;
        let (groups, parts) = arranger.finish();
        groups.check()?;
        let markdown = match recorder {
            None => self.finished(groups.text(&write).unwrap_or_default()),
            recorder => self.written(mdast::root(groups.into_blocks()), scope, recorder),
        };
        Ok(Rendered { markdown, parts })
    }

    /// The parts of a layout at each of the amounts that `choose` returns for them.
    pub(crate) fn measured(
        &self,
        layout: &Element<'_>,
        scope: Scope<'_>,
        arrangement: &Arrangement,
        cache: Option<&PartCache>,
        choose: &mut dyn FnMut(&PartMeta) -> Vec<Amount>,
    ) -> Result<Vec<Measured>, LowerError> {
        let lower = Lower::<Mdast>::new(&self.registry, scope);
        let level = lower.context().level;
        let mut measurer = Measurer::new(arrangement, choose, level, cache, self.has_boundaries);
        lower.each_part(std::slice::from_ref(layout), &mut measurer)?;
        Ok(measurer.finish())
    }

    /// Serializes a tree, and records it in the [`Trace`] of the scope, if there is one.
    fn written(&self, tree: MdastNode, scope: Scope<'_>, recorder: Option<Recorder>) -> String {
        let text = self.finished(gfm::to_string(&tree, &self.options));
        if let (Some(trace), Some(recorder)) = (scope.ambient::<Trace>(), recorder) {
            trace.add(&text, tree, recorder);
        }
        text
    }

    /// Serializes a root without a line ending at the end.
    pub(crate) fn open(&self, root: &MdastNode) -> String {
        gfm::to_open_string(root, &self.options)
    }

    /// Renders as much of a layout as a budget holds. Each of its [parts](crate::part) gets a
    /// density and a number of items, or is left out, by its priority ([`fit`]).
    ///
    /// ```
    /// use hud_core::fit::Fitting;
    /// use hud_core::node::{Item, List, Part, Section};
    /// use hud_core::part::Arrangement;
    /// use hud_core::tokens::Characters;
    /// use hud_core::{Density, Renderer, Scope, rsx};
    ///
    /// let layout = rsx! {
    ///     <Part name="soup" worth=1>"Soup of the day"</Part>
    ///     <Part name="cake" worth=9 floor={Density::Minimal}>"Cake"</Part>
    /// };
    /// let fit = |budget| {
    ///     let fitting = Fitting::new(budget, &Characters);
    ///     Renderer::builtin().fit(&layout, Scope::default(), &Arrangement::default(), &fitting)
    /// };
    /// assert_eq!(fit(100)?.rendered.markdown, "Cake │ Soup of the day\n");
    /// let fitted = fit(10)?;
    /// assert_eq!(fitted.rendered.markdown, "Cake\n");
    /// assert_eq!(fitted.report.parts[0].reason.to_string(), "the least of it takes 18 more, and 5 are left");
    /// # Ok::<(), hud_core::fit::FitError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FitError`], if the required parts do not fit (the error has the smallest rendering) or the
    /// counter cannot count a text. Also as [`Lower::element`].
    pub fn fit(
        &self,
        layout: &Element<'_>,
        scope: Scope<'_>,
        arrangement: &Arrangement,
        fitting: &Fitting<'_>,
    ) -> Result<Fitted, FitError> {
        fit::fit(self, layout, scope, arrangement, fitting)
    }

    /// Renders an element at each density, one after the other. One snapshot of it covers the whole
    /// behavior of a layout, and a difference shows at which density it is. Output that equals that
    /// of the density before is abbreviated to `(as above)`.
    ///
    /// ```
    /// use hud_core::{Density, Element, component, render_densities, rsx};
    ///
    /// #[component]
    /// fn Guests<'a>(names: &'a [&'a str], density: Density) -> Element<'a> {
    ///     match density {
    ///         Density::Full => rsx! { for name in names { {name} " " } "come" },
    ///         _ => rsx! { {names.len()} " come" },
    ///     }
    /// }
    ///
    /// // In a test: `insta::assert_snapshot!(render_densities(&layout)?)`.
    /// let layout = rsx! { <Guests names={&["Ada", "Grace"]} /> };
    /// assert_eq!(
    ///     render_densities(&layout)?,
    ///     "=== full ===\nAda Grace come\n\n\
    ///      === compact ===\n2 come\n\n\
    ///      === minimal ===\n(as above)\n"
    /// );
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Lower::element`].
    pub fn densities(&self, element: &Element<'_>) -> Result<String, LowerError> {
        let mut all = String::new();
        let mut above = None;
        for density in Density::ALL {
            let shown = self.markdown(element, Scope::new(density))?;
            if above.is_some() {
                all.push('\n');
            }
            all.push_str(&format!("=== {density} ===\n"));
            match &above {
                Some(above) if *above == shown => all.push_str("(as above)\n"),
                _ if shown.is_empty() => all.push_str("(nothing)\n"),
                _ => all.push_str(&shown),
            }
            above = Some(shown);
        }
        Ok(all)
    }
}

/// A recorder, if the scope has a [`Trace`].
fn recorder_in(scope: Scope<'_>) -> Option<Recorder> {
    scope.ambient::<Trace>().map(|_| Recorder::default())
}

use crate::Node;
use crate::density::Density;
use crate::element::{Element, Repr};
use crate::part::{Layer, PartMeta};

/// Makes a [part](crate::part) of a layout of what is between its tags. Around a single call of a
/// component that is a part by itself, it changes what that one says.
///
/// ```
/// use hud_core::node::Part;
/// use hud_core::part::{Arrangement, Layer};
/// use hud_core::{Density, Element, Renderer, Scope, component, rsx};
///
/// #[component(layer = static)]
/// fn Menu(courses: u8) -> Element {
///     rsx! { {courses} " courses" }
/// }
///
/// let layout = rsx! {
///     <Part name="card" worth=9><Menu courses=3 /></Part>
///     <Part name="greeting" floor={Density::Minimal}>"Welcome!"</Part>
/// };
/// let mut parts = Vec::new();
/// Renderer::builtin().parts(&layout, Scope::default(), &Arrangement::default(), &mut |part| {
///     parts.push(part.clone());
///     None
/// })?;
/// assert_eq!((&*parts[0].name, parts[0].layer, parts[0].worth), ("card", Layer::Static, 9));
/// assert_eq!((&*parts[1].name, parts[1].layer, parts[1].worth), ("greeting", Layer::Dynamic, 5));
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Part {
    /// What it is named by.
    #[prop(into)]
    pub name: Option<String>,
    /// How often it changes.
    pub layer: Option<Layer>,
    /// What it is worth beside the others.
    pub worth: Option<u8>,
    /// The least density at which it has to be there.
    pub floor: Option<Density>,
    /// How many items it lists at most.
    pub cap: Option<u32>,
    /// Whether it has the heading that the parts behind it are under.
    pub heading: Option<bool>,
}

impl Part {
    /// What is said of the part, here and by the call that is alone in it.
    pub(crate) fn meta_around(&self, children: &[Element<'_>]) -> PartMeta {
        let mut part = sole_part(children).unwrap_or_else(PartMeta::unnamed);
        if let Some(name) = &self.name {
            part.name = name.clone().into();
        }
        part.layer = self.layer.unwrap_or(part.layer);
        part.worth = self.worth.unwrap_or(part.worth);
        part.floor = self.floor.or(part.floor);
        part.cap = self.cap.or(part.cap);
        part.heading = self.heading.unwrap_or(part.heading);
        part
    }
}

/// What a component says of itself, where its call is all there is.
fn sole_part(children: &[Element<'_>]) -> Option<PartMeta> {
    let mut shown = children.iter().filter(|child| !child.is_empty());
    let (first, None) = (shown.next()?, shown.next()) else {
        return None;
    };
    match &first.0 {
        Repr::Component(component) => component.meta().part.clone(),
        _ => sole_part(first.as_fragment()?),
    }
}

/// The parts of a layout: they are written as [`part`](crate::part) says, each at the ambient
/// density, where nothing chooses another for each.
///
/// ```
/// use hud_core::node::{Part, Parts};
/// use hud_core::{Density, render, rsx};
///
/// let layout = rsx! {
///     <Parts>
///         <Part worth=1>"soup"</Part>
///         <Part worth=2>"cake"</Part>
///     </Parts>
/// };
/// assert_eq!(render(&layout, Density::Minimal)?, "cake │ soup\n");
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Parts {}

/// [Parts](crate::part) of a layout that share a line where they are no more than one each.
///
/// ```
/// use hud_core::node::{Beside, Field, Part, Section};
/// use hud_core::{Density, render, rsx};
///
/// let layout = |menu| rsx! {
///     <Beside separator="; ">
///         <Part><Field label="Menu">"soup"</Field></Part>
///         <Part>{menu}</Part>
///     </Beside>
/// };
/// assert_eq!(
///     render(&layout(rsx! { <Field label="Guests">"two"</Field> }), Density::Full)?,
///     "**Menu:** soup; **Guests:** two\n"
/// );
/// assert_eq!(
///     render(&layout(rsx! { <Section title="Guests">"two"</Section> }), Density::Full)?,
///     "**Menu:** soup\n\n# Guests\n\ntwo\n"
/// );
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Beside {
    /// What is written between two parts on a line.
    #[prop(into, default = SEPARATOR.to_owned())]
    pub separator: String,
}

/// What is written between two pieces of a line.
pub(crate) const SEPARATOR: &str = " │ ";

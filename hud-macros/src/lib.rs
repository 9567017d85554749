//! The macros of Agent HUD: [`rsx!`], [`macro@component`] and the derive [`macro@Node`].
//!
//! Use them through `hud_core`, which re-exports them. The generated code refers to that crate.
//!
//! Each macro parses its input into a plain model and then generates tokens from the model. `rsx/` has `ast`,
//! `parse` and `expand`. `component/` has `model`, `parse` and `expand`. `props` is the model that components and
//! nodes share. Parsing does not stop at the first error: it adds a diagnostic and continues. All errors of one call
//! are reported together, and an editor still sees the rest.

mod component;
mod diagnostics;
mod editor;
mod generics;
mod krate;
mod lifetimes;
mod manifest;
mod marks;
mod node;
mod props;
mod rsx;
mod tag;
#[cfg(test)]
mod tests;
mod types;

use proc_macro::TokenStream;

/// Writes an element in angle brackets.
///
/// ```
/// use hud_core::node::{Item, List, Section, Strong};
/// use hud_core::rsx;
///
/// let (owner, tasks) = ("Ada", ["Read", "Write"]);
/// let element = rsx! {
///     <Section title="Plan">
///         if owner.is_empty() { "Nobody's." } else { "The plan of " <Strong>{owner}</Strong> }
///         <List ordered={true}>
///             for task in tasks { <Item checked={task == "Read"}>{task}</Item> }
///         </List>
///     </Section>
/// };
/// # assert_eq!(
/// #     hud_core::render(&element, hud_core::Density::Full).unwrap(),
/// #     "# Plan\n\nThe plan of **Ada**\n\n1. [x] Read\n2. [ ] Write\n"
/// # );
/// ```
///
/// | item | syntax |
/// | --- | --- |
/// | a component or a node | `<Name prop={value} />`, `<Name>children</Name>`, `<path::Name />`, `<Name<T> />` |
/// | a prop | `prop={expression}`, `prop="text"`, `prop=5`, `prop=true`; `prop` alone is `prop={prop}`, the variable, not `true` |
/// | several elements | `<>children</>`, or one after the other |
/// | text | `"text"`, in quotes; `"{name} took {seconds:.1} s"` shows variables and expressions, as in `format!` |
/// | any value that can be shown | `{expression}`: see `hud_core::IntoElement` |
/// | a choice | `if condition { children } else { children }`, `if let`, `match value { pattern => child, .. }` |
/// | a repetition | `for pattern in iterator { children }` |
///
/// In braces, `if` and `for` are written as in Rust, with an expression as their body:
/// `{for task in tasks { let name = task.name(); <Item>{name}</Item> }}`, `{if done { "done" }}`. Tags may be written
/// wherever Rust expects a value: `{tasks.map(|task| <Item>{task}</Item>)}`, `footer={<Strong>"x"</Strong>}`.
/// `{done && <Strong>"done"</Strong>}` is the same as `if done { .. }`.
///
/// A brace in a text is written twice, `"{{"`. A string in braces is Rust and is shown unchanged: `{"fn main() {}"}`,
/// `{r#"{"json": 1}"#}`.
///
/// A prop that is missing, unknown, given twice or of the wrong type does not compile.
///
/// # Facades
///
/// The macros find `hud-core` in the manifest of the crate that calls them, even if it is renamed. A crate that gets it
/// from another crate gives its path: `rsx! { crate = facade::hud_core; <Name /> }`,
/// `#[component(crate = facade::hud_core)]` and `#[node(crate = facade::hud_core)]`. The other crate can give the path
/// for all calls of `rsx!`:
///
/// ```
/// # mod facade { pub extern crate hud_core; }
/// #[macro_export]
/// macro_rules! facade_rsx {
///     ($($layout:tt)*) => {
///         $crate::facade::hud_core::rsx! { crate = $crate::facade::hud_core; $($layout)* }
///     };
/// }
/// # fn main() {
/// let layout = facade_rsx! { "Soup" };
/// # assert_eq!(hud_core::render(&layout, hud_core::Density::Full).unwrap(), "Soup\n");
/// # }
/// ```
#[proc_macro]
pub fn rsx(input: TokenStream) -> TokenStream {
    rsx::rsx(input.into()).into()
}

/// Makes a component of a function. Its arguments are the props.
///
/// ```
/// use hud_core::node::Strong;
/// use hud_core::{Children, Density, Element, Tag, component, render, rsx};
///
/// /// A remark with a name in front.
/// #[component]
/// pub fn Remark(
///     /// Who says it.
///     #[prop(into)]
///     by: String,
///     /// How often.
///     #[prop(default = 1)]
///     times: u32,
///     density: Density,
///     children: Children,
/// ) -> Element {
///     match density {
///         Density::Minimal => children,
///         _ => rsx! { <Strong>{by}</Strong> " says " {times} " times: " {children} },
///     }
/// }
///
/// let remark = rsx! { <Remark by="Ada" times=2>"Test it."</Remark> };
/// assert_eq!(render(&remark, Density::Full).unwrap(), "**Ada** says 2 times: Test it.\n");
/// assert_eq!(render(&remark, Density::Minimal).unwrap(), "Test it.\n");
/// assert_eq!(Remark::META.props[0].docs, "Who says it.");
/// ```
///
/// The function becomes a struct of its props with the same name. The struct implements `hud_core::Component` and
/// has a constant `META`, a `hud_core::TagMeta`, that describes it. The function is called when the tree is
/// rendered, once for each density, so its props are `Clone`: borrow large values. A list that a component creates
/// does not outlive it. A child component that gets such a list takes it as a `Vec<T>` or an `Rc<[T]>`, not as a
/// `&[T]`. The struct only has the derives that are written below `#[component]`, as `#[derive(Clone, Debug)]`.
///
/// | argument | value at the call |
/// | --- | --- |
/// | `name: T` | required |
/// | `name: Option<T>` | optional, as `T` or as `Option<T>` |
/// | `#[prop(default)] name: T` | optional, `T::default()` by default |
/// | `#[prop(default = expression)] name: T` | optional, the expression by default |
/// | `#[prop(into)] name: T` | any `Into<T>`; for an `Option<T>` also an option of one |
/// | `density: Density` | optional, the density of the context by default; applies to everything rendered below |
/// | `children: Children`, `name: Element` | elements; `children` are written between the tags |
/// | `#[prop(ambient)] name: &T` | none: a context value is passed in, see `hud_core::ambient` |
/// | `#[prop(provide)] name: T` | as without `provide`; also a context value for everything that is rendered below |
/// | `scope: &Scope` | none: the scope of the call is passed in |
///
/// `#[component(..)]` takes the properties of the component as a part of a layout, see `hud_core::part`:
/// `layer = static`, `worth = 8`, `floor = minimal`, `cap = 10`, `part = "menu"` and `heading`. Props of a type that
/// changes from turn to turn do not compile in the static layer. With `#[component(schema)]` the props can be
/// deserialized, see `hud_core::schema`. `crate = facade::hud_core` is the path of `hud_core` in a crate that does not
/// depend on it, see [`rsx!`].
///
/// Lifetimes may be elided. All props then share one lifetime, except for those in `fn(&str)` and `dyn Fn(&str)`,
/// which belong to these signatures. A prop may have `#[cfg(..)]`.
#[proc_macro_attribute]
pub fn component(attr: TokenStream, item: TokenStream) -> TokenStream {
    component::component(attr.into(), item.into()).into()
}

/// Makes a node of a struct: a tag whose props are the fields of the struct, and which rules lower.
///
/// The fields take the same `#[prop(..)]` attributes as the arguments of a component. With `#[node(leaf)]` the node
/// takes no children. With `#[node(schema)]` it can be made of data, see `hud_core::schema`.
/// `#[node(crate = facade::hud_core)]` is the path of `hud_core`, see [`rsx!`]. See `hud_core::node` for an example.
#[proc_macro_derive(Node, attributes(node, prop))]
pub fn node(input: TokenStream) -> TokenStream {
    node::node(input.into()).into()
}

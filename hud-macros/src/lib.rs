//! The macros of Agent HUD: [`rsx!`], [`macro@component`] and the derive [`macro@Node`].
//!
//! Use them through `hud_core`, which re-exports them: the code that they make names that crate.
//!
//! Each macro is *parse into a plain model, then make tokens of it*: `rsx/` has `ast`, `parse`
//! and `expand`, and `component/` has `model`, `parse` and `expand`; `props` is the model that
//! components and nodes share. Parsing never stops at the first mistake: it notes a diagnostic and
//! goes on, so that all mistakes of one call are reported at once and an editor still sees the rest.

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
/// | what | how it is written |
/// | --- | --- |
/// | a component or a node | `<Name prop={value} />`, `<Name>children</Name>`, `<path::Name />`, `<Name<T> />` |
/// | a prop | `prop={expression}`, `prop="text"`, `prop=5`, `prop=true`; `prop` alone is `prop={prop}`, the variable, not `true` |
/// | several elements | `<>children</>`, or one after the other |
/// | text | `"text"`, in quotes; `"{name} took {seconds:.1} s"` shows variables and expressions, as in `format!` |
/// | any value that shows something | `{expression}`: see `hud_core::IntoElement` |
/// | a choice | `if condition { children } else { children }`, `if let`, `match value { pattern => child, .. }` |
/// | a repetition | `for pattern in iterator { children }` |
///
/// In braces `if` and `for` are written as in Rust, with an expression as their body:
/// `{for task in tasks { let name = task.name(); <Item>{name}</Item> }}`, `{if done { "done" }}`.
/// Tags may be written wherever Rust expects a value: `{tasks.map(|task| <Item>{task}</Item>)}`,
/// `footer={<Strong>"x"</Strong>}`; and `{done && <Strong>"done"</Strong>}` is `if done { .. }`.
///
/// A brace in a text is written twice, `"{{"`. A text in braces is Rust and shown as it is:
/// `{"fn main() {}"}`, `{r#"{"json": 1}"#}`.
///
/// A prop that is missing, unknown, given twice or of the wrong type does not compile.
///
/// # Facades
///
/// The macros find `hud-core` in the manifest of the crate that calls them, renamed or not. A crate that has it from
/// another one gives its path: `rsx! { crate = facade::hud_core; <Name /> }`, `#[component(crate = facade::hud_core)]`
/// and `#[node(crate = facade::hud_core)]`. The other one can give it for all calls of `rsx!`:
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

/// Makes a component of a function: its arguments are the props.
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
/// The function becomes a struct of its props with the same name, which implements
/// `hud_core::Component` and has a constant `META`, a `hud_core::TagMeta`, that describes
/// it. The function is called when the tree is rendered, again for each density, so its props
/// are `Clone`: borrow what is large. A list that a component makes itself does not outlive it: a component that it
/// gives the list to takes it as a `Vec<T>` or an `Rc<[T]>`, not as a `&[T]`. The struct has the derives that are written below
/// `#[component]`, as `#[derive(Clone, Debug)]`, and no others.
///
/// | argument | what a caller writes |
/// | --- | --- |
/// | `name: T` | must be given |
/// | `name: Option<T>` | may be given, as `T` or as `Option<T>` |
/// | `#[prop(default)] name: T` | may be given, else `T::default()` |
/// | `#[prop(default = expression)] name: T` | may be given, else the expression |
/// | `#[prop(into)] name: T` | anything that is `Into<T>`; of an `Option<T>`, an option of it, too |
/// | `density: Density` | may be given; else the ambient density. It holds for all that is rendered below |
/// | `children: Children`, `name: Element` | elements; `children` are written between the tags |
/// | `#[prop(ambient)] name: &T` | nothing: an ambient value is passed in, see `hud_core::ambient` |
/// | `#[prop(provide)] name: T` | as without it; it is an ambient value for all that is rendered below |
/// | `scope: &Scope` | nothing: what surrounds the call is passed in |
///
/// `#[component(..)]` takes what the component says of itself as a part of a layout, see
/// `hud_core::part`: `layer = static`, `worth = 8`, `floor = minimal`, `cap = 10`, `part = "menu"` and
/// `heading`. Props of a type that changes from turn to turn do not compile in the static layer.
/// `#[component(schema)]` lets the props be read from data, see `hud_core::schema`. `crate = facade::hud_core` is the
/// path of `hud_core` in a crate that does not depend on it, see [`rsx!`].
///
/// Lifetimes may be left out: all the props then share one, but for those in `fn(&str)` and
/// `dyn Fn(&str)`, which are these signatures' own. A prop may have `#[cfg(..)]`.
#[proc_macro_attribute]
pub fn component(attr: TokenStream, item: TokenStream) -> TokenStream {
    component::component(attr.into(), item.into()).into()
}

/// Makes a node of a struct: a tag whose props are the struct's fields, for rules to lower.
///
/// The fields take the same `#[prop(..)]` attributes as a component's arguments.
/// `#[node(leaf)]` on the struct refuses children, and `#[node(schema)]` lets the node be made of data, see
/// `hud_core::schema`. `#[node(crate = facade::hud_core)]` is the path of `hud_core`, see [`rsx!`]. See `hud_core::node` for an example.
#[proc_macro_derive(Node, attributes(node, prop))]
pub fn node(input: TokenStream) -> TokenStream {
    node::node(input.into()).into()
}

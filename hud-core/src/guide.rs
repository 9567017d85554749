//! A guide: from nothing to a layout with custom nodes, and its tests.
//!
//! In `Cargo.toml`, with a checkout of the repository next to your crate:
//!
//! ```toml
//! [dependencies]
//! hud-core = { path = "../agent-hud/hud-core" }
//!
//! [dev-dependencies]
//! insta = "1"
//! ```
//!
//! # 1. Text and tags
//!
//! [`rsx!`](crate::rsx) builds an [`Element`](crate::Element) from tags in angle brackets. Text is
//! written in quotes and values in braces. [`render()`](crate::render()) returns markdown.
//!
//! ```
//! use hud_core::node::{Section, Strong};
//! use hud_core::{Density, render, rsx};
//!
//! let guest = "Ada";
//! let layout = rsx! {
//!     <Section title="Tonight">"We expect " <Strong>{guest}</Strong> "."</Section>
//! };
//! assert_eq!(render(&layout, Density::Full)?, "# Tonight\n\nWe expect **Ada**.\n");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! `Section` and `Strong` are [nodes](crate::node): typed structs that the library can serialize.
//! `title` is a prop, and the content between the tags is the children. Text needs quotes because
//! blanks matter in markdown, and a macro does not see blanks outside of quotes.
//!
//! Texts and values are data: a guest named `# Ada` stays a name. Markdown output contains no
//! invisible characters ([`visible`](crate::visible)), such as controls, zero-width characters, and
//! characters that change the direction of a line.
//!
//! Text interpolates values, as in `format!`, and also expressions: `"We expect {guest.name}."`.
//! Double a brace to write one: `"{{"`. Write a text with many braces as a Rust string in braces;
//! it is shown unchanged: `{r#"{"json": 1}"#}`.
//!
//! # 2. Choices and repetition
//!
//! `if`, `for` and `match` are children like any other, and need neither `collect` nor `into`.
//! Braces accept everything that [turns into elements](crate::IntoElement): options, results,
//! iterators, and any value that implements `Display`.
//!
//! ```
//! use hud_core::node::{Item, List};
//! use hud_core::{Density, render, rsx};
//!
//! let guests = [("Ada", Some(3)), ("Grace", None)];
//! let layout = rsx! {
//!     <List>
//!         for (name, seat) in guests {
//!             <Item>
//!                 {name}
//!                 if let Some(seat) = seat { ", seat " {seat} } else { ", standing" }
//!             </Item>
//!         }
//!     </List>
//! };
//! assert_eq!(render(&layout, Density::Full)?, "- Ada, seat 3\n- Grace, standing\n");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! Tags may also be written where Rust expects a value:
//!
//! ```
//! use hud_core::node::{Code, Item, List, Strong};
//! use hud_core::{Density, render, rsx};
//!
//! let (guests, late) = (["Ada", "Grace"], true);
//! let layout = rsx! {
//!     <List>
//!         {guests.iter().map(|guest| <Item><Code>{guest}</Code></Item>)}
//!         {late && <Item><Strong>"Begin without them."</Strong></Item>}
//!     </List>
//! };
//! assert_eq!(render(&layout, Density::Full)?, "- `Ada`\n- `Grace`\n- **Begin without them.**\n");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! # 3. Components
//!
//! [`#[component]`](macro@crate::component) turns a function into a tag. Its arguments are the
//! props. Editors show the docs of the props where the tag is used.
//!
//! ```
//! use hud_core::node::{Item, List, Section};
//! use hud_core::{Children, Density, Element, component, render, rsx};
//!
//! /// The guests of a party.
//! #[component]
//! pub fn Guests<'a>(
//!     /// Who comes.
//!     names: &'a [&'a str],
//!     /// How many are named at most.
//!     #[prop(default = 10)]
//!     limit: usize,
//!     /// What the host says to them.
//!     greeting: Option<&'a str>,
//!     density: Density,
//!     #[prop(default)]
//!     children: Children<'a>,
//! ) -> Element<'a> {
//!     match density {
//!         Density::Full => rsx! {
//!             <Section title="Guests">
//!                 {greeting}
//!                 <List>for name in names.iter().take(limit) { <Item>{name}</Item> }</List>
//!                 {children}
//!             </Section>
//!         },
//!         _ => rsx! { {names.len()} " guests" },
//!     }
//! }
//!
//! let names = ["Ada", "Grace", "Edsger"];
//! let layout = rsx! { <Guests names={&names} limit=2>"And others."</Guests> };
//! assert_eq!(
//!     render(&layout, Density::Full)?,
//!     "# Guests\n\n- Ada\n- Grace\n\nAnd others.\n"
//! );
//! assert_eq!(render(&layout, Density::Minimal)?, "3 guests\n");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! - A prop is required unless it is an `Option` or has a default. The compiler reports all missing
//!   props at the tag.
//! - `density` is the amount of detail: the [density of the scope](crate::Density), or the caller's
//!   `density={Density::Compact}`. The function is called once for each density that is rendered.
//! - `children` is the content between the tags. An argument of type `Element` is a named slot:
//!   `header=<Strong>"Tonight"</Strong>`.
//! - `Guests` is a plain struct as well. `{..base}` spreads one over a tag:
//!   `<Guests {..base} limit=2 />`.
//! - ` │ ` separates a call from an adjacent call or node on the same line. It does not separate
//!   text from a call, so write the blanks of the text: `"See " <Guests names={&names} />`.
//!   [`Line`](crate::node::Line) sets another separator.
//! - `#[component(layer = static)]` makes each call a part of the layout. The next section
//!   describes parts.
//!
//! # 4. Layouts in parts
//!
//! A layout is a component from the data to elements. Its [parts](crate::part) are calls of
//! components that declare their priority (`worth`) and how often they change. Each part can be
//! shown at its own density, or left out:
//!
//! ```
//! use hud_core::node::{Beside, Field, Part, Parts, Section};
//! use hud_core::part::{Arrangement, Layer};
//! use hud_core::{Density, Element, Renderer, Scope, component, render, rsx};
//!
//! /// What is served. It was decided long ago.
//! #[component(layer = static, worth = 8, heading)]
//! fn Menu<'a>(courses: &'a str, density: Density) -> Element<'a> {
//!     match density {
//!         Density::Full => rsx! { <Section title="Menu">{courses}</Section> },
//!         _ => rsx! { <Field label="Menu">{courses}</Field> },
//!     }
//! }
//!
//! /// How many came. It is another number each time.
//! #[component(layer = dynamic, worth = 3, floor = minimal)]
//! fn Guests<'a>(count: usize, density: Density) -> Element<'a> {
//!     match density {
//!         Density::Full => rsx! { <Section title="Guests">{count}</Section> },
//!         _ => rsx! { {count} " guests" },
//!     }
//! }
//!
//! let party = rsx! {
//!     <Parts>
//!         <Beside><Menu courses="soup, cake" /> <Guests count=2 /></Beside>
//!         <Part name="closing" worth=1>"Until 10 pm."</Part>
//!     </Parts>
//! };
//! // All at one density.
//! assert_eq!(
//!     render(&party, Density::Compact)?,
//!     "**Menu:** soup, cake │ 2 guests\n\nUntil 10 pm.\n"
//! );
//! // One layer, the other not.
//! let rendered = Renderer::builtin().parts(
//!     &party,
//!     Scope::default(),
//!     &Arrangement::default(),
//!     &mut |part| (part.layer == Layer::Static).then_some(Density::Full),
//! )?;
//! assert_eq!(rendered.markdown, "# Menu\n\nsoup, cake\n");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! - `layer` declares how often the part changes. A static part keeps the same bytes until one of
//!   its own events changes it, so a provider's prompt cache can include it. Props whose type
//!   declares that it changes from turn to turn do not compile in a static part.
//! - `worth` is the priority among the parts, `floor` the least density of a part that must be
//!   shown, and `cap` the maximum number of items that it lists. The component reads the cap as a
//!   [`Cap`](crate::part::Cap) context value. `part = "menu"` names the part. Parts after one with
//!   `heading` are under its heading.
//! - [`Part`](crate::node::Part) makes a part of any elements, and overrides the facts of a call.
//!   Everything within a part belongs to it. Elements outside of all parts form a part without a
//!   name.
//! - [`Parts`](crate::node::Parts) lays them out: blocks as blocks, lines as lines, and adjacent
//!   pieces of a line on one line. [`Beside`](crate::node::Beside) lets whole lines share a line,
//!   too.
//!
//! # 5. A budget of tokens
//!
//! [`render_within`](crate::render_within) shows as much of a layout as a token budget holds. Each
//! part gets the density that fits, or is left out.
//!
//! ```
//! use hud_core::node::Part;
//! use hud_core::{render_within, rsx};
//!
//! let layout = rsx! {
//!     <Part name="soup" worth=1>"Soup of the day"</Part>
//!     <Part name="cake" worth=9>"Cake"</Part>
//! };
//! assert_eq!(render_within(&layout, 300)?, "Cake │ Soup of the day\n");
//! assert_eq!(render_within(&layout, 4)?, "Cake\n");
//! # Ok::<(), hud_core::fit::FitError>(())
//! ```
//!
//! [`Renderer::fit`](crate::Renderer::fit) accepts a token counter and the facts about the reader,
//! and [reports](crate::fit::Report) the reason for each part's density:
//!
//! ```
//! use hud_core::fit::Fitting;
//! use hud_core::node::Part;
//! use hud_core::part::Arrangement;
//! use hud_core::tokens::Characters;
//! use hud_core::{Renderer, Scope, rsx};
//!
//! let layout = rsx! { <Part name="soup" worth=1>"Soup"</Part> <Part name="cake" worth=9>"Cake"</Part> };
//! let fitting = Fitting::new(10, &Characters);
//! let fitted = Renderer::builtin().fit(&layout, Scope::default(), &Arrangement::default(), &fitting)?;
//! assert_eq!(fitted.rendered.markdown, "Cake\n");
//! assert_eq!(fitted.report.parts[0].reason.to_string(), "the least of it takes 7 more, and 5 are left");
//! # Ok::<(), hud_core::fit::FitError>(())
//! ```
//!
//! # 6. Context values
//!
//! A [context value](crate::ambient) is a value that many components read and that the components
//! in between need not pass on. `Provide` sets it, and an argument with `#[prop(ambient)]` reads it
//! by its type.
//!
//! ```
//! use hud_core::node::{Item, List};
//! use hud_core::{Density, Element, Provide, component, render, rsx};
//!
//! /// The words of a language.
//! struct Words {
//!     nobody: &'static str,
//! }
//!
//! const ENGLISH: Words = Words { nobody: "nobody" };
//! const GERMAN: Words = Words { nobody: "niemand" };
//!
//! #[component]
//! fn Seat<'a>(
//!     guest: Option<&'a str>,
//!     #[prop(ambient, default = ENGLISH)] words: &Words,
//! ) -> Element<'a> {
//!     rsx! { {guest.unwrap_or(words.nobody)} }
//! }
//!
//! let seats = rsx! {
//!     <List><Item><Seat guest="Ada" /></Item> <Item><Seat /></Item></List>
//! };
//! let german = rsx! { <Provide value={&GERMAN}>{&seats}</Provide> };
//! assert_eq!(render(&seats, Density::Full)?, "- Ada\n- nobody\n");
//! assert_eq!(render(&german, Density::Full)?, "- Ada\n- niemand\n");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! # 7. Custom nodes
//!
//! If no built-in node fits, derive [`Node`](macro@crate::Node) for a struct and register a
//! rule that lowers it to mdast.
//!
//! ```
//! use hud_core::mdast::{Mdast, text};
//! use hud_core::{Density, Element, Lower, LowerResult, Node, Registry, Renderer, Scope, one_way, rsx};
//!
//! /// Stars for a review.
//! #[derive(Debug, PartialEq, Node)]
//! #[node(leaf)]
//! pub struct Stars {
//!     /// How many, of five.
//!     pub count: usize,
//! }
//!
//! fn lower_stars(stars: &Stars, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
//!     let count = stars.count.min(5);
//!     Ok(vec![text("★".repeat(count) + &"☆".repeat(5 - count))])
//! }
//!
//! let mut registry = Registry::builtin();
//! registry.register(one_way(lower_stars));
//! let renderer = Renderer::new(registry);
//!
//! let review = rsx! { "The soup: " <Stars count=4 /> };
//! assert_eq!(
//!     renderer.markdown(&review, Scope::new(Density::Full))?,
//!     "The soup: ★★★★☆\n"
//! );
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! A rule gets the node, its children and the walk, which lowers the children. This rule is
//! `one_way`: lifting returns the stars as text. With its opposite, a rule is
//! [`two_way`](crate::two_way), and [`lift`](crate::lift()) finds the node in markdown again.
//! Registering a second rule for the same node and target panics; `replace` overrides a built-in
//! rule.
//!
//! # 8. Custom targets
//!
//! A [`Target`](crate::Target) is the output that a tree is lowered to: here a word count, in the
//! example HTML. It needs no rule for each built-in node.
//! [`register_default`](crate::Registry::register_default) registers one rule for all nodes, which
//! gets a node's name, its props as [data](crate::node::Value) and its children. Register further
//! rules for nodes that need other output.
//!
//! ```
//! use hud_core::node::{Code, Item, List};
//! use hud_core::{Element, Lower, LowerResult, Registry, Scope, Target, one_way, rsx};
//!
//! /// How many words a reader reads.
//! enum Words {}
//!
//! impl Target for Words {
//!     const NAME: &'static str = "words";
//!     type Piece = usize;
//!     type Context = ();
//!
//!     fn text(text: &str) -> usize {
//!         text.split_whitespace().count()
//!     }
//! }
//!
//! let mut registry = Registry::new();
//! registry.register_default::<Words>(|_, children, lower| lower.children(children));
//! registry.register(one_way(|_: &Code, _: &[Element<'_>], _: &Lower<'_, Words>| -> LowerResult<Words> {
//!     Ok(vec![1])
//! }));
//!
//! let list = rsx! { <List><Item>"Ada and Grace"</Item> <Item><Code>"let x = 1"</Code></Item></List> };
//! let words: usize = Lower::<Words>::new(&registry, Scope::default()).element(&list)?.iter().sum();
//! assert_eq!(words, 4);
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! Call [`check`](crate::Registry::check) at startup. It returns an error if a node of a set, such
//! as [`BUILTIN`](crate::node::BUILTIN), lacks a rule. The example `custom_target` writes HTML.
//!
//! # 9. Lifting
//!
//! [`lift_markdown`](crate::lift_markdown) does the opposite: it turns markdown, from a file or a
//! model, into elements. They can be used in a layout and render to the same text.
//!
//! ```
//! use hud_core::node::{Section, Strong};
//! use hud_core::{Density, lift_markdown, render, rsx};
//!
//! let notes = lift_markdown("Bring **cake**.\n")?;
//! assert_eq!(notes, rsx! { "Bring " <Strong>"cake"</Strong> "." });
//! let layout = rsx! { <Section title="Notes">{&notes}</Section> };
//! assert_eq!(render(&layout, Density::Full)?, "# Notes\n\nBring **cake**.\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # 10. Props as data
//!
//! With the feature `schema`, `#[component(schema)]` generates props that are deserialized from
//! JSON, and their JSON Schema. So a component is a tool that a model can call; see
//! [`schema`](crate::schema). In `Cargo.toml`:
//!
//! ```toml
//! hud-core = { path = "../agent-hud/hud-core", features = ["schema"] }
//! serde_json = "1"
//! ```
//!
#![cfg_attr(feature = "schema", doc = "```")]
#![cfg_attr(not(feature = "schema"), doc = "```ignore")]
//! use hud_core::schema::{schemars, serde};
//! use hud_core::{Density, Element, component, render, rsx};
//!
//! /// A warning.
//! #[component(schema)]
//! fn Warning(
//!     /// The text.
//!     message: String,
//! ) -> Element<'static> {
//!     rsx! { "Warning: " {message} }
//! }
//!
//! let schema = schemars::schema_for!(Warning);
//! assert_eq!(schema.pointer("/properties/message/type").unwrap(), "string");
//! let warning: Warning = serde_json::from_str(r##"{"message": "low"}"##)?;
//! assert_eq!(render(&rsx! { {warning} }, Density::Full)?, "Warning: low\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # 11. Tests
//!
//! Rendering is pure: the same tree at the same density gives the same text, so a snapshot is a
//! complete test. [`assert_densities!`](crate::assert_densities) puts all densities into one file,
//! and a difference shows at which density it is:
//!
//! ```ignore
//! #[test]
//! fn guests_are_counted_at_a_lower_density() {
//!     hud_core::assert_densities!(rsx! { <Guests names={&["Ada", "Grace"]} /> });
//! }
//! ```
//!
//! Replace values that differ from run to run with insta's filters (its feature `filters`): write
//! `insta::with_settings!({ filters => [(r"\d+ ms", "[time]")] }, { .. })` around the assertion.
//!
//! [`gfm::section`](crate::gfm::section) returns the content under a heading, for a test of one part
//! of a layout:
//!
//! ```
//! use hud_core::node::Section;
//! use hud_core::{Density, gfm, render, rsx};
//!
//! let layout = rsx! {
//!     <Section title="Menu">"soup"</Section>
//!     <Section title="Guests">"two"</Section>
//! };
//! let markdown = render(&layout, Density::Full)?;
//! assert_eq!(gfm::section(&markdown, "Guests"), Some("two"));
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! Test the edge cases: no data, more data than fits, and text that looks like markup.
//!
//! # 12. Rendering errors
//!
//! An element that markdown does not support in its place is an [error](crate::LowerError) with the
//! node, its place and the fix. The [table](crate::mdast) lists all of them:
//!
//! ```
//! use hud_core::node::{Cell, Item, List, Row, Table};
//! use hud_core::{Density, render, rsx};
//!
//! let list = rsx! { <List><Item>"soup"</Item></List> };
//! let table = rsx! { <Table><Row><Cell>{list}</Cell></Row></Table> };
//! assert_eq!(
//!     render(&table, Density::Full).unwrap_err().to_string(),
//!     "`<List>` cannot be in `<Cell>`: join its items there, as `<Line separator=\"; \">` does"
//! );
//! ```
//!
//! # 13. Compile errors
//!
//! The compiler marks the token and shows the fix:
//!
//! ```text
//! error[E0609]: no field `limits` on type `GuestsProps<'_>`
//!   |     <Guests names={&names} limits=2 />
//!   |                            ^^^^^^ unknown field
//! help: a field with a similar name exists
//!   |     <Guests names={&names} limit=2 />
//! error[E0080]: evaluation panicked: `<Guests>` lacks the required prop `names` of type `&'a [&'a str]`
//! error: `<Item>` is not closed: write `</Item>`
//! error[E0277]: expected `&str` or `Option<&str>`, found `{integer}`
//! error[E0277]: `Stars` cannot be shown by `rsx!`
//! ```
//!
//! All errors of a call are reported at once. Syntax of HTML, JSX, Vue, maud or Dioxus is reported
//! with the equivalent of this macro:
//!
//! ```text
//! error: a prop is given with `=`: write `title=..`
//! error: there are no HTML tags: write `<Paragraph>`
//! error: a comment is written as in Rust: `// ..` or `/* .. */`
//! error: `let` is a statement: write it in front of `rsx!`, or in braces with what it is for, ..
//! ```
//!
//! A macro knows neither the names in scope nor the borrows. The compiler itself reports these errors,
//! each once and at the token:
//!
//! | message | fix |
//! | --- | --- |
//! | ``cannot find value `ordered` in this scope``, at `<List ordered>` | A prop without a value is the variable of its name. Write `ordered=true`. |
//! | ``expected type, found function `Guests` ``, at `<Guests ..>` | Write `#[component]` above the function. |
//! | ``lifetime may not live long enough``, at the result `Element<'static>` | Write `Element`: it borrows from the props. |
//! | ``cannot return value referencing local variable `names` `` | The element outlives the list. The component that shows the list takes a `Vec<T>` or an `Rc<[T]>`, or the caller makes the list. |
//! | ``struct is not supported in `trait`s or `impl`s``, at `#[component]` | Move the function out of the `impl`, and pass what it needs as props. |
//! | ``expected `::`, found `{` ``, in a component without `rsx!` | The next message has the fix: write `rsx! { .. }` around the tags. |

//# prelude
use hud_core::node::{Item, List, Strong};
use hud_core::{Children, Element, component, rsx};
#[component]
fn Task<'a>(title: &'a str, owner: &'a str, limit: Option<u32>, #[prop(into, default)] note: String) -> Element<'a> {
    rsx! { {title} {owner} {limit} {note} }
}
#[component]
fn Panel<'a>(children: Children<'a>) -> Element<'a> { rsx! { {children} } }
#[component]
fn Leaf() -> Element<'static> { rsx! { "leaf" } }
#[component]
fn Frame<'a>(header: Element<'a>, children: Children<'a>) -> Element<'a> { rsx! { {header} {children} } }
#[component]
fn Shows<T: Clone + std::fmt::Display>(value: T) -> Element<'static> { rsx! { {value.to_string()} } }
struct Opaque;
//# wrap
let _ = rsx! { <List> $ </List> };
//# ok
<Task title="a" owner="b" limit=5 note="c" /> <Panel><Leaf /> "text"</Panel> <Frame header=<Leaf />>"x"</Frame> <Shows value=5 />
//# missing_prop
«<Task title="a" />»
//# several_missing
«<Task limit=5 />»
//# unknown_prop
<Task title="a" owner="b" «colour»="red" />
//# misspelt_prop
<Task title="a" «ownr»="b" />
//# duplicate_prop
<Task title="a" «owner»="b" «owner»="c" />
//# wrong_type
<Task title="a" owner=«{7}» />
//# wrong_literal
<Task title="a" owner=«7» />
//# optional_wrong_type
<Task title="a" owner="b" «limit»=«"x"» />
//# optional_given_twice
<Task title="a" owner="b" «limit»=«{Some(Some(1))}» />
//# into_wrong_type
<Task title="a" owner="b" «note»=«{Opaque}» />
//# moved_value block
let note = String::new();
let _ = rsx! { <List> <Task title="a" owner="b" note={note} /> <Task title="a" owner="b" note=«{note}» /> </List> };
//# borrowed_too_short item
fn snippet() -> Element<'static> { let text = String::new(); «rsx! { <List> <Task title={&text} owner="b" /> </List> }» }
//# prop_without_value
<Task title="a" «owner=» />
//# empty_braces
<Task title="a" «owner={}» />
//# value_without_braces block
let name = "b";
let _ = rsx! { <List> <Task title="a" «owner=name» /> </List> };
//# unknown_variable
<Task title="a" owner=«{nme}» />
//# children_not_taken
<«Leaf»>«"text"»</Leaf>
//# children_missing
«<Panel />»
//# child_not_showable
<Panel>«{Opaque}»</Panel>
//# unquoted_text
<Panel>«hello»</Panel>
//# unknown_slot
<Frame header="h" «footer»=<Leaf />>"x"</Frame>
//# slot_missing
«<Frame>"x"</Frame>»
//# wrong_closing_tag
<Panel>"x"«</Pane>»
//# unclosed_tag
«<Panel>»"x"
//# unended_tag
«<Task title="a" owner="b"»
//# stray_closing_tag
«</Panel>»
//# stray_bracket
<Leaf /> «>»
//# unknown_tag
<«Nothing» />
//# misspelt_tag
<«Pannel»>"x"</Pannel>
//# not_a_component
<«Opaque» />
//# variable_as_tag block
let name = "b";
let _ = rsx! { <List> «<name />» </List> };
//# unmet_bound
«<Shows value={Opaque} />»
//# if_without_body
«if true»
//# match_not_exhaustive
match «Some(1)» { None => "none" }
//# for_without_in
«for x [1, 2]» { "x" }
//# component_self item
#[component]
fn Part(«&self») -> Element<'static> { rsx! {} }
//# component_pattern item
#[component]
fn Part(«(a, b)»: (u8, u8)) -> Element<'static> { rsx! { {a} {b} } }
//# component_async item
#[component]
«async» fn Part() -> Element<'static> { rsx! {} }
//# component_wrong_return item
#[component]
fn Part() -> «u8» { 5 }
//# component_unknown_key item
#[component]
fn Part(#[prop(«opional»)] a: u8) -> Element<'static> { rsx! { {a} } }
//# component_on_struct item
#[component]
«struct Part»;
//# component_small_name item
#[component]
fn «part»() -> Element<'static> { rsx! {} }
//# several_at_once all
<Task «ownr»="b" title="a" /> <Task title="a" owner=«7» /> <«Pannel»>"x"</Pannel>

//# prelude
use leptos::prelude::*;
#[component]
fn Task(title: &'static str, owner: &'static str, #[prop(optional)] limit: Option<u32>, #[prop(into, optional)] note: String) -> impl IntoView {
    view! { {title} {owner} {limit} {note} }
}
#[component]
fn Panel(children: Children) -> impl IntoView { view! { {children()} } }
#[component]
fn Leaf() -> impl IntoView { view! { "leaf" } }
#[slot]
struct Header { children: Children }
#[slot]
struct Footer { children: Children }
#[component]
fn Frame(header: Header, children: Children) -> impl IntoView { view! { {(header.children)()} {children()} } }
#[component]
fn Shows<T: std::fmt::Display + 'static>(value: T) -> impl IntoView { view! { {value.to_string()} } }
struct Opaque;
//# wrap
let _ = view! { <div> $ </div> };
//# ok
<Task title="a" owner="b" limit=5 note="c" /> <Panel><Leaf /> "text"</Panel> <Frame><Header slot>"h"</Header> "x"</Frame> <Shows value=5 />
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
<Task title="a" owner="b" «limit»=«{Some(1)}» />
//# into_wrong_type
<Task title="a" owner="b" «note»=«{Opaque}» />
//# moved_value block
let note = String::new();
let _ = view! { <div> <Task title="a" owner="b" note={note} /> <Task title="a" owner="b" note=«{note}» /> </div> };
//# borrowed_too_short item
fn snippet() -> impl IntoView { let text = String::new(); «view! { <div> <Task title={&text} owner="b" /> </div> }» }
//# prop_without_value
<Task title="a" «owner=» />
//# empty_braces
<Task title="a" «owner={}» />
//# unknown_variable
<Task title="a" owner=«{nme}» />
//# children_not_taken
<«Leaf»>«"text"»</Leaf>
//# children_missing
«<Panel />»
//# child_not_showable
<Panel>«{Opaque}»</Panel>
//# unknown_slot
<Frame><Header slot>"h"</Header> «<Footer slot>"f"</Footer>» "x"</Frame>
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
//# unknown_tag
<«Nothing» />
//# misspelt_tag
<«Pannel»>"x"</Pannel>
//# not_a_component
<«Opaque» />
//# unmet_bound
«<Shows value={Opaque} />»
//# match_not_exhaustive
{match «Some(1)» { None => "none" }}
//# component_self item
#[component]
fn Part(«&self») -> impl IntoView { view! { "x" } }
//# component_pattern item
#[component]
fn Part(«(a, b)»: (u8, u8)) -> impl IntoView { view! { {a} {b} } }
//# component_async item
#[component]
«async» fn Part() -> impl IntoView { view! { "x" } }
//# component_wrong_return item
#[component]
fn Part() -> «Opaque» { Opaque }
//# component_unknown_key item
#[component]
fn Part(#[prop(«opional»)] a: u8) -> impl IntoView { view! { {a} } }
//# component_on_struct item
#[component]
«struct Part»;
//# several_at_once all
<Task «ownr»="b" title="a" /> <Task title="a" owner=«7» /> <«Pannel»>"x"</Pannel>
//# ternary
{true «?» "a" : "b"}
//# arm_with_a_colon
{match 1 { «1:» "one", _ => "more" }}
//# or_a_value
{«Some("a") || "none"»}
//# format_in_braces block
let name = "b";
let _ = view! { <div> «{name:?}» </div> };
//# dotted_tag
<«ui.Panel»>"x"</ui.Panel>
//# closed_as_a_fragment
<Panel>"x"«</>»
//# closed_with_props
<Panel>"x"«</Panel title="a">»
//# closed_twice
<Panel>"x"</Panel>«</Panel>»
//# prop_with_another_sign
<Task «title: "a"» owner="b" />
//# props_and_commas
<Task title="a"«,» owner="b" />
//# mark_before_a_prop
<Task «:title»="a" owner="b" />
//# arrow_behind_a_prop
<Task «title => "a"» owner="b" />
//# attribute_on_a_prop
<Task «#[cfg(test)]» title="a" owner="b" />
//# key
<Task «key»=1 title="a" owner="b" />
//# char_for_a_text
<Task title=«'a'» owner="b" />
//# component_const item
#[component]
«const» fn Part() -> impl IntoView { view! { "x" } }
//# component_returns_a_local item
#[component]
fn Part(title: String) -> impl IntoView { let shown = title.to_uppercase(); «view! { {&*shown} }» }

//# prelude
use hypertext::prelude::*;
#[component]
fn task<'a>(title: &'a str, owner: &'a str, limit: Option<u32>, note: &String) -> impl Renderable {
    rsx! { (title) (owner) (limit) (note) }
}
#[component]
fn panel<R: Renderable>(children: &R) -> impl Renderable { rsx! { (children) } }
#[component]
fn leaf() -> impl Renderable { rsx! { "leaf" } }
#[component]
fn frame<H: Renderable, R: Renderable>(header: &H, children: &R) -> impl Renderable { rsx! { (header) (children) } }
#[component]
fn shows<T: std::fmt::Display>(value: &T) -> impl Renderable { let text = value.to_string(); rsx! { (text) } }
struct Opaque;
//# wrap
let _ = rsx! { <div> $ </div> }.render();
//# ok
<Task title="a" owner="b" limit=(Some(5)) note=("c".into())> <Panel><Leaf> "text"</Panel> <Frame header=(rsx! { <Leaf> })>"x"</Frame> <Shows value=5>
//# missing_prop
«<Task title="a" limit=(None) note=("c".into())>»
//# several_missing
«<Task limit=(Some(5)) note=("c".into())>»
//# unknown_prop
<Task title="a" owner="b" limit=(None) note=("c".into()) «colour»="red">
//# misspelt_prop
<Task title="a" «ownr»="b" limit=(None) note=("c".into())>
//# duplicate_prop
<Task title="a" «owner»="b" «owner»="c" limit=(None) note=("c".into())>
//# wrong_type
<Task title="a" owner=«(7)» limit=(None) note=("c".into())>
//# wrong_literal
<Task title="a" owner=«7» limit=(None) note=("c".into())>
//# optional_wrong_type
<Task title="a" owner="b" «limit»=«"x"» note=("c".into())>
//# optional_given_twice
<Task title="a" owner="b" «limit»=«(Some(Some(1)))» note=("c".into())>
//# into_wrong_type
<Task title="a" owner="b" limit=(None) «note»=«(Opaque)»>
//# moved_value block
let note = String::new();
let _ = rsx! { <div> <Task title="a" owner="b" limit=(None) note=(note)> <Task title="a" owner="b" limit=(None) note=«(note)»> </div> }.render();
//# prop_without_value
<Task title="a" «owner=» limit=(None) note=("c".into())>
//# empty_braces
<Task title="a" «owner=()» limit=(None) note=("c".into())>
//# unknown_variable
<Task title="a" owner=«(nme)» limit=(None) note=("c".into())>
//# children_not_taken
<«Leaf»>«"text"»</Leaf>
//# children_missing
«<Panel>»
//# child_not_showable
<Panel>«(Opaque)»</Panel>
//# unknown_slot
<Frame header="h" «footer»=(rsx! { <Leaf> })>"x"</Frame>
//# slot_missing
«<Frame>"x"</Frame>»
//# wrong_closing_tag
<Panel>"x"«</Pane>»
//# unended_tag
«<Task title="a" owner="b" limit=(None) note=("c".into())»
//# stray_closing_tag
«</Panel>»
//# stray_bracket
<Leaf> «>»
//# unknown_tag
<«Nothing»>
//# misspelt_tag
<«Pannel»>"x"</Pannel>
//# not_a_component
<«Opaque»>
//# variable_as_tag block
let name = "b";
let _ = rsx! { <div> «<name></name>» </div> }.render();
//# unmet_bound
«<Shows value=(Opaque)>»
//# if_without_body
«@if true»
//# match_not_exhaustive
@match «Some(1)» { None => { "none" } }
//# for_without_in
«@for x [1, 2]» { "x" }
//# component_self item
#[component]
fn part(«&self») -> impl Renderable { rsx! { "x" } }
//# component_pattern item
#[component]
fn part(«(a, b)»: (u8, u8)) -> impl Renderable { rsx! { (a) (b) } }
//# component_async item
#[component]
«async» fn part() -> impl Renderable { rsx! { "x" } }
//# component_wrong_return item
#[component]
fn part() -> «Opaque» { Opaque }
//# component_on_struct item
#[component]
«struct Part»;
//# several_at_once all
<Task «ownr»="b" title="a" limit=(None) note=("c".into())> <Task title="a" owner=«7» limit=(None) note=("c".into())> <«Pannel»>"x"</Pannel>
//# let_in_a_body
«let label = "a";»
//# while_let
«while let Some(_) = [1].iter().next()» { "x" }
//# else_without_if
«@else» { "x" }
//# continue_in_a_for
@for _ in [1, 2] { «continue»; }
//# for_of
«@for x of [1, 2]» { "x" }
//# ternary
(true «?» "a" : "b")
//# arm_with_a_colon
@match 1 { «1:» { "one" } _ => { "more" } }
//# arm_without_braces block
let name = "b";
let _ = rsx! { <div> @match name { "a" => «name», _ => "more" } </div> }.render();
//# or_a_value
(«Some("a") || "none"»)
//# body_without_braces
«@if true "x"»
//# entity
«&nbsp;»
//# comma_between_elements
<Leaf> «,» <Leaf>
//# sum_of_texts
"a" «+» "b"
//# value_in_braces block
let name = "b";
let _ = rsx! { <div> «{name}» </div> }.render();
//# format_in_braces block
let name = "b";
let _ = rsx! { <div> «(name:?)» </div> }.render();
//# call_within
<Panel>«rsx! { "x" }»</Panel>
//# markdown_heading
«# Tasks»
//# attribute_on_an_element
<Panel>«#[cfg(test)]» "x"</Panel>
//# dotted_tag
<«ui.Panel»>"x"</ui.Panel>
//# closed_with_props
<Panel>"x"«</Panel title="a">»
//# closed_twice
<Panel>"x"</Panel>«</Panel>»
//# another_syntax
«Leaf {}»
//# prop_with_another_sign
<Task «title: "a"» owner="b" limit=(None) note=("c".into())>
//# props_and_commas
<Task title="a"«,» owner="b" limit=(None) note=("c".into())>
//# dashed_prop
<Task title="a" owner="b" «data-id»="x" limit=(None) note=("c".into())>
//# mark_before_a_prop
<Task «:title»="a" owner="b" limit=(None) note=("c".into())>
//# arrow_behind_a_prop
<Task «title => "a"» owner="b" limit=(None) note=("c".into())>
//# call_without_braces block
let name = String::from("b");
let _ = rsx! { <div> <Task title="a" «owner=name.trim()» limit=(None) note=("c".into())> </div> }.render();
//# reference_without_braces block
let name = String::from("b");
let _ = rsx! { <div> <Task title="a" «owner=&name» limit=(None) note=("c".into())> </div> }.render();
//# choice_without_braces block
let name = String::from("b");
let _ = rsx! { <div> <Task title="a" «owner=if true { "a" } else { "b" }» limit=(None) note=("c".into())> </div> }.render();
//# attribute_on_a_prop
<Task «#[cfg(test)]» title="a" owner="b" limit=(None) note=("c".into())>
//# key
<Task «key»=1 title="a" owner="b" limit=(None) note=("c".into())>
//# char_for_a_text
<Task title=«'a'» owner="b" limit=(None) note=("c".into())>
//# condition_for_a_slot
<Frame header=(«true && rsx! { <Leaf> }»)>"x"</Frame>
//# component_named_like_its_data item
struct «Data»;
#[component]
fn «data»(data: &Data) -> impl Renderable { let _ = data; rsx! {} }

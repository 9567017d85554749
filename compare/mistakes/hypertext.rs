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
//# children_of_another_type item
#[component]
fn part(children: «&String») -> impl Renderable { rsx! { (children) } }
fn snippet() { let _ = rsx! { <Part>«"a"»</Part> }.render(); }
//# component_forgotten item
fn name(name: &str) -> impl Renderable { rsx! { (name) } }
fn snippet() { let _ = rsx! { <«Name» name="a"> }.render(); }
//# another_integer item
#[component]
fn part(size: u64) -> impl Renderable { rsx! { (size) } }
fn snippet() { let _ = rsx! { <Part «size»=«("a".len())»> }.render(); }
//# array_for_a_list item
#[component]
fn part(sizes: &Vec<u8>) -> impl Renderable { let count = sizes.len(); rsx! { (count) } }
fn snippet() { let _ = rsx! { <Part sizes=«([1, 2])»> }.render(); }
//# component_with_self_in_an_impl item
struct Board { times: u32 }
impl Board {
    #[component]
    fn show(«&self») -> impl Renderable { let times = self.times; rsx! { (times) } }
}
//# component_in_an_impl item
struct Board;
impl Board {
    «#[component]
    fn show(times: u32) -> impl Renderable { rsx! { (times) } }»
}
//# equals_forgotten
<Task «title "a"» owner="b" limit=(None) note=("c".into())>
//# rsx_forgotten item
#[component]
fn part(name: String) -> impl Renderable { «<b>(name)</b>» }
//# future_shown item
async fn load() -> String { String::new() }
fn snippet() { let _ = rsx! { <div> («load()») </div> }.render(); }
//# map_shown
(«std::collections::BTreeMap::from([("a", 1)])»)
//# path_shown
(«std::path::Path::new("a")»)
//# value_of_an_own_type item
struct Money(u32);
fn snippet() { let _ = rsx! { <div> («Money(5)») </div> }.render(); }
//# text_for_an_enum item
#[derive(Clone, Copy)]
enum Level { High }
#[component]
fn part(level: Level) -> impl Renderable { rsx! { "x" } }
fn snippet() { let _ = rsx! { <Part level=«"high"»> }.render(); }
//# choice_of_two_types block
let late = true;
let _ = rsx! { <div> (if late { "a" } else { «1» }) </div> }.render();
//# awaited_in_a_function item
async fn load() -> String { String::new() }
fn snippet() { let _ = rsx! { <div> (load().«await») </div> }.render(); }
//# sum_in_a_prop block
let name = "b";
let _ = rsx! { <div> <Task «title="a" + name» owner="b" limit=(None) note=("c".into())> </div> }.render();
//# component_in_another_case
<«LEAF»>
//# text_in_single_quotes
<div title=«'Tonight'»>"x"</div>
//# quote_forgotten_within
<b>«Don't wait»</b>
//# method_without_call block
let guest = "Ada";
let _ = rsx! { <div> (guest.«len») </div> }.render();
//# field_of_a_text block
let guest = "Ada";
let _ = rsx! { <div> (guest.«name») </div> }.render();
//# arrow_for_a_body block
let guest = Some("Ada");
let _ = rsx! { <div> @if let Some(name) = guest «=>» { (name) } </div> }.render();
//# and_a_text block
let late = true;
let _ = rsx! { <div> («late && "Begin."») </div> }.render();
//# ternary_of_tags block
let late = true;
let _ = rsx! { <div> (late «?» rsx! { <b>"late"</b> } : rsx! { <b>"early"</b> }) </div> }.render();
//# map_of_a_vector block
let names = vec!["Ada"];
let _ = rsx! { <div> (names.«map»(|name| rsx! { <li>(name)</li> })) </div> }.render();
//# closed_by_another_opening
«<b>»"a"«<b>»
//# small_closing_tag
<Panel>"a"«</panel>»
//# array_for_a_slice item
#[component]
fn guests<'a>(names: &'a [&'a str]) -> impl Renderable { let count = names.len(); rsx! { (count) } }
fn snippet() { let _ = rsx! { <Guests names=«(vec!["Ada"])»> }.render(); }
//# float_for_an_integer
<Task title="a" owner="b" «limit»=«(Some(2.5))» note=("c".into())>
//# component_without_result item
#[component]
fn «part»() { rsx! { "x" } }
//# component_with_a_semicolon item
#[component]
fn part() -> «impl Renderable» { rsx! { "x" }«;» }
//# literal_for_an_owned_prop item
#[component]
fn part(title: &String) -> impl Renderable { rsx! { (title) } }
fn snippet() { let _ = rsx! { <Part title=«"a"»> }.render(); }
//# element_for_a_string block
let _: String = «rsx! { <Leaf> }»;
//# component_called_outside block
let _ = «Leaf()».render();
//# props_in_parentheses
<Task«(title="a" owner="b")»>
//# moved_by_a_loop block
let names = vec![String::new()];
let _ = rsx! { <div> @for name in names { <li>(name)</li> } («names».len()) </div> }.render();
//# unknown_module
<«party»::Guests>

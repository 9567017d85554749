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
//# component_forgotten item
fn Name(name: &'static str) -> impl IntoView { view! { {name} } }
fn snippet() { let _ = view! { <«Name» name="a" /> }; }
//# children_of_another_type item
#[component]
fn Part(children: «String») -> impl IntoView { view! { {children} } }
fn snippet() { let _ = view! { <«Part»>«"a"»</Part> }; }
//# another_integer item
#[component]
fn Part(#[prop(optional)] size: Option<u64>) -> impl IntoView { view! { {size} } }
fn snippet() { let _ = view! { <Part «size»=«{"a".len()}» /> }; }
//# array_for_a_list item
#[component]
fn Part(sizes: Vec<u8>) -> impl IntoView { view! { {sizes.len()} } }
fn snippet() { let _ = view! { <Part sizes=«{[1, 2]}» /> }; }
//# children_twice item
#[component]
fn Part(children: Children) -> impl IntoView { view! { {children()} <b>{«children»()}</b> } }
//# component_with_self_in_an_impl item
struct Board { times: u32 }
impl Board {
    #[component]
    fn Show(«&self») -> impl IntoView { view! { {self.times} } }
}
//# component_in_an_impl item
struct Board;
impl Board {
    «#[component]
    fn Show(times: u32) -> impl IntoView { view! { {times} } }»
}
//# equals_forgotten
<Task «title "a"» owner="b" />
//# rsx_forgotten item
#[component]
fn Part(name: String) -> impl IntoView { «<b>{name}</b>» }
//# future_shown item
async fn load() -> String { String::new() }
fn snippet() { let _ = view! { <div> {«load()»} </div> }; }
//# map_shown
{«std::collections::BTreeMap::from([("a", 1)])»}
//# path_shown
{«std::path::Path::new("a")»}
//# value_of_an_own_type item
struct Money(u32);
fn snippet() { let _ = view! { <div> {«Money(5)»} </div> }; }
//# text_for_an_enum item
#[derive(Clone, Copy)]
enum Level { High }
#[component]
fn Part(level: Level) -> impl IntoView { let _ = level; view! { "x" } }
fn snippet() { let _ = view! { <Part level=«"high"» /> }; }
//# choice_of_two_types block
let late = true;
let _ = view! { <div> {if late { "a" } else { «1» }} </div> };
//# question_mark block
let late: Result<u8, String> = Ok(1);
let _ = view! { <div> {late«?»} </div> };
//# awaited_in_a_function item
async fn load() -> String { String::new() }
fn snippet() { let _ = view! { <div> {load().«await»} </div> }; }
//# sum_in_a_prop block
let name = "b";
let _ = view! { <div> <Task «title="a" + name» owner="b" /> </div> };
//# private_component item
mod party { use super::*; #[component] fn Guests() -> impl IntoView { view! { "a" } } }
fn snippet() { let _ = view! { <party::«Guests» /> }; }
//# component_in_another_case
<«LEAF» />
//# text_in_single_quotes
<div title=«'Tonight'»>"x"</div>
//# quote_forgotten_within
<b>«Don't wait»</b>
//# method_without_call block
let guest = "Ada";
let _ = view! { <div> {guest.«len»} </div> };
//# field_of_a_text block
let guest = "Ada";
let _ = view! { <div> {guest.«name»} </div> };
//# and_a_text block
let late = true;
let _ = view! { <div> {«late && "Begin."»} </div> };
//# ternary_of_tags block
let late = true;
let _ = view! { <div> {late «?» view! { <b>"late"</b> } : view! { <b>"early"</b> }} </div> };
//# map_of_a_vector block
let names = vec!["Ada"];
let _ = view! { <div> {names.«map»(|name| view! { <li>{name}</li> })} </div> };
//# closed_by_another_opening
«<b>»"a"«<b>»
//# small_closing_tag
<Panel>"a"«</panel>»
//# array_for_a_slice item
#[component]
fn Guests(names: &'static [&'static str]) -> impl IntoView { view! { {names.len()} } }
fn snippet() { let _ = view! { <Guests names=«{["Ada"]}» /> }; }
//# vector_for_a_slice item
#[component]
fn Guests(names: &'static [&'static str]) -> impl IntoView { view! { {names.len()} } }
fn snippet() { let _ = view! { <Guests names=«{vec!["Ada"]}» /> }; }
//# float_for_an_integer
<Task title="a" owner="b" «limit»=«2.5» />
//# component_without_result item
#[component]
fn «Part»() { view! { "x" } }
//# literal_for_an_owned_prop item
#[component]
fn Part(title: String) -> impl IntoView { view! { {title} } }
fn snippet() { let _ = view! { <Part title=«"a"» /> }; }
//# props_for_prop item
#[component]
fn Part(#[«props»(default)] title: u8) -> impl IntoView { view! { {title} } }
//# default_of_another_type item
#[component]
fn Part(#[prop(default = «"x"»)] title: String) -> impl IntoView { view! { {title} } }
//# element_for_a_string block
let _: String = «view! { <Leaf /> }»;
//# component_called_outside block
let _ = «Task("a", "b", None, String::new())»;
//# props_in_parentheses
<Task«(title="a" owner="b")» />
//# moved_by_a_loop block
let names = vec![String::new()];
let _ = view! { <div> {names.into_iter().map(|name| view! { <li>{name}</li> }).collect_view()} {«names».len()} </div> };
//# unknown_module
<«party»::Guests />
//# another_type_argument
<Shows<String> value=«5» />

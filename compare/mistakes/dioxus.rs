//# prelude
use dioxus::prelude::*;
#[component]
fn Task(title: &'static str, owner: &'static str, limit: Option<u32>, #[props(into, default)] note: String) -> Element {
    rsx! { {title} {owner} {limit.map(|n| n.to_string())} {note} }
}
#[component]
fn Panel(children: Element) -> Element { rsx! { {children} } }
#[component]
fn Leaf() -> Element { rsx! { "leaf" } }
#[component]
fn Frame(header: Element, children: Element) -> Element { rsx! { {header} {children} } }
#[component]
fn Shows<T: Clone + PartialEq + std::fmt::Display + 'static>(value: T) -> Element { rsx! { {value.to_string()} } }
#[derive(Clone, PartialEq)]
struct Opaque;
//# wrap
let _ = rsx! { div { $ } };
//# ok
Task { title: "a", owner: "b", limit: 5, note: "c" } Panel { Leaf {} "text" } Frame { header: rsx! { Leaf {} }, "x" } Shows { value: 5 }
//# missing_prop
«Task { title: "a" }»
//# several_missing
«Task { limit: 5 }»
//# unknown_prop
Task { title: "a", owner: "b", «colour»: "red" }
//# misspelt_prop
Task { title: "a", «ownr»: "b" }
//# duplicate_prop
Task { title: "a", «owner»: "b", «owner»: "c" }
//# wrong_type
Task { title: "a", owner: «{7}» }
//# wrong_literal
Task { title: "a", owner: «7» }
//# optional_wrong_type
Task { title: "a", owner: "b", «limit»: «"x"» }
//# optional_given_twice
Task { title: "a", owner: "b", «limit»: «Some(Some(1))» }
//# into_wrong_type
Task { title: "a", owner: "b", «note»: «Opaque» }
//# moved_value block
let note = String::new();
let _ = rsx! { div { Task { title: "a", owner: "b", note: note } Task { title: "a", owner: "b", note: «note» } } };
//# borrowed_too_short item
fn snippet() -> Element { let text = String::new(); «rsx! { div { Task { title: &text, owner: "b" } } }» }
//# prop_without_value
Task { title: "a", «owner:» }
//# empty_braces
Task { title: "a", «owner: {}» }
//# unknown_variable
Task { title: "a", owner: «nme» }
//# children_not_taken
«Leaf» { «"text"» }
//# children_missing
«Panel {}»
//# child_not_showable
Panel { «{Opaque}» }
//# unquoted_text
Panel { «hello» }
//# unknown_slot
Frame { header: rsx! { "h" }, «footer»: rsx! { Leaf {} }, "x" }
//# slot_missing
«Frame { "x" }»
//# stray_bracket
Leaf {} «>»
//# unknown_tag
«Nothing» {}
//# misspelt_tag
«Pannel» { "x" }
//# not_a_component
«Opaque» {}
//# variable_as_tag block
let name = "b";
let _ = rsx! { div { «name {}» } };
//# unmet_bound
«Shows { value: Opaque }»
//# if_without_body
«if true»
//# match_not_exhaustive
{match «Some(1)» { None => rsx! { "none" } }}
//# for_without_in
«for x [1, 2]» { "x" }
//# component_self item
#[component]
fn Part(«&self») -> Element { rsx! {} }
//# component_async item
#[component]
«async» fn Part() -> Element { rsx! {} }
//# component_wrong_return item
#[component]
fn Part() -> «u8» { 5 }
//# component_unknown_key item
#[component]
fn Part(#[props(«opional»)] a: u8) -> Element { rsx! { {a.to_string()} } }
//# component_on_struct item
#[component]
«struct Part»;
//# component_small_name item
#[component]
fn «part»() -> Element { rsx! {} }
//# several_at_once all
Task { «ownr»: "b", title: "a" } Task { title: "a", owner: «7» } «Pannel» { "x" }
//# let_in_a_body
«let label = "a";»
//# while_let
«while let Some(_) = [1].iter().next()» { "x" }
//# else_without_if
«else» { "x" }
//# continue_in_a_for
for _ in [1, 2] { «continue»; "x" }
//# for_of
«for x of [1, 2]» { "x" }
//# at_sign
«@»if true { "x" }
//# ternary
{true «?» "a" : "b"}
//# arm_with_a_colon
{match 1 { «1:» rsx! { "one" }, _ => rsx! { "more" } }}
//# or_a_value
{«Some("a") || "none"»}
//# body_without_braces
«if true "x"»
//# html_comment
«<!-- note -->»
//# entity
«&nbsp;»
//# sum_of_texts
"a" «+» "b"
//# value_in_parentheses
Panel { «(5)» }
//# char_as_text
Panel { «'a'» }
//# format_in_braces block
let name = "b";
let _ = rsx! { div { «{name:?}» } };
//# call_within
Panel { «rsx! { "x" }» }
//# template_value
Panel { «$»{5} }
//# markdown_heading
«# Tasks»
//# attribute_on_an_element
Panel { «#[cfg(test)]» "x" }
//# unknown_variable_in_a_text
«"{nme} failed"»
//# text_without_a_name
«"{} failed"»
//# brace_in_a_text
«"fn main() {"»
//# variable_in_a_borrowed_prop block
let name = "b";
let _ = rsx! { div { Task { title: «"{name}"», owner: "b" } } };
//# dotted_tag
«ui.Panel» { "x" }
//# another_syntax
«<Leaf />»
//# prop_with_another_sign
Task { «title = "a"», owner: "b" }
//# props_and_commas
Task { title: «"a" owner»: "b" }
//# dashed_prop
Task { title: "a", owner: "b", «data-id»: "x" }
//# mark_before_a_prop
Task { «:title»: "a", owner: "b" }
//# arrow_behind_a_prop
Task { «title => "a"», owner: "b" }
//# spread_with_three_dots block
let base = TaskProps { title: "a", owner: "b", limit: None, note: String::new() };
let _ = rsx! { div { Task { «...base» } } };
//# attribute_on_a_prop
Task { «#[cfg(test)]» title: "a", owner: "b" }
//# char_for_a_text
Task { title: «'a'», owner: "b" }
//# condition_for_a_slot
Frame { header: «true && rsx! { Leaf {} }», "x" }
//# component_named_like_its_data item
#[derive(Clone, PartialEq)]
struct «Data»;
#[component]
fn «Data»(data: Data) -> Element { let _ = data; rsx! {} }
//# component_const item
#[component]
«const» fn Part() -> Element { rsx! {} }
//# prop_that_can_not_be_cloned item
#[derive(PartialEq)]
struct Once;
#[component]
fn Part(a: «Once») -> Element { let _ = a; rsx! {} }
//# component_default_in_parentheses item
#[component]
fn Part(#[props(«default(5)»)] a: u8) -> Element { rsx! { {a.to_string()} } }
//# component_forgotten item
fn Name(name: &'static str) -> Element { rsx! { {name} } }
fn snippet() { let _ = rsx! { div { «Name» { name: "a" } } }; }
//# children_of_another_type item
#[component]
fn Part(children: «String») -> Element { rsx! { {children} } }
fn snippet() { let _ = rsx! { Part { «"a"» } }; }
//# show_helper
«Show» { when: true, "a" }
//# another_integer item
#[component]
fn Part(size: Option<u64>) -> Element { rsx! { {size.map(|n| n.to_string())} } }
fn snippet() { let _ = rsx! { Part { «size»: «"a".len()» } }; }
//# array_for_a_list item
#[component]
fn Part(sizes: Vec<u8>) -> Element { rsx! { {sizes.len().to_string()} } }
fn snippet() { let _ = rsx! { Part { sizes: «[1, 2]» } }; }
//# children_twice item
#[component]
fn Part(children: Element) -> Element { let shown = rsx! { {children} }; rsx! { {shown} {«children»} } }
//# component_with_self_in_an_impl item
struct Board { times: u32 }
impl Board {
    #[component]
    fn Show(«&self») -> Element { rsx! { {self.times.to_string()} } }
}
//# component_in_an_impl item
struct Board;
impl Board {
    «#[component]
    fn Show(times: u32) -> Element { rsx! { {times.to_string()} } }»
}
//# equals_forgotten
Task { «title "a"», owner: "b" }
//# rsx_forgotten item
#[component]
fn Part(name: String) -> Element { «div { {name} }» }
//# future_shown item
async fn load() -> String { String::new() }
fn snippet() { let _ = rsx! { div { {«load()»} } }; }
//# tuples_shown
{«[("a", 1)].map(|(name, count)| (name, count))»}
//# map_shown
{«std::collections::BTreeMap::from([("a", 1)])»}
//# path_shown
{«std::path::Path::new("a")»}
//# value_of_an_own_type item
struct Money(u32);
fn snippet() { let _ = rsx! { div { {«Money(5)»} } }; }
//# text_for_an_enum item
#[derive(Clone, Copy, PartialEq)]
enum Level { High }
#[component]
fn Part(level: Level) -> Element { let _ = level; rsx! {} }
fn snippet() { let _ = rsx! { Part { level: «"high"» } }; }
//# question_mark block
let late: Result<u8, String> = Ok(1);
let _ = rsx! { div { {late«?».to_string()} } };
//# awaited_in_a_function item
async fn load() -> String { String::new() }
fn snippet() { let _ = rsx! { div { {load().«await»} } }; }
//# sum_in_a_prop block
let name = "b";
let _ = rsx! { div { Task { title: «"a" + name», owner: "b" } } };
//# private_component item
mod party { use super::*; #[component] fn Guests() -> Element { rsx! { "a" } } }
fn snippet() { let _ = rsx! { party::«Guests» {} }; }
//# component_in_another_case
«LEAF» {}
//# self_in_a_text
«"{self.name}"»
//# width_not_in_scope block
let count = 1;
let _ = rsx! { div { «"{count:>width$}"» } };
//# debug_format_of_what_has_none item
struct Bare;
fn snippet() { let opaque = Bare; let _ = rsx! { div { «"{opaque:?}"» } }; }
//# text_in_single_quotes
div { title: «'Tonight'» }
//# quote_forgotten_within
div { «Don't wait» }
//# variable_between_texts block
let guest = "Ada";
let _ = rsx! { div { "Hello, " «guest» "!" } };
//# text_plus_variable block
let guest = "Ada";
let _ = rsx! { div { "Hello, " «+» guest } };
//# method_without_call block
let guest = "Ada";
let _ = rsx! { div { {guest.«len»} } };
//# method_without_call_in_a_text block
let guest = "Ada";
let _ = rsx! { div { «"{guest.len} letters"» } };
//# field_of_a_text block
let guest = "Ada";
let _ = rsx! { div { {guest.«name»} } };
//# arrow_for_a_body block
let guest = Some("Ada");
let _ = rsx! { div { if let Some(name) = guest «=>» {name} } };
//# and_a_text block
let late = true;
let _ = rsx! { div { {«late && "Begin."»} } };
//# ternary_of_tags block
let late = true;
let _ = rsx! { div { {late «?» rsx! { b { "late" } } : rsx! { b { "early" } }} } };
//# map_of_a_vector block
let names = vec!["Ada"];
let _ = rsx! { div { {names.«map»(|name| rsx! { li { {name} } })} } };
//# array_for_a_slice item
#[component]
fn Guests(names: &'static [&'static str]) -> Element { rsx! { {names.len().to_string()} } }
fn snippet() { let _ = rsx! { Guests { names: «["Ada"]» } }; }
//# vector_for_a_slice item
#[component]
fn Guests(names: &'static [&'static str]) -> Element { rsx! { {names.len().to_string()} } }
fn snippet() { let _ = rsx! { Guests { names: «vec!["Ada"]» } }; }
//# float_for_an_integer
Task { title: "a", owner: "b", «limit»: «2.5» }
//# component_without_result item
#[component]
fn «Part»() { rsx! { "x" } }
//# component_with_a_semicolon item
#[component]
fn Part() -> «Element» { rsx! { "x" }«;» }
//# component_of_impl_trait item
#[component]
fn Part(value: «impl std::fmt::Display») -> Element { rsx! { {value.to_string()} } }
//# props_for_prop item
#[component]
fn Part(#[«prop»(default)] title: u8) -> Element { rsx! { {title.to_string()} } }
//# default_of_another_type item
#[component]
fn Part(#[props(default = «"x"»)] size: u8) -> Element { rsx! { {size.to_string()} } }
//# element_for_a_string block
let _: String = «rsx! { Leaf {} }»;
//# component_called_outside block
let _ = «Task("a", "b", None, String::new())»;
//# props_in_parentheses
Task«(title: "a", owner: "b")»
//# moved_by_a_loop block
let names = vec![String::new()];
let _ = rsx! { div { for name in names { li { {name} } } {«names».len().to_string()} } };
//# unknown_module
«party»::Guests {}
//# another_type_argument
Shows::<String> { value: «5» }
//# unknown_format block
let guest = "Ada";
let _ = rsx! { div { «"{guest:d}"» } };
//# closing_brace_in_a_text
«"a } b"»

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

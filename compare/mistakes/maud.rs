//# prelude
use maud::{Markup, html};
fn task(title: &str, owner: &str, limit: Option<u32>, note: String) -> Markup {
    html! { (title) (owner) @if let Some(limit) = limit { (limit) } (note) }
}
fn panel(children: Markup) -> Markup { html! { (children) } }
fn leaf() -> Markup { html! { "leaf" } }
fn shows<T: std::fmt::Display>(value: T) -> Markup { html! { (value) } }
struct Opaque;
//# wrap
let _ = html! { div { $ } };
//# ok
(task("a", "b", Some(5), "c".into())) (panel(html! { (leaf()) "text" })) (shows(5))
//# missing_prop
(«task("a", None, "c".into())»)
//# several_missing
(«task(Some(5), "c".into())»)
//# wrong_type
(task("a", «7», None, "c".into()))
//# wrong_literal
(task("a", «7», None, "c".into()))
//# optional_wrong_type
(task("a", "b", «"x"», "c".into()))
//# optional_given_twice
(task("a", "b", «Some(Some(1))», "c".into()))
//# into_wrong_type
(task("a", "b", None, «Opaque.into()»))
//# moved_value block
let note = String::new();
let _ = html! { div { (task("a", "b", None, note)) (task("a", "b", None, «note»)) } };
//# unknown_variable
(task("a", «nme», None, "c".into()))
//# children_not_taken
(«leaf(html! { "text" })»)
//# children_missing
(«panel()»)
//# child_not_showable
(panel(html! { «(Opaque)» }))
//# unquoted_text
p { «hello world» }
//# stray_bracket
p { "x" } «>»
//# unknown_tag
(«nothing»())
//# misspelt_tag
(«pannel»(html! { "x" }))
//# not_a_component
«(Opaque)»
//# unmet_bound
(«shows(Opaque)»)
//# if_without_body
«@if true»
//# match_not_exhaustive
@match «Some(1)» { None => { "none" } }
//# for_without_in
«@for x [1, 2]» { "x" }
//# several_at_once all
(«task("a", None, "c".into())») (task("a", «7», None, "c".into())) («pannel»(html! { "x" }))
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
let _ = html! { div { @match name { "a" => «name», _ => "more" } } };
//# or_a_value
(«Some("a") || "none"»)
//# body_without_braces
«@if true "x"»
//# html_comment
«<!-- note -->»
//# entity
«&nbsp;»
//# comma_between_elements
p { "a" } «,» p { "b" }
//# sum_of_texts
"a" «+» "b"
//# value_in_braces block
let name = "b";
let _ = html! { div { «{name}» } };
//# format_in_braces block
let name = "b";
let _ = html! { div { «(name:?)» } };
//# call_within
p { «html! { "x" }» }
//# markdown_heading
«# Tasks»
//# attribute_on_an_element
p { «#[cfg(test)]» "x" }
//# another_syntax
«<p>"x"</p>»
//# char_for_a_text
(task(«'a'», "b", None, "c".into()))
//# component_without_result item
fn «part»() { «html! { "x" }» }
//# component_with_a_semicolon item
fn part() -> «Markup» { html! { "x" }«;» }
//# children_of_another_type item
fn part(children: String) -> Markup { html! { (children) } }
fn snippet() { let _ = html! { (part(«html! { "a" }»)) }; }
//# another_integer item
fn part(size: u64) -> Markup { html! { (size) } }
fn snippet() { let _ = html! { (part(«"a".len()»)) }; }
//# array_for_a_list item
fn part(sizes: Vec<u8>) -> Markup { html! { (sizes.len()) } }
fn snippet() { let _ = html! { (part(«[1, 2]»)) }; }
//# children_twice item
fn part(children: Markup) -> Markup { let all = panel(children); html! { (all) (panel(«children»)) } }
//# rsx_forgotten item
fn part(name: &str) -> Markup { «b { (name) }» }
//# future_shown item
async fn load() -> String { String::new() }
fn snippet() { let _ = html! { («load()») }; }
//# tuples_shown
(«("a", 1)»)
//# map_shown
(«std::collections::BTreeMap::from([("a", 1)])»)
//# path_shown
(«std::path::Path::new("a")»)
//# value_of_an_own_type item
struct Money(u32);
fn snippet() { let _ = html! { («Money(5)») }; }
//# text_for_an_enum item
enum Level { High }
fn part(level: Level) -> Markup { html! { "x" } }
fn snippet() { let _ = html! { (part(«"high"»)) }; }
//# choice_of_two_types block
let late = true;
let _ = html! { (if late { "a" } else { «1» }) };
//# question_mark block
let late: Result<u8, String> = Ok(1);
let _ = html! { (late«?») };
//# awaited_in_a_function item
async fn load() -> String { String::new() }
fn snippet() { let _ = html! { (load().«await») }; }
//# sum_in_a_prop block
let name = "b";
let _ = html! { (task(«"a" + name», "b", None, "c".into())) };
//# private_component item
mod party { use super::*; fn guests() -> Markup { html! { "a" } } }
fn snippet() { let _ = html! { (party::«guests»()) }; }
//# component_in_another_case
(«LEAF»())
//# text_in_single_quotes
div title=«'Tonight'» { "x" }
//# quote_forgotten_within
b { «Don't wait» }
//# variable_between_texts block
let guest = "Ada";
let _ = html! { div { "Hello, " «guest» "!" } };
//# text_plus_variable block
let guest = "Ada";
let _ = html! { div { "Hello, " «+» guest } };
//# method_without_call block
let guest = "Ada";
let _ = html! { (guest.«len») };
//# field_of_a_text block
let guest = "Ada";
let _ = html! { (guest.«name») };
//# arrow_for_a_body block
let guest = Some("Ada");
let _ = html! { @if let Some(name) = guest «=>» { (name) } };
//# and_a_text block
let late = true;
let _ = html! { («late && "Begin."») };
//# ternary_of_tags block
let late = true;
let _ = html! { (late «?» html! { b { "late" } } : html! { b { "early" } }) };
//# map_of_a_vector block
let names = vec!["Ada"];
let _ = html! { (names.«map»(|name| html! { li { (name) } })) };
//# array_for_a_slice item
fn guests(names: &[&str]) -> Markup { html! { (names.len()) } }
fn snippet() { let _ = html! { (guests(«["Ada"]»)) }; }
//# vector_for_a_slice item
fn guests(names: &[&str]) -> Markup { html! { (names.len()) } }
fn snippet() { let _ = html! { (guests(«vec!["Ada"]»)) }; }
//# float_for_an_integer
(task("a", "b", «Some(2.5)», "c".into()))
//# literal_for_an_owned_prop item
fn part(title: String) -> Markup { html! { (title) } }
fn snippet() { let _ = html! { (part(«"a"»)) }; }
//# element_for_a_string block
let _: String = «html! { (leaf()) }»;
//# moved_by_a_loop block
let names = vec![String::new()];
let _ = html! { @for name in names { li { (name) } } («names».len()) };
//# unknown_module
(«party»::guests())
//# another_type_argument
(shows::<String>(«5»))

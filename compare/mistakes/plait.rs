//# prelude
use plait::{ToHtml, component, html};
component! { fn Task(title: &str, owner: &str, limit: u32 = 0, note: String = String::new()) { (title) (owner) (limit) (note) } }
component! { fn Panel() { #children } }
component! { fn Leaf() { "leaf" } }
component! { fn Shows(value: impl std::fmt::Display) { (value.to_string()) } }
struct Opaque;
//# wrap
let _ = html! { div { $ } }.to_html();
//# ok
@Task(title: "a", owner: "b", limit: 5, note: "c".into()) {} @Panel() { @Leaf() {} "text" } @Shows(value: 5) {}
//# missing_prop
«@Task(title: "a") {}»
//# several_missing
«@Task(limit: 5) {}»
//# unknown_prop
@Task(title: "a", owner: "b", «colour»: "red") {}
//# misspelt_prop
@Task(title: "a", «ownr»: "b") {}
//# duplicate_prop
@Task(title: "a", «owner»: "b", «owner»: "c") {}
//# wrong_type
@Task(title: "a", owner: «{7}») {}
//# wrong_literal
@Task(title: "a", owner: «7») {}
//# optional_wrong_type
@Task(title: "a", owner: "b", «limit»: «"x"») {}
//# into_wrong_type
@Task(title: "a", owner: "b", «note»: «Opaque») {}
//# prop_without_value
@Task(title: "a", «owner:») {}
//# unknown_variable
@Task(title: "a", owner: «nme») {}
//# child_not_showable
@Panel() { («Opaque») }
//# unquoted_text
p { «hello world» }
//# stray_bracket
@Leaf() {} «>»
//# unknown_tag
@«Nothing»() {}
//# misspelt_tag
@«Pannel»() { "x" }
//# not_a_component
@«Opaque»() {}
//# unmet_bound
«@Shows(value: Opaque) {}»
//# if_without_body
«if true»
//# match_not_exhaustive
match «Some(1)» { None => "none" }
//# for_without_in
«for x [1, 2]» { "x" }
//# component_on_struct item
component! { «struct Part»; }
//# several_at_once all
@Task(«ownr»: "b", title: "a") {} @Task(title: "a", owner: «7») {} @«Pannel»() { "x" }
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
(true «?» "a" : "b")
//# arm_with_a_colon
match 1 { «1:» "one", _ => "more" }
//# or_a_value
(«Some("a") || "none"»)
//# body_without_braces
«if true "x"»
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
let _ = html! { div { «{name}» } }.to_html();
//# format_in_braces block
let name = "b";
let _ = html! { div { («name:?») } }.to_html();
//# call_within
p { «html! { "x" }» }
//# template_value
p { «$»{5} }
//# markdown_heading
«# Tasks»
//# attribute_on_an_element
p { «#[cfg(test)]» "x" }
//# another_syntax
«<p>"x"</p>»
//# prop_with_another_sign
@Task(«title = "a"», owner: "b") {}
//# props_and_commas
@Task(title: «"a" owner»: "b") {}
//# char_for_a_text
@Task(title: «'a'», owner: "b") {}
//# another_integer
@Task(title: "a", owner: "b", «limit»: «"a".len()») {}
//# equals_forgotten
@Task(«title "a"», owner: "b") {}
//# future_shown item
async fn load() -> String { String::new() }
fn snippet() { let _ = html! { («load()») }.to_html(); }
//# path_shown
(«std::path::Path::new("a")»)
//# value_of_an_own_type item
struct Money(u32);
fn snippet() { let _ = html! { («Money(5)») }.to_html(); }
//# text_for_an_enum item
enum Level { High }
component! { fn Part(level: Level) { "x" } }
fn snippet() { let _ = html! { @Part(level: «"high"») {} }.to_html(); }
//# awaited_in_a_function item
async fn load() -> String { String::new() }
fn snippet() { let _ = html! { (load().«await») }.to_html(); }
//# sum_in_a_prop block
let name = "b";
let _ = html! { @Task(title: «"a" + name», owner: "b") {} }.to_html();
//# private_component item
mod party { use super::*; component! { fn Guests() { "a" } } }
fn snippet() { let _ = html! { @party::«Guests»() {} }.to_html(); }
//# component_in_another_case
@«LEAF»() {}
//# text_in_single_quotes
div(title: «'Tonight'») { "x" }
//# quote_forgotten_within
b { «Don't wait» }
//# variable_between_texts block
let guest = "Ada";
let _ = html! { div { "Hello, " «guest» "!" } }.to_html();
//# method_without_call block
let guest = "Ada";
let _ = html! { (guest.«len») }.to_html();
//# field_of_a_text block
let guest = "Ada";
let _ = html! { (guest.«name») }.to_html();
//# arrow_for_a_body block
let guest = Some("Ada");
let _ = html! { if let Some(name) = guest «=>» { (name) } }.to_html();
//# map_of_a_vector block
let names = vec!["Ada"];
let _ = html! { (names.«map»(|name| html! { li { (name) } })) }.to_html();
//# array_for_a_slice item
component! { fn Guests(names: &[&str]) { (names.len()) } }
fn snippet() { let _ = html! { @Guests(names: «["Ada"]») {} }.to_html(); }
//# float_for_an_integer
@Task(title: "a", owner: "b", «limit»: «2.5») {}
//# literal_for_an_owned_prop
@Task(title: "a", owner: "b", note: «"c"») {}
//# element_for_a_string block
let _: String = «html! { @Leaf() {} }»;
//# moved_by_a_loop block
let names = vec![String::new()];
let _ = html! { for name in names { li { (name) } } («names».len()) }.to_html();
//# unknown_module
@«party»::Guests() {}

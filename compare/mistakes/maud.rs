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

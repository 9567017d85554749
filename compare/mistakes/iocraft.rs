//# prelude
use iocraft::prelude::*;
#[derive(Default, Props)]
struct TaskProps<'a> { title: &'a str, owner: &'a str, limit: Option<u32>, note: String }
#[component]
fn Task<'a>(props: &TaskProps<'a>) -> impl Into<AnyElement<'a>> { element! { Text(content: props.title) } }
#[derive(Default, Props)]
struct PanelProps<'a> { children: Vec<AnyElement<'a>> }
#[component]
fn Panel<'a>(props: &mut PanelProps<'a>) -> impl Into<AnyElement<'a>> { element! { View { #(&mut props.children) } } }
#[component]
fn Leaf() -> impl Into<AnyElement<'static>> { element! { Text(content: "leaf") } }
#[derive(Default, Props)]
struct FrameProps<'a> { header: Option<AnyElement<'a>>, children: Vec<AnyElement<'a>> }
#[component]
fn Frame<'a>(props: &mut FrameProps<'a>) -> impl Into<AnyElement<'a>> { element! { View { #(props.header.take()) #(&mut props.children) } } }
struct Opaque;
//# wrap
let _ = element! { View { $ } };
//# ok
Task(title: "a", owner: "b", limit: Some(5), note: "c") Panel { Leaf Text(content: "text") } Frame(header: element! { Leaf }.into_any()) { Leaf }
//# missing_prop
«Task(title: "a")»
//# several_missing
«Task(limit: Some(5))»
//# unknown_prop
Task(title: "a", owner: "b", «colour»: "red")
//# misspelt_prop
Task(title: "a", «ownr»: "b")
//# duplicate_prop
Task(title: "a", «owner»: "b", «owner»: "c")
//# wrong_type
Task(title: "a", owner: «{7}»)
//# wrong_literal
Task(title: "a", owner: «7»)
//# optional_wrong_type
Task(title: "a", owner: "b", «limit»: «"x"»)
//# optional_given_twice
Task(title: "a", owner: "b", «limit»: «Some(Some(1))»)
//# into_wrong_type
Task(title: "a", owner: "b", «note»: «Opaque»)
//# moved_value block
let note = String::new();
let _ = element! { View { Task(title: "a", owner: "b", note: note) Task(title: "a", owner: "b", note: «note») } };
//# borrowed_too_short item
fn snippet() -> impl Into<AnyElement<'static>> { let text = String::new(); «element! { View { Task(title: &*text, owner: "b") } }» }
//# prop_without_value
Task(title: "a", «owner:»)
//# empty_braces
Task(title: "a", «owner: {}»)
//# unknown_variable
Task(title: "a", owner: «nme»)
//# children_not_taken
«Leaf» { «Leaf» }
//# children_missing
«Panel»
//# child_not_showable
Panel { #(«Opaque») }
//# unquoted_text
Panel { «hello» }
//# unknown_slot
Frame(header: element! { Leaf }.into_any(), «footer»: element! { Leaf }.into_any()) { Leaf }
//# slot_missing
«Frame { Leaf }»
//# stray_bracket
Leaf «>»
//# unknown_tag
«Nothing»
//# misspelt_tag
«Pannel» { Leaf }
//# not_a_component
«Opaque»
//# variable_as_tag block
let name = "b";
let _ = element! { View { «name» } };
//# match_not_exhaustive
#(match «Some(1)» { None => element! { Leaf } })
//# component_self item
#[component]
fn Part(«&self») -> impl Into<AnyElement<'static>> { element! { Leaf } }
//# component_pattern item
#[component]
fn Part(«(a, b)»: (u8, u8)) -> impl Into<AnyElement<'static>> { element! { Leaf } }
//# component_async item
#[component]
«async» fn Part() -> impl Into<AnyElement<'static>> { element! { Leaf } }
//# component_wrong_return item
#[component]
fn Part() -> «u8» { 5 }
//# component_on_struct item
#[component]
«struct Part»;
//# several_at_once all
Task(«ownr»: "b", title: "a") Task(title: "a", owner: «7») «Pannel» { Leaf }
//# let_in_a_body
«let label = "a";»
//# while_let
«while let Some(_) = [1].iter().next()» { Leaf }
//# else_without_if
«else» { Leaf }
//# at_sign
«@»if true { Leaf }
//# ternary
#(true «?» None : Some(element! { Leaf }))
//# html_comment
«<!-- note -->»
//# entity
«&nbsp;»
//# comma_between_elements
Leaf «,» Leaf
//# value_in_parentheses
View { «(5)» }
//# value_in_braces block
let name = "b";
let _ = element! { View { «{name}» } };
//# call_within
View { «element! { Leaf }» }
//# markdown_heading
«# Tasks»
//# attribute_on_an_element
View { «#[cfg(test)]» Leaf }
//# dotted_tag
«ui.Panel» { Leaf }
//# dashed_tag
«my-panel» { Leaf }
//# another_syntax
«<Leaf />»
//# prop_with_another_sign
Task(«title = "a"», owner: "b")
//# props_and_commas
Task(title: «"a" owner»: "b")
//# dashed_prop
Task(title: "a", owner: "b", «data-id»: "x")
//# mark_before_a_prop
Task(«:title»: "a", owner: "b")
//# arrow_behind_a_prop
Task(«title => "a"», owner: "b")
//# attribute_on_a_prop
Task(«#[cfg(test)]» title: "a", owner: "b")
//# char_for_a_text
Task(title: «'a'», owner: "b")
//# condition_for_a_slot
Frame(header: «true && element! { Leaf }») { Leaf }
//# component_returns_a_local item
#[component]
fn Part<'a>() -> impl Into<AnyElement<'a>> { let shown = String::new(); «element! { Task(title: &*shown, owner: "b") }» }

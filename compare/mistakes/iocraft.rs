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
//# component_forgotten item
fn Name(props: &TaskProps<'_>) -> impl Into<AnyElement<'static>> { element! { Text(content: "x") } }
fn snippet() { let _ = element! { View { «Name»(title: "a") } }; }
//# another_integer
Task(title: "a", owner: "b", limit: Some(«"a".len()»))
//# component_in_an_impl item
struct Board;
impl Board {
    «#[component]
    fn Show() -> impl Into<AnyElement<'static>> { element! { Text(content: "x") } }»
}
//# component_with_self_in_an_impl item
struct Board { times: u32 }
impl Board {
    #[component]
    fn Show(«&self») -> impl Into<AnyElement<'static>> { element! { Text(content: "x") } }
}
//# equals_forgotten
Task(«title "a"», owner: "b")
//# rsx_forgotten item
#[component]
fn Part() -> impl Into<AnyElement<'static>> { «Text(content: "x")» }
//# future_shown item
async fn load() -> String { String::new() }
fn snippet() { let _ = element! { View { #(«load()») } }; }
//# map_shown
#(«std::collections::BTreeMap::from([("a", 1)])»)
//# path_shown
Text(content: «std::path::Path::new("a")»)
//# text_for_an_enum item
#[derive(Clone, Copy, Default)]
enum Level { #[default] High }
#[derive(Default, Props)]
struct PartProps { level: Level }
#[component]
fn Part(props: &PartProps) -> impl Into<AnyElement<'static>> { element! { Text(content: "x") } }
fn snippet() { let _ = element! { Part(level: «"high"») }; }
//# question_mark block
let late: Result<&str, String> = Ok("a");
let _ = element! { View { Text(content: late«?») } };
//# awaited_in_a_function item
async fn load() -> String { String::new() }
fn snippet() { let _ = element! { View { Text(content: load().«await») } }; }
//# sum_in_a_prop block
let name = "b";
let _ = element! { View { Task(title: «"a" + name», owner: "b") } };
//# private_component item
mod party { use super::*; #[component] fn Guests() -> impl Into<AnyElement<'static>> { element! { Text(content: "a") } } }
fn snippet() { let _ = element! { party::«Guests» }; }
//# component_in_another_case
«LEAF»
//# text_in_single_quotes
Text(content: «'Tonight'»)
//# quote_forgotten_within
View { «Don't wait» }
//# method_without_call block
let guest = "Ada";
let _ = element! { View { Task(title: guest.«trim», owner: "b") } };
//# field_of_a_text block
let guest = "Ada";
let _ = element! { View { Task(title: guest.«name», owner: "b") } };
//# and_a_text block
let late = true;
let _ = element! { View { #(«late && element! { Leaf }») } };
//# ternary_of_tags block
let late = true;
let _ = element! { View { #(late «?» element! { Leaf } : element! { Leaf }) } };
//# map_of_a_vector block
let names = vec!["Ada"];
let _ = element! { View { #(names.«map»(|name| element! { Text(content: name) })) } };
//# float_for_an_integer
Task(title: "a", owner: "b", «limit»: «Some(2.5)»)
//# component_without_result item
#[component]
fn «Part»() { «element! { Text(content: "x") }» }
//# component_with_a_semicolon item
#[component]
fn Part() -> «impl Into<AnyElement<'static>>» { element! { Text(content: "x") }«;» }
//# element_for_a_string block
let _: String = «element! { Leaf }»;
//# component_called_outside block
let _ = «Leaf()»;
//# moved_by_a_loop block
let names = vec![String::new()];
let _ = element! { View { #(names.into_iter().map(|name| element! { Text(content: name) })) Text(content: «names».len().to_string()) } };
//# unknown_module
«party»::Guests

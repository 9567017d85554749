//# prelude
use vy::prelude::*;
fn task(title: &str, owner: &str, limit: Option<u32>, note: String) -> impl IntoHtml {
    span!(title.to_owned(), owner.to_owned(), limit, note)
}
fn panel(children: impl IntoHtml) -> impl IntoHtml { div!(children) }
fn leaf() -> impl IntoHtml { span!("leaf") }
fn shows<T: std::fmt::Display>(value: T) -> impl IntoHtml { span!(value.to_string()) }
struct Opaque;
//# wrap
let _ = div!($).into_string();
//# ok
task("a", "b", Some(5), "c".into()), panel((leaf(), "text")), shows(5)
//# missing_prop
«task("a", None, "c".into())»
//# several_missing
«task(Some(5), "c".into())»
//# wrong_type
task("a", «7», None, "c".into())
//# wrong_literal
task("a", «7», None, "c".into())
//# optional_wrong_type
task("a", "b", «"x"», "c".into())
//# optional_given_twice
task("a", "b", «Some(Some(1))», "c".into())
//# into_wrong_type
task("a", "b", None, «Opaque.into()»)
//# moved_value block
let note = String::new();
let _ = div!(task("a", "b", None, note), task("a", "b", None, «note»)).into_string();
//# unknown_variable
task("a", «nme», None, "c".into())
//# children_not_taken
«leaf("text")»
//# children_missing
«panel()»
//# child_not_showable
panel(«Opaque»)
//# unquoted_text
p!(«hello»)
//# unknown_tag
«nothing»!("x")
//# misspelt_tag
«pannel»("x")
//# not_a_component
«Opaque»
//# unmet_bound
«shows(Opaque)»
//# if_without_body
«if true»
//# match_not_exhaustive
match «Some(1)» { None => "none" }
//# several_at_once all
«task("a", None, "c".into())», task("a", «7», None, "c".into()), «pannel»("x")
//# while_let
«while let Some(_) = [1].iter().next() { "x" }»
//# else_without_if
«else» { "x" }
//# ternary
(true «?» "a" : "b")
//# arm_with_a_colon
match 1 { «1:» "one", _ => "more" }
//# or_a_value
«Some("a") || "none"»
//# body_without_braces
«if true "x"»
//# html_comment
«<!-- note -->»
//# entity
«&nbsp;»
//# sum_of_texts
«"a" + "b"»
//# format_in_braces block
let name = "b";
let _ = div!(«name:?»).into_string();
//# markdown_heading
«# Tasks»
//# another_syntax
«<p>"x"</p>»
//# char_for_a_text
task(«'a'», "b", None, "c".into())
//# another_integer item
fn part(size: u64) -> impl IntoHtml { span!(size) }
fn snippet() { let _ = part(«"a".len()»).into_string(); }
//# array_for_a_list item
fn part(sizes: Vec<u8>) -> impl IntoHtml { span!(sizes.len()) }
fn snippet() { let _ = part(«[1, 2]»).into_string(); }
//# future_shown item
async fn load() -> String { String::new() }
fn snippet() { let _ = div!(«load()»).into_string(); }
//# path_shown
«std::path::Path::new("a")»
//# value_of_an_own_type item
struct Money(u32);
fn snippet() { let _ = div!(«Money(5)»).into_string(); }
//# text_for_an_enum item
enum Level { High }
fn part(level: Level) -> impl IntoHtml { span!("x") }
fn snippet() { let _ = part(«"high"»).into_string(); }
//# question_mark block
let late: Result<u8, String> = Ok(1);
let _ = div!(late«?»).into_string();
//# awaited_in_a_function item
async fn load() -> String { String::new() }
fn snippet() { let _ = div!(load().«await»).into_string(); }
//# sum_in_a_prop block
let name = "b";
let _ = task(«"a" + name», "b", None, "c".into()).into_string();
//# private_component item
mod party { use super::*; fn guests() -> impl IntoHtml { span!("a") } }
fn snippet() { let _ = div!(party::«guests»()).into_string(); }
//# text_in_single_quotes
div!(title = «'Tonight'», "x")
//# quote_forgotten_within
b!(«Don't wait»)
//# method_without_call block
let guest = "Ada";
let _ = div!(guest.«len»).into_string();
//# field_of_a_text block
let guest = "Ada";
let _ = div!(guest.«name»).into_string();
//# map_of_a_vector block
let names = vec!["Ada"];
let _ = div!(names.«map»(|name| li!(name))).into_string();
//# array_for_a_slice item
fn guests(names: &[&str]) -> impl IntoHtml { span!(names.len()) }
fn snippet() { let _ = guests(«["Ada"]»).into_string(); }
//# vector_for_a_slice item
fn guests(names: &[&str]) -> impl IntoHtml { span!(names.len()) }
fn snippet() { let _ = guests(«vec!["Ada"]»).into_string(); }
//# float_for_an_integer
task("a", "b", «Some(2.5)», "c".into())
//# component_without_result item
fn «part»() { «span!("x")» }
//# component_with_a_semicolon item
fn part() -> «impl IntoHtml» { span!("x")«;» }
//# literal_for_an_owned_prop
task("a", "b", None, «"c"»)
//# element_for_a_string block
let _: String = «div!("x")»;
//# unknown_module
«party»::guests()

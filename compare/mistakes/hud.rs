//# prelude
use hud_core::node::{Code, CodeBlock, Heading, Item, Link, List, Section, Strong};
use hud_core::{Children, Element, component, rsx};
#[component]
fn Task<'a>(title: &'a str, owner: &'a str, limit: Option<u32>, #[prop(into, default)] note: String) -> Element<'a> {
    rsx! { {title} {owner} {limit} {note} }
}
#[component]
fn Panel<'a>(children: Children<'a>) -> Element<'a> { rsx! { {children} } }
#[component]
fn Leaf() -> Element<'static> { rsx! { "leaf" } }
#[component]
fn Frame<'a>(header: Element<'a>, children: Children<'a>) -> Element<'a> { rsx! { {header} {children} } }
#[component]
fn Shows<T: Clone + std::fmt::Display>(value: T) -> Element<'static> { rsx! { {value.to_string()} } }
struct Opaque;
//# wrap
let _ = rsx! { <List> $ </List> };
//# ok
<Task title="a" owner="b" limit=5 note="c" /> <Panel><Leaf /> "text"</Panel> <Frame header=<Leaf />>"x"</Frame> <Shows value=5 />
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
<Task title="a" owner="b" «limit»=«{Some(Some(1))}» />
//# into_wrong_type
<Task title="a" owner="b" «note»=«{Opaque}» />
//# moved_value block
let note = String::new();
let _ = rsx! { <List> <Task title="a" owner="b" note={note} /> <Task title="a" owner="b" note=«{note}» /> </List> };
//# borrowed_too_short item
fn snippet() -> Element<'static> { let text = String::new(); «rsx! { <List> <Task title={&text} owner="b" /> </List> }» }
//# prop_without_value
<Task title="a" «owner=» />
//# empty_braces
<Task title="a" «owner={}» />
//# value_without_braces block
let name = "b";
let _ = rsx! { <List> <Task title="a" «owner=name» /> </List> };
//# unknown_variable
<Task title="a" owner=«{nme}» />
//# children_not_taken
<«Leaf»>«"text"»</Leaf>
//# children_missing
«<Panel />»
//# child_not_showable
<Panel>«{Opaque}»</Panel>
//# unquoted_text
<Panel>«hello»</Panel>
//# unknown_slot
<Frame header="h" «footer»=<Leaf />>"x"</Frame>
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
//# stray_bracket
<Leaf /> «>»
//# unknown_tag
<«Nothing» />
//# misspelt_tag
<«Pannel»>"x"</Pannel>
//# not_a_component
<«Opaque» />
//# variable_as_tag block
let name = "b";
let _ = rsx! { <List> «<name />» </List> };
//# unmet_bound
«<Shows value={Opaque} />»
//# if_without_body
«if true»
//# match_not_exhaustive
match «Some(1)» { None => "none" }
//# for_without_in
«for x [1, 2]» { "x" }
//# component_self item
#[component]
fn Part(«&self») -> Element<'static> { rsx! {} }
//# component_pattern item
#[component]
fn Part(«(a, b)»: (u8, u8)) -> Element<'static> { rsx! { {a} {b} } }
//# component_async item
#[component]
«async» fn Part() -> Element<'static> { rsx! {} }
//# component_wrong_return item
#[component]
fn Part() -> «u8» { 5 }
//# component_unknown_key item
#[component]
fn Part(#[prop(«opional»)] a: u8) -> Element<'static> { rsx! { {a} } }
//# component_on_struct item
#[component]
«struct Part»;
//# component_small_name item
#[component]
fn «part»() -> Element<'static> { rsx! {} }
//# several_at_once all
<Task «ownr»="b" title="a" /> <Task title="a" owner=«7» /> <«Pannel»>"x"</Pannel>
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
match 1 { «1:» "one", _ => "more" }
//# arm_without_braces block
let name = "b";
let _ = rsx! { <List> match name { "a" => «name», _ => "more" } </List> };
//# or_a_value
{«Some("a") || "none"»}
//# body_without_braces
«if true "x"»
//# html_comment
«<!-- note -->»
//# entity
«&nbsp;»
//# comma_between_elements
<Leaf /> «,» <Leaf />
//# sum_of_texts
"a" «+» "b"
//# value_in_parentheses
<Panel>«(5)»</Panel>
//# char_as_text
<Panel>«'a'»</Panel>
//# format_in_braces block
let name = "b";
let _ = rsx! { <List> «{name:?}» </List> };
//# call_within
<Panel>«rsx! { "x" }»</Panel>
//# template_value
<Panel>«$»{5}</Panel>
//# markdown_heading
«# Tasks»
//# attribute_on_an_element
<Panel>«#[cfg(test)]» "x"</Panel>
//# hash_map_values
{«std::collections::HashMap::from([("a", 1)]).values()»}
//# call_of_a_component
<Panel>{«Leaf()»}</Panel>
//# unknown_variable_in_a_text
«"{nme} failed"»
//# text_without_a_name
«"{} failed"»
//# brace_in_a_text
«"fn main() {"»
//# variable_in_a_borrowed_prop block
let name = "b";
let _ = rsx! { <List> <Task title=«"{name}"» owner="b" /> </List> };
//# html_tag
«<p>"x"</p>»
//# dotted_tag
<«ui.Panel»>"x"</ui.Panel>
//# dashed_tag
<«my-panel»>"x"</my-panel>
//# closed_as_a_fragment
<Panel>"x"«</>»
//# closed_with_props
<Panel>"x"«</Panel title="a">»
//# closed_twice
<Panel>"x"</Panel>«</Panel>»
//# another_syntax
«Leaf {}»
//# prop_with_another_sign
<Task «title: "a"» owner="b" />
//# props_and_commas
<Task title="a"«,» owner="b" />
//# dashed_prop
<Task title="a" owner="b" «data-id»="x" />
//# mark_before_a_prop
<Task «:title»="a" owner="b" />
//# arrow_behind_a_prop
<Task «title => "a"» owner="b" />
//# call_without_braces block
let name = String::from("b");
let _ = rsx! { <List> <Task title="a" «owner=name.trim()» /> </List> };
//# reference_without_braces block
let name = String::from("b");
let _ = rsx! { <List> <Task title="a" «owner=&name» /> </List> };
//# choice_without_braces block
let name = String::from("b");
let _ = rsx! { <List> <Task title="a" «owner=if true { "a" } else { "b" }» /> </List> };
//# name_in_braces block
let title = "a";
let _ = rsx! { <List> <Task «{title}» owner="b" /> </List> };
//# spread_with_three_dots block
let base = Task { title: "a", owner: "b", limit: None, note: String::new() };
let _ = rsx! { <List> <Task «{...base}» /> </List> };
//# spread_without_braces block
let base = Task { title: "a", owner: "b", limit: None, note: String::new() };
let _ = rsx! { <List> <Task «..base» /> </List> };
//# spread_with_props_in_it block
let base = Task { title: "a", owner: "b", limit: None, note: String::new() };
let _ = rsx! { <List> <Task «{..base, title: "x"}» /> </List> };
//# attribute_on_a_prop
<Task «#[cfg(test)]» title="a" owner="b" />
//# key
<Task «key»=1 title="a" owner="b" />
//# char_for_a_text
<Task title=«'a'» owner="b" />
//# several_in_a_slot
<Frame header=<Leaf /> «<Leaf />»>"x"</Frame>
//# condition_for_a_slot
<Frame header={«true && <Leaf />»}>"x"</Frame>
//# default_from_another_prop item
#[component]
fn Part(a: u8, #[prop(default = «a» + 1)] b: u8) -> Element<'static> { rsx! { {a} {b} } }
//# component_named_like_its_data item
#[derive(Clone, PartialEq)]
struct Data;
#[component]
fn «Data»(data: &Data) -> Element { let _ = data; rsx! {} }
//# component_const item
#[component]
«const» fn Part() -> Element<'static> { rsx! {} }
//# prop_that_can_not_be_cloned item
struct Once;
#[component]
fn Part(a: «Once») -> Element<'static> { let _ = a; rsx! {} }
//# component_returns_a_local item
#[component]
fn Part(title: &str) -> Element { let shown = title.to_uppercase(); «rsx! { {&shown} }» }
//# component_default_in_parentheses item
#[component]
fn Part(#[prop(«default(5)»)] a: u8) -> Element<'static> { rsx! { {a} } }
//# component_with_impl_result item
#[component]
fn Part() -> «impl hud_core::IntoElement<'static>» { "x" }
//# ambient_without_a_default item
struct Look;
#[component]
fn Part(#[prop(ambient)] look: &«Look») -> Element { let _ = look; rsx! {} }
//# ambient_given_by_the_caller item
#[derive(Default)]
struct Look;
#[component]
fn Part(#[prop(ambient)] look: &Look) -> Element { let _ = look; rsx! {} }
fn snippet() { let _ = rsx! { <Part «look»={&Look} /> }; }
//# provided_by_value
<hud_core::Provide value=«{Opaque}»>"x"</hud_core::Provide>
//# flag_without_value
<List «ordered»><Item>"a"</Item></List>
//# component_forgotten item
fn Name(name: &str) -> Element<'_> { rsx! { {name} } }
fn snippet() { let _ = rsx! { <«Name» name="a" /> }; }
//# children_of_another_type item
#[component]
fn Part(children: «String») -> Element<'static> { rsx! { {children} } }
fn snippet() { let _ = rsx! { <Part>"a"</Part> }; }
//# children_as_a_vector item
#[component]
fn Part<'a>(children: «Vec<Element<'a>>») -> Element<'a> { rsx! { {children.len()} } }
fn snippet() { let _ = rsx! { <Part>"a"</Part> }; }
//# density_of_another_type item
#[component]
fn Part(density: «u8») -> Element<'static> { rsx! { {density} } }
//# density_not_taken
<Task title="a" owner="b" «density»={hud_core::Density::Full} />
//# iterator_with_its_places
{«["a"].iter().enumerate()»}
//# iterator_without_a_type item
fn names() -> impl Iterator<Item = &'static str> { ["a"].into_iter() }
fn snippet() { let _ = rsx! { {«names()»} }; }
//# fragment_by_name
<«Fragment»>"a"</Fragment>
//# show_helper
<«Show» when={true}>"a"</Show>
//# for_helper block
let names = ["a"];
let _ = rsx! { <List> <«For each={names} let:name»><Item>"a"</Item></For> </List> };
//# slot_by_directive
<Frame><Strong «slot:header»>"h"</Strong> "x"</Frame>
//# html_list_in_capitals
<«Ul»><Item>"a"</Item></Ul>
//# html_heading_in_capitals
<«H1»>"a"</H1>
//# jinja_for block
let names = ["a"];
let _ = rsx! { <List> «{% for name in names %}»<Item>"a"</Item>{% endfor %} </List> };
//# svelte_if block
let done = true;
let _ = rsx! { <List> «{#if done}»<Strong>"a"</Strong>{/if} </List> };
//# layer_in_quotes item
#[component(layer = «"static"»)]
fn Part() -> Element<'static> { rsx! { "a" } }
//# rule_without_one_way item
use hud_core::mdast::{Mdast, text};
#[derive(Debug, PartialEq, hud_core::Node)]
struct Key {}
fn lower(_: &Key, _: &[Element<'_>], _: &hud_core::Lower<'_, Mdast>) -> hud_core::LowerResult<Mdast> { Ok(vec![text("a")]) }
fn snippet() { hud_core::Registry::builtin().register(«lower»); }
//# owned_option_for_a_borrowed_one item
#[component]
fn Part<'a>(by: Option<&'a str>) -> Element<'a> { rsx! { {by} } }
fn snippet() { let name = Some(String::new()); let _ = rsx! { <Part «by»=«{name}» /> }; }
//# another_integer item
#[component]
fn Part(size: Option<u64>) -> Element<'static> { rsx! { {size} } }
fn snippet() { let _ = rsx! { <Part «size»=«{"a".len()}» /> }; }
//# array_for_a_list item
#[component]
fn Part(sizes: Vec<u8>) -> Element<'static> { rsx! { {sizes.len()} } }
fn snippet() { let _ = rsx! { <Part sizes=«{[1, 2]}» /> }; }
//# children_twice item
#[component]
fn Part<'a>(children: Children<'a>) -> Element<'a> { rsx! { {children} <Strong>{«children»}</Strong> } }
//# local_list_for_a_borrowing_component item
#[component]
fn Names<'a>(names: &'a [String]) -> Element<'a> { rsx! { {names.len()} } }
#[component]
fn All<'a>(names: &'a str) -> Element<'a> {
    let split: Vec<String> = names.split(',').map(str::to_owned).collect();
    «rsx! { <Names names={&split} /> }»
}
//# component_in_an_impl item
struct Board;
impl Board {
    «#[component]
    fn Show(times: u32) -> Element<'static> { rsx! { {times} } }»
}
//# component_with_self_in_an_impl item
struct Board { times: u32 }
impl Board {
    #[component]
    fn Show(«&self») -> Element<'static> { rsx! { {self.times} } }
}
//# leaf_not_ended
«<hud_core::node::Break>» "a"
//# equals_forgotten
<Task «title "a"» owner="b" />
//# unknown_beside_missing
<Link «href»="https://a.b">"a"</Link>
//# braces_that_are_meant
<hud_core::node::Math>«"\\frac{a}{b}"»</hud_core::node::Math>
//# static_result_of_a_borrow item
#[component]
fn Part(name: «&str») -> «Element<'static>» { «rsx! { {name} }» }
//# undeclared_lifetime item
#[component]
fn Part(name: &«'a» str) -> Element<'a> { rsx! { {name} } }
//# rsx_forgotten item
#[component]
fn Part<'a>(name: &'a str) -> Element<'a> { «<Strong>{name}</Strong>» }
//# future_shown item
async fn load() -> String { String::new() }
fn snippet() { let _ = rsx! { {«load()»} }; }
//# lifetime_on_a_tag item
#[component]
fn Part<'a>(name: &'a str) -> Element<'a> { rsx! { {name} } }
fn snippet() { let _ = rsx! { <Part«<'_>» name="a" /> }; }
//# items_that_are_not_showable item
#[component]
fn Part<'a, T>(items: &'a [T]) -> Element<'a> { rsx! { for item in items { <Item>{«item»}</Item> } } }
//# style_class
<Strong «class:done»={true}>"a"</Strong>
//# class_name
<Strong «class»="bold">"a"</Strong>
//# tuples_shown
{«[("a", 1)].map(|(name, count)| (name, count))»}
//# map_shown
{«std::collections::BTreeMap::from([("a", 1)])»}
//# path_shown
{«std::path::Path::new("a")»}
//# value_of_an_own_type item
struct Money(u32);
fn snippet() { let _ = rsx! { {«Money(5)»} }; }
//# text_for_an_enum item
#[derive(Clone, Copy)]
enum Level { High }
#[component]
fn Part(level: Level) -> Element<'static> { let _ = level; rsx! {} }
fn snippet() { let _ = rsx! { <Part level=«"high"» /> }; }
//# closure_without_braces item
#[component]
fn Part(by: fn(u8) -> u8) -> Element<'static> { rsx! { {by(1)} } }
fn snippet() { let _ = rsx! { <Part «by=|n| n + 1» /> }; }
//# negation_without_braces block
let late = true;
let _ = rsx! { <List> <Item «checked=!late»>"a"</Item> </List> };
//# list_without_braces item
#[component]
fn Part(sizes: Vec<u8>) -> Element<'static> { rsx! { {sizes.len()} } }
fn snippet() { let _ = rsx! { <Part «sizes=[1, 2]» /> }; }
//# rendered_by_value block
let layout = rsx! { "x" };
let _ = hud_core::render(«layout», hud_core::Density::Full);
//# result_for_a_text block
let _: String = «hud_core::render(&rsx! { "x" }, hud_core::Density::Full)»;
//# component_of_a_result item
#[component]
fn Part() -> «Result<Element<'static>, String>» { Ok(rsx! { "a" }) }
//# component_of_an_option item
#[component]
fn Part() -> «Option<Element<'static>>» { Some(rsx! { "a" }) }
//# component_in_small_letters_used
«<leaf />»
//# component_in_another_case
<«LEAF» />
//# question_mark block
let late: Result<u8, String> = Ok(1);
let _ = rsx! { <List> {late«?»} </List> };
//# awaited_in_a_function item
async fn load() -> String { String::new() }
fn snippet() { let _ = rsx! { {load().«await»} }; }
//# key_with_capital_letters item
#[component(«Layer» = static)]
fn Part() -> Element<'static> { rsx! { "a" } }
//# sum_in_a_prop block
let name = "b";
let _ = rsx! { <List> <Task «title="a" + name» owner="b" /> </List> };
//# recursive_component item
#[component]
fn «Part»(depth: u8, «below: Option<Part>») -> Element<'static> { let _ = below; rsx! { {depth} } }
//# width_not_in_scope block
let count = 1;
let _ = rsx! { <List> «"{count:>width$}"» </List> };
//# self_in_a_text
«"{self.name}"»
//# debug_format_of_what_has_none block
let opaque = Opaque;
let _ = rsx! { <List> «"{opaque:?}"» </List> };
//# private_component item
mod party { use super::*; #[component] fn Guests() -> Element<'static> { rsx! { "a" } } }
fn snippet() { let _ = rsx! { <party::«Guests» /> }; }
//# text_in_single_quotes
<Section title=«'Tonight'»>"x"</Section>
//# quote_forgotten_within
<Strong>«Don't wait»</Strong>
//# words_and_a_variable block
let guest = "Ada";
let _ = rsx! { <List> <Strong>«We expect {guest}.»</Strong> </List> };
//# variable_between_texts block
let guest = "Ada";
let _ = rsx! { <List> "Hello, " «guest» "!" </List> };
//# text_plus_variable block
let guest = "Ada";
let _ = rsx! { <List> "Hello, " «+» guest </List> };
//# method_without_call block
let guest = "Ada";
let _ = rsx! { <List> {guest.«len»} </List> };
//# method_without_call_in_a_text block
let guest = "Ada";
let _ = rsx! { <List> «"{guest.len} letters"» </List> };
//# field_of_a_text block
let guest = "Ada";
let _ = rsx! { <List> {guest.«name»} </List> };
//# number_in_quotes
<Section title="a" «level»=«"2"»>"x"</Section>
//# heading_for_title
<Section «heading»="Tonight">"x"</Section>
//# title_forgotten
«<Section>"x"</Section>»
//# title_without_name
<Section «"Tonight"»>"x"</Section>
//# level_forgotten
«<Heading>"Tonight"</Heading>»
//# arrow_for_a_body block
let guest = Some("Ada");
let _ = rsx! { <List> if let Some(name) = guest «=>» {name} </List> };
//# ternary_of_tags block
let late = true;
let _ = rsx! { <List> {late «?» <Strong>"late"</Strong> : <Strong>"early"</Strong>} </List> };
//# map_of_a_vector block
let names = vec!["Ada"];
let _ = rsx! { <List> {names.«map»(|name| <Item>{name}</Item>)} </List> };
//# closed_by_another_opening
«<Item>»"a"«<Item>»
//# ended_and_closed
<Item /> "a" «</Item>»
//# small_closing_tag
<Item>"a"«</item>»
//# small_tag
«<item>"a"</item>»
//# small_section
«<section title="a">"x"</section>»
//# array_for_a_slice item
#[component]
fn Guests<'a>(names: &'a [&'a str]) -> Element<'a> { rsx! { {names.len()} } }
fn snippet() { let _ = rsx! { <Guests names=«{["Ada"]}» /> }; }
//# vector_for_a_slice item
#[component]
fn Guests<'a>(names: &'a [&'a str]) -> Element<'a> { rsx! { {names.len()} } }
fn snippet() { let _ = rsx! { <Guests names=«{vec!["Ada"]}» /> }; }
//# float_for_an_integer
<Task title="a" owner="b" «limit»=«2.5» />
//# none_without_braces
<Task title="a" owner="b" «limit=None» />
//# variant_without_its_type item
#[component]
fn Guests(density: hud_core::Density) -> Element<'static> { rsx! { {format!("{density:?}")} } }
fn snippet() { let _ = rsx! { <Guests density=«{Full}» /> }; }
//# density_in_quotes item
#[component]
fn Guests(density: hud_core::Density) -> Element<'static> { rsx! { {format!("{density:?}")} } }
fn snippet() { let _ = rsx! { <Guests «density»=«"full"» /> }; }
//# component_without_result item
#[component]
fn «Part»() { rsx! { "x" } }
//# component_with_a_semicolon item
#[component]
fn Part() -> «Element<'static>» { rsx! { "x" }«;» }
//# literal_for_an_owned_prop item
#[component]
fn Part(title: String) -> Element<'static> { rsx! { {title} } }
fn snippet() { let _ = rsx! { <Part title=«"a"» /> }; }
//# component_of_impl_trait item
#[component]
fn Part(value: «impl std::fmt::Display») -> Element<'static> { rsx! { {value.to_string()} } }
//# prop_optional item
#[component]
fn Part(#[prop(«optional»)] title: u8) -> Element<'static> { rsx! { {title} } }
//# props_for_prop item
#[component]
fn Part(#[«props»(default)] title: u8) -> Element<'static> { rsx! { {title} } }
//# default_of_another_type item
#[component]
fn Part(#[prop(default = «"x"»)] title: String) -> Element<'static> { rsx! { {title} } }
//# worth_in_quotes item
#[component(worth = «"high"»)]
fn Part() -> Element<'static> { rsx! { "x" } }
//# unknown_layer item
#[component(layer = «stable»)]
fn Part() -> Element<'static> { rsx! { "x" } }
//# density_by_reference item
#[component]
fn Part(density: «&hud_core::Density») -> Element<'static> { rsx! { {format!("{density:?}")} } }
//# node_without_derives item
#[derive(«hud_core::Node»)]
struct «Stars» { count: usize }
//# children_of_a_leaf_node item
#[derive(Debug, PartialEq, hud_core::Node)]
#[node(leaf)]
struct Stars { count: usize }
fn snippet() { let _ = rsx! { <«Stars» count=4>«"x"»</Stars> }; }
//# rule_without_a_vector item
use hud_core::mdast::{Mdast, text};
#[derive(Debug, PartialEq, hud_core::Node)]
struct Stars { count: usize }
fn lower(_: &Stars, _: &[Element<'_>], _: &hud_core::Lower<'_, Mdast>) -> hud_core::LowerResult<Mdast> { Ok(«text("x")») }
//# rendered_without_a_density block
let _ = «hud_core::render(&rsx! { "x" })»;
//# component_called_outside block
let _ = hud_core::render(&«Leaf()», hud_core::Density::Full);
//# element_for_a_string block
let _: String = «rsx! { <Leaf /> }»;
//# provided_without_a_name
<hud_core::Provide «{&5}»>"x"</hud_core::Provide>
//# unquoted_address block
let _ = rsx! { <List> <Link «url=https:»//a.b
>"x"</Link> </List> };
//# to_for_url
<Link «to»="https://a.b">"x"</Link>
//# lang_of_inline_code
<Code «lang»="rust">"x"</Code>
//# language_of_a_code_block
<CodeBlock «language»="rust">"x"</CodeBlock>
//# done_for_checked
<Item «done»=true>"x"</Item>
//# tag_named_if block
let late = true;
let _ = rsx! { <List> «<if condition={late}>»"x"</if> </List> };
//# match_helper block
let late = true;
let _ = rsx! { <List> <«Match» when={late}>"x"</Match> </List> };
//# vue_condition block
let late = true;
let _ = rsx! { <List> <Item «v-if»="late">"x"</Item> </List> };
//# event_handler
<Strong «onclick»={|| 1}>"x"</Strong>
//# props_in_parentheses
<Task«(title="a" owner="b")» />
//# moved_by_a_loop block
let names = vec![String::new()];
let _ = rsx! { <List> for name in names { <Item>{name}</Item> } {«names».len()} </List> };
//# unknown_module
<«party»::Guests />
//# another_type_argument
<Shows<String> value=«5» />
//# unknown_format block
let guest = "Ada";
let _ = rsx! { <List> «"{guest:d}"» </List> };
//# closing_brace_in_a_text
«"a } b"»

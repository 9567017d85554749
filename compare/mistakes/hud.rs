//# prelude
use hud_core::node::{Item, List, Strong};
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

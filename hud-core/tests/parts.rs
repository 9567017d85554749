//! The parts of a layout: which there are, at which density each is written, and how.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::node::{Beside, Field, Item, List, Part, Parts, Section, Strong};
use hud_core::part::{Arrangement, Cap, Layer, PartMeta, Rendered};
use hud_core::{
    Children, Density, Element, LowerError, Provide, Renderer, Scope, component, render, rsx,
};

/// What is served: printed once.
#[component(layer = static, worth = 9, floor = compact, cap = 2, part = "menu", heading)]
fn Menu<'a>(courses: &'a [&'a str], density: Density, #[prop(ambient)] cap: Cap) -> Element<'a> {
    let shown = &courses[..cap.of(courses.len())];
    match density {
        Density::Full => rsx! {
            <Section title="Menu">
                <List>for course in shown { <Item>{course}</Item> }</List>
            </Section>
        },
        Density::Compact => rsx! { <Field label="Menu">{shown.join(", ")}</Field> },
        Density::Minimal => rsx! { {courses.len()} " courses" },
    }
}

#[component(layer = dynamic, worth = 1)]
fn Guests<'a>(names: &'a [&'a str], density: Density) -> Element<'a> {
    match density {
        Density::Full => rsx! { <Section title="Guests">{names.join(", ")}</Section> },
        Density::Compact => rsx! { <Field label="Guests">{names.join(", ")}</Field> },
        Density::Minimal => rsx! { {names.len()} " guests" },
    }
}

#[component(worth = 7)]
fn Clock<'a>(time: &'a str, density: Density) -> Element<'a> {
    match density {
        Density::Full => rsx! { <Section title="Time">{time}</Section> },
        _ => rsx! { {time} },
    }
}

#[component]
fn Party<'a>(children: Children<'a>) -> Element<'a> {
    rsx! { <Parts>{children}</Parts> }
}

const COURSES: &[&str] = &["soup", "fish", "cake"];

fn party<'a>() -> Element<'a> {
    rsx! {
        <Party>
            <Menu courses={COURSES} />
            <Guests names={&["Ada", "Bo"]} />
            <Clock time="9 pm" />
        </Party>
    }
}

fn rendered(
    layout: &Element<'_>,
    arrangement: &Arrangement,
    mut choose: impl FnMut(&PartMeta) -> Option<Density>,
) -> Rendered {
    let parts = Renderer::builtin().parts(layout, Scope::default(), arrangement, &mut choose);
    parts.unwrap()
}

fn chosen(layout: &Element<'_>, choose: impl FnMut(&PartMeta) -> Option<Density>) -> String {
    rendered(layout, &Arrangement::default(), choose).markdown
}

fn all(layout: &Element<'_>) -> Vec<PartMeta> {
    let mut parts = Vec::new();
    chosen(layout, |part| {
        parts.push(part.clone());
        None
    });
    parts
}

fn names(layout: &Element<'_>) -> Vec<String> {
    all(layout)
        .iter()
        .map(|part| part.name.to_string())
        .collect()
}

#[test]
fn a_part_says_what_its_component_declares() {
    let [menu, guests, clock] = all(&party()).try_into().unwrap();
    let expected = PartMeta {
        name: "menu".into(),
        layer: Layer::Static,
        worth: 9,
        floor: Some(Density::Compact),
        cap: Some(2),
        heading: true,
    };
    assert_eq!(menu, expected);
    assert_eq!((&*guests.name, guests.layer), ("Guests", Layer::Dynamic));
    assert_eq!(
        (&*clock.name, clock.layer, clock.worth),
        ("Clock", Layer::Dynamic, 7)
    );
}

#[test]
fn each_part_has_a_density_of_its_own() {
    let by_name = |part: &PartMeta| match &*part.name {
        "menu" => Some(Density::Full),
        "Guests" => Some(Density::Compact),
        _ => Some(Density::Minimal),
    };
    insta::assert_snapshot!(chosen(&party(), by_name), @"
    # Menu

    - soup
    - fish

    **Guests:** Ada, Bo

    9 pm
    ");
}

#[test]
fn what_is_left_out_leaves_nothing_behind() {
    assert_eq!(chosen(&party(), |_| None), "");
    let layer = |of| {
        chosen(&party(), move |part| {
            (part.layer == of).then_some(Density::Full)
        })
    };
    assert_eq!(layer(Layer::Static), "# Menu\n\n- soup\n- fish\n");
    // Without the part that has it, nothing is under its heading.
    assert_eq!(
        layer(Layer::Dynamic),
        "# Guests\n\nAda, Bo\n\n# Time\n\n9 pm\n"
    );
    assert_eq!(
        chosen(&party(), |_| Some(Density::Full)),
        "# Menu\n\n- soup\n- fish\n\n## Guests\n\nAda, Bo\n\n## Time\n\n9 pm\n"
    );
}

#[test]
fn without_a_choice_all_parts_have_the_ambient_density_and_their_floors() {
    let shown = |density| render(&party(), density).unwrap();
    assert_eq!(
        shown(Density::Full),
        chosen(&party(), |_| Some(Density::Full))
    );
    assert_eq!(
        shown(Density::Minimal),
        "**Menu:** soup, fish\n\n9 pm │ 2 guests\n"
    );
}

#[test]
fn neighbours_share_a_line_where_they_are_short_and_the_worthiest_comes_first() {
    let layout = rsx! {
        <Parts>
            <Part worth=1>"one"</Part>
            <Part worth=9>"nine"</Part>
            <Part worth=3><Field label="three">"3"</Field></Part>
            <Part worth=2>"two"</Part>
            <Part>{None::<&str>}</Part>
            <Part worth=4>"four"</Part>
        </Parts>
    };
    assert_eq!(
        render(&layout, Density::Full).unwrap(),
        "nine │ one\n\n**three:** 3\n\nfour │ two\n"
    );
}

#[test]
fn beside_one_another_lines_share_one_and_blocks_stay_blocks() {
    let layout = |menu: Density| {
        rsx! {
            <Beside separator=" / ">
                <Guests names={&["Ada"]} density={Density::Compact} />
                <Menu courses={COURSES} density={menu} />
                <Clock time="9 pm" density={Density::Minimal} />
            </Beside>
            <Part>"after"</Part>
        }
    };
    let shown = |menu| chosen(&layout(menu), |_| Some(Density::Full));
    assert_eq!(
        shown(Density::Compact),
        "**Menu:** soup, fish / 9 pm / **Guests:** Ada\n\nafter\n"
    );
    assert_eq!(
        shown(Density::Full),
        "**Guests:** Ada\n\n# Menu\n\n- soup\n- fish\n\n9 pm\n\nafter\n"
    );
}

#[test]
fn what_is_around_one_call_changes_what_it_says_and_around_several_begins_anew() {
    let layout = rsx! {
        <Part name="card" layer={Layer::Dynamic} heading=false><Menu courses={COURSES} /></Part>
        <Part><Menu courses={COURSES} /> <Clock time="9 pm" /></Part>
    };
    let [card, both] = all(&layout).try_into().unwrap();
    assert_eq!(
        (&*card.name, card.layer, card.worth, card.cap, card.heading),
        ("card", Layer::Dynamic, 9, Some(2), false)
    );
    assert_eq!(both, PartMeta::unnamed());
}

#[test]
fn a_part_within_a_part_or_a_node_belongs_to_it() {
    let layout = rsx! {
        <Part name="outer"><Clock time="9 pm" /> <Part name="inner">"x"</Part></Part>
        <Section title="Tonight"><Menu courses={COURSES} /></Section>
    };
    assert_eq!(names(&layout), ["outer", ""]);
    assert_eq!(
        chosen(&layout, |_| Some(Density::Full)),
        "# Time\n\n9 pm\n\nx\n\n# Tonight\n\n## Menu\n\n- soup\n- fish\n"
    );
}

#[test]
fn what_is_in_no_part_is_one_and_goes_on_through_components_and_fragments() {
    #[component]
    fn Bold<'a>(text: &'a str) -> Element<'a> {
        rsx! { <Strong>{text}</Strong> }
    }
    let layout =
        rsx! { "Be " <Bold text="early" /> <>", " "or late"</> "." <Clock time="9 pm" /> " " };
    let parts = all(&layout);
    assert_eq!(parts.len(), 3);
    assert_eq!(parts[0], PartMeta::unnamed());
    assert_eq!(
        chosen(&layout, |_| Some(Density::Minimal)),
        "9 pm │ Be **early**, or late.\n"
    );
    assert_eq!(
        chosen(&layout, |part| part
            .name
            .is_empty()
            .then_some(Density::Full)),
        "Be **early**, or late.\n"
    );
}

#[test]
fn the_same_component_twice_is_two_parts_of_one_name() {
    let layout = rsx! { <Clock time="9 pm" /> <Clock time="10 pm" /> };
    assert_eq!(names(&layout), ["Clock", "Clock"]);
    let mut first = true;
    let shown = chosen(&layout, |_| {
        std::mem::take(&mut first).then_some(Density::Minimal)
    });
    assert_eq!(shown, "9 pm\n");
}

#[test]
fn a_density_that_the_layout_gives_holds() {
    #[component]
    fn Quiet<'a>(density: Density, children: Children<'a>) -> Element<'a> {
        let _ = density;
        children
    }
    let layout = rsx! {
        <Quiet density={Density::Minimal}><Guests names={&["Ada"]} /></Quiet>
        <Clock time="9 pm" density={Density::Full} />
    };
    let rendered = rendered(&layout, &Arrangement::default(), |_| Some(Density::Compact));
    assert_eq!(rendered.markdown, "1 guests\n\n# Time\n\n9 pm\n");
    let densities: Vec<_> = rendered.parts.iter().map(|shown| shown.density).collect();
    assert_eq!(densities, [Density::Minimal, Density::Full]);
}

#[test]
fn a_reader_leaves_out_moves_and_caps_parts_by_name() {
    let arranged = |arrangement| rendered(&party(), &arrangement, |_| Some(Density::Full)).markdown;
    let off = Arrangement {
        off: ["Guests".to_owned(), "nobody".to_owned()].into(),
        caps: [("menu".to_owned(), 1)].into(),
        ..Arrangement::default()
    };
    assert_eq!(arranged(off), "# Menu\n\n- soup\n\n## Time\n\n9 pm\n");
    let order = Arrangement {
        // What has the heading stays in front of what is under it.
        order: [("Clock".to_owned(), -1), ("menu".to_owned(), 7)].into(),
        ..Arrangement::default()
    };
    assert_eq!(
        arranged(order),
        "# Menu\n\n- soup\n- fish\n\n## Time\n\n9 pm\n\n## Guests\n\nAda, Bo\n"
    );
}

#[test]
fn what_is_beside_one_another_stays_so_in_any_order() {
    let layout = rsx! {
        <Beside><Part name="a">"a"</Part> <Part name="b">"b"</Part></Beside>
        <Part name="c">"c"</Part>
        <Beside><Part name="d">"d"</Part></Beside>
        <Part name="e">"e"</Part>
    };
    let order = [("a", 1), ("c", 2), ("d", -9)].map(|(name, number)| (name.to_owned(), number));
    let arrangement = Arrangement {
        order: order.into(),
        ..Arrangement::default()
    };
    let shown = rendered(&layout, &arrangement, |_| Some(Density::Full)).markdown;
    assert_eq!(shown, "b │ a\n\ne\n\nd\n\nc\n");
}

#[test]
fn the_outermost_cap_counts_and_a_reader_s_before_it() {
    let layout = rsx! {
        <Provide value={&Cap(1)}><Menu courses={COURSES} /></Provide>
        <Part cap=3><Menu courses={COURSES} /></Part>
    };
    assert_eq!(
        chosen(&layout, |_| Some(Density::Compact)),
        "**Menu:** soup\n\n**Menu:** soup, fish, cake\n"
    );
    let none = Arrangement {
        caps: [("menu".to_owned(), 0)].into(),
        ..Arrangement::default()
    };
    let shown = rendered(&layout, &none, |_| Some(Density::Compact)).markdown;
    assert_eq!(shown, "**Menu:**\n\n**Menu:**\n");
}

#[test]
fn text_opens_no_part_and_joins_no_line() {
    let text = "<Part name=\"menu\"> │ </Part>\n\n# Menu";
    let layout = rsx! { <Part name="a">{text}</Part> <Part name="b">"b"</Part> };
    assert_eq!(names(&layout), ["a", "b"]);
    let shown = chosen(&layout, |_| Some(Density::Minimal));
    assert_eq!(
        shown.lines().filter(|line| line.starts_with('#')).count(),
        0,
        "{shown}"
    );
    let odd = rsx! { <Part name={text}>"c"</Part> };
    assert_eq!(chosen(&odd, |_| Some(Density::Full)), "c\n");
}

#[test]
fn a_layout_that_calls_itself_without_end_is_an_error() {
    #[component]
    fn Mirror() -> Element {
        rsx! { <Mirror /> }
    }
    let error = Renderer::builtin().parts(
        &rsx! { <Mirror /> },
        Scope::default(),
        &Arrangement::default(),
        &mut |_| Some(Density::Full),
    );
    assert!(
        matches!(
            error,
            Err(LowerError::TooDeep {
                within: "Mirror",
                ..
            })
        ),
        "{error:?}"
    );
}

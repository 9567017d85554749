//! Parts that cannot be lowered: each is left out alone, with its error.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::fit::Fitting;
use hud_core::node::{Beside, Emphasis, Part, Parts, Row, Section};
use hud_core::part::{Arrangement, PartCache, Rendered};
use hud_core::tokens::Characters;
use hud_core::{Density, Element, LowerError, Node, Renderer, Scope, component, rsx};

/// A node that no registry has a rule for.
#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
struct Chart {}

/// A component that renders itself.
#[component(part = "endless")]
fn Endless() -> Element<'static> {
    rsx! { <Emphasis><Endless /></Emphasis> }
}

/// The same around parts.
#[component]
fn Around(times: usize) -> Element<'static> {
    rsx! { <Around times={times + 1} /> }
}

/// It cannot be shown at full density.
#[component(part = "dense")]
fn Dense(density: Density) -> Element<'static> {
    match density {
        Density::Full => rsx! { <Chart /> },
        _ => rsx! { "a few words" },
    }
}

fn layout() -> Element<'static> {
    rsx! {
        <Parts>
            <Part name="soup"><Section title="Soup">"of the day"</Section></Part>
            <Endless />
            <Beside>
                <Part name="seats"><Row>"1"</Row></Part>
                <Part name="chart"><Chart /></Part>
            </Beside>
            <Part name="cake">"Cake"</Part>
        </Parts>
    }
}

fn parts(layout: &Element<'_>, renderer: &Renderer) -> Result<Rendered, LowerError> {
    let arrangement = Arrangement::default();
    let scope = Scope::new(Density::Full);
    renderer.parts(layout, scope, &arrangement, &mut |_| Some(Density::Full))
}

fn bounded() -> Renderer {
    Renderer::default().with_error_boundaries()
}

#[test]
fn a_part_is_left_out_alone() {
    let rendered = parts(&layout(), &bounded()).unwrap();
    insta::assert_snapshot!(rendered.markdown);
    let errors = rendered.parts.iter().map(|shown| {
        let kind = shown.error.as_ref().map(|error| match error {
            LowerError::NoRule { .. } => "no rule",
            LowerError::TooDeep { .. } => "too deep",
            LowerError::Misplaced(_) => "misplaced",
            _ => "other",
        });
        (shown.part.name.as_ref(), kind)
    });
    assert_eq!(
        errors.collect::<Vec<_>>(),
        [
            ("soup", None),
            ("endless", Some("too deep")),
            ("seats", Some("misplaced")),
            ("chart", Some("no rule")),
            ("cake", None),
        ]
    );
    assert_eq!(parts(&layout(), &bounded()).unwrap(), rendered);
}

#[test]
fn without_boundaries_the_first_error_is_that_of_all() {
    let error = parts(&layout(), Renderer::builtin()).unwrap_err();
    assert!(matches!(error, LowerError::TooDeep { .. }), "{error}");
    let scope = Scope::new(Density::Full);
    assert_eq!(bounded().markdown(&layout(), scope), Err(error));
}

#[test]
fn what_is_in_no_part_is_left_out_too() {
    let layout =
        rsx! { "before " <Chart /> <Part name="cake">"Cake"</Part> <Around times=0 /> "after" };
    let rendered = parts(&layout, &bounded()).unwrap();
    insta::assert_snapshot!(rendered.markdown);
    let failed = |shown: &hud_core::part::RenderedPart| shown.error.is_some();
    let parts: Vec<_> = rendered.parts.iter().map(failed).collect();
    assert_eq!(parts, [true, false, true]);
}

#[test]
fn a_known_error_is_reported_again() {
    let (renderer, known) = (bounded(), PartCache::default());
    let again = || {
        let arrangement = Arrangement::default();
        let mut all = |_: &_| Some(Density::Full);
        renderer.parts_cached(&layout(), Scope::default(), &arrangement, &known, &mut all)
    };
    let first = again().unwrap();
    assert_eq!(again().unwrap(), first);
    assert_eq!(first, parts(&layout(), &renderer).unwrap());
}

#[test]
fn a_fit_counts_the_line_in_the_place_of_a_part() {
    let layout = rsx! { {layout()} <Dense /> };
    let arrangement = Arrangement::default();
    for budget in [10, 40, 120, 250, 400, 600, 2_000] {
        let fitting = Fitting::new(budget, &Characters);
        let scope = Scope::new(Density::Full);
        let fitted = bounded()
            .fit(&layout, scope, &arrangement, &fitting)
            .unwrap();
        let markdown = &fitted.rendered.markdown;
        let count = u64::try_from(markdown.chars().count()).unwrap();
        assert!(count <= budget, "{count} of {budget}: {markdown}");
        for shown in &fitted.rendered.parts {
            let line = format!("{} is left out", shown.part.name);
            assert_eq!(
                markdown.contains(&line),
                shown.error.is_some(),
                "{markdown}"
            );
        }
    }
    let error = Renderer::builtin().fit(
        &layout,
        Scope::default(),
        &arrangement,
        &Fitting::new(600, &Characters),
    );
    assert!(error.is_err());
}

#[test]
fn data_and_graphs_have_the_line_too() {
    let (renderer, arrangement) = (bounded(), Arrangement::default());
    let mut all = |_: &_| Some(Density::Full);
    let layout = rsx! { <Part name="cake">"Cake"</Part> <Endless /> <Around times=0 /> };
    let (value, parts) = renderer
        .data_parts(&layout, Scope::default(), &arrangement, &mut all)
        .unwrap();
    assert!(
        format!("{value:?}").contains("endless is left out: more than 256"),
        "{value:?}"
    );
    assert_eq!(
        parts.iter().filter(|shown| shown.error.is_some()).count(),
        2
    );
    let (diagram, parts) = renderer
        .diagram_parts(
            "hud",
            &rsx! {},
            &layout,
            Scope::default(),
            &arrangement,
            &mut all,
        )
        .unwrap();
    let dot = hud_core::graph::dot::to_string(&diagram);
    assert!(dot.contains("endless is left out: more than 256"), "{dot}");
    assert_eq!(
        parts.iter().filter(|shown| shown.error.is_some()).count(),
        2
    );
    let refused = Renderer::builtin().data_parts(&layout, Scope::default(), &arrangement, &mut all);
    assert!(matches!(refused, Err(LowerError::TooDeep { .. })));
}

//! As much of a layout as a budget holds.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use hud_core::fit::share::Share;
use hud_core::fit::{Choice, FitError, Fitted, Fitting, Pressures, Reason, Worth};
use hud_core::node::{Beside, Item, List, Paragraph, Part, Parts, Section};
use hud_core::part::{Arrangement, Cap, PartMeta};
use hud_core::tokens::{Characters, CountError, Estimate, TokenCounter};
use hud_core::{Density, Element, Renderer, Scope, component, rsx};
use proptest::prelude::*;

/// The guests: one by one, or how many they are.
#[component(part = "guests", worth = 6, cap = 5)]
fn Guests<'a>(names: &'a [String], density: Density, #[prop(ambient)] cap: Cap) -> Element<'a> {
    let shown = cap.of(names.len());
    match density {
        _ if names.is_empty() => rsx! {},
        Density::Full => rsx! {
            <Section title="Guests">
                <List>
                    for name in &names[..shown] { <Item>{name}</Item> }
                    if shown < names.len() { <Item>{names.len() - shown} " more"</Item> }
                </List>
            </Section>
        },
        Density::Compact => rsx! { <Paragraph>"Guests: " {names[..shown].join(", ")}</Paragraph> },
        Density::Minimal => rsx! { {names.len()} " guests" },
    }
}

/// What the party is for: it has to be there.
#[component(part = "cause", worth = 9, floor = minimal, heading)]
fn Cause<'a>(text: &'a str, density: Density) -> Element<'a> {
    match density {
        Density::Full => rsx! { <Section title="Cause">{text}</Section> },
        _ => rsx! { {text} },
    }
}

fn party(names: &[String]) -> Element<'_> {
    rsx! {
        <Parts>
            <Beside>
                <Cause text="Ada's birthday" />
                <Part name="place" worth=4>"In the garden"</Part>
            </Beside>
            <Guests names />
            <Part name="rain" worth=2><Paragraph>"If it rains, in the house"</Paragraph></Part>
        </Parts>
    }
}

fn names(count: usize) -> Vec<String> {
    [
        "Ada", "Grace", "Edsger", "Barbara", "Alan", "Donald", "Tony",
    ]
    .iter()
    .cycle()
    .take(count)
    .map(|name| (*name).to_owned())
    .collect()
}

fn fit(layout: &Element<'_>, fitting: &Fitting<'_>) -> Result<Fitted, FitError> {
    Renderer::builtin().fit(layout, Scope::default(), &Arrangement::default(), fitting)
}

/// What fits, with a line for each part.
fn explained(layout: &Element<'_>, fitting: &Fitting<'_>) -> String {
    described(fit(layout, fitting))
}

fn described(fitted: Result<Fitted, FitError>) -> String {
    let Fitted { rendered, report } = match fitted {
        Err(FitError::TooLarge { smallest }) => *smallest,
        fitted => fitted.unwrap(),
    };
    let parts = report.parts.iter().map(|part| {
        format!(
            "{}: {}, {} for {}: {}\n",
            part.part.name, part.choice, part.count, part.worth, part.reason
        )
    });
    let parts: String = parts.collect();
    format!(
        "{}--- {} of {}, worth {} of at most {}\n{parts}",
        rendered.markdown, report.count, report.budget, report.worth, report.bound
    )
}

#[test]
fn as_much_is_shown_as_the_budget_holds() {
    let names = names(7);
    let layout = party(&names);
    let all: Vec<String> = [1_000, 100, 60, 30]
        .into_iter()
        .map(|budget| explained(&layout, &Fitting::new(budget, &Characters)))
        .collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn what_has_to_be_there_and_does_not_fit_is_an_error_that_has_the_smallest() {
    let names = names(2);
    for budget in [0, 1, 5] {
        let error = fit(&party(&names), &Fitting::new(budget, &Characters)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "what has to be there takes 6, and there are {budget}: raise the budget, or let parts \
                 have no floor"
            )
        );
        let FitError::TooLarge { smallest } = error else {
            panic!("{error}")
        };
        assert_eq!(smallest.rendered.markdown, "Ada'…\n");
    }
}

#[test]
fn what_has_to_be_there_is_cut_only_where_it_does_not_fit_as_a_whole() {
    let names = names(2);
    let shown = |budget| {
        let fitted = fit(&party(&names), &Fitting::new(budget, &Characters)).unwrap();
        let choice = fitted.report.parts[0].choice.to_string();
        (fitted.rendered.markdown, choice)
    };
    assert_eq!(
        shown(15),
        ("Ada's birthday\n".to_owned(), "compact".to_owned())
    );
    assert_eq!(
        shown(14),
        (
            "Ada's birt…\n".to_owned(),
            "minimal, cut after 10 characters".to_owned()
        )
    );
    assert_eq!(shown(6).0, "Ada'…\n");
}

#[test]
fn nothing_is_asked_of_a_layout_without_floors_and_none_is_shown_without_a_budget() {
    let names = names(2);
    let fitted = fit(
        &rsx! { <Guests names={&names} /> },
        &Fitting::new(0, &Characters),
    )
    .unwrap();
    assert_eq!(fitted.rendered.markdown, "");
    assert_eq!(fitted.report.parts[0].choice, Choice::Absent);
    assert_eq!(fitted.report.left_out().count(), 1);
}

#[test]
fn a_budget_without_end_shows_everything() {
    let names = names(3);
    let fitted = fit(&party(&names), &Fitting::new(u64::MAX, &Estimate)).unwrap();
    let whole = Renderer::builtin().parts(
        &party(&names),
        Scope::default(),
        &Arrangement::default(),
        &mut |_| Some(Density::Full),
    );
    assert_eq!(fitted.rendered, whole.unwrap());
    assert!(
        fitted
            .report
            .parts
            .iter()
            .all(|part| part.reason == Reason::Whole)
    );
    assert_eq!(fitted.report.gap().thousandths(), 0);
}

#[test]
fn no_part_says_more_than_its_ceiling_nor_less_than_its_floor() {
    let names = names(3);
    let ceiling = |part: &PartMeta| (part.name != "rain").then_some(Density::Compact);
    let fitting = Fitting::new(1_000, &Characters).with_ceiling(&ceiling);
    let fitted = fit(&party(&names), &fitting).unwrap();
    assert_eq!(
        fitted.rendered.markdown,
        "Ada's birthday │ In the garden\n\nGuests: Ada, Grace, Edsger\n"
    );
    let guests = &fitted.report.parts[2];
    assert_eq!(guests.reason, Reason::Ceiling(Density::Compact));
    // What is not to be shown is not reported.
    assert!(
        fitted
            .report
            .parts
            .iter()
            .all(|part| part.part.name != "rain")
    );
}

#[test]
fn what_is_left_out_is_named_with_where_to_find_it() {
    let layout = rsx! {
        <Cause text="Ada's birthday" />
        <Part name="songs">"a long list of all songs that will be sung"</Part>
        <Part name="speeches" worth=9>"a list of speeches, no shorter than that of the songs"</Part>
    };
    let mut arrangement = Arrangement::default();
    for part in ["cause", "songs", "speeches"] {
        let handle = format!("{part}.list");
        arrangement.handles.insert(part.to_owned(), handle);
    }
    let fitting = Fitting::new(60, &Characters);
    let fitted = Renderer::builtin().fit(&layout, Scope::default(), &arrangement, &fitting);
    insta::assert_snapshot!(described(fitted), @"
    # Cause

    Ada's birthday

    Left out: `speeches.list`
    --- 51 of 60, worth 9.72 of at most 10.12
    cause: full, 25 for 9: all of it
    songs: absent, 0 for 0: the least of it takes 45 more, and 9 are left
    speeches: handle, 17 for 0.72: the least of it takes 39 more, and 9 are left
    ");
}

#[test]
fn a_part_that_takes_more_at_minimal_is_used_as_it_is_and_reported() {
    #[component(part = "odd", floor = minimal)]
    fn Odd<'a>(density: Density) -> Element<'a> {
        match density {
            Density::Minimal => rsx! { "a long story, told from its beginning" },
            _ => rsx! { "a story" },
        }
    }
    let odd = rsx! { <Odd /> };
    let fitted = fit(&odd, &Fitting::new(20, &Characters)).unwrap();
    assert_eq!(fitted.rendered.markdown, "a story\n");
    assert_eq!(fitted.report.parts[0].larger_at, Some(Density::Minimal));
    let minimal = |_: &PartMeta| Some(Density::Minimal);
    let fitted = fit(&odd, &Fitting::new(90, &Characters).with_ceiling(&minimal)).unwrap();
    assert_eq!(
        fitted.rendered.markdown,
        "a long story, told from its beginning\n"
    );
}

#[test]
fn a_part_that_is_worth_less_than_nothing_is_left_out() {
    let layout = rsx! { <Part name="noise">"Noise"</Part> <Part name="cake">"Cake"</Part> };
    let worth = |part: &PartMeta| {
        let thousandths = if part.name == "noise" { -1 } else { 1 };
        Worth::of_thousandths(thousandths).into()
    };
    let fitted = fit(&layout, &Fitting::new(90, &Characters).with_worth(&worth)).unwrap();
    assert_eq!(fitted.rendered.markdown, "Cake\n");
    assert_eq!(fitted.report.parts[0].reason, Reason::Worthless);
}

#[test]
fn a_counter_that_fails_is_an_error_that_names_it() {
    struct Broken;
    impl TokenCounter for Broken {
        fn name(&self) -> &str {
            "broken"
        }
        fn count(&self, text: &str) -> Result<u32, CountError> {
            Err(CountError {
                counter: "broken".to_owned(),
                bytes: text.len(),
                said: "its table is not there".to_owned(),
            })
        }
    }
    let error = fit(&party(&names(1)), &Fitting::new(90, &Broken)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("`broken` can't count a text of "),
        "{error}"
    );
}

/// A layout of anything: parts with lists, lines and paragraphs, and what is in no part.
fn layout(pieces: &[(u8, u8, Vec<String>)]) -> Element<'_> {
    rsx! {
        for (kind, worth, texts) in pieces {
            match kind {
                0 => <Guests names={texts} />,
                1 => <Part worth={*worth} floor={Density::Minimal}>{texts.concat()}</Part>,
                2 => <Beside>
                    for text in texts { <Part worth={*worth}>{text}</Part> }
                </Beside>,
                3 => <Part worth={*worth}><Section title="S">{texts.concat()}</Section></Part>,
                _ => <Paragraph>{texts.concat()}</Paragraph>,
            }
        }
    }
}

proptest! {
    #[test]
    fn a_budget_is_kept_while_the_floors_fit(
        pieces in proptest::collection::vec(
            (0..5u8, any::<u8>(), proptest::collection::vec("[a-z#*/. \n]{0,20}", 0..6)),
            0..8,
        ),
        budget in 0..400u64,
    ) {
        let counters: [&dyn TokenCounter; 2] = [&Characters, &Estimate];
        for counter in counters {
            let fitted = fit(&layout(&pieces), &Fitting::new(budget, counter));
            let count = |fitted: &Fitted| counter.count(&fitted.rendered.markdown).unwrap();
            match &fitted {
                Ok(fitted) => {
                    prop_assert!(u64::from(count(fitted)) <= budget);
                    prop_assert_eq!(u64::from(count(fitted)), fitted.report.count);
                    prop_assert!(fitted.report.bound >= fitted.report.worth);
                }
                Err(FitError::TooLarge { smallest }) => {
                    prop_assert!(u64::from(count(smallest)) > budget);
                    // Not even the floors alone fit.
                    let floors = Renderer::builtin().parts(
                        &layout(&pieces),
                        Scope::default(),
                        &Arrangement::default(),
                        &mut |part| part.floor,
                    );
                    prop_assert!(u64::from(counter.count(&floors.unwrap().markdown).unwrap()) > budget);
                }
                Err(error) => prop_assert!(false, "{error}"),
            }
            let again = fit(&layout(&pieces), &Fitting::new(budget, counter));
            prop_assert_eq!(fitted, again);
        }
    }
}

#[test]
fn an_empty_paragraph_takes_no_lines_of_a_budget() {
    let pieces = [(1, 0, vec!["text".to_owned()]), (4, 0, vec![])];
    let fitted = fit(&layout(&pieces), &Fitting::new(5, &Characters)).unwrap();
    assert_eq!(fitted.rendered.markdown, "text\n");
}

#[test]
fn parts_keep_to_their_shares_and_leave_what_they_do_not_use_to_others() {
    let [long, short] = ["word ".repeat(30), "few words".to_owned()];
    let guests = names(7);
    let shown = |share: Option<&str>, budget| {
        let layout = rsx! {
            <Part name="speeches" worth=9>
                <Paragraph>{long.as_str()}</Paragraph>
            </Part>
            <Guests names={&guests} />
            <Part name="songs">{short.as_str()}</Part>
        };
        let share = |part: &PartMeta| {
            let share = share.filter(|_| part.name == "guests");
            share.map(|share| share.parse().unwrap())
        };
        let fitting = Fitting::new(budget, &Characters).with_share(&share);
        let fitted = fit(&layout, &fitting).unwrap();
        assert!(fitted.report.count <= budget);
        assert!(fitted.report.bound >= fitted.report.worth);
        ["word word", "Guests", "few words"].map(|text| fitted.rendered.markdown.contains(text))
    };
    assert_eq!(shown(None, 170), [true, false, true]);
    assert_eq!(shown(Some("50%"), 170), [false, true, true]);
    assert_eq!(shown(Some("%* to 0"), 400), [true, false, true]);
    // What guests do not use of it is the others'.
    assert_eq!(shown(Some("90%"), 400), [true, true, true]);
}

#[test]
fn shares_that_do_not_add_up_are_an_error_and_floors_are_kept_beyond_them() {
    let guests = names(3);
    let layout = party(&guests);
    let share = |_: &PartMeta| Some("40%".parse().unwrap());
    let fitting = Fitting::new(90, &Characters).with_share(&share);
    let error = fit(&layout, &fitting).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the shares are 160 % together: make them 100 %, or one of them `%*`, which has the rest"
    );
    let share = |part: &PartMeta| (part.name == "cause").then(|| "0%".parse().unwrap());
    let fitted = fit(&layout, &Fitting::new(90, &Characters).with_share(&share));
    let markdown = fitted.unwrap().rendered.markdown;
    assert!(markdown.contains("Ada's birthday"), "{markdown}");
    // More is reserved than there is.
    let share = |part: &PartMeta| (part.name == "cause").then(|| "%* from 999".parse().unwrap());
    let fitted = fit(&layout, &Fitting::new(90, &Characters).with_share(&share));
    assert!(fitted.unwrap().report.count <= 90);
}

#[test]
fn a_steady_choice_keeps_to_shares_and_a_part_stays_as_it_is_whatever_another_share_says() {
    let [few, many] = [3, 40].map(names);
    let text = "It may rain, and then everybody goes into the house";
    let fitted = |guests: &[String], least: &Pressures| {
        let layout = rsx! {
            <Guests names={guests} />
            <Part name="rain" worth=2><Paragraph>{text}</Paragraph></Part>
            <Part name="place" worth=4><Paragraph>{text}</Paragraph></Part>
        };
        let share = |part: &PartMeta| match &*part.name {
            "guests" => Some(Share::percent(30)),
            "rain" => Some(Share::percent(20).at_least(60)),
            _ => None,
        };
        let fitting = Fitting::new(160, &Characters).with_share(&share);
        let fitted = fit(&layout, &fitting.steadily(least.clone())).unwrap();
        assert!(fitted.report.count <= 160, "{fitted:#?}");
        let [guests, rest @ ..] = &*fitted.report.parts else {
            panic!("{fitted:#?}")
        };
        assert!(guests.count <= 48, "{fitted:#?}");
        let rest: Vec<Choice> = rest.iter().map(|part| part.choice).collect();
        (guests.choice, rest, fitted.report.pressures.unwrap())
    };
    let (most, rest, began) = fitted(&few, &Pressures::default());
    let (less, same, risen) = fitted(&many, &began);
    assert_ne!(most, less);
    assert_eq!(rest, same);
    // The pressure stays when there is less to say again.
    assert_ne!(began, risen);
    let (_, still, then) = fitted(&few, &risen);
    assert_eq!((still, then), (rest, risen));
}

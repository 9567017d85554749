use hud_core::node::{Callout, Code, Field};
use hud_core::{Band, Bands, Density, Element, component, rsx};
use hud_store::state::{ContextUsage, HudState};

use crate::usage::ShownUsage;
use crate::{Clearable, KnowledgeLimit, Relief, relief};

/// What to do about a context that fills: nothing while it is green, advice while it is yellow, and a
/// warning from red on.
#[component(layer = dynamic, worth = 8, floor = minimal, part = "warning", schema)]
pub fn WarningBanner<'a>(
    /// The last reading.
    context: Option<&'a ContextUsage>,
    /// What else there is that takes room: the advice names it. Without one it does not.
    state: Option<&'a HudState>,
    /// Where advice and warning begin.
    #[prop(ambient)]
    bands: Bands,
    /// What the client would have to clear itself: nothing, where it takes out what is not needed.
    #[prop(ambient)]
    clearable: Clearable,
    /// How much an agent may know.
    #[prop(ambient)]
    limit: KnowledgeLimit,
    density: Density,
) -> Element<'a> {
    let Some(context) = context else {
        return rsx! {};
    };
    let shown = ShownUsage::of(context, &bands);
    let (label, soon, advice) = match shown.band {
        Band::Green => return rsx! {},
        Band::Yellow => (
            "Advice",
            "compact when convenient",
            "Compact when it is convenient.",
        ),
        Band::Red => (
            "Warning",
            "compact soon",
            "Finish the step at hand, record decisions and notes, then compact.",
        ),
        Band::Critical => (
            "Warning",
            "compact now",
            "Record what must survive, then compact now.",
        ),
    };
    let due = match shown.turns_left {
        Some(0) => " The client compacts the conversation now.".to_owned(),
        Some(1) => " The client compacts the conversation in about a turn.".to_owned(),
        Some(turns) => format!(" The client compacts the conversation in about {turns} turns."),
        None => String::new(),
    };
    let relief = state.map(|state| relief(state, limit)).unwrap_or_default();
    match density {
        Density::Full => rsx! {
            <Callout label>
                match shown.percentage {
                    Some(percentage) => { "the context is " {percentage} "% full." }
                    None => "the context is nearly full.",
                }
                {due} " " {advice}
                if !relief.is_empty() {
                    " More room: "
                    for (nth, Relief { what, operation }) in relief.into_iter().enumerate() {
                        if nth > 0 { "; " }
                        {what} " (" <Code>{operation}</Code> ")"
                    }
                    "."
                }
                if let Some(said) = clearable.said() { " " {said} }
            </Callout>
        },
        Density::Compact => rsx! {
            <Field label>
                {soon}
                for Relief { what, operation } in relief.into_iter().take(1) {
                    "; " {what} " (" <Code>{operation}</Code> ")"
                }
                if let Some(said) = clearable.said() { ". " {said} }
            </Field>
        },
        Density::Minimal => rsx! {
            if shown.band >= Band::Red {
                "⚠ " {soon}
                for Relief { what, .. } in relief.into_iter().take(1) { "; " {what} }
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use hud_core::{Density, render, rsx};
    use hud_store::state::{ContextUsage, HudState};

    use super::WarningBanner;
    use crate::fixture::{assert_snapshots, error};

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "warning_banner",
            |state| rsx! { <WarningBanner context={state.context.as_ref()} /> },
        );
    }

    fn used(used: u64, usable: Option<u64>) -> ContextUsage {
        ContextUsage {
            used,
            limit: Some(100),
            assumed: false,
            usable,
            model: None,
            at: jiff::Timestamp::UNIX_EPOCH,
            readings: vec![used - 10, used],
        }
    }

    fn shown(tokens: u64, usable: Option<u64>) -> String {
        let context = used(tokens, usable);
        render(
            &rsx! { <WarningBanner context={Some(&context)} /> },
            Density::Full,
        )
        .unwrap()
    }

    #[test]
    fn each_band_has_its_advice() {
        insta::assert_snapshot!([60, 70, 86, 93].map(|used| shown(used, None)).concat());
    }

    #[test]
    fn at_every_density_one_line_names_what_makes_room_and_what_does_it() {
        let mut state = HudState::default();
        state.core_memory.goal.content = "x".repeat(900);
        state.errors = (1..=4)
            .map(|nth| error(nth, "Bash", "make", "The port is taken", false))
            .collect();
        let context = used(88, None);
        let shown = |density| {
            let banner = rsx! { <WarningBanner context={Some(&context)} state={Some(&state)} /> };
            render(&banner, density).unwrap()
        };
        let shown = [Density::Full, Density::Compact, Density::Minimal].map(shown);
        insta::assert_snapshot!(shown.join("---\n"));
    }

    #[test]
    fn a_compaction_by_the_client_is_announced_before_it_comes() {
        let left = |left: u64| shown(50, Some(50 + left));
        assert_eq!(left(31), "");
        insta::assert_snapshot!([30, 1, 0].map(left).concat());
    }
}

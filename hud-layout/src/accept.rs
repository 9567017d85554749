//! What a layout has to hold before an agent is shown it: [`accept`].

use hud_agent::layout::{Layout, LayoutError};
use hud_agent::settings::Settings;
use hud_core::Density;
use hud_core::part::PartMeta;
use hud_core::tokens::{Estimate, TokenCounter as _};
use hud_store::state::HudState;

use crate::report::{Mistakes, Placed};
use crate::states;
use crate::template::Template;

/// Tokens that any layout may have, whatever the built-in one takes of the same state.
const ROOM: u32 = 120;

/// How many tokens a layout takes of the present state at each density, from full to minimal, as they are
/// estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// By this layout.
    pub tokens: [u32; 3],
    /// By the built-in one.
    pub built_in: [u32; 3],
}

/// Why a layout without mistakes is not shown to an agent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// It can't be rendered.
    #[error("of {state} state at {density} density it can not be rendered: {source}")]
    Fails {
        /// Which state.
        state: &'static str,
        /// At which density.
        density: Density,
        /// Why.
        source: LayoutError,
    },
    /// A tag or an expression of it fails.
    #[error("of {state} state it fails:\n{mistakes}")]
    Breaks {
        /// Which state.
        state: &'static str,
        /// What fails.
        mistakes: Mistakes,
    },
    /// The same state does not give the same text.
    #[error("of {state} state at {density} density it is not the same twice")]
    Differs {
        /// Which state.
        state: &'static str,
        /// At which density.
        density: Density,
    },
    /// It takes too many tokens.
    #[error(
        "of {state} state at {density} density it takes {tokens} tokens, and {most} are the most (1.5 times the \
         built-in layout): show fewer items, or let `<Part cap={{5}}>` do so"
    )]
    TooLong {
        /// Which state.
        state: &'static str,
        /// At which density.
        density: Density,
        /// How many tokens it takes.
        tokens: u32,
        /// How many it may.
        most: u32,
    },
}

/// Renders a layout twice on the empty, the present, an overfull and a hostile state at three densities, and
/// holds it to the length of the built-in one.
///
/// # Errors
///
/// [`Refused`], with the first of these that it does not hold.
pub fn accept(template: &Template, present: &HudState) -> Result<Accepted, Refused> {
    let (written, built_in) = (template.clone().layout(), Layout::default());
    let empty = HudState::default();
    let tried = [
        ("the empty", &empty),
        ("the present", present),
        ("an overfull", states::overfull()),
        ("a hostile", states::hostile()),
    ];
    let mut accepted = Accepted {
        tokens: [0; 3],
        built_in: [0; 3],
    };
    for (name, state) in tried {
        let failures = template.elements(state).failures;
        if !failures.is_empty() {
            let source = template.source();
            let mistakes = Mistakes::new(&source.name, &source.text, failures);
            return Err(Refused::Breaks {
                state: name,
                mistakes,
            });
        }
        for (index, density) in Density::ALL.into_iter().enumerate() {
            let of = |layout: &Layout| {
                render(layout, state, density).map_err(|source| Refused::Fails {
                    state: name,
                    density,
                    source,
                })
            };
            let text = of(&written)?;
            if of(&written)? != text {
                return Err(Refused::Differs {
                    state: name,
                    density,
                });
            }
            let other = of(&built_in)?;
            let count = |text: &str| Estimate.count(text).unwrap_or(u32::MAX);
            let (tokens, least) = (count(&text), count(&other));
            let most = (least + least / 2).max(least.saturating_add(ROOM));
            if tokens > most {
                return Err(Refused::TooLong {
                    state: name,
                    density,
                    tokens,
                    most,
                });
            }
            if name == "the present" {
                accepted.tokens[index] = tokens;
                accepted.built_in[index] = least;
            }
        }
    }
    Ok(accepted)
}

/// A layout of a state, with all parts at a density or at their floor.
pub fn render(layout: &Layout, state: &HudState, density: Density) -> Result<String, LayoutError> {
    let choose = &mut |part: &PartMeta| Some(part.at(density));
    let shown = layout.render(state, &Settings::default(), density, choose)?;
    Ok(shown.markdown)
}

impl Refused {
    /// The mistakes that it names, if it does.
    pub fn mistakes(&self) -> &[Placed] {
        match self {
            Self::Breaks { mistakes, .. } => &mistakes.list,
            _ => &[],
        }
    }
}

//! What a layout has to hold before an agent is shown it: [`accept`].

use std::sync::LazyLock;

use hud_agent::layout::{Layout, LayoutError};
use hud_agent::settings::Settings;
use hud_core::Density;
use hud_core::part::PartMeta;
use hud_core::tokens::{Estimate, TokenCounter as _};
use hud_store::state::HudState;

use crate::report::{Mistakes, Placed};
use crate::states;
use crate::template::{Made, Template};

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

/// A state that a layout is tried on.
struct Trial<'s> {
    /// What it is called in what is said of it.
    name: &'static str,
    state: &'s HudState,
    /// How many tokens the built-in layout takes of it at each density.
    built_in: [u32; 3],
}

impl<'s> Trial<'s> {
    fn of(name: &'static str, state: &'s HudState) -> Result<Self, Refused> {
        let layout = Layout::default();
        let mut built_in = [0; 3];
        for (tokens, density) in built_in.iter_mut().zip(Density::ALL) {
            let text = render(&layout, state, density).map_err(|source| Refused::Fails {
                state: name,
                density,
                source,
            })?;
            *tokens = count(&text);
        }
        Ok(Self {
            name,
            state,
            built_in,
        })
    }

    /// How many tokens a layout takes of the state at each density.
    fn tokens(&self, template: &Template, layout: &Layout) -> Result<[u32; 3], Refused> {
        let name = self.name;
        // Each is made twice, so that it is seen whether both give the same.
        let made = [template.elements(self.state), template.elements(self.state)];
        if let Some(failed) = made.iter().find(|made| !made.failures.is_empty()) {
            let source = template.source();
            let mistakes = Mistakes::new(&source.name, &source.text, failed.failures.clone());
            return Err(Refused::Breaks {
                state: name,
                mistakes,
            });
        }
        let mut all = [0; 3];
        for (index, density) in Density::ALL.into_iter().enumerate() {
            let choose = |part: &PartMeta| Some(part.at(density));
            let text = |made: &Made| {
                let shown = layout.render_made(
                    &made.element,
                    self.state,
                    &Settings::default(),
                    density,
                    &mut { choose },
                );
                shown
                    .map(|shown| shown.markdown)
                    .map_err(|source| Refused::Fails {
                        state: name,
                        density,
                        source,
                    })
            };
            let [once, again] = &made;
            let once = text(once)?;
            let tokens = count(&once);
            let least = self.built_in[index];
            let most = (least + least / 2).max(least.saturating_add(ROOM));
            if tokens > most {
                return Err(Refused::TooLong {
                    state: name,
                    density,
                    tokens,
                    most,
                });
            }
            if text(again)? != once {
                return Err(Refused::Differs {
                    state: name,
                    density,
                });
            }
            all[index] = tokens;
        }
        Ok(all)
    }
}

fn count(text: &str) -> u32 {
    Estimate.count(text).unwrap_or(u32::MAX)
}

/// The states that are always the same.
fn known() -> &'static Result<[Trial<'static>; 3], Refused> {
    static EMPTY: LazyLock<HudState> = LazyLock::new(HudState::default);
    static KNOWN: LazyLock<Result<[Trial<'static>; 3], Refused>> = LazyLock::new(|| {
        Ok([
            Trial::of("the empty", &EMPTY)?,
            Trial::of("an overfull", states::overfull())?,
            Trial::of("a hostile", states::hostile())?,
        ])
    });
    &KNOWN
}

/// Makes a layout twice of the empty, the present, an overfull and a hostile state, renders both at three densities, and
/// holds it to the length of the built-in one.
///
/// # Errors
///
/// [`Refused`], with the first of these that it does not hold.
pub fn accept(template: &Template, present: &HudState) -> Result<Accepted, Refused> {
    let [empty, overfull, hostile] = known().as_ref().map_err(Clone::clone)?;
    let present = Trial::of("the present", present)?;
    let layout = template.clone().layout();
    empty.tokens(template, &layout)?;
    let accepted = Accepted {
        tokens: present.tokens(template, &layout)?,
        built_in: present.built_in,
    };
    overfull.tokens(template, &layout)?;
    hostile.tokens(template, &layout)?;
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

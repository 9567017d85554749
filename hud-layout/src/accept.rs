//! Checks of a layout before an agent is shown it: [`accept`].

use std::sync::{Arc, LazyLock};

use hud_agent::layout::{Layout, LayoutError};
use hud_agent::settings::Settings;
use hud_core::Density;
use hud_core::part::PartMeta;
use hud_core::tokens::{Estimate, TokenCounter as _};
use hud_store::state::HudState;

use crate::make::{Kept, Written};
use crate::report::{Mistakes, Placed};
use crate::states;
use crate::template::{Made, Template};

/// The number of tokens that any layout may take, even if the built-in layout takes fewer of the same state.
const ROOM: u32 = 120;

/// The estimated number of tokens of the present state at each density, from full to minimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The tokens of this layout.
    pub tokens: [u32; 3],
    /// The tokens of the built-in layout.
    pub built_in: [u32; 3],
}

/// The reason why a layout without errors is not shown to an agent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The layout can't be rendered.
    #[error("with {state} state, at {density} density, it cannot be rendered: {source}")]
    Fails {
        /// The name of the state.
        state: &'static str,
        /// The density that the layout was rendered at.
        density: Density,
        /// The cause.
        source: LayoutError,
    },
    /// A tag or an expression of the layout fails.
    #[error("with {state} state it fails:\n{mistakes}")]
    Breaks {
        /// The name of the state.
        state: &'static str,
        /// The errors.
        mistakes: Mistakes,
    },
    /// The layout gives two different texts of the same state.
    #[error("with {state} state, at {density} density, it gives another text the second time")]
    Differs {
        /// The name of the state.
        state: &'static str,
        /// The density that the layout was rendered at.
        density: Density,
    },
    /// The layout takes too many tokens.
    #[error(
        "with {state} state, at {density} density, it takes {tokens} tokens, and at most {most} are allowed (1.5 times \
         the built-in layout): show fewer items, or let `<Part cap={{5}}>` do so"
    )]
    TooLong {
        /// The name of the state.
        state: &'static str,
        /// The density that the layout was rendered at.
        density: Density,
        /// The number of tokens that the layout takes.
        tokens: u32,
        /// The largest number of tokens that is allowed.
        most: u32,
    },
}

/// A state that a layout is tried on.
struct Trial<'s> {
    /// The name of the state in errors.
    name: &'static str,
    state: &'s HudState,
    /// The number of tokens that the built-in layout takes of the state at each density.
    built_in: [u32; 3],
    written: Arc<Written>,
    /// True if the state is the present one. Any layout is made and rendered twice of it.
    is_present: bool,
}

impl<'s> Trial<'s> {
    /// Returns a trial on a state that is always the same.
    fn known(name: &'static str, state: &'s HudState) -> Result<Self, Refused> {
        Ok(Self {
            written: Arc::new(Written::kept()),
            is_present: false,
            ..Self::present(name, state)?
        })
    }

    fn present(name: &'static str, state: &'s HudState) -> Result<Self, Refused> {
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
            written: Arc::default(),
            is_present: true,
        })
    }

    /// Returns the number of tokens that a layout takes of the state at each density.
    fn tokens(&self, template: &Template, layout: &Layout) -> Result<[u32; 3], Refused> {
        let name = self.name;
        let kept = match self.is_present {
            true => Kept::default(),
            false => Kept::known(),
        };
        let make = || template.tried(self.state, &self.written, &kept);
        let once = make();
        // The layout is made a second time of the present state. Of the other states it is made a second time only
        // if it is not steady.
        let again = (self.is_present || !template.is_steady()).then(make);
        let all_made = || std::iter::once(&once).chain(&again);
        if let Some(failed) = all_made().find(|made| !made.failures.is_empty()) {
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
            let written = text(&once)?;
            let tokens = count(&written);
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
            if let Some(again) = &again
                && text(again)? != written
            {
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
            Trial::known("the empty", &EMPTY)?,
            Trial::known("an overfull", states::overfull())?,
            Trial::known("a hostile", states::hostile())?,
        ])
    });
    &KNOWN
}

/// Makes a layout of the empty, the present, an overfull and a hostile state, renders each at three densities, and
/// compares its length with that of the built-in layout.
///
/// A layout of the present state is made and rendered twice and must give the same bytes. If the layout has
/// functions or custom tags, which may give different results, this also holds for the other states. The values that
/// expressions and built-in tags read from a state are read only once.
///
/// # Errors
///
/// Returns [`Refused`] for the first check that the layout fails.
pub fn accept(template: &Template, present: &HudState) -> Result<Accepted, Refused> {
    let [empty, overfull, hostile] = known().as_ref().map_err(Clone::clone)?;
    let present = Trial::present("the present", present)?;
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

/// Renders a layout of a state, with all parts at a density or at their floor.
pub fn render(layout: &Layout, state: &HudState, density: Density) -> Result<String, LayoutError> {
    let choose = &mut |part: &PartMeta| Some(part.at(density));
    let shown = layout.render(state, &Settings::default(), density, choose)?;
    Ok(shown.markdown)
}

impl Refused {
    /// The errors that it contains, if any.
    pub fn mistakes(&self) -> &[Placed] {
        match self {
            Self::Breaks { mistakes, .. } => &mistakes.list,
            _ => &[],
        }
    }
}

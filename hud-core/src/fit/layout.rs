//! Fits the parts of a layout into a budget.

use super::share::{self, Group, Share, ShareError};
use super::{
    Candidate, Choice, Level, PartReport, Pressures, Reason, Report, Solution, TooLarge, Total,
    Variant, Worth, solve,
};
use crate::ambient::Scope;
use crate::density::Density;
use crate::element::Element;
use crate::mdast::{Measured, Write};
use crate::node::{Code, Paragraph, Part};
use crate::part::{Arrangement, Handle, PartCache, PartMeta, Rendered};
use crate::registry::LowerError;
use crate::render::Renderer;
use crate::rsx;
use crate::tokens::{CountError, TokenCounter};

/// The maximum number of attempts. An attempt is repeated if the text between the parts was counted
/// wrongly.
const ROUNDS: usize = 12;

/// The priority of showing only a part's handle, in percent of the part's priority.
const HANDLE: u8 = 8;

/// The request of a [fit](crate::Renderer::fit).
#[derive(Clone)]
pub struct Fitting<'f> {
    budget: u64,
    counter: &'f dyn TokenCounter,
    ceiling: &'f dyn Fn(&PartMeta) -> Option<Density>,
    worth: &'f dyn Fn(&PartMeta) -> Valued,
    share: &'f dyn Fn(&PartMeta) -> Option<Share>,
    steady: Option<Pressures>,
    cache: Option<&'f PartCache>,
}

impl<'f> Fitting<'f> {
    /// A fit into a budget, in the units of a counter.
    pub fn new(budget: u64, counter: &'f dyn TokenCounter) -> Self {
        Self {
            budget,
            counter,
            ceiling: &|_| Some(Density::Full),
            worth: &|part| Worth::from(part.worth).into(),
            share: &|_| None,
            steady: None,
            cache: None,
        }
    }

    /// Uses a cache of parts. Cached parts are neither rendered nor counted again.
    #[must_use]
    pub fn with_cache(self, cache: &'f PartCache) -> Self {
        let cache = Some(cache);
        Self { cache, ..self }
    }

    /// The maximum density of a part, or `None` if it must not be shown.
    pub fn ceiling(&self, part: &PartMeta) -> Option<Density> {
        (self.ceiling)(part)
    }

    /// Sets the maximum density of each part, or `None` to hide it. The floor of a part always
    /// applies.
    #[must_use]
    pub fn with_ceiling(self, ceiling: &'f dyn Fn(&PartMeta) -> Option<Density>) -> Self {
        Self { ceiling, ..self }
    }

    /// Sets the priority of each part, in place of its own.
    #[must_use]
    pub fn with_worth(self, worth: &'f dyn Fn(&PartMeta) -> Valued) -> Self {
        Self { worth, ..self }
    }

    /// Sets the [share](super::share) of the budget for each part. Parts with the same name have
    /// one share. Parts without a share get the rest. The unused rest of a share goes to the
    /// others. Required parts are shown even if they exceed their share. With
    /// [hysteresis](Self::steadily), each share is chosen with hysteresis, and its unused rest only
    /// goes to the parts without a share.
    #[must_use]
    pub fn with_share(self, share: &'f dyn Fn(&PartMeta) -> Option<Share>) -> Self {
        Self { share, ..self }
    }

    /// Chooses with [hysteresis](super::steady()) instead of the highest priority: an unchanged
    /// part is shown as before, unless other parts leave it no room. `least` are the minimum
    /// pressures, as [reported](Report::pressures) by the fit before.
    #[must_use]
    pub fn steadily(self, least: Pressures) -> Self {
        let steady = Some(least);
        Self { steady, ..self }
    }
}

/// The current priority of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The priority.
    pub worth: Worth,
    /// The reason that it differs from the part's own priority, for people.
    pub because: Option<String>,
}

impl From<Worth> for Valued {
    fn from(worth: Worth) -> Self {
        let because = None;
        Self { worth, because }
    }
}

/// The part of a layout that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The output.
    pub rendered: Rendered,
    /// The choices and their reasons.
    pub report: Report,
}

/// The error of a fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// A part cannot be rendered.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// A text cannot be counted.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The shares do not add up.
    #[error(transparent)]
    Share(#[from] ShareError),
    /// The required parts do not fit, even cut to a few characters each.
    #[error(
        "what has to be there takes {}, and there are {}: raise the budget, or let parts have no floor",
        .smallest.report.count,
        .smallest.report.budget
    )]
    TooLarge {
        /// The smallest rendering of the required parts, and nothing else.
        smallest: Box<Fitted>,
    },
}

/// A way to show a part or its handle.
struct Way {
    choice: Choice,
    variant: Variant,
}

/// A part with the ways to show it.
struct Candidacy {
    part: PartMeta,
    valued: Valued,
    share: Option<Share>,
    ways: Vec<Way>,
    is_required: bool,
    /// The maximum density, or `None` if the part must not be shown.
    ceiling: Option<Density>,
    larger_at: Option<Density>,
    handle: Option<String>,
}

/// Implements [`Renderer::fit`].
pub(crate) fn fit(
    renderer: &Renderer,
    layout: &Element<'_>,
    scope: Scope<'_>,
    arrangement: &Arrangement,
    fitting: &Fitting<'_>,
) -> Result<Fitted, FitError> {
    let fit = |is_cut| whole_or_cut(renderer, layout, scope, arrangement, fitting, is_cut);
    match fit(false) {
        Err(FitError::TooLarge { .. }) => fit(true),
        fitted => fitted,
    }
}

/// The levels of a part, with or without the levels at which it is cut.
fn levels(part: &PartMeta, fitting: &Fitting<'_>, is_cut: bool) -> Vec<Level> {
    let Some(ceiling) = fitting.ceiling(part) else {
        return Vec::new();
    };
    let cuts = Level::cuts(part).filter(|_| is_cut);
    Level::of(part, ceiling).chain(cuts).collect()
}

/// Fits a layout. If `is_cut` is true, required parts may be cut.
fn whole_or_cut(
    renderer: &Renderer,
    layout: &Element<'_>,
    scope: Scope<'_>,
    arrangement: &Arrangement,
    fitting: &Fitting<'_>,
    is_cut: bool,
) -> Result<Fitted, FitError> {
    let mut amounts = |part: &PartMeta| {
        let levels = levels(part, fitting, is_cut).into_iter();
        levels.map(Level::amount).collect()
    };
    // The brief handles of shortened lists must not displace anything, so they are added at the end
    // if there is room. There may be room in one turn and not in the next, so a choice with
    // hysteresis never has them.
    let brief = Arrangement {
        handles: arrangement.handles.without_briefs(),
        ..arrangement.clone()
    };
    let measured = renderer.measured(layout, scope, &brief, fitting.cache, &mut amounts)?;
    let parts = measured.into_iter().map(|measured| {
        let levels = levels(&measured.part, fitting, is_cut);
        let handle = arrangement.handles.of(&measured.part.name);
        candidacy(measured, levels, handle, fitting, &|root| {
            renderer.open(root)
        })
    });
    let parts: Vec<Candidacy> = parts.collect::<Result<_, CountError>>()?;
    let candidates: Vec<Candidate> = parts.iter().map(Candidacy::candidate).collect();
    let render = |solution: &Solution, arrangement| -> Result<(Rendered, u64), FitError> {
        let mut chosen = parts.iter().zip(&solution.chosen);
        let mut handles: Vec<&String> = Vec::new();
        let mut choose = |_: &PartMeta| {
            let (part, chosen) = chosen.next()?;
            match part.choice(*chosen) {
                Choice::Level(level) => Some(level.amount()),
                // The part has no output, but counts as shown.
                _ if part.ways.is_empty() => Some(part.part.at(part.ceiling?).into()),
                Choice::Handle => {
                    let handle = part.handle.as_ref();
                    if let Some(handle) = handle.filter(|handle| !handles.contains(handle)) {
                        handles.push(handle);
                    }
                    None
                }
                Choice::Absent => None,
            }
        };
        let mut rendered =
            renderer.amounts(layout, scope, arrangement, fitting.cache, &mut choose)?;
        if !handles.is_empty() {
            let found = renderer.markdown(&left_out(&handles), scope)?;
            let between = if rendered.markdown.is_empty() {
                ""
            } else {
                "\n"
            };
            rendered.markdown = rendered.markdown + between + &found;
        }
        let count = fitting.counter.count(&rendered.markdown)?;
        Ok((rendered, u64::from(count)))
    };
    let (mut fitted, solution) = fitted(&parts, &candidates, fitting, &|it| render(it, &brief))?;
    let is_brief = |(part, chosen): (&Candidacy, &Option<usize>)| {
        let choice = part.choice(*chosen);
        matches!(choice, Choice::Level(level) if level.density == Density::Compact)
    };
    let mut chosen = parts.iter().zip(&solution.chosen);
    if fitting.steady.is_none() && fitted.report.count < fitting.budget && chosen.any(is_brief) {
        let (rendered, count) = render(&solution, arrangement)?;
        if count <= fitting.budget {
            fitted.rendered = rendered;
            fitted.report.count = count;
        }
    }
    Ok(fitted)
}

/// Renders and counts a choice.
type Render<'r> = dyn Fn(&Solution) -> Result<(Rendered, u64), FitError> + 'r;

/// An attempt: the choice for a target, and its output.
#[derive(Clone)]
struct Tried {
    solution: Solution,
    rendered: Rendered,
    count: u64,
}

/// Tries targets around the budget until the output fits and no better choice is found. Parts are
/// counted separately, so the separators between them cause small differences.
fn fitted(
    parts: &[Candidacy],
    candidates: &[Candidate],
    fitting: &Fitting<'_>,
    render: &Render<'_>,
) -> Result<(Fitted, Solution), FitError> {
    let budget = fitting.budget;
    let all: Total = candidates.iter().map(Candidate::most).sum();
    let mut bound = Total::default();
    let mut best: Option<Tried> = None;
    let mut last: Option<Tried> = None;
    let (mut fits, mut exceeds) = (None, None);
    let mut target = budget;
    let groups = groups(parts)?;
    let mut pressures = fitting.steady.clone();
    for _ in 0..ROUNDS {
        let tokens = (budget, target);
        let Ok(solution) = chosen(candidates, &groups, tokens, &mut pressures) else {
            break;
        };
        bound = bound.max(solution.bound);
        let tried = match last.take() {
            Some(last) if last.solution.chosen == solution.chosen => last,
            _ => {
                let (rendered, count) = render(&solution)?;
                Tried {
                    solution,
                    rendered,
                    count,
                }
            }
        };
        let (count, worth) = (tried.count, tried.solution.worth);
        let next = match count.checked_sub(budget) {
            None | Some(0) => {
                fits = Some(target);
                target.saturating_add(budget - count)
            }
            Some(over) => {
                exceeds = Some(target);
                target.saturating_sub(over)
            }
        };
        let is_better = |best: &Tried| worth > best.solution.worth;
        if count <= budget && best.as_ref().is_none_or(is_better) {
            best = Some(tried.clone());
        }
        last = Some(tried);
        if fitting.steady.is_some() && count <= budget {
            break;
        }
        if count == budget || (count < budget && worth == all) {
            break;
        }
        let is_between = |next: u64| {
            fits.is_none_or(|fits| next > fits) && exceeds.is_none_or(|exceeds| next < exceeds)
        };
        let middle = || Some(fits? / 2 + exceeds? / 2);
        match Some(next).filter(|next| is_between(*next)) {
            Some(next) => target = next,
            None => match middle().filter(|middle| is_between(*middle)) {
                Some(middle) => target = middle,
                None => break,
            },
        }
    }
    let tried = match best {
        Some(best) => best,
        None => {
            let solution = solve(candidates, 0).unwrap_or_else(|error| error.smallest);
            let (rendered, count) = render(&solution)?;
            Tried {
                solution,
                rendered,
                count,
            }
        }
    };
    let is_too_large = tried.count > budget;
    let bound = match is_too_large {
        true => tried.solution.worth,
        false => bound.max(tried.solution.worth),
    };
    let fitted = Fitted {
        report: report(parts, &tried, bound, pressures, fitting),
        rendered: tried.rendered,
    };
    match is_too_large {
        true => Err(FitError::TooLarge {
            smallest: Box::new(fitted),
        }),
        false => Ok((fitted, tried.solution)),
    }
}

/// The parts grouped by share, those without a share last. Hidden parts are in no group.
fn groups(parts: &[Candidacy]) -> Result<Vec<Group>, ShareError> {
    let mut groups: Vec<Group> = Vec::new();
    for Candidacy { part, share, .. } in parts {
        if let Some(share) = *share
            && !groups.iter().any(|group| group.has(part))
        {
            groups.push(Group {
                name: Some(part.name.clone().into_owned()),
                share,
                places: Vec::new(),
            });
        }
    }
    // Checks only that the shares can be satisfied at all. The budget decides the rest.
    let shares = groups.iter().map(|group| group.share);
    share::divide(u64::MAX, &shares.chain([Share::REST]).collect::<Vec<_>>())?;
    let mut others = Vec::new();
    for (at, Candidacy { part, ceiling, .. }) in parts.iter().enumerate() {
        let own = groups.iter_mut().find(|group| group.has(part));
        match own.filter(|_| ceiling.is_some()) {
            Some(group) => group.places.push(at),
            None => others.push(at),
        }
    }
    groups.retain(|group| !group.places.is_empty());
    groups.push(Group {
        name: None,
        share: Share::REST,
        places: others,
    });
    Ok(groups)
}

/// The choice for a target: that of the highest priority or, if there are pressures, that with
/// hysteresis. The pressures are then updated.
fn chosen(
    candidates: &[Candidate],
    groups: &[Group],
    (budget, target): (u64, u64),
    pressures: &mut Option<Pressures>,
) -> Result<Solution, TooLarge> {
    let least = pressures.as_ref();
    let steady =
        least.and_then(|least| share::steadily(candidates, groups, (budget, target), least));
    let Some((solution, at)) = steady else {
        return share::choose(candidates, groups, target);
    };
    // Hysteresis can leave a group's budget to others that could not have it otherwise. So the
    // bound is that of all candidates without shares.
    let bound = solve(candidates, target)?.bound;
    *pressures = Some(at);
    Ok(Solution { bound, ..solution })
}

fn report(
    parts: &[Candidacy],
    tried: &Tried,
    bound: Total,
    pressures: Option<Pressures>,
    fitting: &Fitting<'_>,
) -> Report {
    let left = fitting.budget.saturating_sub(tried.count);
    let shown = parts.iter().zip(&tried.solution.chosen);
    Report {
        counter: fitting.counter.name().to_owned(),
        budget: fitting.budget,
        count: tried.count,
        worth: tried.solution.worth,
        bound,
        pressures,
        parts: shown
            .filter_map(|(part, chosen)| Some(part.report(*chosen, part.ceiling?, left)))
            .collect(),
    }
}

/// The operations that show the left-out parts. It is a part, so that its line can be traced.
fn left_out<'h>(handles: &[&'h String]) -> Element<'h> {
    rsx! {
        <Part name="left_out">
            <Paragraph>
                "Left out: "
                for (at, handle) in handles.iter().copied().enumerate() {
                    if at > 0 { ", " }
                    <Code>{handle}</Code>
                }
            </Paragraph>
        </Part>
    }
}

/// A part with the ways to show it.
fn candidacy(
    measured: Measured,
    levels: Vec<Level>,
    handle: Option<&Handle>,
    fitting: &Fitting<'_>,
    write: &Write<'_>,
) -> Result<Candidacy, CountError> {
    let Measured { part, made } = measured;
    let ceiling = fitting.ceiling(&part);
    let valued = (fitting.worth)(&part);
    let whole = valued.worth.thousandths();
    let worth = |percent: u8| Worth::of_thousandths(whole * i64::from(percent) / 100);
    let mut ways = Vec::with_capacity(made.len() + 1);
    let mut is_silent = made.is_empty();
    let mut larger_at = None;
    // The largest cost at the densities so far, from the least density up.
    let mut most: Option<(Density, u32)> = None;
    for (level, (amount, made)) in levels.into_iter().zip(&made) {
        if made.measured(write).is_empty() {
            is_silent = true;
            continue;
        }
        let cost = made.count(fitting.counter, write)?;
        if level.items.is_none() && level.chars.is_none() {
            match most {
                Some((density, larger)) if larger > cost => larger_at = Some(density),
                _ => most = Some((amount.density, cost)),
            }
        }
        ways.push(Way {
            choice: Choice::Level(Level {
                density: amount.density,
                ..level
            }),
            variant: Variant {
                cost,
                worth: worth(level.percent),
            },
        });
    }
    let is_required = part.floor.is_some() && !is_silent;
    let handle = handle.filter(|_| !is_required && !ways.is_empty());
    let handle = handle.map(|handle| handle.name.clone());
    if let Some(handle) = &handle {
        ways.push(Way {
            choice: Choice::Handle,
            variant: Variant {
                cost: fitting.counter.count(&format!(", `{handle}`"))?,
                worth: worth(HANDLE),
            },
        });
    }
    Ok(Candidacy {
        share: (fitting.share)(&part),
        part,
        valued,
        ways,
        is_required,
        ceiling,
        larger_at,
        handle,
    })
}

impl Candidacy {
    fn candidate(&self) -> Candidate {
        Candidate {
            variants: self.ways.iter().map(|way| way.variant).collect(),
            required: self.is_required,
        }
    }

    fn choice(&self, chosen: Option<usize>) -> Choice {
        let way = chosen.and_then(|chosen| self.ways.get(chosen));
        way.map_or(Choice::Absent, |way| way.choice)
    }

    fn report(&self, chosen: Option<usize>, ceiling: Density, left: u64) -> PartReport {
        let way = chosen.and_then(|chosen| self.ways.get(chosen));
        let Variant { cost, worth } = way.map_or(Variant::NOTHING, |way| way.variant);
        let levels = self.ways.iter().filter(|way| way.choice != Choice::Handle);
        let better = levels.map(|way| way.variant);
        let next = better
            .filter(|variant| variant.worth > worth)
            .min_by_key(|variant| variant.cost);
        let choice = self.choice(chosen);
        let reason = match next {
            _ if self.ways.is_empty() => Reason::Silent,
            Some(next) => Reason::Room {
                is_absent: !matches!(choice, Choice::Level(_)),
                more: next.cost.saturating_sub(cost),
                left,
            },
            None if choice == Choice::Absent => Reason::Worthless,
            None if self.part.at(ceiling) < Density::Full => Reason::Ceiling(ceiling),
            None => Reason::Whole,
        };
        PartReport {
            part: self.part.clone(),
            choice,
            count: cost,
            worth,
            whole: self.valued.clone(),
            share: self.share,
            reason,
            larger_at: self.larger_at,
        }
    }
}

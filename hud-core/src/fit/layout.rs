//! As much of a layout as fits.

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

/// How often a choice is tried again because what is between the parts was counted wrongly.
const ROUNDS: usize = 12;

/// What it is worth to say where a part is, in per cent of the part's worth.
const HANDLE: u8 = 8;

/// What a [fit](crate::Renderer::fit) is asked for.
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
    /// As much as a budget holds, in what a counter counts.
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

    /// With a cache of parts: those in it are neither rendered nor counted again.
    #[must_use]
    pub fn with_cache(self, cache: &'f PartCache) -> Self {
        let cache = Some(cache);
        Self { cache, ..self }
    }

    /// The density that a part has at most; none where it is not to be shown.
    pub fn ceiling(&self, part: &PartMeta) -> Option<Density> {
        (self.ceiling)(part)
    }

    /// With the density that each part has at most, or none where it is not to be shown. A part's floor
    /// holds in any case.
    #[must_use]
    pub fn with_ceiling(self, ceiling: &'f dyn Fn(&PartMeta) -> Option<Density>) -> Self {
        Self { ceiling, ..self }
    }

    /// With what each part is worth, in place of what it says of itself.
    #[must_use]
    pub fn with_worth(self, worth: &'f dyn Fn(&PartMeta) -> Valued) -> Self {
        Self { worth, ..self }
    }

    /// With the [share](super::share) of the budget that a part has; parts that have none have what the others
    /// leave. Parts of one name have one share. What a share does not use is the others', and what has to be
    /// there is there though it takes more. Where the choice is [steady](Self::steadily), it is so within each
    /// share, and what one does not use is only for the parts that have none.
    #[must_use]
    pub fn with_share(self, share: &'f dyn Fn(&PartMeta) -> Option<Share>) -> Self {
        Self { share, ..self }
    }

    /// With a choice that is [steady](super::steady()) rather than worth most: a part that does not change is
    /// shown as it was, unless others leave it no room. `least` are the least pressures: those that were
    /// [reported](Report::pressures) before.
    #[must_use]
    pub fn steadily(self, least: Pressures) -> Self {
        let steady = Some(least);
        Self { steady, ..self }
    }
}

/// What all of a part is worth at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// What it is worth.
    pub worth: Worth,
    /// Why that is another than it says of itself, if it is: for people.
    pub because: Option<String>,
}

impl From<Worth> for Valued {
    fn from(worth: Worth) -> Self {
        let because = None;
        Self { worth, because }
    }
}

/// As much of a layout as fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// What is shown.
    pub rendered: Rendered,
    /// What was chosen, and why.
    pub report: Report,
}

/// Why a layout can't be fitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// It can't be rendered.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// It can't be counted.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The shares do not add up.
    #[error(transparent)]
    Share(#[from] ShareError),
    /// What has to be there does not fit, even with a few characters of each part.
    #[error(
        "what has to be there takes {}, and there are {}: raise the budget, or let parts have no floor",
        .smallest.report.count,
        .smallest.report.budget
    )]
    TooLarge {
        /// What has to be there at its smallest, and nothing else.
        smallest: Box<Fitted>,
    },
}

/// A way to show a part, or where to find it.
struct Way {
    choice: Choice,
    variant: Variant,
}

/// A part, with what can be done with it.
struct Candidacy {
    part: PartMeta,
    valued: Valued,
    share: Option<Share>,
    ways: Vec<Way>,
    is_required: bool,
    /// None if it is not to be shown.
    ceiling: Option<Density>,
    larger_at: Option<Density>,
    handle: Option<String>,
}

/// See [`Renderer::fit`].
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

/// The levels of a part, with those at which it is cut, or without them.
fn levels(part: &PartMeta, fitting: &Fitting<'_>, is_cut: bool) -> Vec<Level> {
    let Some(ceiling) = fitting.ceiling(part) else {
        return Vec::new();
    };
    let cuts = Level::cuts(part).filter(|_| is_cut);
    Level::of(part, ceiling).chain(cuts).collect()
}

/// Fits a layout, whose floors are cut where that is said.
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
    // To say in short where the rest of a list is must not cost anything else: it is said if there is room for it
    // in the end. That may be so now and not in the next turn, so a steady choice never has it.
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
                // It says nothing, and is there all the same.
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

/// Writes what was chosen, and counts it.
type Render<'r> = dyn Fn(&Solution) -> Result<(Rendered, u64), FitError> + 'r;

/// What was tried: as much as a target holds, as it is written.
#[derive(Clone)]
struct Tried {
    solution: Solution,
    rendered: Rendered,
    count: u64,
}

/// Tries targets around the budget until what is written fits and nothing worth more is found: the parts
/// were counted one by one, and what is between them differs a little.
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

/// The parts by their shares, those that have none last. What is not to be shown takes none away.
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
    // Whether they can be kept at all; how far they are depends on the budget.
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

/// What is chosen for a target: what is worth most, or, from pressures on, what is steady. The pressures
/// become those that it took.
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
    // What a group leaves when it is chosen so, others may have that could not have it otherwise.
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

/// The operations that show the parts that were left out. It is a part, so that the line can be traced.
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

/// A part with what can be done with it.
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
    // What the part takes at the densities until now, from the one that says least on.
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

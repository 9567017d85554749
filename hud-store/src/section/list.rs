//! What lists of items that have ids have in common.

use super::Bearing;

/// Something with an id and a text.
pub(super) trait Listed {
    fn id(&self) -> &str;

    /// Whether adding `other` would only repeat this one.
    fn repeats(&self, other: &Self) -> bool;

    /// Takes over what `other` says differently.
    fn rewrite(&mut self, other: Self);
}

/// Something that may have been derived, and then says what it is worth.
pub(super) trait Weighed {
    /// From 1 to 9; none for what was recorded.
    fn weight(&self) -> Option<u8>;

    /// The turn in which it was said.
    fn turn(&self) -> u64;
}

/// What is worth something in a turn: what was recorded most, then by weight and by how it
/// [bears](Bearing) on the work.
pub(super) fn worth(weight: Option<u8>, said: u64, now: u64) -> i64 {
    let points = |weight| i64::from(weight) + Bearing::holds(said).points(now);
    weight.map_or(100, points)
}

/// Adds as [`add`] does. Where there are too many, what was derived leaves first: what is worth least, and
/// of that the oldest.
pub(super) fn add_weighed<T: Listed + Weighed>(items: &mut Vec<T>, item: T, cap: usize) {
    let now = item.turn();
    add(items, item, cap + 1);
    while items.len() > cap {
        let least = (0..items.len()).min_by_key(|at| {
            items
                .get(*at)
                .map(|item| worth(item.weight(), item.turn(), now))
        });
        items.remove(least.unwrap_or(0));
    }
}

/// Adds to the end; one that is in the list already is rewritten instead.
pub(super) fn add<T: Listed>(items: &mut Vec<T>, item: T, cap: usize) {
    if let Some(twin) = twin(items, &item) {
        twin.rewrite(item);
        return;
    }
    items.push(item);
    newest(items, cap);
}

/// The item with the same id, else one with the same text.
fn twin<'a, T: Listed>(items: &'a mut [T], item: &T) -> Option<&'a mut T> {
    let at = items
        .iter()
        .position(|other| other.id() == item.id())
        .or_else(|| items.iter().position(|other| other.repeats(item)))?;
    items.get_mut(at)
}

/// Removes the item with that id.
pub(super) fn remove<T: Listed>(items: &mut Vec<T>, id: &str) {
    items.retain(|item| item.id() != id);
}

/// Drops the oldest of those that are too many.
pub(super) fn newest<T>(items: &mut Vec<T>, cap: usize) {
    items.drain(..items.len().saturating_sub(cap));
}

/// The newest of `past` that are not in the session, as many as find room beside its own.
pub(super) fn fitting<'p, T>(
    past: &'p [T],
    own: &[T],
    cap: usize,
    same: impl Fn(&T, &T) -> bool,
) -> Vec<&'p T> {
    let is_new = |item: &&T| !own.iter().any(|own| same(own, item));
    let mut fitting: Vec<&T> = past.iter().filter(is_new).collect();
    newest(&mut fitting, cap.saturating_sub(own.len()));
    fitting
}

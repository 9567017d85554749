//! What lists of items that have ids have in common.

/// Something with an id and a text.
pub(super) trait Listed {
    fn id(&self) -> &str;

    /// Whether adding `other` would only repeat this one.
    fn repeats(&self, other: &Self) -> bool;

    /// Takes over what `other` says differently.
    fn rewrite(&mut self, other: Self);
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

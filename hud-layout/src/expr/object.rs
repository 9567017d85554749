//! Values by name, in the order in which JavaScript has them.

use std::sync::Arc;

use super::Value;
use super::value::{deepest, drop_all, total};

/// Values by name. Names that are whole numbers come first, from the least on, and the others in the
/// order in which they were given, as in JavaScript.
#[derive(Clone, Debug)]
pub struct Object(Arc<Entries>);

#[derive(Debug)]
struct Entries {
    entries: Vec<(Arc<str>, Value)>,
    /// The places of all entries by their names, of objects that are not small.
    by_name: Vec<u32>,
    depth: u16,
    size: usize,
}

impl Drop for Entries {
    fn drop(&mut self) {
        drop_all(self.entries.drain(..).map(|(_, value)| value).collect());
    }
}

/// Objects up to this size are looked through.
const SMALL: usize = 12;

impl Object {
    /// An object of these. Of a name that is given twice, the last value counts.
    #[must_use]
    pub fn new(entries: Vec<(Arc<str>, Value)>) -> Self {
        Self::of_distinct(without_twins(entries))
    }

    /// An object of these, no two of which have the same name.
    pub(crate) fn of_distinct(mut entries: Vec<(Arc<str>, Value)>) -> Self {
        if entries.iter().any(|(name, _)| index(name).is_some()) {
            entries.sort_by_key(|(name, _)| index(name).map_or(u64::MAX, u64::from));
        }
        let depth = deepest(entries.iter().map(|(_, value)| value)).saturating_add(1);
        let size = total(entries.iter().map(|(_, value)| value)).saturating_add(entries.len() + 1);
        let mut by_name = Vec::new();
        if entries.len() > SMALL {
            by_name = (0..).take(entries.len()).collect::<Vec<u32>>();
            by_name.sort_by(|a, b| entries[*a as usize].0.cmp(&entries[*b as usize].0));
        }
        Self(Arc::new(Entries {
            entries,
            by_name,
            depth,
            size,
        }))
    }

    /// The value of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let entries = &self.0.entries;
        if entries.len() <= SMALL {
            return entries
                .iter()
                .find(|(own, _)| **own == *name)
                .map(|(_, value)| value);
        }
        let by_name = &self.0.by_name;
        by_name
            .binary_search_by(|place| (*entries[*place as usize].0).cmp(name))
            .ok()
            .map(|found| &entries[by_name[found] as usize].1)
    }

    /// The names with their values.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> {
        self.0.entries.iter().map(|(name, value)| (name, value))
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn size(&self) -> usize {
        self.0.size
    }

    /// Gives its values away if nobody else has it.
    pub(super) fn take_apart(self, values: &mut Vec<Value>) {
        if let Some(mut entries) = Arc::into_inner(self.0) {
            values.extend(entries.entries.drain(..).map(|(_, value)| value));
        }
    }

    pub(super) fn depth(&self) -> u16 {
        self.0.depth
    }
}

/// The entries with each name once, where it was first given, with its last value.
fn without_twins(entries: Vec<(Arc<str>, Value)>) -> Vec<(Arc<str>, Value)> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|a, b| entries[*a].0.cmp(&entries[*b].0).then(a.cmp(b)));
    // For each name its first place, and the place of its last value.
    let mut places: Vec<(usize, usize)> = Vec::with_capacity(entries.len());
    for place in order {
        match places.last_mut() {
            Some((first, last)) if entries[*first].0 == entries[place].0 => *last = place,
            _ => places.push((place, place)),
        }
    }
    if places.len() == entries.len() {
        return entries;
    }
    places.sort_unstable();
    places
        .into_iter()
        .map(|(first, last)| (Arc::clone(&entries[first].0), entries[last].1.clone()))
        .collect()
}

/// The index that a name is, if it is one as JavaScript writes it.
fn index(name: &str) -> Option<u32> {
    let is_written_so = name == "0"
        || (name.bytes().all(|byte| byte.is_ascii_digit())
            && !name.starts_with('0')
            && !name.is_empty());
    let index: u32 = if is_written_so {
        name.parse().ok()?
    } else {
        return None;
    };
    (index < u32::MAX).then_some(index)
}

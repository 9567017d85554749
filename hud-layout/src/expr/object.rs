//! Objects, with their entries in the order of JavaScript.

use std::sync::Arc;

use super::Value;
use super::value::{deepest, drop_all, total};

/// An object: values by name. As in JavaScript, names that are array indices come first, in ascending order. The
/// other names keep their order.
#[derive(Clone, Debug)]
pub struct Object(Arc<Entries>);

#[derive(Debug)]
struct Entries {
    entries: Vec<(Arc<str>, Value)>,
    /// The indices of all entries, sorted by their names. It is empty for small objects.
    by_name: Vec<u32>,
    depth: u16,
    size: usize,
}

impl Drop for Entries {
    fn drop(&mut self) {
        drop_all(self.entries.drain(..).map(|(_, value)| value).collect());
    }
}

/// Objects up to this size are searched from start to end.
const SMALL: usize = 12;

impl Object {
    /// Returns an object of these entries. If a name is given twice, the last value is used.
    #[must_use]
    pub fn new(entries: Vec<(Arc<str>, Value)>) -> Self {
        Self::of_distinct(without_twins(entries))
    }

    /// Returns an object of these entries, whose names must all differ.
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

    /// The value with this name.
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

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// True if there are no entries.
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

    /// Moves its values to `values` if it is the only owner.
    pub(super) fn take_apart(self, values: &mut Vec<Value>) {
        if let Some(mut entries) = Arc::into_inner(self.0) {
            values.extend(entries.entries.drain(..).map(|(_, value)| value));
        }
    }

    pub(super) fn depth(&self) -> u16 {
        self.0.depth
    }
}

/// Removes duplicate names. Each keeps its first position and its last value.
fn without_twins(entries: Vec<(Arc<str>, Value)>) -> Vec<(Arc<str>, Value)> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|a, b| entries[*a].0.cmp(&entries[*b].0).then(a.cmp(b)));
    // For each name, the position of its first entry and the position of its last value.
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

/// The array index that a name stands for, if it is written as JavaScript writes one.
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

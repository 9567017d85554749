//! The one directory of a disk.

use std::collections::BTreeMap;

use crate::rng::Rng;

/// The number of a file, whatever its name.
pub(super) type FileId = usize;

/// A name that was given to a file, or to none any more.
#[derive(Debug, Clone)]
struct Change {
    name: String,
    file: Option<FileId>,
}

impl Change {
    fn apply(&self, names: &mut BTreeMap<String, FileId>) {
        match self.file {
            Some(file) => names.insert(self.name.clone(), file),
            None => names.remove(&self.name),
        };
    }
}

/// Which names there are. As with bytes, a change is safe when it was flushed.
#[derive(Debug, Default)]
pub(super) struct Names {
    current: BTreeMap<String, FileId>,
    durable: BTreeMap<String, FileId>,
    pending: Vec<Change>,
}

impl Names {
    pub(super) fn get(&self, name: &str) -> Option<FileId> {
        self.current.get(name).copied()
    }

    /// Gives the name to a file, or takes it away.
    pub(super) fn set(&mut self, name: &str, file: Option<FileId>) {
        let name = name.to_owned();
        let change = Change { name, file };
        change.apply(&mut self.current);
        self.pending.push(change);
    }

    pub(super) fn sync(&mut self) {
        for change in self.pending.drain(..) {
            change.apply(&mut self.durable);
        }
    }

    /// What is left when power fails: of what wasn't flushed, each change as chance has it.
    pub(super) fn after_power_loss(&self, keep: u64, rng: &mut Rng) -> Self {
        let mut left = self.durable.clone();
        for change in &self.pending {
            if rng.percent(keep) {
                change.apply(&mut left);
            }
        }
        Self {
            current: left.clone(),
            durable: left,
            pending: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unflushed_name_may_be_old_new_or_none() {
        let mut names = Names::default();
        names.set("wal", Some(0));
        names.sync();
        names.set("wal", None);
        names.set("wal", Some(1));
        let mut rng = Rng::new(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..100 {
            seen.insert(names.after_power_loss(50, &mut rng).get("wal"));
        }
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            [None, Some(0), Some(1)]
        );
        names.sync();
        assert_eq!(names.after_power_loss(0, &mut rng).get("wal"), Some(1));
    }
}

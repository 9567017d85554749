//! How layouts do in the frames that they are shown in: [`Trials`].

use std::collections::BTreeMap;
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use crate::template::Template;

/// After how many frames in a row in which it failed a layout is suspended.
const MOST: u32 = 2;

/// How many layouts are known that failed.
const KNOWN: usize = 64;

/// What is seen of a layout while it is rendered: the place of what failed first, if something did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch(Arc<Mutex<Option<String>>>);

impl Watch {
    /// Something failed at a place.
    pub(crate) fn fail(&self, place: impl FnOnce() -> String) {
        self.with(|failed| {
            failed.get_or_insert_with(place);
        });
    }

    fn failed(&self) -> Option<String> {
        self.with(|failed| failed.clone())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Option<String>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How layouts did, by their hashes. Within a frame nothing follows from it: what failed counts when the next frame
/// begins, so that all of a frame is of one layout.
#[derive(Debug, Default)]
pub(crate) struct Trials {
    /// Those that are shown in this frame: what each is called, and what is seen of it.
    frame: BTreeMap<String, (String, Watch)>,
    /// The one that was shown last.
    last: Option<Watch>,
    /// In how many frames in a row each failed, and where.
    failed: BTreeMap<String, (u32, String)>,
}

impl Trials {
    /// What sees a layout that is shown now.
    pub(crate) fn watch(&mut self, template: Option<&Template>) -> Watch {
        let watch = match template {
            Some(template) => {
                let known = self.frame.entry(template.hash().to_owned());
                let name = || (template.source().name.clone(), Watch::default());
                known.or_insert_with(name).1.clone()
            }
            None => Watch::default(),
        };
        self.last = Some(watch.clone());
        watch
    }

    /// The one that was shown last failed as a whole.
    pub(crate) fn last_failed(&self) {
        if let Some(watch) = &self.last {
            watch.fail(|| "1:1".to_owned());
        }
    }

    /// Counts what failed in the frame that is over. Gives what is to be said of those that are suspended from now on.
    pub(crate) fn begin_frame(&mut self) -> Vec<String> {
        let mut suspended = Vec::new();
        self.last = None;
        for (hash, (name, watch)) in take(&mut self.frame) {
            let Some(place) = watch.failed() else {
                self.failed.remove(&hash);
                continue;
            };
            if self.failed.len() >= KNOWN && !self.failed.contains_key(&hash) {
                self.failed.clear();
            }
            let (count, last) = self.failed.entry(hash).or_default();
            (*count, *last) = (count.saturating_add(1), place);
            if *count == MOST {
                suspended.push(format!(
                    "{name} failed twice at {last}: it is suspended until it changes"
                ));
            }
        }
        suspended
    }

    /// Where a layout failed for which it is suspended, if it is.
    pub(crate) fn suspended(&self, template: &Template) -> Option<String> {
        let (count, place) = self.failed.get(template.hash())?;
        (*count >= MOST).then(|| place.clone())
    }

    /// A layout begins anew.
    pub(crate) fn forget(&mut self, template: &Template) {
        self.failed.remove(template.hash());
        self.frame.remove(template.hash());
    }
}

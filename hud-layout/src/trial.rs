//! The failures of layouts in the frames that show them: [`Trials`].

use std::collections::BTreeMap;
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use crate::template::Template;

/// The number of failed frames in a row after which a layout is suspended.
const MOST: u32 = 2;

/// The maximum number of failed layouts that are remembered.
const KNOWN: usize = 64;

/// The recorder of failures while a layout is rendered. It holds the position of the first one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch(Arc<Mutex<Option<String>>>);

impl Watch {
    /// Records a failure at a position.
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

/// The failures of layouts, by their hashes. A failure is counted at the start of the next frame, so that the layout
/// does not change within a frame.
#[derive(Debug, Default)]
pub(crate) struct Trials {
    /// The layouts that are shown in this frame, with their names and failures.
    frame: BTreeMap<String, (String, Watch)>,
    /// The layout that was shown last.
    last: Option<Watch>,
    /// The number of failed frames in a row and the position of the last failure, for each layout.
    failed: BTreeMap<String, (u32, String)>,
}

impl Trials {
    /// The recorder for a layout that is shown now.
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

    /// Records that the layout that was shown last failed as a whole.
    pub(crate) fn last_failed(&self) {
        if let Some(watch) = &self.last {
            watch.fail(|| "1:1".to_owned());
        }
    }

    /// Counts the failures of the last frame. It returns messages about the layouts that are suspended from now on.
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

    /// The position of the failure for which a layout is suspended, if it is.
    pub(crate) fn suspended(&self, template: &Template) -> Option<String> {
        let (count, place) = self.failed.get(template.hash())?;
        (*count >= MOST).then(|| place.clone())
    }

    /// Clears the failures of a layout.
    pub(crate) fn forget(&mut self, template: &Template) {
        self.failed.remove(template.hash());
        self.frame.remove(template.hash());
    }
}

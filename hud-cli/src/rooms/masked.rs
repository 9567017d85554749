//! The log of a world, with secrets masked.

use hud_rooms::log::{Batch, FileLog, WorldLog};
use hud_secret::mask_event;
use hud_store::log::{Log, LogError};

/// A log that masks the secrets in appended events, unless the settings keep them.
#[derive(Debug)]
pub(super) struct MaskedLog {
    log: FileLog,
    masks: bool,
}

impl MaskedLog {
    pub(super) const fn new(log: FileLog, masks: bool) -> Self {
        Self { log, masks }
    }
}

impl WorldLog for MaskedLog {
    fn log(&self) -> &dyn Log {
        self.log.log()
    }

    fn append_all(&mut self, batches: &[Batch]) -> Result<(), LogError> {
        if !self.masks {
            return self.log.append_all(batches);
        }
        let mut masked = batches.to_vec();
        for new in masked.iter_mut().flat_map(|batch| &mut batch.events) {
            mask_event(&mut new.event);
        }
        self.log.append_all(&masked)
    }
}

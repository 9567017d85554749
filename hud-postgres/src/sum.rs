//! The chain of checksums over the events of each session.
//!
//! The server computes the sums when events are appended (`hud_sum` in `schema_1.sql`), because only the server then
//! knows the previous event. Reads compute them again, which detects changes of a row by its owner or its disk.

use hud_store::log::record::Record;
use sha2::{Digest, Sha256};

/// A SHA-256 hash, which the server can compute too.
pub(crate) type Sum = [u8; 32];

/// The seed of the checksum chain of a session.
pub(crate) const GENESIS: Sum = [0; 32];

/// The sum of an event at its position, after an event with the sum `before`.
pub(crate) fn chain(before: &Sum, seq: i64, session: &str, version: i64, record: &Record) -> Sum {
    let mut hasher = Sha256::new();
    hasher.update(before);
    hasher.update(seq.to_be_bytes());
    hasher.update(record.id.as_uuid().as_bytes());
    text(&mut hasher, session);
    hasher.update(version.to_be_bytes());
    hasher.update(record.turn.to_be_bytes());
    hasher.update(record.at.to_be_bytes());
    text(&mut hasher, &record.kind);
    hasher.update(i64::from(record.v).to_be_bytes());
    text(&mut hasher, &record.actor);
    match &record.cause {
        None => hasher.update([0]),
        Some(cause) => {
            hasher.update([1]);
            hasher.update(cause.as_uuid().as_bytes());
        }
    }
    text(&mut hasher, &record.payload);
    hasher.finalize().into()
}

/// The seal of a state that was saved at the event with that sum.
pub(crate) fn seal(event: &[u8], state: &str) -> Sum {
    let mut hasher = Sha256::new();
    hasher.update(event);
    hasher.update(state);
    hasher.finalize().into()
}

/// Hashes a text with its length, so that no two rows hash the same bytes.
fn text(hasher: &mut Sha256, text: &str) {
    hasher.update((text.len() as u64).to_be_bytes());
    hasher.update(text);
}

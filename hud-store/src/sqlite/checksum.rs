//! The chain of checksums over all events.
//!
//! In a third of the measured cases SQLite did not notice a flipped bit in a closed file. The chain detects it, and
//! also detects removed and reordered events.

use crate::log::record::Record;

/// A BLAKE3 hash truncated to 128 bits, which is ample against bit rot and accidents.
pub(super) type Sum = [u8; 16];

/// The seed of the checksum chain.
pub(super) const GENESIS: Sum = [0; 16];

/// The sum of an event, over the previous event's sum and all stored fields of the event.
pub(super) fn chain(previous: &Sum, session: &str, version: i64, record: &Record) -> Sum {
    // Without `..`, so that the compiler reports a new field here.
    let Record {
        id,
        turn,
        at,
        actor,
        cause,
        kind,
        v,
        payload,
        // The payload contains its hash.
        content: _,
    } = record;
    let mut hasher = blake3::Hasher::new();
    hasher.update(previous);
    hasher.update(id.as_uuid().as_bytes());
    text(&mut hasher, session);
    hasher.update(&version.to_le_bytes());
    hasher.update(&turn.to_le_bytes());
    hasher.update(&at.to_le_bytes());
    text(&mut hasher, kind);
    hasher.update(&v.to_le_bytes());
    text(&mut hasher, actor);
    match cause {
        None => hasher.update(&[0]),
        Some(cause) => hasher.update(&[1]).update(cause.as_uuid().as_bytes()),
    };
    text(&mut hasher, payload);
    sum(&hasher)
}

/// The sum of all bytes that a hasher received.
pub(super) fn sum(hasher: &blake3::Hasher) -> Sum {
    let mut sum = GENESIS;
    hasher.finalize_xof().fill(&mut sum);
    sum
}

/// Hashes a text with its length, so that no two rows hash the same bytes.
fn text(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::event::EventId;

    /// Files in the field depend on this value. It changes only with a migration.
    #[test]
    fn the_sum_of_an_event_is_as_released() {
        let record = Record {
            id: EventId::from_uuid(Uuid::from_u128(1)),
            turn: 2,
            at: 3,
            actor: "agent".into(),
            cause: Some(EventId::from_uuid(Uuid::from_u128(4))),
            kind: "task.set".into(),
            v: 1,
            payload: r#"{"description":"x"}"#.into(),
            content: None,
        };
        let sum = chain(&GENESIS, "s", 5, &record);
        assert_eq!(
            u128::from_be_bytes(sum),
            0xb01d_ab5d_0c4b_c2fc_febb_95ed_7a70_3341
        );
    }
}

//! The bytes of a file: those that are read back, and those that are safe.

use crate::rng::Rng;

/// What a disk writes in one go.
const SECTOR: usize = 512;

/// What was done to a file.
#[derive(Debug, Clone)]
enum Change {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write(at, written) => {
                let end = at + written.len();
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[*at..end].copy_from_slice(written);
            }
            Self::Truncate(size) => bytes.resize(*size, 0),
        }
    }

    /// Cuts a write where sectors begin: each piece lives or dies by itself.
    fn pieces(&self) -> Vec<Self> {
        let Self::Write(at, written) = self else {
            return vec![self.clone()];
        };
        let mut pieces = Vec::new();
        let (mut at, mut rest) = (*at, written.as_slice());
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.len().min(SECTOR - at % SECTOR));
            pieces.push(Self::Write(at, piece.to_vec()));
            (at, rest) = (at + piece.len(), after);
        }
        pieces
    }
}

/// The content of a file.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    current: Vec<u8>,
    durable: Vec<u8>,
    /// What was done since the last flush.
    pending: Vec<Change>,
}

impl Bytes {
    /// Bytes that all are durable.
    fn safe(bytes: Vec<u8>) -> Self {
        Self {
            current: bytes.clone(),
            durable: bytes,
            pending: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.current.len()
    }

    /// Fills `into` as far as there are bytes, the rest with zeros; says how many there were.
    pub(super) fn read(&self, into: &mut [u8], at: usize) -> usize {
        let from = self.current.get(at..).unwrap_or_default();
        let count = from.len().min(into.len());
        into[..count].copy_from_slice(&from[..count]);
        into[count..].fill(0);
        count
    }

    pub(super) fn write(&mut self, at: usize, bytes: &[u8]) {
        self.change(Change::Write(at, bytes.to_vec()));
    }

    pub(super) fn truncate(&mut self, size: usize) {
        self.change(Change::Truncate(size));
    }

    pub(super) fn sync(&mut self) {
        for change in self.pending.drain(..) {
            change.apply(&mut self.durable);
        }
    }

    /// What was done since the last flush is read back, but never gets safe.
    pub(super) fn forget(&mut self) {
        self.pending.clear();
    }

    /// What is left when power fails: of what wasn't flushed, each sector as chance has it.
    pub(super) fn after_power_loss(&self, keep: u64, rng: &mut Rng) -> Self {
        let mut left = self.durable.clone();
        for piece in self.pending.iter().flat_map(Change::pieces) {
            if rng.percent(keep) {
                piece.apply(&mut left);
            }
        }
        Self::safe(left)
    }

    fn change(&mut self, change: Change) {
        change.apply(&mut self.current);
        self.pending.push(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &Bytes) -> Vec<u8> {
        let mut all = vec![0; bytes.len()];
        bytes.read(&mut all, 0);
        all
    }

    #[test]
    fn what_was_flushed_survives_and_the_rest_by_the_sector() {
        let mut bytes = Bytes::default();
        bytes.write(0, &[1; 2048]);
        bytes.sync();
        bytes.write(500, &[2; 1000]);
        bytes.truncate(1800);
        let mut rng = Rng::new(7);
        assert_eq!(read(&bytes.after_power_loss(0, &mut rng)), [1; 2048]);
        assert_eq!(read(&bytes.after_power_loss(100, &mut rng)), read(&bytes));
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let left = read(&bytes.after_power_loss(50, &mut rng));
            let cuts: Vec<bool> = [500, 512, 1024].map(|at| left[at] == 2).into();
            for (piece, kept) in [500..512, 512..1024, 1024..1500].into_iter().zip(&cuts) {
                let expected = if *kept { 2 } else { 1 };
                assert!(left[piece].iter().all(|byte| *byte == expected));
            }
            seen.insert((cuts, left.len()));
        }
        assert_eq!(
            seen.len(),
            16,
            "three pieces and a truncation: every outcome"
        );
    }

    #[test]
    fn a_hole_and_what_is_past_the_end_read_as_zeros() {
        let mut bytes = Bytes::default();
        bytes.write(2, b"x");
        let mut buffer = *b"????";
        assert_eq!(bytes.read(&mut buffer, 1), 2);
        assert_eq!(buffer, *b"\0x\0\0");
    }
}

//! A prop's name as a number.

/// A number for a prop's name, which the compiler compares sooner than text when it checks a tag.
/// It is the FNV-1a hash of 64 bits.
pub(crate) fn key(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

//! The names of props as bits: `hud_core::expansion::Marks`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The bits of names, in three numbers. The compiler compares numbers faster than strings.
pub(crate) fn marks<'n>(names: impl IntoIterator<Item = &'n str>) -> [u128; 3] {
    names.into_iter().fold([0; 3], |[a, b, c], name| {
        let [bit_a, bit_b, bit_c] = bits(name);
        [a | bit_a, b | bit_b, c | bit_c]
    })
}

/// The marks of a tag that takes these names. `true` stands for a required one.
pub(crate) fn of_tag(hud: &Ident, names: &[(String, bool)]) -> TokenStream {
    let all = || names.iter().map(|(name, _)| name.as_str());
    let required = || names.iter().filter(|(_, required)| *required);
    // True if each required name sets a bit that no other name sets.
    let is_certain = required().all(|(name, _)| {
        let others = marks(all().filter(|other| other != name));
        let [a, b, c] = bits(name);
        a & !others[0] != 0 || b & !others[1] != 0 || c & !others[2] != 0
    });
    if !is_certain {
        return quote! { #hud::Marks::NONE };
    }
    let known = marks(all());
    let required = marks(required().map(|(name, _)| name.as_str()));
    quote! { #hud::Marks { known: [#(#known),*], required: [#(#required),*] } }
}

/// The bit of a name in each number.
fn bits(name: &str) -> [u128; 3] {
    // FNV-1a, followed by a mix of its bits, because the hashes of short names differ in few bits.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    [hash, hash >> 7, hash >> 14].map(|hash| 1 << (hash & 127))
}

#[cfg(test)]
mod tests {
    use super::{bits, marks};

    #[test]
    fn names_set_different_bits() {
        let names = [
            "a", "b", "title", "titel", "owner", "children", "limit", "r",
        ];
        for (at, name) in names.iter().enumerate() {
            let others = names.iter().enumerate().filter(|(other, _)| *other != at);
            let others = marks(others.map(|(_, name)| *name));
            let own = bits(name);
            assert!(
                own.iter()
                    .zip(others)
                    .any(|(own, others)| own & !others != 0),
                "{name}"
            );
        }
    }
}

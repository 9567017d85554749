//! The key that grants access to the page.

use std::fmt::Write as _;

/// 256 random bits, new for each process.
pub struct Key(String);

impl Key {
    /// Returns a random key.
    pub(super) fn random() -> Result<Self, String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
        let mut text = String::with_capacity(64);
        for byte in bytes {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// True if an `Authorization` header contains the key. The time of the comparison does not depend on
    /// how much of the key is right.
    pub(super) fn opens(&self, authorization: &[u8]) -> bool {
        let Some(given) = authorization.strip_prefix(b"Bearer ") else {
            return false;
        };
        let own = self.0.as_bytes();
        let differs = own
            .iter()
            .zip(given)
            .fold(0, |differs, (own, given)| differs | (own ^ given));
        given.len() == own.len() && std::hint::black_box(differs) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_for_itself_alone() {
        let key = Key::random().unwrap();
        assert_eq!(key.text().len(), 64);
        assert_ne!(key.text(), Key::random().unwrap().text());
        let bearer = |text: &str| key.opens(format!("Bearer {text}").as_bytes());
        assert!(bearer(key.text()));
        assert!(!bearer("") && !bearer(&key.text()[1..]) && !bearer(&format!("{}0", key.text())));
        assert!(!key.opens(key.text().as_bytes()) && !key.opens(b""));
    }
}

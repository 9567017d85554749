//! What lets a person in.

use std::fmt::Write as _;

/// 256 random bits, made anew for each process.
pub struct Key(String);

impl Key {
    /// A key that nobody can guess.
    pub(super) fn random() -> Result<Self, String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
        let mut text = String::with_capacity(64);
        for byte in bytes {
            // A String takes everything.
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether it is the value of an `Authorization`. How long that takes says nothing about how much of it is
    /// right.
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

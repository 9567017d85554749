//! Outputs of tools.

use std::borrow::Cow;
use std::cell::OnceCell;

use hud_secret::mask;

use crate::settings::Secrets;

/// The output of a tool. Most outputs are only measured, so secrets are masked only when the text is read.
pub(super) struct Printed<'p> {
    whole: &'p str,
    secrets: Secrets,
    masked: OnceCell<Cow<'p, str>>,
}

impl<'p> Printed<'p> {
    pub(super) const fn new(whole: &'p str, secrets: Secrets) -> Self {
        Self {
            whole,
            secrets,
            masked: OnceCell::new(),
        }
    }

    /// The number of bytes.
    pub(super) const fn len(&self) -> usize {
        self.whole.len()
    }

    /// The number of characters.
    pub(super) fn chars(&self) -> usize {
        self.whole.chars().count()
    }

    /// The number of lines.
    pub(super) fn rows(&self) -> u64 {
        let ends = memchr::memchr_iter(b'\n', self.whole.as_bytes()).count();
        let last = usize::from(!self.whole.is_empty() && !self.whole.ends_with('\n'));
        (ends + last) as u64
    }

    /// The text, with secrets masked unless these are kept.
    pub(super) fn text(&self) -> &str {
        self.masked.get_or_init(|| match self.secrets {
            Secrets::Mask => mask(self.whole),
            Secrets::Keep => Cow::Borrowed(self.whole),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_rows_are_its_lines() {
        for text in [
            "",
            "a",
            "a\n",
            "a\nb",
            "a\r\n\nb\r\n",
            "\n",
            "\n\n",
            "a\n ",
            "é\r",
        ] {
            let printed = Printed::new(text, Secrets::Mask);
            assert_eq!(printed.rows(), text.lines().count() as u64, "{text:?}");
        }
    }

    #[test]
    fn it_is_read_without_secrets_and_measured_as_it_is() {
        let printed = Printed::new("password=hunter2", Secrets::Mask);
        assert_eq!(
            (printed.text(), printed.len(), printed.chars()),
            ("password=…", 16, 16)
        );
        assert_eq!(
            Printed::new("password=hunter2", Secrets::Keep).text(),
            "password=hunter2"
        );
    }
}

//! Text that is built while a constant is evaluated.

/// A text of at most 1024 bytes. Words that do not fit are left out.
pub(super) struct Text {
    bytes: [u8; 1024],
    len: usize,
}

impl Text {
    pub(super) const fn new() -> Self {
        Self {
            bytes: [0; 1024],
            len: 0,
        }
    }

    /// Begins the next error.
    pub(super) const fn begin(&mut self, words: &[&str]) {
        if self.len > 0 {
            self.push(&["; "]);
        }
        self.push(words);
    }

    pub(super) const fn push(&mut self, words: &[&str]) {
        let mut word = 0;
        while word < words.len() {
            let bytes = words[word].as_bytes();
            // Adds whole words only, so that no character is split.
            if self.len + bytes.len() <= self.bytes.len() {
                let mut index = 0;
                while index < bytes.len() {
                    self.bytes[self.len] = bytes[index];
                    self.len += 1;
                    index += 1;
                }
            }
            word += 1;
        }
    }

    pub(super) const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

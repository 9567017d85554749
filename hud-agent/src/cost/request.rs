//! A request to a model, as a provider's cache sees it: [`Request`].

use std::borrow::Cow;

use jiff::Timestamp;

/// The smallest unit of a request, which is compared as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Its name in a report.
    pub id: Cow<'static, str>,
    /// A hash of its content.
    pub content: u64,
    /// The number of its tokens.
    pub tokens: u64,
    /// Its role in the request.
    pub role: Role,
}

impl Block {
    /// Returns a block with the hash of `content`.
    ///
    /// ```
    /// use hud_agent::cost::{Block, Role};
    ///
    /// let block = Block::new("task", Role::Hud, "Add rate limits", 4);
    /// assert_eq!(block, Block::new("task", Role::Hud, "Add rate limits", 4));
    /// assert_ne!(block.content, Block::new("task", Role::Hud, "Add tests", 4).content);
    /// ```
    pub fn new(
        id: impl Into<Cow<'static, str>>,
        role: Role,
        content: impl AsRef<[u8]>,
        tokens: u64,
    ) -> Self {
        Self {
            id: id.into(),
            content: number(&blake3::hash(content.as_ref())),
            tokens,
            role,
        }
    }
}

/// Returns the first bytes of a hash as a number.
pub(super) fn number(hash: &blake3::Hash) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// The role of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The definitions of the tools.
    Tools,
    /// The client's system prompt.
    System,
    /// The conversation: the messages of the user and the model, and the tool outputs.
    Conversation,
    /// The HUD.
    Hud,
}

/// A request, with its blocks in the order in which the provider reads them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The time of the request.
    pub at: Timestamp,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The indices of the blocks up to which the client has the provider cache the prefix.
    pub breakpoints: Vec<usize>,
}

impl Request {
    /// Returns the number of its tokens.
    pub fn tokens(&self) -> u64 {
        let tokens = self.blocks.iter().map(|block| block.tokens);
        tokens.fold(0, u64::saturating_add)
    }

    /// Returns the index of the first block that differs from an earlier request. `None` if the earlier
    /// request is a prefix of this one.
    ///
    /// ```
    /// use hud_agent::cost::{Block, Request, Role};
    /// use jiff::Timestamp;
    ///
    /// let request = |said: &[&str]| Request {
    ///     at: Timestamp::UNIX_EPOCH,
    ///     blocks: said.iter().map(|said| Block::new("b", Role::Conversation, said, 1)).collect(),
    ///     breakpoints: Vec::new(),
    /// };
    /// assert_eq!(request(&["a", "b", "c"]).first_changed(&request(&["a", "b"])), None);
    /// assert_eq!(request(&["a", "x", "c"]).first_changed(&request(&["a", "b"])), Some(1));
    /// assert_eq!(request(&["a"]).first_changed(&request(&["a", "b"])), Some(1));
    /// ```
    pub fn first_changed(&self, earlier: &Self) -> Option<usize> {
        let both = self.blocks.iter().zip(&earlier.blocks);
        let same = both
            .take_while(|(now, then)| (now.content, now.tokens) == (then.content, then.tokens))
            .count();
        (same < earlier.blocks.len()).then_some(same)
    }
}

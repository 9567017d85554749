//! A request to a model, as a provider's cache sees it: [`Request`].

use std::borrow::Cow;

use jiff::Timestamp;

/// A piece of a request that is the same as a whole or another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// What it is called in a report.
    pub id: Cow<'static, str>,
    /// Stands for what it says: the same number for the same content.
    pub content: u64,
    /// How many tokens it has.
    pub tokens: u64,
    /// Whose it is.
    pub role: Role,
}

impl Block {
    /// A block that says `content`.
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

/// The first bytes of a hash as a number.
pub(super) fn number(hash: &blake3::Hash) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// Whose a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The definitions of the tools.
    Tools,
    /// The client's system prompt.
    System,
    /// The conversation: what the user, the model and its tools said.
    Conversation,
    /// The HUD.
    Hud,
}

/// A request: its blocks in the order in which the provider reads them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// When it was made.
    pub at: Timestamp,
    /// What it consists of.
    pub blocks: Vec<Block>,
    /// The blocks behind which the client has the provider keep what was before, by their places.
    pub breakpoints: Vec<usize>,
}

impl Request {
    /// How many tokens it has.
    pub fn tokens(&self) -> u64 {
        let tokens = self.blocks.iter().map(|block| block.tokens);
        tokens.fold(0, u64::saturating_add)
    }

    /// The place of the first block that is not as it was in an earlier request; nothing where that one is its
    /// beginning.
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

//! The numbers of a world: what a HUD may take, how long things are, how fast a heart beats.

use std::time::Duration;

/// How many tokens a HUD has at most, where nobody says otherwise. `system`, `meta` and `self` have at most
/// half of them; the rest is for rooms.
pub const HUD_TOKENS: u64 = 10_000;

/// The fewest tokens that a HUD may be given.
pub const LEAST_HUD_TOKENS: u64 = 4_000;

/// The most.
pub const MOST_HUD_TOKENS: u64 = 1_000_000;

/// What rooms have of a HUD is a multiple of so many tokens: where the other parts are a little longer or
/// shorter, no message comes or leaves, and the beginning stays the same.
pub const ROOMS_STEP: u64 = 250;

/// How many tokens of minified JSON an agent's knowledge has at most.
pub const KNOWLEDGE_TOKENS: u64 = 3_000;

/// How many of an agent's last actions it is shown.
pub const RECENT_ACTIONS: usize = 20;

/// How many refused actions of its last response an agent is shown.
pub const REFUSED_SHOWN: usize = 20;

/// How long a heartbeat takes at least.
pub const FASTEST_BEAT: Duration = Duration::from_millis(1_000);

/// How long a heartbeat takes at most, and where an agent begins.
pub const SLOWEST_BEAT: Duration = Duration::from_millis(10_000);

/// By how much a thumb changes the heartbeat of whoever wrote the message.
pub const THUMB: Duration = Duration::from_millis(500);

/// By how much each heartbeat slows down the next one.
pub const DECAY: Duration = Duration::from_millis(100);

/// Words a minute in a room where its owner says nothing else.
pub const USUAL_WPM: u32 = 80;

/// The fewest words a minute.
pub const LEAST_WPM: u32 = 10;

/// The most words a minute.
pub const MOST_WPM: u32 = 200;

/// How many words a message may have in any case.
pub const LEAST_WORDS: u32 = 10;

/// How many words a message may have at most, and the first one in a room.
pub const MOST_WORDS: u32 = 200;

/// How many characters a name has at most.
pub const NAME_CHARS: usize = 50;

/// How many characters the name of a model has at most.
pub const MODEL_CHARS: usize = 100;

/// How many tokens a message has at most.
pub const MESSAGE_TOKENS: u64 = 1_000;

/// How many tokens a seed or a role has at most.
pub const PROMPT_TOKENS: u64 = 500;

/// How many tokens a billboard has at most.
pub const BILLBOARD_TOKENS: u64 = 200;

/// How many characters a key has at most.
pub const KEY_CHARS: usize = 64;

/// How many keys a room has at most.
pub const KEYS: usize = 20;

/// How many requests wait at a room's door at most.
pub const REQUESTS: usize = 20;

/// How many members of a room are named in a HUD.
pub const MEMBERS_SHOWN: usize = 64;

/// How many messages of a room a world keeps at hand; the others are in the log. A HUD of the usual size never shows as
/// many.
pub const MESSAGES_KEPT: usize = 500;

/// By how many messages at once the oldest ones leave a HUD, so that its beginning stays the same in between.
pub const WINDOW_STEP: usize = 8;

/// How many entries of `actions`, and how many of `responses`, are read of one response.
pub const ENTRIES: usize = 50;

/// How many bytes a response has at most.
pub const RESPONSE_BYTES: usize = 256 * 1024;

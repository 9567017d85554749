//! The limits of a world: the sizes of HUDs and texts, and the speed of heartbeats.

use std::time::Duration;

/// The default maximum number of tokens of a HUD. `system`, `meta` and `self` get at most half of them;
/// the rest is for rooms.
pub const HUD_TOKENS: u64 = 10_000;

/// The minimum budget of a HUD in tokens.
pub const LEAST_HUD_TOKENS: u64 = 4_000;

/// The maximum budget of a HUD in tokens.
pub const MOST_HUD_TOKENS: u64 = 1_000_000;

/// The budget of the rooms is a multiple of this number of tokens. If the other parts get slightly
/// longer or shorter, no message is added or dropped, and the beginning stays the same.
pub const ROOMS_STEP: u64 = 250;

/// The maximum number of tokens of an agent's knowledge, as minified JSON.
pub const KNOWLEDGE_TOKENS: u64 = 3_000;

/// The number of its last actions that an agent is shown.
pub const RECENT_ACTIONS: usize = 20;

/// The maximum number of refused entries of its last response that an agent is shown.
pub const REFUSED_SHOWN: usize = 20;

/// The minimum length of a heartbeat.
pub const FASTEST_BEAT: Duration = Duration::from_millis(1_000);

/// The maximum length of a heartbeat, and the initial one.
pub const SLOWEST_BEAT: Duration = Duration::from_millis(10_000);

/// The change in the heartbeat of a message's author by a thumb.
pub const THUMB: Duration = Duration::from_millis(500);

/// The slowdown of the next heartbeat by each heartbeat.
pub const DECAY: Duration = Duration::from_millis(100);

/// The default words per minute in a room.
pub const USUAL_WPM: u32 = 80;

/// The minimum words per minute.
pub const LEAST_WPM: u32 = 10;

/// The maximum words per minute.
pub const MOST_WPM: u32 = 200;

/// The number of words that a message may always have.
pub const LEAST_WORDS: u32 = 10;

/// The maximum number of words of a message, and the limit of the first one in a room.
pub const MOST_WORDS: u32 = 200;

/// The maximum number of characters of a name.
pub const NAME_CHARS: usize = 50;

/// The maximum number of characters of a model's name.
pub const MODEL_CHARS: usize = 100;

/// The maximum number of tokens of a message.
pub const MESSAGE_TOKENS: u64 = 1_000;

/// The maximum number of tokens of a seed or a role.
pub const PROMPT_TOKENS: u64 = 500;

/// The maximum number of tokens of a billboard.
pub const BILLBOARD_TOKENS: u64 = 200;

/// The maximum number of characters of a key.
pub const KEY_CHARS: usize = 64;

/// The maximum number of keys of a room.
pub const KEYS: usize = 20;

/// The maximum number of pending requests of a room.
pub const REQUESTS: usize = 20;

/// The maximum number of a room's members that a HUD names.
pub const MEMBERS_SHOWN: usize = 64;

/// The number of a room's messages that a world keeps in memory; older ones are only in the log. A HUD
/// of the default size never shows that many.
pub const MESSAGES_KEPT: usize = 500;

/// The number of messages that are dropped from a HUD at once, so that its beginning stays the same in
/// between.
pub const WINDOW_STEP: usize = 8;

/// The maximum number of entries of `actions`, and of `responses`, that are read of a response.
pub const ENTRIES: usize = 50;

/// The maximum number of bytes of a response.
pub const RESPONSE_BYTES: usize = 256 * 1024;

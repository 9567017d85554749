//! The blocks of Rust in the documentation, compiled and run as doctests.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub mod readme {}

#[cfg(doctest)]
#[doc = include_str!("../docs/writing.md")]
pub mod writing {}

#[cfg(doctest)]
#[doc = include_str!("../docs/testing.md")]
pub mod testing {}

#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
pub mod embedding {}

#[cfg(doctest)]
#[doc = include_str!("../hud-core/README.md")]
pub mod core {}

#[cfg(doctest)]
#[doc = include_str!("../hud-store/README.md")]
pub mod store {}

#[cfg(doctest)]
#[doc = include_str!("../hud-components/README.md")]
pub mod components {}

#[cfg(doctest)]
#[doc = include_str!("../hud-agent/README.md")]
pub mod agent {}

#[cfg(doctest)]
#[doc = include_str!("../hud-layout/README.md")]
pub mod layout {}

#[cfg(doctest)]
#[doc = include_str!("../hud-cli/README.md")]
pub mod cli {}

#[cfg(doctest)]
#[doc = include_str!("../hud-secret/README.md")]
pub mod secret {}

#[cfg(doctest)]
#[doc = include_str!("../hud-observe/README.md")]
pub mod observe {}

#[cfg(doctest)]
#[doc = include_str!("../hud-clients/README.md")]
pub mod clients {}

#[cfg(doctest)]
#[doc = include_str!("../hud-derive/README.md")]
pub mod derive {}

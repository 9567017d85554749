//! Panics in code that anybody may have written, as texts.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs something, and gives what it said where it panics. What it works on is not to be looked at then.
///
/// The process's hook has said by then where it panicked; where panics abort, there is nothing to catch.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| said(&*panic))
}

fn said(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    message.unwrap_or("without a message").to_owned()
}

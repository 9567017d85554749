//! Catches panics of custom code as messages.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a closure and returns its panic message as the error. Do not use the closure's data after a panic.
///
/// The panic hook of the process has already reported the location. A program built with `panic = "abort"`
/// still aborts.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| said(&*panic))
}

fn said(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    message.unwrap_or("without a message").to_owned()
}

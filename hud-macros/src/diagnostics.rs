//! Mistakes as values: noted while parsing goes on, reported all at once.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// The mistakes found so far.
#[derive(Default)]
pub(crate) struct Diagnostics(Vec<(Span, String)>);

impl Diagnostics {
    /// Notes a mistake at the token that the user must change.
    pub(crate) fn note(&mut self, span: Span, message: impl Into<String>) {
        self.0.push((span, message.into()));
    }

    /// The number of mistakes so far.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Drops the mistakes after the first `len`, which follow from those.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The mistakes as `compile_error!` statements.
    pub(crate) fn tokens(&self) -> TokenStream {
        self.0
            .iter()
            .map(|(span, message)| quote_spanned! { *span => ::core::compile_error! { #message } })
            .collect()
    }

    /// Notes the mistakes that `syn` found.
    pub(crate) fn extend(&mut self, error: syn::Error) {
        self.0.extend(
            error
                .into_iter()
                .map(|error| (error.span(), error.to_string())),
        );
    }
}

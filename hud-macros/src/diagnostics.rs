//! Errors that are collected while parsing continues, and reported together.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// The errors found so far.
#[derive(Default)]
pub(crate) struct Diagnostics(Vec<(Span, String)>);

impl Diagnostics {
    /// Adds an error at the token that the user must change.
    pub(crate) fn note(&mut self, span: Span, message: impl Into<String>) {
        self.0.push((span, message.into()));
    }

    /// The number of errors so far.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Drops the errors after the first `len`, which are consequences of earlier ones.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The errors as `compile_error!` statements.
    pub(crate) fn tokens(&self) -> TokenStream {
        self.0
            .iter()
            .map(|(span, message)| quote_spanned! { *span => ::core::compile_error! { #message } })
            .collect()
    }

    /// Adds the errors of `syn`.
    pub(crate) fn extend(&mut self, error: syn::Error) {
        self.0.extend(
            error
                .into_iter()
                .map(|error| (error.span(), error.to_string())),
        );
    }
}

//! A series of questions to a model.

use hud_agent::distill::{Dialect, Reply, Tokens, request};

use crate::endpoint::{Answered, AskError, EndpointError, Transport, until_answered};

/// A series of questions to a model.
pub(super) struct Asking<'a> {
    transport: &'a dyn Transport,
    model: &'a str,
    most: u64,
    /// The dialect of the endpoint, as far as it is known.
    dialect: Dialect,
}

impl<'a> Asking<'a> {
    pub(super) fn new(transport: &'a dyn Transport, model: &'a str, most: u64) -> Self {
        Self {
            transport,
            model,
            most,
            dialect: Dialect::default(),
        }
    }

    /// Asks a question, and returns the model's text. `spent` gets the tokens that the endpoint counted for
    /// each answer, even if the answer can't be used. It gets `None` if the endpoint may have counted tokens
    /// without reporting them.
    pub(super) fn ask(
        &mut self,
        question: &str,
        spent: &mut dyn FnMut(Option<Tokens>),
    ) -> Result<String, AskError> {
        let answered = self.answered(question).inspect_err(|error| {
            use EndpointError::{Huge, Late};

            if matches!(error, AskError::Endpoint(Late { .. } | Huge { .. })) {
                spent(None);
            }
        })?;
        let body = answered.body.as_bytes();
        spent(Reply::usage(body));
        let reply = Reply::read(body)?;
        // An answer that can't be used is not kept, and can be asked for again.
        reply.items()?;
        Ok(self.transport.scrubbed(&reply.content))
    }

    /// Sends a request until the endpoint answers it.
    fn answered(&mut self, question: &str) -> Result<Answered, AskError> {
        let (transport, model, most) = (self.transport, self.model, self.most);
        until_answered(transport.place(), &mut self.dialect, &mut |dialect| {
            let body = request(question, model, most, dialect).to_string();
            transport.post(body.as_bytes())
        })
    }
}

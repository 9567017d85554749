//! Asking a model one question after the other.

use hud_agent::distill::{Dialect, Reply, Tokens, request};

use crate::endpoint::{Answered, AskError, EndpointError, Transport, until_answered};

/// Asks a model one question after the other.
pub(super) struct Asking<'a> {
    transport: &'a dyn Transport,
    model: &'a str,
    most: u64,
    /// How the endpoint wants to be asked, as far as that is known.
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

    /// Asks a question, and gives what the model wrote. `spent` is given what the endpoint counted of each
    /// answer, be it of use or not; nothing where it may have counted something and does not say what.
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
        // What is of no use is not kept, and can be asked for again.
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

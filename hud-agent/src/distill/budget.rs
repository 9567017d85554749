//! The budget of a distillation run.

use std::fmt;

use hud_core::tokens::{Estimate, Family, TokenCounter as _};

/// Tokens of one or more requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// The tokens that were sent.
    pub input: u64,
    /// The tokens that the model wrote.
    pub output: u64,
}

impl Tokens {
    /// Estimates the tokens of a text for a model. The result is a fifth above the estimate of its family, so
    /// that a budget holds.
    pub fn estimated(text: &str, model: &str) -> u64 {
        let counted = Estimate.count(text).unwrap_or(u32::MAX);
        Family::of(model)
            .tokens(u64::from(counted))
            .saturating_mul(6)
            / 5
    }

    /// Returns their sum.
    pub const fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Returns the sum of these and other tokens.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self {
            input: self.input.saturating_add(others.input),
            output: self.output.saturating_add(others.output),
        }
    }
}

/// The prices of a million tokens, in dollars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// The price of tokens that are sent.
    pub input: f64,
    /// The price of tokens that the model writes.
    pub output: f64,
}

impl Prices {
    /// Returns the cost of tokens in dollars.
    pub fn cost(&self, tokens: Tokens) -> f64 {
        (tokens.input as f64 * self.input + tokens.output as f64 * self.output) / 1e6
    }
}

/// The limits of one run, and its use so far.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The maximum number of tokens, sent and written together.
    pub tokens: u64,
    /// The maximum cost in dollars, and the prices. `None` if only tokens are limited.
    pub money: Option<(f64, Prices)>,
    /// The tokens used so far.
    pub spent: Tokens,
}

/// An error for a request that could exceed the budget and is not sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OverBudget {
    /// The request could exceed the limit of tokens.
    Tokens {
        /// The tokens of the run with this request.
        needed: u64,
        /// The maximum.
        most: u64,
    },
    /// The request could exceed the limit of money.
    Money {
        /// The cost of the run with this request, in dollars.
        needed: f64,
        /// The maximum, in dollars.
        most: f64,
    },
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tokens { needed, most } => write!(
                f,
                "this run could come to {needed} tokens, and --max-tokens is {most}"
            ),
            Self::Money { needed, most } => write!(
                f,
                "this run could come to ${needed:.4}, and --budget is ${most:.4}"
            ),
        }
    }
}

impl std::error::Error for OverBudget {}

impl Budget {
    /// Checks that a request that may use so many tokens stays within the budget.
    ///
    /// # Errors
    ///
    /// [`OverBudget`], if it does not.
    pub fn allows(&self, request: Tokens) -> Result<(), OverBudget> {
        let all = self.spent.and(request);
        if all.total() > self.tokens {
            return Err(OverBudget::Tokens {
                needed: all.total(),
                most: self.tokens,
            });
        }
        match self.money {
            Some((most, prices)) if prices.cost(all) > most => Err(OverBudget::Money {
                needed: prices.cost(all),
                most,
            }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_could_use_more_than_is_left_is_not_allowed() {
        let prices = Prices {
            input: 1.0,
            output: 10.0,
        };
        let mut budget = Budget {
            tokens: 1_000,
            money: Some((0.005, prices)),
            spent: Tokens::default(),
        };
        let request = |input, output| Tokens { input, output };
        assert_eq!(budget.allows(request(600, 400)), Ok(()));
        let tokens = budget.allows(request(700, 400)).unwrap_err().to_string();
        assert!(tokens.contains("1100 tokens"), "{tokens}");
        budget.spent = request(100, 200);
        let money = budget.allows(request(0, 400)).unwrap_err().to_string();
        assert!(
            money.contains("$0.0061, and --budget is $0.0050"),
            "{money}"
        );
    }

    #[test]
    fn numbers_that_no_endpoint_should_report_do_not_overflow() {
        let most = Tokens {
            input: u64::MAX,
            output: u64::MAX,
        };
        assert_eq!(most.and(most).total(), u64::MAX);
    }
}

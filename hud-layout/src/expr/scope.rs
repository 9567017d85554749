//! The names that an expression can use.

use std::fmt;

use super::Value;

/// Functions that a layout has besides those that are built in.
pub trait Functions: fmt::Debug {
    /// Whether there is a function of this name.
    fn has(&self, name: &str) -> bool;

    /// What the function of this name gives for these.
    ///
    /// # Errors
    ///
    /// What went wrong, in words.
    fn call(&self, name: &str, args: &[Value]) -> Result<Value, String>;
}

/// The names that an expression can use, with their values.
#[derive(Clone, Debug, Default)]
pub struct Scope<'s> {
    around: Option<&'s Scope<'s>>,
    names: Vec<(&'s str, Value)>,
    functions: Option<&'s dyn Functions>,
}

impl<'s> Scope<'s> {
    /// A scope without names.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A scope that has the names of this one, and others before them.
    #[must_use]
    pub fn within(&'s self) -> Scope<'s> {
        Scope {
            around: Some(self),
            names: Vec::new(),
            functions: self.functions,
        }
    }

    /// The scope with one name more. It hides another of the same name.
    #[must_use]
    pub fn with(mut self, name: &'s str, value: Value) -> Self {
        self.set(name, value);
        self
    }

    /// The scope with functions that expressions can call.
    #[must_use]
    pub fn with_functions(mut self, functions: &'s dyn Functions) -> Self {
        self.functions = Some(functions);
        self
    }

    /// The functions, if they have one of this name.
    #[must_use]
    pub(crate) fn functions_with(&self, name: &str) -> Option<&'s dyn Functions> {
        self.functions.filter(|functions| functions.has(name))
    }

    /// Adds a name, or gives it another value.
    pub fn set(&mut self, name: &'s str, value: Value) {
        match self.names.iter_mut().find(|(own, _)| *own == name) {
            Some((_, own)) => *own = value,
            None => self.names.push((name, value)),
        }
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let mut scope = Some(self);
        while let Some(Scope { around, names, .. }) = scope {
            if let Some((_, value)) = names.iter().find(|(own, _)| *own == name) {
                return Some(value);
            }
            scope = *around;
        }
        None
    }

    /// All names, those of inner scopes first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(Some(self), |scope| scope.around)
            .flat_map(|scope| scope.names.iter().map(|(name, _)| *name))
    }
}

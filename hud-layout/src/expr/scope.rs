//! The names that an expression can use.

use std::fmt;

use super::Value;

/// The functions of a layout that are not built in.
pub trait Functions: fmt::Debug {
    /// True if there is a function with this name.
    fn has(&self, name: &str) -> bool;

    /// Calls the function with this name.
    ///
    /// # Errors
    ///
    /// A message that describes the failure.
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
    /// Returns a scope without names.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an inner scope. It has the names of this one, and its own names take precedence.
    #[must_use]
    pub fn within(&'s self) -> Scope<'s> {
        Scope {
            around: Some(self),
            names: Vec::new(),
            functions: self.functions,
        }
    }

    /// Adds a name. It hides an existing name that is the same.
    #[must_use]
    pub fn with(mut self, name: &'s str, value: Value) -> Self {
        self.set(name, value);
        self
    }

    /// Adds functions that expressions can call.
    #[must_use]
    pub fn with_functions(mut self, functions: &'s dyn Functions) -> Self {
        self.functions = Some(functions);
        self
    }

    /// The functions, if one of them has this name.
    #[must_use]
    pub(crate) fn functions_with(&self, name: &str) -> Option<&'s dyn Functions> {
        self.functions.filter(|functions| functions.has(name))
    }

    /// Adds a name, or changes its value.
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

//! The names that an expression can use.

use super::Value;

/// The names that an expression can use, with their values.
#[derive(Clone, Debug, Default)]
pub struct Scope<'s> {
    around: Option<&'s Scope<'s>>,
    names: Vec<(&'s str, Value)>,
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
        }
    }

    /// The scope with one name more. It hides another of the same name.
    #[must_use]
    pub fn with(mut self, name: &'s str, value: Value) -> Self {
        self.set(name, value);
        self
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
        while let Some(Scope { around, names }) = scope {
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

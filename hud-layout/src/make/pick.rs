//! Serialization of single members of a struct.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use serde::ser::{Error as _, Impossible, SerializeStruct, Serializer};
use serde_json::{Error, Map, Value as Json};

/// The JSON at a path of members of a struct. It is `None` if the path leads through anything but structs, or if a
/// member is omitted.
pub(super) fn text(of: &impl Serialize, path: &[&str]) -> Option<String> {
    text_of(of, path).ok().flatten()
}

fn text_of<T: Serialize + ?Sized>(of: &T, path: &[&str]) -> Result<Option<String>, Error> {
    match path.split_first() {
        None => serde_json::to_string(of).map(Some),
        Some((name, path)) => {
            let found = None;
            Ok(of.serialize(Fields(One { name, path, found }))?.found)
        }
    }
}

/// Passes the members of a struct to `take`. It is `None` if that fails.
pub(super) fn taken<T: Take>(of: &impl Serialize, take: T) -> Option<T> {
    of.serialize(Fields(take)).ok()
}

/// The members of a struct with these names.
pub(super) fn some(of: &impl Serialize, names: &BTreeSet<Arc<str>>) -> Map<String, Json> {
    let found = Map::new();
    let taken = taken(of, Several { names, found });
    taken.map(|taken| taken.found).unwrap_or_default()
}

/// A receiver of the members of a struct in their order.
pub(super) trait Take {
    fn take<T: Serialize + ?Sized>(&mut self, name: &str, member: &T) -> Result<(), Error>;
}

struct One<'p> {
    name: &'p str,
    path: &'p [&'p str],
    found: Option<String>,
}

impl Take for One<'_> {
    fn take<T: Serialize + ?Sized>(&mut self, name: &str, member: &T) -> Result<(), Error> {
        if name == self.name {
            self.found = text_of(member, self.path)?;
        }
        Ok(())
    }
}

struct Several<'n> {
    names: &'n BTreeSet<Arc<str>>,
    found: Map<String, Json>,
}

impl Take for Several<'_> {
    fn take<T: Serialize + ?Sized>(&mut self, name: &str, member: &T) -> Result<(), Error> {
        if self.names.contains(name) {
            let member = serde_json::to_value(member)?;
            self.found.insert(name.to_owned(), member);
        }
        Ok(())
    }
}

/// A serializer that passes the members of a struct to a receiver.
struct Fields<T>(T);

fn no_struct<T>() -> Result<T, Error> {
    Err(Error::custom("no struct"))
}

macro_rules! no_structs {
    ($($name:ident($($of:ty),*) -> $made:ty;)*) => {
        $(fn $name(self, $(_: $of),*) -> Result<$made, Error> {
            no_struct()
        })*
    };
}

impl<F: Take> Serializer for Fields<F> {
    type Ok = F;
    type Error = Error;
    type SerializeSeq = Impossible<F, Error>;
    type SerializeTuple = Impossible<F, Error>;
    type SerializeTupleStruct = Impossible<F, Error>;
    type SerializeTupleVariant = Impossible<F, Error>;
    type SerializeMap = Impossible<F, Error>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<F, Error>;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<F, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<F, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<F, Error> {
        no_struct()
    }

    no_structs! {
        serialize_bool(bool) -> F;
        serialize_i8(i8) -> F;
        serialize_i16(i16) -> F;
        serialize_i32(i32) -> F;
        serialize_i64(i64) -> F;
        serialize_u8(u8) -> F;
        serialize_u16(u16) -> F;
        serialize_u32(u32) -> F;
        serialize_u64(u64) -> F;
        serialize_f32(f32) -> F;
        serialize_f64(f64) -> F;
        serialize_char(char) -> F;
        serialize_str(&str) -> F;
        serialize_bytes(&[u8]) -> F;
        serialize_none() -> F;
        serialize_unit() -> F;
        serialize_unit_struct(&'static str) -> F;
        serialize_unit_variant(&'static str, u32, &'static str) -> F;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}

impl<F: Take> SerializeStruct for Fields<F> {
    type Ok = F;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        member: &T,
    ) -> Result<(), Error> {
        self.0.take(name, member)
    }

    fn end(self) -> Result<F, Error> {
        Ok(self.0)
    }
}

//! Converts a state to the values that expressions see, including members that are omitted because they are empty.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use serde::Serialize;
use serde::ser::{self, Error as _, Serializer};
use serde_json::{Error, Value as Json};

use super::data::empty;
use super::pick;
use crate::catalogue::state_schema;
use crate::expr::{List, MAX_VALUE_DEPTH, Object, Value};

/// The members and items of a value, as its schema describes them: their names, and their values if they are
/// omitted.
#[derive(Default)]
struct Shape {
    /// The members, in the order of their names.
    members: Vec<Member>,
    /// The shape of members with other names.
    others: Option<Box<Shape>>,
    items: Option<Box<Shape>>,
}

struct Member {
    name: Arc<str>,
    shape: Shape,
    empty: Option<Value>,
}

/// The shape of the state.
static STATE: LazyLock<Shape> = LazyLock::new(|| Shape::of(state_schema()));

impl Shape {
    fn of(schema: &Json) -> Self {
        let boxed = |schema: &Json| Box::new(Self::of(schema));
        let items = schema.get("items").map(boxed);
        if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
            let members = properties.iter().map(|(name, schema)| Member {
                name: name.as_str().into(),
                shape: Self::of(schema),
                empty: empty(schema).as_ref().map(Value::from),
            });
            return Self {
                members: members.collect(),
                others: None,
                items,
            };
        }
        if let Some(others) = schema.get("additionalProperties") {
            return Self {
                members: Vec::new(),
                others: Some(boxed(others)),
                items,
            };
        }
        let first = schema.get("anyOf").and_then(|of| of.get(0));
        Self {
            items,
            ..first.map(Self::of).unwrap_or_default()
        }
    }

    fn member(&self, name: &str) -> Option<usize> {
        let place = { &self.members }.binary_search_by(|member| (*member.name).cmp(name));
        place.ok()
    }
}

/// The value of the whole state.
pub(super) fn all(state: &impl Serialize) -> Value {
    let made = state.serialize(Maker::of(&STATE));
    made.unwrap_or_default()
}

/// The value of the members of a state with these names.
pub(super) fn some(state: &impl Serialize, names: &BTreeSet<Arc<str>>) -> Value {
    let made = Vec::with_capacity(names.len());
    let taken = pick::taken(state, Several { names, made });
    let mut made = taken.map(|taken| taken.made).unwrap_or_default();
    for name in names {
        if let Some(place) = STATE.member(name)
            && made.iter().all(|(own, _)| own != name)
        {
            let empty = STATE.members[place].empty.clone();
            made.extend(empty.map(|empty| (Arc::clone(name), empty)));
        }
    }
    made.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Value::Object(Object::of_distinct(made))
}

struct Several<'n> {
    names: &'n BTreeSet<Arc<str>>,
    made: Vec<(Arc<str>, Value)>,
}

impl pick::Take for Several<'_> {
    fn take<T: Serialize + ?Sized>(&mut self, name: &str, member: &T) -> Result<(), Error> {
        if let Some(name) = self.names.get(name) {
            let shape = { STATE.member(name) }.map(|place| &STATE.members[place].shape);
            let maker = Maker {
                shape,
                room: MAX_VALUE_DEPTH - 1,
            };
            self.made.push((Arc::clone(name), member.serialize(maker)?));
        }
        Ok(())
    }
}

/// Serializes data to the value that its JSON would be converted to.
#[derive(Clone, Copy)]
struct Maker<'s> {
    shape: Option<&'s Shape>,
    /// The maximum number of further levels. Deeper values are undefined.
    room: u16,
}

impl<'s> Maker<'s> {
    fn of(shape: &'s Shape) -> Self {
        Self {
            shape: Some(shape),
            room: MAX_VALUE_DEPTH,
        }
    }

    fn within(self, shape: Option<&'s Shape>) -> Self {
        let room = self.room.saturating_sub(1);
        Self { shape, room }
    }

    fn entries(self, variant: Option<&'static str>) -> Entries<'s> {
        let members = self.shape.map_or(0, |shape| shape.members.len());
        Entries {
            maker: self,
            members: vec![None; members],
            others: BTreeMap::new(),
            key: None,
            variant,
        }
    }

    fn list(self, length: usize, variant: Option<&'static str>) -> Items<'s> {
        Items {
            maker: self,
            items: Vec::with_capacity(length),
            variant,
        }
    }

    /// Finishes an object or a list. The value of a variant is wrapped in an object with the variant's name.
    fn finished(self, value: Value, variant: Option<&'static str>) -> Value {
        match variant {
            _ if self.room == 0 => Value::Undefined,
            Some(variant) => Value::Object(Object::of_distinct(vec![(variant.into(), value)])),
            None => value,
        }
    }
}

/// An object that is being made.
struct Entries<'s> {
    maker: Maker<'s>,
    /// The members of the shape, in its order.
    members: Vec<Option<Value>>,
    others: BTreeMap<Arc<str>, Value>,
    /// The name of the entry whose value is next.
    key: Option<String>,
    variant: Option<&'static str>,
}

impl Entries<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        let shape = self.maker.shape;
        let known = shape.and_then(|shape| Some((shape, shape.member(name)?)));
        if let Some((shape, place)) = known {
            let within = self.maker.within(Some(&shape.members[place].shape));
            self.members[place] = Some(value.serialize(within)?);
        } else {
            let others = shape.and_then(|shape| shape.others.as_deref());
            let value = value.serialize(self.maker.within(others))?;
            self.others.insert(name.into(), value);
        }
        Ok(())
    }

    fn value(self) -> Value {
        let Self { maker, others, .. } = self;
        let shape = maker.shape.map_or(&[][..], |shape| &shape.members);
        let mut entries = Vec::with_capacity(shape.len() + others.len());
        for (member, value) in shape.iter().zip(self.members) {
            if let Some(value) = value.or_else(|| member.empty.clone()) {
                entries.push((Arc::clone(&member.name), value));
            }
        }
        if !others.is_empty() {
            entries.extend(others);
            entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        }
        maker.finished(Value::Object(Object::of_distinct(entries)), self.variant)
    }
}

/// A list that is being made.
struct Items<'s> {
    maker: Maker<'s>,
    items: Vec<Value>,
    variant: Option<&'static str>,
}

impl Items<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
        let shape = self.maker.shape.and_then(|shape| shape.items.as_deref());
        self.items.push(item.serialize(self.maker.within(shape))?);
        Ok(())
    }

    fn value(self) -> Value {
        let list = Value::List(List::new(self.items));
        self.maker.finished(list, self.variant)
    }
}

macro_rules! numbers {
    ($($name:ident($of:ty);)*) => {
        $(#[allow(
            clippy::cast_precision_loss,
            clippy::cast_lossless,
            reason = "numbers of expressions are floats, as in JavaScript"
        )]
        fn $name(self, number: $of) -> Result<Value, Error> {
            let number = number as f64;
            Ok(if number.is_finite() { Value::Number(number) } else { Value::Null })
        })*
    };
}

impl<'s> Serializer for Maker<'s> {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Items<'s>;
    type SerializeTuple = Items<'s>;
    type SerializeTupleStruct = Items<'s>;
    type SerializeTupleVariant = Items<'s>;
    type SerializeMap = Entries<'s>;
    type SerializeStruct = Entries<'s>;
    type SerializeStructVariant = Entries<'s>;

    numbers! {
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
    }

    fn serialize_bool(self, is: bool) -> Result<Value, Error> {
        Ok(Value::Bool(is))
    }

    fn serialize_char(self, c: char) -> Result<Value, Error> {
        Ok(Value::text(c.to_string()))
    }

    fn serialize_str(self, text: &str) -> Result<Value, Error> {
        Ok(Value::text(text))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value, Error> {
        bytes.serialize(self)
    }

    fn serialize_none(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Value, Error> {
        Ok(Value::text(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        let mut entries = self.entries(None);
        entries.add(variant, value)?;
        Ok(entries.value())
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items<'s>, Error> {
        Ok(self.list(length.unwrap_or(0), None))
    }

    fn serialize_tuple(self, length: usize) -> Result<Items<'s>, Error> {
        Ok(self.list(length, None))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Items<'s>, Error> {
        Ok(self.list(length, None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Items<'s>, Error> {
        Ok(self.list(length, Some(variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'s>, Error> {
        Ok(self.entries(None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries<'s>, Error> {
        Ok(self.entries(None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries<'s>, Error> {
        Ok(self.entries(Some(variant)))
    }
}

macro_rules! lists {
    ($($of:ident: $add:ident;)*) => {
        $(impl ser::$of for Items<'_> {
            type Ok = Value;
            type Error = Error;

            fn $add<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
                self.add(item)
            }

            fn end(self) -> Result<Value, Error> {
                Ok(self.value())
            }
        })*
    };
}

lists! {
    SerializeSeq: serialize_element;
    SerializeTuple: serialize_element;
    SerializeTupleStruct: serialize_field;
    SerializeTupleVariant: serialize_field;
}

macro_rules! structs {
    ($($of:ident;)*) => {
        $(impl ser::$of for Entries<'_> {
            type Ok = Value;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                member: &T,
            ) -> Result<(), Error> {
                self.add(name, member)
            }

            fn end(self) -> Result<Value, Error> {
                Ok(self.value())
            }
        })*
    };
}

structs! {
    SerializeStruct;
    SerializeStructVariant;
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(match serde_json::to_value(key)? {
            Json::String(key) => key,
            key => key.to_string(),
        });
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = self.key.take();
        let key = key.ok_or_else(|| Error::custom("a value without a name"))?;
        self.add(&key, value)
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.value())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use hud_store::state::HudState;

    use super::super::data::fill;
    use super::*;
    use crate::states;

    #[test]
    fn a_value_is_that_of_the_json_of_a_state_with_what_it_left_out() {
        for state in [
            HudState::default(),
            states::overfull().clone(),
            states::hostile().clone(),
        ] {
            let mut json = serde_json::to_value(&state).unwrap();
            fill(&mut json, state_schema());
            let expected = Value::from(&json);
            // The debug format also includes the order of the entries.
            let [made, expected] = [&all(&state), &expected].map(|value| format!("{value:?}"));
            assert_eq!(made, expected);
            for (name, member) in json.as_object().unwrap() {
                let some = some(&state, &BTreeSet::from([name.as_str().into()]));
                let expected = Value::from(&Json::Object(
                    [(name.clone(), member.clone())].into_iter().collect(),
                ));
                assert_eq!(format!("{some:?}"), format!("{expected:?}"));
            }
        }
    }

    #[test]
    fn each_kind_of_data_is_the_value_of_its_json() {
        #[derive(Serialize)]
        enum Kinds {
            Unit,
            New(u8),
            Tuple(i64, f32),
            Struct { a: char, b: Option<()> },
        }
        #[derive(Serialize)]
        struct Unit;
        let kinds = vec![
            Kinds::Unit,
            Kinds::New(1),
            Kinds::Tuple(-2, 0.5),
            Kinds::Struct { a: 'é', b: None },
        ];
        let map = BTreeMap::from([(10, "ten"), (9, "nine")]);
        let data = (kinds, map, Unit, f64::NAN, Some((true, "x")), [u64::MAX]);
        let made = data.serialize(Maker::of(&Shape::default())).unwrap();
        let expected = Value::from(&serde_json::to_value(&data).unwrap());
        assert_eq!(format!("{made:?}"), format!("{expected:?}"));
        let mut deep = Json::Null;
        for _ in 0..=MAX_VALUE_DEPTH {
            deep = Json::Array(vec![deep]);
        }
        let made = deep.serialize(Maker::of(&Shape::default())).unwrap();
        assert_eq!(format!("{made:?}"), format!("{:?}", Value::from(&deep)));
    }
}

//! The methods and built-in functions.

/// The kind of values that a method is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// A list.
    List,
    /// A string.
    Text,
    /// A list or a string.
    Both,
    /// A number.
    Number,
}

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident $text:literal $receiver:ident $least:literal..=$most:literal,)*) => {
        /// A method of lists, strings or numbers. Each works as in JavaScript, but strings are counted in
        /// characters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Method {
            $($(#[$doc])* $name,)*
        }

        impl Method {
            /// All methods.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name of the method.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// The kind of values that the method is called on.
            #[must_use]
            pub const fn receiver(self) -> Receiver {
                match self {
                    $(Self::$name => Receiver::$receiver,)*
                }
            }

            /// The minimum and the maximum number of arguments.
            #[must_use]
            pub(crate) const fn arity(self) -> (usize, usize) {
                match self {
                    $(Self::$name => ($least, $most),)*
                }
            }
        }
    };
}

methods! {
    /// The items for which a function holds.
    Filter "filter" List 1..=1,
    /// The results of a function for each item.
    Map "map" List 1..=1,
    /// The results of a function for each item, with lists flattened.
    FlatMap "flatMap" List 1..=1,
    /// The first item for which a function holds.
    Find "find" List 1..=1,
    /// True if a function holds for an item.
    Some "some" List 1..=1,
    /// True if a function holds for each item.
    Every "every" List 1..=1,
    /// The index of the first such item, or -1.
    IndexOf "indexOf" List 1..=2,
    /// The items as one text.
    Join "join" List 0..=1,
    /// The items and those of other lists.
    Concat "concat" List 0..=8,
    /// The items, lists among them laid out.
    Flat "flat" List 0..=1,
    /// The items from the last to the first.
    ToReversed "toReversed" List 0..=0,
    /// The items in order.
    ToSorted "toSorted" List 0..=1,
    /// A part.
    Slice "slice" Both 0..=2,
    /// The item or character at a place, which is counted from the end if it is negative.
    At "at" Both 0..=1,
    /// True if it contains an item or a text.
    Includes "includes" Both 1..=2,
    /// True if the text starts with another.
    StartsWith "startsWith" Text 1..=2,
    /// True if the text ends with another.
    EndsWith "endsWith" Text 1..=2,
    /// The text without the white space at its ends.
    Trim "trim" Text 0..=0,
    /// The texts between separators.
    Split "split" Text 0..=2,
    /// The text with another in place of each occurrence of one.
    ReplaceAll "replaceAll" Text 2..=2,
    /// The text, filled up at its start.
    PadStart "padStart" Text 1..=2,
    /// The text, filled up at its end.
    PadEnd "padEnd" Text 1..=2,
    /// The text several times.
    Repeat "repeat" Text 1..=1,
    /// The text in capital letters.
    ToUpperCase "toUpperCase" Text 0..=0,
    /// The text in small letters.
    ToLowerCase "toLowerCase" Text 0..=0,
    /// The number with a fixed count of digits.
    ToFixed "toFixed" Number 0..=1,
}

impl Method {
    /// The method with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|method| method.name() == name)
    }

    /// True if the first argument is a function.
    #[must_use]
    pub(crate) const fn takes_function(self) -> bool {
        matches!(
            self,
            Self::Filter
                | Self::Map
                | Self::FlatMap
                | Self::Find
                | Self::Some
                | Self::Every
                | Self::ToSorted
        )
    }
}

macro_rules! builtins {
    ($($(#[$doc:meta])* $name:ident $text:literal $least:literal..=$most:literal,)*) => {
        /// A built-in function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Builtin {
            $($(#[$doc])* $name,)*
        }

        impl Builtin {
            /// All built-in functions.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name of the function, with the object that it is a member of.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// The minimum and the maximum number of arguments.
            #[must_use]
            pub(crate) const fn arity(self) -> (usize, usize) {
                match self {
                    $(Self::$name => ($least, $most),)*
                }
            }
        }
    };
}

builtins! {
    /// The nearest whole number.
    Round "Math.round" 1..=1,
    /// The nearest whole number that is not more.
    Floor "Math.floor" 1..=1,
    /// The nearest whole number that is not less.
    Ceil "Math.ceil" 1..=1,
    /// The number without its sign.
    Abs "Math.abs" 1..=1,
    /// The least of numbers.
    Min "Math.min" 0..=16,
    /// The greatest of numbers.
    Max "Math.max" 0..=16,
    /// The names of an object's values.
    Keys "Object.keys" 1..=1,
    /// The values of an object.
    Values "Object.values" 1..=1,
    /// The names of an object's values with those, in lists of two.
    Entries "Object.entries" 1..=1,
    /// A value as text.
    String "String" 0..=1,
    /// A value as a number.
    Number "Number" 0..=1,
    /// True if a value counts as true.
    Boolean "Boolean" 0..=1,
}

impl Builtin {
    /// The function with this name, including the object that it is a member of: `Math.round`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|builtin| builtin.name() == name)
    }
}

//! Names as people write them: stored as the string people read, and guessed at when misspelt.

/// The candidate most like a misspelt word, if any is much like it. Of equals the first wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best = (0.75, None);
    for candidate in candidates {
        let likeness = strsim::jaro_winkler(candidate, word);
        if likeness > best.0 {
            best = (likeness, Some(candidate));
        }
    }
    best.1
}

/// Implements `Serialize` and `Deserialize` through `Display` and `FromStr`. The type has a constant `EXPECTED`.
#[macro_export]
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct FromText;

                impl serde::de::Visitor<'_> for FromText {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(<$type>::EXPECTED)
                    }

                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }

                from.deserialize_str(FromText)
            }
        }
    };
}

/// An enum whose values have one fixed name each: `ALL`, `name()`, `Display`, `FromStr` and serde from one table.
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $type:ident, $expected:literal {
            $($(#[$doc:meta])* $value:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[$doc])* $value,)+
        }

        impl $type {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];
            /// What a word must be to name one.
            pub const EXPECTED: &'static str = $expected;

            /// The name it is written by.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::text::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($name => Ok(Self::$value),)+
                    _ => Err($crate::text::UnknownName { expected: Self::EXPECTED }),
                }
            }
        }

        $crate::serde_as_text!($type);
    };
}

/// A word that is none of the names expected in its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct UnknownName {
    /// What would have been right.
    pub expected: &'static str,
}

pub use {named, serde_as_text};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_understood_and_nonsense_is_not() {
        let steps = ["stand", "split", "surrender"];
        assert_eq!(nearest("stadn", steps), Some("stand"));
        assert_eq!(nearest("surender", steps), Some("surrender"));
        assert_eq!(nearest("qqq", steps), None);
        assert_eq!(nearest("", steps), None);
        assert_eq!(nearest("stand", []), None);
    }
}

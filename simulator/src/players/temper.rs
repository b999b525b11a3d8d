//! What sort of player somebody is.

use table::text::{named, nearest};

named! {
    /// What sort of player somebody is.
    pub enum Temper, "basic, counter, beginner or drunk" {
        /// Plays every hand as well as it can be played.
        Basic = "basic",
        /// Plays well, counts the cards, and stakes and insures by the count.
        Counter = "counter",
        /// Fears to bust or plays as the dealer does, splits what should stay together.
        Beginner = "beginner",
        /// Does what comes to mind, more so from round to round.
        Drunk = "drunk",
    }
}

/// A word that names no temper.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no temper {word:?}, {}", nearest.map_or_else(
    || format!("expected {}", Temper::EXPECTED), |near| format!("did you mean {near}?")))]
pub struct NoTemper {
    /// As asked for.
    pub word: String,
    /// A temper with a name much like it.
    pub nearest: Option<&'static str>,
}

impl Temper {
    /// The temper of this name, or the one that was probably meant.
    pub fn named(word: &str) -> Result<Self, NoTemper> {
        word.parse().map_err(|_| NoTemper {
            word: word.to_owned(),
            nearest: nearest(word, Self::ALL.iter().map(|temper| temper.name())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temper_misspelt_is_guessed_at() {
        assert_eq!(Temper::named("drunk"), Ok(Temper::Drunk));
        let said = |word| Temper::named(word).unwrap_err().to_string();
        assert_eq!(said("begginer"), "there is no temper \"begginer\", did you mean beginner?");
        assert_eq!(said("zzz"), "there is no temper \"zzz\", expected basic, counter, beginner or drunk");
    }
}

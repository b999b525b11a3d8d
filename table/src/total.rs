//! What a hand counts.

use std::fmt;

use crate::card::{Card, Rank};

/// The best count of a hand: aces as eleven where that does not go over 21.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Total {
    /// The count.
    pub points: u16,
    /// Whether an ace counts as eleven.
    pub soft: bool,
}

impl Total {
    /// The count of these cards; `None` if one of them is not known.
    ///
    /// ```
    /// use table::{Card, Total};
    /// let cards: Vec<Card> = ["AS", "6H"].iter().map(|c| c.parse()).collect::<Result<_, _>>()?;
    /// assert_eq!(Total::of(cards), Some(Total { points: 17, soft: true }));
    /// # Ok::<(), table::card::NotACard>(())
    /// ```
    pub fn of(cards: impl IntoIterator<Item = Card>) -> Option<Self> {
        let mut points = 0u16;
        let mut ace = false;
        for card in cards {
            let rank = card.rank()?;
            points = points.saturating_add(u16::from(rank.points()));
            ace |= rank == Rank::Ace;
        }
        Some(Self::counting(points, ace))
    }

    /// The best count of so many points with aces as one, if there are any.
    pub const fn counting(points: u16, ace: bool) -> Self {
        let soft = ace && points <= 11;
        Self { points: if soft { points + 10 } else { points }, soft }
    }

    /// Whether it went over 21.
    pub const fn is_bust(self) -> bool {
        self.points > 21
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.soft, self.is_bust()) {
            (true, _) => f.pad(&format!("soft {}", self.points)),
            (false, true) => f.pad(&format!("{} bust", self.points)),
            (false, false) => f.pad(&self.points.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(cards: &str) -> Option<String> {
        Total::of(cards.split(' ').map(|card| card.parse().unwrap())).map(|total| total.to_string())
    }

    #[test]
    fn aces_count_eleven_until_they_would_bust() {
        assert_eq!(total("AS KH").as_deref(), Some("soft 21"));
        assert_eq!(total("AS AH").as_deref(), Some("soft 12"));
        assert_eq!(total("AS AH 9C").as_deref(), Some("soft 21"));
        assert_eq!(total("AS 6H TD").as_deref(), Some("17"));
        assert_eq!(total("TS 6H TD").as_deref(), Some("26 bust"));
    }

    #[test]
    fn a_hand_with_a_card_not_known_has_no_count() {
        assert_eq!(total("AS ??"), None);
        assert_eq!(total("XX 5D"), None);
    }
}

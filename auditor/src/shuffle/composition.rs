//! Whether the cards of a shoe are those of its decks.

use table::Card;

use super::DECK;

/// Cards that came fewer than expected, at the end of an order, may be taken for cards that were not there; a tail behind
/// the cutting card is longer than this.
const SHORT: usize = 4;

/// What is wrong with the cards of a shoe, as far as it can be proved.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Composition {
    /// Cards that came more often than the decks hold them, once for each time too often.
    pub extra: Vec<Card>,
    /// Cards that did not come although there is no place left where they could be.
    pub missing: Vec<Card>,
    /// How many cards had come out when the first extra one was proved, where one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved_after: Option<usize>,
}

impl Composition {
    /// Whether nothing is wrong.
    pub fn is_whole(&self) -> bool {
        self.extra.is_empty() && self.missing.is_empty()
    }

    /// The cards of the orders against those of the decks.
    pub fn of(decks: u8, before: &[Card], after: &[Card]) -> Self {
        let (counts, proved_after) = count(decks, after);
        let (counts_before, _) = count(decks, before);
        let decks = usize::from(decks);
        let unread = after.iter().filter(|card| !card.is_known()).count();
        let whole = decks * DECK;
        let mut extra = Vec::new();
        let mut missing = Vec::new();
        for (card, (out, gone_in)) in Card::faces().zip(counts.iter().zip(&counts_before)) {
            extra.extend(std::iter::repeat_n(card, out.max(gone_in).saturating_sub(decks)));
            missing.extend(std::iter::repeat_n(card, decks.saturating_sub(*out)));
        }
        // A card not seen may be unread, or lie behind the cutting card; if it cannot, it is not there.
        let unseen = whole.saturating_sub(after.len());
        let hidden = unread + if unseen > SHORT { unseen } else { 0 };
        // With places for some of them, nothing says which are gone.
        if hidden > 0 {
            missing.clear();
        }
        Self { extra, missing, proved_after }
    }
}

fn count(decks: u8, order: &[Card]) -> ([usize; DECK], Option<usize>) {
    let mut counts = [0; DECK];
    let mut proved = None;
    for (came, card) in order.iter().enumerate() {
        let Some(index) = card.index() else { continue };
        counts[index] += 1;
        if counts[index] > usize::from(decks) {
            proved = proved.or(Some(came + 1));
        }
    }
    (counts, proved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(decks: usize) -> Vec<Card> {
        (0..decks).flat_map(|_| Card::faces()).collect()
    }

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    #[test]
    fn a_whole_pack_is_whole_and_so_is_one_whose_tail_was_not_seen() {
        let whole = pack(6);
        assert!(Composition::of(6, &whole, &whole).is_whole());
        assert!(Composition::of(6, &whole, &whole[..234]).is_whole());
        let mut unread = whole.clone();
        unread[17] = Card::UNREAD;
        assert!(Composition::of(6, &whole, &unread).is_whole());
    }

    #[test]
    fn a_card_more_and_a_card_less_are_named() {
        let whole = pack(6);
        let mut more = whole.clone();
        more.insert(100, card("7H"));
        let found = Composition::of(6, &whole, &more);
        assert_eq!((found.extra, found.missing), (vec![card("7H")], vec![]));
        assert!(found.proved_after.is_some_and(|after| after > 200));
        let fewer: Vec<Card> = whole.iter().copied().skip(1).collect();
        let found = Composition::of(6, &whole, &fewer);
        assert_eq!((found.extra, found.missing), (vec![], vec![whole[0]]));
    }

    #[test]
    fn an_exchanged_card_is_found_on_both_sides() {
        let whole = pack(1);
        let mut exchanged = whole.clone();
        exchanged[3] = exchanged[9];
        let found = Composition::of(1, &whole, &exchanged);
        assert_eq!((found.extra, found.missing), (vec![whole[9]], vec![whole[3]]));
    }
}

//! Shuffles that are not what they seem. Most of them look lawful move by move: that is what makes them frauds, and what
//! leaves only the cards themselves to tell.

use auditor::check::Law;
use auditor::model::random::Dice;
use auditor::replay::MOST_MOVES;
use auditor::rules::Rules;
use table::round::Mix;
use table::text::named;
use table::{Act, BoxNo, Card, Rank, Suit};

use super::ready::Hands;
use super::{Procedure, Ready};

/// Fewest and most cards of a slug.
const SLUG: (usize, usize) = (20, 40);

named! {
    /// A way to spoil a shuffle.
    pub enum ShuffleFault, "one_riffle_short, slug_kept_on_top, slug_kept, cold_deck, card_missing or card_added" {
        /// One pass of the procedure is left out.
        OneRiffleShort = "one_riffle_short",
        /// The top cards stay on top through shuffle and cut.
        SlugKeptOnTop = "slug_kept_on_top",
        /// A run of cards comes through together.
        SlugKept = "slug_kept",
        /// Another pack in a known order takes the place of the shuffled one.
        ColdDeck = "cold_deck",
        /// A card is gone after the shuffle.
        CardMissing = "card_missing",
        /// A card is there after the shuffle that was not before.
        CardAdded = "card_added",
    }
}

/// A shoe that is not what it seems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoiled {
    /// The shoe, its steps as a watcher saw them.
    pub ready: Ready,
    /// What was done, in a sentence without a full stop.
    pub says: String,
}

impl ShuffleFault {
    /// What it is, in a line.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::OneRiffleShort => "One pass of the shuffle is left out.",
            Self::SlugKeptOnTop => "A false shuffle and cut keep the top 20 to 40 cards on top.",
            Self::SlugKept => "A run of 20 to 40 cards comes through the shuffle together.",
            Self::ColdDeck => "The whole pack is exchanged for one in a known order.",
            Self::CardMissing => "A card disappears in the shuffle.",
            Self::CardAdded => "A card is slipped in during the shuffle.",
        }
    }

    /// Whether the pack is not whole afterwards.
    pub const fn changes_cards(self) -> bool {
        matches!(self, Self::CardMissing | Self::CardAdded)
    }

    /// The check that finds it in some game.
    pub const fn finder(self) -> Option<&'static str> {
        match self {
            Self::OneRiffleShort => Some("shuffle_wrong"),
            Self::SlugKeptOnTop | Self::SlugKept | Self::ColdDeck => Some("shuffle_left_order"),
            Self::CardAdded => Some("too_many_of_a_card"),
            Self::CardMissing => Some("card_missing"),
        }
    }

    /// The check that should find it at a table. A move left out is seen where the book holds a table to its moves and
    /// each of them is watched (with several decks that takes a shuffle seen before, to compare with); what hands hide
    /// the cards tell, if the book asks for a shuffle at all.
    pub fn check(self, law: &Law, procedure: &Procedure) -> Option<&'static str> {
        let finder = self.finder()?;
        let (tag, seen) = match self {
            Self::OneRiffleShort => {
                let acts = procedure.acts(&law.rules);
                let watched = acts.len() < MOST_MOVES && !acts.contains(&Act::Shuffle(Mix::Machine));
                ("shuffle_wrong.pattern", watched)
            }
            _ => (finder, !law.rules.csm || self == Self::CardAdded),
        };
        (seen && !law.cited(tag).is_empty()).then_some(finder)
    }

    /// Makes a shoe as [`ready`](super::ready()) does, spoiled; none where it cannot be done with this procedure or pack.
    pub fn apply(
        self,
        rules: &Rules,
        procedure: &Procedure,
        cutter: BoxNo,
        cards: Vec<Card>,
        dice: &mut Dice,
    ) -> Option<Spoiled> {
        let hands = Hands::new(rules, procedure, cutter);
        // What goes into a continuous shuffler in any order comes out of it in another.
        if rules.csm && !matches!(self, Self::CardMissing | Self::CardAdded) {
            return None;
        }
        match self {
            Self::OneRiffleShort => leave_out_a_riffle(hands, cards, dice),
            Self::SlugKeptOnTop => keep_slug(hands, cards, true, dice),
            Self::SlugKept => keep_slug(hands, cards, false, dice),
            Self::ColdDeck => Some(exchange_pack(hands, cards, rules.decks, dice)),
            Self::CardMissing => lose_a_card(hands, cards, dice),
            Self::CardAdded => Some(add_a_card(hands, cards, dice)),
        }
    }
}

fn leave_out_a_riffle(mut hands: Hands<'_>, cards: Vec<Card>, dice: &mut Dice) -> Option<Spoiled> {
    let riffles: Vec<usize> = (0..hands.moves.len()).filter(|made| hands.moves[*made].riffles()).collect();
    // A procedure with a single pass would be no shuffle at all without it.
    let left_out = *dice.pick(&riffles).filter(|_| riffles.len() > 1)?;
    hands.moves.remove(left_out);
    let says = format!("{} of {} riffling passes were made", riffles.len() - 1, riffles.len());
    Some(Spoiled { ready: hands.make_ready(cards, dice), says })
}

/// The slug is held back while the others are mixed and cut in earnest.
fn keep_slug(hands: Hands<'_>, cards: Vec<Card>, on_top: bool, dice: &mut Dice) -> Option<Spoiled> {
    let (least, most) = SLUG;
    let length = least + dice.below(most + 1 - least);
    let others = cards.len().checked_sub(length).filter(|others| *others > 0)?;
    let from = if on_top { 0 } else { dice.below(others + 1) };
    let mut rest = cards.clone();
    let slug: Vec<Card> = rest.drain(from..from + length).collect();
    let (mut after, cut) = hands.mix_and_cut(rest, dice);
    let to = if on_top { 0 } else { dice.below(others + 1) };
    after.splice(to..to, slug);
    let says = format!("{length} cards from place {} on came through together to place {}", from + 1, to + 1);
    Some(Spoiled { ready: hands.load(cards, after, cut, dice), says })
}

/// The exchanged pack runs in a cycle, each card three ranks above the one before and the suits in turn, so that it can
/// be cut in earnest and whoever sees one card knows the next.
fn exchange_pack(hands: Hands<'_>, cards: Vec<Card>, decks: u8, dice: &mut Dice) -> Spoiled {
    const TURN: [Suit; 4] = [Suit::Clubs, Suit::Hearts, Suit::Spades, Suit::Diamonds];
    let in_cycle = |place: usize| Card::new(Rank::ALL[3 * place % Rank::ALL.len()], TURN[place % TURN.len()]);
    let stacked: Vec<Card> = (0..usize::from(decks) * super::DECK).map(in_cycle).collect();
    let (after, cut) = hands.cut(stacked, dice);
    let says = format!("{} cards were exchanged for {} in a known order", cards.len(), after.len());
    Spoiled { ready: hands.load(cards, after, cut, dice), says }
}

fn lose_a_card(hands: Hands<'_>, cards: Vec<Card>, dice: &mut Dice) -> Option<Spoiled> {
    let mut fewer = cards.clone();
    let lost = (!fewer.is_empty()).then(|| fewer.remove(dice.below(cards.len())))?;
    let (after, cut) = hands.mix_and_cut(fewer, dice);
    Some(Spoiled { ready: hands.load(cards, after, cut, dice), says: format!("{lost} is gone after the shuffle") })
}

fn add_a_card(hands: Hands<'_>, cards: Vec<Card>, dice: &mut Dice) -> Spoiled {
    let rank = Rank::ALL[dice.below(Rank::ALL.len())];
    let added = Card::new(rank, Suit::ALL[dice.below(Suit::ALL.len())]);
    let mut more = cards.clone();
    more.insert(dice.below(cards.len() + 1), added);
    let (after, cut) = hands.mix_and_cut(more, dice);
    Spoiled { ready: hands.load(cards, after, cut, dice), says: format!("{added} was slipped in during the shuffle") }
}

//! From a pack of cards to a shoe that can be dealt: shuffle, cut, cutting card, burn.

use auditor::model::random::Dice;
use auditor::rules::{Burn, Rules};
use table::round::{Cutter, Person, Preparation};
use table::{Act, BoxNo, Card};

use super::{DECK, Procedure};
use crate::truth::Shuffled;
use auditor::shuffle::{Move, acts, mix};

/// Cards in half a deck, the measure of a tolerance.
const HALF_DECK: usize = DECK / 2;

/// A shoe ready to be dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ready {
    /// What was seen of making it ready; belongs in front of its first round.
    pub acts: Vec<Act>,
    /// The procedure, as on the command line.
    pub how: String,
    /// The cards in the order they went into the shuffle.
    pub before: Vec<Card>,
    /// The cards in the order they leave the shoe, those burned at the start first.
    pub after: Vec<Card>,
    /// The cards to be dealt, the next one first. A continuous shuffler is [loaded](super::Continuous::load) with them.
    pub stock: Vec<Card>,
    /// How many of them lie behind the cutting card; none of a continuous shuffler.
    pub cut_card_behind: usize,
    /// The cards burned at the start, by their true faces.
    pub burned: Vec<Card>,
}

impl Ready {
    /// The shuffle as the truth channel tells it.
    pub fn shuffled(&self, shoe: u32) -> Shuffled {
        Shuffled { shoe, how: self.how.clone(), before: self.before.clone(), after: self.after.clone() }
    }
}

/// Makes a shoe of the cards on the table, the discards and what lay behind the cutting card, top card first.
pub fn ready(rules: &Rules, procedure: &Procedure, cutter: BoxNo, cards: Vec<Card>, dice: &mut Dice) -> Ready {
    Hands::new(rules, procedure, cutter).make_ready(cards, dice)
}

/// Makes a shoe of new decks at an opening table: looked through, washed, stacked and riffled before the procedure.
pub fn open(rules: &Rules, procedure: &Procedure, cutter: BoxNo, dice: &mut Dice) -> Ready {
    let cards = (0..rules.decks).flat_map(|_| Card::faces()).collect();
    let mut opened = ready(rules, &procedure.for_new_cards(), cutter, cards, dice);
    let inspections = [Person::Dealer, Person::Supervisor, Person::Players].map(Act::Inspect);
    let arrival = Act::Cards { prepared: Preparation::New, decks: rules.decks };
    opened.acts.splice(0..0, std::iter::once(arrival).chain(inspections));
    opened
}

/// A cut made by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Cards in front of the cutting card, which go to the back.
    pub depth: usize,
    /// Whether the pack is large enough for the book's margins, so that the depth is worth noting.
    pub measured: bool,
}

impl Cut {
    /// Where a person cuts so many cards: about the middle, and as far from either end as the book asks.
    pub fn by_hand(rules: &Rules, cards: usize, dice: &mut Dice) -> Self {
        // The margins are counted on the pack as it should be, also if a card too many lies in it.
        let cards = cards.min(usize::from(rules.decks) * DECK);
        let asked = usize::from(rules.cut_min_decks) * DECK;
        let measured = asked > 0 && 2 * asked <= cards;
        let margin = if measured { asked } else { cards / 5 };
        Self { depth: triangular(margin, cards / 2, cards.saturating_sub(margin), dice), measured }
    }

    /// The pack after the cut: the cards in front have gone to the back.
    pub fn apply<T>(self, mut cards: Vec<T>) -> Vec<T> {
        let depth = self.depth.min(cards.len());
        cards.rotate_left(depth);
        cards
    }

    fn act(self, cutter: BoxNo) -> Act {
        let depth = u16::try_from(self.depth).ok().filter(|_| self.measured);
        Act::Cut { by: Cutter::Box(cutter), depth }
    }
}

/// The dealer at work on a pack: the moves really made, which need not be those of the procedure.
pub(super) struct Hands<'a> {
    rules: &'a Rules,
    how: String,
    pub(super) moves: Vec<Move>,
    cutter: BoxNo,
}

impl<'a> Hands<'a> {
    pub(super) fn new(rules: &'a Rules, procedure: &Procedure, cutter: BoxNo) -> Self {
        Self { rules, how: procedure.to_string(), moves: procedure.moves(), cutter }
    }

    pub(super) fn make_ready(self, cards: Vec<Card>, dice: &mut Dice) -> Ready {
        let (after, cut) = self.mix_and_cut(cards.clone(), dice);
        self.load(cards, after, cut, dice)
    }

    /// The cards after shuffle and cut, and the cut if there was one: a continuous shuffler takes them uncut.
    pub(super) fn mix_and_cut(&self, cards: Vec<Card>, dice: &mut Dice) -> (Vec<Card>, Option<Cut>) {
        self.cut(mix(&self.moves, cards, dice), dice)
    }

    pub(super) fn cut(&self, cards: Vec<Card>, dice: &mut Dice) -> (Vec<Card>, Option<Cut>) {
        if self.rules.csm {
            return (cards, None);
        }
        let cut = Cut::by_hand(self.rules, cards.len(), dice);
        (cut.apply(cards), Some(cut))
    }

    /// The shoe with these cards in it, the cutting card in its place and the first card burned where the book says so.
    pub(super) fn load(self, before: Vec<Card>, after: Vec<Card>, cut: Option<Cut>, dice: &mut Dice) -> Ready {
        let mut acts = acts(&self.moves, self.rules);
        let mut cut_card_behind = 0;
        if let Some(cut) = cut {
            cut_card_behind = behind_cut_card(self.rules, after.len(), dice);
            let behind = u16::try_from(cut_card_behind).unwrap_or(u16::MAX);
            acts.extend([Act::OfferCut(self.cutter), cut.act(self.cutter), Act::CutCardIn(behind)]);
        }
        let mut stock = after.clone();
        let burns = usize::from(burns(self.rules, dice)).min(stock.len());
        let burned: Vec<Card> = stock.drain(..burns).collect();
        // Burned cards go face down: nobody sees which.
        acts.extend(burned.iter().map(|_| Act::Burn(Card::HIDDEN)));
        cut_card_behind = cut_card_behind.min(stock.len());
        Ready { acts, how: self.how, before, after, stock, cut_card_behind, burned }
    }
}

/// Whether a card is burned before the first round.
fn burns(rules: &Rules, dice: &mut Dice) -> bool {
    match rules.burn {
        Burn::PerShoe => !rules.csm,
        Burn::Optional => dice.once_in(2),
        Burn::PerRound | Burn::Never | Burn::Unstated => false,
    }
}

/// How many of these cards the dealer leaves behind the cutting card. A dealer aims between the book's bounds and misses
/// them by half the tolerance at most; where the book gives none, the house cuts off a deck or so.
fn behind_cut_card(rules: &Rules, cards: usize, dice: &mut Dice) -> usize {
    let tolerance = usize::from(rules.cut_card_slack) * HALF_DECK;
    let least = rules.cut_card_back_min.map(|decks| usize::from(decks) * DECK);
    let most = rules.cut_card_back_max.map(|part| usize::from(rules.decks) * DECK * usize::from(part) / 100);
    let floor = least.unwrap_or(0).saturating_sub(tolerance);
    let ceiling = most.map_or(cards / 2, |most| most + tolerance).max(floor);
    let own_least = least.unwrap_or_else(|| DECK.min(cards / 3));
    let low = own_least.saturating_sub(tolerance / 2).clamp(floor, ceiling);
    let high = most.map_or(cards / 2, |most| most + tolerance / 2).clamp(floor, ceiling);
    let (low, high) = (low.min(high), low.max(high));
    triangular(low, low + (high - low) / 4, high, dice).min(cards)
}

/// A number from `low` to `high`, most often near `mode`.
fn triangular(low: usize, mode: usize, high: usize, dice: &mut Dice) -> usize {
    let (low, mode, high) = (low as f64, mode.clamp(low, high.max(low)) as f64, high.max(low) as f64 + 1.0);
    let (width, up) = (high - low, mode - low);
    let unit = dice.unit();
    let drawn = if unit * width < up {
        low + (unit * width * up).sqrt()
    } else {
        high - ((1.0 - unit) * width * (high - mode)).sqrt()
    };
    drawn.clamp(low, high - 1.0) as usize
}

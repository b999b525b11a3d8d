//! Chips in stacks, with what they come to.

use table::Money;
use table::layout::Chips;

use super::{Num, Svg};

/// What a chip is worth in minor units, the largest first, and the class that colours it.
const VALUES: [(i64, &str); 6] =
    [(100_000, "c1000"), (50_000, "c500"), (10_000, "c100"), (2_500, "c25"), (500, "c5"), (1, "c1")];
/// Most chips of a stack that are drawn; the amount beside it is what counts.
const MOST: usize = 6;
/// From one chip of a stack to the next.
const RISE: f64 = 4.0;

/// The chips a stack of this amount is drawn with, from the lowest.
fn stack(amount: Money) -> Vec<&'static str> {
    let mut left = amount.minor().max(0);
    let mut chips = Vec::new();
    for (value, class) in VALUES {
        while left >= value && chips.len() < MOST {
            left -= value;
            chips.push(class);
            if value == 1 {
                // Small change is one chip, whatever it comes to.
                left = 0;
            }
        }
    }
    chips
}

/// An amount as short as it can be said: whole units without decimals.
pub(super) fn short(amount: Money) -> String {
    if amount.minor() % 100 == 0 { (amount.minor() / 100).to_string() } else { amount.to_string() }
}

/// Draws a stack with the middle of its lowest chip at the origin.
pub(super) fn draw(svg: &mut Svg, amount: Money, class: &str) {
    let chips = stack(amount);
    svg.put(format_args!("<g class=\"chips {class}\">"));
    for (number, colour) in chips.iter().enumerate() {
        let y = -(number as f64) * RISE;
        svg.put(format_args!(
            "<path class=\"edge {colour}\" d=\"M-11 {y}v3a11 6 0 0 0 22 0v-3z\"/>\
             <ellipse class=\"chip {colour}\" cy=\"{y}\" rx=\"11\" ry=\"6\"/>",
            y = Num(y)
        ));
    }
    if chips.is_empty() {
        svg.put(format_args!("<ellipse class=\"spot\" rx=\"11\" ry=\"6\"/>"));
    }
    svg.put(format_args!("</g>"));
}

/// What became of a wager, in a word: `+25`, `taken`, `push`.
pub(super) fn fate(chips: &Chips) -> Option<(String, &'static str)> {
    match (chips.paid, chips.taken) {
        (Some(paid), _) => Some((format!("+{}", short(paid)), "paid")),
        (None, Some(_)) => Some(("taken".to_owned(), "taken")),
        (None, None) if chips.pushed => Some(("push".to_owned(), "push")),
        (None, None) if chips.returned => Some(("returned".to_owned(), "push")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_made_of_the_fewest_chips_and_never_grows_too_high() {
        assert_eq!(stack(Money::from_minor(13_000)), ["c100", "c25", "c5"]);
        assert_eq!(stack(Money::from_minor(3_750)), ["c25", "c5", "c5", "c1"]);
        assert_eq!(stack(Money::from_minor(i64::MAX)).len(), MOST);
        assert!(stack(Money::from_minor(-5)).is_empty());
    }

    #[test]
    fn amounts_are_short() {
        assert_eq!(short(Money::from_minor(2_500)), "25");
        assert_eq!(short(Money::from_minor(1_250)), "12.50");
    }
}

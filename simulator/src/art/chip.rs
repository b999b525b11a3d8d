//! Chips: their colours by value, how they look from above and from the side, and how an amount is stacked.

use table::Money;
use tiny_skia::{Path, Pixmap, Transform};

use super::letters::{Letters, Style};
use super::pen::{circle, polygon};
use super::sheet::{Rgb, Sheet, mix};

/// Across a chip, in millimetres.
pub const ACROSS_MM: f32 = 39.0;
/// The thickness of a chip, in millimetres.
pub const THICK_MM: f32 = 3.3;
/// The most chips that [`stack`] makes of an amount.
pub const TALLEST: usize = 60;

/// How the rim of a chip looks: `spots` spots of equal width at equal distances, the first centred at angle 0 (to the
/// right as seen from above), on a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rim {
    /// The colour of the chip.
    pub ground: Rgb,
    /// The colour of the spots.
    pub spot: Rgb,
    /// How many spots; 0 for a coin.
    pub spots: u8,
    /// The part of the rim that is spots, from 0 to 1.
    pub part: f32,
}

impl Rim {
    /// The colour of the rim at an angle in radians, clockwise as seen from above.
    pub fn at(&self, angle: f32) -> Rgb {
        if self.spots == 0 || !angle.is_finite() {
            return self.ground;
        }
        let turn = (angle / std::f32::consts::TAU * f32::from(self.spots)).rem_euclid(1.0);
        if turn.min(1.0 - turn) * 2.0 < self.part { self.spot } else { self.ground }
    }
}

/// A chip a house has: its value and colours.
struct Kind {
    value: Money,
    rim: Rim,
}

const fn kind(minor: i64, ground: Rgb, spot: Rgb, spots: u8, part: f32) -> Kind {
    Kind { value: Money::from_minor(minor), rim: Rim { ground, spot, spots, part } }
}

const WHITE: Rgb = [244, 243, 238];

/// The colours most houses use, the largest value first.
const KINDS: [Kind; 13] = [
    kind(10_000_000, [212, 212, 220], [40, 44, 120], 12, 0.45),
    kind(2_500_000, [40, 112, 122], [246, 226, 140], 8, 0.5),
    kind(1_000_000, [20, 92, 160], [250, 250, 250], 10, 0.4),
    kind(500_000, [150, 92, 50], [250, 232, 190], 8, 0.4),
    kind(100_000, [236, 196, 36], [30, 30, 34], 6, 0.35),
    kind(50_000, [112, 44, 140], [250, 220, 250], 8, 0.4),
    kind(10_000, [28, 28, 32], WHITE, 6, 0.4),
    kind(2_500, [18, 124, 62], WHITE, 8, 0.35),
    kind(1_000, [34, 72, 170], WHITE, 6, 0.35),
    kind(500, [200, 30, 38], WHITE, 6, 0.4),
    kind(250, [240, 140, 170], [120, 30, 70], 4, 0.3),
    kind(100, WHITE, [40, 74, 160], 6, 0.35),
    kind(50, [238, 132, 40], WHITE, 4, 0.35),
];

/// Plaques, for what would take too many chips.
const PLAQUE: Rim = Rim { ground: [206, 168, 82], spot: [246, 232, 196], spots: 2, part: 0.6 };
/// Coins, for what no chip can pay.
const COIN: Rim = Rim { ground: [176, 178, 184], spot: [176, 178, 184], spots: 0, part: 0.0 };
/// Coins, the largest first.
const COINS: [Money; 5] =
    [Money::from_minor(20), Money::from_minor(10), Money::from_minor(5), Money::from_minor(2), Money::from_minor(1)];

const VALUES: [Money; KINDS.len()] = {
    let mut values = [Money::ZERO; KINDS.len()];
    let mut i = 0;
    while i < values.len() {
        values[i] = KINDS[i].value;
        i += 1;
    }
    values
};

const LARGEST: Money = VALUES[0];

/// The values of the chips, the largest first.
pub const fn denominations() -> &'static [Money] {
    &VALUES
}

/// The rim of a chip; what is no chip of ours is a plaque if it is worth more than any, and a coin otherwise.
pub fn side_colours(value: Money) -> Rim {
    let other = if value > LARGEST { PLAQUE } else { COIN };
    KINDS.iter().find(|kind| kind.value == value).map_or(other, |kind| kind.rim)
}

/// A chip from above, transparent around it; none without pixels, or wider than [`WIDEST`](super::WIDEST).
pub fn top(value: Money, width_px: u32) -> Option<Pixmap> {
    let mut sheet = Sheet::new(width_px, (ACROSS_MM, ACROSS_MM))?;
    let rim = side_colours(value);
    let r = ACROSS_MM / 2.0;
    let dark = mix(rim.ground, [0, 0, 0], 0.35);
    if rim.spots == 0 {
        sheet.inked(circle(r, r, r * 0.58), rim.ground, 1.0, dark);
    } else {
        sheet.fill(circle(r, r, r), rim.ground);
        sheet.inside(circle(r, r, r), |sheet| {
            for spot in 0..rim.spots {
                sheet.fill(wedge(r, &rim, spot), rim.spot);
            }
        });
        sheet.line(circle(r, r, r - 0.4), 0.8, dark);
        sheet.fill(circle(r, r, r * 0.7), rim.ground);
        for tick in 0..24 {
            let turn = Transform::from_rotate_at(tick as f32 * 15.0, r, r);
            sheet.within(turn, |sheet| sheet.fill(circle(r, r * 0.36, 0.55), rim.spot));
        }
        sheet.inked(circle(r, r, r * 0.54), mix(rim.ground, WHITE, 0.88), 0.7, dark);
    }
    let (ink, words) = ([30, 28, 34], printed(value));
    let letters = Letters::new(Style::SANS);
    let height = (ACROSS_MM * 0.24).min(ACROSS_MM * 0.42 / letters.width(&words, 1.0).max(0.1));
    let place = Transform::from_translate(r - letters.width(&words, height) / 2.0, r - height / 2.0);
    sheet.within(place, |sheet| sheet.fill(letters.path(&words, height), ink));
    Some(sheet.finish())
}

/// A spot from the middle outwards.
fn wedge(r: f32, rim: &Rim, spot: u8) -> Option<Path> {
    let share = std::f32::consts::TAU / f32::from(rim.spots);
    let (angle, half) = (share * f32::from(spot), share * rim.part / 2.0);
    let at = |angle: f32| (r + angle.cos() * r * 1.3, r + angle.sin() * r * 1.3);
    polygon(&[(r, r), at(angle - half), at(angle + half)])
}

/// The value as a chip bears it: `25`, `2.50`, `5K`.
fn printed(value: Money) -> String {
    let minor = value.minor();
    match (minor % 100, minor / 100) {
        (0, units) if units >= 1000 && units % 1000 == 0 => format!("{}K", units / 1000),
        (0, units) => units.to_string(),
        (cents, 0) => format!(".{:02}", cents.unsigned_abs()),
        _ => value.to_string(),
    }
}

/// The chips that make up an amount, the largest at the bottom (first); what no chip can pay is coins on top.
///
/// The sum is exact and at most [`TALLEST`] pieces high: what would take more than twenty of the largest chip is one
/// plaque of that value instead. Nothing, and less than nothing, is no chips.
///
/// ```
/// use simulator::art::chip::stack;
/// use table::Money;
/// let chips: Vec<String> = stack("37.51".parse()?).iter().map(Money::to_string).collect();
/// assert_eq!(chips, ["25.00", "10.00", "2.50", "0.01"]);
/// # Ok::<(), table::money::NotMoney>(())
/// ```
pub fn stack(amount: Money) -> Vec<Money> {
    let mut left = amount.minor().max(0);
    let mut chips = Vec::new();
    let plaque = left - left % LARGEST.minor();
    if plaque / LARGEST.minor() > 20 {
        chips.push(Money::from_minor(plaque));
        left -= plaque;
    }
    for value in VALUES.iter().chain(&COINS) {
        while left >= value.minor() {
            chips.push(*value);
            left -= value.minor();
        }
    }
    chips
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_worth_what_it_stands_for() {
        let amounts = (0..=20_000).chain([123_456_789, 9_999_999, 209_999_999, 210_000_000, i64::MAX]);
        for minor in amounts {
            let chips = stack(Money::from_minor(minor));
            assert_eq!(chips.iter().map(|chip| chip.minor()).sum::<i64>(), minor);
            assert!(chips.is_sorted_by(|below, above| below >= above), "{chips:?}");
            assert!(chips.len() <= TALLEST, "{} pieces for {minor}", chips.len());
        }
        for minor in [0, -1, i64::MIN] {
            assert_eq!(stack(Money::from_minor(minor)), []);
        }
    }

    #[test]
    fn chips_of_different_value_look_different() {
        let tops: Vec<_> = denominations().iter().map(|&value| top(value, 40).unwrap()).collect();
        for (i, one) in tops.iter().enumerate() {
            for other in &tops[i + 1..] {
                assert_ne!(one.data(), other.data());
            }
        }
    }

    #[test]
    fn a_rim_shows_its_spots_all_around() {
        let five = side_colours(Money::from_minor(500));
        let colours: Vec<_> = (0..720).map(|step| five.at((step as f32 / 2.0).to_radians())).collect();
        let begins = colours.windows(2).filter(|pair| pair[0] == five.ground && pair[1] == five.spot).count();
        assert_eq!(begins, 6);
        assert_eq!(five.at(0.0), five.spot, "the first spot is centred at angle 0");
        assert_eq!(five.at(f32::NAN), five.ground);
        assert_eq!(side_colours(Money::from_minor(7)).spots, 0, "a coin has none");
    }

    #[test]
    fn any_value_and_size_is_drawn_or_refused() {
        for value in [i64::MIN, -5, 0, 1, 250, 12_345, i64::MAX] {
            let value = Money::from_minor(value);
            assert!(top(value, 0).is_none());
            assert!(top(value, u32::MAX).is_none());
            for width in [1, 7, 20, 300] {
                assert_eq!(top(value, width).unwrap().width(), width);
            }
        }
    }
}

//! Rising sequences: how many times one has to go through the new order to collect the old one. Where every card can be
//! told from every other, no test of riffles is better, and everything about it is known exactly.

/// The number of rising sequences of a permutation: `places` are where the cards, in their old order, lie now.
///
/// ```
/// use auditor::shuffle::rising::sequences;
/// assert_eq!(sequences(&[0, 2, 4, 1, 3]), 2);
/// assert_eq!(sequences(&[]), 0);
/// ```
pub fn sequences(places: &[usize]) -> usize {
    places.len().min(1) + places.windows(2).filter(|pair| pair[1] < pair[0]).count()
}

/// The chance of each number of rising sequences, from 0 on, when every order of so many cards is equally likely.
pub fn fair(cards: usize) -> Vec<f64> {
    let mut chances = vec![1.0];
    for size in 1..=cards {
        let mut next = vec![0.0; size + 1];
        for (count, chance) in chances.iter().enumerate() {
            // The next card goes on with a sequence, or begins one of its own.
            next[count] += chance * count as f64 / size as f64;
            next[count + 1] += chance * (size - count) as f64 / size as f64;
        }
        chances = next;
    }
    chances
}

/// The same after so many riffles.
pub fn riffled(cards: usize, riffles: u32) -> Vec<f64> {
    let packets = 2_f64.powi(riffles.min(1000) as i32);
    let mut chances = fair(cards);
    for (count, chance) in chances.iter_mut().enumerate() {
        // An order with this many sequences comes in C(packets + cards − count, cards) of packets^cards ways; a fair one
        // is one of cards! orders.
        let odds = (0..cards).map(|card| (packets + (cards - card) as f64 - count as f64) / packets);
        let odds: f64 = odds.map(|factor| factor.max(0.0)).product();
        *chance *= odds;
    }
    chances
}

/// The most rising sequences that are still too few at this rate of false alarms, and the rate it really has.
pub fn threshold(cards: usize, rate: f64) -> Option<(usize, f64)> {
    let mut sum = 0.0;
    let mut found = None;
    for (count, chance) in fair(cards).into_iter().enumerate() {
        sum += chance;
        if sum > rate {
            break;
        }
        found = Some((count, sum)).filter(|_| sum > 0.0);
    }
    found
}

/// How often so few sequences are found after so many riffles.
pub fn power(cards: usize, riffles: u32, at_most: usize) -> f64 {
    riffled(cards, riffles).into_iter().take(at_most + 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_and_power_are_those_of_the_literature() {
        // Cards, rate, the threshold and its true size, and the power for two numbers of riffles.
        let table = [
            (52, 0.05, 22, 0.0273, [(5, 0.951), (6, 0.413), (7, 0.142)]),
            (52, 0.01, 21, 0.0080, [(5, 0.861), (6, 0.235), (7, 0.059)]),
            (104, 0.05, 47, 0.0447, [(6, 1.0), (7, 0.765), (8, 0.310)]),
            (104, 0.01, 45, 0.0086, [(6, 0.996), (7, 0.506), (8, 0.118)]),
            (312, 0.05, 147, 0.0388, [(8, 1.0), (9, 0.914), (10, 0.417)]),
            (312, 0.01, 144, 0.0093, [(8, 1.0), (9, 0.778), (10, 0.211)]),
        ];
        for (cards, rate, at_most, size, powers) in table {
            let (found, found_size) = threshold(cards, rate).unwrap();
            assert_eq!(found, at_most, "{cards} cards at {rate}");
            assert!((found_size - size).abs() < 1e-4, "{cards} cards at {rate}: {found_size}");
            for (riffles, expected) in powers {
                let found = power(cards, riffles, at_most);
                assert!((found - expected).abs() < 6e-4, "{cards} cards, {riffles} riffles: {found}");
            }
        }
    }

    #[test]
    fn chances_come_to_one() {
        for cards in [0, 1, 2, 52, 312] {
            assert!((fair(cards).iter().sum::<f64>() - 1.0).abs() < 1e-9, "{cards}");
        }
        for riffles in [1, 3, 7, 12] {
            assert!((riffled(52, riffles).iter().sum::<f64>() - 1.0).abs() < 1e-6, "{riffles}");
        }
    }
}

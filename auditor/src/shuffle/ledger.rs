//! Evidence along a dealer, a machine or a table: many shoes that are each a little odd.

use super::e_value;
use super::figures::one_in;

/// Evidence is not counted beyond this: a machine that never mixes would pass what a number can hold.
const MOST: f64 = 1e300;
/// Halvings of the span in which a p is sought: enough for four digits.
const HALVINGS: u32 = 30;

/// The running evidence that something has been wrong since some shoe.
///
/// Each shoe's e-value multiplies what was there before, plus one for the chance that the wrong begins with this shoe
/// (Shiryaev and Roberts). While every shuffle is proper the evidence grows on average by one a shoe and no more, so it
/// passes a bar of so many shoes at most once in so many shoes, however often it is looked at.
///
/// ```
/// use auditor::shuffle::Ledger;
///
/// let mut dealer = Ledger::default();
/// for _ in 0..30 {
///     dealer.enter(0.6);
/// }
/// assert!(dealer.evidence < 2.0);
/// for _ in 0..15 {
///     dealer.enter(3.0);
/// }
/// assert!(dealer.is_beyond(100_000.0));
/// for _ in 0..100 {
///     dealer.enter(1e6);
/// }
/// assert!(dealer.evidence.is_finite());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// The evidence so far.
    pub evidence: f64,
    /// The product of all e-values, as a logarithm to the base of ten.
    pub product: f64,
    /// Shoes entered.
    pub shoes: u32,
}

impl Ledger {
    /// Enters a shoe's e-value.
    pub fn enter(&mut self, e: f64) {
        self.evidence = ((1.0 + self.evidence) * e).min(MOST);
        self.product += e.max(f64::MIN_POSITIVE).log10();
        self.shoes = self.shoes.saturating_add(1);
    }

    /// Whether proper shuffles would have given as much evidence less than once in so many shoes.
    pub fn is_beyond(&self, shoes: f64) -> bool {
        self.evidence >= shoes
    }

    /// What "nothing found" along these shoes is worth: the greatest p that, had each of them got it, would have passed the
    /// bar. None before the first shoe.
    ///
    /// ```
    /// use auditor::shuffle::Ledger;
    ///
    /// let mut dealer = Ledger::default();
    /// assert_eq!(dealer.would_have_shown(100_000.0), None);
    /// dealer.enter(0.6);
    /// assert!(dealer.would_have_shown(100_000.0).unwrap() < 1e-6);
    /// for _ in 0..29 {
    ///     dealer.enter(0.6);
    /// }
    /// assert!(dealer.would_have_shown(100_000.0).unwrap() > 0.05);
    /// ```
    pub fn would_have_shown(&self, bar: f64) -> Option<f64> {
        let passes = |p: f64| {
            let e = e_value(p);
            let along = (0..self.shoes).try_fold(0.0, |evidence, _| {
                let evidence = (1.0 + evidence) * e;
                if evidence >= bar { Err(()) } else { Ok(evidence) }
            });
            along.is_err()
        };
        let (mut least, mut most) = (f64::MIN_POSITIVE.ln(), 0.0);
        if self.shoes == 0 || !passes(least.exp()) {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (least + most);
            if passes(middle.exp()) {
                least = middle;
            } else {
                most = middle;
            }
        }
        Some(least.exp())
    }

    /// The same in words.
    pub fn power_note(&self, bar: f64) -> String {
        match self.would_have_shown(bar) {
            Some(p) => format!("shuffles each as odd as {} proper ones would have shown by now", one_in(p)),
            None => "so few shuffles can show nothing".to_owned(),
        }
    }
}

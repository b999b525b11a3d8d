//! Evidence along a dealer, a machine or a table: many shoes that are each a little odd.

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
        self.evidence = (1.0 + self.evidence) * e;
        self.product += e.max(f64::MIN_POSITIVE).log10();
        self.shoes = self.shoes.saturating_add(1);
    }

    /// Whether proper shuffles would have given as much evidence less than once in so many shoes.
    pub fn is_beyond(&self, shoes: f64) -> bool {
        self.evidence >= shoes
    }
}

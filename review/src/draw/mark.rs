//! Marks: the four suits, and the shapes that tell severities apart without their colour.

use table::{FlagKind, Severity};

/// The symbols that other drawings point at. Each page holds it once.
pub const SPRITE: &str = concat!(
    "<svg class=\"sprite\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>",
    // Each suit in a square of twenty.
    "<symbol id=\"suit-h\" viewBox=\"0 0 20 20\"><path d=\"M10 18.4C4.6 13.8 1.5 10.6 1.5 6.8 1.5 4 3.7 1.9 6.2 1.9c1.6 0 3 .9 3.8 2.3.8-1.4 2.2-2.3 3.8-2.3 2.5 0 4.7 2.1 4.7 4.9 0 3.8-3.1 7-8.5 11.6z\"/></symbol>",
    "<symbol id=\"suit-d\" viewBox=\"0 0 20 20\"><path d=\"M10 1.2C11.9 4.4 14 7.2 16.8 10 14 12.8 11.9 15.6 10 18.8 8.1 15.6 6 12.8 3.2 10 6 7.2 8.1 4.4 10 1.2z\"/></symbol>",
    "<symbol id=\"suit-s\" viewBox=\"0 0 20 20\"><path d=\"M10 1.4c4.2 4.2 8 7 8 10.5 0 2.3-1.8 4-4 4-1.3 0-2.4-.6-3.1-1.5.2 2 .9 3.3 2.1 4.3H7c1.2-1 1.9-2.3 2.1-4.3-.7.9-1.8 1.5-3.1 1.5-2.2 0-4-1.7-4-4C2 8.4 5.8 5.6 10 1.4z\"/></symbol>",
    "<symbol id=\"suit-c\" viewBox=\"0 0 20 20\"><path d=\"M10 1.5a3.9 3.9 0 0 1 3.3 6 3.9 3.9 0 1 1-2.4 6.6c.2 2 .9 3.5 2.1 4.6H7c1.2-1.1 1.9-2.6 2.1-4.6a3.9 3.9 0 1 1-2.4-6.6 3.9 3.9 0 0 1 3.3-6z\"/></symbol>",
    // Severities: an octagon, a triangle, a disc, a ring, and a question for doubts.
    "<symbol id=\"sev-critical\" viewBox=\"0 0 16 16\"><path d=\"M5 1h6l4 4v6l-4 4H5l-4-4V5z\"/><path class=\"cut\" d=\"M7.1 3.8h1.8v5.4H7.1zM7.1 10.6h1.8v1.8H7.1z\"/></symbol>",
    "<symbol id=\"sev-major\" viewBox=\"0 0 16 16\"><path d=\"M8 1.5 15.5 14.5H.5z\"/></symbol>",
    "<symbol id=\"sev-minor\" viewBox=\"0 0 16 16\"><circle cx=\"8\" cy=\"8\" r=\"5.5\"/></symbol>",
    "<symbol id=\"sev-info\" viewBox=\"0 0 16 16\"><circle class=\"ring\" cx=\"8\" cy=\"8\" r=\"5\"/></symbol>",
    "<symbol id=\"sev-doubt\" viewBox=\"0 0 16 16\"><path class=\"stroke\" d=\"M4.5 5.5a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1-1.5 2.1\"/><circle cx=\"8\" cy=\"13.5\" r=\"1.3\"/></symbol>",
    "</defs></svg>"
);

/// The mark of a flag: its severity, or a question for a doubt. The word stands beside it on every page.
pub fn severity(severity: Severity, kind: FlagKind) -> String {
    let name = if kind == FlagKind::Doubt { "doubt" } else { severity.name() };
    format!("<svg class=\"sev sev-{name}\" aria-hidden=\"true\"><use href=\"#sev-{name}\"/></svg>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_has_its_symbol() {
        let marks = Severity::ALL.iter().map(|s| severity(*s, FlagKind::DealerError));
        for mark in marks.chain([severity(Severity::Info, FlagKind::Doubt)]) {
            let at = mark.find("#sev-").unwrap();
            let name = mark[at + 1..].split('"').next().unwrap();
            assert!(SPRITE.contains(&format!("id=\"{name}\"")), "{name}");
        }
    }
}

//! Shuffles as pictures: small SVG texts that stand alone, on dark paper and on light. What is drawn has the colour of the
//! text around it; what matters has the class `told`, by which a page may give it a colour of its own.

use std::fmt::Write;

use table::Card;

use super::Slug;

/// Width and height of the field that is drawn in.
const FIELD: f64 = 320.0;
/// Room for what is written beside it.
const MARGIN: f64 = 36.0;
/// Bars of the histogram of distances.
const BARS: usize = 39;
/// The least p that is drawn in its place.
const LEAST: f64 = 1e-8;

/// The permutation as a scatter: across, the places where cards came out; up, where they went in. Every card is a dot at
/// each place where it may have gone in, the fainter the more of them there are. A slug is a slanted line.
pub fn scatter(before: &[Card], after: &[Card], slugs: &[Slug]) -> String {
    let size = before.len().max(after.len()).max(1) as f64;
    let at = |place: usize| place as f64 / size * FIELD;
    let mut svg = open("Where the cards came out, by where they went in", FIELD, FIELD);
    let mut dots = String::new();
    let mut copies = 0;
    let mut read = 0;
    for (to, card) in after.iter().enumerate().filter(|(_, card)| card.is_known()) {
        read += 1;
        for (from, _) in before.iter().enumerate().filter(|(_, other)| *other == card) {
            copies += 1;
            let _ = write!(dots, "M{:.1} {:.1}h.01", at(to), FIELD - at(from));
        }
    }
    let each = f64::from(read) / f64::from(copies.max(1));
    let opacity = (each * 1.5).clamp(0.15, 0.9);
    let _ = write!(
        svg,
        r#"<path d="{dots}" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" opacity="{opacity:.2}"/>"#
    );
    for slug in slugs {
        let (x, y) = (at(slug.to), FIELD - at(slug.from));
        let along = slug.length as f64 / size * FIELD;
        let _ = write!(
            svg,
            r#"<path d="M{x:.1} {y:.1}l{along:.1} -{along:.1}" class="told" stroke="crimson" stroke-width="4" stroke-linecap="round"><title>{} cards from place {} came out at place {}</title></path>"#,
            slug.length,
            slug.from + 1,
            slug.to + 1
        );
    }
    axes(&mut svg, "came out →", "went in →");
    close(svg)
}

/// How far former neighbours lie apart, over all copies they may be: level when nothing is left of the old order, high at
/// the left after few riffles. The line is what a fair shuffle gives on average.
pub fn distances(before: &[Card], after: &[Card]) -> String {
    let size = before.len().max(after.len()).max(1);
    let places = |card: Card| after.iter().enumerate().filter(move |(_, other)| **other == card).map(|(at, _)| at);
    let mut bars = [0_usize; BARS];
    for pair in before.windows(2).filter(|pair| pair.iter().all(|card| card.is_known())) {
        for from in places(pair[0]) {
            for to in places(pair[1]) {
                let ahead = (to + size - from) % size;
                bars[(ahead * BARS / size).min(BARS - 1)] += 1;
            }
        }
    }
    let all = bars.iter().sum::<usize>().max(1) as f64;
    let mean = all / BARS as f64;
    let most = bars.iter().copied().max().unwrap_or_default() as f64;
    let scale = FIELD * 0.9 / most.max(mean * 1.5);
    let width = FIELD / BARS as f64;
    let mut svg = open("How far former neighbours lie apart", FIELD, FIELD);
    for (bar, count) in bars.iter().enumerate() {
        let high = *count as f64 * scale;
        let _ = write!(
            svg,
            r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{high:.1}" fill="currentColor" opacity="0.55"/>"#,
            bar as f64 * width + 0.5,
            FIELD - high,
            width - 1.0
        );
    }
    let level = FIELD - mean * scale;
    let _ = write!(
        svg,
        r#"<path d="M0 {level:.1}H{FIELD}" class="told" stroke="crimson" stroke-width="1.5" stroke-dasharray="5 4"><title>a fair shuffle</title></path>"#
    );
    axes(&mut svg, "cards between them →", "pairs →");
    close(svg)
}

/// The p of shoe after shoe, the least likely highest, and the line beyond which a shoe is suspect. `name` is the dealer's,
/// the machine's or the table's.
pub fn p_over_time(name: &str, values: &[f64], rate: f64) -> String {
    let high = |p: f64| FIELD - p.clamp(LEAST, 1.0).log10() / LEAST.log10() * FIELD;
    let step = FIELD / values.len().max(1) as f64;
    let title = format!("p over time, {}", escaped(name));
    let mut svg = open(&title, FIELD, FIELD);
    for (shoe, p) in values.iter().enumerate() {
        let suspect = *p <= rate;
        let (colour, radius) = if suspect {
            (r#"class="told" stroke="crimson" fill="crimson""#, 4)
        } else {
            (r#"fill="currentColor""#, 2)
        };
        let _ = write!(
            svg,
            r#"<circle cx="{:.1}" cy="{:.1}" r="{radius}" {colour}><title>shoe {}: p {}</title></circle>"#,
            (shoe as f64 + 0.5) * step,
            high(*p),
            shoe + 1,
            super::rounded(*p)
        );
    }
    let _ = write!(
        svg,
        r#"<path d="M0 {:.1}H{FIELD}" class="told" stroke="crimson" stroke-dasharray="5 4"><title>suspect above</title></path>"#,
        high(rate)
    );
    for power in [0, 2, 4, 6, 8] {
        let y = high(10_f64.powi(-power));
        let _ = write!(
            svg,
            r#"<text x="-4" y="{:.1}" text-anchor="end" font-size="10" fill="currentColor">1e-{power}</text>"#,
            y + 3.0
        );
    }
    axes(&mut svg, "shoe →", "");
    close(svg)
}

fn open(title: &str, width: f64, height: f64) -> String {
    let (across, down) = (width + MARGIN + 8.0, height + MARGIN + 8.0);
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}" height="{down}" role="img" fill="none" font-family="sans-serif"><title>{title}</title><g transform="translate({MARGIN} 8)">"#
    )
}

/// The frame, and what its sides mean.
fn axes(svg: &mut String, across: &str, up: &str) {
    let _ = write!(
        svg,
        r#"<path d="M0 0V{FIELD}H{FIELD}" stroke="currentColor"/><g fill="currentColor" font-size="12"><text x="{FIELD}" y="{:.1}" text-anchor="end">{across}</text><text transform="translate(-10 0) rotate(-90)" text-anchor="end">{up}</text></g>"#,
        FIELD + 22.0
    );
}

fn close(mut svg: String) -> String {
    svg.push_str("</g></svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack() -> Vec<Card> {
        Card::faces().collect()
    }

    #[test]
    fn a_slug_is_drawn_where_it_lies() {
        let picture = scatter(&pack(), &pack(), &[Slug { from: 0, to: 26, length: 10 }]);
        assert!(picture.contains("10 cards from place 1 came out at place 27"));
        assert!(picture.contains("M160.0 320.0l"), "{picture}");
    }

    #[test]
    fn pictures_of_nothing_are_pictures() {
        for picture in [scatter(&[], &[], &[]), distances(&[], &[]), p_over_time("a<b", &[], 1e-5)] {
            assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
            assert!(!picture.contains("NaN") && !picture.contains("a<b"));
        }
    }

    #[test]
    fn neighbours_that_stayed_together_stand_at_the_left() {
        let picture = distances(&pack(), &pack());
        let first = picture.split("<rect").nth(1).unwrap();
        assert!(first.contains(r#"x="0.5""#) && first.contains(r#"height="288.0""#), "{first}");
    }
}

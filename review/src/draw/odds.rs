//! Odds over shoes: how unlikely each shuffle is, or how much evidence has come together, and the line that raises an alarm.

use super::{Esc, Num, Svg};

/// One shoe.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// What it is called.
    pub name: String,
    /// One in so many, as a power of ten; `None` where there is too little to tell.
    pub power: Option<f64>,
    /// The same in words.
    pub told: String,
}

const SIZE: (f64, f64) = (360.0, 130.0);
const LEFT: f64 = 72.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 22.0;
/// Powers of ten that have a line of their own, and what they are called.
const LINES: [(f64, &str); 5] = [(0.0, "1"), (2.0, "100"), (4.0, "10,000"), (6.0, "1 million"), (8.0, "100 million")];
/// Where the field ends at least and at most. What lies beyond is drawn at its upper edge.
const ENDS: (f64, f64) = (6.0, 9.0);

/// Draws shoe after shoe; dots on or above the alarm stand out, and no line bridges a shoe that tells nothing.
pub fn odds(label: &str, alarm: f64, shoes: &[Odds]) -> String {
    let mut svg = Svg::new("multiple shuffle", SIZE, label);
    let known = |shoe: &Odds| shoe.power.filter(|power| power.is_finite()).map(|power| power.max(0.0));
    let most = shoes.iter().filter_map(known).fold(alarm, f64::max);
    let top = if most > ENDS.0 { ENDS.1 } else { ENDS.0 };
    let y = |power: f64| TOP + (SIZE.1 - TOP - BOTTOM) * (1.0 - power.min(top) / top);
    let step = (SIZE.0 - LEFT - RIGHT) / shoes.len().max(1) as f64;
    let x = |at: usize| LEFT + (at as f64 + 0.5) * step;
    for (power, name) in LINES.iter().filter(|(power, _)| *power <= top) {
        svg.put(format_args!("<path class=\"axis\" d=\"M{} {}H{}\"/>", Num(LEFT), Num(y(*power)), Num(SIZE.0 - RIGHT)));
        svg.text("tick", (LEFT - 5.0, y(*power) + 4.0), name);
    }
    let (from, to) = (Num(LEFT), Num(SIZE.0 - RIGHT));
    svg.put(format_args!("<path class=\"reference\" d=\"M{from} {}H{to}\"/>", Num(y(alarm))));
    let mut path = String::new();
    let mut drawing = false;
    for (at, power) in shoes.iter().map(known).enumerate() {
        if let Some(power) = power {
            path.push_str(&format!("{}{} {}", if drawing { "L" } else { "M" }, Num(x(at)), Num(y(power))));
        }
        drawing = power.is_some();
    }
    svg.put(format_args!("<path class=\"trend\" d=\"{path}\"/>"));
    for (at, shoe) in shoes.iter().enumerate() {
        let Some(power) = known(shoe) else { continue };
        let class = if power >= alarm { "dot told" } else { "dot" };
        let (x, y, name, told) = (Num(x(at)), Num(y(power)), Esc(&shoe.name), Esc(&shoe.told));
        svg.put(format_args!(
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"2.5\"><title>{name}: {told}</title></circle>"
        ));
    }
    if let (Some(first), Some(last)) = (shoes.first(), shoes.last()) {
        svg.text("tick first", (LEFT, SIZE.1 - 6.0), &first.name);
        if shoes.len() > 1 {
            svg.text("tick last", (SIZE.0 - RIGHT, SIZE.1 - 6.0), &last.name);
        }
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(powers: &[Option<f64>]) -> String {
        let shoe = |power: &Option<f64>| Odds { name: "<shoe>".into(), power: *power, told: "so".into() };
        odds("p", 5.0, &powers.iter().map(shoe).collect::<Vec<_>>())
    }

    #[test]
    fn what_raises_an_alarm_stands_out_however_far_beyond_it_is() {
        let svg = drawn(&[Some(1.0), Some(5.0), None, Some(79.0)]);
        assert_eq!(svg.matches("class=\"dot told\"").count(), 2, "{svg}");
        assert!(svg.contains("cy=\"10\""), "drawn at the upper edge: {svg}");
        let path = svg.split("class=\"trend\" d=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(path.matches('M').count(), 2, "{path}");
    }

    #[test]
    fn odd_values_draw_something() {
        for powers in [&[][..], &[None], &[Some(f64::NAN)], &[Some(f64::INFINITY)], &[Some(-3.0)]] {
            let svg = drawn(powers);
            assert!(svg.ends_with("</svg>") && !svg.contains("NaN") && !svg.contains("<shoe>"), "{svg}");
        }
    }
}

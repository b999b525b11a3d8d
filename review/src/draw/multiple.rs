//! Small multiples: one quantity over weeks, with the band in which its true value may lie.

use super::{Num, Svg};

/// One span of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What it is called on the axis.
    pub name: String,
    /// The value; `None` where there is too little to tell.
    pub value: Option<f64>,
    /// The least and the most the true value may reasonably be.
    pub band: Option<(f64, f64)>,
}

impl Point {
    /// The same without numbers that lie nowhere on an axis.
    fn drawable(&self) -> Self {
        Self {
            name: self.name.clone(),
            value: self.value.filter(|value| value.is_finite()),
            band: self.band.filter(|(least, most)| least.is_finite() && most.is_finite()),
        }
    }
}

/// One quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is, for those who cannot see it.
    pub name: String,
    /// The value everything is compared with, such as the house's own.
    pub reference: Option<f64>,
    /// By time.
    pub points: Vec<Point>,
}

const SIZE: (f64, f64) = (360.0, 120.0);
const LEFT: f64 = 34.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 22.0;
/// The widest a band gets: a single week is a week, not the whole time.
const WIDEST: f64 = 28.0;

/// Draws a series. Where nothing can be told the band is missing, and no line bridges the hole.
pub fn multiple(series: &Series) -> String {
    let series = &Series { points: series.points.iter().map(Point::drawable).collect(), ..series.clone() };
    let mut svg = Svg::new("multiple", SIZE, &series.name);
    let bands = series.points.iter().filter_map(|point| point.band);
    let values = series.points.iter().filter_map(|point| point.value);
    let tops = bands.map(|band| band.1).chain(values).chain(series.reference);
    let top = nice(tops.fold(0.0, f64::max));
    let lows = series.points.iter().filter_map(|point| point.band.map(|band| band.0).or(point.value));
    let low = lows.fold(0.0, f64::min);
    let low = if low < 0.0 { -nice(-low) } else { 0.0 };
    let y = |value: f64| TOP + (SIZE.1 - TOP - BOTTOM) * (1.0 - (value.clamp(low, top) - low) / (top - low));
    let step = (SIZE.0 - LEFT - RIGHT) / (series.points.len().max(1)) as f64;
    let x = |at: usize| LEFT + (at as f64 + 0.5) * step;
    let middle = if low < 0.0 { 0.0 } else { top / 2.0 };
    for value in [low, middle, top] {
        svg.put(format_args!("<path class=\"axis\" d=\"M{} {}H{}\"/>", Num(LEFT), Num(y(value)), Num(SIZE.0 - RIGHT)));
        svg.text("tick", (LEFT - 5.0, y(value) + 4.0), &short(value));
    }
    if let Some(reference) = series.reference {
        svg.put(format_args!(
            "<path class=\"reference\" d=\"M{} {}H{}\"/>",
            Num(LEFT),
            Num(y(reference)),
            Num(SIZE.0 - RIGHT)
        ));
    }
    for (at, point) in series.points.iter().enumerate() {
        if let Some((least, most)) = point.band {
            svg.put(format_args!(
                "<rect class=\"band\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                Num(x(at) - step.min(WIDEST) / 2.0),
                Num(y(most)),
                Num(step.min(WIDEST)),
                Num((y(least) - y(most)).max(1.0))
            ));
        }
    }
    line(&mut svg, series, &x, &y);
    for (at, point) in series.points.iter().enumerate() {
        if let Some(value) = point.value {
            svg.put(format_args!(
                "<circle class=\"dot\" cx=\"{}\" cy=\"{}\" r=\"2.5\"><title>{}: {}</title></circle>",
                Num(x(at)),
                Num(y(value)),
                super::Esc(&point.name),
                short(value)
            ));
        }
    }
    let ends: &[_] = match series.points.len() {
        0 => &[],
        1 => &[(0, "tick only")],
        count => &[(0, "tick first"), (count - 1, "tick last")],
    };
    for &(at, class) in ends {
        if let Some(point) = series.points.get(at) {
            svg.text(class, (x(at), SIZE.1 - 6.0), &point.name);
        }
    }
    svg.finish()
}

fn line(svg: &mut Svg, series: &Series, x: &dyn Fn(usize) -> f64, y: &dyn Fn(f64) -> f64) {
    let mut path = String::new();
    let mut drawing = false;
    for (at, point) in series.points.iter().enumerate() {
        match point.value {
            Some(value) => {
                path.push_str(&format!("{}{} {}", if drawing { "L" } else { "M" }, Num(x(at)), Num(y(value))));
                drawing = true;
            }
            None => drawing = false,
        }
    }
    if !path.is_empty() {
        svg.put(format_args!("<path class=\"trend\" d=\"{path}\"/>"));
    }
}

/// The next of 1, 2, 5, 10, 20 … at or above a value.
fn nice(value: f64) -> f64 {
    let mut scale = 1.0;
    if value <= 0.0 || value > 1e12 {
        return 1.0_f64.max(value);
    }
    loop {
        for step in [1.0, 2.0, 5.0] {
            if step * scale >= value {
                return step * scale;
            }
        }
        scale *= 10.0;
    }
}

fn short(value: f64) -> String {
    let whole = value.fract().abs() < 0.05 || value.abs() >= 100.0;
    let told = if whole { format!("{value:.0}") } else { format!("{value:.1}") };
    told.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(values: &[Option<f64>]) -> Series {
        let point = |value: &Option<f64>| Point {
            name: "w".into(),
            value: *value,
            band: value.map(|value| (value / 2.0, value * 2.0)),
        };
        Series { name: "errors".into(), reference: Some(2.0), points: values.iter().map(point).collect() }
    }

    #[test]
    fn no_line_bridges_a_week_that_tells_nothing() {
        let svg = multiple(&series(&[Some(1.0), Some(2.0), None, Some(4.0)]));
        let path = svg.split("class=\"trend\" d=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(path.matches('M').count(), 2, "{path}");
        assert_eq!(svg.matches("class=\"band\"").count(), 3);
    }

    #[test]
    fn odd_values_draw_something() {
        for values in [&[][..], &[None], &[Some(0.0)], &[Some(f64::NAN)], &[Some(1e300)], &[Some(-5.0), Some(5.0)]] {
            let svg = multiple(&series(values));
            assert!(svg.ends_with("</svg>") && !svg.contains("NaN"), "{svg}");
        }
    }

    #[test]
    fn a_single_week_is_not_drawn_as_if_it_were_all_the_time() {
        let svg = multiple(&series(&[Some(-60.0)]));
        let band = svg.split("class=\"band\"").nth(1).unwrap().split("/>").next().unwrap();
        assert!(band.contains("width=\"28\""), "{band}");
        assert!(svg.contains('−'), "a minus, not a hyphen: {svg}");
    }

    #[test]
    fn a_single_week_is_named_once_and_below_it() {
        let names = |values: &[Option<f64>]| {
            let svg = multiple(&series(values));
            (svg.matches(">w</text>").count(), svg.contains("\"tick only\""))
        };
        assert_eq!(names(&[Some(2.0)]), (1, true));
        assert_eq!(names(&[Some(2.0), Some(3.0), Some(4.0)]), (2, false));
    }

    #[test]
    fn axes_end_at_round_numbers() {
        let ends = [0.3, 1.0, 3.0, 7.0, 120.0].map(|value| short(nice(value)));
        assert_eq!(ends, ["1", "1", "5", "10", "200"]);
    }
}

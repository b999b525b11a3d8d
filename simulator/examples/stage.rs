//! Draws the table from above as SVG, to look at layouts without a camera.
//!
//! `cargo run -p simulator --example stage -- OUT.svg GAME SEED SECOND` draws a random round at that second, with a second
//! for every step; `cargo run -p simulator --example stage -- OUT.svg still SEED` draws a random still.

use std::error::Error;
use std::fmt::Write as _;

use auditor::check::{Law, posted_limits};
use auditor::model::random::{self, Dice, Habits};
use auditor::rulebook::books;
use simulator::Dealt;
use simulator::video::geometry::{CARD, CHIP, Footprint, Geometry, Print, corners};
use simulator::video::random::scene;
use simulator::video::scene::{Point, Scene, Thing, Whose};
use simulator::video::stage::Stage;
use table::{Game, Ident, RoundId};

const LINES: [&str; 3] = ["BLACKJACK PAYS 3 TO 2", "DEALER MUST DRAW TO 16", "INSURANCE PAYS 2 TO 1"];

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let out = given.first().ok_or("say where the drawing goes")?;
    let seed = given.get(2).map_or(Ok(1), |seed| seed.parse())?;
    let (geometry, seen) = match given.get(1).map(String::as_str) {
        None | Some("still") => {
            let geometry = Geometry::new(7);
            let seen = scene(&mut Dice::new(seed), &geometry);
            (geometry, seen)
        }
        Some(game) => played(game, seed, given.get(3).map_or(Ok(20.0), |second| second.parse())?)?,
    };
    std::fs::write(out, drawn(&geometry, &seen)?)?;
    Ok(())
}

/// A random round of a game at a second.
fn played(game: &str, seed: u64, second: f64) -> Result<(Geometry, Scene), Box<dyn Error>> {
    let game = Game { name: game.parse()?, options: Default::default() };
    let law = Law::of(books::all()?, &game)?;
    let id = RoundId { table: Ident::unnamed_table(), shoe: 1, round: 1 };
    let habits = Habits { boxes: law.rules.boxes_max, ..Habits::default() };
    let mut round = random::fresh(&law.rules, &posted_limits(&law.rules), habits, seed, id, game)?;
    for (number, step) in round.steps.iter_mut().enumerate() {
        step.after = Some((number as u64 + 1) * 1_000_000);
        println!("{:3} {}", number + 1, step.act);
    }
    let dealt = Dealt { round, drawn: Vec::new(), shuffled: None, labels: Vec::new(), troubles: Vec::new() };
    let geometry = Geometry::new(law.rules.boxes_max);
    let mut stage = Stage::new(geometry.clone(), &Dice::new(seed), usize::from(law.rules.decks) * 52);
    let seen = stage.scenes(&dealt, 40_000).nth((second * 25.0) as usize).ok_or("the round is over by then")?;
    Ok((geometry, seen))
}

fn drawn(geometry: &Geometry, seen: &Scene) -> Result<String, Box<dyn Error>> {
    let mut svg = String::from(
        "<svg xmlns='http://www.w3.org/2000/svg' width='1400' height='860' viewBox='-1120 -150 2240 1376' \
         font-family='sans-serif' text-anchor='middle'><rect x='-1120' y='-150' width='2240' height='1376' fill='#444'/>",
    );
    writeln!(svg, "<polygon points='{}' fill='#0a6b3c'/>", path(&geometry.edge()))?;
    for print in geometry.layout(&LINES) {
        match print {
            Print::Circle { at, radius } => {
                writeln!(svg, "<circle cx='{}' cy='{}' r='{radius}' fill='none' stroke='#dc8'/>", at.x, at.y)?;
            }
            Print::Line(points) => {
                writeln!(svg, "<polyline points='{}' fill='none' stroke='#dc8'/>", path(&points))?;
            }
            Print::Text(line) => {
                let size = line.size * 1.4;
                writeln!(svg, "<text x='0' y='{}' font-size='{size}' fill='#dc8'>{}</text>", line.at.y, line.text)?;
            }
        }
    }
    for thing in &seen.things {
        draw(&mut svg, geometry, thing)?;
    }
    svg.push_str("</svg>");
    Ok(svg)
}

fn path(points: &[Point]) -> String {
    points.iter().map(|point| format!("{},{}", point.x, point.y)).collect::<Vec<_>>().join(" ")
}

fn draw(svg: &mut String, geometry: &Geometry, thing: &Thing) -> std::fmt::Result {
    match thing {
        Thing::Card { card, up, pose, .. } => {
            let fill = if *up { "white" } else { "#a33" };
            writeln!(svg, "<polygon points='{}' fill='{fill}' stroke='black'/>", path(&corners(*pose)))?;
            let (Point { x, y }, turn) = (pose.at, pose.turn.to_degrees());
            let (left, top) = (x - CARD.0 / 2.0 + 12.0, y - CARD.1 / 2.0 + 20.0);
            let face = if *up { card.pretty() } else { String::new() };
            writeln!(svg, "<text x='{left}' y='{top}' transform='rotate({turn} {x} {y})' font-size='18'>{face}</text>")
        }
        Thing::CutCard(pose) => writeln!(svg, "<polygon points='{}' fill='gold'/>", path(&corners(*pose))),
        Thing::Chips { at, stack, .. } => {
            let worth: i64 = stack.iter().map(|chip| chip.minor()).sum();
            let (radius, worth) = (CHIP / 2.0, worth as f64 / 100.0);
            writeln!(svg, "<circle cx='{}' cy='{}' r='{radius}' fill='#58c' stroke='white'/>", at.x, at.y)?;
            writeln!(svg, "<text x='{}' y='{}' font-size='16'>{worth}</text>", at.x, at.y + 6.0)
        }
        Thing::Lammer(at) => writeln!(svg, "<circle cx='{}' cy='{}' r='15' fill='yellow'/>", at.x, at.y),
        Thing::Arm { elbow, hand, whose, points, .. } => {
            let colour = if *whose == Whose::Dealer { "#222" } else { "#a73" };
            let ends = path(&[*elbow, *hand]);
            writeln!(svg, "<polyline points='{ends}' stroke='{colour}' stroke-width='60' opacity='0.6'/>")?;
            let radius = if *points { 14 } else { 38 };
            writeln!(svg, "<circle cx='{}' cy='{}' r='{radius}' fill='#fca' opacity='0.7'/>", hand.x, hand.y)
        }
        Thing::Shoe(cards) => furniture(svg, geometry.shoe(), *cards),
        Thing::Rack(cards) => furniture(svg, geometry.rack(), *cards),
        Thing::Tray => furniture(svg, geometry.tray(), 0),
        Thing::Clutter { kind, pose } => {
            writeln!(svg, "<circle cx='{}' cy='{}' r='30' fill='#999'/>", pose.at.x, pose.at.y)?;
            writeln!(svg, "<text x='{}' y='{}' font-size='16'>{kind}</text>", pose.at.x, pose.at.y)
        }
    }
}

fn furniture(svg: &mut String, footprint: Footprint, cards: usize) -> std::fmt::Result {
    let Footprint { pose, width, depth } = footprint;
    let (x, y, turn) = (pose.at.x, pose.at.y, pose.turn.to_degrees());
    let (left, top) = (x - width / 2.0, y - depth / 2.0);
    writeln!(
        svg,
        "<rect x='{left}' y='{top}' width='{width}' height='{depth}' transform='rotate({turn} {x} {y})' fill='#777'/>\
         <text x='{x}' y='{y}' font-size='20'>{cards}</text>"
    )
}

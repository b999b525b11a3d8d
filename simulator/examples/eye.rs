//! Writes what a camera sees of a table to a PNG file, to be looked at.
//!
//!     cargo run -p simulator --example eye -- OUT.png [overhead|oblique|close|random] [SEED]

use std::error::Error;

use auditor::model::random::Dice;
use simulator::art::Design;
use simulator::video::camera::{Camera, Size, View};
use simulator::video::effects::Conditions;
use simulator::video::eye::Eye;
use simulator::video::felt::Look;
use simulator::video::geometry::Geometry;
use simulator::video::random;
use tiny_skia::Pixmap;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let out = words.next().ok_or("where to? give the name of a PNG file")?;
    let view = words.next().unwrap_or_else(|| "overhead".to_owned());
    let mut dice = Dice::new(words.next().map_or(Ok(1), |seed| seed.parse())?);

    let size = Size::FULL_HD;
    let geometry = Geometry::new(7);
    let view = match view.as_str() {
        "oblique" => View::oblique(0.85).showing(&geometry.edge(), size),
        "close" => View::oblique(0.5).with_card(160.0, size),
        "random" => View::random(&mut dice, size),
        _ => View::overhead().showing(&geometry.edge(), size),
    };
    let lines = ["BLACKJACK PAYS 3 TO 2", "DEALER MUST DRAW TO 16 AND STAND ON ALL 17S", "INSURANCE PAYS 2 TO 1"];
    let design = dice.pick(Design::ALL).copied().ok_or("no deck")?;
    let look = Look::new(geometry.clone(), lines.map(str::to_owned).to_vec(), design);
    let conditions = Conditions::ordinary(&mut dice);
    let mut eye = Eye::new(Camera::new(view, size), &look, conditions, &dice);
    let (frame, cards) = eye.see(&random::scene(&mut dice, &geometry));

    let mut picture = Pixmap::new(size.width() as u32, size.height() as u32).ok_or("no picture")?;
    for (to, from) in picture.data_mut().chunks_exact_mut(4).zip(frame.to_rgb().chunks_exact(3)) {
        to[..3].copy_from_slice(from);
        to[3] = 255;
    }
    picture.save_png(&out)?;
    println!("{} cards in {out}", cards.len());
    Ok(())
}

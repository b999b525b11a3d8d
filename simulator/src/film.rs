//! Filming a shift: stage, camera and encoder as one, fed with rounds and giving pictures with their truth.

use auditor::model::random::Dice;
use table::tape::Picture;
use table::{Ident, SideBet};

use crate::Dealt;
use crate::art::Design;
use crate::setup::Setup;
use crate::truth::Frame;
use crate::video::camera::{Camera, Size, View};
use crate::video::effects::Conditions;
use crate::video::encode::{EncodeError, Encoder, Packing};
use crate::video::eye::Eye;
use crate::video::felt::Look;
use crate::video::geometry::Geometry;
use crate::video::stage::Stage;

/// How a table is filmed.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The size of the picture.
    pub size: Size,
    /// Pictures a second.
    pub fps: u32,
    /// From where.
    pub view: View,
    /// How wide a card in the middle is, in pixels; otherwise the whole table is in the picture.
    pub card_px: Option<f64>,
    /// With which cards.
    pub design: Design,
    /// Whether the picture is spared what real ones suffer.
    pub clear: bool,
    /// How much the encoder may lose: 18 is nothing one could see, 35 a lot.
    pub crf: u8,
    /// Seconds from one frame that stands alone to the next; often enough to begin anywhere if nothing is said.
    pub key_seconds: Option<u32>,
    /// How many seconds of play are filmed, to the end of the round; all of it if nothing is said.
    pub seconds: Option<u64>,
}

/// A table being filmed.
pub struct Film {
    camera: Ident,
    stage: Stage,
    eye: Eye,
    encoder: Encoder,
    micros_per_frame: u32,
    /// Frames still to be taken.
    left: Option<u64>,
}

/// What a stretch of play gave.
#[derive(Default)]
pub struct Footage {
    /// Pictures as they come out of the encoder, which may be some frames behind.
    pub pictures: Vec<Picture>,
    /// What is in the frames that went in.
    pub truths: Vec<Frame>,
}

impl Film {
    /// Sets the camera up.
    pub fn begin(setup: &Setup, camera: Ident, shot: &Shot, dice: &Dice) -> Result<Self, EncodeError> {
        let dice = dice.fork("film");
        let geometry = geometry(setup);
        let micros_per_frame = 1_000_000 / shot.fps.max(1);
        let mut packing = Packing { crf: shot.crf, ..Packing::at(micros_per_frame) };
        if let Some(seconds) = shot.key_seconds {
            packing.key_every = seconds.saturating_mul(shot.fps).max(1);
        }
        let look = Look::new(geometry.clone(), print(setup), shot.design);
        let conditions = if shot.clear { Conditions::clear() } else { Conditions::ordinary(&mut dice.fork("light")) };
        Ok(Self {
            camera,
            stage: Stage::new(geometry.clone(), &dice, usize::from(setup.law.rules.decks) * 52),
            eye: Eye::new(eye(shot, &geometry), &look, conditions, &dice),
            encoder: Encoder::start(shot.size, &packing)?,
            micros_per_frame,
            left: shot.seconds.map(|seconds| seconds.saturating_mul(u64::from(shot.fps))),
        })
    }
}

impl Film {
    /// Whether as much was filmed as was asked for.
    pub fn is_over(&self) -> bool {
        self.left == Some(0)
    }

    /// Films a round.
    pub fn round(&mut self, dealt: &Dealt) -> Result<Footage, EncodeError> {
        let mut footage = Footage::default();
        for scene in self.stage.scenes(dealt, self.micros_per_frame) {
            let (frame, cards) = self.eye.see(&scene);
            footage.pictures.extend(self.encoder.push(frame, scene.at)?);
            footage.truths.push(Frame { camera: self.camera.clone(), at: scene.at, cards });
        }
        self.left = self.left.map(|left| left.saturating_sub(footage.truths.len() as u64));
        Ok(footage)
    }

    /// The last pictures.
    pub fn finish(self) -> Result<Vec<Picture>, EncodeError> {
        self.encoder.finish()
    }
}

/// The camera of a shot: as the shot says, and from as near as shows the whole table unless it says how near.
pub(crate) fn eye(shot: &Shot, geometry: &Geometry) -> Camera {
    let view = match shot.card_px {
        Some(pixels) => shot.view.with_card(pixels, shot.size),
        None => shot.view.showing(&geometry.edge(), shot.size),
    };
    Camera::new(view, shot.size)
}

/// Where everything is on a table of this setup.
pub(crate) fn geometry(setup: &Setup) -> Geometry {
    let rules = &setup.law.rules;
    let sides: Vec<SideBet> = SideBet::ALL.iter().copied().filter(|bet| rules.side(*bet).is_some()).collect();
    Geometry::new(setup.boxes).offering(&sides)
}

/// What is printed on the felt.
fn print(setup: &Setup) -> Vec<String> {
    let rules = &setup.law.rules;
    let mut lines = vec![format!("BLACKJACK PAYS {} TO {}", rules.bj_pays.pays(), rules.bj_pays.per())];
    lines.push("DEALER MUST DRAW TO 16".to_owned());
    let insurance = rules.insurance_pays;
    lines.push(format!("INSURANCE PAYS {} TO {}", insurance.pays(), insurance.per()));
    lines
}

//! Filming a shift: stage, camera and encoder as one, fed with rounds and giving pictures with their truth.

use auditor::model::random::Dice;
use table::tape::Picture;
use table::{Ident, SideBet, Utc};

use crate::Dealt;
use crate::art::Design;
use crate::setup::Setup;
use crate::truth::Frame;
use crate::video;
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
    /// From where: a camera each.
    pub views: Vec<View>,
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
    /// When something is held before the last of the cameras.
    pub covered: Option<Covered>,
}

/// A stretch of film in which a camera sees nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covered {
    /// Seconds of film before it.
    pub from: u32,
    /// How many seconds it lasts.
    pub seconds: u32,
}

impl Covered {
    /// Whether it lasts at a time, in microseconds of film.
    fn at(self, micros: i64) -> bool {
        let from = i64::from(self.from) * 1_000_000;
        (from..from + i64::from(self.seconds) * 1_000_000).contains(&micros)
    }
}

/// A table being filmed.
pub struct Film {
    stage: Stage,
    angles: Vec<Angle>,
    covered: Option<Covered>,
    /// When the first picture was taken.
    begun: Option<Utc>,
    micros_per_frame: u32,
    /// Frames still to be taken.
    left: Option<u64>,
}

/// One camera and what packs its pictures.
struct Angle {
    camera: Ident,
    eye: Eye,
    encoder: Encoder,
    /// The time of the last picture that came out of the encoder.
    developed: Option<Utc>,
}

impl Angle {
    /// Takes pictures as they come out of the encoder.
    fn named(&mut self, pictures: Vec<Picture>) -> impl Iterator<Item = (Ident, Picture)> {
        self.developed = pictures.last().map(|picture| picture.at).or(self.developed);
        let camera = self.camera.clone();
        pictures.into_iter().map(move |picture| (camera.clone(), picture))
    }
}

/// What a stretch of play gave.
#[derive(Default)]
pub struct Footage {
    /// Pictures with their cameras as they come out of the encoders, which may be some frames behind.
    pub pictures: Vec<(Ident, Picture)>,
    /// What is in the frames that went in.
    pub truths: Vec<Frame>,
}

impl Film {
    /// Sets the cameras up, each with a name.
    pub fn begin<'a>(
        setup: &Setup,
        names: impl Iterator<Item = &'a Ident>,
        shot: &Shot,
        dice: &Dice,
    ) -> Result<Self, EncodeError> {
        let dice = dice.fork("film");
        let geometry = geometry(setup);
        let micros_per_frame = 1_000_000 / shot.fps.max(1);
        let mut packing = Packing { crf: shot.crf, ..Packing::at(micros_per_frame) };
        if let Some(seconds) = shot.key_seconds {
            packing.key_every = seconds.saturating_mul(shot.fps).max(1);
        }
        let look = Look::new(geometry.clone(), print(setup), shot.design);
        let conditions = if shot.clear { Conditions::clear() } else { Conditions::ordinary(&mut dice.fork("light")) };
        let mut angles: Vec<Angle> = Vec::new();
        for (camera, view) in names.zip(&shot.views) {
            // Each sensor has noise of its own.
            let dice = if angles.is_empty() { dice.clone() } else { dice.fork(camera.as_str()) };
            let eye = Eye::new(eye(shot, view, &geometry), &look, conditions.clone(), &dice);
            let encoder = Encoder::start(shot.size, &packing)?;
            angles.push(Angle { camera: camera.clone(), eye, encoder, developed: None });
        }
        Ok(Self {
            stage: Stage::new(geometry, &dice, usize::from(setup.law.rules.decks) * 52),
            angles,
            covered: shot.covered,
            begun: None,
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
            let begun = *self.begun.get_or_insert(scene.at);
            let last = self.angles.len().saturating_sub(1);
            for (number, angle) in self.angles.iter_mut().enumerate() {
                let covered = self.covered.filter(|_| number == last);
                let dark = covered.is_some_and(|covered| covered.at(scene.at.micros() - begun.micros()));
                let (frame, cards) = angle.eye.see(&scene);
                let (pictures, cards) = if dark {
                    (angle.encoder.push(&video::frame::Frame::dark(frame.size()), scene.at)?, Vec::new())
                } else {
                    (angle.encoder.push(frame, scene.at)?, cards)
                };
                footage.truths.push(Frame { camera: angle.camera.clone(), at: scene.at, cards });
                footage.pictures.extend(angle.named(pictures));
            }
            self.left = self.left.map(|left| left.saturating_sub(1));
        }
        Ok(footage)
    }

    /// Up to when the pictures of all cameras have come out of their encoders; none before the first.
    pub fn developed(&self) -> Option<Utc> {
        self.angles.iter().map(|angle| angle.developed).min().flatten()
    }

    /// The last pictures.
    pub fn finish(self) -> Result<Vec<(Ident, Picture)>, EncodeError> {
        let mut rest = Vec::new();
        for Angle { camera, encoder, .. } in self.angles {
            rest.extend(encoder.finish()?.into_iter().map(|picture| (camera.clone(), picture)));
        }
        Ok(rest)
    }
}

/// A camera of a shot: as its view says, and from as near as shows the whole table unless the shot says how near.
pub(crate) fn eye(shot: &Shot, view: &View, geometry: &Geometry) -> Camera {
    let view = match shot.card_px {
        Some(pixels) => view.with_card(pixels, shot.size),
        None => view.showing(&geometry.edge(), shot.size),
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

//! The eye in the sky: a camera with its table, its light and its sensor. Scenes in; frames and the truth about them out.

use auditor::model::random::Dice;

use super::camera::Camera;
use super::effects::{Conditions, Effects};
use super::felt::Look;
use super::frame::Frame;
use super::render::Renderer;
use super::scene::Scene;
use crate::truth::CardSeen;

/// A camera at work.
pub struct Eye {
    renderer: Renderer,
    effects: Effects,
}

impl Eye {
    /// A camera above a table of this look, under these conditions.
    pub fn new(camera: Camera, look: &Look, conditions: Conditions, dice: &Dice) -> Self {
        let effects = Effects::new(&camera, conditions, &dice.fork("effects"));
        Self { renderer: Renderer::new(camera, look), effects }
    }

    /// The next frame, and the cards that are in it.
    pub fn see(&mut self, scene: &Scene) -> (&Frame, Vec<CardSeen>) {
        self.renderer.show(scene);
        let cards = self.renderer.cards();
        let frame = self.effects.develop(self.renderer.canvas(), self.renderer.changed());
        self.renderer.settle();
        (frame, cards)
    }

    /// The renderer, for what it knows of the last scene.
    pub const fn renderer(&self) -> &Renderer {
        &self.renderer
    }
}

//! The gate: which parts of a camera's picture are worth a look.
//!
//! It sees every frame, so it must cost next to nothing: brightness at an eighth of the size, compared cell by cell with
//! the frame before and with what was there when the part was last looked at. A part is ripe when it differs from then
//! and nothing in it has moved for a moment.

use ingest::camera::{ImageError, View};
use opencv::core::{Mat, MatTraitConst, Rect, Size};
use opencv::imgproc;
use opencv::prelude::MatTraitConstManual;

use crate::vision::Quad;

/// Pixels to a cell, each way.
pub(super) const CELL: i32 = 8;
/// Brightness by which a cell of the frame before must differ to count as moving.
const MOVES: u8 = 12;
/// Brightness by which a cell must differ from when it was looked at to be worth another look.
const DIFFERS: u8 = 16;
/// Cells of a part that count: fewer are noise. A card that is turned over changes some dozens.
const LEAST: usize = 6;
/// Microseconds without movement after which a part counts as settled.
pub(super) const SETTLED: i64 = 160_000;
/// Cells around a part in which nothing may move either: a hand that is about to leave still covers something.
const CLEAR: usize = 3;
/// A part that is ripe but for movement beside it is looked at after so long all the same, in microseconds.
const PATIENCE: i64 = 1_500_000;
/// Cells that differ belong together if no more than so many lie between.
const BRIDGED: usize = 3;
/// More than this part of all cells moving at once: the camera was pushed, or the light switched.
const JUMP: f32 = 0.55;
/// What lies still for so long without being a card is felt, or may count as such, in microseconds.
const FELT: i64 = 1_500_000;
/// Brightness by which bare felt may differ from felt,
const LIKE_FELT: u8 = 14;
/// and by which a card must differ from it at least, or it cannot be told from felt there. Some backs are as dark.
const UNLIKE_FELT: u8 = 8;
/// A picture whose cells differ less than this from their mean shows nothing, if they used to differ more than so many times
/// as much: something is held before the camera. A whole table may differ by less than four times the first.
const NOTHING: (f32, f32) = (4.0, 2.5);

/// What the gate makes of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// The whole picture: it is the first, or everything has changed.
    All,
    /// These parts, in pixels; often none.
    Parts(Vec<Rect>),
    /// Nothing, not even where a second look was wanted: something is held before the camera.
    Covered,
}

/// The gate of one camera.
#[derive(Default)]
pub(super) struct Gate {
    width: usize,
    height: usize,
    /// Brightness a cell: the last frame, what was looked at, the bare table, and the last card seen there.
    before: Vec<u8>,
    looked: Vec<u8>,
    felt: Vec<u8>,
    card: Vec<u8>,
    /// When each cell last moved, and since when it differs from what was looked at, in microseconds.
    moved: Vec<i64>,
    differs: Vec<i64>,
    /// When the bare table was last brought up to date.
    refreshed: i64,
    jumped: bool,
    /// How much cells differ from their mean, as a rule.
    contrast: f32,
    small: Mat,
}

impl Gate {
    /// Takes the next frame's brightness, at a time in microseconds.
    pub(super) fn pass(&mut self, luma: &View<'_>, at: i64) -> Result<Worth, ImageError> {
        let (width, height) = ((luma.cols() / CELL).max(1), (luma.rows() / CELL).max(1));
        // Bilinear, so four pixels of a cell's sixty-four: enough to notice things as large as a card.
        imgproc::resize(luma, &mut self.small, Size::new(width, height), 0.0, 0.0, imgproc::INTER_LINEAR)?;
        let cells = self.small.data_typed::<u8>()?;
        if (self.width, self.height) != (width as usize, height as usize) {
            (self.width, self.height) = (width as usize, height as usize);
            self.before = cells.to_vec();
            self.looked = cells.to_vec();
            self.felt = cells.to_vec();
            self.card = cells.to_vec();
            self.moved = vec![at - FELT; cells.len()];
            self.differs = vec![i64::MAX; cells.len()];
            self.refreshed = at;
            self.jumped = false;
            self.contrast = contrast(cells);
            return Ok(Worth::All);
        }
        if self.is_covered(cells) {
            return Ok(Worth::Covered);
        }
        let mut moving = 0_usize;
        let mut any = false;
        let kept = self.before.iter_mut().zip(&self.looked).zip(self.moved.iter_mut()).zip(self.differs.iter_mut());
        for ((((before, looked), moved), differs), now) in kept.zip(cells) {
            if now.abs_diff(*before) > MOVES {
                *moved = at;
                moving += 1;
            }
            *before = *now;
            if now.abs_diff(*looked) > DIFFERS {
                *differs = (*differs).min(at);
                any = true;
            } else {
                *differs = i64::MAX;
            }
        }
        self.jumped |= moving as f32 > JUMP * self.before.len() as f32;
        if self.jumped {
            let calm = self.moved.iter().all(|moved| at - moved >= SETTLED);
            self.jumped = !calm;
            if calm {
                self.looked.clone_from(&self.before);
                self.felt.clone_from(&self.before);
            }
            return Ok(if calm { Worth::All } else { Worth::Parts(Vec::new()) });
        }
        Ok(Worth::Parts(if any { self.ripe(at) } else { Vec::new() }))
    }

    /// Whether a picture shows nothing at all. It tells nothing of any card then, so nothing is compared with it.
    fn is_covered(&self, cells: &[u8]) -> bool {
        let (least, times) = NOTHING;
        let now = contrast(cells);
        now < least && self.contrast > times * now
    }

    /// Whether nothing has moved for a moment in a part of the picture.
    pub(super) fn is_settled(&self, part: Rect, at: i64) -> bool {
        self.cells(part).all(|cell| at - self.moved[cell] >= SETTLED)
    }

    /// How much of a card's place shows what was there before any card.
    pub(super) fn bare(&self, quad: &Quad) -> f32 {
        self.bare_of(&self.under(quad)).unwrap_or(0.0)
    }

    /// The same for what lies beyond these outlines; none if that is too little to tell.
    pub(super) fn bare_beyond(&self, quad: &Quad, outlines: &[Quad]) -> Option<f32> {
        let beyond = |cell: &usize| !outlines.iter().any(|outline| outline.holds(self.middle(*cell)));
        let cells: Vec<usize> = self.under(quad).into_iter().filter(beyond).collect();
        self.bare_of(&cells)
    }

    /// The part of these cells that shows what was there before any card; none if too few of them could tell.
    fn bare_of(&self, cells: &[usize]) -> Option<f32> {
        let tells = |cell: &&usize| self.card[**cell].abs_diff(self.felt[**cell]) >= UNLIKE_FELT;
        let like_felt = |cell: &&usize| {
            let (now, felt) = (self.before[**cell], self.felt[**cell]);
            now.abs_diff(felt) <= LIKE_FELT && now.abs_diff(felt) < now.abs_diff(self.card[**cell])
        };
        let telling = cells.iter().filter(tells).count();
        let bare = cells.iter().filter(tells).filter(like_felt).count();
        (telling >= LEAST).then(|| bare as f32 / telling as f32)
    }

    /// Learns how a card looks that was seen here.
    pub(super) fn lay(&mut self, quad: &Quad) {
        for cell in self.under(quad) {
            self.card[cell] = self.before[cell];
        }
    }

    /// Learns the bare table wherever none of these cards lies and nothing has moved for long; once a second will do.
    pub(super) fn learn(&mut self, at: i64, cards: &mut dyn Iterator<Item = Quad>) {
        if at - self.refreshed < 1_000_000 {
            return;
        }
        self.refreshed = at;
        self.contrast = contrast(&self.before);
        let mut covered = vec![false; self.before.len()];
        for card in cards {
            for cell in self.under(&card) {
                covered[cell] = true;
            }
        }
        for (cell, covered) in covered.into_iter().enumerate() {
            if !covered && at - self.moved[cell] >= FELT {
                self.felt[cell] = self.before[cell];
                // Daylight changes slowly; what differs more is looked at instead.
                if self.before[cell].abs_diff(self.looked[cell]) <= DIFFERS {
                    self.looked[cell] = self.before[cell];
                }
            }
        }
    }

    /// Parts that differ and have settled. They count as looked at from now on.
    fn ripe(&mut self, at: i64) -> Vec<Rect> {
        let mut parts = Vec::new();
        let mut done = vec![false; self.differs.len()];
        for first in 0..self.differs.len() {
            if done[first] || self.differs[first] == i64::MAX {
                continue;
            }
            let group = self.group(first, &mut done);
            if group.count < LEAST {
                continue;
            }
            let near = group.wider(CLEAR, self.width, self.height);
            let calm = near.cells(self.width).all(|cell| at - self.moved[cell] >= SETTLED);
            let still = group.cells(self.width).all(|cell| at - self.moved[cell] >= SETTLED);
            if calm || (still && at - group.since >= PATIENCE) {
                for cell in group.cells(self.width) {
                    self.looked[cell] = self.before[cell];
                    self.differs[cell] = i64::MAX;
                }
                parts.push(group.pixels());
            }
        }
        parts
    }

    /// All cells that differ and hang together with one.
    fn group(&self, first: usize, done: &mut [bool]) -> Group {
        let (x, y) = (first % self.width, first / self.width);
        let mut group = Group { left: x, right: x, top: y, bottom: y, count: 0, since: i64::MAX };
        let mut open = vec![first];
        done[first] = true;
        while let Some(cell) = open.pop() {
            let (x, y) = (cell % self.width, cell / self.width);
            group.left = group.left.min(x);
            group.right = group.right.max(x);
            group.top = group.top.min(y);
            group.bottom = group.bottom.max(y);
            group.count += 1;
            group.since = group.since.min(self.differs[cell]);
            for row in y.saturating_sub(BRIDGED)..(y + BRIDGED + 1).min(self.height) {
                for column in x.saturating_sub(BRIDGED)..(x + BRIDGED + 1).min(self.width) {
                    let next = row * self.width + column;
                    if !done[next] && self.differs[next] != i64::MAX {
                        done[next] = true;
                        open.push(next);
                    }
                }
            }
        }
        group
    }

    fn cells(&self, part: Rect) -> impl Iterator<Item = usize> + use<> {
        let along = |at: i32, most: usize| (at.max(0) as usize / CELL as usize).min(most);
        let (left, right) = (along(part.x, self.width), along(part.x + part.width + CELL - 1, self.width));
        let (top, bottom) = (along(part.y, self.height), along(part.y + part.height + CELL - 1, self.height));
        let width = self.width;
        (top..bottom).flat_map(move |row| (left..right).map(move |column| row * width + column))
    }

    fn under(&self, quad: &Quad) -> Vec<usize> {
        let [left, top, right, bottom] = quad.bounds().map(|along| along.clamp(-1e5, 1e5) as i32);
        let within = |cell: &usize| quad.holds(self.middle(*cell));
        self.cells(Rect::new(left, top, right - left, bottom - top)).filter(within).collect()
    }

    /// The middle of a cell, in pixels.
    fn middle(&self, cell: usize) -> [f32; 2] {
        let along = |cells: usize| (cells * CELL as usize + CELL as usize / 2) as f32;
        [along(cell % self.width), along(cell / self.width)]
    }
}

/// How much cells differ from their mean, on average.
fn contrast(cells: &[u8]) -> f32 {
    let count = cells.len().max(1) as f32;
    let mean = cells.iter().map(|cell| u64::from(*cell)).sum::<u64>() as f32 / count;
    cells.iter().map(|cell| (f32::from(*cell) - mean).abs()).sum::<f32>() / count
}

/// Cells that hang together: the rows and columns they take up, both ends included.
struct Group {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
    count: usize,
    since: i64,
}

impl Group {
    fn wider(&self, by: usize, width: usize, height: usize) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            right: (self.right + by).min(width - 1),
            top: self.top.saturating_sub(by),
            bottom: (self.bottom + by).min(height - 1),
            ..*self
        }
    }

    fn cells(&self, width: usize) -> impl Iterator<Item = usize> + use<> {
        let (left, right) = (self.left, self.right);
        (self.top..=self.bottom).flat_map(move |row| (left..=right).map(move |column| row * width + column))
    }

    fn pixels(&self) -> Rect {
        let at = |cell: usize| cell as i32 * CELL;
        let (x, y) = (at(self.left), at(self.top));
        Rect::new(x, y, at(self.right) + CELL - x, at(self.bottom) + CELL - y)
    }
}

#[cfg(test)]
mod tests {
    use ingest::camera::Image;

    use super::*;

    /// A grey table of 320 by 240 with white rectangles on it.
    fn frame(white: &[Rect]) -> Image {
        let (width, height) = (320, 240);
        let mut luma = vec![90_u8; width * height];
        for part in white {
            for y in part.y..part.y + part.height {
                let row = y as usize * width;
                luma[row + part.x as usize..row + (part.x + part.width) as usize].fill(230);
            }
        }
        luma.resize(width * height * 3 / 2, 128);
        Image::from_i420(320, 240, &luma).unwrap()
    }

    fn pass(gate: &mut Gate, image: &Image, at: i64) -> Worth {
        image.with_luma(|luma| gate.pass(luma, at)).unwrap()
    }

    #[test]
    fn a_card_is_worth_a_look_once_it_lies_still() {
        let mut gate = Gate::default();
        assert_eq!(pass(&mut gate, &frame(&[]), 0), Worth::All);
        // It slides for ten frames.
        for step in 0..10 {
            let sliding = frame(&[Rect::new(40 + 8 * step, 80, 48, 64)]);
            assert_eq!(pass(&mut gate, &sliding, 40_000 * i64::from(step + 1)), Worth::Parts(vec![]), "{step}");
        }
        let lying = frame(&[Rect::new(120, 80, 48, 64)]);
        let mut looks = Vec::new();
        for step in 11..40 {
            if let Worth::Parts(parts) = pass(&mut gate, &lying, 40_000 * step) {
                looks.extend(parts.into_iter().map(|part| (step, part)));
            }
        }
        let [(step, part)] = looks[..] else { panic!("one look, not {looks:?}") };
        assert!((14..=16).contains(&step), "after 160 ms: {step}");
        assert_eq!(part & Rect::new(120, 80, 48, 64), Rect::new(120, 80, 48, 64));
        assert!(part.width < 80, "{part:?}");
    }

    #[test]
    fn where_a_card_lay_the_table_is_bare_again() {
        let mut gate = Gate::default();
        let quad = Quad([[120.0, 80.0], [168.0, 80.0], [168.0, 144.0], [120.0, 144.0]]);
        pass(&mut gate, &frame(&[]), 0);
        pass(&mut gate, &frame(&[Rect::new(120, 80, 48, 64)]), 40_000);
        gate.lay(&quad);
        assert!(gate.bare(&quad) < 0.1);
        pass(&mut gate, &frame(&[]), 80_000);
        assert!(gate.bare(&quad) > 0.9);
    }

    #[test]
    fn a_back_that_is_mostly_as_bright_as_felt_does_not_look_bare() {
        let mut gate = Gate::default();
        let quad = Quad([[120.0, 80.0], [168.0, 80.0], [168.0, 144.0], [120.0, 144.0]]);
        pass(&mut gate, &frame(&[]), 0);
        // Only its middle is printed in another colour.
        pass(&mut gate, &frame(&[Rect::new(136, 96, 16, 32)]), 40_000);
        gate.lay(&quad);
        assert!(gate.bare(&quad) < 0.1);
        pass(&mut gate, &frame(&[]), 80_000);
        assert!(gate.bare(&quad) > 0.9);
        gate.lay(&quad);
        assert!(gate.bare_beyond(&quad, &[]).is_none(), "what looks like felt all over cannot be told from it");
    }

    #[test]
    fn a_pushed_camera_makes_one_look_at_everything_when_it_hangs_still() {
        let mut gate = Gate::default();
        pass(&mut gate, &frame(&[]), 0);
        let all = Rect::new(0, 0, 320, 240);
        let looks: Vec<Worth> = (1..12).map(|step| pass(&mut gate, &frame(&[all]), 40_000 * step)).collect();
        assert_eq!(looks.iter().filter(|worth| **worth == Worth::All).count(), 1, "{looks:?}");
    }

    #[test]
    fn a_camera_that_is_covered_for_a_while_sees_the_same_table_afterwards() {
        let mut gate = Gate::default();
        let cards: Vec<Rect> = (0..4).map(|number| Rect::new(20 + 70 * number, 80, 48, 64)).collect();
        let quad = Quad([[20.0, 80.0], [68.0, 80.0], [68.0, 144.0], [20.0, 144.0]]);
        pass(&mut gate, &frame(&[]), 0);
        for step in 1..30 {
            pass(&mut gate, &frame(&cards), 40_000 * step);
        }
        gate.lay(&quad);
        gate.learn(40_000 * 29, &mut std::iter::once(quad));
        let mut dark = vec![22_u8; 320 * 240];
        dark.resize(320 * 240 * 3 / 2, 128);
        let dark = Image::from_i420(320, 240, &dark).unwrap();
        for step in 30..60 {
            assert_eq!(pass(&mut gate, &dark, 40_000 * step), Worth::Covered, "{step}");
        }
        assert!(gate.bare(&quad) < 0.1, "no card has left for it");
        for step in 60..90 {
            assert_eq!(pass(&mut gate, &frame(&cards), 40_000 * step), Worth::Parts(vec![]), "{step}");
        }
    }

    #[test]
    fn noise_is_worth_nothing() {
        let mut gate = Gate::default();
        pass(&mut gate, &frame(&[]), 0);
        for step in 1..30 {
            let speck = frame(&[Rect::new((step * 37 % 300) as i32, (step * 53 % 200) as i32, 6, 6)]);
            assert_eq!(pass(&mut gate, &speck, 40_000 * step), Worth::Parts(vec![]));
        }
    }
}

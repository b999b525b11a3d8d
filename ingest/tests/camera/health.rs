//! The picture watched over: each thing that can be wrong with it is told within seconds, and play alone never is.

use auditor::model::random::Dice;
use ingest::camera::health::{Condition, Gauge, Watch};
use ingest::camera::{self, Image, Mode, News, Told};
use simulator::art::Design;
use simulator::video::camera::{Camera, Size, View};
use simulator::video::effects::Conditions;
use simulator::video::eye::Eye;
use simulator::video::felt::Look;
use simulator::video::frame::Frame;
use simulator::video::geometry::Geometry;
use simulator::video::scene::{Point, Pose, Scene, Thing, Whose};
use table::Utc;

use crate::ends::{PATIENCE, file, film};

/// Five pictures in a second are looked at.
const STEP: i64 = 200_000;

/// A table under a camera, with play going on.
struct Table {
    eye: Eye,
    looks: i64,
}

impl Table {
    fn new(defocus: f32, aside: f32) -> Self {
        let size = Size::new(480, 270);
        let geometry = Geometry::new(7);
        let view = View::overhead().showing(&geometry.edge(), size);
        let target = Point { x: view.target.x + aside, ..view.target };
        let look = Look::new(geometry, vec!["BLACKJACK PAYS 3 TO 2".to_owned()], Design::ALL[0]);
        let mut dice = Dice::new(5);
        let conditions = Conditions { defocus, ..Conditions::ordinary(&mut dice) };
        Self { eye: Eye::new(Camera::new(View { target, ..view }, size), &look, conditions, &dice), looks: 0 }
    }

    /// The next picture: cards come and go, the dealer's arm sweeps over the table and a guest leans in at times.
    fn look(&mut self) -> Frame {
        self.looks += 1;
        let beat = self.looks as f32;
        let card = |number: i64| Thing::Card {
            card: "QH".parse().unwrap(),
            up: true,
            pose: Pose { at: Point { x: -400.0 + 130.0 * number as f32, y: 480.0 }, turn: 0.2, lift: 0.0 },
            at: None,
        };
        let mut things: Vec<Thing> = (0..self.looks / 4 % 8).map(card).collect();
        let arm = |elbow: Point, hand: Point, whose| Thing::Arm { elbow, hand, lift: 60.0, whose, points: false };
        let hand = Point { x: 500.0 * (0.7 * beat).sin(), y: 350.0 + 150.0 * (0.9 * beat).cos() };
        things.push(arm(Point { x: 100.0, y: -300.0 }, hand, Whose::Dealer));
        if self.looks / 20 % 3 == 1 {
            for reach in 0..4 {
                let x = -300.0 + 60.0 * reach as f32;
                things.push(arm(Point { x, y: 1100.0 }, Point { x, y: 300.0 }, Whose::Dealer));
            }
        }
        self.eye.see(&Scene { at: Utc::EPOCH, things }).0.clone()
    }
}

/// A camera's pictures being looked at.
#[derive(Default)]
struct Officer {
    gauge: Gauge,
    watch: Watch,
    looks: i64,
    told: Vec<(i64, Condition)>,
}

impl Officer {
    /// Looks at pictures for so many seconds; gives what was told, with the second it was told in.
    fn watch(&mut self, seconds: i64, mut picture: impl FnMut(i64) -> Frame) -> Vec<(i64, Condition)> {
        for look in 0..seconds * 5 {
            let frame = picture(look);
            let size = frame.size();
            let image = Image::from_i420(size.width() as u32, size.height() as u32, frame.bytes()).unwrap();
            let measure = self.gauge.measure(&image).unwrap();
            self.looks += 1;
            let told = self.watch.look(Utc::from_micros(self.looks * STEP).unwrap(), &measure);
            self.told.extend(told.map(|condition| (look / 5, condition)));
        }
        std::mem::take(&mut self.told)
    }
}

fn dimmed(mut frame: Frame, light: f32) -> Frame {
    frame.plane_mut(0).iter_mut().for_each(|luma| *luma = (16.0 + light * (f32::from(*luma) - 16.0)) as u8);
    frame
}

/// A fault is told once, within these seconds, and so is its end.
fn told_once(told: &[(i64, Condition)], condition: Condition, within: i64) {
    assert!(matches!(told, [(second, told)] if *told == condition && *second <= within), "{condition:?}: {told:?}");
}

#[test]
fn play_guests_leaning_in_and_dimming_light_are_no_alarm() {
    let (mut table, mut officer) = (Table::new(0.4, 0.0), Officer::default());
    assert_eq!(officer.watch(40, |_| table.look()), []);
    assert_eq!(officer.watch(30, |look| dimmed(table.look(), 1.0 - look as f32 / 300.0)), []);
    assert_eq!(officer.watch(10, |_| dimmed(table.look(), 0.5)), []);
}

#[test]
fn a_frozen_picture_is_told_and_so_is_its_end() {
    let (mut table, mut officer) = (Table::new(0.4, 0.0), Officer::default());
    assert_eq!(officer.watch(10, |_| table.look()), []);
    let last = table.look();
    told_once(&officer.watch(8, |_| last.clone()), Condition::Frozen, 4);
    told_once(&officer.watch(8, |_| table.look()), Condition::Ok, 2);
}

#[test]
fn a_black_and_a_white_picture_are_told_and_so_are_their_ends() {
    for (light, condition) in [(0.02, Condition::Dark), (40.0, Condition::Bright)] {
        let (mut table, mut officer) = (Table::new(0.4, 0.0), Officer::default());
        assert_eq!(officer.watch(10, |_| table.look()), []);
        told_once(&officer.watch(8, |_| dimmed(table.look(), light)), condition, 4);
        told_once(&officer.watch(8, |_| table.look()), Condition::Ok, 3);
    }
}

#[test]
fn lost_focus_is_told_and_so_is_its_end() {
    let (mut table, mut blurred) = (Table::new(0.4, 0.0), Table::new(2.0, 0.0));
    let mut officer = Officer::default();
    assert_eq!(officer.watch(20, |_| table.look()), []);
    told_once(&officer.watch(10, |_| blurred.look()), Condition::Blurred, 6);
    told_once(&officer.watch(10, |_| table.look()), Condition::Ok, 3);
}

#[test]
fn a_camera_pushed_aside_is_told_and_so_is_its_return() {
    for aside in [60.0, 500.0] {
        let (mut table, mut moved) = (Table::new(0.4, 0.0), Table::new(0.4, aside));
        let mut officer = Officer::default();
        assert_eq!(officer.watch(20, |_| table.look()), []);
        told_once(&officer.watch(10, |_| moved.look()), Condition::Moved, 6);
        told_once(&officer.watch(10, |_| table.look()), Condition::Ok, 3);
    }
}

#[test]
fn films_that_go_wrong_after_eight_seconds_are_told_within_six() {
    let folder = tempfile::tempdir().unwrap();
    for (name, filter, condition) in [
        ("frozen", "noise=alls=8:allf=t,trim=duration=8,tpad=stop_mode=clone:stop_duration=6", Condition::Frozen),
        (
            "black",
            "noise=alls=8:allf=t,trim=duration=8,tpad=stop_mode=add:color=black:stop_duration=6",
            Condition::Dark,
        ),
        ("blurred", "noise=alls=4:allf=t,gblur=sigma=4:enable='gte(t,8)'", Condition::Blurred),
    ] {
        let path = film(folder.path(), &format!("{name}.mp4"), 350, &["-vf", filter, "-pix_fmt", "yuv420p"]);
        let camera = camera::open(&file(&path), Mode::Replay);
        while camera.frame(PATIENCE).is_ok() {}
        let pictures = |told: Told| match told.news {
            News::Picture(condition) => Some((told.at.micros() / 1_000_000, condition)),
            _ => None,
        };
        let told: Vec<_> = std::iter::from_fn(|| camera.told(PATIENCE).ok()).filter_map(pictures).collect();
        assert!(matches!(told[..], [(8..14, told)] if told == condition), "{name}: {told:?}");
    }
}

//! What can fail, and what is said of it.

use table::Severity;
use table::event::{Health, SourceKind};

/// One kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name of the wrong, as flags have it.
    pub check: &'static str,
    /// Devices of this kind fail so.
    pub source: SourceKind,
    /// What they say of themselves then.
    pub health: Health,
    /// The site's own rule that is broken.
    pub clause: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// Whether it goes on until the device is well, rather than being over as soon as it happened.
    pub lasts: bool,
    /// What a device is asked to do.
    pub asked: &'static str,
    /// What was seen of it.
    pub seen: &'static str,
    /// Why it matters, and what to do.
    pub matters: &'static str,
}

const CAMERA: Fault = Fault {
    check: "camera_lost",
    source: SourceKind::Camera,
    health: Health::Lost,
    clause: "site-camera",
    severity: Severity::Major,
    lasts: true,
    asked: "the camera shows the table",
    seen: "no picture came",
    matters: "What happened meanwhile no picture shows. Look at the camera's power, its cable and the network.",
};
const SHOE: Fault = Fault {
    check: "shoe_lost",
    source: SourceKind::Shoe,
    health: Health::Lost,
    clause: "site-shoe",
    severity: Severity::Major,
    lasts: true,
    asked: "the shoe tells every card that leaves it",
    seen: "its line was lost",
    matters: "Cards drawn meanwhile are known from pictures alone. Look at the cable, the adapter and the device server.",
};
const CHIPS: Fault = Fault {
    check: "chips_lost",
    source: SourceKind::Chips,
    health: Health::Lost,
    clause: "site-chips",
    severity: Severity::Major,
    lasts: true,
    asked: "the sensor tells what stands on every spot",
    seen: "nothing came from the sensor",
    matters: "Wagers and payments meanwhile are not counted. Look at the sensor's power, its cable and the network.",
};
const CLOCK: Fault = Fault {
    check: "clock_jumped",
    source: SourceKind::Camera,
    health: Health::ClockJump,
    clause: "site-clock",
    severity: Severity::Minor,
    lasts: false,
    asked: "the device's clock runs evenly",
    seen: "its clock jumped",
    matters: "Times around it are less sure than usual. Let the device follow the time service of this machine.",
};

/// The shoe counts its telegrams, and some did not come.
pub(super) static GAP: Fault = Fault {
    check: "shoe_missed_cards",
    lasts: false,
    seen: "telegrams did not come",
    matters: "Each may have been a card. Look at cable and ground, and for a second listener on the line.",
    ..SHOE
};

/// Every failure that a device tells by its health.
static FAULTS: &[Fault] = &[
    CAMERA,
    Fault {
        check: "camera_frozen",
        health: Health::Frozen,
        seen: "the picture did not change",
        matters: "A still picture looks like a quiet table and shows nothing. Restart the camera or its encoder.",
        ..CAMERA
    },
    Fault {
        check: "camera_dark",
        health: Health::Dark,
        seen: "the picture was black or white",
        matters: "Nothing can be read from it. Look at light, lens cap and exposure.",
        ..CAMERA
    },
    Fault {
        check: "camera_moved",
        health: Health::Moved,
        seen: "the camera looked elsewhere",
        matters: "The areas of the layout are no longer where they were. Turn it back, or calibrate it anew.",
        ..CAMERA
    },
    Fault {
        check: "camera_blurred",
        health: Health::Blurred,
        severity: Severity::Minor,
        seen: "the picture was out of focus",
        matters: "Cards may be misread. Clean or focus the lens.",
        ..CAMERA
    },
    SHOE,
    Fault {
        check: "shoe_error",
        health: Health::Error,
        severity: Severity::Minor,
        seen: "it reported an error of its own",
        matters: "What it tells meanwhile may be wrong. Its own display names the error.",
        ..SHOE
    },
    Fault {
        check: "shoe_settings_changed",
        health: Health::PresetChanged,
        lasts: false,
        asked: "nobody changes the shoe's settings while the table is open",
        seen: "its settings were changed",
        matters: "A shoe can be told to count decks or rounds otherwise. Find out who did it, and why.",
        ..SHOE
    },
    CHIPS,
    Fault {
        check: "chips_error",
        health: Health::Error,
        severity: Severity::Minor,
        seen: "it reported an error of its own",
        matters: "What it tells meanwhile may be wrong.",
        ..CHIPS
    },
    CLOCK,
    Fault { source: SourceKind::Chips, ..CLOCK },
    Fault { source: SourceKind::Shoe, ..CLOCK },
];

/// The failure that a device of a kind has when it says this of itself.
pub(super) fn of(source: SourceKind, health: Health) -> Option<&'static Fault> {
    FAULTS.iter().find(|fault| fault.source == source && fault.health == health)
}

/// Every failure there is; a name may be there for several kinds of devices.
pub fn all() -> impl Iterator<Item = &'static Fault> {
    FAULTS.iter().chain([&GAP])
}

/// The failure of this name.
pub fn find(check: &str) -> Option<&'static Fault> {
    all().find(|fault| fault.check == check)
}

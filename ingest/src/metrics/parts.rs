//! The numbers of the parts of this room, each with its name and what it means.

use table::event::Health;

use super::Kind::{Counter, Gauge};
use super::Page;
use crate::clock::{Measured, Pairing};
use crate::recorder::Counts;
use crate::{camera, chips, feed, shoe, transport};

/// Numbers that only grow, each with its name and its meaning.
fn counters(page: &mut Page, labels: &[(&str, &str)], rows: &[(&'static str, &'static str, u64)]) {
    for (name, help, value) in rows {
        page.put(Counter, name, help, labels, *value as f64);
    }
}

/// A recorder's numbers.
pub fn recorder(page: &mut Page, table: &str, counts: &Counts) {
    let rows = [
        (Counter, "fairdeal_recorder_offered_total", "Records handed to the recorder.", counts.offered),
        (Counter, "fairdeal_recorder_safe_total", "Records that no crash takes away.", counts.safe),
        (Counter, "fairdeal_recorder_bytes_total", "Bytes written to tapes.", counts.bytes),
        (Counter, "fairdeal_recorder_lost_total", "Records of shoes and chips lost.", counts.lost),
        (Counter, "fairdeal_recorder_pictures_dropped_total", "Pictures dropped.", counts.dropped),
        (Counter, "fairdeal_recorder_refused_total", "Records that no tape can hold.", counts.refused),
        (Counter, "fairdeal_recorder_segments_total", "Tapes begun.", counts.segments),
        (Counter, "fairdeal_recorder_failures_total", "Times the disk failed.", counts.failures),
        (Gauge, "fairdeal_recorder_waiting_bytes", "Bytes that wait in memory.", counts.waiting_bytes),
        (Gauge, "fairdeal_recorder_disk_free_bytes", "Bytes free on the disk of the tapes.", counts.free),
        (Gauge, "fairdeal_recorder_failing", "1 while nothing can be recorded.", u64::from(counts.failing)),
    ];
    for (kind, name, help, value) in rows {
        page.put(kind, name, help, &[("table", table)], value as f64);
    }
}

/// The numbers of a source's clock.
pub fn clock(page: &mut Page, table: &str, source: &str, measured: &Measured) {
    let rows = [
        (
            Gauge,
            "fairdeal_clock_offset_seconds",
            "What is added to the source's clock to get our time.",
            measured.offset as f64 / 1e6,
        ),
        (Gauge, "fairdeal_clock_drift_ppm", "How much the source's clock gains, in millionths.", measured.drift),
        (Counter, "fairdeal_clock_jumps_total", "Times the source's clock jumped.", measured.jumps as f64),
    ];
    for (kind, name, help, value) in rows {
        page.put(kind, name, help, &[("table", table), ("source", source)], value);
    }
}

/// The numbers of a line that a shoe (`kind` is `shoe`) or a chip sensor (`chips`) is on.
pub fn line(page: &mut Page, table: &str, device: &str, kind: &str, counts: &transport::Counts) {
    let labels = [("table", table), ("device", device), ("kind", kind)];
    let rows = [
        ("fairdeal_line_bytes_total", "Bytes that came from a device.", counts.bytes),
        ("fairdeal_line_reads_total", "Reads from a device's line.", counts.reads),
        ("fairdeal_line_connections_total", "Times a device was reached.", counts.connections),
        ("fairdeal_line_losses_total", "Times a device was lost.", counts.losses),
        ("fairdeal_line_held_up_total", "Times that reading had to wait for us.", counts.held_up),
    ];
    counters(page, &labels, &rows);
    if let Some(seen) = counts.last_seen {
        let (name, help) = ("fairdeal_line_last_seen_seconds", "When a device was last heard, since 1970.");
        page.put(Gauge, name, help, &labels, seen.micros() as f64 / 1e6);
    }
}

/// What a shoe's decoder made of its bytes.
pub fn shoe(page: &mut Page, table: &str, device: &str, stats: &shoe::Stats) {
    let rows = [
        ("fairdeal_shoe_frames_total", "Whole telegrams of a shoe, repeats included.", stats.frames),
        ("fairdeal_shoe_events_total", "What a shoe said that was understood.", stats.events),
        ("fairdeal_shoe_duplicates_total", "Telegrams of a shoe that were sent before.", stats.duplicates),
        ("fairdeal_shoe_bad_checksums_total", "Telegrams of a shoe that arrived damaged.", stats.bad_checksum),
        ("fairdeal_shoe_gaps_total", "Times that telegrams of a shoe were missing.", stats.gaps),
        ("fairdeal_shoe_noise_bytes_total", "Bytes from a shoe that belong to no telegram.", stats.noise_bytes),
        ("fairdeal_shoe_unknown_total", "Telegrams of a shoe whose meaning is not known.", stats.unknown),
        ("fairdeal_shoe_host_commands_total", "Commands that somebody else sent to a shoe.", stats.host_commands),
    ];
    counters(page, &[("table", table), ("device", device)], &rows);
}

/// What a chip sensor's reader made of its lines.
pub fn chips(page: &mut Page, table: &str, device: &str, counts: &chips::Counts) {
    let rows = [
        ("fairdeal_chips_lines_total", "Lines of a chip sensor that could be read.", counts.lines),
        ("fairdeal_chips_unreadable_total", "Lines of a chip sensor that could not.", counts.unreadable),
        ("fairdeal_chips_repeats_total", "Lines of a chip sensor that came before.", counts.repeats),
        ("fairdeal_chips_lost_total", "Lines of a chip sensor that did not come.", counts.lost),
        ("fairdeal_chips_restarts_total", "Times a chip sensor started again.", counts.restarts),
        ("fairdeal_chips_flickers_total", "States of a spot that did not last.", counts.flickers),
        ("fairdeal_chips_changes_total", "Changes that a chip sensor told.", counts.changes),
    ];
    counters(page, &[("table", table), ("device", device)], &rows);
}

/// A camera's numbers.
pub fn camera(page: &mut Page, table: &str, device: &str, counts: &camera::Counts) {
    let rows = [
        ("fairdeal_camera_frames_total", "Frames that came from a camera.", counts.frames),
        ("fairdeal_camera_not_kept_total", "Pictures that were not recorded in time.", counts.not_kept),
        ("fairdeal_camera_broken_total", "Packets of a camera that are no picture.", counts.broken),
        ("fairdeal_camera_losses_total", "Times a camera was lost.", counts.losses),
    ];
    counters(page, &[("table", table), ("device", device)], &rows);
}

/// Whether a device is well.
pub fn health(page: &mut Page, table: &str, device: &str, kind: &str, state: Health) {
    let labels = [("table", table), ("device", device), ("kind", kind)];
    let well = matches!(state, Health::Ok | Health::Locked | Health::Unlocked);
    let help = "1 while a device is well, 0 while it is lost, frozen, dark, moved, blurred or in error.";
    page.put(Gauge, "fairdeal_device_well", help, &labels, f64::from(u8::from(well)));
}

/// What became of a table's records.
pub fn feed(page: &mut Page, table: &str, counts: &feed::Counts) {
    let rows = [
        ("fairdeal_feed_events_total", "Events that the devices of a table told.", counts.events),
        ("fairdeal_feed_late_total", "Events told after others that happened later.", counts.late),
        ("fairdeal_feed_not_understood_total", "Records of shoes of unknown dialect.", counts.not_understood),
        ("fairdeal_feed_set_back_total", "Times our own clock was set back.", counts.set_back),
    ];
    counters(page, &[("table", table)], &rows);
}

/// How a camera lies to the shoe by the cards that both saw.
pub fn pairing(page: &mut Page, table: &str, camera: &str, pairing: &Pairing) {
    let labels = [("table", table), ("device", camera)];
    if let Some(alignment) = pairing.alignment() {
        let (name, help) = ("fairdeal_pairing_lag_seconds", "From a card's draw to its settling before a camera.");
        page.put(Gauge, name, help, &labels, alignment.lag as f64 / 1e6);
    }
    let (name, help) = ("fairdeal_pairing_jumps_total", "Times that lag jumped.");
    page.put(Counter, name, help, &labels, pairing.jumps() as f64);
}

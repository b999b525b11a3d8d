//! The numbers of the parts of this room, each with its name and what it means.

use super::Kind::{Counter, Gauge};
use super::Page;
use crate::clock::Measured;
use crate::recorder::Counts;

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

//! What the devices of a taped table did not do: equipment flags out of the events on its tape.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use auditor::equipment::Equipment;
use ingest::feed::{self, Settings, TapeEventsError};
use table::tape::Reader;
use table::{Flag, RoundId, Utc};

use crate::tape;

/// When each round of a tape began.
pub(crate) type Begun = Vec<(Utc, RoundId)>;

/// The equipment flags of a tape in a file.
pub(crate) fn flags(file: &Path, rounds: Begun) -> anyhow::Result<Vec<Flag>> {
    let naming = || file.display().to_string();
    of(Reader::open(tape::open(file)?).with_context(naming)?, rounds).with_context(naming)
}

/// The equipment flags of a tape, each with the round in which the failure began.
pub(crate) fn of<R: Read>(tape: Reader<R>, mut rounds: Begun) -> anyhow::Result<Vec<Flag>> {
    let mut equipment = Equipment::new(tape.about().table.clone());
    let events = match feed::on_tape(tape, Settings::default()) {
        Ok(events) => events,
        // The rounds can be judged all the same, so this is no reason to stop.
        Err(TapeEventsError::Config(faults)) => {
            tracing::warn!("a tape's devices are not judged, its configuration cannot be read: {faults}");
            return Ok(Vec::new());
        }
        Err(error) => return Err(error.into()),
    };
    rounds.sort_by_key(|(at, _)| *at);
    let mut rounds = rounds.into_iter().peekable();
    for event in events {
        let event = event?;
        while let Some((_, round)) = rounds.next_if(|(at, _)| *at <= event.at) {
            equipment.round(round);
        }
        equipment.hear(&event);
    }
    Ok(equipment.flags().collect())
}

//! The line at the foot of the terminal while a table is recorded.

use std::time::Duration;

use indicatif::{BinaryBytes, HumanDuration, ProgressBar};
use ingest::recorder::Counts;
use table::Ident;

/// A line that is drawn again and again; none where stderr is no terminal.
pub(super) struct Status {
    bar: ProgressBar,
    table: Ident,
}

impl Status {
    pub(super) fn new(table: &Ident) -> Self {
        Self { bar: ProgressBar::new_spinner(), table: table.clone() }
    }

    pub(super) fn show(&self, since: Duration, counts: &Counts, troubles: &[String]) {
        let (written, free) = (BinaryBytes(counts.bytes), BinaryBytes(counts.free));
        let mut line =
            format!("{} {}, {} records, {written} written, {free} free", self.table, HumanDuration(since), counts.safe);
        if counts.failing {
            line.push_str(" · THE DISK FAILS, NOTHING IS RECORDED");
        }
        for (count, what) in [(counts.lost, "lost"), (counts.dropped, "pictures dropped")] {
            if count > 0 {
                line.push_str(&format!(" · {count} {what}"));
            }
        }
        for trouble in troubles {
            line.push_str(&format!(" · {trouble}"));
        }
        self.bar.set_message(line);
        self.bar.tick();
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

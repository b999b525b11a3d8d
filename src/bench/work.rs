//! Processor time, not time that passed: the machine may have other things to do.

use std::fs;
use std::time::Duration;

use anyhow::Context;

/// What this thread has had of a processor so far.
pub(crate) fn of_this_thread() -> anyhow::Result<Duration> {
    let line = fs::read_to_string("/proc/thread-self/schedstat").context("this system does not tell processor time")?;
    let nanos = line.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
    Ok(Duration::from_nanos(nanos.context("this system does not tell a thread's processor time")?))
}

/// What all threads of this process have had, those that ended included. Linux counts it in hundredths of a second,
/// after the name in brackets.
pub(super) fn of_this_process() -> anyhow::Result<Duration> {
    let line = fs::read_to_string("/proc/self/stat").context("this system does not tell processor time")?;
    let after = line.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks: u64 = after.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(10 * ticks))
}

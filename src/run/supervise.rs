//! A table that fails is tried again, later each time, and takes no other with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::board::{Doing, Slate};
use crate::database;

/// Rests between attempts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rests {
    pub(super) first: Duration,
    pub(super) longest: Duration,
    /// Who has worked for so long begins with the first rest again.
    pub(super) proven: Duration,
}

impl Default for Rests {
    fn default() -> Self {
        let [first, longest, proven] = [1, 60, 300].map(Duration::from_secs);
        Self { first, longest, proven }
    }
}

/// How often is looked whether somebody has stopped us.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Does a table's work until it has ended or somebody stops it.
pub(super) fn supervise(
    table: &str,
    slate: &Slate,
    stopped: &watch::Receiver<bool>,
    rests: Rests,
    mut work: impl FnMut() -> anyhow::Result<()>,
) {
    let mut rest = rests.first;
    loop {
        let begun = Instant::now();
        let failure = match catch_unwind(AssertUnwindSafe(&mut work)) {
            Ok(Ok(())) => {
                slate.write().turns(Doing::Ended, database::now());
                return;
            }
            Ok(Err(error)) => format!("{error:#}"),
            Err(panic) => format!("it broke off: {}", words(&*panic)),
        };
        if begun.elapsed() >= rests.proven {
            rest = rests.first;
        }
        tracing::error!(table, "failed, tried again in {rest:?}: {failure}");
        {
            let mut state = slate.write();
            state.turns(Doing::Failed, database::now());
            state.failure = Some(failure);
            state.restarts += 1;
        }
        let until = Instant::now() + rest;
        rest = (2 * rest).min(rests.longest);
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            if *stopped.borrow() {
                return;
            }
            std::thread::sleep(left.min(LOOK_EVERY));
        }
    }
}

/// What a panic said.
fn words(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given")
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: Rests =
        Rests { first: Duration::from_millis(1), longest: Duration::from_millis(4), proven: Duration::from_secs(300) };

    #[test]
    fn a_table_that_fails_or_panics_is_tried_again_until_it_works() {
        let (slate, (_stop, stopped)) = (Slate::default(), watch::channel(false));
        let mut tries = 0;
        supervise("BJ-04", &slate, &stopped, QUICK, || {
            tries += 1;
            match tries {
                1 => anyhow::bail!("the disk is full"),
                2 => panic!("a bug"),
                _ => Ok(()),
            }
        });
        let state = slate.write();
        assert_eq!((tries, state.restarts, state.doing), (3, 2, Doing::Ended));
        assert_eq!(state.failure.as_deref(), Some("it broke off: a bug"), "the last failure stays to be read");
    }

    #[test]
    fn a_table_that_keeps_failing_can_be_stopped() {
        let (slate, (stop, stopped)) = (Slate::default(), watch::channel(false));
        supervise("BJ-04", &slate, &stopped, QUICK, || {
            stop.send_replace(true);
            anyhow::bail!("again")
        });
        assert_eq!(slate.write().doing, Doing::Failed);
    }
}

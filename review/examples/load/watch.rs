//! Two clocks: how long somebody waited, and how long processors worked for it. On a machine that others use too the first is
//! theirs as well; the second is ours alone.

use std::fs;
use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// A stretch of work by both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spent {
    pub(crate) waited: Duration,
    pub(crate) worked: Duration,
}

impl Spent {
    pub(crate) const NOTHING: Self = Self { waited: Duration::ZERO, worked: Duration::ZERO };
}

impl AddAssign for Spent {
    fn add_assign(&mut self, more: Self) {
        self.waited += more.waited;
        self.worked += more.worked;
    }
}

/// Both clocks, started.
pub(crate) struct Watch {
    began: Instant,
    before: Duration,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self { before: worked(), began: Instant::now() }
    }

    pub(crate) fn stop(self) -> Spent {
        let waited = self.began.elapsed();
        Spent { waited, worked: worked().saturating_sub(self.before) }
    }
}

/// What all threads of this program have run so far, as Linux counts it; nothing on other systems.
fn worked() -> Duration {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanos = threads.filter_map(|thread| {
        let told = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        told.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}

/// Half of them took no longer than this, all but a hundredth no longer than that, and none longer than the last.
pub(crate) fn tell(what: &str, spent: &[Spent]) {
    let told = |name: &str, mut times: Vec<Duration>| {
        times.sort();
        let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
        format!("{name} median {:.1} ms, 99 % {:.1} ms, worst {:.1} ms", at(50), at(99), at(100))
    };
    let waited = told("waited", spent.iter().map(|spent| spent.waited).collect());
    let worked = told("worked", spent.iter().map(|spent| spent.worked).collect());
    println!("{what}: {} asked; {waited}; {worked}", spent.len());
}

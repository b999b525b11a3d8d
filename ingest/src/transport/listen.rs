//! The task that listens to one line for as long as somebody wants to know.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use table::config::Transport;
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc::Sender;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::{Instant, interval, sleep};

use super::connect::{Ear, connect, over};
use super::patience::Patience;
use super::{Counters, Fault, Read, Settings, State, Told, now};

/// Enough for a second of the fastest port in one read.
const AT_ONCE: usize = 16 * 1024;

/// Nobody listens any more.
struct Unheard;

/// Listens to one line.
pub(super) struct Listener {
    transport: Transport,
    settings: Settings,
    teller: Sender<Told>,
    counters: Arc<Counters>,
    patience: Patience,
}

impl Listener {
    pub(super) fn new(transport: Transport, settings: Settings, teller: Sender<Told>, counters: Arc<Counters>) -> Self {
        let patience = Patience::new(settings.wait_first, settings.wait_most, settings.seed);
        Self { transport, settings, teller, counters, patience }
    }

    /// Listens until the line ends or nobody wants to know.
    pub(super) async fn listen(mut self) {
        // An error here is the listener's farewell, and there is nobody to tell.
        let _ = self.keep_listening().await;
    }

    async fn keep_listening(&mut self) -> Result<(), Unheard> {
        loop {
            self.state(State::Connecting).await?;
            let well = match connect(&self.transport, &self.settings).await {
                Ok(ear) => self.hear(ear).await?,
                Err(fault) => {
                    self.lose(fault).await?;
                    false
                }
            };
            if matches!(self.transport, Transport::File(_)) {
                return self.state(State::Ended).await;
            }
            self.rest(well).await?;
        }
    }

    /// Reads an open line to its end; whether the far end was well while it lasted.
    async fn hear(&mut self, mut ear: Ear) -> Result<bool, Unheard> {
        self.counters.connected();
        self.state(State::Connected).await?;
        let since = Instant::now();
        let mut heard = false;
        let mut room = vec![0; AT_ONCE];
        let fault = loop {
            match ear.read(&mut room).await {
                Ok(0) if matches!(self.transport, Transport::File(_)) => return Ok(true),
                Ok(0) => break over(&self.transport, None),
                Ok(count) => {
                    heard = true;
                    let bytes = room.get(..count).unwrap_or_default().to_vec();
                    let read = Read { at: now(), bytes };
                    self.counters.read(read.at, count);
                    self.tell(Told::Read(read)).await?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break over(&self.transport, Some(&error)),
            }
        };
        // Closed before we say so: whoever hears of the loss may want the port.
        drop(ear);
        self.lose(fault).await?;
        // A server that lets us in only to throw us out is not well, however often it does so.
        Ok(heard || since.elapsed() >= self.settings.wait_most)
    }

    async fn lose(&self, fault: Fault) -> Result<(), Unheard> {
        self.counters.lost();
        self.state(State::Lost(fault)).await
    }

    /// Rests before the next attempt. A far end that was well gets its first attempt at once; a port that does not
    /// exist is tried as soon as it does.
    async fn rest(&mut self, well: bool) -> Result<(), Unheard> {
        if well {
            self.patience.renew();
            return self.state(State::Retrying { wait: Duration::ZERO }).await;
        }
        let wait = self.patience.rest();
        self.state(State::Retrying { wait }).await?;
        match &self.transport {
            Transport::Serial { port, .. } if !exists(port.as_str()) => {
                tokio::select! {
                    () = sleep(wait) => {}
                    () = self.back(port.as_str()) => self.patience.renew(),
                }
            }
            _ => sleep(wait).await,
        }
        Ok(())
    }

    /// Waits until a port exists.
    async fn back(&self, port: &str) {
        let mut look = interval(self.settings.look_every.max(Duration::from_millis(1)));
        loop {
            look.tick().await;
            if exists(port) {
                return;
            }
        }
    }

    async fn state(&self, state: State) -> Result<(), Unheard> {
        self.tell(Told::State { at: now(), state }).await
    }

    async fn tell(&self, told: Told) -> Result<(), Unheard> {
        match self.teller.try_send(told) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(told)) => {
                self.counters.held_up();
                self.teller.send(told).await.map_err(|_| Unheard)
            }
            Err(TrySendError::Closed(_)) => Err(Unheard),
        }
    }
}

fn exists(port: &str) -> bool {
    Path::new(port).exists()
}

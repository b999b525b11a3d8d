//! Why a line is not there, in words for the engineer who has to mend it.

use std::io;

/// Why a line is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The serial port does not exist.
    #[error("there is no port {port}: plug the adapter in, or find its name with ls /dev/serial/by-id")]
    NoPort {
        /// Which.
        port: String,
    },
    /// The serial port is not ours to open.
    #[error(
        "{port} is not open to this user: add the user to the group dialout \
         (sudo usermod -aG dialout $USER), then log in again"
    )]
    PortDenied {
        /// Which.
        port: String,
    },
    /// Another program has the serial port.
    #[error("{port} is in use by another program: find it with sudo fuser {port}")]
    PortBusy {
        /// Which.
        port: String,
    },
    /// The serial port was there and is not any more.
    #[error("{port} is gone: is the adapter still plugged in?")]
    PortGone {
        /// Which.
        port: String,
    },
    /// What is called a serial port cannot be set up as one.
    #[error("{port} cannot be set to {baud} baud: {says}")]
    PortRefuses {
        /// Which.
        port: String,
        /// The speed asked for.
        baud: u32,
        /// What the system says.
        says: String,
    },
    /// Nobody knows the host.
    #[error("no address is known for the host {host}: {says}")]
    UnknownHost {
        /// Which.
        host: String,
        /// What the system says.
        says: String,
    },
    /// The host is there and lets nobody in.
    #[error(
        "{server} refuses the connection: nothing listens on that port, or the device server already has its one client"
    )]
    Refused {
        /// Host and port.
        server: String,
    },
    /// The host does not answer.
    #[error("{server} does not answer: is the device server switched on, and on this network?")]
    Silent {
        /// Host and port.
        server: String,
    },
    /// The far end has closed the connection.
    #[error("{server} closed the connection: it restarts, or another client took our place")]
    Closed {
        /// Host and port.
        server: String,
    },
    /// The file does not exist.
    #[error("there is no file {file}")]
    NoFile {
        /// Which.
        file: String,
    },
    /// Anything else.
    #[error("{at}: {says}")]
    Other {
        /// The port, server or file.
        at: String,
        /// What the system says.
        says: String,
    },
}

impl Fault {
    pub(super) fn of_port(port: &str, baud: u32, error: &tokio_serial::Error) -> Self {
        let (port, says) = (port.to_owned(), error.to_string());
        match error.kind() {
            tokio_serial::ErrorKind::Io(io::ErrorKind::NotFound) => Self::NoPort { port },
            tokio_serial::ErrorKind::Io(io::ErrorKind::PermissionDenied) => Self::PortDenied { port },
            // The crate keeps this kind for a port that somebody has locked.
            tokio_serial::ErrorKind::NoDevice => Self::PortBusy { port },
            _ => Self::PortRefuses { port, baud, says },
        }
    }

    pub(super) fn of_server(server: &str, error: &io::Error) -> Self {
        let server = server.to_owned();
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::Refused { server },
            io::ErrorKind::TimedOut | io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                Self::Silent { server }
            }
            io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
                Self::Closed { server }
            }
            _ => Self::Other { at: server, says: error.to_string() },
        }
    }

    pub(super) fn of_file(file: &str, error: &io::Error) -> Self {
        let file = file.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::NoFile { file },
            _ => Self::Other { at: file, says: error.to_string() },
        }
    }
}

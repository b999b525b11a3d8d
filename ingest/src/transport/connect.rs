//! How each kind of line is opened, always as something that can only be read.

use std::io;
use std::path::Path;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use table::config::{SitePath, Transport};
use tokio::fs::File;
use tokio::io::AsyncRead;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_serial::{DataBits, FlowControl, Parity, SerialStream, StopBits};

use super::{Fault, Settings};

/// An open line. Whatever it was opened as, this is all that is left of it: bytes that come.
pub(super) type Ear = Box<dyn AsyncRead + Send + Unpin>;

/// A device server that lost its power says no goodbye. These probes carry no bytes of ours, and find out within half
/// a minute.
const KEEP_ALIVE: TcpKeepalive =
    TcpKeepalive::new().with_time(Duration::from_secs(10)).with_interval(Duration::from_secs(5));

/// Opens a line.
pub(super) async fn connect(transport: &Transport, settings: &Settings) -> Result<Ear, Fault> {
    match transport {
        Transport::Serial { port, baud } => serial(port.as_str(), *baud),
        Transport::Tcp { host, port } => tcp(host, *port, settings.answer_within).await,
        Transport::File(path) => file(path, &settings.folder).await,
    }
}

/// Why an open line gives no more bytes, seen from its end.
pub(super) fn over(transport: &Transport, error: Option<&io::Error>) -> Fault {
    match (transport, error) {
        (Transport::Serial { port, .. }, _) => Fault::PortGone { port: port.to_string() },
        (Transport::Tcp { host, port }, None) => Fault::Closed { server: format!("{host}:{port}") },
        (Transport::Tcp { host, port }, Some(error)) => Fault::of_server(&format!("{host}:{port}"), error),
        (Transport::File(path), None) => Fault::Other { at: path.to_string(), says: "at its end".into() },
        (Transport::File(path), Some(error)) => Fault::of_file(path.as_str(), error),
    }
}

/// Eight data bits, no parity, one stop bit, no flow control: with flow control the port itself would send.
fn serial(port: &str, baud: u32) -> Result<Ear, Fault> {
    let settings = tokio_serial::new(port, baud)
        .data_bits(DataBits::Eight)
        .parity(Parity::None)
        .stop_bits(StopBits::One)
        .flow_control(FlowControl::None);
    let stream = SerialStream::open(&settings).map_err(|error| Fault::of_port(port, baud, &error))?;
    Ok(Box::new(stream))
}

/// Tries the addresses of a host one after the other, since a device server may have room for one client only.
async fn tcp(host: &str, port: u16, answer_within: Duration) -> Result<Ear, Fault> {
    let server = format!("{host}:{port}");
    let unknown = |says: String| Fault::UnknownHost { host: host.to_owned(), says };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let known = match timeout(answer_within, lookup_host((bare, port))).await {
        Ok(found) => found.map_err(|error| unknown(error.to_string()))?,
        Err(_) => return Err(unknown("the name server does not answer".into())),
    };
    let mut fault = unknown("it has none".into());
    for address in known {
        match timeout(answer_within, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                SockRef::from(&stream)
                    .set_tcp_keepalive(&KEEP_ALIVE)
                    .map_err(|error| Fault::of_server(&server, &error))?;
                return Ok(Box::new(stream));
            }
            Ok(Err(error)) => fault = Fault::of_server(&server, &error),
            Err(_) => fault = Fault::Silent { server: server.clone() },
        }
    }
    Err(fault)
}

async fn file(path: &SitePath, folder: &Path) -> Result<Ear, Fault> {
    let path = path.within(folder);
    let file = File::open(&path).await.map_err(|error| Fault::of_file(&path.display().to_string(), &error))?;
    Ok(Box::new(file))
}

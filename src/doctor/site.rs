//! What the doctor looks at in a site: that its files, devices and servers are where `site.toml` says.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{Access, access};
use table::config::{Camera, CameraSource, Database, NetUrl, Site, SitePath, TableConfig, Transport};

use super::Finding;
use crate::books;

/// How long a server may take to answer. It is in the same building.
const PATIENCE: Duration = Duration::from_secs(2);

/// Looks at what a site names besides its devices; paths are from the folder its file is in.
pub(super) fn all(site: &Site, folder: &Path) -> Vec<Finding> {
    let mut findings = vec![database(site, folder), evidence(site, folder)];
    findings.extend(site.bus.as_ref().map(|bus| server("bus".into(), bus, 4222)));
    findings.extend(site.tables.iter().map(|table| rules(table, folder)));
    findings
}

/// Looks for the devices of a site and leaves them alone.
pub(super) fn devices(site: &Site, folder: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    for table in &site.tables {
        findings.extend(table.cameras.iter().map(|one| camera(table, one, folder)));
        let shoe = table.shoe.as_ref().map(|shoe| (format!("{} shoe", table.id), &shoe.transport));
        let chips = table.chips.as_ref().map(|chips| (format!("{} chips", table.id), &chips.transport));
        findings.extend([shoe, chips].into_iter().flatten().map(|(name, line)| transport(name, line, folder)));
    }
    findings
}

fn database(site: &Site, folder: &Path) -> Finding {
    match &site.database {
        Database::Sqlite(file) => {
            let file = file.within(folder);
            let home = file.parent().filter(|home| !home.as_os_str().is_empty()).unwrap_or(Path::new("."));
            writable("database".into(), home, &format!("{} lies in", file.display()))
        }
        Database::Postgres(url) => server("database".into(), url, 5432),
    }
}

fn evidence(site: &Site, folder: &Path) -> Finding {
    writable("evidence".into(), &site.evidence.folder.within(folder), "the folder is")
}

/// Whether a folder is there and may be written to.
fn writable(name: String, folder: &Path, what: &str) -> Finding {
    let finding = format!("{what} {}", folder.display());
    if !folder.is_dir() {
        Finding::missing(name, format!("{finding}, which is no folder"), format!("mkdir -p {}", folder.display()))
    } else if access(folder, Access::WRITE_OK).is_err() {
        let remedy = "give this user the right to write to it, or name another in site.toml";
        Finding::missing(name, format!("{finding}, which this user may not write to"), remedy)
    } else {
        Finding::ok(name, finding)
    }
}

/// Whether the table's game, options and house file make rules to audit by.
fn rules(table: &TableConfig, folder: &Path) -> Finding {
    let name = format!("{} rules", table.id);
    match books::law_of(table, folder) {
        Ok(_) => Finding::ok(name, table.game.name.to_string()),
        Err(wrong) => Finding::missing(name, format!("{wrong:#}"), "mend the game, options or house file it names"),
    }
}

fn camera(table: &TableConfig, camera: &Camera, folder: &Path) -> Finding {
    let name = format!("{} {}", table.id, camera.name);
    match &camera.source {
        CameraSource::Rtsp(url) => server(name, url, 554),
        CameraSource::Mjpeg(url) => server(name, url, if url.exposed().scheme() == "https" { 443 } else { 80 }),
        CameraSource::Device(path) | CameraSource::File(path) | CameraSource::Folder(path) => {
            readable(name, path, folder)
        }
    }
}

/// A line is looked for and not opened.
fn transport(name: String, line: &Transport, folder: &Path) -> Finding {
    match line {
        Transport::Serial { port, baud } => {
            let finding = readable(name, port, folder);
            Finding { finding: format!("{} at {baud} baud", finding.finding), ..finding }
        }
        Transport::File(path) => readable(name, path, folder),
        Transport::Tcp { host, port } => match resolve(host, *port) {
            Ok(_) => Finding::ok(name, format!("{host}:{port} has an address; not connected to, it takes one client")),
            Err(wrong) => Finding::missing(name, wrong, "check the host's name in site.toml and the name server"),
        },
    }
}

fn readable(name: String, path: &SitePath, folder: &Path) -> Finding {
    let path = path.within(folder);
    if !path.exists() {
        let remedy = "plug it in, or correct its address in site.toml";
        Finding::missing(name, format!("{} is not there", path.display()), remedy)
    } else if access(&path, Access::READ_OK).is_err() {
        let remedy = "give this user the right to read it; fairdeal doctor names the group of serial ports";
        Finding::missing(name, format!("{} cannot be read by this user", path.display()), remedy)
    } else {
        Finding::ok(name, path.display().to_string())
    }
}

/// Whether a server answers on its port. Nothing is said to it.
fn server(name: String, url: &NetUrl, usual: u16) -> Finding {
    let host = url.exposed().host_str().unwrap_or("localhost");
    let port = url.exposed().port().unwrap_or(usual);
    match resolve(host, port).and_then(|addresses| knock(&addresses)) {
        Ok(()) => Finding::ok(name, format!("{host}:{port} answers")),
        Err(wrong) => Finding::missing(
            name,
            format!("{host}:{port} does not answer: {wrong}"),
            "start it, or correct its address in site.toml",
        ),
    }
}

/// Whether anybody answers at one of these addresses.
fn knock(addresses: &[SocketAddr]) -> Result<(), String> {
    let mut wrong = String::new();
    for address in addresses {
        match TcpStream::connect_timeout(address, PATIENCE) {
            Ok(_) => return Ok(()),
            Err(error) => wrong = error.to_string(),
        }
    }
    Err(wrong)
}

fn resolve(host: &str, port: u16) -> Result<Vec<SocketAddr>, String> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let found: Vec<_> = (bare, port).to_socket_addrs().map_err(|error| format!("{host}: {error}"))?.collect();
    if found.is_empty() { Err(format!("{host} has no address")) } else { Ok(found) }
}

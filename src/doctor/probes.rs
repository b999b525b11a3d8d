//! What the doctor looks at, one probe each.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use recognizer::runtime::RuntimeError;
use rustix::fs::{Access, access, statvfs};

use super::Finding;
use super::machine::{Machine, library_version};

/// One table's shift: three cameras at 2 Mbit/s for eight hours come to this.
const LITTLE_SPACE: u64 = 21_600_000_000;
const SET_UP: &str = "run scripts/setup in the project's folder";

/// Every probe, in the order in which a site is set up.
const PROBES: &[fn(&Machine) -> Finding] = &[onnx_runtime, opencv, ffmpeg, serial_ports, disk_space, clock, locale];

/// Looks at everything.
pub(super) fn all(machine: &Machine) -> Vec<Finding> {
    PROBES.iter().map(|probe| probe(machine)).collect()
}

/// The card models' runtime, looked for where the recogniser will. What `ORT_DYLIB_PATH` names has to be there, since
/// somebody chose it; without it, absence is only a note: most commands recognize no cards.
fn onnx_runtime(machine: &Machine) -> Finding {
    const NAME: &str = "ONNX Runtime";
    match machine.runtime().find() {
        Ok(path) => Finding::ok(
            NAME,
            match library_version(&path) {
                Some(version) => format!("{version}, {}", path.display()),
                None => path.display().to_string(),
            },
        ),
        Err(RuntimeError::Chosen { path, fault }) => Finding::missing(
            NAME,
            format!("ORT_DYLIB_PATH names {}, {fault}", path.display()),
            format!("set ORT_DYLIB_PATH to libonnxruntime.so, or unset it and {SET_UP}"),
        ),
        Err(RuntimeError::Damaged { path, fault }) => {
            Finding::note(NAME, format!("{} {fault}", path.display()), format!("remove it and {SET_UP}"))
        }
        Err(_) => Finding::note(
            NAME,
            "not found; cards in pictures cannot be read without it",
            format!("{SET_UP}, or set ORT_DYLIB_PATH to libonnxruntime.so"),
        ),
    }
}

fn opencv(machine: &Machine) -> Finding {
    const NAME: &str = "OpenCV";
    match machine.library("libopencv_core") {
        Some(path) => {
            let version = library_version(&path).unwrap_or_else(|| "unknown version".into());
            Finding::ok(NAME, format!("{version}, {}", path.display()))
        }
        None => Finding::note(NAME, "not found; no command of this version needs it", SET_UP),
    }
}

fn ffmpeg(machine: &Machine) -> Finding {
    const NAME: &str = "ffmpeg";
    let programs = machine.listed("PATH").into_iter().map(|folder| folder.join("ffmpeg"));
    match programs.into_iter().find(|path| path.is_file() && access(path, Access::EXEC_OK).is_ok()) {
        Some(path) => Finding::ok(NAME, path.display().to_string()),
        None => Finding::note(NAME, "not on PATH; no command of this version needs it", SET_UP),
    }
}

/// The ports are not opened: opening one can reset the shoe behind it in the middle of a game.
fn serial_ports(machine: &Machine) -> Finding {
    const NAME: &str = "serial ports";
    let devices = machine.at("/dev");
    let ports: Vec<PathBuf> = ["ttyACM", "ttyUSB"].iter().flat_map(|kind| Machine::entries(&devices, kind)).collect();
    let closed: Vec<&PathBuf> =
        ports.iter().filter(|port| access(*port, Access::READ_OK | Access::WRITE_OK).is_err()).collect();
    match closed.first() {
        Some(port) => Finding::note(
            NAME,
            format!("not open to this user: {}", names(&closed)),
            match group_of(machine, port) {
                Some(group) => format!("join the group with sudo usermod -aG {group} $USER, then log in again"),
                None => "ask whoever looks after this machine for the right to read and write it".into(),
            },
        ),
        None if ports.is_empty() => Finding::note(
            NAME,
            "none (no /dev/ttyUSB* or /dev/ttyACM*)",
            "plug in the shoe's adapter, unless the shoe comes over the network",
        ),
        None => Finding::ok(NAME, names(&ports)),
    }
}

fn names(paths: &[impl AsRef<Path>]) -> String {
    paths.iter().map(|path| path.as_ref().display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The name of the group a file belongs to.
fn group_of(machine: &Machine, path: &Path) -> Option<String> {
    let wanted = fs::metadata(path).ok()?.gid().to_string();
    let groups = fs::read_to_string(machine.at("/etc/group")).ok()?;
    groups.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == wanted).then(|| name.to_owned())
    })
}

fn disk_space(machine: &Machine) -> Finding {
    const NAME: &str = "disk space";
    let folder = machine.folder.display();
    let free = match statvfs(&machine.folder) {
        Ok(disk) => disk.f_bavail.saturating_mul(disk.f_frsize),
        Err(error) => {
            return Finding::note(
                NAME,
                format!("{folder} cannot be asked: {error}"),
                "start from a folder that exists",
            );
        }
    };
    let finding = format!("{}.{} GB free in {folder}", free / 1_000_000_000, free / 100_000_000 % 10);
    if access(&machine.folder, Access::WRITE_OK).is_err() {
        let remedy = "start from a folder this user may write to before recording";
        Finding::note(NAME, format!("{finding}, which this user may not write to"), remedy)
    } else if free < LITTLE_SPACE {
        Finding::note(NAME, finding, "make room, or record to another disk")
    } else {
        Finding::ok(NAME, finding)
    }
}

/// Evidence is worth what its clock is worth. The kernel's own answer needs a system call no safe crate offers, so we
/// look for the traces that time services leave.
fn clock(machine: &Machine) -> Finding {
    const NAME: &str = "clock";
    if machine.at("/run/systemd/timesync/synchronized").exists() {
        return Finding::ok(NAME, "synchronised by systemd-timesyncd");
    }
    let running = [("/run/chrony/chronyd.pid", "chronyd"), ("/run/ntpd.pid", "ntpd")]
        .into_iter()
        .find(|(trace, _)| machine.at(trace).exists());
    match running {
        Some((_, service)) => Finding::ok(NAME, format!("kept by {service}")),
        None => Finding::note(
            NAME,
            "no sign of a time service",
            "enable systemd-timesyncd or chrony, unless the host of this machine keeps its clock",
        ),
    }
}

fn locale(machine: &Machine) -> Finding {
    const NAME: &str = "locale";
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| Some((name, machine.variable(name)?)));
    let finding = match set {
        Some((name, value)) => format!("{name}={}", value.to_string_lossy()),
        None => "not set".into(),
    };
    let plain = finding.to_ascii_lowercase();
    if plain.ends_with("utf-8") || plain.ends_with("utf8") {
        Finding::ok(NAME, finding)
    } else {
        Finding::note(NAME, format!("{finding}, not UTF-8: suits may not show"), "export LANG=C.UTF-8")
    }
}

#[cfg(test)]
mod tests;

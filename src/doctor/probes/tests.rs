//! Machines built in a temporary folder, and what the doctor says of them.

use std::fs;
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::super::Mark;
use super::*;

/// A machine with nothing on it. The folder lives as long as the guard.
fn bare() -> (TempDir, Machine) {
    let root = TempDir::new().unwrap();
    let folder = root.path().join("home");
    fs::create_dir(&folder).unwrap();
    let machine = Machine { root: root.path().into(), folder, program: None, environment: Default::default() };
    (root, machine)
}

fn put(machine: &Machine, path: &str, content: &[u8]) -> PathBuf {
    let path = machine.at(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

#[test]
fn on_a_bare_machine_nothing_is_missing_because_nothing_is_needed_yet() {
    let (_root, machine) = bare();
    for finding in all(&machine) {
        assert_ne!(finding.mark, Mark::Missing, "{finding:?}");
        assert_eq!(finding.mark == Mark::Note, finding.remedy.is_some(), "{finding:?}");
    }
}

#[test]
fn the_runtime_that_set_up_fetched_is_found_from_a_folder_further_down() {
    let (_root, mut machine) = bare();
    let library = put(&machine, "home/.deps/onnxruntime/libonnxruntime.so.1.31.1", b"\x7fELF and more");
    symlink(&library, library.with_file_name("libonnxruntime.so")).unwrap();
    machine.folder = machine.at("home/fixtures/tapes");

    let finding = onnx_runtime(&machine);
    assert_eq!(finding.mark, Mark::Ok);
    assert!(finding.finding.starts_with("1.31.1, "), "{finding:?}");
}

#[test]
fn the_runtime_is_found_from_where_the_program_was_built() {
    let (_root, mut machine) = bare();
    put(&machine, "src/fairdeal/.deps/onnxruntime/libonnxruntime.so", b"\x7fELF and more");
    machine.program = Some(machine.at("src/fairdeal/target/debug/fairdeal"));
    assert_eq!(onnx_runtime(&machine).mark, Mark::Ok);
}

#[test]
fn a_half_fetched_runtime_is_not_called_good() {
    let (_root, machine) = bare();
    for content in [b"".as_slice(), b"\x7fE", b"<html>not found</html>"] {
        put(&machine, "home/.deps/onnxruntime/libonnxruntime.so", content);
        assert_eq!(onnx_runtime(&machine).mark, Mark::Note, "{content:?}");
    }
}

#[test]
fn libraries_are_found_where_the_loader_is_told_to_look() {
    let (_root, machine) = bare();
    assert_eq!(opencv(&machine).mark, Mark::Note);
    put(&machine, "etc/ld.so.conf.d/vision.conf", b"# ours\n/opt/vision/lib\n");
    put(&machine, "opt/vision/lib/libopencv_core.so.4.6.0", b"");
    let finding = opencv(&machine);
    assert_eq!(finding.mark, Mark::Ok);
    assert!(finding.finding.starts_with("4.6.0, "), "{finding:?}");
}

#[test]
fn ports_this_user_may_use_are_listed_in_order() {
    let (_root, machine) = bare();
    put(&machine, "dev/ttyUSB1", b"");
    put(&machine, "dev/ttyACM0", b"");
    put(&machine, "dev/ttyS0", b"");
    let finding = serial_ports(&machine);
    assert_eq!(finding.mark, Mark::Ok);
    let (acm, usb) = (finding.finding.find("ttyACM0"), finding.finding.find("ttyUSB1"));
    assert!(acm.is_some() && acm < usb && !finding.finding.contains("ttyS0"), "{finding:?}");
}

#[test]
fn a_port_that_went_away_is_reported_without_a_group() {
    let (_root, machine) = bare();
    fs::create_dir(machine.at("dev")).unwrap();
    symlink("gone", machine.at("dev/ttyUSB0")).unwrap();
    let finding = serial_ports(&machine);
    assert_eq!(finding.mark, Mark::Note);
    assert!(finding.remedy.unwrap().starts_with("ask "));
}

#[test]
fn a_files_group_is_looked_up_by_number() {
    let (_root, machine) = bare();
    let port = put(&machine, "dev/ttyUSB0", b"");
    let gid = fs::metadata(&port).unwrap().gid();
    assert_eq!(group_of(&machine, &port), None);
    put(&machine, "etc/group", format!("broken line\nother:x:{}:\ndialout:x:{gid}:anna\n", gid + 1).as_bytes());
    assert_eq!(group_of(&machine, &port), Some("dialout".into()));
}

#[test]
fn a_time_service_is_known_by_its_traces() {
    for (trace, service) in [
        ("run/systemd/timesync/synchronized", "systemd-timesyncd"),
        ("run/chrony/chronyd.pid", "chronyd"),
        ("run/ntpd.pid", "ntpd"),
    ] {
        let (_root, machine) = bare();
        assert_eq!(clock(&machine).mark, Mark::Note);
        put(&machine, trace, b"");
        let finding = clock(&machine);
        assert!(finding.mark == Mark::Ok && finding.finding.contains(service), "{finding:?}");
    }
}

#[test]
fn the_strongest_locale_variable_decides() {
    let (_root, mut machine) = bare();
    let mut say = |name: &str, value: &str| {
        machine.environment.insert(name.into(), value.into());
        locale(&machine).mark
    };
    assert_eq!(say("LANG", "en_NZ.UTF-8"), Mark::Ok);
    assert_eq!(say("LC_CTYPE", "C"), Mark::Note);
    assert_eq!(say("LC_ALL", "C.utf8"), Mark::Ok);
    assert_eq!(say("LC_ALL", ""), Mark::Note);
}

#[test]
fn a_folder_that_is_gone_has_no_space_to_report() {
    let (_root, mut machine) = bare();
    assert!(disk_space(&machine).finding.contains("GB free"));
    machine.folder = machine.at("nowhere");
    assert_eq!(disk_space(&machine).mark, Mark::Note);
}

//! The doctor as people and scripts meet it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

#[allow(dead_code, reason = "not every end is needed here")]
#[path = "../ingest/tests/camera/ends.rs"]
mod ends;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use serialport::{SerialPort, TTYPort};
use tempfile::TempDir;

use ends::RtspServer;

/// Runs the doctor in a folder with nothing of our own environment but what the test gives.
fn doctor(folder: &Path, environment: &[(&str, &Path)], arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .arg("doctor")
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

fn findings(output: &Output) -> Vec<Value> {
    let text = str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn finding<'f>(findings: &'f [Value], name: &str) -> &'f Value {
    findings.iter().find(|finding| finding["name"] == name).unwrap()
}

#[test]
fn a_runtime_chosen_and_not_there_is_missing_and_fails() {
    let folder = TempDir::new().unwrap();
    let nowhere = folder.path().join("libonnxruntime.so");
    let output = doctor(folder.path(), &[("ORT_DYLIB_PATH", &nowhere)], &["--json"]);

    assert_eq!(output.status.code(), Some(2));
    let findings = findings(&output);
    let runtime = finding(&findings, "ONNX Runtime");
    assert_eq!(runtime["mark"], "missing");
    assert!(runtime["finding"].as_str().unwrap().contains(nowhere.to_str().unwrap()));
    assert!(runtime["remedy"].as_str().unwrap().contains("scripts/setup"));
    assert_eq!(str::from_utf8(&output.stderr).unwrap(), "fairdeal: needed and missing: ONNX Runtime\n");
}

#[test]
fn a_runtime_chosen_and_there_is_named_with_its_version() {
    let folder = TempDir::new().unwrap();
    let library = folder.path().join("libonnxruntime.so.9.8.7");
    fs::write(&library, b"\x7fELF, the rest does not matter here").unwrap();
    let output = doctor(folder.path(), &[("ORT_DYLIB_PATH", &library)], &["--json"]);

    assert_eq!(output.status.code(), Some(0));
    let findings = findings(&output);
    let runtime = finding(&findings, "ONNX Runtime");
    assert_eq!(runtime["mark"], "ok");
    assert!(runtime["finding"].as_str().unwrap().starts_with("9.8.7, "));
}

#[test]
fn a_runtime_that_is_a_folder_or_a_device_is_refused_without_hanging() {
    let folder = TempDir::new().unwrap();
    for path in [folder.path(), Path::new("/dev/tty"), Path::new("/dev/zero")] {
        let output = doctor(folder.path(), &[("ORT_DYLIB_PATH", path)], &[]);
        assert_eq!(output.status.code(), Some(2), "{}", path.display());
    }
}

#[test]
fn an_empty_environment_gives_notes_with_what_to_do() {
    let folder = TempDir::new().unwrap();
    let output = doctor(folder.path(), &[], &["--json"]);

    assert_eq!(output.status.code(), Some(0));
    let findings = findings(&output);
    for name in ["ffmpeg", "locale"] {
        let finding = finding(&findings, name);
        assert_eq!(finding["mark"], "note");
        assert!(finding["remedy"].is_string());
    }
}

#[test]
fn people_read_one_line_a_finding_and_below_it_what_to_do() {
    let folder = TempDir::new().unwrap();
    let output = doctor(folder.path(), &[("LANG", Path::new("C"))], &[]);

    let text = str::from_utf8(&output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let locale = lines.iter().position(|line| line.starts_with("note     locale          LANG=C, not UTF-8")).unwrap();
    assert_eq!(lines[locale + 1].trim_start(), "to do: export LANG=C.UTF-8");
}

#[test]
fn a_library_on_the_loaders_path_comes_before_the_systems() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("libopencv_core.so.77.1"), b"").unwrap();
    let output = doctor(folder.path(), &[("LD_LIBRARY_PATH", folder.path())], &["--json"]);
    let findings = findings(&output);
    assert!(finding(&findings, "OpenCV")["finding"].as_str().unwrap().starts_with("77.1, "));
}

const BEE_TEK: &[u8] = b" [Game]<Card:4S>  [Game]<Card:10h> ";

/// A small site beside the folders and files it names.
fn site(folder: &Path, extra: &str) -> std::path::PathBuf {
    let file = folder.join("site.toml");
    let text = format!(
        "name = \"Test\"\ncurrency = \"NZD\"\n[database]\nurl = \"sqlite:fairdeal.db\"\n[evidence]\nfolder = \"evidence\"\n\
         [[table]]\nid = \"BJ-01\"\ngame = \"nz-base\"\n{extra}"
    );
    fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_site_whose_files_are_all_there_is_well() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("evidence")).unwrap();
    fs::write(folder.path().join("capture.bin"), BEE_TEK).unwrap();
    fs::write(folder.path().join("chips.jsonl"), "{\"seq\":1,\"at\":0,\"full\":true,\"tray\":\"500.00\"}\n").unwrap();
    let devices = "[table.shoe]\nname = \"shoe-01\"\nurl = \"file:capture.bin\"\ndialect = \"bee-tek\"\n\
        [table.chips]\nname = \"mat\"\nurl = \"file:chips.jsonl\"\n";
    let file = site(folder.path(), devices);
    let output = doctor(folder.path(), &[], &["--json", "--config", file.to_str().unwrap()]);

    let findings = findings(&output);
    assert_eq!(
        finding(&findings, "BJ-01 shoe")["finding"],
        "file:capture.bin: bee-tek, 2 telegrams, 2 events, 0 bytes of noise"
    );
    assert_eq!(
        finding(&findings, "BJ-01 chips")["finding"],
        "file:chips.jsonl: lines can be read, chips stand on 0 spots, the tray holds 500.00"
    );
    for name in ["database", "evidence", "BJ-01 rules", "BJ-01 shoe", "BJ-01 chips"] {
        assert_eq!(finding(&findings, name)["mark"], "ok", "{name}");
    }
}

#[test]
fn what_a_site_names_and_is_not_there_is_missing() {
    let folder = TempDir::new().unwrap();
    // A port that was free a moment ago: nobody answers there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let extra = format!(
        "[table.options]\nbj_pays = \"7:5\"\n[table.shoe]\nname = \"s\"\nurl = \"serial:///nowhere/ttyUSB0\"\n\
         dialect = \"bee-tek\"\n[[table.camera]]\nname = \"overhead\"\nurl = \"rtsp://127.0.0.1:{port}/stream\"\n"
    );
    let file = site(folder.path(), &extra);
    let output = doctor(folder.path(), &[], &["--json", "--config", file.to_str().unwrap()]);

    assert_eq!(output.status.code(), Some(2));
    let findings = findings(&output);
    for name in ["evidence", "BJ-01 rules", "BJ-01 shoe", "BJ-01 overhead"] {
        assert_eq!(finding(&findings, name)["mark"], "missing", "{name}");
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("fairdeal: needed and missing: evidence, BJ-01 rules"), "{said}");
}

#[test]
fn a_site_file_with_a_fault_is_named_with_its_place() {
    let folder = TempDir::new().unwrap();
    let file = site(folder.path(), "boxes = 12\n");
    let output = doctor(folder.path(), &[], &["--config", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("site.toml:10:9"), "{output:?}");
}

/// A pseudo-terminal of which the doctor gets the near end, at this path.
fn port(path: &Path) -> TTYPort {
    let (far, near) = TTYPort::pair().unwrap();
    std::os::unix::fs::symlink(near.name().unwrap(), path).unwrap();
    far
}

fn shoe(folder: &Path, dialect: &str) -> std::path::PathBuf {
    let url = format!("serial://{}?baud=9600", folder.join("ttyShoe").display());
    site(folder, &format!("[table.shoe]\nname = \"s\"\nurl = \"{url}\"\ndialect = \"{dialect}\"\n"))
}

#[test]
fn a_shoe_is_listened_to_and_what_it_speaks_is_told() {
    let folder = TempDir::new().unwrap();
    let mut far = port(&folder.path().join("ttyShoe"));
    // Somebody draws cards, whether or not anybody listens.
    let over = Arc::new(AtomicBool::new(false));
    let dealing = std::thread::spawn({
        let over = Arc::clone(&over);
        move || {
            while !over.load(Ordering::Relaxed) {
                let _ = far.write_all(BEE_TEK);
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
    });
    let told = |dialect: &str| {
        let file = shoe(folder.path(), dialect);
        let output = doctor(folder.path(), &[], &["--json", "--seconds", "2", "--config", file.to_str().unwrap()]);
        finding(&findings(&output), "BJ-01 shoe").clone()
    };
    let right = told("bee-tek");
    assert_eq!(right["mark"], "ok", "{right}");
    let wrong = told("angel-eye");
    assert_eq!(wrong["mark"], "missing", "{wrong}");
    assert!(wrong["finding"].as_str().unwrap().contains("this shoe speaks bee-tek; set that dialect"), "{wrong}");
    assert!(wrong["remedy"].as_str().unwrap().contains("fairdeal shoe probe serial://"), "{wrong}");
    over.store(true, Ordering::Relaxed);
    dealing.join().unwrap();
}

#[test]
fn a_silent_shoe_is_a_note_and_one_that_is_taken_or_left_alone_is_not_opened() {
    let folder = TempDir::new().unwrap();
    let _far = port(&folder.path().join("ttyShoe"));
    let file = shoe(folder.path(), "bee-tek");
    let told = |more: &[&str]| {
        let arguments = [&["--json", "--seconds", "1", "--config", file.to_str().unwrap()], more].concat();
        finding(&findings(&doctor(folder.path(), &[], &arguments)), "BJ-01 shoe").clone()
    };
    let silent = told(&[]);
    assert_eq!(silent["mark"], "note");
    assert!(silent["finding"].as_str().unwrap().contains("connected, but no byte came in 1 s"), "{silent}");
    assert!(silent["remedy"].as_str().unwrap().starts_with("draw a card"), "{silent}");

    let held = serialport::new(folder.path().join("ttyShoe").to_str().unwrap(), 9600).open_native().unwrap();
    let taken = told(&[]);
    assert_eq!(taken["mark"], "note");
    assert!(taken["finding"].as_str().unwrap().contains("in use by another program"), "{taken}");
    assert!(taken["remedy"].as_str().unwrap().starts_with("nothing, if a recording of this table runs"), "{taken}");
    assert_eq!(told(&["--no-devices"])["mark"], "ok", "it is there, and that is all that was asked");
    drop(held);
}

#[test]
fn a_chip_line_at_the_wrong_speed_is_told_with_its_remedy() {
    let folder = TempDir::new().unwrap();
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("tcp://{}", server.local_addr().unwrap());
    let file = site(folder.path(), &format!("[table.chips]\nname = \"mat\"\nurl = \"{url}\"\n"));
    let sending = std::thread::spawn(move || {
        let (mut sensor, _) = server.accept().unwrap();
        while sensor.write_all(b"\xf8\x80\n\xe6\n").is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    });
    let output = doctor(folder.path(), &[], &["--json", "--seconds", "1", "--config", file.to_str().unwrap()]);
    sending.join().unwrap();
    let findings = findings(&output);
    let chips = finding(&findings, "BJ-01 chips");
    assert_eq!(chips["mark"], "missing");
    assert!(chips["finding"].as_str().unwrap().contains("lines come and cannot be read: chip feed, line "), "{chips}");
    assert!(chips["remedy"].as_str().unwrap().contains("speed"), "{chips}");
}

#[test]
fn a_camera_is_opened_and_its_picture_told() {
    let folder = TempDir::new().unwrap();
    let film = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=10:duration=3", "-c:v", "libx264"];
    let made = Command::new("ffmpeg").current_dir(folder.path()).args(film).args(["-bf", "0", "east.mp4"]).status();
    assert!(made.unwrap().success());
    let told = |size: &str| {
        let camera = format!("[[table.camera]]\nname = \"east\"\nurl = \"file:east.mp4\"\n{size}");
        let file = site(folder.path(), &camera);
        let output = doctor(folder.path(), &[], &["--json", "--seconds", "2", "--config", file.to_str().unwrap()]);
        finding(&findings(&output), "BJ-01 east").clone()
    };
    let plain = told("");
    assert_eq!(plain["mark"], "ok", "{plain}");
    assert!(plain["finding"].as_str().unwrap().starts_with("file:east.mp4: 320x240, 10."), "{plain}");
    let other = told("width = 1920\nheight = 1080\n");
    assert_eq!(other["mark"], "missing", "{other}");
    assert!(other["finding"].as_str().unwrap().contains("320x240"), "{other}");
    assert!(other["finding"].as_str().unwrap().ends_with("and site.toml says 1920x1080"), "{other}");
}

#[test]
fn a_camera_on_the_network_is_called_and_one_that_is_gone_is_told_with_what_to_check() {
    let folder = TempDir::new().unwrap();
    let server = RtspServer::start(0, &ends::film(folder.path(), "table.mp4", 500, &["-bf", "0"]));
    let address = server.address().to_string();
    let told = || {
        let file = site(folder.path(), &format!("[[table.camera]]\nname = \"top\"\nurl = \"{address}\"\n"));
        let output = doctor(folder.path(), &[], &["--json", "--seconds", "2", "--config", file.to_str().unwrap()]);
        finding(&findings(&output), "BJ-01 top").clone()
    };
    let playing = told();
    assert_eq!(playing["mark"], "ok", "{playing}");
    assert!(playing["finding"].as_str().unwrap().starts_with(&format!("{address}: 320x180, ")), "{playing}");
    drop(server);
    let gone = told();
    assert_eq!(gone["mark"], "missing", "{gone}");
    assert!(gone["remedy"].as_str().unwrap().contains("power and network"), "{gone}");
}

//! The doctor as people and scripts meet it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

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
    fs::write(folder.path().join("capture.bin"), [5]).unwrap();
    let shoe = "[table.shoe]\nname = \"shoe-01\"\nurl = \"file:capture.bin\"\ndialect = \"angel-eye\"\n";
    let file = site(folder.path(), shoe);
    let output = doctor(folder.path(), &[], &["--json", "--config", file.to_str().unwrap()]);

    let findings = findings(&output);
    for name in ["database", "evidence", "BJ-01 rules", "BJ-01 shoe"] {
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

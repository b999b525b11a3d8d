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
    let locale = lines.iter().position(|line| line.starts_with("note     locale        LANG=C, not UTF-8")).unwrap();
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

//! Recognising cards as people and scripts meet it: pictures of every kind, and what is said of those that are none.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use simulator::video::camera::Size;
use simulator::video::stills::{Order, jpeg, still};
use tempfile::TempDir;

fn recognize(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).arg("recognize").args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A simulated still as a JPEG file.
fn picture(folder: &Path) -> PathBuf {
    let order = Order { size: Size::new(320, 240), ..Order::new(1, 7) };
    let path = folder.join("table.jpg");
    fs::write(&path, jpeg(&still(&order, 0).0, 90).unwrap()).unwrap();
    path
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

#[test]
fn a_picture_gives_one_object_with_the_fields_that_scripts_know() {
    let folder = TempDir::new().unwrap();
    let path = picture(folder.path());
    let output = recognize(&[path.to_str().unwrap(), "--json"]);

    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((line["w"].as_u64(), line["h"].as_u64()), (Some(320), Some(240)));
    assert_eq!(line["image"], path.to_str().unwrap());
    assert!(line["ms"].is_number());
    for card in line["cards"].as_array().unwrap() {
        assert_eq!(card["quad"].as_array().unwrap().len(), 4);
        assert_eq!(card["card"].is_null(), card["face"] == "down");
        assert!((0.0..=1.0).contains(&card["confidence"].as_f64().unwrap()));
        assert!(card["partly_hidden"].is_boolean());
    }
}

#[test]
fn bad_pictures_are_named_and_the_good_ones_go_on() {
    let folder = TempDir::new().unwrap();
    let good = picture(folder.path());
    let bytes = fs::read(&good).unwrap();
    let bad: &[(&str, &[u8], &str)] = &[
        ("empty.jpg", b"", "empty"),
        ("cut.jpg", &bytes[..bytes.len() / 2], "cut off"),
        ("text.png", b"not a picture at all", "no picture"),
        ("bomb.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\x02\0\0\0IEND", "too large"),
    ];
    for (name, bytes, _) in bad {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let mut paths: Vec<PathBuf> = bad.iter().map(|(name, ..)| folder.path().join(name)).collect();
    paths.push(folder.path().join("nowhere.jpg"));
    paths.push(folder.path().to_owned());
    paths.push(good);
    let mut arguments: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    arguments.push("--json");
    let output = recognize(&arguments);

    assert_eq!(output.status.code(), Some(2));
    assert_eq!(str::from_utf8(&output.stdout).unwrap().lines().count(), 1, "the good one");
    let said = said(&output);
    for (name, _, why) in bad {
        assert!(said.lines().any(|line| line.contains(name) && line.contains(why)), "{name}: {said}");
    }
    assert!(said.contains("6 of 7 pictures could not be looked at"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn without_the_runtime_it_is_said_how_to_get_it() {
    let folder = TempDir::new().unwrap();
    let path = picture(folder.path());
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(["recognize", path.to_str().unwrap()])
        .env("ORT_DYLIB_PATH", folder.path().join("libonnxruntime.so"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("scripts/setup"), "{}", said(&output));
}

#[test]
fn a_file_that_is_no_library_is_refused_in_words() {
    let folder = TempDir::new().unwrap();
    let path = picture(folder.path());
    let library = folder.path().join("libonnxruntime.so");
    fs::write(&library, b"\x7fELF, and nothing more").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(["recognize", path.to_str().unwrap()])
        .env("ORT_DYLIB_PATH", &library)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("does not load"), "{}", said(&output));
    assert!(!said(&output).contains("panicked"), "{}", said(&output));
}

#[test]
fn models_that_are_none_or_the_wrong_ones_are_refused_in_words() {
    let folder = TempDir::new().unwrap();
    let path = picture(folder.path());
    let arguments = [path.to_str().unwrap(), "--models", folder.path().to_str().unwrap()];
    let (finder, reader) = (folder.path().join("finder.onnx"), folder.path().join("reader.onnx"));

    let output = recognize(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("finder.onnx"), "{}", said(&output));

    fs::write(&finder, b"garbage").unwrap();
    let output = recognize(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("not a card model"), "{}", said(&output));

    // The two mixed up.
    fs::copy(models().join("reader.onnx"), &finder).unwrap();
    fs::copy(models().join("finder.onnx"), &reader).unwrap();
    let output = recognize(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("should be a finder, and says it is reader"), "{}", said(&output));
}

#[test]
fn a_drawing_is_as_large_as_its_picture() {
    let folder = TempDir::new().unwrap();
    let path = picture(folder.path());
    let drawn = folder.path().join("seen.png");
    let output = recognize(&[path.to_str().unwrap(), "--draw", drawn.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let png = fs::read(&drawn).unwrap();
    assert_eq!(png[16..24], [0, 0, 1, 64, 0, 0, 0, 240]);
}

#[test]
fn a_video_that_is_none_is_an_error_in_words() {
    let folder = TempDir::new().unwrap();
    for (name, bytes) in [("a.mp4", b"no film".as_slice()), ("a.mcap", b"no tape")] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let output = recognize(&["--video", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(!said(&output).contains("panicked") && !said(&output).is_empty(), "{}", said(&output));
    }
}

//! ONNX Runtime: where its library is looked for, and the one environment that a process makes of it.
//!
//! The library is loaded by name at run time and its loader ends the process when there is none, so a file is found and
//! looked at first.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;

const FILE: &str = "libonnxruntime.so";
/// Where set-up puts it, below the project's folder.
const FETCHED: &str = ".deps/onnxruntime/libonnxruntime.so";

/// Where to look, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The file somebody chose with `ORT_DYLIB_PATH`. If it is wrong nothing else is tried: they would not learn of it.
    pub chosen: Option<PathBuf>,
    /// The working folder and the folder of the program: what set-up fetched lies in one of them or above.
    pub folders: Vec<PathBuf>,
    /// A library that the system's loader would meet.
    pub system: Option<PathBuf>,
}

/// Why there is no ONNX Runtime.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The chosen file is not one.
    #[error(
        "ORT_DYLIB_PATH names {}, {fault}: set it to libonnxruntime.so, or unset it and run scripts/setup in the project's folder",
        path.display()
    )]
    Chosen {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// There is none anywhere.
    #[error(
        "ONNX Runtime is not installed: run scripts/setup in the project's folder, or set ORT_DYLIB_PATH to libonnxruntime.so"
    )]
    Missing,
    /// What was found is not one.
    #[error("{} is taken for ONNX Runtime, {fault}: remove it and run scripts/setup in the project's folder", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// The loader refused it.
    #[error("ONNX Runtime in {} does not load: {why}", path.display())]
    Load {
        /// Which.
        path: PathBuf,
        /// What the loader says.
        why: String,
    },
    /// It loaded and would not start.
    #[error("ONNX Runtime does not start: {0}")]
    Start(String),
}

impl Places {
    /// The first library found.
    pub fn find(&self) -> Result<PathBuf, RuntimeError> {
        if let Some(path) = &self.chosen {
            return match fault(path) {
                None => Ok(path.clone()),
                Some(fault) => Err(RuntimeError::Chosen { path: path.clone(), fault }),
            };
        }
        let fetched = self.folders.iter().flat_map(|folder| folder.ancestors()).map(|folder| folder.join(FETCHED));
        let beside = self.folders.iter().map(|folder| folder.join(FILE));
        let path = fetched.chain(beside).find(|path| path.is_file()).or_else(|| self.system.clone());
        let path = path.ok_or(RuntimeError::Missing)?;
        match fault(&path) {
            None => Ok(path),
            Some(fault) => Err(RuntimeError::Damaged { path, fault }),
        }
    }
}

/// What keeps a file from being a shared library.
fn fault(path: &Path) -> Option<&'static str> {
    // Asked first because opening something that is no plain file, such as a pipe, may never return.
    if !path.is_file() {
        return Some("which is no file");
    }
    let mut magic = [0; 4];
    match File::open(path).and_then(|mut file| file.read_exact(&mut magic)) {
        Err(_) => Some("which cannot be read"),
        Ok(()) if magic != *b"\x7fELF" => Some("which is no shared library"),
        Ok(()) => None,
    }
}

/// ONNX Runtime keeps one environment a process; whoever comes second gets the same.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

/// The environment, made from the first library found unless there is one already.
pub(crate) fn environment(places: &Places) -> Result<Environment, RuntimeError> {
    let mut held = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = &*held {
        return Ok(environment.clone());
    }
    let path = places.find()?;
    let builder = ort::init_from(&path).map_err(|why| RuntimeError::Load { path, why: why.to_string() })?;
    let environment = builder
        .with_name("fairdeal")
        .with_telemetry(false)
        .build()
        .map_err(|why| RuntimeError::Start(why.to_string()))?;
    Ok(held.insert(environment).clone())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn without_a_library_it_is_said_how_to_get_one() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places { folders: vec![folder.path().into()], ..Places::default() };
        let said = places.find().unwrap_err().to_string();
        assert!(said.contains("scripts/setup") && said.contains("ORT_DYLIB_PATH"), "{said}");
    }

    #[test]
    fn what_set_up_fetched_is_found_from_a_folder_below() {
        let project = tempfile::tempdir().unwrap();
        let below = project.path().join("a/b");
        fs::create_dir_all(&below).unwrap();
        fs::create_dir_all(project.path().join(".deps/onnxruntime")).unwrap();
        let library = project.path().join(FETCHED);
        fs::write(&library, b"\x7fELF and more").unwrap();
        let places = Places { folders: vec![below], ..Places::default() };
        assert_eq!(places.find().unwrap(), library);
        fs::write(&library, b"<html>").unwrap();
        assert!(matches!(places.find(), Err(RuntimeError::Damaged { .. })));
    }

    #[test]
    fn a_chosen_file_that_is_none_is_not_passed_over() {
        let project = tempfile::tempdir().unwrap();
        let good = project.path().join(FILE);
        fs::write(&good, b"\x7fELF").unwrap();
        let chosen = Some(project.path().join("nowhere.so"));
        let places = Places { chosen, folders: vec![project.path().into()], ..Places::default() };
        assert!(matches!(places.find(), Err(RuntimeError::Chosen { .. })));
        assert_eq!(Places { chosen: None, ..places }.find().unwrap(), good);
    }
}

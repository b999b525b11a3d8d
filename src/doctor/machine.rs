//! The machine as the doctor sees it: files below a root, an environment, a working folder.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use recognizer::runtime::Places;

/// Everything a probe may look at. Tests build small machines of their own in a temporary folder.
pub(crate) struct Machine {
    pub(super) root: PathBuf,
    /// Where we were started.
    pub(super) folder: PathBuf,
    /// Where our program lies, if that can be told.
    pub(super) program: Option<PathBuf>,
    pub(super) environment: BTreeMap<OsString, OsString>,
}

impl Machine {
    /// The machine we run on.
    pub(crate) fn this() -> Self {
        Self {
            root: "/".into(),
            folder: env::current_dir().unwrap_or_else(|_| ".".into()),
            program: env::current_exe().ok(),
            environment: env::vars_os().collect(),
        }
    }

    /// Where ONNX Runtime is looked for.
    pub(crate) fn runtime(&self) -> Places {
        let beside = self.program.as_deref().and_then(Path::parent).map(Path::to_owned);
        Places {
            chosen: self.variable("ORT_DYLIB_PATH").map(PathBuf::from),
            folders: [Some(self.folder.clone()), beside].into_iter().flatten().collect(),
            system: self.library("libonnxruntime"),
        }
    }

    /// A variable that is set to something.
    pub(super) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// A path written as if the root were `/`.
    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// Entries of a folder whose names begin so, in order of name; a folder that cannot be read has none.
    pub(super) fn entries(folder: &Path, prefix: &str) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes()))
            .map(|entry| entry.path())
            .collect();
        found.sort();
        found
    }

    /// Folders a variable such as `PATH` names. An empty name would mean the working folder; nobody means that.
    pub(super) fn listed(&self, variable: &str) -> Vec<PathBuf> {
        self.variable(variable)
            .map(|value| env::split_paths(value).filter(|folder| !folder.as_os_str().is_empty()).collect())
            .unwrap_or_default()
    }

    /// Folders where the loader looks for shared libraries, in its order.
    fn library_folders(&self) -> Vec<PathBuf> {
        let mut folders = self.listed("LD_LIBRARY_PATH");
        for list in Self::entries(&self.at("/etc/ld.so.conf.d"), "") {
            let lines = fs::read_to_string(list).unwrap_or_default();
            folders.extend(lines.lines().map(str::trim).filter(|line| line.starts_with('/')).map(|line| self.at(line)));
        }
        folders.extend(["/lib", "/usr/lib", "/lib64", "/usr/lib64"].map(|folder| self.at(folder)));
        folders
    }

    /// The first file of this library the loader would meet, whatever its version.
    pub(super) fn library(&self, name: &str) -> Option<PathBuf> {
        let file = format!("{name}.so");
        self.library_folders().iter().flat_map(|folder| Self::entries(folder, &file)).find(|path| path.is_file())
    }
}

/// The version at the end of a library's real name, `libfoo.so.1.2.3`; links are followed to find it.
pub(super) fn library_version(path: &Path) -> Option<String> {
    let real = path.canonicalize().ok()?;
    let (_, version) = real.file_name()?.to_str()?.split_once(".so.")?;
    Some(version.to_owned())
}

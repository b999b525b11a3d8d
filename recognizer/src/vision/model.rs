//! A network in a file: loaded, and refused with a reason if it is not the one expected.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ort::environment::Environment;
use ort::session::Session;
use ort::session::builder::GraphOptimizationLevel;
use ort::value::{Outlet, TensorElementType, TensorRef};

use super::VisionError;
use crate::runtime::Places;

/// The version of the contract between the networks and this code; `models/README.md` tells it.
const VERSION: &str = "1";

/// Where the networks come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Models {
    /// Those that were built into the program.
    #[default]
    BuiltIn,
    /// `finder.onnx` and `reader.onnx` in a folder.
    Folder(PathBuf),
}

/// What a network is for, and the shapes that go in and come out; zero is any length.
pub(super) struct Kind {
    name: &'static str,
    built_in: &'static [u8],
    input: (&'static str, &'static [i64]),
    outputs: &'static [(&'static str, &'static [i64])],
}

pub(super) static FINDER: Kind = Kind {
    name: "finder",
    built_in: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/finder.onnx")),
    input: ("image", &[0, 3, 0, 0]),
    outputs: &[("class", &[0, 3, 0, 0]), ("centre", &[0, 2, 0, 0]), ("axes", &[0, 6, 0, 0]), ("index", &[0, 1, 0, 0])],
};

pub(super) static READER: Kind = Kind {
    name: "reader",
    built_in: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/reader.onnx")),
    input: ("crop", &[0, 3, 128, 96]),
    outputs: &[("rank", &[0, 13]), ("suit", &[0, 4]), ("state", &[0, 3]), ("corners", &[0, 8])],
};

/// A network ready to run, on one thread.
pub(super) struct Model {
    kind: &'static Kind,
    session: Session,
    file: String,
}

impl Model {
    pub(super) fn load(kind: &'static Kind, from: &Models, environment: &Environment) -> Result<Self, VisionError> {
        let (file, bytes) = match from {
            Models::BuiltIn => (format!("the built-in {}", kind.name), kind.built_in.into()),
            Models::Folder(folder) => read(&folder.join(format!("{}.onnx", kind.name)))?,
        };
        let refused = |why: String| VisionError::Model { file: file.clone(), why };
        let session = session(environment, &bytes).map_err(|why| refused(why.to_string()))?;
        check(kind, &session).map_err(refused)?;
        Ok(Self { kind, session, file })
    }

    /// By what the logits of a head are divided before they become probabilities.
    pub(super) fn temperature(&self, head: &str) -> Result<f32, VisionError> {
        let key = format!("fairdeal.temperature.{head}");
        let text = self.session.metadata().ok().and_then(|about| about.custom(&key));
        let number = text.as_deref().unwrap_or("1").parse::<f32>().ok();
        number.filter(|number| (0.01..=100.0).contains(number)).ok_or_else(|| VisionError::Model {
            file: self.file.clone(),
            why: format!("its `{key}` is no number from 0.01 to 100"),
        })
    }

    /// What the training run said of itself.
    pub(super) fn trained(&self) -> String {
        let about = self.session.metadata().ok().and_then(|about| about.custom("fairdeal.trained"));
        about.unwrap_or_default()
    }

    /// Runs the network on one input and hands its outputs, each as numbers in a row, to `take`.
    pub(super) fn run<T>(
        &mut self,
        shape: [usize; 4],
        input: &[f32],
        take: impl FnOnce([&[f32]; 4]) -> T,
    ) -> Result<T, VisionError> {
        let file = &self.file;
        let failed = |why: String| VisionError::Model { file: file.clone(), why };
        let tensor = TensorRef::from_array_view((shape, input)).map_err(|why| failed(why.to_string()))?;
        let outputs = self.session.run(ort::inputs![tensor]).map_err(|why| failed(why.to_string()))?;
        let mut rows: [&[f32]; 4] = [&[]; 4];
        for (row, (name, of)) in rows.iter_mut().zip(self.kind.outputs) {
            let value = outputs.get(*name).ok_or_else(|| failed(format!("it gave no `{name}`")))?;
            let (got, numbers) = value.try_extract_tensor::<f32>().map_err(|why| failed(why.to_string()))?;
            let strided = |at: usize| if of.len() == 4 { shape[at].div_ceil(4) as i64 } else { of[at] };
            let wanted: Vec<i64> = (0..of.len())
                .map(|at| match at {
                    0 => shape[0] as i64,
                    1 => of[1],
                    at => strided(at),
                })
                .collect();
            if got[..] != wanted[..] {
                return Err(failed(format!("its `{name}` came out as {:?} instead of {wanted:?}", &got[..])));
            }
            *row = numbers;
        }
        Ok(take(rows))
    }
}

/// How long a network of any kind takes for one input of this shape, in milliseconds: the median of so many runs after one
/// to warm up, on one thread. For comparing ours with others in one run.
pub fn time_of(path: &Path, runtime: &Places, shape: [usize; 4], runs: usize) -> Result<f64, VisionError> {
    let (file, bytes) = read(path)?;
    let failed = |why: ort::Error| VisionError::Model { file: file.clone(), why: why.to_string() };
    let mut session = session(&crate::runtime::environment(runtime)?, &bytes).map_err(failed)?;
    let input = vec![0.5_f32; shape.iter().product()];
    let mut times = Vec::with_capacity(runs);
    for run in 0..=runs {
        let begun = Instant::now();
        let tensor = TensorRef::from_array_view((shape, input.as_slice())).map_err(failed)?;
        session.run(ort::inputs![tensor]).map_err(failed)?;
        if run > 0 {
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times.get(times.len() / 2).copied().unwrap_or(f64::NAN))
}

fn read(path: &Path) -> Result<(String, std::borrow::Cow<'static, [u8]>), VisionError> {
    let file = path.display().to_string();
    match fs::read(path) {
        Ok(bytes) => Ok((file, bytes.into())),
        Err(why) => Err(VisionError::Model { file, why: why.to_string() }),
    }
}

/// One thread a network: a site has as many tables as cores, and threads that wait for each other spin.
fn session(environment: &Environment, bytes: &[u8]) -> Result<Session, ort::Error> {
    Session::builder(environment)?
        .with_optimization_level(GraphOptimizationLevel::Level3)?
        .with_intra_threads(1)?
        .with_inter_threads(1)?
        .commit_from_memory(bytes)
}

/// What is wrong with a network, if anything.
fn check(kind: &Kind, session: &Session) -> Result<(), String> {
    let about = session.metadata().map_err(|why| why.to_string())?;
    let property = |key: &str| about.custom(&format!("fairdeal.{key}")).unwrap_or_else(|| "nothing".to_owned());
    if property("kind") != kind.name {
        return Err(format!("it should be a {}, and says it is {}", kind.name, property("kind")));
    }
    if property("version") != VERSION {
        return Err(format!("it is made for version {}, this program for {VERSION}", property("version")));
    }
    let [input] = session.inputs() else {
        return Err(format!("it takes {} inputs instead of one", session.inputs().len()));
    };
    fits(input, kind.input)?;
    for wanted in kind.outputs {
        let found = session.outputs().iter().find(|output| output.name() == wanted.0);
        fits(found.ok_or_else(|| format!("it has no output `{}`", wanted.0))?, *wanted)?;
    }
    Ok(())
}

fn fits(outlet: &Outlet, (name, wanted): (&str, &[i64])) -> Result<(), String> {
    let wrong = || {
        let shape: Vec<_> =
            wanted.iter().map(|length| if *length == 0 { "any".to_owned() } else { length.to_string() }).collect();
        Err(format!("its `{}` is {}, expected `{name}` of {}", outlet.name(), outlet.dtype(), shape.join(" x ")))
    };
    let (Some(shape), Some(TensorElementType::Float32)) = (outlet.dtype().tensor_shape(), outlet.dtype().tensor_type())
    else {
        return wrong();
    };
    // A length below zero is one that the file leaves open.
    let same = |(has, wants): (&i64, &i64)| *wants == 0 || *has < 0 || has == wants;
    if outlet.name() != name || shape.len() != wanted.len() || !shape.iter().zip(wanted).all(same) {
        return wrong();
    }
    Ok(())
}

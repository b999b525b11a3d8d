//! Passwords from a keyboard without showing them, or from a pipe.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Context, ensure};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Asks for a new password: twice at a terminal, one line from a pipe.
pub(super) fn ask(name: &str) -> anyhow::Result<String> {
    if !io::stdin().is_terminal() {
        return line();
    }
    let first = hidden(&format!("password for {name}: "))?;
    let second = hidden("once more: ")?;
    ensure!(first == second, "the two passwords differ");
    Ok(first)
}

fn hidden(prompt: &str) -> anyhow::Result<String> {
    let mut err = io::stderr();
    write!(err, "{prompt}")?;
    err.flush()?;
    let silence = Silence::new()?;
    let typed = line();
    drop(silence);
    writeln!(err)?;
    typed
}

fn line() -> anyhow::Result<String> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).context("cannot read the password")?;
    let typed = line.trim_end_matches(['\r', '\n']);
    ensure!(!typed.is_empty(), "no password was given");
    Ok(typed.to_owned())
}

/// A terminal that does not show what is typed, until this is dropped.
struct Silence(Termios);

impl Silence {
    fn new() -> anyhow::Result<Self> {
        let before = tcgetattr(io::stdin()).context("cannot silence the terminal")?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Now, &silent).context("cannot silence the terminal")?;
        Ok(Self(before))
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        // Nothing could be done about a terminal that refuses.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}

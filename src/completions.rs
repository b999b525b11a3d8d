//! `fairdeal completions`: what a shell needs to complete our commands.

use std::io;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{Cli, Outcome};

/// Print completions for a shell
///
/// Example: fairdeal completions bash > /etc/bash_completion.d/fairdeal
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "fairdeal", &mut script);
    io::Write::write_all(&mut io::stdout(), &script)?;
    Ok(Outcome::Clean)
}

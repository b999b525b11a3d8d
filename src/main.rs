//! `fairdeal`: the command line. Each subcommand is one file; this one wires them together.

mod archive;
mod audit;
mod backup;
mod bench;
mod books;
mod calibrate;
mod columns;
mod completions;
mod config;
mod database;
mod decode;
mod demo;
mod doctor;
mod equipment;
mod eval;
mod explain;
mod export;
mod follow;
mod footage;
mod json;
mod logging;
mod rebuild;
mod recognize;
mod record;
mod replay;
mod review;
mod rounds;
mod rules;
mod run;
mod score;
mod settle;
mod shoe;
mod show;
mod shuffle;
mod sight;
mod simulate;
mod status;
mod tape;
mod user;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Audits blackjack tables against the regulator's own rules.
#[derive(Parser)]
#[command(version, about, long_about = None, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    logging: logging::Args,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Args),
    Run(Box<run::Args>),
    Status(status::Args),
    Audit(audit::Args),
    Review(review::Args),
    User(user::Args),
    Export(export::Args),
    Verify(verify::Args),
    Backup(backup::Args),
    Restore(backup::RestoreArgs),
    Replay(replay::Args),
    Simulate(Box<simulate::Args>),
    Settle(settle::Args),
    Decode(decode::Args),
    Score(score::Args),
    Show(show::Args),
    Shuffle(shuffle::Args),
    Recognize(recognize::Args),
    Calibrate(calibrate::Args),
    Eval(eval::Args),
    Record(Box<record::Args>),
    Rules(rules::Args),
    Explain(explain::Args),
    Tape(tape::Args),
    Shoe(shoe::Args),
    Config(config::Args),
    Bench(bench::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
}

/// How a command that did its job ended; a job that could not be done is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Done, and nothing found that the caller asked to fail on.
    Clean,
    /// Done, and something found that the caller asked to fail on.
    Found,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    logging::start(&cli.logging);
    let result = match cli.command {
        Command::Demo(args) => demo::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Review(args) => review::run(&args),
        Command::User(args) => user::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Restore(args) => backup::run_restore(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Settle(args) => settle::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Score(args) => score::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Shuffle(args) => shuffle::run(&args),
        Command::Recognize(args) => recognize::run(&args),
        Command::Calibrate(args) => calibrate::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Tape(args) => tape::run(&args),
        Command::Shoe(args) => shoe::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => completions::run(&args),
    };
    match result {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fairdeal: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whoever reads our output has seen enough (`fairdeal … | head`): not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_does_not_contradict_itself() {
        super::Cli::command().debug_assert();
    }
}

//! Completions for shells, and the pages of `man`.

use crate::args::{Args, for_screen};
use crate::output::Output;
use crate::status::{Error, Status};
use clap::CommandFactory as _;

/// `zonewalk completions`
pub(crate) fn completions(shell: clap_complete::Shell, output: &mut Output) -> Result<Status, Error> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "zonewalk", &mut script);
    print(&script, output)
}

/// `zonewalk man`
pub(crate) fn page(command: Option<&str>, output: &mut Output) -> Result<Status, Error> {
    // Pages are the same for every build of a version.
    let mut all = Args::command().long_version(env!("CARGO_PKG_VERSION"));
    all.build();
    let shown = match command {
        None => all,
        Some(name) => match all.find_subcommand(name).filter(|found| !found.is_hide_set()) {
            // The name must live as long as the program, which prints it and ends.
            Some(found) => found.clone().name(format!("zonewalk-{name}").leak() as &str),
            None => {
                return Err(Error::new(format_args!(
                    "there is no command `{name}`; `zonewalk help` lists the commands"
                )));
            }
        },
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(shown).render(&mut page)?;
    print(&page, output)
}

/// `zonewalk searches`, which `zonewalk help searches` leads to.
pub(crate) fn searches(output: &mut Output) -> Result<Status, Error> {
    let mut all = for_screen(Args::command());
    let text = all
        .find_subcommand_mut("searches")
        .map(|command| command.render_help().to_string())
        .unwrap_or_default();
    print(text.as_bytes(), output)
}

fn print(text: &[u8], output: &mut Output) -> Result<Status, Error> {
    output.result(&String::from_utf8_lossy(text))?;
    output.flush()?;
    Ok(Status::Success)
}

//! The command `zonewalk` inside of another program: the package for Python brings it along.

use std::ffi::OsString;

/// Does what these arguments ask for, the first of which is the name of the command, and returns the exit status. `program` is what
/// starts the command as a process, for those that do (`bench`): a file and its first arguments.
///
/// It prints, reads standard input and takes over Ctrl-C: call it once, in a process that has nothing else to do.
pub fn run(args: impl IntoIterator<Item = OsString>, program: &[OsString]) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    zonewalk_cli::run_as(&args, program)
}

//! The command `zonewalk`.

use std::process::ExitCode;

fn main() -> ExitCode {
    zonewalk_cli::main()
}

//! How wide the screen is.

use std::io::{self, IsTerminal as _};
use terminal_size::{Width, terminal_size_of};
use zonewalk_report::layout::WIDTH;

/// Columns below which nothing is laid out: a terminal that says so is not telling the truth.
const LEAST: usize = 20;

/// Columns of the terminal that standard output is, else what `COLUMNS` says. `None` for a pipe or a file, where a line
/// may be of any length.
pub(crate) fn of_results() -> Option<usize> {
    let stream = io::stdout();
    choose(stream.is_terminal(), terminal_size_of(&stream), environment())
}

/// Width of standard error.
pub(crate) fn of_messages() -> Option<usize> {
    let stream = io::stderr();
    choose(stream.is_terminal(), terminal_size_of(&stream), environment())
}

/// Width that the environment names.
fn environment() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok()
}

fn choose(
    is_terminal: bool,
    size: Option<(Width, terminal_size::Height)>,
    environment: Option<usize>,
) -> Option<usize> {
    let size = size
        .filter(|_| is_terminal)
        .map(|(Width(columns), _)| columns.into());
    let is_sane = |columns: &usize| *columns >= LEAST;
    size.filter(is_sane)
        .or(environment.filter(is_sane))
        .or(is_terminal.then_some(WIDTH))
}

#[cfg(test)]
mod tests {
    use super::*;
    use terminal_size::Height;

    #[test]
    fn the_terminal_goes_before_the_environment() {
        let size = |columns| Some((Width(columns), Height(24)));
        assert_eq!(choose(true, size(132), Some(80)), Some(132));
        assert_eq!(choose(true, size(0), Some(100)), Some(100));
        assert_eq!(choose(true, None, None), Some(WIDTH));
        assert_eq!(choose(true, None, Some(3)), Some(WIDTH));
        assert_eq!(choose(false, None, None), None);
        assert_eq!(choose(false, None, Some(60)), Some(60));
    }
}

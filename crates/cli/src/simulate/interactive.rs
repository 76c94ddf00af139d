//! A simulation that the user steers: numbered choices, delays, undo.

use crate::output::Output;
use crate::status::{Error, Status};
use std::io::{self, BufRead as _};
use zonewalk_checker::{Recorder, time};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::{Move, Session};
use zonewalk_reference::window::Windows;
use zonewalk_reference::{Error as ModelError, Interpreter};
use zonewalk_report::palette::Palette;
use zonewalk_report::trace::text;

/// Choices that are listed; the others are counted, and can be taken by number all the same.
const LISTED: usize = 40;

const HELP: &str = "
  N         take choice N as soon as possible
  N D       take choice N after a delay of D
  d D       let D time units pass; D is a number such as 3, 7/2 or 1.25
  u         undo the last move
  s         show the state
  l         list the choices again
  q         quit
";

/// What the user wants.
#[derive(Debug, PartialEq)]
enum Command {
    Take(usize, Option<Rational>),
    Delay(Rational),
    Undo,
    State,
    List,
    Help,
    Quit,
    Nothing,
}

/// Asks, does, shows, until the user has enough.
pub(super) fn run(interpreter: &Interpreter<'_>, output: &mut Output) -> Result<Status, Error> {
    let sources = &interpreter.model().sources;
    let mut session = match Session::new(interpreter) {
        Ok(session) => session,
        Err(error) => {
            output.diagnostic(&error.to_diagnostic(), sources);
            return Ok(Status::Failure);
        }
    };
    let recorder = Recorder::new(interpreter);
    let width = output.width();
    output.text(&text::state(&recorder.state(session.state()), width))?;
    output.text(&choices(&recorder, &session))?;
    let mut lines = io::stdin().lock().lines();
    loop {
        output.result("\n(h for help) > ")?;
        output.flush()?;
        let line = match lines.next() {
            Some(Ok(line)) => line,
            Some(Err(error)) => return Err(Error::new(format_args!("cannot read a command: {error}"))),
            None => {
                output.result("\n")?;
                break;
            }
        };
        let command = match parse(&line) {
            Ok(command) => command,
            Err(message) => {
                output.result(&format!("{message}\n"))?;
                continue;
            }
        };
        let outcome = match command {
            Command::Quit => break,
            Command::Nothing => Ok(String::new()),
            Command::Help => Ok(HELP.to_owned()),
            Command::State => Ok(text::state(&recorder.state(session.state()), width)),
            Command::List => Ok(choices(&recorder, &session)),
            Command::Undo => undo(&recorder, &mut session),
            Command::Delay(delay) => wait(&recorder, &mut session, delay),
            Command::Take(index, delay) => take(&recorder, &mut session, index, delay),
        };
        match outcome {
            Ok(shown) => output.text(&shown)?,
            Err(ModelError::Refused(refusal)) => output.result(&format!("{refusal}\n"))?,
            Err(error) => output.diagnostic(&error.to_diagnostic(), sources),
        }
    }
    output.flush()?;
    Ok(Status::Success)
}

fn parse(line: &str) -> Result<Command, String> {
    let words: Vec<_> = line.split_whitespace().collect();
    let number = |word: &str| {
        word.parse::<Rational>()
            .map_err(|error| format!("`{word}`: {error}"))
    };
    match words.as_slice() {
        [] => Ok(Command::Nothing),
        ["h" | "help" | "?"] => Ok(Command::Help),
        ["q" | "quit" | "exit"] => Ok(Command::Quit),
        ["u" | "undo"] => Ok(Command::Undo),
        ["s" | "state"] => Ok(Command::State),
        ["l" | "list"] => Ok(Command::List),
        ["d" | "delay", delay] => Ok(Command::Delay(number(delay)?)),
        [choice, rest @ ..] if rest.len() <= 1 && choice.bytes().all(|b| b.is_ascii_digit()) => {
            let index = choice.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let index = index.ok_or_else(|| format!("there is no choice {choice}"))?;
            let delay = rest.first().map(|word| number(word)).transpose()?;
            Ok(Command::Take(index, delay))
        }
        _ => Err(format!("unknown command `{}`; h shows the commands", line.trim())),
    }
}

fn take(
    recorder: &Recorder<'_, '_>,
    session: &mut Session<'_, '_>,
    index: usize,
    delay: Option<Rational>,
) -> Result<String, ModelError> {
    let before = session.state().clone();
    let channel = session.choices().get(index).and_then(|choice| choice.channel);
    session.take(index, delay)?;
    let mut shown = String::new();
    if let Some(Move::Step(step)) = session.moves().last() {
        let step = recorder.step_from(&before, step, channel, session.state());
        let number = session
            .moves()
            .iter()
            .filter(|made| matches!(made, Move::Step(_)))
            .count();
        let columns = text::Columns::of(std::slice::from_ref(&step)).painted(Palette::Ansi);
        shown = columns.header();
        shown.push_str(&columns.step(number, &step));
    }
    shown.push_str(&choices(recorder, session));
    Ok(shown)
}

fn wait(
    recorder: &Recorder<'_, '_>,
    session: &mut Session<'_, '_>,
    delay: Rational,
) -> Result<String, ModelError> {
    session.delay(delay)?;
    Ok(choices(recorder, session))
}

fn undo(recorder: &Recorder<'_, '_>, session: &mut Session<'_, '_>) -> Result<String, ModelError> {
    Ok(if session.undo()? {
        choices(recorder, session)
    } else {
        "nothing to undo: this is the initial state\n".to_owned()
    })
}

/// The time, the delays and the transitions to choose from.
fn choices(recorder: &Recorder<'_, '_>, session: &Session<'_, '_>) -> String {
    let mut shown = format!(
        "\ntime {}, delay {}\n",
        time(session.state().time),
        delays(session.delays())
    );
    let all = session.choices();
    if all.is_empty() {
        shown.push_str("no transition is possible, now or later\n");
    }
    for (i, choice) in all.iter().take(LISTED).enumerate() {
        let who: Vec<_> = choice
            .parts
            .iter()
            .map(|part| text::participant(&recorder.participant(part)))
            .collect();
        let channel = recorder
            .channel(choice.channel)
            .map_or(String::new(), |name| format!("{name}: "));
        let when = delays(&choice.windows);
        shown.push_str(&format!(
            "{:>4}. {channel}{}  after {when}\n",
            i + 1,
            who.join(", ")
        ));
    }
    if all.len() > LISTED {
        shown.push_str(&format!("      … {} more\n", all.len() - LISTED));
    }
    shown
}

/// A set of delays; a single one as the number that it is.
fn delays(windows: &Windows) -> String {
    match windows.iter().next() {
        Some(window) if windows.len() == 1 && window.is_point() => time(window.lower().0).to_string(),
        _ => windows.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        let half: Rational = "1/2".parse().unwrap();
        assert_eq!(parse(" 3 "), Ok(Command::Take(2, None)));
        assert_eq!(parse("3 0.5"), Ok(Command::Take(2, Some(half))));
        assert_eq!(parse("d 1/2"), Ok(Command::Delay(half)));
        assert_eq!(parse("undo"), Ok(Command::Undo));
        assert_eq!(parse(""), Ok(Command::Nothing));
        for wrong in ["0", "3 x", "d", "d x", "1 2 3", "frob", "99999999999999999999999"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

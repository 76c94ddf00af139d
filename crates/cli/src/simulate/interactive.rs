//! A simulation that the user steers: numbered choices, delays, steps back and forth, undo.

use crate::output::Output;
use crate::status::{Error, Status};
use crate::trace_file::{self, Origin};
use crate::whole_file;
use std::io::{self, BufRead as _};
use std::path::Path;
use zonewalk_checker::time;
use zonewalk_reference::Error as ModelError;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::window::Windows;
use zonewalk_report::palette::Palette;
use zonewalk_report::trace::{End, Trace, text};
use zonewalk_session::Session;

/// Choices that are listed; the others are counted, and can be taken by number all the same.
const LISTED: usize = 40;
/// Number of random steps, unless one is given.
const RANDOM: usize = 10;

const HELP: &str = "
  N         take choice N as soon as possible
  N D       take choice N after a delay of D
  d D       let D time units pass; D is a number such as 3, 7/2 or 1.25
  r         take 10 random steps; r N takes N
  n, b      to the next step of the run, and back
  g K       to the state after step K; g -1 is the last one
  u         undo the last move
  s         show the state
  l         list the choices again
  t         show the whole run
  w FILE    write the run to a file that replay and --from can read
  q         quit
A move from the middle of the run replaces what came after it.
";

/// Command of the user.
#[derive(Debug, PartialEq)]
enum Command {
    Take(usize, Option<Rational>),
    Delay(Rational),
    Random(usize),
    Next,
    Back,
    Go(i64),
    Undo,
    State,
    List,
    Trace,
    Write(String),
    Help,
    Quit,
    Nothing,
}

/// Model and queries of a run, for files.
pub(super) struct RunContext<'a> {
    pub(super) model: &'a str,
    pub(super) overrides: &'a [(String, String)],
}

impl RunContext<'_> {
    /// Writes a run to a file.
    pub(super) fn save(&self, session: &mut Session<'_, '_>, path: &Path) -> Result<(), Error> {
        let trace = session.trace().map_err(|error| Error::new(error.to_string()))?;
        self.write(session, &trace, path)
    }

    /// Writes a run that was shown already.
    pub(super) fn write(&self, session: &Session<'_, '_>, trace: &Trace, path: &Path) -> Result<(), Error> {
        let origin = Origin::new(self.model, session.ending().query.as_deref(), self.overrides);
        trace_file::write(path, &origin, trace)
            .map_err(|error| Error::new(whole_file::failure("the run", path, &error)))
    }
}

/// Asks, does, shows, until the user has enough.
pub(super) fn run(
    mut session: Session<'_, '_>,
    context: &RunContext<'_>,
    save: Option<&Path>,
    output: &mut Output,
) -> Result<Status, Error> {
    let interpreter = session.interpreter();
    let sources = &interpreter.model().sources;
    let mut commands = CommandLoop {
        session: &mut session,
        width: output.width(),
        seed: 1,
    };
    if !commands.session.is_empty() {
        output.text(&commands.loaded())?;
    }
    output.text(&commands.state())?;
    match commands.choices() {
        Ok(shown) => output.text(&shown)?,
        Err(error) => {
            output.diagnostic(&error.to_diagnostic(), sources);
            return Ok(Status::Failure);
        }
    }
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
            Command::Write(file) => {
                match context.save(commands.session, Path::new(&file)) {
                    Ok(()) => output.result(&format!("written to {file}\n"))?,
                    Err(Error::Message(message)) => output.error(&message),
                    Err(error) => return Err(error),
                }
                continue;
            }
            command => commands.perform(&command),
        };
        match outcome {
            Ok(shown) => output.text(&shown)?,
            Err(ModelError::Refused(refusal)) => output.result(&format!("{refusal}\n"))?,
            Err(error) => output.diagnostic(&error.to_diagnostic(), sources),
        }
    }
    output.flush()?;
    if let Some(file) = save {
        context.save(commands.session, file)?;
    }
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
        ["t" | "trace"] => Ok(Command::Trace),
        ["n" | "next"] => Ok(Command::Next),
        ["b" | "back"] => Ok(Command::Back),
        ["r" | "random"] => Ok(Command::Random(RANDOM)),
        ["r" | "random", count] => match count.parse() {
            Ok(count) if (1..=1_000_000).contains(&count) => Ok(Command::Random(count)),
            _ => Err(format!("`{count}` is not a number of steps from 1 to 1000000")),
        },
        ["g" | "go", step] => step
            .parse()
            .map(Command::Go)
            .map_err(|_| format!("`{step}` is not the number of a step")),
        ["w" | "write", ..] => {
            let file = line
                .trim()
                .split_once(char::is_whitespace)
                .map_or("", |(_, file)| file.trim());
            if file.is_empty() {
                return Err("w needs the name of a file".to_owned());
            }
            Ok(Command::Write(file.to_owned()))
        }
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

/// The session, and how it is shown.
struct CommandLoop<'d, 'i, 'm> {
    session: &'d mut Session<'i, 'm>,
    width: usize,
    /// Seed of the next random steps.
    seed: u64,
}

impl CommandLoop<'_, '_, '_> {
    fn perform(&mut self, command: &Command) -> Result<String, ModelError> {
        match *command {
            Command::Quit | Command::Nothing | Command::Write(_) => Ok(String::new()),
            Command::Help => Ok(HELP.to_owned()),
            Command::State => Ok(self.state()),
            Command::List => self.choices(),
            Command::Trace => Ok(text::render(&self.session.trace()?)),
            Command::Undo => match self.session.undo()? {
                true => self.choices(),
                false => Ok("nothing to undo: this is the initial state\n".to_owned()),
            },
            Command::Delay(delay) => {
                self.session.wait(delay)?;
                self.choices()
            }
            Command::Take(index, delay) => {
                self.session.take(index, delay)?;
                self.arrived()
            }
            Command::Random(steps) => self.play(steps),
            Command::Next => self.next(),
            Command::Back => match self.session.position() {
                0 => Ok("this is the initial state\n".to_owned()),
                position => self.go(position - 1),
            },
            Command::Go(step) => match super::counted(step, self.session.len()) {
                Some(position) => self.go(position),
                None => Ok(format!(
                    "the run has {} steps; there is no step {step}\n",
                    self.session.len()
                )),
            },
        }
    }

    fn go(&mut self, position: usize) -> Result<String, ModelError> {
        self.session.jump(position)?;
        if position == 0 {
            return Ok(format!("\n{}{}", self.state(), self.choices()?));
        }
        self.arrived()
    }

    /// One step further on the run; a run without end begins its cycle again.
    fn next(&mut self) -> Result<String, ModelError> {
        let (position, count) = (self.session.position(), self.session.len());
        if position < count {
            return self.go(position + 1);
        }
        match self.session.ending().end {
            End::Cycle { start, .. } if count > 0 => {
                self.session.jump(start)?;
                Ok(format!(
                    "the cycle begins again: after step {count} the state is the one after step {start}\n{}",
                    self.choices()?
                ))
            }
            _ => Ok("this is the end of the run; take a choice, or r for random steps\n".to_owned()),
        }
    }

    fn play(&mut self, steps: usize) -> Result<String, ModelError> {
        let before = self.session.position();
        let played = self.session.play(self.seed, steps, &|| false);
        self.seed = self.seed.wrapping_add(1);
        let mut shown = String::new();
        let taken: Vec<_> = (before..before + played.steps)
            .filter_map(|index| self.session.step(index).cloned())
            .collect();
        let columns = text::Columns::of(&taken).painted(Palette::Ansi);
        if !taken.is_empty() {
            shown.push_str(&columns.header());
        }
        for (index, step) in taken.iter().enumerate() {
            shown.push_str(&columns.step(before + index + 1, step));
        }
        if let Some(error) = played.error {
            shown.push_str(&format!("\nthe next step fails: {error}\n"));
            return Ok(shown);
        }
        shown.push_str(&self.choices()?);
        Ok(shown)
    }

    /// The step that leads to the present place, and what is possible there.
    fn arrived(&mut self) -> Result<String, ModelError> {
        let number = self.session.position();
        let mut shown = String::new();
        if let Some(step) = number.checked_sub(1).and_then(|index| self.session.step(index)) {
            let columns = text::Columns::of(std::slice::from_ref(step)).painted(Palette::Ansi);
            shown = columns.header();
            shown.push_str(&columns.step(number, step));
        }
        shown.push_str(&self.choices()?);
        Ok(shown)
    }

    fn state(&self) -> String {
        text::state(&self.session.recorder().state(self.session.state()), self.width)
    }

    /// Description of the loaded model.
    fn loaded(&self) -> String {
        let steps = zonewalk_report::verdict::text::count(self.session.len() as u64, "step");
        let what = match self.session.ending().end {
            End::Cycle { start, length } => format!(
                ", of which steps {} to {} are repeated forever",
                start + 1,
                start + length
            ),
            _ => String::new(),
        };
        format!("a run of {steps}{what}; n goes to the next one\n\n")
    }

    /// The time, the delays and the transitions to choose from.
    fn choices(&mut self) -> Result<String, ModelError> {
        let (position, count) = (self.session.position(), self.session.len());
        let (now, recorder) = (time(self.session.state().time), self.session.recorder());
        let choices = self.session.choices()?;
        let place = if position < count {
            format!("step {position} of {count}, ")
        } else {
            String::new()
        };
        let mut shown = format!("\n{place}time {now}, delay {}\n", delays(&choices.delays));
        let all = &choices.transitions;
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
        Ok(shown)
    }
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
        assert_eq!(parse("g -1"), Ok(Command::Go(-1)));
        assert_eq!(parse("r 5"), Ok(Command::Random(5)));
        assert_eq!(
            parse("w a file.json"),
            Ok(Command::Write("a file.json".to_owned()))
        );
        assert_eq!(parse(""), Ok(Command::Nothing));
        for wrong in [
            "0",
            "3 x",
            "d",
            "d x",
            "1 2 3",
            "frob",
            "99999999999999999999999",
            "g",
            "g x",
            "r 0",
            "w",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

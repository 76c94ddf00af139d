//! Experiments to find out why numbers of table 1 differ from the printed ones. Each line is a system of the table, changed or with
//! some of its runs left out.

use super::figures::trials;
use super::method::{Method, runs};
use super::systems::{SYSTEMS, Searched, System};
use super::table::{Ready, read, search};
use super::{Line, Measured, Sheet};
use crate::grid::{Grid, Number};
use crate::model::{Effort, QueryChoice, Source, Subject};
use crate::output::Error;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use zonewalk_checker::load::{EXPLICIT_LIMIT, read_up_to};
use zonewalk_checker::measure::{Summary, Trial};
use zonewalk_checker::{Aut, Control, ExplicitGoal, explicit_trial};

use Method::{Highway, Random, Rdfs};

/// Something that was tried.
struct Tried {
    /// A system of the table, or a file beside those of the table.
    system: &'static str,
    change: Change,
    method: Method,
}

/// Difference from the table.
#[derive(Clone, Copy)]
enum Change {
    /// A file with its steps in reverse order.
    Reversed,
    /// A file with its steps in an order that has nothing to do with them.
    Shuffled,
    /// A file with one step from a state to another at most: Definition 2 draws from the set of successors.
    OneStep,
    /// Sixty times as many seeds.
    Often,
    /// Runs whose trace has more steps than this count as failures: a highway has as many levels as its trace has steps.
    Levels(u64),
    /// Runs that visited more states than this count as failures.
    States(u64),
    /// The shortest runs, by percentage, as an unmentioned limit would keep.
    Shortest(usize),
    /// Queues that hold half as much.
    HalfTheRoom,
    /// A deadlock of a file that the table does not have.
    Deadlock,
}

const fn tried(system: &'static str, change: Change, method: Method) -> Tried {
    Tried {
        system,
        change,
        method,
    }
}

const TRIED: [Tried; 20] = [
    tried("1394-2.aut", Change::Reversed, Highway(8)),
    tried("1394-2.aut", Change::Shuffled, Highway(8)),
    tried("1394-2.aut", Change::Levels(430), Highway(8)),
    tried("1394-2.aut", Change::Levels(680), Highway(8)),
    tried("1394-2.aut", Change::Levels(440), Highway(16)),
    tried("1394-2.aut", Change::Levels(350), Highway(32)),
    tried("1394-2.aut", Change::States(3000), Highway(8)),
    tried("1394-2.aut", Change::States(4700), Highway(8)),
    tried("lift-init-3.aut", Change::Often, Random),
    tried("lift-init-3.aut", Change::OneStep, Random),
    tried("swp(2)", Change::Shortest(27), Random),
    tried("swp(2)", Change::Shortest(27), Rdfs),
    tried("othello(4x4)", Change::Shortest(26), Rdfs),
    tried("othello(6x6)", Change::Shortest(20), Rdfs),
    tried("commprot", Change::HalfTheRoom, Random),
    tried("dining8.aut", Change::Deadlock, Highway(1)),
    tried("dining8.aut", Change::Deadlock, Highway(2)),
    tried("dining8.aut", Change::Deadlock, Highway(4)),
    tried("dining8.aut", Change::Deadlock, Highway(8)),
    tried("dining8.aut", Change::Deadlock, Highway(16)),
];

/// Systems with `--quick`.
const QUICK: [&str; 3] = ["1394-2.aut", "swp(2)", "othello(4x4)"];

/// More seeds for what is rare.
const OFTEN: u64 = 60;

/// States that a search may visit where the table does not say.
const VISITS: u64 = 50_000;

/// Measures what was tried.
pub(super) fn measure(sheet: &mut Sheet<'_, '_>) -> Result<(), Error> {
    let config = sheet.session.config;
    let grid = Grid {
        id: "highway-1-tried".to_owned(),
        title: "Not in the paper: what was tried about the differences".to_owned(),
        lines: "system, change, search",
        columns: ["runs", "success", "states", "trace"].map(str::to_owned).to_vec(),
    };
    let tries: Vec<&Tried> = TRIED
        .iter()
        .filter(|tried| !config.quick || QUICK.contains(&tried.system))
        .collect();
    let models = config.models.as_deref();
    let has = |file: &Path| config.has(file);
    let lines: Vec<Line> = tries
        .iter()
        .map(|tried| Line {
            name: format!(
                "{}, {}, {}",
                tried.system,
                tried.change.name(),
                tried.method.name()
            ),
            paper: vec![""; 4],
            settings: format!(", {} states", tried.visits()),
            missing: (!tried.is_at_hand(models, has)).then_some("no file"),
        })
        .collect();
    sheet.fill(&grid, &lines, |index, effort, control| {
        let tried = tries[index];
        let trials = tried.change.kept(tried.trials(models, has, effort, control)?);
        let summary = Summary::new(&trials);
        Ok(Measured {
            numbers: vec![
                Number::Count(summary.found as u64, summary.runs as u64),
                Number::share(summary.success()),
                Number::mean(summary.states.mean()),
                Number::mean(summary.traces.mean()),
            ],
            ..Measured::default()
        })
    })?;
    Ok(())
}

impl Tried {
    /// As in the table.
    fn visits(&self) -> u64 {
        self.of_table().map_or(VISITS, System::visits)
    }

    fn of_table(&self) -> Option<&'static System> {
        SYSTEMS.iter().find(|system| system.name == self.system)
    }

    /// The file of a system that the table does not have.
    fn file(&self, models: Option<&Path>, has: impl Fn(&Path) -> bool) -> Option<PathBuf> {
        let files = ["aut", ""].map(|folder| models.map(|models| models.join(folder).join(self.system)));
        files.into_iter().flatten().find(|file| has(file))
    }

    fn is_at_hand(&self, models: Option<&Path>, has: impl Fn(&Path) -> bool) -> bool {
        match self.of_table() {
            Some(system) => system.searched(models, has).is_some(),
            None => self.file(models, has).is_some(),
        }
    }

    /// All runs.
    fn trials(
        &self,
        models: Option<&Path>,
        has: impl Fn(&Path) -> bool,
        effort: &Effort,
        control: &Control,
    ) -> Result<Vec<Trial>, Error> {
        let refuse = || Error::new(format_args!("{} is not at hand", self.system));
        let effort = Effort {
            seeds: effort.seeds
                * if matches!(self.change, Change::Often) {
                    OFTEN
                } else {
                    1
                },
            ..*effort
        };
        let explicit = |file: &Path, sought: ExplicitGoal<'_>| {
            let aut = self.change.read(file)?;
            Ok(runs(&effort, control, |seed| {
                explicit_trial(&aut, sought, &self.method.options(seed), self.visits(), control)
            }))
        };
        let Some(system) = self.of_table() else {
            let file = self.file(models, has).ok_or_else(refuse)?;
            return explicit(&file, ExplicitGoal::Deadlock);
        };
        match (system.searched(models, has).ok_or_else(refuse)?, self.change) {
            (Searched::Explicit(file, action), _) => explicit(&file, ExplicitGoal::Action(action)),
            (Searched::Model(_), Change::HalfTheRoom) => {
                let params = [("inbound", "3000"), ("capacity", "300")];
                let source = Source::member("conference", &params, QueryChoice::Number(1));
                trials(
                    &Subject::load(&source)?,
                    self.method,
                    self.visits(),
                    &effort,
                    control,
                )
            }
            (searched @ Searched::Model(_), _) => {
                let ready: Ready = read(&searched)?;
                search(&ready, self.method, self.visits(), &effort, control)
            }
        }
    }
}

impl Change {
    fn name(self) -> String {
        match self {
            Change::Reversed => "steps reversed".to_owned(),
            Change::Shuffled => "steps shuffled".to_owned(),
            Change::OneStep => "one step to a state".to_owned(),
            Change::Often => format!("{OFTEN} times as many seeds"),
            Change::Levels(levels) => format!("within {levels} levels"),
            Change::States(states) => format!("within {states} states"),
            Change::Shortest(percent) => format!("the shortest {percent} %"),
            Change::HalfTheRoom => "half the room".to_owned(),
            Change::Deadlock => "deadlock".to_owned(),
        }
    }

    /// A file, with its steps changed.
    fn read(self, file: &Path) -> Result<Aut, Error> {
        let bytes = read_up_to(file, EXPLICIT_LIMIT)?;
        let text = String::from_utf8_lossy(&bytes);
        let text = self.of_text(&text).unwrap_or_else(|| text.into_owned());
        Aut::read(text.as_bytes()).map_err(|error| Error::new(format_args!("{}: {error}", file.display())))
    }

    /// A system in Aldebaran format with its steps changed; nothing where they stay as they are.
    fn of_text(self, text: &str) -> Option<String> {
        let (header, steps) = text.split_once('\n')?;
        let mut steps: Vec<&str> = steps.lines().filter(|line| !line.trim().is_empty()).collect();
        match self {
            Change::Reversed => steps.reverse(),
            Change::Shuffled => steps.sort_by_key(|step| scattered(step)),
            Change::OneStep => {
                let mut seen = BTreeSet::new();
                steps.retain(|step| ends(step).is_none_or(|ends| seen.insert(ends)));
            }
            _ => return None,
        }
        // des (first state, number of transitions, number of states)
        let mut numbers = header.split(',');
        let (first, _, states) = (numbers.next()?, numbers.next()?, numbers.next()?);
        Some(format!(
            "{first},{},{states}\n{}\n",
            steps.len(),
            steps.join("\n")
        ))
    }

    /// The runs that count, and those that count as failures.
    fn kept(self, mut trials: Vec<Trial>) -> Vec<Trial> {
        match self {
            Change::Levels(levels) => fail(&mut trials, |trial| trial.trace > levels),
            Change::States(states) => fail(&mut trials, |trial| trial.states > states),
            Change::Shortest(percent) => {
                trials.sort_by_key(|trial| trial.states);
                trials.truncate(trials.len() * percent / 100);
            }
            _ => {}
        }
        trials
    }
}

fn fail(trials: &mut [Trial], is_beyond: impl Fn(&Trial) -> bool) {
    for trial in trials {
        trial.found &= !is_beyond(trial);
    }
}

/// The two states of `(from, "label", to)`.
fn ends(step: &str) -> Option<(&str, &str)> {
    let inside = step.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (from, rest) = inside.split_once(',')?;
    let (_, to) = rest.rsplit_once(',')?;
    Some((from.trim(), to.trim()))
}

/// A number that depends on every byte (FNV-1a), the same on all machines.
fn scattered(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "des (0,4,3)\n(0,\"a, b\",1)\n(0,\"c\",1)\n(1,\"d\",2)\n(2,\"e\",0)\n";

    #[test]
    fn steps_are_put_into_another_order() {
        let of = |change: Change| change.of_text(TEXT).unwrap();
        assert_eq!(
            of(Change::Reversed),
            "des (0,4,3)\n(2,\"e\",0)\n(1,\"d\",2)\n(0,\"c\",1)\n(0,\"a, b\",1)\n"
        );
        let sorted = |text: &str| {
            let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&of(Change::Shuffled)), sorted(TEXT));
        assert_ne!(of(Change::Shuffled), TEXT);
        assert_eq!(
            of(Change::OneStep),
            "des (0,3,3)\n(0,\"a, b\",1)\n(1,\"d\",2)\n(2,\"e\",0)\n"
        );
        assert_eq!(Change::Often.of_text(TEXT), None);
        assert!(Aut::read(of(Change::OneStep).as_bytes()).is_ok());
    }

    #[test]
    fn runs_beyond_a_limit_fail() {
        let trial = |states, trace| Trial {
            found: true,
            states,
            trace,
        };
        let trials = vec![trial(30, 3), trial(10, 1), trial(20, 9), trial(40, 4)];
        let found = |change: Change| {
            let kept = change.kept(trials.clone());
            (kept.iter().filter(|trial| trial.found).count(), kept.len())
        };
        assert_eq!(found(Change::Levels(3)), (2, 4));
        assert_eq!(found(Change::States(30)), (3, 4));
        assert_eq!(found(Change::Shortest(50)), (2, 2));
        assert_eq!(Change::Shortest(25).kept(trials.clone()), [trial(10, 1)]);
        assert_eq!(found(Change::Deadlock), (4, 4));
    }

    #[test]
    fn systems_are_those_of_the_table_or_files() {
        for tried in &TRIED {
            let is_file = tried.system.ends_with(".aut");
            assert!(is_file || tried.of_table().is_some(), "{}", tried.system);
        }
    }
}

//! The figures: how probable it is to find states, after how many visited ones.

use super::method::{Method, runs};
use super::{Line, Measured, Sheet};
use crate::grid::{Grid, Number};
use crate::model::{Effort, QueryChoice, Source, Subject};
use crate::output::Error;
use crate::svg::{Axis, Chart, Series};
use zonewalk_checker::Control;
use zonewalk_checker::measure::{Sample, Trial, share};

use Method::{Highway, Ideal, Random, Rdfs};

/// More than the small graphs of figures 2 to 4 have: a random path that never ends is left after this number of states.
const SMALL: u64 = 1000;

/// Philosophers of figure 8, and states that are visited there at most.
const PHILOSOPHERS: (&str, u64) = ("17", 5000);

/// How probable each state of the widest part of a diamond is to be seen.
pub(super) fn diamond(sheet: &mut Sheet<'_, '_>) -> Result<(), Error> {
    let methods = [
        Random,
        Highway(2),
        Highway(4),
        Highway(6),
        Highway(8),
        Highway(10),
        Rdfs,
    ];
    let formulas = (0..10).map(|j| format!("E<> Diamond.i + Diamond.j == N - 1 && Diamond.j == {j}"));
    let source = Source::member(
        "diamond",
        &[("n", "10")],
        QueryChoice::Formulas(formulas.collect()),
    );
    let grid = Grid {
        id: "highway-2".to_owned(),
        title: "Figure 2: diamond of width 10, probability of seeing each state of the widest part (%)"
            .to_owned(),
        lines: "search",
        columns: (1..=10).map(|number| format!("state {number}")).collect(),
    };
    let mut subject = Lazy::new(&source);
    let measured = sheet.fill(&grid, &lines(&methods, 10), |index, effort, control| {
        let seen = first_visits(subject.get()?, methods[index], 10, effort, control)?;
        let shares: Vec<_> = (0..10)
            .map(|state| share(seen.iter().filter(|run| run[state].is_some()).count(), seen.len()))
            .collect();
        let points = (1..).zip(&shares);
        let points = points.filter_map(|(x, share)| Some((f64::from(x), share.as_ref()?.value)));
        Ok(Measured {
            points: points.collect(),
            numbers: shares.into_iter().map(Number::share).collect(),
            ..Measured::default()
        })
    })?;
    let series = series(&methods, measured);
    sheet.session.plot(
        "highway-2",
        &chart(&grid.title, "state of the widest part", series),
    )
}

/// Methods that are compared on small systems.
const METHODS: [Method; 7] = [
    Random,
    Rdfs,
    Highway(1),
    Highway(2),
    Highway(3),
    Highway(4),
    Highway(5),
];

/// How probable it is to have found the deadlock at the end of a path with back-loops.
pub(super) fn back_loops(sheet: &mut Sheet<'_, '_>) -> Result<(), Error> {
    let source = Source::member("back-loops", &[("n", "9")], QueryChoice::Number(1));
    let at: Vec<(u64, &[&str])> = [10, 15, 20, 25, 30, 35, 40, 45, 50]
        .map(|x| (x, &[][..]))
        .to_vec();
    let title = "Figure 3: back-loops of 47 states, probability of having found the deadlock (%)";
    cumulative(sheet, ("highway-3", title), &source, &METHODS, SMALL, &at, 60)
}

/// How probable it is to have found a given exit of five strongly connected components.
pub(super) fn components(sheet: &mut Sheet<'_, '_>) -> Result<(), Error> {
    let formulas = (1..=5).map(|id| format!("E<> Walker.out && Walker.component == {id}"));
    let params = [("n", "5"), ("size", "5")];
    let source = Source::member("scc", &params, QueryChoice::Formulas(formulas.collect()));
    let at = [2, 4, 6, 8, 10, 15, 20, 25, 31];
    let grid = Grid {
        id: "highway-4".to_owned(),
        title: "Figure 4: five strongly connected components, probability of having found a given exit (%)"
            .to_owned(),
        lines: "search",
        columns: at.iter().map(|x| format!("{x} states")).collect(),
    };
    let mut subject = Lazy::new(&source);
    let measured = sheet.fill(&grid, &lines(&METHODS, at.len()), |index, effort, control| {
        let seen = first_visits(subject.get()?, METHODS[index], 5, effort, control)?;
        // The exits of one run depend on each other: the run is what counts.
        let mean = |x: u64| {
            let part =
                |run: &Vec<Option<u64>>| run.iter().flatten().filter(|at| **at <= x).count() as f64 / 5.0;
            Sample::new(seen.iter().map(part).collect()).mean()
        };
        let points = (0..=40).filter_map(|x| Some((x as f64, mean(x)?.value)));
        Ok(Measured {
            points: points.collect(),
            numbers: at.iter().map(|x| Number::share(mean(*x))).collect(),
            ..Measured::default()
        })
    })?;
    let series = series(&METHODS, measured);
    sheet
        .session
        .plot("highway-4", &chart(&grid.title, "states visited", series))
}

/// Dining philosophers: cumulative probability of the deadlock, and its probability by width.
pub(super) fn philosophers(sheet: &mut Sheet<'_, '_>) -> Result<(), Error> {
    let (n, visits) = PHILOSOPHERS;
    // Query 2 describes the deadlock, which is faster than to look for successors.
    let source = |n| Source::member("dining", &[("n", n)], QueryChoice::Number(2));
    let methods = [Random, Rdfs, Highway(2), Highway(3), Highway(4), Highway(5)];
    // In the text: 20 % of random searches within 68 states, 70 % of randomised depth-first searches in all.
    let at: [(u64, &[&str]); 7] = [
        (68, &["20"]),
        (250, &[]),
        (500, &[]),
        (1000, &[]),
        (2000, &[]),
        (3500, &[]),
        (5000, &["", "70"]),
    ];
    let title = "Figure 8, left: 17 dining philosophers, probability of having found the deadlock (%)";
    cumulative(
        sheet,
        ("highway-8", title),
        &source(n),
        &methods,
        visits,
        &at,
        visits,
    )?;
    widths(sheet, &source("5"))
}

fn widths(sheet: &mut Sheet<'_, '_>, source: &Source) -> Result<(), Error> {
    let widths = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32];
    let grid = Grid {
        id: "highway-8-width".to_owned(),
        title: "Figure 8, right: 5 dining philosophers, probability of finding the deadlock by width (%)"
            .to_owned(),
        lines: "search",
        columns: widths.iter().map(|width| format!("width {width}")).collect(),
    };
    let mut subject = Lazy::new(source);
    let names = ["approximate", "ideal"];
    let kinds: [fn(usize) -> Method; 2] = [Highway, Ideal];
    let lines = names.map(|name| Line {
        name: name.to_owned(),
        paper: vec![""; widths.len()],
        settings: String::new(),
        missing: None,
    });
    let measured = sheet.fill(&grid, &lines, |index, effort, control| {
        let mut shares = Vec::new();
        for width in widths {
            let method = kinds[index](width);
            let trials = trials(subject.get()?, method, u64::MAX, effort, control)?;
            let found = trials.iter().filter(|trial| trial.found).count();
            shares.push(share(found, trials.len()));
        }
        let points = widths.iter().zip(&shares);
        let points = points.filter_map(|(width, share)| Some((*width as f64, share.as_ref()?.value)));
        Ok(Measured {
            points: points.collect(),
            numbers: shares.into_iter().map(Number::share).collect(),
            ..Measured::default()
        })
    })?;
    let series = names.into_iter().zip(measured);
    let series = series.map(|(name, measured)| curve(name.to_owned(), measured.points));
    let series = series.collect();
    sheet
        .session
        .plot("highway-8-width", &chart(&grid.title, "width", series))
}

/// A table and a plot of the probability of having found a goal after a number of states. `at` has the columns, each with
/// what the paper says of the first methods; the plot goes to `end`.
fn cumulative(
    sheet: &mut Sheet<'_, '_>,
    (id, title): (&str, &str),
    source: &Source,
    methods: &[Method],
    visits: u64,
    at: &[(u64, &[&'static str])],
    end: u64,
) -> Result<(), Error> {
    let grid = Grid {
        id: id.to_owned(),
        title: title.to_owned(),
        lines: "search",
        columns: at.iter().map(|(x, _)| format!("{x} states")).collect(),
    };
    let mut subject = Lazy::new(source);
    let line = |(index, method): (usize, &Method)| Line {
        name: method.name(),
        paper: at
            .iter()
            .map(|(_, paper)| paper.get(index).copied().unwrap_or_default())
            .collect(),
        settings: String::new(),
        missing: None,
    };
    let lines: Vec<Line> = methods.iter().enumerate().map(line).collect();
    let measured = sheet.fill(&grid, &lines, |index, effort, control| {
        let trials = trials(subject.get()?, methods[index], visits, effort, control)?;
        let by = |x: u64| {
            let found = trials.iter().filter(|trial| trial.found && trial.states <= x);
            share(found.count(), trials.len())
        };
        let xs = (0..=60).map(|i| end * i / 60);
        Ok(Measured {
            points: xs.filter_map(|x| Some((x as f64, by(x)?.value))).collect(),
            numbers: at.iter().map(|(x, _)| Number::share(by(*x))).collect(),
            ..Measured::default()
        })
    })?;
    let series = series(methods, measured);
    sheet.session.plot(id, &chart(title, "states visited", series))
}

/// Searches for the one query of a model.
pub(super) fn trials(
    subject: &Subject,
    method: Method,
    visits: u64,
    effort: &Effort,
    control: &Control,
) -> Result<Vec<Trial>, Error> {
    subject.with_checker(|_, checker, _| {
        Ok(runs(effort, control, |seed| {
            checker.measure(0, &method.options(seed), visits, control)
        }))
    })
}

/// Searches that do not stop at any of the queries: when each of them was seen first.
fn first_visits(
    subject: &Subject,
    method: Method,
    queries: usize,
    effort: &Effort,
    control: &Control,
) -> Result<Vec<Vec<Option<u64>>>, Error> {
    let queries: Vec<usize> = (0..queries).collect();
    subject.with_checker(|_, checker, _| {
        Ok(runs(effort, control, |seed| {
            checker.first_visits(&queries, &method.options(seed), SMALL, control)
        }))
    })
}

/// A model that is read when it is first needed: a table that is printed from a file needs none.
pub(super) struct Lazy<'s> {
    source: &'s Source,
    subject: Option<Subject>,
}

impl<'s> Lazy<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        Lazy {
            source,
            subject: None,
        }
    }

    pub(super) fn get(&mut self) -> Result<&Subject, Error> {
        Ok(match &mut self.subject {
            Some(subject) => subject,
            none => none.insert(Subject::load(self.source)?),
        })
    }
}

/// A line for each method, of which the paper has only pictures.
fn lines(methods: &[Method], columns: usize) -> Vec<Line> {
    let line = |method: &Method| Line {
        name: method.name(),
        paper: vec![""; columns],
        settings: String::new(),
        missing: None,
    };
    methods.iter().map(line).collect()
}

fn series(methods: &[Method], measured: Vec<Measured>) -> Vec<Series> {
    let both = methods.iter().zip(measured);
    both.map(|(method, measured)| curve(method.name(), measured.points))
        .collect()
}

pub(super) fn curve(name: String, points: Vec<(f64, f64)>) -> Series {
    Series {
        name,
        points,
        is_line: true,
    }
}

pub(super) fn chart(title: &str, x: &'static str, series: Vec<Series>) -> Chart {
    Chart {
        title: title.trim_end_matches(" (%)").to_owned(),
        x: Axis {
            label: x,
            is_log: false,
        },
        y: Axis {
            label: "probability",
            is_log: false,
        },
        series,
    }
}

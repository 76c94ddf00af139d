//! A query on a model, and on the same model with longer times.

use std::ops::AddAssign;
use zonewalk_checker::{
    Abstraction, CheckerReport, CompiledModel, Control, Covering, Evidence, Optimality, Options, Outcome,
    Search, TraceKind, Witness,
};
use zonewalk_model::tree::{Query, QueryKind};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::Random;
use zonewalk_report::trace::Time;
use zonewalk_searches::{Estimator, Queueing};
use zonewalk_testkit::{Loaded, load, stretch};

/// At most so many states are stored, and so many walks made.
const STATES: u64 = 400;
const WALKS: u64 = 300;

/// How to search, drawn at random.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// The zone graphs are the same but for the numbers in them. Not so where differences are compared with variables: these take
    /// three values in `v`, and any in between may be one in `v * k`.
    pub(crate) is_same_graph: bool,
    search: Search,
    trace: TraceKind,
    covering: Covering,
    extrapolation: Option<Abstraction>,
    estimator: Option<Estimator>,
    queueing: Queueing,
    keeps_variables: bool,
    states: u64,
}

impl Drawn {
    pub(crate) fn new(random: &mut Random) -> Self {
        let mut pick = |n: usize| random.below(n as u64) as usize;
        // Searches of the zone graph are what this is about.
        let search = match pick(3) {
            0 => Search::ALL[pick(Search::ALL.len())],
            _ => [
                Search::Bfs,
                Search::Dfs,
                Search::Rdfs,
                Search::Greedy,
                Search::Astar,
                Search::Auto,
            ][pick(6)],
        };
        let extrapolation = [
            Abstraction::None,
            Abstraction::M,
            Abstraction::Lu,
            Abstraction::LuPlus,
            Abstraction::Split,
        ];
        let has_queues = matches!(search, Search::Greedy | Search::Astar | Search::Bfs);
        Drawn {
            is_same_graph: true,
            search,
            trace: [TraceKind::Some, TraceKind::Shortest, TraceKind::Fastest][pick(3)],
            covering: [Covering::Inclusion, Covering::Kept, Covering::Equality][pick(3)],
            extrapolation: (pick(3) == 0).then(|| extrapolation[pick(extrapolation.len())]),
            estimator: (pick(4) > 0).then(|| Estimator::ALL[pick(Estimator::ALL.len())]),
            queueing: match pick(4) {
                0 if has_queues => Queueing::ALL[pick(Queueing::ALL.len())],
                _ => Queueing::Plain,
            },
            keeps_variables: pick(4) == 0,
            states: STATES,
        }
    }

    /// A search as it is without further options.
    pub(crate) fn plain(search: Search, states: u64) -> Self {
        Drawn {
            is_same_graph: true,
            search,
            trace: TraceKind::Shortest,
            covering: Covering::Inclusion,
            extrapolation: None,
            estimator: None,
            queueing: Queueing::Plain,
            keeps_variables: false,
            states,
        }
    }

    fn options(&self, search: Search) -> Options {
        let mut options = Options::new(search).max_states(self.states).trace(self.trace);
        options.walks.max_walks = Some(WALKS);
        options.trace.shrink_budget = 0;
        options.zones.covering = self.covering;
        options.zones.extrapolation = self.extrapolation;
        options.zones.keeps_variables = self.keeps_variables;
        options.directed.estimator = self.estimator;
        options.directed.queueing = self.queueing;
        options
    }
}

/// Counts of what was compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) compared: usize,
    /// Answers, values among them.
    pub(crate) decided: usize,
    /// Answers that a run shows.
    pub(crate) runs: usize,
    /// Runs of which both are proved shortest, or fastest.
    pub(crate) shortest: usize,
    pub(crate) fastest: usize,
    pub(crate) values: usize,
    /// Answers that walks or runs have found at one scale alone.
    pub(crate) missed: usize,
    /// Models that cannot be multiplied, or whose larger times wrap.
    pub(crate) left_out: usize,
}

impl AddAssign for Comparison {
    fn add_assign(&mut self, other: Comparison) {
        self.compared += other.compared;
        self.decided += other.decided;
        self.runs += other.runs;
        self.shortest += other.shortest;
        self.fastest += other.fastest;
        self.values += other.values;
        self.missed += other.missed;
        self.left_out += other.left_out;
    }
}

/// Compares the answers to a query of a file: with a factor that makes its largest time nearly 31 bits long, and with a small one.
pub(crate) fn model(
    loaded: &Loaded,
    query: &Query,
    search: Search,
    states: u64,
) -> Result<Comparison, String> {
    let mut sum = Comparison::default();
    let Some(largest) = loaded.largest_time(query).filter(|_| search.decides(&query.kind)) else {
        return Ok(sum);
    };
    let most = i32::MAX / largest.max(1);
    for k in [most, most.min(200)].into_iter().filter(|&k| k > 1) {
        let one = compare(loaded, &query.text, k, &Drawn::plain(search, states));
        sum += one.map_err(|why| format!("times {k}: {} by {}: {why}", query.text, search.name()))?;
    }
    Ok(sum)
}

/// Compares the answers to a query.
pub(crate) fn compare(loaded: &Loaded, query: &str, k: i32, drawn: &Drawn) -> Result<Comparison, String> {
    let left_out = Comparison {
        left_out: 1,
        ..Comparison::default()
    };
    let (Some(text), Some(slower)) = (loaded.stretched(k), loaded.stretched_query(query, k)) else {
        return Ok(left_out);
    };
    let name = loaded
        .model
        .sources
        .iter()
        .next()
        .map_or("model.xta", |source| &source.name);
    let large = load(name, text.as_bytes(), None).map_err(|refused| format!("{refused}"))?;
    let asked = loaded.query(query).map_err(|refused| format!("{refused}"))?;
    let slower = large.query(&slower).map_err(|refused| format!("{refused}"))?;
    let search = match drawn.search.decides(&asked.kind) {
        true => drawn.search,
        false => Search::Auto,
    };
    let options = drawn.options(search);
    let ((small, wraps), (large, others)) = match (
        answer(loaded, &asked, &options),
        answer(&large, &slower, &options),
    ) {
        (None, None) => return Ok(left_out),
        (Some(small), Some(large)) => (small, large),
        _ => return Err("only one of them is supported".to_owned()),
    };
    if wraps != others {
        return Ok(left_out);
    }
    let is_about_values = matches!(asked.kind, QueryKind::Extremum { .. });
    let is_exact = drawn.is_same_graph && !search.walks() && search != Search::Auto && !is_about_values;
    if is_exact {
        same_effort(&small, &large)?;
    }
    let is_time = match &asked.kind {
        QueryKind::Extremum { exprs, .. } => exprs.iter().map(stretch::is_time).collect(),
        _ => Vec::new(),
    };
    outcomes(&small.outcome, &large.outcome, k, &is_time, is_exact)
}

/// The answer, and how many expressions have wrapped on the way.
fn answer(loaded: &Loaded, query: &Query, options: &Options) -> Option<(CheckerReport, usize)> {
    let task = CompiledModel::new(&loaded.model, &loaded.system, &[query]).ok()?;
    let task = task.fit_for(options.search).ok()?;
    let report = task
        .checker()
        .check(0, options, &Control::default(), &mut |_, _| {})?;
    Some((report, task.wraps().len()))
}

/// The zone graphs are the same but for the numbers in them.
fn same_effort(small: &CheckerReport, large: &CheckerReport) -> Result<(), String> {
    let counts = |report: &CheckerReport| {
        let stats = &report.stats;
        (
            stats.states_explored,
            stats.states_stored,
            stats.transitions,
            stats.max_depth,
        )
    };
    if counts(small) == counts(large) {
        return Ok(());
    }
    let names = "explored, stored, transitions, depth";
    Err(format!(
        "{names}: {:?}, and {:?} when scaled",
        counts(small),
        counts(large)
    ))
}

fn outcomes(
    small: &Outcome,
    large: &Outcome,
    k: i32,
    is_time: &[bool],
    is_exact: bool,
) -> Result<Comparison, String> {
    let mut sum = Comparison {
        compared: 1,
        ..Comparison::default()
    };
    let differ = || Err(format!("{small:?}, but when scaled {large:?}"));
    match (small, large) {
        (Outcome::Bug(_), _) | (_, Outcome::Bug(_)) => return differ(),
        (
            Outcome::Decided { satisfied, evidence },
            Outcome::Decided {
                satisfied: other,
                evidence: proof,
            },
        ) => {
            sum.decided = 1;
            if satisfied != other {
                return differ();
            }
            match (evidence, proof) {
                (Evidence::Exhaustion, Evidence::Exhaustion) => {}
                _ => match (evidence.witness(), proof.witness()) {
                    (Some(one), Some(other)) => runs(one, other, k, is_exact, &mut sum)?,
                    _ => return differ(),
                },
            }
        }
        (Outcome::Values { values, .. }, Outcome::Values { values: others, .. }) => {
            sum.decided = 1;
            sum.values = 1;
            for ((value, other), &is_time) in values.iter().zip(others).zip(is_time) {
                let times = if is_time { k } else { 1 };
                if multiplied(&value.value, times) != other.value {
                    return differ();
                }
                // Runs that attain it are found by walks, too.
                sum.missed += usize::from(value.certain != other.certain);
            }
        }
        (Outcome::Maybe { satisfied, .. }, Outcome::Maybe { satisfied: other, .. }) if satisfied == other => {
        }
        (Outcome::Undecided(_), Outcome::Undecided(_)) | (Outcome::Fault(_), Outcome::Fault(_)) => {}
        (Outcome::Undecided(_) | Outcome::Maybe { .. }, _)
        | (_, Outcome::Undecided(_) | Outcome::Maybe { .. })
            if !is_exact =>
        {
            sum.missed = 1;
        }
        _ => return differ(),
    }
    Ok(sum)
}

fn runs(
    small: &Witness,
    large: &Witness,
    k: i32,
    is_exact: bool,
    sum: &mut Comparison,
) -> Result<(), String> {
    sum.runs = 1;
    let differ = |what: &str| {
        let of = |w: &Witness| (w.steps, w.duration, w.found_steps, w.optimality.clone());
        Err(format!(
            "{what}: {:?}, and {:?} when scaled",
            of(small),
            of(large)
        ))
    };
    if is_exact && (small.found_steps, small.steps) != (large.found_steps, large.steps) {
        return differ("lengths differ");
    }
    match (&small.optimality, &large.optimality) {
        (Optimality::Shortest, Optimality::Shortest) => {
            sum.shortest = 1;
            if small.steps != large.steps {
                return differ("shortest runs differ in length");
            }
        }
        (Optimality::Fastest, Optimality::Fastest) => {
            sum.fastest = 1;
            if times(small.duration, k) != rational(large.duration) {
                return differ("fastest runs differ in time");
            }
        }
        (one, other) if is_exact && std::mem::discriminant(one) != std::mem::discriminant(other) => {
            return differ("only one of them is proved the best");
        }
        _ => {}
    }
    Ok(())
}

fn rational(time: Time) -> Rational {
    Rational::new(time.numerator(), time.denominator()).unwrap()
}

fn times(time: Time, k: i32) -> Rational {
    Rational::new(time.numerator() * i128::from(k), time.denominator()).unwrap()
}

/// The numbers in `[0, 3), < 5/2, no bound`, multiplied.
fn multiplied(told: &str, k: i32) -> String {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '/' | '-');
    let mut text = String::new();
    let mut rest = told;
    while let Some(start) = rest.find(is_number) {
        let end = rest[start..]
            .find(|c| !is_number(c))
            .map_or(rest.len(), |length| start + length);
        text += &rest[..start];
        let value: Rational = rest[start..end].parse().unwrap();
        let value = Rational::new(value.numerator() * i128::from(k), value.denominator()).unwrap();
        text += &value.to_string();
        rest = &rest[end..];
    }
    text + rest
}

//! Runs without end: `E[] φ`, and from it `A<> φ` (not `E[] not φ`) and `p --> q` (`A[] (p imply A<> q)`).
//!
//! A witness is a *maximal* run on which φ always holds (`semantics.md` 27): one with infinitely many transitions, or one
//! that ends where time can pass forever with φ, or where nothing is possible any more. It is looked for in the zone graph
//! without the points at which φ does not hold.
//!
//! **Abstraction.** Extra-M decides everything: a point that it adds lies in the region of a point that was there, and points
//! of one region are bisimilar, so deadlocks, endless delays and φ are those of real points. Extra-LU+, which makes fewer
//! zones, adds points that real ones simulate; with the constants of φ on both sides that is as good for cycles (Li: Formal
//! verification of timed automata with Büchi conditions, FORMATS 2009) and for endless delays, but a point that can do
//! nothing need not be real. So it comes first, and what it takes for a deadlock is confirmed by exact zones along the path;
//! only where that fails is the search repeated with Extra-M.
//!
//! **Cycles.** A path from `s` to `t` with the same discrete part and a zone that includes that of `s` is one: every point
//! of `t` is in a region that is reached from `s` on this path, so each point of `s` has predecessors in `s` over as many
//! rounds as desired; there are finitely many regions, so some run repeats it forever. (Tripakis: Checking timed Büchi
//! automata emptiness on simulation graphs, TOCL 2009; Laarman, Olesen, Dalsgaard, Larsen, van de Pol: Multi-core emptiness
//! checking of timed Büchi automata using inclusion abstraction, CAV 2013.) The argument is about points, so it does not
//! matter that zones are split. The other inclusion proves nothing.

mod absence;
mod budget;
mod depth;
mod ending;
mod expand;
mod growing;
mod leads;
mod levels;
mod nested;
mod repeat;
mod shortest;
mod times;

pub use absence::NoProof;
pub(crate) use absence::{Absence, absence};
pub(crate) use growing::Growing;
pub use shortest::{Shortest, Unproved, shortest};
pub use times::{LassoTimes, times};

use crate::goal::ZoneGoal;
use crate::graph::abstraction::Abstraction;
use crate::graph::scratch::Scratch;
use crate::graph::width::Width;
use crate::graph::{ExtraClock, ZoneGraph};
use crate::infinite::zeno;
use crate::plan::ZonePlan;
use crate::state::ZoneState;
use crate::stop::Stop;
use crate::store::Covering;
use expand::{CountedEnds, Expander};
use leads::Reachable;
use zonewalk_network::Transition;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::{Network, Predicate};
use zonewalk_search::{Limit, Limits, Meter, Statistics};
use zonewalk_zones::Word;

/// Kind of run that a witness is looked for.
#[derive(Clone, Debug)]
pub struct LassoQuestion {
    /// Where the run that is looked for begins, if not in the initial state.
    trigger: Option<ZoneGoal>,
    /// Premise to which a reply is due, at once or later.
    premise: Option<ZoneGoal>,
    /// Predicate that does not hold on it.
    avoided: ZoneGoal,
    bounds: ClockBounds,
}

impl LassoQuestion {
    /// `E[] predicate`: a witness shows that it is satisfied.
    pub fn always(network: &Network, predicate: &Predicate) -> LassoQuestion {
        LassoQuestion {
            trigger: None,
            premise: None,
            avoided: ZoneGoal::new(network, predicate, false),
            bounds: network.bounds_for(&[predicate]),
        }
    }

    /// `A<> predicate`: a witness shows that it is not satisfied.
    pub fn inevitable(network: &Network, predicate: &Predicate) -> LassoQuestion {
        LassoQuestion {
            avoided: ZoneGoal::new(network, predicate, true),
            ..LassoQuestion::always(network, predicate)
        }
    }

    /// `from --> to`: a witness shows that it is not satisfied.
    pub fn leads_to(network: &Network, from: &Predicate, to: &Predicate) -> LassoQuestion {
        let begins = ZoneGoal::new(network, from, true);
        LassoQuestion {
            trigger: Some(begins.and(&ZoneGoal::new(network, to, false))),
            premise: Some(begins),
            avoided: ZoneGoal::new(network, to, true),
            bounds: network.bounds_for(&[from, to]),
        }
    }

    fn goals(&self) -> Vec<&ZoneGoal> {
        self.trigger.iter().chain([&self.avoided]).collect()
    }

    /// The graph of runs on which nothing avoided holds; with one more clock for the strongly non-zeno form.
    fn confined<'n>(
        &self,
        plan: &'n ZonePlan<'n>,
        abstraction: Abstraction,
        is_ticking: bool,
    ) -> ZoneGraph<'n> {
        let tick = ExtraClock {
            lower: Some(1),
            upper: Some(1),
        };
        let extra = if is_ticking { &[tick][..] } else { &[] };
        let graph = ZoneGraph::new(plan, self.bounds.clone(), extra, abstraction, &self.goals())
            .avoiding(self.avoided.clone());
        if is_ticking { graph.ticking() } else { graph }
    }

    /// The words that the zones of all these graphs are computed in.
    pub(crate) fn width(&self, plan: &ZonePlan<'_>) -> Width {
        self.confined(plan, Abstraction::M, true).width()
    }

    fn free<'n>(&self, plan: &'n ZonePlan<'n>, abstraction: Abstraction) -> ZoneGraph<'n> {
        ZoneGraph::new(plan, self.bounds.clone(), &[], abstraction, &self.goals())
    }
}

/// How a run without end goes on forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LassoEnd {
    /// The cycle is repeated.
    Cycle,
    /// Time passes.
    Endless,
    /// Nothing is possible, now or later.
    Deadlock,
}

/// A maximal run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The transitions up to the cycle or to the end.
    pub prefix: Vec<Transition>,
    /// The transitions that are repeated; empty unless the end is a cycle.
    pub cycle: Vec<Transition>,
    /// How it goes on.
    pub end: LassoEnd,
    /// For `p --> q`: after this number of transitions, perhaps after a delay, `p` holds, and from then on `q` does not.
    pub trigger: Option<usize>,
    /// Which transitions of prefix and cycle, or of more rounds of the cycle, set the extra clock back; empty without that
    /// clock.
    ticks: Vec<bool>,
    /// See [`Lasso::rounds`].
    rounds: usize,
}

impl Lasso {
    /// Its length: the transitions of the prefix and of one round.
    pub fn transitions(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// How many rounds it takes until it is certain that the cycle can be repeated forever: times for fewer of them may
    /// lead where it cannot.
    pub fn rounds(&self) -> usize {
        self.rounds
    }
}

/// Question and limits of a search.
#[derive(Clone, Copy, Default)]
pub struct LassoOptions<'a> {
    /// Only runs on which time passes without bound count.
    pub non_zeno: bool,
    /// Limits of the search.
    pub limits: Limits<'a>,
}

/// Result of a search for a witness.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// A witness. When there is none, no limit was reached and the model did not fail, there is none in the model.
    pub witness: Option<Lasso>,
    /// The first run-time error that was met. The search has gone on without what failed.
    pub fault: Option<Fault>,
    /// Which limit ended the search before it was complete.
    pub limit: Option<Limit>,
    /// Work done.
    pub statistics: Statistics,
    /// Whether one more clock was needed to tell zeno runs apart.
    pub is_ticking: bool,
    /// Overview of all reachable states; `None` where some of them were left out.
    pub overview: Option<Overview>,
}

/// Facts about all reachable states beside the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// By edge instance: whether a transition takes it.
    pub taken: Vec<bool>,
    /// Whether the premise `p` of `p --> q` holds somewhere, or cannot be evaluated somewhere.
    pub has_premise: bool,
}

/// A run-time error of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The error.
    pub stop: Stop,
    /// The transitions to the state whose successors cannot be computed.
    pub path: Vec<Transition>,
    /// The transition that was tried there, where it is known.
    pub attempt: Option<Transition>,
}

/// Looks for a witness.
pub fn search(plan: &ZonePlan<'_>, question: &LassoQuestion, options: &LassoOptions<'_>) -> Verdict {
    match question.width(plan) {
        Width::Narrow => search_in_words::<i32>(plan, question, options),
        Width::Wide => search_in_words::<i64>(plan, question, options),
    }
}

fn search_in_words<W: Word>(
    plan: &ZonePlan<'_>,
    question: &LassoQuestion,
    options: &LassoOptions<'_>,
) -> Verdict {
    let is_ticking = options.non_zeno && !zeno::is_structurally_non_zeno(plan);
    let first = attempt::<W>(plan, question, options, is_ticking, Abstraction::LuPlus);
    let Some(lasso) = first
        .witness
        .as_ref()
        .filter(|lasso| lasso.end == LassoEnd::Deadlock)
    else {
        return first;
    };
    if let Ok(Some(_)) = times(plan, question, lasso, 0) {
        return first;
    }
    let mut second = attempt::<W>(plan, question, options, is_ticking, Abstraction::M);
    second.statistics.states_explored += first.statistics.states_explored;
    second.statistics.transitions += first.statistics.transitions;
    second
}

/// Looks for a witness in the graph with this abstraction.
fn attempt<W: Word>(
    plan: &ZonePlan<'_>,
    question: &LassoQuestion,
    options: &LassoOptions<'_>,
    is_ticking: bool,
    abstraction: Abstraction,
) -> Verdict {
    let mut search: Search<'_, '_, W> = Search::new(plan, question, options, is_ticking, abstraction);
    let mut overview = Overview::default();
    let found = match &question.trigger {
        Some(trigger) => {
            let mut reachable = Reachable::new(plan, question, abstraction);
            leads::search(question, (trigger, &mut overview), &mut reachable, &mut search)
        }
        None => {
            let roots = search.expander.initial();
            search.from(roots)
        }
    };
    let is_complete = question.trigger.is_some() && matches!(found, LassoSearchEnd::Nothing);
    let mut fault = search.expander.fault.take();
    let (witness, limit) = match found {
        LassoSearchEnd::Nothing => (None, None),
        LassoSearchEnd::Limit(limit) => (None, Some(limit)),
        LassoSearchEnd::Lasso(mut lasso, _) => {
            if !is_ticking {
                lasso.ticks.clear();
            }
            match close(plan, question, &mut lasso) {
                Ok(()) => (Some(lasso), None),
                Err(failed) => {
                    fault.get_or_insert(failed);
                    (None, None)
                }
            }
        }
    };
    Verdict {
        overview: (is_complete && fault.is_none()).then_some(overview),
        witness,
        fault,
        limit,
        statistics: search.meter.statistics,
        is_ticking,
    }
}

/// Makes the cycle come back to the same variables, those that do not matter included. All that is read in a round was
/// written in it or is the same in every round, so from the second round on every variable is what it was a round before:
/// if not from the first, the cycle begins one round later.
fn close(plan: &ZonePlan<'_>, question: &LassoQuestion, lasso: &mut Lasso) -> Result<(), Fault> {
    if lasso.end != LassoEnd::Cycle {
        return Ok(());
    }
    let graph = question.free(plan, Abstraction::None);
    let mut scratch: Scratch = graph.scratch();
    let mut follow = |from: Vec<i32>, transitions: &[Transition]| {
        let all = transitions.iter();
        all.into_iter()
            .try_fold(from, |discrete, t| graph.after(&mut scratch, discrete, t))
    };
    let beginning = plan.image[..plan.network.layout.meta as usize].to_vec();
    let knots = follow(beginning, &lasso.prefix)
        .and_then(|first| Ok((first.clone(), follow(first, &lasso.cycle)?)))
        .map_err(|stop| Fault {
            stop,
            path: lasso.prefix.clone(),
            attempt: None,
        })?;
    let compared = ..plan.network.layout.state as usize;
    if knots.0[compared] != knots.1[compared] {
        let round = lasso.ticks.get(lasso.prefix.len()..).unwrap_or_default().to_vec();
        lasso.ticks.extend(round);
        lasso.prefix.extend_from_slice(&lasso.cycle);
    }
    Ok(())
}

/// The ends that count. Time stands still in a deadlock unless it can pass forever.
fn ends(options: &LassoOptions<'_>) -> CountedEnds {
    if options.non_zeno {
        CountedEnds::Endless
    } else {
        CountedEnds::All
    }
}

/// How the search from some states ended.
enum LassoSearchEnd<W> {
    /// All that can be reached was visited.
    Nothing,
    /// A run, and the state in which it ends or its cycle begins.
    Lasso(Lasso, Box<ZoneState<W>>),
    Limit(Limit),
}

/// A search with what it has learnt, to be used for one beginning after the other.
struct Search<'n, 'l, W> {
    expander: Expander<'n, W>,
    meter: Meter<'l>,
    kind: Kind<W>,
}

enum Kind<W> {
    /// Every cycle counts.
    Any(Box<depth::Memory<W>>),
    /// A cycle counts if time passes on it.
    Ticking(Box<nested::Memory<W>>),
}

impl<'n, 'l, W: Word> Search<'n, 'l, W> {
    fn new(
        plan: &'n ZonePlan<'n>,
        question: &LassoQuestion,
        options: &LassoOptions<'l>,
        is_ticking: bool,
        abstraction: Abstraction,
    ) -> Search<'n, 'l, W> {
        let graph = question.confined(plan, abstraction, is_ticking);
        let graph = graph.forgetting(&question.goals(), &[]);
        Search {
            expander: Expander::new(graph, ends(options)),
            meter: Meter::new(&options.limits),
            kind: if is_ticking {
                Kind::Ticking(Box::new(nested::Memory::new(plan.network)))
            } else {
                Kind::Any(Box::new(depth::Memory::new(plan.network, Covering::Inclusion)))
            },
        }
    }

    /// Memory of what was learnt.
    fn bytes(&self) -> usize {
        match &self.kind {
            Kind::Any(memory) => memory.bytes(),
            Kind::Ticking(memory) => memory.bytes(),
        }
    }

    /// Looks for a witness from these states on, with transitions that begin there.
    fn from(&mut self, roots: Vec<expand::Successor<W>>) -> LassoSearchEnd<W> {
        match &mut self.kind {
            Kind::Any(memory) => depth::search(&mut self.expander, memory, &mut self.meter, roots),
            Kind::Ticking(memory) => nested::search(&mut self.expander, memory, &mut self.meter, roots),
        }
    }
}

//! The table itself: one row for each search.

use crate::{Extent, Family, Question, Search, SearchOption};
use SearchOption::{
    Contexts, Cutoff, Delays, Estimates, Exact, Extrapolation, Fringe, Increment, KeepVariables, MaxStates,
    MaxSteps, MaxWalks, NonZeno, Patterns, Queues, Store, TimeBound, Walks, Width,
};
use zonewalk_model::tree::QueryKind;

/// Static facts about a search.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name on the command line.
    pub name: &'static str,
    /// Name used in sentences.
    pub title: &'static str,
    /// Family of the search; `None` for `auto`, which runs others.
    pub family: Option<Family>,
    /// Purpose of the search.
    pub purpose: Purpose,
    /// Its place among those with the same purpose: the first is the one to try first.
    pub turn: u8,
    /// When to use it.
    pub advice: &'static str,
    /// Extent of its answers about the existence of a state.
    pub states: Extent,
    /// Extent of its answers about maximal runs and extreme values.
    pub runs_and_values: Extent,
    /// The states that it keeps, in a word.
    pub stores: &'static str,
    /// Requirements on the model beyond those of its family.
    pub needs: Option<&'static str>,
    /// Whether explicit systems can be searched by it.
    pub is_for_explicit: bool,
    /// Whether another seed makes another search of it.
    pub is_by_chance: bool,
    /// The options that it supports, and for which questions.
    pub options: &'static [(SearchOption, &'static [Question])],
}

/// Purposes by which searches are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Whatever is asked.
    Anything,
    /// Proofs.
    Proving,
    /// Errors and shortest traces, with an idea of where the goal is.
    Directing,
    /// Errors of models that are too large to be visited.
    Walking,
    /// Deep errors of the zone graph.
    Diving,
}

impl Purpose {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Purpose; 5] = [
        Purpose::Anything,
        Purpose::Proving,
        Purpose::Directing,
        Purpose::Walking,
        Purpose::Diving,
    ];

    /// Heading above the searches of this purpose.
    pub fn heading(self) -> Option<&'static str> {
        match self {
            Purpose::Anything => None,
            Purpose::Proving => {
                Some("To prove that something never happens, or always holds, all states must be explored:")
            }
            Purpose::Directing => Some(
                "To explore states close to the goal first, by an estimate of the distance (--heuristic):",
            ),
            Purpose::Walking => Some(
                "To find an error in a model that is too large to explore, use random walks. They need hardly any \
                 memory and have exact times, but prove nothing if they find nothing:",
            ),
            Purpose::Diving => Some("To find deep errors in the zone graph without storing all of it:"),
        }
    }

    /// Its searches, the one to try first at the front.
    pub fn searches(self) -> Vec<Search> {
        let mut own = Search::that(|search| search.info().purpose == self);
        own.sort_by_key(|search| search.info().turn);
        own
    }
}

/// A search to come.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// Future name.
    pub name: &'static str,
    /// Family it will belong to.
    pub family: Family,
}

impl Planned {
    /// All announced searches.
    pub const ALL: [Planned; 0] = [];
}

impl Family {
    /// Its searches that this version of zonewalk has. Simulation is a command of its own.
    pub fn available_searches(self) -> Vec<&'static str> {
        let own = Search::that(|search| search.info().family == Some(self));
        let command = (self == Family::Simulation).then_some("simulate");
        command
            .into_iter()
            .chain(own.into_iter().map(Search::name))
            .collect()
    }

    /// Its searches, with those to come.
    pub fn searches(self) -> Vec<&'static str> {
        let mut names = self.available_searches();
        names.extend(self.planned());
        names
    }

    fn planned(self) -> impl Iterator<Item = &'static str> {
        let own = Planned::ALL.iter().filter(move |planned| planned.family == self);
        own.map(|planned| planned.name)
    }

    /// Its searches that can decide such a query, at least in one direction, with those to come.
    pub fn deciders(self, kind: &QueryKind) -> Vec<&'static str> {
        if matches!(kind, QueryKind::Statistical(_)) && self != Family::Statistical {
            return Vec::new();
        }
        let own = Search::that(|search| search.info().family == Some(self) && search.decides(kind));
        let mut names: Vec<_> = own.into_iter().map(Search::name).collect();
        if Question::of(kind) == Some(Question::States) {
            names.extend(self.planned());
        }
        names
    }
}

const ALL: &[Question] = &[Question::States, Question::Runs, Question::Values];
const STATES: &[Question] = &[Question::States];
const RUNS: &[Question] = &[Question::Runs];
/// Where clocks can be stopped, values are looked for by walks and by searches for states, too.
const VALUES: &[Question] = &[Question::Values];
const STATES_AND_VALUES: &[Question] = &[Question::States, Question::Values];

/// An exhaustive search of the zone graph. Maximal runs are looked for with an abstraction and a store of their own.
const EXHAUSTIVE: Info = Info {
    name: "",
    title: "",
    family: Some(Family::Symbolic),
    purpose: Purpose::Proving,
    turn: 0,
    advice: "",
    states: Extent::Proves,
    runs_and_values: Extent::Proves,
    stores: "yes",
    needs: None,
    is_for_explicit: true,
    is_by_chance: false,
    options: &[
        (MaxStates, ALL),
        (Store, STATES_AND_VALUES),
        (Extrapolation, STATES_AND_VALUES),
        (KeepVariables, STATES_AND_VALUES),
        (Delays, VALUES),
        (NonZeno, RUNS),
    ],
};

/// A search whose subject is the shape of the zone graph.
const DIVE: Info = Info {
    purpose: Purpose::Diving,
    runs_and_values: Extent::Nothing,
    is_by_chance: true,
    ..EXHAUSTIVE
};

/// A search that is led by estimates.
const DIRECTED: Info = Info {
    family: Some(Family::Directed),
    purpose: Purpose::Directing,
    runs_and_values: Extent::Nothing,
    is_for_explicit: false,
    options: &[
        (Estimates, STATES),
        (Patterns, STATES),
        (Queues, STATES),
        (Contexts, STATES),
        (MaxStates, STATES),
        (Store, STATES),
        (Extrapolation, STATES),
        (KeepVariables, STATES),
    ],
    ..EXHAUSTIVE
};

/// Random walks.
const WALK: Info = Info {
    family: Some(Family::Walks),
    purpose: Purpose::Walking,
    states: Extent::Finds,
    runs_and_values: Extent::Nothing,
    stores: "no",
    is_for_explicit: false,
    is_by_chance: true,
    options: &[(Delays, STATES), (MaxSteps, STATES), (MaxWalks, STATES)],
    ..EXHAUSTIVE
};

impl Search {
    /// Its row.
    pub const fn info(self) -> Info {
        match self {
            Search::Auto => Info {
                name: "auto",
                title: "random walks and breadth-first search in parallel",
                family: None,
                purpose: Purpose::Anything,
                advice: "The default, and nearly always the right choice: walks first, then walks, rdfs, greedy and bfs in \
                         parallel. The first to find the answer stops the others. Finds errors early and can \
                         also prove their absence.",
                is_by_chance: true,
                options: &[
                    (Delays, STATES_AND_VALUES),
                    (MaxSteps, STATES),
                    (MaxWalks, STATES),
                    (MaxStates, ALL),
                    (Store, STATES_AND_VALUES),
                    (Extrapolation, STATES_AND_VALUES),
                    (KeepVariables, STATES_AND_VALUES),
                    (NonZeno, RUNS),
                ],
                ..EXHAUSTIVE
            },
            Search::Bfs => Info {
                name: "bfs",
                title: "breadth-first search",
                turn: 0,
                advice: "Breadth first. The first trace is a shortest one; --trace fastest gives a fastest one. \
                         Also decides `E[]`, `A<>`, `-->`, `sup`, `inf` and `bounds`.",
                options: &[
                    (Queues, STATES),
                    (Contexts, STATES),
                    (MaxStates, ALL),
                    (Store, STATES_AND_VALUES),
                    (Extrapolation, STATES_AND_VALUES),
                    (KeepVariables, STATES_AND_VALUES),
                    (Delays, VALUES),
                    (NonZeno, RUNS),
                ],
                ..EXHAUSTIVE
            },
            Search::Dfs => Info {
                name: "dfs",
                title: "depth-first search",
                turn: 1,
                advice: "Depth first. Traces are long, and zones are often explored again as part of a larger one.",
                ..EXHAUSTIVE
            },
            Search::Rdfs => Info {
                name: "rdfs",
                title: "random depth-first search",
                turn: 2,
                advice: "dfs with the successors in random order. For deep and frequent errors; try several \
                         seeds.",
                is_by_chance: true,
                ..EXHAUSTIVE
            },
            Search::Greedy => Info {
                name: "greedy",
                title: "greedy search",
                turn: 0,
                advice: "Explores first the state that looks closest to the goal. Finds errors within few states; traces are \
                         shortened afterwards. Proves when it ends.",
                ..DIRECTED
            },
            Search::Astar => Info {
                name: "astar",
                title: "A* search",
                turn: 1,
                advice: "Adds the steps so far to the estimate. With an admissible estimate (--heuristic pdb, hl, dg, dl \
                         or blind), the first trace is a shortest one.",
                ..DIRECTED
            },
            Search::Drs => Info {
                name: "drs",
                title: "deep random search",
                turn: 0,
                advice: "Deep random search: random dives that return to states with unexplored successors. Proves \
                         when it ends. --increment 1 gives a shortest trace.",
                states: Extent::ProvesIf("without `--cutoff`"),
                options: &[
                    (Cutoff, STATES),
                    (Increment, STATES),
                    (Walks, STATES),
                    (Fringe, STATES),
                    (MaxStates, STATES),
                    (Store, STATES),
                    (Extrapolation, STATES),
                ],
                ..DIVE
            },
            Search::Highway => Info {
                name: "highway",
                title: "highway search",
                turn: 1,
                advice: "Follows --width random states per level, and checks all of their successors.",
                states: Extent::ProvesIf("only if no state was left out"),
                stores: "some",
                options: &[
                    (Width, STATES),
                    (Exact, STATES),
                    (MaxStates, STATES),
                    (Extrapolation, STATES),
                ],
                ..DIVE
            },
            Search::Random => Info {
                name: "random",
                title: "random search",
                turn: 2,
                advice: "Follows one random path, and checks all successors along it.",
                states: Extent::Finds,
                stores: "one",
                options: &[(MaxStates, STATES), (Extrapolation, STATES)],
                ..DIVE
            },
            Search::Ret => Info {
                name: "ret",
                title: "walks that draw a transition, then a delay",
                turn: 0,
                advice: "Every transition that is possible now or later is equally likely. Try this first.",
                ..WALK
            },
            Search::Rlc => Info {
                name: "rlc",
                title: "walks that prefer the edges they have taken least",
                turn: 1,
                advice: "The same, among the edges that the walk has taken least: more varied.",
                ..WALK
            },
            Search::RlcA => Info {
                name: "rlc-a",
                title: "walks that prefer the edges all walks have taken least",
                turn: 2,
                advice: "The same, among the edges that all walks so far have taken least.",
                ..WALK
            },
            Search::Sem => Info {
                name: "sem",
                title: "walks that draw a delay, then a transition",
                turn: 3,
                advice: "Draws a delay, then a transition, as a simulator does.",
                options: &[(MaxSteps, STATES), (MaxWalks, STATES)],
                ..WALK
            },
            Search::Com => Info {
                name: "com",
                title: "walks in which every process commits to what it has drawn",
                turn: 4,
                advice: "Every process draws an edge and an instant when it enters a location, and keeps to them. For \
                         scheduling errors, which need an unlucky combination of execution times.",
                ..WALK
            },
            Search::Guided => Info {
                name: "guided",
                title: "walks that start where others came close to the goal",
                turn: 5,
                advice: "Short com and ret walks from the states that came closest to the goal, measured by its locations, \
                         variables and the clocks that guard it. For rare errors, such as missed deadlines.",
                stores: "a few",
                ..WALK
            },
            Search::Smc => Info {
                name: "smc",
                title: "walks by the stochastic semantics",
                family: Some(Family::Statistical),
                turn: 6,
                advice: "Walks by the stochastic semantics, up to --time-bound. Only for models with broadcast channels.",
                needs: Some("broadcast channels and no priorities"),
                options: &[(MaxSteps, STATES), (MaxWalks, STATES), (TimeBound, STATES)],
                ..WALK
            },
        }
    }
}

impl Info {
    /// Extent to which the search answers a question.
    pub fn extent(&self, question: Question) -> Extent {
        match question {
            Question::States => self.states,
            Question::Runs | Question::Values => self.runs_and_values,
        }
    }

    /// Whether it ends with a proof where there is nothing to find.
    pub fn is_complete(&self) -> bool {
        match self.states {
            Extent::Proves | Extent::ProvesIf(_) => true,
            Extent::Finds | Extent::Nothing => false,
        }
    }
}

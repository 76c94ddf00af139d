//! Guided walks: short walks that begin where earlier ones have come close to the goal (importance splitting), and fresh ones from
//! the initial state. No zones are stored: an archive keeps a few concrete states, each with the walk that led there.
//!
//! How close a state is, is known from the goal and the model alone: the distance by locations and data comes first, then
//! how much of a lower bound clocks have reached (robustness). The walks are those of COM and RET, by chance.

mod archive;
mod distance;
mod measure;
mod readers;
pub(crate) mod restarts;
mod robustness;

pub use crate::search::{Closest, Margin};
pub use restarts::piece;

use crate::goal::Watch;
use crate::heuristic::choose::{Chooser, Heuristic};
use crate::heuristic::commit;
use crate::heuristic::coverage::Coverage;
use crate::heuristic::schedule::Schedule;
use crate::search::explore::Options;
use crate::search::{Observer, ThreadResult, WalkEnd, WalkThread};
use crate::walker::Walker;
use archive::{Archive, Niche};
use measure::{Measure, Reading};
use std::sync::atomic::Ordering;
use zonewalk_numbers::Random;

/// Percentage of the steps that belong to walks from the initial state.
const FRESH: u64 = 40;
/// Binary logarithm of the steps of the shortest fresh walks, and how many lengths there are, each twice the one before. Every
/// length gets the same number of steps.
const SHORTEST_FRESH: u32 = 4;
const FRESH_LENGTHS: usize = 12;
/// Percentage of the steps after which a walk from the archive is given up if none was an improvement.
const LEAST_PATIENCE: u32 = 2;
const PATIENCES: usize = 9;

/// The longest run, unless asked for: the archive holds many of them.
const LONGEST: u32 = 1 << 16;

/// The random choices of a restart have numbers of their own.
const FIRST_RESTART: u64 = 1 << 50;

/// Percentage of the first kind among the walks that guided walks are made of.
const BASES: [Heuristic; 2] = [Heuristic::Com, Heuristic::Ret];
const FIRST_BASE: u64 = 75;

impl WalkThread<'_> {
    /// Makes the walks of a thread, all of one restart and then those of the next. Where nothing can be measured all walks begin in the initial state.
    pub(crate) fn run_guided(&self, thread: usize, threads: usize) -> ThreadResult {
        let mut share = ThreadResult::new(self.plan);
        let Some(mut walker) = self.begin(&mut share) else {
            return share;
        };
        let measure = self.goal.and_then(|goal| Measure::new(self.plan, goal.form()));
        let mut guide = Guide::new(self, measure.as_ref());
        let threads = threads as u64;
        let first = restarts::of_walk(self.limits.first_walk);
        let mut restart = first + (thread as u64 + threads - first % threads) % threads;
        loop {
            let numbers =
                restarts::first_walk(restart).max(self.limits.first_walk)..restarts::first_walk(restart + 1);
            if guide.make(self, restart, numbers, &mut walker, &mut share) {
                break;
            }
            restart += threads;
        }
        share.closest = guide.reading.closest(self.plan, measure.as_ref());
        share.effort = self.effort(&walker);
        share
    }

    /// The options of a walk that is made by one of the [`BASES`].
    fn based_on(&self, heuristic: Heuristic) -> Options {
        Options {
            heuristic,
            ..*self.options
        }
    }
}

/// State that the restarts of a thread share.
struct Guide<'a> {
    measure: Option<&'a Measure>,
    reading: Reading,
    archive: Archive,
    choosers: [Chooser; 2],
    watch: Option<Watch<'a>>,
    random: Random,
    longest: u32,
    /// Steps since the last restart: all, those of fresh walks, and by length and patience.
    steps: u64,
    fresh: u64,
    by_length: [u64; FRESH_LENGTHS],
    by_patience: [u64; PATIENCES],
}

/// Kind of walk that comes next.
struct NextWalk {
    is_fresh: bool,
    /// Which of the lengths or patiences it has.
    octave: usize,
    /// That length or patience.
    steps: u32,
}

impl<'a> Guide<'a> {
    fn new(seeker: &WalkThread<'a>, measure: Option<&'a Measure>) -> Self {
        let reach = seeker.goal.map_or(0, |goal| goal.reach);
        let chooser = |heuristic| {
            let mut chooser = Chooser::new(heuristic, Coverage::none());
            chooser.reach_for(reach);
            chooser
        };
        Guide {
            measure,
            reading: Reading::default(),
            archive: Archive::new(seeker.plan),
            choosers: BASES.map(chooser),
            watch: seeker.goal.map(Watch::new),
            random: Random::for_walk(seeker.options.seed, FIRST_RESTART),
            longest: seeker.options.max_steps.unwrap_or(LONGEST),
            steps: 0,
            fresh: 0,
            by_length: [0; FRESH_LENGTHS],
            by_patience: [0; PATIENCES],
        }
    }

    /// Makes the walks of a restart. Whether the search is over.
    fn make(
        &mut self,
        seeker: &WalkThread<'_>,
        restart: u64,
        numbers: std::ops::Range<u64>,
        walker: &mut Walker<'_>,
        share: &mut ThreadResult,
    ) -> bool {
        self.random = Random::for_walk(seeker.options.seed, FIRST_RESTART + restart);
        self.archive.clear();
        (self.steps, self.fresh) = (0, 0);
        (self.by_length, self.by_patience) = ([0; FRESH_LENGTHS], [0; PATIENCES]);
        for number in numbers {
            let is_beyond = seeker.limits.max_walks.is_some_and(|most| number >= most);
            if is_beyond || number >= seeker.best.load(Ordering::Relaxed) || seeker.is_over() {
                return true;
            }
            share.walks += 1;
            seeker.control.walks.fetch_add(1, Ordering::Relaxed);
            let walked = match self.measure {
                Some(measure) => self.walk(seeker, measure, number, walker),
                None => self.plain_walk(seeker, number, walker),
            };
            // A walk that makes no step must not be all that is ever made.
            self.steps += seeker.count_steps(walker, share).max(1);
            seeker.spend(walker);
            if seeker.conclude(&walked, number, walker, share) {
                return true;
            }
        }
        false
    }

    /// A walk from the initial state or from one of the archive.
    fn walk(
        &mut self,
        seeker: &WalkThread<'_>,
        measure: &Measure,
        number: u64,
        walker: &mut Walker<'_>,
    ) -> WalkEnd {
        let next = self.next_walk();
        let niche = if next.is_fresh {
            walker.restart();
            Niche::of(&walker.state, walker.plan)
        } else {
            self.archive.resume(walker, &mut self.random)
        };
        seeker.go_on_from(walker);
        self.reading.begin(measure, walker);
        let begun = walker.record.steps.len() as u32;
        let base = usize::from(self.random.below(100) >= FIRST_BASE);
        let options = seeker.based_on(BASES[base]);
        let chooser = &mut self.choosers[base];
        chooser.begin(
            Random::for_walk(seeker.options.seed, number),
            options.parameters(number),
        );
        let mut climb = Climb {
            measure,
            reading: &mut self.reading,
            archive: &mut self.archive,
            random: &mut self.random,
            niche,
            patience: next.steps,
            left: next.steps,
            is_fresh: next.is_fresh,
            longest: self.longest,
        };
        let depth = self.longest.saturating_sub(begun);
        let walked = seeker.walk(walker, chooser, self.watch.as_mut(), (number, depth), &mut climb);
        self.archive.end_walk(&walker.record);
        let steps = (walker.record.steps.len() as u64 - u64::from(begun)).max(1);
        if next.is_fresh {
            self.fresh += steps;
            self.by_length[next.octave] += steps;
        } else {
            self.by_patience[next.octave] += steps;
        }
        walked
    }

    /// Chooses the kind of walk that has had less than its share of the steps.
    fn next_walk(&self) -> NextWalk {
        let is_fresh = self.archive.is_empty() || self.fresh * 100 < self.steps * FRESH;
        let (spent, first) = if is_fresh {
            (self.by_length.as_slice(), SHORTEST_FRESH)
        } else {
            (self.by_patience.as_slice(), LEAST_PATIENCE)
        };
        let octave = (0..spent.len()).min_by_key(|&octave| spent[octave]).unwrap_or(0);
        NextWalk {
            is_fresh,
            octave,
            steps: 1 << (first + octave as u32),
        }
    }

    /// A walk where nothing is measured: COM and RET take turns, with the depths that they have by themselves.
    fn plain_walk(&mut self, seeker: &WalkThread<'_>, number: u64, walker: &mut Walker<'_>) -> WalkEnd {
        let base = (number % BASES.len() as u64) as usize;
        let turn = number / BASES.len() as u64;
        let depth = Schedule::Tuned.depth(turn, seeker.options.max_steps);
        walker.restart();
        seeker.go_on_from(walker);
        let chooser = &mut self.choosers[base];
        let parameters = match BASES[base] {
            Heuristic::Com => commit::parameters(seeker.options.delays, turn),
            _ => Schedule::Tuned.parameters(seeker.options.delays, turn),
        };
        chooser.begin(Random::for_walk(seeker.options.seed, number), parameters);
        seeker.walk(walker, chooser, self.watch.as_mut(), (number, depth), &mut ())
    }
}

/// A walk that is measured in every step.
struct Climb<'a> {
    measure: &'a Measure,
    reading: &'a mut Reading,
    archive: &'a mut Archive,
    random: &'a mut Random,
    niche: Niche,
    patience: u32,
    /// Steps until it is given up.
    left: u32,
    is_fresh: bool,
    /// Steps of the longest run: nothing goes on from its end.
    longest: u32,
}

impl Observer for Climb<'_> {
    #[inline]
    fn see_step(&mut self, walker: &mut Walker<'_>) {
        self.left -= 1;
        let steps = walker.record.steps.len();
        let last = steps - 1;
        self.niche.follow(walker.plan, walker.record.step(last).0);
        let quality = self.reading.follow(self.measure, walker);
        let is_last = steps >= self.longest as usize;
        if !is_last && self.archive.offer(walker, self.niche, quality, self.random) && !self.is_fresh {
            self.left = self.patience;
        }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.left == 0
    }
}

#[cfg(test)]
mod tests;

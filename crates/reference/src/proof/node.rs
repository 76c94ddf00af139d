//! The obligations of one node.

use crate::error::Activity;
use crate::interpreter::{Interpreter, View};
use crate::proof::aim::{Aim, Condition, Values};
use crate::proof::answer::{Counts, Objection, Obligation, Refusal};
use crate::proof::index::{Index, Member, Uncovered};
use crate::proof::memory;
use crate::proof::oracle::Points;
use crate::proof::steps::{Delays, Invariant, Moves, Scene, States, ZoneSuccessor};
use crate::proof::union::Union;
use crate::proof::words::Place;
use crate::proof::zone::{Zone, bound};
use crate::region::{Clocks, Region};
use std::cell::OnceCell;
use std::sync::Arc;
use zonewalk_certificate::{Columns, Interval};
use zonewalk_model::eval::{FaultKind, Store};
use zonewalk_model::ids::LocationId;
use zonewalk_model::system::{Memory, Value};
use zonewalk_run::Part;

/// States in which time stands still that a certificate may leave out after one node.
const MOST_LEFT_OUT: usize = 10_000;

type Result<T> = std::result::Result<T, Objection>;

/// Tables by which all nodes are judged.
#[derive(Clone, Copy)]
pub(crate) struct Case<'a> {
    pub columns: &'a Columns,
    pub index: &'a Index,
    pub aim: &'a Aim<'a>,
    /// The clocks of the nodes: those of the model, and the time where the claim is about it.
    pub clocks: usize,
}

/// Judges nodes, one after the other.
pub(crate) struct Worker<'a> {
    pub case: Case<'a>,
    pub interpreter: Interpreter<'a>,
    pub counts: Counts,
    /// Space for the values of a state and the groups that stand for it.
    values: Vec<Option<i32>>,
    groups: Vec<usize>,
}

/// Some states that have the same locations and values, with what is claimed of them.
pub(crate) struct Portion {
    pub memory: Memory,
    pub locations: Vec<LocationId>,
    pub zones: Union,
    pub depth: Option<u32>,
    pub rank: Option<u32>,
    pub known: Known,
}

/// Facts about a discrete state, found out when they are needed. The states of one discrete state share them.
#[derive(Default)]
pub(crate) struct Known {
    invariant: OnceCell<Invariant>,
    scene: OnceCell<Scene>,
}

/// Which nodes may cover a state.
#[derive(Clone, Copy)]
pub(crate) enum Cover {
    /// Those of the invariant: without a rank, if others have one.
    Unranked,
    /// Those that need at most this number of transitions.
    Depth(u32),
    /// Those of at most this rank.
    Rank(u32),
    /// Those of a lower rank.
    Below(u32),
    /// Those with any rank.
    Ranked,
}

impl Cover {
    fn allows(self, member: &Member, aim: &Aim<'_>) -> bool {
        match self {
            Cover::Unranked => aim.inevitable.is_none() || member.rank.is_none(),
            Cover::Depth(most) => member.depth.is_some_and(|depth| depth <= most),
            Cover::Rank(most) => member.rank.is_some_and(|rank| rank <= most),
            Cover::Below(limit) => member.rank.is_some_and(|rank| rank < limit),
            Cover::Ranked => member.rank.is_some(),
        }
    }
}

impl<'a> Worker<'a> {
    pub(crate) fn new(case: Case<'a>, interpreter: Interpreter<'a>) -> Self {
        Worker {
            case,
            interpreter,
            counts: Counts::default(),
            values: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Judges some states, and those after them in which time stands still and that no node stands for.
    pub(crate) fn judge(&mut self, portion: &Portion) -> Result<()> {
        let mut todo = Vec::new();
        self.judge_one(portion, &mut todo)?;
        let mut left_out = todo.len();
        while let Some(portion) = todo.pop() {
            let from = todo.len();
            self.judge_one(&portion, &mut todo)?;
            left_out += todo.len() - from;
            if left_out > MOST_LEFT_OUT {
                let obligation = match portion.rank {
                    Some(_) if self.case.aim.inevitable.is_some() => Obligation::Progress,
                    _ => Obligation::Transition,
                };
                return Err(Objection::refused(
                    obligation,
                    format!("more than {MOST_LEFT_OUT} states without delay are left out behind it"),
                ));
            }
        }
        Ok(())
    }

    fn judge_one(&mut self, portion: &Portion, todo: &mut Vec<Portion>) -> Result<()> {
        match (self.case.aim.inevitable, portion.rank) {
            (Some(goal), Some(rank)) => self.ranked(portion, &goal, rank, todo),
            _ => self.unranked(portion, todo),
        }
    }

    /// The obligations of a node of the invariant.
    fn unranked(&mut self, portion: &Portion, todo: &mut Vec<Portion>) -> Result<()> {
        let Case { aim, .. } = self.case;
        if aim
            .depth
            .is_some_and(|steps| portion.depth.is_none_or(|depth| depth >= steps))
        {
            return Ok(());
        }
        let view = portion.view(None);
        let here = self.before_horizon(&self.within_invariants(portion)?);
        if here.is_empty() {
            return Ok(());
        }
        let scene = self.scene(portion)?;
        let delays = self
            .interpreter
            .delays_of(view, self.invariant(portion), scene, &here)?;
        let dead = if aim.asks_for_deadlocks() {
            Some(self.dead(view, scene, &delays, None)?)
        } else {
            None
        };
        let asking = portion.view(dead.as_ref());
        if let Some(avoided) = aim.avoided {
            let met = self.where_holds(asking, &here, avoided)?;
            self.must_be_empty(
                portion,
                &met,
                Obligation::Goal,
                "states meet what must not be reached",
            )?;
        }
        if let Some(values) = aim.values {
            self.check_values(portion, asking, &here, values)?;
        }
        if let Some(goal) = aim.inevitable {
            self.check_start(portion, view, &here, goal.from, goal.goal)?;
        }
        let cover = portion
            .depth
            .filter(|_| aim.depth.is_some())
            .map_or(Cover::Unranked, Cover::Depth);
        let reached = Union(delays.reached().cloned().collect());
        for zone in self.before_horizon(&reached).iter() {
            self.lies_in_nodes(
                portion,
                zone,
                cover,
                Obligation::Delay,
                "a delay leads to states that no node has",
            )?;
        }
        let depth = portion.depth.map(|depth| depth + 1);
        if aim.depth.is_some() && depth >= aim.depth {
            return Ok(());
        }
        let cover = match cover {
            Cover::Depth(depth) => Cover::Depth(depth + 1),
            cover => cover,
        };
        let moves = self.interpreter.moves(view, scene, &here)?;
        self.follow(&moves, cover, None, depth, todo)
    }

    /// The obligations of a node from which the goal must be reached.
    fn ranked(
        &mut self,
        portion: &Portion,
        aim: &crate::proof::aim::Inevitable<'_>,
        rank: u32,
        todo: &mut Vec<Portion>,
    ) -> Result<()> {
        let view = portion.view(None);
        let open = Condition {
            truth: !aim.goal.truth,
            ..aim.goal
        };
        let here = self.within_invariants(portion)?;
        let here = self.where_holds(view, &here, open)?;
        if here.is_empty() {
            return Ok(());
        }
        let scene = self.scene(portion)?;
        let delays = self
            .interpreter
            .delays_of(view, self.invariant(portion), scene, &here)?;
        for (_, reached) in &delays.passing {
            let mut reached = reached.clone();
            if scene.time.all_run {
                // A delay that has reached the goal is followed no further. As with urgency, no point of a convex set without the
                // goal is after a point of the goal that the set reaches.
                let met = self.where_holds(view, &reached, aim.goal)?;
                reached = reached.minus(&met.iter().filter_map(|zone| zone.strictly_later()).collect());
            }
            for zone in self.where_holds(view, &reached, open)?.iter() {
                if !zone.is_bounded(&scene.time.running) {
                    let what = "time passes for ever without the goal";
                    return Err(self.refuse(portion, zone, Obligation::Divergence, what));
                }
                let what = "a delay leads to states that no node of its rank has";
                self.lies_in_nodes(portion, zone, Cover::Rank(rank), Obligation::Wait, what)?;
            }
        }
        let dead = self.dead(view, scene, &delays, Some(aim.goal))?;
        self.must_be_empty(
            portion,
            &dead,
            Obligation::Standstill,
            "runs end here without the goal",
        )?;
        let moves = self.interpreter.moves(view, scene, &here)?;
        self.follow(&moves, Cover::Below(rank), Some((open, rank)), None, todo)
    }
}

impl Worker<'_> {
    /// The states that count, of a claim about the time.
    fn before_horizon(&self, zones: &Union) -> Union {
        let Some(end) = self.case.aim.horizon else {
            return zones.clone();
        };
        let before = |zone: &Arc<Zone>| {
            let mut zone = Zone::clone(zone);
            zone.constrain(self.case.clocks, 0, bound(end.at, !end.strict))
                .then_some(zone)
        };
        zones.iter().filter_map(before).collect()
    }

    fn invariant<'p>(&self, portion: &'p Portion) -> &'p Invariant {
        let view = portion.view(None);
        let invariant = || self.interpreter.invariant(view, self.case.clocks);
        portion.known.invariant.get_or_init(invariant)
    }

    fn within_invariants(&self, portion: &Portion) -> Result<Union> {
        let (view, invariant) = (portion.view(None), self.invariant(portion));
        Ok(self
            .interpreter
            .within_invariants(view, invariant, &portion.zones)?)
    }

    /// Facts about the discrete state. Requires: some states of the portion satisfy their invariants, so that nothing is evaluated
    /// that need not be.
    fn scene<'p>(&self, portion: &'p Portion) -> Result<&'p Scene> {
        if let Some(scene) = portion.known.scene.get() {
            return Ok(scene);
        }
        let scene = self
            .interpreter
            .scene(portion.view(None), self.case.clocks)?
            .ok_or_else(|| Objection::NotCovered("clock rates other than 0 and 1".into()))?;
        Ok(portion.known.scene.get_or_init(|| scene))
    }

    fn where_holds(&self, view: States<'_>, zones: &Union, condition: Condition<'_>) -> Result<Union> {
        let holds = view.clocks.filter(view.locations, zones, |world| {
            let mut evaluator = self
                .interpreter
                .evaluator(Store::Shared(view.memory), world, None);
            Ok(evaluator.holds(condition.predicate)? == condition.truth)
        });
        holds.map_err(|fault| self.interpreter.fault(fault, Activity::Predicate, None).into())
    }

    /// The states from which no delay leads to a transition (`semantics.md` 28), nor to the goal where there is one.
    ///
    /// Where clocks stand still and urgency may end delays, they are not looked at: only what can happen at once counts.
    fn dead(
        &self,
        view: States<'_>,
        scene: &Scene,
        delays: &Delays,
        goal: Option<Condition<'_>>,
    ) -> Result<Union> {
        let ends = |zones: &Union| -> Result<Union> {
            let moves = self.interpreter.moves(view, scene, zones)?;
            let mut ends = moves
                .existing
                .into_iter()
                .flat_map(|candidate| candidate.region.0)
                .collect::<Vec<_>>();
            if let Some(goal) = goal {
                ends.extend(self.where_holds(view, zones, goal)?.0);
            }
            Ok(Union(ends))
        };
        let mut dead = Vec::new();
        if !delays.standing.is_empty() {
            dead.extend(delays.standing.minus(&ends(&delays.standing)?).0);
        }
        for (piece, reached) in &delays.passing {
            let ends = ends(reached)?;
            let before = |end: &Arc<Zone>| {
                if delays.may_stop {
                    end.meet(piece)
                } else {
                    end.before(piece, &scene.time.running)
                }
            };
            let alive = ends.iter().filter_map(before).collect();
            dead.extend(Union(vec![Arc::clone(piece)]).minus(&alive).0);
        }
        Ok(Union(dead))
    }

    fn check_values(
        &mut self,
        portion: &Portion,
        view: States<'_>,
        here: &Union,
        values: Values<'_>,
    ) -> Result<()> {
        let among = match values.among {
            Some(predicate) => self.where_holds(
                view,
                here,
                Condition {
                    predicate,
                    truth: true,
                },
            )?,
            None => here.clone(),
        };
        let mut parts = Vec::new();
        for zone in among.iter() {
            let evaluated = view.clocks.split(
                view.locations,
                zone,
                |oracle| {
                    let mut evaluator = self
                        .interpreter
                        .evaluator(Store::Shared(view.memory), oracle, None);
                    let values = values.exprs.iter().map(|expr| evaluator.value(expr));
                    values.collect::<std::result::Result<Vec<Value>, _>>()
                },
                |part, values| parts.push((part.zone, values)),
            );
            evaluated.map_err(|fault| self.interpreter.fault(fault, Activity::Predicate, None))?;
        }
        for (zone, found) in parts {
            for ((value, intervals), expr) in found.iter().zip(values.intervals).zip(values.exprs) {
                let outside = match value {
                    Value::Int(value) => {
                        let inside = intervals
                            .iter()
                            .any(|interval| contains(interval, i64::from(*value)));
                        if inside {
                            Union::default()
                        } else {
                            Union(vec![Arc::clone(&zone)])
                        }
                    }
                    Value::Clock(clock) => {
                        let dim = zone.dim();
                        let slices = intervals
                            .iter()
                            .filter_map(|interval| slice(interval, clock.index() + 1, dim));
                        Union(vec![Arc::clone(&zone)]).minus(&slices.collect())
                    }
                    _ => {
                        let fault = FaultKind::Unspecified.at(expr.span);
                        return Err(self.interpreter.fault(fault, Activity::Predicate, None).into());
                    }
                };
                let what = "a value lies outside of its intervals";
                self.must_be_empty(portion, &outside, Obligation::Values, what)?;
            }
        }
        Ok(())
    }

    /// States from which the goal must be reached, and in which it does not hold, are in nodes with a rank. Requires: `here` are
    /// states of the portion.
    pub(crate) fn check_start(
        &mut self,
        portion: &Portion,
        view: States<'_>,
        here: &Union,
        from: Option<&zonewalk_model::tree::Expr>,
        goal: Condition<'_>,
    ) -> Result<()> {
        let begins = match from {
            Some(predicate) => self.where_holds(
                view,
                here,
                Condition {
                    predicate,
                    truth: true,
                },
            )?,
            None => here.clone(),
        };
        let open = self.where_holds(
            view,
            &begins,
            Condition {
                truth: !goal.truth,
                ..goal
            },
        )?;
        for zone in open.iter() {
            let what = "the goal must be reached from states that no node with a rank has";
            self.lies_in_nodes(portion, zone, Cover::Ranked, Obligation::Start, what)?;
        }
        Ok(())
    }

    /// Requires: `zone` is a set of states at the place of the portion.
    pub(crate) fn lies_in_nodes(
        &mut self,
        portion: &Portion,
        zone: &Zone,
        cover: Cover,
        obligation: Obligation,
        what: &str,
    ) -> Result<()> {
        match self.uncovered(&portion.memory, &portion.locations, zone, cover)? {
            None => Ok(()),
            Some(left) => Err(self.refuse(portion, &left, obligation, what)),
        }
    }

    /// Checks that successors lie in nodes, or puts them into `todo` where time stands still and no node has it. `open`: only the
    /// states that fulfil the condition count; those that are left out have the rank.
    fn follow(
        &mut self,
        moves: &Moves,
        cover: Cover,
        open: Option<(Condition<'_>, u32)>,
        depth: Option<u32>,
        todo: &mut Vec<Portion>,
    ) -> Result<()> {
        for (parts, ways) in &moves.ways {
            for way in ways {
                let zones = Union(vec![Arc::clone(&way.zone)]);
                let zones = match open {
                    Some((open, _)) => {
                        let view = View {
                            memory: &way.memory,
                            locations: &way.locations,
                            clocks: Points { dead: None },
                        };
                        self.where_holds(view, &zones, open)?
                    }
                    None => zones,
                };
                for zone in zones.iter() {
                    self.counts.transitions += 1;
                    if let Some(left) = self.uncovered(&way.memory, &way.locations, zone, cover)? {
                        let portion = self.portion(way, zone, depth, open.map(|(_, rank)| rank));
                        if self.interpreter.time_stopper(&way.locations).is_none() {
                            return Err(self.leads_out(moves, parts, &portion, &left, open.is_some()));
                        }
                        todo.push(portion);
                    }
                }
            }
        }
        Ok(())
    }

    fn portion(
        &self,
        way: &ZoneSuccessor,
        zone: &Arc<Zone>,
        depth: Option<u32>,
        rank: Option<u32>,
    ) -> Portion {
        let mut memory = way.memory.clone();
        memory::forget_meta(self.interpreter.model(), self.interpreter.system(), &mut memory);
        Portion {
            memory,
            locations: way.locations.clone(),
            zones: Union(vec![Arc::clone(zone)]),
            depth,
            rank,
            known: Known::default(),
        }
    }

    /// The points of a set that no node has.
    fn uncovered(
        &mut self,
        memory: &Memory,
        locations: &[LocationId],
        zone: &Zone,
        cover: Cover,
    ) -> Result<Option<Zone>> {
        let Case {
            columns, index, aim, ..
        } = self.case;
        self.counts.obligations += 1;
        memory::values(memory, columns, &mut self.values).map_err(|column| {
            let name = columns.cells.get(column).map_or("a variable", |cell| &cell.name);
            Objection::refused(
                Obligation::Nodes,
                format!("{name} gets a value outside of its range"),
            )
        })?;
        index.standing_for(locations, &self.values, &mut self.groups);
        match index.covers(&self.groups, zone, |member| cover.allows(member, aim)) {
            Ok(()) => Ok(None),
            Err(Uncovered::Points(left)) => Ok(Some(left)),
            Err(Uncovered::TooManyPieces) => {
                let what = "a set of states that only very many nodes cover together";
                Err(Objection::NotCovered(what.into()))
            }
        }
    }

    fn must_be_empty(
        &mut self,
        portion: &Portion,
        zones: &Union,
        obligation: Obligation,
        what: &str,
    ) -> Result<()> {
        match zones.iter().next() {
            None => Ok(()),
            Some(zone) => Err(self.refuse(portion, zone, obligation, what)),
        }
    }

    fn refuse(&mut self, portion: &Portion, left: &Zone, obligation: Obligation, what: &str) -> Objection {
        // What cannot be formatted is reported without values.
        let _ = memory::values(&portion.memory, self.case.columns, &mut self.values);
        let place = Place {
            columns: self.case.columns,
            locations: &portion.locations,
            values: &self.values,
        };
        Objection::Refused(Box::new(Refusal {
            obligation,
            node: None,
            message: what.to_owned(),
            left: Some(place.states(left)),
            point: Some(place.point(left)),
            reads_open_value: false,
        }))
    }

    fn leads_out(
        &mut self,
        moves: &Moves,
        parts: &[Part],
        to: &Portion,
        left: &Zone,
        has_rank: bool,
    ) -> Objection {
        let channel = moves.existing.iter().find(|candidate| candidate.parts == parts);
        let step = self
            .interpreter
            .describe_parts(parts, channel.and_then(|candidate| candidate.channel));
        let (obligation, which) = if has_rank {
            (Obligation::Progress, "no node of a lower rank has")
        } else {
            (Obligation::Transition, "no node has")
        };
        self.refuse(
            to,
            left,
            obligation,
            &format!("{step} leads to states that {which}"),
        )
    }
}

impl Portion {
    /// The states, with the deadlocks among them.
    pub(crate) fn view<'p>(&'p self, dead: Option<&'p Union>) -> States<'p> {
        View {
            memory: &self.memory,
            locations: &self.locations,
            clocks: Points { dead },
        }
    }
}

fn contains(interval: &Interval, value: i64) -> bool {
    let above = |end: zonewalk_certificate::End| {
        if end.strict {
            value > end.at
        } else {
            value >= end.at
        }
    };
    let below = |end: zonewalk_certificate::End| {
        if end.strict {
            value < end.at
        } else {
            value <= end.at
        }
    };
    interval.lower.is_none_or(above) && interval.upper.is_none_or(below)
}

/// All points at which a clock lies in an interval.
fn slice(interval: &Interval, index: usize, dim: usize) -> Option<Zone> {
    let mut slice = Zone::universal(dim - 1);
    let lower = interval
        .lower
        .is_none_or(|end| slice.constrain(0, index, bound(-end.at, end.strict)));
    let upper = interval
        .upper
        .is_none_or(|end| slice.constrain(index, 0, bound(end.at, end.strict)));
    (lower && upper).then_some(slice)
}

//! The judge of proofs: whether a certificate proves its claim.
//!
//! A certificate is a finite set of nodes, each a set of states: some locations, some values, a convex set of clock values. The
//! judge shows by the rules of the language alone that the nodes contain the initial state and that no delay and no transition
//! leads out of them; then all reachable states are in nodes, by induction over the steps of a run, and what no node meets is not
//! reachable. How the nodes were found does not matter, nor whether they are larger than they need to be: no abstraction, no
//! covering test and no order of any search is trusted. `docs/certificates.md` lists the obligations; [`Obligation`] names them.
//!
//! The rules are those by which runs are judged, over sets of points (`union`) in place of windows of a delay. Expressions
//! are evaluated at all points of a set at once (`oracle`). Every node is first intersected with its invariants: what is left
//! out is not a state. A value that a node leaves open stands for all values; evaluation may copy it and not read it (`memory`).
//!
//! S. Wimmer, J. von Mutius: Verified certification of reachability checking for timed automata. TACAS 2020.

mod aim;
mod answer;
mod index;
mod memory;
mod node;
mod oracle;
mod steps;
mod union;
mod words;
mod zone;

pub use answer::{Counts, Judgement, Limits, Obligation, Refusal};

use crate::interpreter::Interpreter;
use aim::Aim;
use answer::Objection;
use index::{Group, Index};
use node::{Case, Cover, Known, Portion, Worker};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use union::Union;
use zone::Zone;
use zonewalk_certificate::{Certificate, Claim, Columns};
use zonewalk_model::ids::LocationId;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Model, Query};
use zonewalk_model::types::Type;

/// Stack of a thread that judges: the evaluator nests as deeply as expressions do.
const STACK: usize = 64 << 20;

/// Groups of nodes that a thread takes at a time.
const CHUNK: usize = 16;

/// Judges a certificate. Model, query and constants come from the caller: nothing is concluded from the header of a file.
///
/// Requires: `system` is made from `model`, and the query is typed against it.
pub fn judge(
    model: &Model,
    system: &System,
    query: Option<&Query>,
    certificate: &Certificate,
    limits: &Limits<'_>,
) -> Judgement {
    if let Err(construct) = covers(model, system, query, &certificate.claim) {
        return Judgement::NotCovered(construct);
    }
    let mut counts = Counts::default();
    match accept(model, system, query, certificate, limits, &mut counts) {
        Ok(()) => Judgement::Accepted(counts),
        Err(Objection::Refused(refusal)) => Judgement::Refused(refusal),
        Err(Objection::NotCovered(construct)) => Judgement::NotCovered(construct),
        Err(Objection::Stopped) => Judgement::Stopped(counts),
    }
}

/// Whether a certificate with this claim could be judged, before there is one.
///
/// # Errors
/// A construct that the judge does not cover: half a sentence.
pub fn covers(model: &Model, system: &System, query: Option<&Query>, claim: &Claim) -> Result<(), String> {
    if let Err(unsupported) = Interpreter::new(model, system) {
        return Err(unsupported.construct.to_owned());
    }
    let templates = system
        .processes
        .iter()
        .map(|p| &model.templates[p.template.index()]);
    let mut variables = model.globals.iter().chain(templates.flat_map(|t| &t.variables));
    if variables.any(|v| !v.is_const && v.ty.any(&mut |ty| matches!(ty, Type::Str))) {
        return Err("variables that are strings".into());
    }
    let _ = (query, claim);
    Ok(())
}

fn accept(
    model: &Model,
    system: &System,
    query: Option<&Query>,
    certificate: &Certificate,
    limits: &Limits<'_>,
    counts: &mut Counts,
) -> Result<(), Objection> {
    let aim = Aim::new(query, &certificate.claim)?;
    let columns = Columns::of(model, system)
        .map_err(|fault| Objection::refused(Obligation::Evaluation, fault.to_string()))?;
    let clocks = system.clocks.len() + usize::from(aim.horizon.is_some());
    let index = Index::new(model, system, &columns, certificate, clocks)
        .map_err(|bad| Objection::refused(Obligation::Nodes, bad.what).of_node(bad.number))?;
    check_fields(&index, &aim)?;
    let case = Case {
        columns: &columns,
        index: &index,
        aim: &aim,
        clocks,
    };
    let worker = || match Interpreter::new(model, system) {
        Ok(interpreter) => Ok(Worker::new(case, interpreter)),
        Err(unsupported) => Err(Objection::NotCovered(unsupported.construct.to_owned())),
    };
    let mut first = worker()?;
    check_initial(&mut first)?;
    let shared = Shared {
        counts: Mutex::new(first.counts),
        stride: limits
            .sample
            .map_or(1, |sample| certificate.nodes.len().div_ceil(sample.get()).max(1)),
        ..Shared::default()
    };
    std::thread::scope(|scope| {
        for _ in 0..limits.threads.get() {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let started = thread.spawn_scoped(scope, || match worker() {
                Ok(worker) => shared.judge_groups(worker, limits),
                Err(objection) => shared.object(0, objection),
            });
            if started.is_err() {
                shared.object(
                    0,
                    Objection::NotCovered("anything where no thread can be started".into()),
                );
            }
        }
    });
    *counts = shared.counts();
    shared.verdict()
}

/// The claims that are about numbers of nodes need them at every node.
fn check_fields(index: &Index, aim: &Aim<'_>) -> Result<(), Objection> {
    let needs_depth = aim.depth.is_some();
    let needs_rank = aim.inevitable.is_some_and(|inevitable| inevitable.from.is_none());
    let members = index.groups.iter().flat_map(|group| &group.members);
    let mut bad = members.filter(|m| needs_depth && m.depth.is_none() || needs_rank && m.rank.is_none());
    match bad.by_ref().map(|m| m.number).min() {
        None => Ok(()),
        Some(number) => {
            let field = if needs_depth { "depth" } else { "rank" };
            let message = format!("it has no {field}, which the claim needs");
            Err(Objection::refused(Obligation::Nodes, message).of_node(number))
        }
    }
}

/// The initial state is in a node (`semantics.md` 6a).
fn check_initial(worker: &mut Worker<'_>) -> Result<(), Objection> {
    let initial = worker.interpreter.initial()?;
    let system = worker.interpreter.system();
    let mut clocks: Vec<i64> = system.clocks.iter().map(|clock| clock.initial.into()).collect();
    clocks.resize(worker.case.clocks, 0);
    let mut portion = Portion {
        memory: initial.memory,
        locations: initial.locations,
        zones: Union::of(Zone::point(&clocks)),
        depth: None,
        rank: None,
        known: Known::default(),
    };
    memory::forget_meta(worker.interpreter.model(), system, &mut portion.memory);
    let zones = portion.zones.clone();
    let aim = worker.case.aim;
    match aim.inevitable {
        Some(goal) if goal.from.is_none() => {
            worker.check_start(&portion, portion.view(None), &zones, None, goal.goal)
        }
        _ if aim.depth == Some(0) || aim.horizon.is_some_and(|end| end.at < i64::from(!end.strict)) => Ok(()),
        _ => {
            let cover = if aim.depth.is_some() {
                Cover::Depth(0)
            } else {
                Cover::Unranked
            };
            zones.iter().try_for_each(|zone| {
                let what = "no node has the initial state";
                worker.lies_in_nodes(&portion, zone, cover, Obligation::Initial, what)
            })
        }
    }
}

/// Work that the threads share.
#[derive(Default)]
struct Shared {
    /// The first group that no thread has taken.
    next: AtomicUsize,
    /// The objection about the node with the least number. Nodes with larger numbers need not be looked at.
    first: Mutex<Option<(usize, Objection)>>,
    /// That number and one; 0 while there is none.
    objected: AtomicUsize,
    is_stopped: AtomicBool,
    /// One in so many nodes is looked at.
    stride: usize,
    counts: Mutex<Counts>,
}

impl Shared {
    fn judge_groups(&self, mut worker: Worker<'_>, limits: &Limits<'_>) {
        let groups = &worker.case.index.groups;
        loop {
            let from = self.next.fetch_add(CHUNK, Ordering::Relaxed);
            if from >= groups.len() || self.is_stopped.load(Ordering::Relaxed) {
                break;
            }
            for group in &groups[from..groups.len().min(from + CHUNK)] {
                if limits.stop.is_some_and(|stop| stop()) {
                    self.is_stopped.store(true, Ordering::Relaxed);
                    break;
                }
                self.judge_group(&mut worker, group);
            }
        }
        self.counts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(worker.counts);
    }

    fn judge_group(&self, worker: &mut Worker<'_>, group: &Group) {
        let interpreter = &worker.interpreter;
        let memory = memory::memory(
            interpreter.model(),
            interpreter.system(),
            worker.case.columns,
            &group.values,
        );
        let mut portion = Portion {
            memory,
            locations: Vec::<LocationId>::from(&group.locations[..]),
            zones: Union::default(),
            depth: None,
            rank: None,
            known: Known::default(),
        };
        for member in &group.members {
            let objected = self.objected.load(Ordering::Relaxed);
            if objected > 0 && member.number >= objected - 1 {
                break;
            }
            if !member.number.is_multiple_of(self.stride) {
                continue;
            }
            worker.counts.nodes += 1;
            portion.zones = Union(vec![member.zone.clone()]);
            (portion.depth, portion.rank) = (member.depth, member.rank);
            if let Err(objection) = worker.judge(&portion) {
                self.object(member.number, objection.of_node(member.number));
            }
        }
    }

    /// Keeps the objection with the least number: it does not depend on the threads.
    fn object(&self, number: usize, objection: Objection) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|(earlier, _)| number < *earlier) {
            self.objected.store(number + 1, Ordering::Relaxed);
            *first = Some((number, objection));
        }
    }

    fn counts(&self) -> Counts {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn verdict(self) -> Result<(), Objection> {
        match self.first.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, objection)) => Err(objection),
            None if self.is_stopped.into_inner() || self.stride > 1 => Err(Objection::Stopped),
            None => Ok(()),
        }
    }
}

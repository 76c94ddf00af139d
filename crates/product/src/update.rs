//! Taking a transition: values for selects, and the updates in their order (`semantics.md` 7, 13).

use crate::condition::{ClockForm, EvaluatedPart};
use crate::effect::ChosenCell;
use crate::stop::Stop;
use crate::tables::{EdgeInstance, Product};
use crate::valuation::Valuation;
use zonewalk_network::cell::Context;
use zonewalk_network::ids::{InstanceId, ProcessId};
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{Clocks, Code, LoopWork, run};
use zonewalk_network::{Network, Routine};

/// A state that updates change.
pub trait Updated<X> {
    /// Why an update stops.
    type Stop;

    /// Variables, constants and temporaries.
    fn memory(&mut self) -> &mut [i32];

    /// Runs the update of an edge instance.
    ///
    /// # Errors
    /// When the model fails.
    fn update(&mut self, number: InstanceId, edge: &EdgeInstance<X>) -> Result<(), Self::Stop>;

    /// Runs what the model does before or after the updates of a transition.
    ///
    /// # Errors
    /// When the model fails.
    fn routine(&mut self, routine: Routine) -> Result<(), Self::Stop>;
}

/// A state whose code is just run. `C` is what updates do to the clocks.
pub struct Unprojected<'a, C> {
    /// The network.
    pub network: &'a Network,
    /// Variables, constants and temporaries.
    pub memory: &'a mut [i32],
    /// The clocks.
    pub clocks: &'a mut C,
    /// Work done in loops so far.
    pub work: LoopWork,
}

impl<C: Clocks> Unprojected<'_, C> {
    fn run(&mut self, entry: Entry, context: &Context) -> Result<(), Stop> {
        let code = Code::new(&self.network.program, entry, context);
        run(code, self.memory, self.clocks, &mut self.work)?;
        Ok(())
    }
}

impl<C: Clocks, X> Updated<X> for Unprojected<'_, C> {
    type Stop = Stop;

    #[inline(always)]
    fn memory(&mut self) -> &mut [i32] {
        self.memory
    }

    #[inline(always)]
    fn update(&mut self, _: InstanceId, edge: &EdgeInstance<X>) -> Result<(), Stop> {
        edge.update
            .map_or(Ok(()), |update| self.run(update, &edge.context))
    }

    fn routine(&mut self, routine: Routine) -> Result<(), Stop> {
        self.run(routine.entry, &self.network.global_context())
    }
}

impl<F: ClockForm, X, Y> Product<'_, F, X, Y> {
    /// Runs the updates of a transition and moves its processes: the initiator's edge first, then the others' in the order of
    /// the processes, each of which sees what those before it did (`semantics.md` 7). `selects` are values for the free
    /// selects of these edges.
    ///
    /// # Errors
    /// When the model fails; memory then holds what had been written so far.
    #[inline(always)]
    pub fn update<U: Updated<X>>(
        &self,
        parts: &[InstanceId],
        selects: &[i32],
        state: &mut U,
    ) -> Result<(), U::Stop> {
        if self.has_routines {
            self.update_within_routines(parts, selects, state)?;
        } else {
            self.update_all(parts, selects, state)?;
        }
        for &part in parts {
            let edge = self.edge(part);
            state.memory()[edge.process.index()] = edge.target.0 as i32;
        }
        Ok(())
    }

    #[inline(always)]
    fn update_all<U: Updated<X>>(
        &self,
        parts: &[InstanceId],
        selects: &[i32],
        state: &mut U,
    ) -> Result<(), U::Stop> {
        let mut values = selects;
        for &part in parts {
            let edge = self.edge(part);
            if edge.has_free_selects {
                values = self.write_selects(part, values, state.memory());
            }
            state.update(part, edge)?;
        }
        Ok(())
    }

    /// Runs the update between the routines that the model runs before and after every transition.
    #[cold]
    fn update_within_routines<U: Updated<X>>(
        &self,
        parts: &[InstanceId],
        selects: &[i32],
        state: &mut U,
    ) -> Result<(), U::Stop> {
        let [before, after] = self.routines;
        if let Some(routine) = before {
            state.routine(routine)?;
        }
        self.update_all(parts, selects, state)?;
        match after {
            Some(routine) => state.routine(routine),
            None => Ok(()),
        }
    }

    /// Writes the first of the given values into the selects of an edge, and leaves the others.
    #[inline(never)]
    fn write_selects<'v>(&self, number: InstanceId, values: &'v [i32], memory: &mut [i32]) -> &'v [i32] {
        let edge = self.edge(number);
        let mut values = values;
        for choice in self.choices(number) {
            if let Some((&value, rest)) = values.split_first() {
                values = rest;
                // Without an update the value is never read, and it has no cell.
                if edge.update.is_some() {
                    memory[choice.address as usize] = value;
                }
            }
        }
        values
    }

    /// Choices made when an edge is taken: values of free selects, in a projection also of removed cells.
    fn choices(&self, number: InstanceId) -> impl Iterator<Item = ChosenCell> + '_ {
        let context = &self.edge(number).context;
        let selects = self.free_selects(number).map(|select| ChosenCell {
            address: context.address(select.cell) as u32,
            lo: select.lo,
            hi: select.hi,
        });
        selects.chain(self.choices.get(number.index()).into_iter().flatten().copied())
    }

    /// Whether the data allow the invariant of the location that a process is in (`semantics.md` 9); if so, the valuation has
    /// seen what it asks of the clocks. A transition exists only if all invariants hold after its updates.
    ///
    /// # Errors
    /// When the model fails.
    #[inline]
    pub fn invariant<V: Valuation<Bound = F::Bound>>(
        &self,
        process: ProcessId,
        valuation: &mut V,
    ) -> Result<bool, V::Stop> {
        let invariant = &self.location_in(valuation.memory(), process).invariant;
        let context = || self.network.context(process);
        self.conditions
            .evaluate(invariant, EvaluatedPart::Nothing, context, valuation)
    }

    /// The smallest value of every free select of some edges (`semantics.md` 13).
    pub fn first_selects(&self, parts: &[InstanceId], values: &mut Vec<i32>) {
        values.clear();
        for &part in parts {
            if self.edge(part).has_free_selects {
                values.extend(self.choices(part).map(|choice| choice.lo));
            }
        }
    }

    /// The next combination of values, the first select changing fastest; false after the last one, and then all are as in the
    /// beginning.
    pub fn next_selects(&self, parts: &[InstanceId], values: &mut [i32]) -> bool {
        if values.is_empty() {
            return false;
        }
        let has_choices = |part: &&InstanceId| self.edge(**part).has_free_selects;
        let choices = parts
            .iter()
            .filter(has_choices)
            .flat_map(|&part| self.choices(part));
        for (value, choice) in values.iter_mut().zip(choices) {
            if *value < choice.hi {
                *value += 1;
                return true;
            }
            *value = choice.lo;
        }
        false
    }
}

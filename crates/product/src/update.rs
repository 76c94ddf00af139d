//! Taking a transition: values for selects, and the updates in their order (`semantics.md` 7, 13).

use crate::condition::ClockForm;
use crate::tables::{Edge, Product};
use crate::valuation::Valuation;
use zonewalk_network::Routine;

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
    fn update(&mut self, number: u32, edge: &Edge<X>) -> Result<(), Self::Stop>;

    /// Runs what the model does before or after the updates of a transition.
    ///
    /// # Errors
    /// When the model fails.
    fn routine(&mut self, routine: Routine) -> Result<(), Self::Stop>;
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
        parts: &[u32],
        selects: &[i32],
        state: &mut U,
    ) -> Result<(), U::Stop> {
        if self.has_routines
            && let Some(routine) = self.network.before_update
        {
            state.routine(routine)?;
        }
        let mut values = selects;
        for &part in parts {
            let edge = &self.edges[part as usize];
            if edge.has_free_selects {
                values = self.write_selects(part, values, state.memory());
            }
            state.update(part, edge)?;
        }
        if self.has_routines
            && let Some(routine) = self.network.after_update
        {
            state.routine(routine)?;
        }
        for &part in parts {
            let edge = &self.edges[part as usize];
            state.memory()[edge.process as usize] = edge.target as i32;
        }
        Ok(())
    }

    /// Writes the first of the given values into the selects of an edge, and leaves the others.
    fn write_selects<'v>(&self, number: u32, values: &'v [i32], memory: &mut [i32]) -> &'v [i32] {
        let edge = &self.edges[number as usize];
        let mut values = values;
        for select in self.free_selects(number) {
            if let Some((&value, rest)) = values.split_first() {
                values = rest;
                // Without an update nobody reads the value, and it has no cell.
                if edge.update.is_some() {
                    memory[edge.context.address(select.cell)] = value;
                }
            }
        }
        values
    }

    /// Whether the data allow the invariant of the location that a process is in (`semantics.md` 9); if so, the valuation has
    /// seen what it asks of the clocks. A transition exists only if all invariants hold behind its updates.
    ///
    /// # Errors
    /// When the model fails.
    #[inline]
    pub fn invariant<V: Valuation<Bound = F::Bound>>(
        &self,
        process: u32,
        valuation: &mut V,
    ) -> Result<bool, V::Stop> {
        let location = valuation.memory()[process as usize] as u32;
        let invariant = &self.place(process, location).invariant;
        let context = || self.network.context(process);
        self.conditions.evaluate(invariant, context, valuation)
    }

    /// The smallest value of every free select of some edges (`semantics.md` 13).
    pub fn first_selects(&self, parts: &[u32], values: &mut Vec<i32>) {
        values.clear();
        for &part in parts {
            if self.edges[part as usize].has_free_selects {
                values.extend(self.free_selects(part).map(|s| s.lo));
            }
        }
    }

    /// The next combination of values, the first select changing fastest; false after the last one, and then all are as in the
    /// beginning.
    pub fn next_selects(&self, parts: &[u32], values: &mut [i32]) -> bool {
        if values.is_empty() {
            return false;
        }
        let selects = parts.iter().flat_map(|&part| self.free_selects(part));
        for (value, select) in values.iter_mut().zip(selects) {
            if *value < select.hi {
                *value += 1;
                return true;
            }
            *value = select.lo;
        }
        false
    }
}

//! Running the updates of a transition on a state.

use crate::Stop;
use crate::plan::{EdgeFacts, EdgeInstance, WalkPlan};
use crate::state::State;
use zonewalk_network::Routine;
use zonewalk_network::ids::InstanceId;
use zonewalk_network::vm::{Changes, Code, run};
use zonewalk_product::Updated;

/// A state whose variables and clocks a transition changes.
pub(super) struct Updates<'s, 'p> {
    pub(super) plan: &'s WalkPlan<'p>,
    pub(super) state: &'s mut State,
    pub(super) changed: &'s mut Vec<(u32, i32)>,
    /// All of it was known before.
    pub(super) is_decoded: bool,
}

impl Updated<EdgeFacts> for Updates<'_, '_> {
    type Stop = Stop;

    #[inline(always)]
    fn memory(&mut self) -> &mut [i32] {
        &mut self.state.memory
    }

    #[inline(always)]
    fn update(&mut self, _number: InstanceId, edge: &EdgeInstance) -> Result<(), Stop> {
        let Some(assigns) = &edge.own.assigns else {
            self.is_decoded = false;
            return self.run(edge);
        };
        for assign in &self.plan.assigns[assigns.start as usize..assigns.end as usize] {
            assign.run(&mut self.state.memory, &mut self.state.clocks, self.changed);
        }
        Ok(())
    }

    fn routine(&mut self, routine: Routine) -> Result<(), Stop> {
        self.is_decoded = false;
        let network = self.plan.network;
        let context = network.global_context();
        let mut changes = Changes::new(self.changed, network.layout.meta);
        let code = Code::new(&network.program, routine.entry, &context);
        run(code, &mut self.state.memory, &mut self.state.clocks, &mut changes)?;
        Ok(())
    }
}

impl Updates<'_, '_> {
    /// Runs an update that is code.
    fn run(&mut self, edge: &EdgeInstance) -> Result<(), Stop> {
        let Some(update) = edge.update else {
            return Ok(());
        };
        let State {
            memory,
            clocks,
            specialised,
            effort,
            ..
        } = &mut *self.state;
        let number = edge.own.update_code;
        *effort += u64::from(self.plan.efforts[number as usize]);
        if !edge.has_free_selects
            && let Some(assigns) = specialised.assigns(number)
        {
            for assign in assigns {
                assign.run(memory, clocks, self.changed);
            }
            return Ok(());
        }
        let mut changes = Changes::new(self.changed, self.plan.network.layout.meta);
        let code = (update, &[][..], &edge.context);
        specialised.run(self.plan, number as usize, code, (memory, clocks), &mut changes)?;
        Ok(())
    }
}

//! Effects of code on clocks, as far as they can be read off it.

use zonewalk_network::SetId;
use zonewalk_network::cell::{Cell, Context};
use zonewalk_network::ids::ClockId;
use zonewalk_network::instr::{Entry, Instr};
use zonewalk_network::{Instance, Network};

/// The clocks that the update of an edge sets to 0 whatever the state is: in what comes before the first jump.
pub(super) fn set_to_zero(network: &Network, instance: &Instance) -> Vec<ClockId> {
    let Some(entry) = network.edge(instance).update else {
        return Vec::new();
    };
    let context = network.instance_context(instance);
    let code = network.program.code.get(entry.0 as usize..).unwrap_or_default();
    let mut found = Vec::new();
    for instr in code {
        match *instr {
            Instr::SetClock { clock, value } => {
                let (clock, value) = (
                    network.constant(clock, &context),
                    network.constant(value, &context),
                );
                if let (Some(clock), Some(0)) = (clock, value) {
                    found.push(ClockId(clock as u32));
                }
            }
            Instr::Halt { .. } | Instr::Call { .. } | Instr::Return { .. } | Instr::Fail => break,
            Instr::Jump { .. }
            | Instr::JumpIf { .. }
            | Instr::JumpUnless { .. }
            | Instr::JumpLess { .. }
            | Instr::JumpLessEqual { .. }
            | Instr::JumpEqual { .. }
            | Instr::JumpNotEqual { .. }
            | Instr::Loop { .. } => break,
            _ => {}
        }
    }
    found
}

/// By clock: whether something may set it to another value than 0. Such a clock can be large without time having passed.
pub(super) fn spoilt(network: &Network) -> Vec<bool> {
    let mut spoilt = vec![false; network.clocks.len()];
    for instance in &network.instances {
        if let Some(entry) = network.edge(instance).update {
            let context = network.instance_context(instance);
            look(network, entry, &context, instance.clock_writes, &mut spoilt);
        }
    }
    for routine in network.before_update.iter().chain(&network.after_update) {
        let context = network.global_context();
        look(
            network,
            routine.entry,
            &context,
            routine.clock_writes,
            &mut spoilt,
        );
    }
    spoilt
}

/// Looks through code and the functions that it calls.
fn look(network: &Network, entry: Entry, context: &Context, writes: SetId, spoilt: &mut [bool]) {
    if network.sets.clocks(writes).next().is_none() {
        return;
    }
    let constant = |cell: Cell| network.constant(cell, context);
    let mut spoil = |clock: Option<i32>| match clock {
        Some(clock) => mark(spoilt, ClockId(clock as u32)),
        None => network.sets.clocks(writes).for_each(|clock| mark(spoilt, clock)),
    };
    let mut functions = vec![entry];
    let mut next = 0;
    while let Some(&start) = functions.get(next) {
        next += 1;
        let code = network.program.code.get(start.0 as usize..).unwrap_or_default();
        // Jumps go forward, except for loops, which end behind where they begin: the code ends at the first end that no
        // jump leads beyond.
        let mut last = start.0;
        for (at, instr) in (start.0..).zip(code) {
            last = instr.jumps_to().map_or(last, |target| last.max(target.0));
            match *instr {
                Instr::SetClock { clock, value } if constant(value) != Some(0) => spoil(constant(clock)),
                Instr::CopyClock { to, .. } => spoil(constant(to)),
                Instr::CopyClocks { .. } => spoil(None),
                Instr::Call { target, .. } if !functions.contains(&target) => functions.push(target),
                Instr::Halt { .. } | Instr::Return { .. } | Instr::Fail if at >= last => break,
                _ => {}
            }
        }
    }
}

fn mark(spoilt: &mut [bool], clock: ClockId) {
    if let Some(mark) = spoilt.get_mut(clock.index()) {
        *mark = true;
    }
}

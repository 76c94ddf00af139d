//! No clocks at all: whatever a guard asks of them may hold or not, so that every transition of the model is among those of
//! its untimed product.

use std::convert::Infallible;
use std::ops::Range;
use zonewalk_network::Network;
use zonewalk_network::cell::Context;
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{Code, NoClocks, Trap, run};
use zonewalk_product::{ClockConstraint, ClockForm, Fixed, Listing, Regions, Splitter, Stop, Valuation};

/// Bounds on clocks are counted, and no more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Untimed;

impl ClockForm for Untimed {
    type Bound = ();
    type Refusal = Infallible;

    fn fix(&self, _: ClockConstraint, into: &mut Vec<()>) -> Result<Fixed, Infallible> {
        into.push(());
        Ok(Fixed::Written)
    }
}

/// A discrete state.
#[derive(Debug)]
pub(crate) struct Discrete<'a> {
    network: &'a Network,
    memory: &'a mut [i32],
    asked: u32,
}

impl<'a> Discrete<'a> {
    /// The state that memory holds.
    pub(crate) fn new(network: &'a Network, memory: &'a mut [i32]) -> Self {
        Discrete {
            network,
            memory,
            asked: 0,
        }
    }
}

impl Valuation for Discrete<'_> {
    type Bound = ();
    type Stop = Stop;

    fn memory(&self) -> &[i32] {
        self.memory
    }

    fn execute(&mut self, entry: Entry, context: &Context) -> Result<i32, Trap> {
        let code = Code::new(&self.network.program, entry, context);
        run(code, self.memory, &mut NoClocks, &mut ())
    }

    fn bounds(&mut self, bounds: &[()]) {
        self.asked += bounds.len() as u32;
    }

    fn clock(&mut self, _: ClockConstraint) -> Result<bool, Stop> {
        self.asked += 1;
        Ok(true)
    }
}

impl Listing for Discrete<'_> {
    fn mark(&self) -> u32 {
        self.asked
    }

    fn is_possible(&self, _: u32) -> bool {
        true
    }

    fn rewind(&mut self, to: u32) {
        self.asked = to;
    }
}

impl Regions for Untimed {
    /// Whether it is certain.
    type Region = bool;
    /// Whether it asks nothing of the clocks.
    type Guard = bool;

    fn within(&self, _: &bool, is_free: &bool) -> Option<bool> {
        Some(*is_free)
    }

    fn without<'a>(&self, _: &bool, mut parts: impl Iterator<Item = &'a bool>, rest: &mut Vec<bool>) {
        // Who receives whatever the clocks are leaves nothing.
        if !parts.any(|&is_certain| is_certain) {
            rest.push(false);
        }
    }
}

impl Splitter for Untimed {
    fn part(&self, guard: &Range<u32>) -> Option<bool> {
        Some(guard.is_empty())
    }

    fn guard(&self, guard: &Range<u32>) -> &bool {
        if guard.is_empty() { &true } else { &false }
    }
}

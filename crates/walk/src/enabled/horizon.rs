//! How long time may pass.

use crate::time::{FOREVER, Window};
use crate::walker::Walker;
use zonewalk_network::ids::{ChannelId, InstanceId};

impl Walker<'_> {
    /// The last instant until which time may pass (`semantics.md` 1, 2, 2a).
    #[inline(always)]
    pub(crate) fn horizon(&self) -> i64 {
        let state = &self.state;
        let now = state.clocks.now;
        if !state.committed.is_empty() || state.urgent > 0 {
            return now;
        }
        if !state.failing.is_empty() && self.may_be_urgent() {
            return now;
        }
        let horizon = state.deadlines.min();
        if state.urgent_senders > 0 {
            return self.urgent_horizon(horizon);
        }
        horizon.max(now)
    }

    /// Horizon where a synchronisation on an urgent channel may end it.
    fn urgent_horizon(&self, deadline: i64) -> i64 {
        let channels = self.plan.urgent_channels.iter();
        let first = channels.map(|&channel| self.first_urgent(channel)).min();
        first
            .map_or(deadline, |f| f.min(deadline))
            .max(self.state.clocks.now)
    }

    /// The first instant at which a synchronisation on an urgent channel is enabled.
    fn first_urgent(&self, channel: ChannelId) -> i64 {
        let (plan, state) = (self.plan, &self.state);
        let (now, ready) = (state.clocks.now, &state.ready[channel.index()]);
        let mut first = FOREVER;
        // A strict lower bound has no first instant: time stops at the bound itself (`semantics.md` 2a).
        let mut see = |window: Window| {
            let window = window.and(Window { lo: now, hi: FOREVER });
            if window.lo <= window.hi {
                first = first.min(window.lo & !1);
            }
        };
        let window = |edge: InstanceId| {
            state
                .edges
                .get(edge.index())
                .map_or(Window::ALL, |known| known.window)
        };
        plan.synchronise(channel, &ready.senders, &ready.receivers, |sender, receiver| {
            see(receiver.map_or(window(sender), |receiver| window(sender).and(window(receiver))));
        });
        first
    }
}

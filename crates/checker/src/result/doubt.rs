//! Explains what is known, and what is not, where clocks can be stopped.
//!
//! The zone graph over-approximates there. What it does not reach is unreachable, which is a proof; what it reaches may be
//! reachable, and only a run shows that.

use crate::outcome::{Claim, Doubt, Stats};
use zonewalk_report::verdict::text::count;
use zonewalk_report::verdict::{Quantity, Value};

/// Why a "maybe" is no more than that: what speaks for it, what speaks against it.
pub(super) fn of_claim(claim: Claim, satisfied: bool, stats: &Stats) -> String {
    let found = match (claim, satisfied) {
        (Claim::State, true) => "the zone graph reaches it",
        (Claim::State, false) => "the zone graph reaches a violation",
        (Claim::Run, true) => "the zone graph has a run on which it always holds",
        (Claim::Run, false) => "the zone graph has a run that violates it",
    };
    let mut text = format!(
        "{found}, but it over-approximates clocks that can be stopped, and the path it found has no exact times"
    );
    if stats.walks == 0 {
        text.push_str("; this is not a proof");
    } else {
        let walks = count(stats.walks, "exact walk");
        let steps = count(stats.steps, "step");
        text.push_str(&format!(
            "; {walks} of at most {} ({steps} in all) found no run either; neither is a proof",
            count(stats.max_depth, "step")
        ));
    }
    text
}

/// Reason for values that grow, where it is not known how far.
const UNSETTLED: &str = "the extreme values were not determined";

/// Why a value is not certain: what is proved, and what is not.
pub(super) fn of_value(doubt: &Doubt, value: Option<&Value>) -> String {
    let (quantity, is_reached) = value.map_or((Quantity::Sup, false), |v| (v.quantity, v.reached.is_some()));
    if value.is_some_and(|value| value.quantity == Quantity::Sup && !value.is_bounded) {
        return match doubt {
            Doubt::Approximate(_) => {
                "clocks that can be stopped are over-approximated, and the approximation has no upper \
                 bound; the true value is at least what a run reaches"
            }
            Doubt::Unsettled => UNSETTLED,
        }
        .to_owned();
    }
    let (proved, open) = match (doubt, quantity, is_reached) {
        (Doubt::Unsettled, ..) => return UNSETTLED.to_owned(),
        (Doubt::Approximate(_), Quantity::Sup, true) => (
            "no run goes above the upper bound",
            "the true value may be lower, down to what a run reaches",
        ),
        (Doubt::Approximate(_), Quantity::Inf, true) => (
            "no run goes below the lower bound",
            "the true value may be higher, up to what a run reaches",
        ),
        (Doubt::Approximate(_), Quantity::Bounds, true) => (
            "no run has a value outside",
            "the true set may be smaller, down to what runs reach",
        ),
        (Doubt::Approximate(_), Quantity::Sup, false) => (
            "no run goes above it",
            "the true value may be lower; no run to such a state was found",
        ),
        (Doubt::Approximate(_), Quantity::Inf, false) => (
            "no run goes below it",
            "the true value may be higher; no run to such a state was found",
        ),
        (Doubt::Approximate(_), Quantity::Bounds, false) => {
            ("no run has a value outside", "no run to such a state was found")
        }
    };
    format!("clocks that can be stopped are over-approximated: it is proved that {proved}; {open}")
}

//! Claims about values.

use zonewalk_certificate::{Claim, End, Interval, LARGEST_BOUND};
use zonewalk_symbolic::extremes::{Endpoint, Extent, RequestedValues};

/// The claim that no value lies beyond what a search has found; `None` where that says nothing of some expression.
pub(crate) fn of_values(extents: &[Extent], wish: RequestedValues) -> Option<Claim> {
    let intervals = extents.iter().map(|extent| intervals(extent, wish));
    intervals.collect::<Option<Vec<_>>>().map(Claim::Values)
}

fn intervals(extent: &Extent, wish: RequestedValues) -> Option<Vec<Interval>> {
    match (wish, extent.lowest(), extent.highest()) {
        (_, None, _) | (_, _, None) => Some(Vec::new()),
        (RequestedValues::Highest, _, Some(high)) => Some(vec![Interval::up_to(end(high?)?)]),
        (RequestedValues::Lowest, Some(low), _) => Some(vec![Interval::from(end(low)?)]),
        (RequestedValues::All, ..) => {
            let interval = |found: &zonewalk_symbolic::extremes::Interval| {
                Some(Interval {
                    lower: Some(end(found.low)?),
                    upper: found.high.map(|high| end(high).ok_or(())).transpose().ok()?,
                })
            };
            extent.intervals.iter().map(interval).collect()
        }
    }
}

fn end(found: Endpoint) -> Option<End> {
    (found.value.abs() <= LARGEST_BOUND).then_some(End {
        at: found.value,
        strict: !found.is_attained,
    })
}

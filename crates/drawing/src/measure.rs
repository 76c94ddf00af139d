//! The bounding box of a drawing.

use crate::label;
use crate::{BRANCH_RADIUS, Bounds, Drawing, Point, RADIUS};

impl Drawing {
    /// Measures what is there.
    pub(crate) fn measure(&mut self) {
        let mut bounds: Option<Bounds> = None;
        let mut include = |min: Point, max: Point| match &mut bounds {
            Some(bounds) => bounds.include(min, max),
            None => bounds = Some(Bounds { min, max }),
        };
        let around = |at: Point, r: f64| (Point::new(at.x - r, at.y - r), Point::new(at.x + r, at.y + r));
        let labels = self.locations.iter().flat_map(|location| &location.labels);
        for label in labels.chain(self.edges.iter().flat_map(|edge| &edge.labels)) {
            let (width, height) = label::size(label);
            include(label.at, Point::new(label.at.x + width, label.at.y + height));
        }
        for location in &self.locations {
            let (min, max) = around(location.at, RADIUS + 2.0);
            include(min, max);
        }
        let nails = self.edges.iter().flat_map(|edge| &edge.nails);
        for at in self.branchpoints.iter().chain(nails) {
            let (min, max) = around(*at, BRANCH_RADIUS + 2.0);
            include(min, max);
        }
        self.bounds = bounds.unwrap_or(Bounds {
            min: Point::default(),
            max: Point::new(1.0, 1.0),
        });
    }
}

//! Automata as drawings: where everything is, as plain data, with renderers.
//!
//! [`template()`] makes a drawing of a template: with the coordinates of the file where it has them, and in layers (`layout`)
//! where it has none. [`component()`] does the same for timed I/O automata, whose drawings are not kept. [`svg`] and [`dot`] render.
//!
//! Invariant: a drawing is a function of the tree alone, the same on every machine.
//!
//! # Rooms
//!
//! A template or component as plain data: where locations, edges and labels are. `author` takes the positions of the
//! file, `layout` makes them where there are none (`rank`, `order`, `place`: Sugiyama's method, with a node for the
//! labels of every edge). `svg` and `dot` render; `joined_edges` leads from the edges of the typed tree, which traces
//! number, to those that are drawn.

mod author;
mod component;
pub mod dot;
mod label;
mod layout;
mod measure;
pub mod svg;
mod template;

pub use component::component;
pub use template::{joined_edges, template};

use serde::Serialize;

/// Radius of a location.
pub const RADIUS: f64 = 10.0;
/// Radius of a branchpoint.
pub const BRANCH_RADIUS: f64 = 4.0;
/// Distance between lines of text.
pub const LINE: f64 = 15.0;

/// A point; `y` grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    /// A point.
    pub const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }
}

/// An automaton with the place of everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drawing {
    /// The name of the template or component.
    pub name: String,
    /// Its parameters in parentheses, if it has any.
    pub parameters: String,
    /// Whether positions come from the file.
    pub is_authored: bool,
    /// Locations, in the order of the file.
    pub locations: Vec<Location>,
    /// Branchpoints, in the order of the file.
    pub branchpoints: Vec<Point>,
    /// Edges, in the order of the file: into branchpoints and out of them are two.
    pub edges: Vec<Edge>,
    /// Bounding box.
    pub bounds: Bounds,
}

/// A location.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Location {
    /// Its name; `None` where the file gives none.
    pub name: Option<String>,
    /// The name by which traces call it.
    pub title: String,
    /// Its centre.
    pub at: Point,
    /// Whether runs begin there.
    pub is_initial: bool,
    /// Kind of location.
    pub kind: Kind,
    /// `#rrggbb`
    pub color: Option<String>,
    /// Name, invariant and rate.
    pub labels: Vec<Label>,
    /// Comment by the model's author.
    pub comment: Option<String>,
}

/// Kinds of locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Time may pass.
    Normal,
    /// Time stops.
    Urgent,
    /// Time stops, and one of these goes first.
    Committed,
    /// Timed I/O automata: a state that allows everything.
    Universal,
    /// Timed I/O automata: an error state.
    Inconsistent,
}

/// Where an edge begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// At a location, by its number.
    Location(usize),
    /// At a branchpoint, by its number.
    Branchpoint(usize),
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edge {
    /// Start of the edge.
    pub source: End,
    /// End of the edge.
    pub target: End,
    /// Its bends.
    pub nails: Vec<Point>,
    /// Labels beside the edge.
    pub labels: Vec<Label>,
    /// `#rrggbb`
    pub color: Option<String>,
    /// Dashed: of the environment in games, an output of timed I/O automata.
    pub is_dashed: bool,
    /// Comment by the model's author.
    pub comment: Option<String>,
}

/// A text at a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Label {
    /// Kind of label.
    pub kind: LabelKind,
    /// Its lines; never empty.
    pub lines: Vec<String>,
    /// The upper left corner.
    pub at: Point,
}

/// Kinds of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum LabelKind {
    Name,
    Invariant,
    Rate,
    Select,
    Guard,
    Sync,
    Update,
    Weight,
}

impl LabelKind {
    /// For style sheets and programs.
    pub fn word(self) -> &'static str {
        match self {
            LabelKind::Name => "name",
            LabelKind::Invariant => "invariant",
            LabelKind::Rate => "rate",
            LabelKind::Select => "select",
            LabelKind::Guard => "guard",
            LabelKind::Sync => "sync",
            LabelKind::Update => "update",
            LabelKind::Weight => "weight",
        }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// The upper left corner.
    pub min: Point,
    /// The lower right corner.
    pub max: Point,
}

impl Bounds {
    /// The width.
    pub fn width(&self) -> f64 {
        self.max.x - self.min.x
    }

    /// The height.
    pub fn height(&self) -> f64 {
        self.max.y - self.min.y
    }

    fn include(&mut self, min: Point, max: Point) {
        self.min = Point::new(self.min.x.min(min.x), self.min.y.min(min.y));
        self.max = Point::new(self.max.x.max(max.x), self.max.y.max(max.y));
    }
}

impl Drawing {
    /// The place of an end.
    pub fn place(&self, end: End) -> Point {
        match end {
            End::Location(number) => self.locations[number].at,
            End::Branchpoint(number) => self.branchpoints[number],
        }
    }
}

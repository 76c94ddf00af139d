//! Automata of the systems of a query, which the engines explore. A `leaf` is a component, a `product` a composition or a conjunction, a
//! `quotient` a quotient; a `side` is a list of automata in parallel.

pub mod automaton;
pub mod leaf;
pub mod product;
pub mod quotient;
pub mod set;
pub mod side;
pub mod system;

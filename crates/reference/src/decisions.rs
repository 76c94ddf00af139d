//! Decisions where `semantics.md` has no public source to go by.
//!
//! Rows of `semantics.md` with a question mark, and questions that it does not ask:
//!
//! | row | decision | where |
//! |-----|----------|-------|
//! | 2a | A strict lower bound on an urgent edge stops time at the bound; the edge is never taken. | `delay.rs`, `until_urgent` |
//! | 2 | "Enabled" for urgency means guards of all partners; priorities, committed locations and target invariants play no part. | `delay.rs`, `urgent_windows` |
//! | 3 | Different rates for one clock, from two processes or from one invariant, stop the analysis with both named; equal rates are fine. Any integer rate is run exactly. In `b \|\| x' == 0` the rate is set when `b` is false, whichever stands first. | `rates.rs` |
//! | 5 | A predicate is evaluated at every instant of a delay, both ends included. | `predicate.rs`, `moment.rs` |
//! | 6a | Initial invariants that do not hold are an error of their own, with the process. | `interpreter.rs`, `initial` |
//! | 7 | `before_update` and `after_update` run once a transition: before the sender's first update, after the last receiver's last one. | `fire.rs`, `land` |
//! | 7 | Inside an expression evaluation goes from left to right: the place of an assignment before its value, the old value of `i += f()` before `f()`, arguments in order. | `zonewalk_model::eval` |
//! | 11 | Receivers of a broadcast update in the order of the processes (21a). | `transition.rs`, `broadcasts` |
//! | 13a | An empty range has no value: no edge, `forall` true, `exists` false, `sum` 0. A *variable* of such a type is an error. | `edges.rs`, `zonewalk_model::eval` |
//! | 14 | Order on an edge: data of the guard, channel, clocks of the guard. The data are examined as if every clock comparison held (16b), so a run-time error in them shows even where the clock part fails; data that stand behind a disjunction with a clock are evaluated at the instants that reach them. | `edges.rs`, `ready_part` |
//! | 15 | Blocked transitions are not run, so a run-time error in an update that is blocked at every instant does not show. A transition that does not exist (9, 10) blocks nothing. | `transition.rs`, `join` |
//! | 15a | Without `default` in the list it is the lowest level. | the checker; `zonewalk_model::instance` |
//! | 16 | The edge into a branchpoint updates first, then the branch. Weights are not evaluated. | the checker, which joins them |
//! | 16a | All processes whose labels may name the channel take part, with one enabled edge each, and update in the order of the processes. Labels alone decide who they are: values of selects and parameters count one by one, an index that depends on the state may be any element, guards play no part. One participant in a committed location is enough; an urgent channel stops time when all participants are enabled. | `zonewalk_model::alphabet`, `transition.rs`, `delay.rs` |
//! | 16e | Names of locations in guards are refused. | `support.rs` |
//! | 17 | Results beyond 32 bits wrap, the integers of a clock bound included, whichever side they stand on; a shift by 32 or more and an integer to a negative power are run-time errors. `int` results and arguments of functions have the range of `int` variables. | `zonewalk_model::eval` |
//! | 17 | A run-time error in any transition that exists after some delay stops the analysis of the state, even if another transition would be taken. | `transition.rs` |
//! | 17a | `INT32_MIN % -1` is 0, `INT32_MIN / -1` is `INT32_MIN`; `<<` of a negative number is that of the mathematical product, wrapped; `>>` keeps the sign. | `zonewalk_model::eval::arithmetic` |
//! | 17b | `b = 5` stores 1. | `zonewalk_model::eval` |
//! | 18 | `meta` variables keep their values along a path. [`State`](crate::State) compares them: leaving them out is up to who compares states. | `fire.rs` |
//! | 19a | Default values: 0, or the smallest value of a range without 0; element 0 of a scalar set. | `zonewalk_model::eval` |
//! | 21a | The last parameter varies fastest; scalars count from 0. | `zonewalk_model::instance` |
//! | 21c | The real channel decides whether a synchronisation is urgent or a broadcast. | `delay.rs`, `transition.rs` |
//! | 28 | `deadlock` is answered in all models, those with priorities and clock-guarded receivers included. It respects urgency: a transition that time cannot reach does not count. | `predicate.rs` |
//!
//! A time that needs more than 127 bits above or below the line is an error ("time value too large"), never rounded.

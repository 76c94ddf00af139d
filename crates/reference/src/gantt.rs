//! The bars of `gantt` sections: in which states, and for which delays, each of them shows.

mod chart;

pub use chart::{Chart, ChartRow};

use crate::error::{Activity, Error};
use crate::interpreter::{Interpreter, State};
use crate::moment::{Instant, Moment};
use crate::window::Windows;
use zonewalk_model::eval::{Evaluator, Store};
use zonewalk_model::system::Value;
use zonewalk_model::tree::{Binder, Expr};
use zonewalk_numbers::rational::Rational;
use zonewalk_syntax::span::Span;

/// More bars are not drawn.
const MAX_BARS: usize = 10_000;

/// Values of bound names, and a frame that has them.
type Combination = (Vec<i32>, Vec<Value>);

/// A row, for one combination of values of its names.
#[derive(Clone, Debug)]
pub struct Row<'m> {
    /// Its title, with the values.
    pub name: String,
    /// The bars that are drawn.
    pub bars: Vec<Bar<'m>>,
}

/// A bar, for one combination of values of its names.
#[derive(Clone, Debug)]
pub struct Bar<'m> {
    condition: &'m Expr,
    color: &'m Expr,
    frame: Vec<Value>,
}

impl<'m> Interpreter<'m> {
    /// The rows of the model's `gantt` sections; none where they are more than ten thousand bars.
    ///
    /// # Errors
    /// A range that cannot be evaluated.
    pub fn gantt(&self) -> Result<Vec<Row<'m>>, Error> {
        let mut rows = Vec::new();
        let mut count = 0;
        for row in &self.model.gantt {
            for (values, frame) in self.combinations(&row.selects, Vec::new())? {
                let mut bars = Vec::new();
                for bar in &row.bars {
                    for (_, frame) in self.combinations(&bar.selects, frame.clone())? {
                        bars.push(Bar {
                            condition: &bar.condition,
                            color: &bar.color,
                            frame,
                        });
                        count += 1;
                        if count > MAX_BARS {
                            return Ok(Vec::new());
                        }
                    }
                }
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                rows.push(Row {
                    name: if values.is_empty() {
                        row.name.to_string()
                    } else {
                        format!("{}({})", row.name, values.join(","))
                    },
                    bars,
                });
            }
        }
        Ok(rows)
    }

    /// All values of bound names, the first one outermost, each with a frame that has them.
    fn combinations(&self, binders: &[Binder], frame: Vec<Value>) -> Result<Vec<Combination>, Error> {
        let mut all = vec![(Vec::new(), frame)];
        for binder in binders {
            let mut next = Vec::new();
            for (values, frame) in &all {
                let mut instant = Instant::new(Moment::NOW, &[], &[]);
                let mut evaluator = self.in_frame(&self.system.initial, &mut instant, frame);
                let domain = evaluator.domain(&binder.ty, Span::NONE);
                let domain = domain.map_err(|fault| self.fault(fault, Activity::Predicate, None))?;
                for value in domain.iter().take(MAX_BARS + 1 - next.len().min(MAX_BARS)) {
                    let (mut values, mut frame) = (values.clone(), frame.clone());
                    values.push(value);
                    let slot = binder.slot.index();
                    frame.resize((slot + 1).max(frame.len()), Value::Int(0));
                    frame[slot] = Value::Int(value);
                    next.push((values, frame));
                }
            }
            all = next;
        }
        Ok(all)
    }

    fn in_frame<'a>(
        &'a self,
        memory: &'a zonewalk_model::system::Memory,
        instant: &'a mut Instant<'_>,
        frame: &[Value],
    ) -> Evaluator<'a> {
        self.evaluator(Store::Shared(memory), instant, None)
            .with_frame(frame)
    }
}

impl Bar<'_> {
    /// The delays from 0 to `delay` for which it shows. Requires: `delay` is possible.
    ///
    /// # Errors
    /// A run-time error, or conflicting rates.
    pub fn shows(
        &self,
        interpreter: &Interpreter<'_>,
        state: &State,
        delay: Rational,
    ) -> Result<Windows, Error> {
        let flow = interpreter.flow(state)?;
        let during = Windows::up_to(delay);
        let windows = interpreter.filter(flow.view(), None, &self.frame, self.condition, &during);
        windows.map_err(|fault| interpreter.fault(fault, Activity::Predicate, None))
    }

    /// The number of its colour.
    ///
    /// # Errors
    /// A run-time error.
    pub fn color(&self, interpreter: &Interpreter<'_>, state: &State) -> Result<i32, Error> {
        let flow = interpreter.flow(state)?;
        let view = flow.view();
        let mut instant = Instant::new(Moment::NOW, view.clocks, view.locations);
        let color = interpreter
            .in_frame(view.memory, &mut instant, &self.frame)
            .int(self.color);
        color.map_err(|fault| interpreter.fault(fault, Activity::Predicate, None))
    }
}

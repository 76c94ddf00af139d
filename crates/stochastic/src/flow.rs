//! Clocks while time passes: linear where their rates are constant, integrated where these depend on clocks.
//!
//! The integrator is that of Dormand and Prince (J. Comp. Appl. Math. 6, 1980): order 5, with an error estimate of order 4 and the
//! dense output of Hairer, Nørsett and Wanner (Solving Ordinary Differential Equations I, II.6).

use crate::machine::{Machine, Ran};
use zonewalk_model::eval::FaultKind;

/// How all clocks go on from now, as long as nothing happens.
#[derive(Default)]
pub(crate) struct Flow {
    /// The values now.
    start: Vec<f64>,
    /// The rates, as far as they are constant; not a number for others.
    pub(crate) rates: Vec<f64>,
    /// The clocks whose rates depend on clocks.
    pub(crate) varying: Vec<Varying>,
    /// Integrated steps.
    steps: Vec<Step>,
    /// Coefficients of the dense output, five for each varying clock and step.
    dense: Vec<[f64; 5]>,
    /// Time up to which the flow is integrated.
    until: f64,
    /// The size of the next step.
    next: f64,
}

/// A clock whose rate depends on clocks, and the place of that rate.
#[derive(Clone, Debug)]
pub(crate) struct Varying {
    pub(crate) clock: usize,
    pub(crate) process: usize,
    pub(crate) setting: usize,
    /// The values of the names bound around it.
    pub(crate) values: Vec<i32>,
}

#[derive(Clone, Copy)]
struct Step {
    from: f64,
    size: f64,
}

const STAGES: usize = 7;
const NODES: [f64; STAGES] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const STAGE: [[f64; 6]; STAGES] = [
    [0.0; 6],
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
    ],
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];
const ERROR: [f64; STAGES] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
const DENSE: [f64; STAGES] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// Fraction of the allowed error that the integrator aims for.
const CAUTION: f64 = 1e-4;

/// Steps of one integration, at most.
const STEP_LIMIT: usize = 1_000_000;

impl Flow {
    /// Begins with the values that the clocks have. Requires: the rates are those of this state.
    pub(crate) fn begin(&mut self, machine: &Machine<'_>) {
        self.start.clear();
        let clocks = machine.plan.clocks.iter();
        self.start.extend(clocks.map(|cell| machine.double(*cell)));
        self.steps.clear();
        self.dense.clear();
        self.until = 0.0;
        self.next = machine.plan.options.discretization;
    }

    /// Whether some rate depends on clocks.
    pub(crate) fn is_integrated(&self) -> bool {
        !self.varying.is_empty()
    }

    /// Lets clocks that vary go on straight, with the rates that they have now. Requires: nothing is integrated yet.
    pub(crate) fn straighten(&mut self, machine: &mut Machine<'_>) -> Ran<()> {
        let values: Vec<f64> = self.varying.iter().map(|v| self.start[v.clock]).collect();
        let mut rates = vec![0.0; values.len()];
        self.derive(machine, 0.0, &values, &mut rates)?;
        for (varying, rate) in std::mem::take(&mut self.varying).iter().zip(rates) {
            self.rates[varying.clock] = rate;
        }
        Ok(())
    }

    /// Gives the clocks the values that they have after a time. Requires: it is integrated so far.
    pub(crate) fn set(&self, machine: &mut Machine<'_>, at: f64) {
        for (clock, cell) in machine.plan.clocks.iter().enumerate() {
            let rate = self.rates[clock];
            if !rate.is_nan() {
                machine.set_double(*cell, self.start[clock] + rate * at);
            }
        }
        for (i, varying) in self.varying.iter().enumerate() {
            let value = self.value(i, at);
            machine.set_double(machine.plan.clocks[varying.clock], value);
        }
    }

    /// The value of a varying clock, by its number among these.
    fn value(&self, index: usize, at: f64) -> f64 {
        let after = self.steps.partition_point(|step| step.from <= at);
        let Some(number) = after.checked_sub(1) else {
            return self.start[self.varying[index].clock];
        };
        let Step { from, size } = self.steps[number];
        let [r1, r2, r3, r4, r5] = self.dense[number * self.varying.len() + index];
        let a = (at - from) / size;
        let b = 1.0 - a;
        r1 + a * (r2 + b * (r3 + a * (r4 + b * r5)))
    }

    /// Instants between which nothing is expected to happen unseen, up to `reach`; the first is 0.
    /// Fine: also closer and closer to now, because something may have begun just now and be over soon.
    pub(crate) fn grid(&self, reach: f64, is_fine: bool, into: &mut Vec<f64>) {
        const PARTS: u32 = 4;
        const EVEN: u32 = 256;
        const CLOSER: i32 = 16;
        into.clear();
        into.push(0.0);
        if is_fine {
            let first = match self.steps.first() {
                Some(step) => step.size / f64::from(PARTS),
                None => reach / f64::from(EVEN),
            };
            let closer = (1..=CLOSER).rev().map(|i| libm::ldexp(first, -2 * i));
            into.extend(closer.filter(|t| *t < reach));
        }
        if !self.is_integrated() {
            into.extend((1..EVEN).map(|i| reach * f64::from(i) / f64::from(EVEN)));
        }
        for step in self.steps.iter().take_while(|step| step.from < reach) {
            let points = (0..PARTS).map(|i| step.from + step.size * f64::from(i) / f64::from(PARTS));
            into.extend(points.filter(|t| *t > 0.0 && *t < reach));
        }
        into.push(reach);
    }

    /// Integrates up to an instant, or a little further.
    pub(crate) fn extend(&mut self, machine: &mut Machine<'_>, reach: f64) -> Ran<()> {
        let n = self.varying.len();
        if n == 0 || self.until >= reach {
            return Ok(());
        }
        let mut now: Vec<f64> = (0..n).map(|i| self.value(i, self.until)).collect();
        if self.steps.last().is_some() {
            // The end of the last step, as its dense output has it.
            now = (0..n).map(|i| self.end_value(i)).collect();
        }
        let mut slopes = vec![vec![0.0; n]; STAGES];
        let mut stage = vec![0.0; n];
        self.derive(machine, self.until, &now, &mut slopes[0])?;
        while self.until < reach {
            if self.steps.len() >= STEP_LIMIT {
                return self.give_up(machine, "needs too many steps");
            }
            let size = self.next.min((reach - self.until).max(1e-12));
            for s in 1..STAGES {
                for i in 0..n {
                    let sum: f64 = (0..s).map(|j| STAGE[s][j] * slopes[j][i]).sum();
                    stage[i] = now[i] + size * sum;
                }
                let mut slope = std::mem::take(&mut slopes[s]);
                let derived = self.derive(machine, self.until + NODES[s] * size, &stage, &mut slope);
                slopes[s] = slope;
                derived?;
            }
            // The last stage is the value at the end of the step.
            let options = &machine.plan.options;
            let allowed = CAUTION * options.truncation_error.min(options.truncation_time_error * size);
            let error = (0..n)
                .map(|i| {
                    let error: f64 = (0..STAGES).map(|s| ERROR[s] * slopes[s][i]).sum();
                    (size * error).abs() / (allowed * stage[i].abs().max(1.0))
                })
                .fold(0.0, f64::max);
            if stage.iter().any(|y| !y.is_finite()) && size <= 1e-9 {
                return self.give_up(machine, "is not finite");
            }
            let is_good = error <= 1.0 || size <= 1e-9 * self.until.max(1.0);
            if is_good {
                for i in 0..n {
                    let change = stage[i] - now[i];
                    let bend = size * slopes[0][i] - change;
                    let dense: f64 = (0..STAGES).map(|s| DENSE[s] * slopes[s][i]).sum();
                    self.dense.push([
                        now[i],
                        change,
                        bend,
                        change - size * slopes[STAGES - 1][i] - bend,
                        size * dense,
                    ]);
                }
                self.steps.push(Step {
                    from: self.until,
                    size,
                });
                self.until += size;
                now.copy_from_slice(&stage);
                slopes.swap(0, STAGES - 1);
            }
            // The error that is allowed falls with the step, so that one order is lost.
            let factor = if error > 0.0 && error.is_finite() {
                (0.9 * libm::pow(error, -0.25)).clamp(0.2, 5.0)
            } else if error == 0.0 {
                5.0
            } else {
                0.2
            };
            self.next = size * factor;
        }
        self.set(machine, 0.0);
        Ok(())
    }

    fn end_value(&self, index: usize) -> f64 {
        let n = self.varying.len();
        let [r1, r2, ..] = self.dense[self.dense.len() - n + index];
        r1 + r2
    }

    /// The rates of the varying clocks.
    fn derive(&self, machine: &mut Machine<'_>, at: f64, values: &[f64], into: &mut [f64]) -> Ran<()> {
        let plan = machine.plan;
        for (clock, cell) in plan.clocks.iter().enumerate() {
            let rate = self.rates[clock];
            if !rate.is_nan() {
                machine.set_double(*cell, self.start[clock] + rate * at);
            }
        }
        for (varying, value) in self.varying.iter().zip(values) {
            machine.set_double(plan.clocks[varying.clock], *value);
        }
        for (varying, rate) in self.varying.iter().zip(into) {
            let location = machine.locations[varying.process] as usize;
            let setting = &plan.processes[varying.process].locations[location].rates[varying.setting];
            for (bound, value) in setting.values.iter().zip(&varying.values) {
                machine.set_int(bound.cell, *value);
            }
            *rate = machine.real(&setting.rate)?;
        }
        Ok(())
    }

    fn give_up(&self, machine: &mut Machine<'_>, what: &str) -> Ran<()> {
        let varying = &self.varying[0];
        let location = machine.locations[varying.process] as usize;
        let place = &machine.plan.processes[varying.process].locations[location];
        let span = place.rates[varying.setting].span;
        self.set(machine, 0.0);
        let message = format!("a differential equation whose solution {what}");
        Err(Box::new(FaultKind::NoNumber(message.into()).at(span)))
    }
}

//! Whether code may end with an error of the model, as far as constants tell.

use crate::code::cell::{Base, Cell, Context};
use crate::code::ids::ProcessId;
use crate::code::instr::{Array, Check, Instr, Range, Site};
use crate::network::Network;

impl Network {
    /// Whether some code may end with an error of the model. What fails with certain constants only is examined for all edge
    /// instances, those of other templates included, so that the answer may be yes although nothing fails.
    pub fn may_fail(&self) -> bool {
        let calls = |instr: &Instr| matches!(instr, Instr::Call { .. });
        self.program.code.iter().any(calls) || self.program.sites.iter().any(|site| self.may_fail_at(site))
    }

    fn may_fail_at(&self, site: &Site) -> bool {
        let Some(instr) = self.program.code.get(site.at.0 as usize) else {
            return true;
        };
        let array = |id: crate::code::instr::ArrayId| self.program.arrays.get(id.0 as usize);
        let fits = |array: &Array, index| {
            let last = i64::from(array.lo) + i64::from(array.len) - 1;
            self.is_always(index, |i| (i64::from(array.lo)..=last).contains(&i64::from(i)))
        };
        let is_safe = match (*instr, site.check) {
            (Instr::SetClock { value, .. }, Check::Clock) => self.is_always(value, |value| value >= 0),
            (
                Instr::Load { index, array: id, .. }
                | Instr::Store { index, array: id, .. }
                | Instr::CheckIndex { index, array: id }
                | Instr::ElementAddress { index, array: id, .. }
                | Instr::Advance { index, array: id, .. },
                Check::Index,
            ) => array(id).is_some_and(|array| fits(array, index)),
            (Instr::Store { from, array: id, .. }, Check::Value) => {
                array(id).is_some_and(|array| self.is_always(from, |value| array.range.contains(value)))
            }
            (Instr::CheckRange { a, range }, _) => {
                let range = self.program.ranges.get(range.0 as usize).copied();
                range.is_some_and(|range: Range| self.is_always(a, |value| range.contains(value)))
            }
            // Sums and products wrap, which is reported but not an error.
            (
                Instr::Add { .. }
                | Instr::Sub { .. }
                | Instr::Mul { .. }
                | Instr::Negate { .. }
                | Instr::Abs { .. },
                Check::Operation,
            ) => true,
            _ => false,
        };
        !is_safe
    }

    /// Whether a cell is constant, and all its values are as they should be.
    fn is_always(&self, cell: Cell, is_it: impl Fn(i32) -> bool) -> bool {
        let holds = |context: &Context| self.constant(cell, context).is_some_and(&is_it);
        match cell.base() {
            Base::Constant | Base::Absolute => holds(&self.global_context()),
            Base::Process => (0..self.processes.len() as u32).all(|p| holds(&self.context(ProcessId(p)))),
            Base::Instance => self.instances.iter().all(|i| holds(&self.instance_context(i))),
            Base::Local | Base::Meta | Base::Frame => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::NetworkBuilder;
    use zonewalk_model::{check, instance};
    use zonewalk_syntax::read::read_model;
    use zonewalk_syntax::source::SourceMap;

    fn may_fail(declarations: &str, update: &str) -> bool {
        let text = format!(
            "{declarations} process P(int[0,2] p) {{ state s; init s; trans s -> s {{ select i : int[0,2]; guard i >= 0; \
             assign {update}; }}; }} system P;"
        );
        let mut sources = SourceMap::new();
        let (document, _) = read_model("m.xta", text.as_bytes(), None, &mut sources);
        let (model, diagnostics) = check::check(sources, &document.expect("it parses"), &[]);
        let model = model.unwrap_or_else(|_| panic!("{diagnostics:?}"));
        let system = instance::instantiate(&model).expect("it has processes");
        NetworkBuilder::new(&model, &system)
            .expect("it compiles")
            .finish()
            .may_fail()
    }

    #[test]
    fn constants_tell_what_cannot_fail() {
        assert!(!may_fail("clock x;", "x = 0"));
        assert!(!may_fail("int[0,3] v;", "v = 2"));
        assert!(may_fail("int[0,3] v;", "v = v + 1"));
        assert!(may_fail("int v[2];", "v[p] = 1"), "p may be 2");
        assert!(may_fail("int[0,5] w; int v[3];", "v[w] = 1"));
        assert!(may_fail("int v;", "v = 1 / v"));
    }
}

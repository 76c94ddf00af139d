//! Wehrle and Kupferschmid, "Mcta: Heuristics and Search for Timed Systems", FORMATS 2012: tables 1 and 2, what the tool's web page says
//! of greedy search, and proofs.

mod measure;
mod paper;
mod render;
mod row;

use crate::config::{BenchConfig, BenchFormat};
use crate::output::Output;
use crate::status::Error;
use measure::{GREEDY, METHODS, Measured, Method, PROVERS, measure};
use paper::{Printed, TABLE_1, TOOLS, WEB_PAGE};
use render::{Aspect, Line, Sheet};
use row::{CORRECT, Source};
use serde_json::Value;
use std::collections::BTreeMap;
use zonewalk::Control;

/// The tables of the paper; the web page is 3, and proofs, which the paper only mentions, are 4.
pub(super) const NUMBERS: [u32; 4] = [1, 2, 3, 4];

/// Rows that are measured with `--quick`.
const QUICK: [&str; 8] = [
    "M_1",
    "N_1",
    "C_1",
    "C_4",
    "C_9",
    "D_1",
    "symrob-M3",
    "C_1-correct",
];

/// Measures tables row by row.
pub(super) fn run(
    config: &BenchConfig,
    numbers: &[u32],
    control: &Control,
    output: &mut Output,
) -> Result<Vec<Value>, Error> {
    let mut session = Session {
        config,
        control,
        output,
        known: BTreeMap::new(),
    };
    session.print(&render::legend(config.timeout))?;
    let mut documents = Vec::new();
    for number in NUMBERS.into_iter().filter(|number| numbers.contains(number)) {
        documents.push(match number {
            1 => session.snapshot()?,
            2 => session.full()?,
            3 => session.web_page()?,
            _ => session.proofs()?,
        });
    }
    Ok(documents)
}

/// Measurements under way.
struct Session<'a> {
    config: &'a BenchConfig,
    control: &'a Control,
    output: &'a mut Output,
    /// By row and method: tables have some of them in common.
    known: BTreeMap<(&'static str, &'static str), Measured>,
}

impl Session<'_> {
    fn print(&mut self, text: &str) -> Result<(), Error> {
        if self.config.format == BenchFormat::Md {
            self.output.result(text)?;
            self.output.flush()?;
        }
        Ok(())
    }

    fn sheet(&self, id: &'static str, title: &'static str, methods: &'static [Method]) -> Sheet {
        let wanted = methods
            .iter()
            .filter(|method| self.config.wants_column(method.name));
        Sheet {
            id,
            title,
            tools: TOOLS.to_vec(),
            has_one_length: true,
            methods: wanted.collect(),
        }
    }

    /// Table 1: the best seconds of rows of table 2.
    fn snapshot(&mut self) -> Result<Value, Error> {
        let sheet = self.sheet("mcta-1", "Table 1: best seconds to a shortest run", &METHODS);
        let mut columns = vec!["row"];
        columns.extend(TOOLS);
        columns.extend(["zonewalk", "model"]);
        self.print(&render::titles(sheet.title, &columns))?;
        let mut lines = Vec::new();
        for row in paper::rows().filter(|row| TABLE_1.contains(&row.name)) {
            let Some(line) = self.measure(&sheet, row.name, row.cells())? else {
                continue;
            };
            // The snapshot has the seconds in all.
            let theirs = row
                .seconds
                .map(|seconds| seconds.split('/').next().unwrap_or_default());
            let mut cells = theirs.map(str::to_owned).to_vec();
            cells.extend([render::best(&sheet, &line), line.source.describe()]);
            self.print(&render::row(line.name, &cells))?;
            lines.push(line);
        }
        self.print(&render::footer(&lines))?;
        Ok(sheet.document(&lines, self.config.timeout))
    }

    /// Table 2: all rows.
    fn full(&mut self) -> Result<Value, Error> {
        let sheet = self.sheet("mcta-2", "Table 2", &METHODS);
        let rows = paper::rows().map(|row| (row.name, row.cells()));
        self.fill(&sheet, rows, &[Aspect::Explored, Aspect::Length])
    }

    /// The web page: greedy search, and useless transitions.
    fn web_page(&mut self) -> Result<Value, Error> {
        let mut sheet = self.sheet("mcta-3", "Web page, C_8 and C_9 by greedy search", &GREEDY);
        sheet.tools = vec!["MCTA-0.1 greedy hL", "MCTA-0.1 useless hL"];
        sheet.has_one_length = false;
        let rows = WEB_PAGE.iter().map(|(name, cells)| (*name, cells.to_vec()));
        self.fill(&sheet, rows, &[Aspect::Explored, Aspect::Length])
    }

    /// Models without the error.
    fn proofs(&mut self) -> Result<Value, Error> {
        let mut sheet = self.sheet("mcta-4", "Proofs for correct models", &PROVERS);
        sheet.tools.clear();
        let rows = CORRECT.into_iter().map(|name| (name, Vec::new()));
        self.fill(&sheet, rows, &[Aspect::Explored])
    }

    /// Measures rows one after the other, and prints the seconds, then other aspects, and who has measured.
    fn fill(
        &mut self,
        sheet: &Sheet,
        rows: impl Iterator<Item = (&'static str, Vec<Printed>)>,
        aspects: &[Aspect],
    ) -> Result<Value, Error> {
        self.print(&sheet.header(Aspect::Seconds))?;
        let mut lines = Vec::new();
        for (name, printed) in rows {
            if let Some(line) = self.measure(sheet, name, printed)? {
                self.print(&sheet.line(&line, Aspect::Seconds))?;
                lines.push(line);
            }
        }
        for &aspect in aspects {
            let mut text = sheet.header(aspect);
            for line in &lines {
                text += &sheet.line(line, aspect);
            }
            self.print(&text)?;
        }
        self.print(&render::footer(&lines))?;
        Ok(sheet.document(&lines, self.config.timeout))
    }

    /// A row, unless it is not wanted.
    fn measure(
        &mut self,
        sheet: &Sheet,
        name: &'static str,
        printed: Vec<Printed>,
    ) -> Result<Option<Line>, Error> {
        let is_chosen = !self.config.quick || QUICK.contains(&name);
        if !is_chosen || !self.config.wants_row(name) || self.control.is_interrupted() {
            return Ok(None);
        }
        let Some(source) = Source::of(name, self.config.models.as_deref()) else {
            return Err(Error::new(format_args!("there is no model for {name}")));
        };
        let mut ours = Vec::new();
        for method in &sheet.methods {
            let key = (name, method.name);
            let is_there = !matches!(source, Source::Missing(_));
            if is_there && !self.known.contains_key(&key) && !self.control.is_interrupted() {
                let measured = measure(&source, method, self.config.timeout)?;
                // Ctrl-C ends the search that is under way, too: that is no measurement.
                if !self.control.is_interrupted() {
                    self.known.insert(key, measured);
                }
            }
            ours.push(self.known.get(&key).cloned());
        }
        Ok(Some(Line {
            name,
            source,
            printed,
            ours,
        }))
    }
}

//! Wehrle and Kupferschmid, "Mcta: Heuristics and Search for Timed Systems", FORMATS 2012: tables 1 and 2, what the tool's web page says
//! of greedy search, and proofs.

mod measure;
mod paper;
mod render;
mod row;

use super::results::Key;
use super::session::Session;
use crate::output::Error;
use measure::{GREEDY, METHODS, Method, PROVERS, measure};
use paper::{Printed, TABLE_1, TOOLS, WEB_PAGE};
use render::{Aspect, Line, Sheet};
use row::{CORRECT, Source};
use serde_json::Value;

/// The tables of the paper; the web page is 3, and proofs, which the paper only mentions, are 4.
pub(super) const NUMBERS: [u32; 4] = [1, 2, 3, 4];

/// Seconds for each cell, and with `--quick`.
const SECONDS: (u64, u64) = (60, 5);

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
pub(super) fn run(session: &mut Session<'_>, numbers: &[u32]) -> Result<Vec<Value>, Error> {
    session.print(&render::legend(session.config.time(SECONDS)))?;
    let mut tables = Tables { session };
    let mut documents = Vec::new();
    for number in NUMBERS.into_iter().filter(|number| numbers.contains(number)) {
        documents.push(match number {
            1 => tables.snapshot()?,
            2 => tables.full()?,
            3 => tables.web_page()?,
            _ => tables.proofs()?,
        });
    }
    Ok(documents)
}

/// Tables that have some of their cells in common.
struct Tables<'s, 'a> {
    session: &'s mut Session<'a>,
}

impl Tables<'_, '_> {
    fn sheet(&self, id: &'static str, title: &'static str, methods: &'static [Method]) -> Sheet {
        let wanted = methods
            .iter()
            .filter(|method| self.session.config.wants_column(method.name));
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
        self.session.print(&render::titles(sheet.title, &columns))?;
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
            self.session.print(&render::row(line.name, &cells))?;
            lines.push(line);
        }
        let places = self.session.places();
        self.session.print(&render::footer(&lines, &places))?;
        Ok(sheet.document(&lines, self.session.config.time(SECONDS), &places))
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
        self.session.print(&sheet.header(Aspect::Seconds))?;
        let mut lines = Vec::new();
        for (name, printed) in rows {
            if let Some(line) = self.measure(sheet, name, printed)? {
                self.session.print(&sheet.line(&line, Aspect::Seconds))?;
                lines.push(line);
            }
        }
        for &aspect in aspects {
            let mut text = sheet.header(aspect);
            for line in &lines {
                text += &sheet.line(line, aspect);
            }
            self.session.print(&text)?;
        }
        let places = self.session.places();
        self.session.print(&render::footer(&lines, &places))?;
        Ok(sheet.document(&lines, self.session.config.time(SECONDS), &places))
    }

    /// A row, unless it is not wanted.
    fn measure(
        &mut self,
        sheet: &Sheet,
        name: &'static str,
        printed: Vec<Printed>,
    ) -> Result<Option<Line>, Error> {
        let config = self.session.config;
        let is_chosen = !config.quick || QUICK.contains(&name);
        if !is_chosen || !config.wants_row(name) {
            return Ok(None);
        }
        let Some(source) = Source::of(name, config.models.as_deref(), |file| config.has(file)) else {
            return Err(Error::new(format_args!("there is no model for {name}")));
        };
        let mut ours = Vec::new();
        for method in &sheet.methods {
            if matches!(source, Source::Missing(_)) {
                ours.push(None);
                continue;
            }
            let whose = if source.is_own() { "own" } else { "published" };
            let key = Key {
                table: "mcta".to_owned(),
                row: name.to_owned(),
                column: method.name.to_owned(),
                settings: format!("{} s, {whose} model", config.time(SECONDS).as_secs_f64()),
            };
            let measured = self.session.cell(key, config.time(SECONDS), |_| {
                measure(&source, method, config.time(SECONDS))
            })?;
            ours.push(measured);
        }
        Ok(Some(Line {
            name,
            source,
            printed,
            ours,
        }))
    }
}

//! Wehrle and Kupferschmid, "Mcta: Heuristics and Search for Timed Systems", FORMATS 2012: tables 1 and 2, and what the tool's web page says
//! of greedy search.

mod measure;
mod paper;
mod render;
mod row;

use crate::config::{BenchConfig, BenchFormat};
use crate::output::Output;
use crate::status::Error;
use measure::{GREEDY, METHODS, Method, measure};
use paper::{TABLE_1, TOOLS, WEB_PAGE};
use render::{Aspect, Line, Printed, Sheet};
use row::Source;
use serde_json::Value;
use zonewalk::Control;

/// The tables of the paper, and the web page as 3.
pub(super) const NUMBERS: [u32; 3] = [1, 2, 3];

/// Rows that are measured with `--quick`.
const QUICK: [&str; 6] = ["M_1", "N_1", "C_1", "C_4", "C_9", "D_1"];

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
        measured: Vec::new(),
    };
    session.print(&render::legend(config.timeout))?;
    let mut documents = Vec::new();
    for number in NUMBERS.into_iter().filter(|number| numbers.contains(number)) {
        documents.push(match number {
            1 => session.snapshot()?,
            2 => session.full()?,
            _ => session.web_page()?,
        });
    }
    Ok(documents)
}

/// Measurements under way.
struct Session<'a> {
    config: &'a BenchConfig,
    control: &'a Control,
    output: &'a mut Output,
    /// Rows of table 2 that are known already: table 1 has some of them.
    measured: Vec<Line>,
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

    fn wants(&self, row: &str) -> bool {
        let is_chosen = !self.config.quick || QUICK.contains(&row);
        is_chosen && self.config.wants_row(row) && !self.control.is_interrupted()
    }

    /// Table 1: the best seconds of rows of table 2.
    fn snapshot(&mut self) -> Result<Value, Error> {
        let sheet = self.sheet("mcta-1", "Table 1: best seconds to a shortest run", &METHODS);
        let mut columns = vec!["row"];
        columns.extend(TOOLS);
        columns.extend(["zonewalk", "model"]);
        self.print(&render::titles(sheet.title, &columns))?;
        let mut lines = Vec::new();
        for row in TABLE_1 {
            let Some(line) = self.row(&sheet, row)? else {
                continue;
            };
            // The snapshot has the seconds in all.
            let mut cells: Vec<_> = line
                .printed
                .iter()
                .map(|cell| cell.seconds.split('/').next().unwrap_or_default().to_owned())
                .collect();
            cells.push(render::best(&sheet, &line));
            cells.push(line.source.describe());
            self.print(&render::row(line.name, &cells))?;
            lines.push(line);
        }
        self.print(&render::footer(&lines))?;
        Ok(sheet.document(&lines, self.config.timeout))
    }

    /// Table 2: all rows.
    fn full(&mut self) -> Result<Value, Error> {
        let sheet = self.sheet("mcta-2", "Table 2", &METHODS);
        self.print(&sheet.header(Aspect::Seconds))?;
        let mut lines = Vec::new();
        for printed in paper::rows() {
            let Some(line) = self.row(&sheet, printed.name)? else {
                continue;
            };
            self.print(&sheet.line(&line, Aspect::Seconds))?;
            lines.push(line);
        }
        self.end(&sheet, &lines)
    }

    /// The web page: greedy search, and useless transitions.
    fn web_page(&mut self) -> Result<Value, Error> {
        let mut sheet = self.sheet("mcta-3", "Web page, C_8 and C_9 by greedy search", &GREEDY);
        sheet.tools = vec!["MCTA-0.1 greedy hL", "MCTA-0.1 useless hL"];
        sheet.has_one_length = false;
        self.print(&sheet.header(Aspect::Seconds))?;
        let mut lines = Vec::new();
        for name in ["C_8", "C_9"] {
            if !self.wants(name) {
                continue;
            }
            let cells = WEB_PAGE.iter().filter(|(row, ..)| *row == name);
            let printed = cells.map(|&(_, _, explored, seconds, length)| Printed {
                seconds,
                explored,
                length,
            });
            let line = self.measure(&sheet, name, printed.collect())?;
            self.print(&sheet.line(&line, Aspect::Seconds))?;
            lines.push(line);
        }
        self.end(&sheet, &lines)
    }

    /// The counts below the seconds, and who has measured.
    fn end(&mut self, sheet: &Sheet, lines: &[Line]) -> Result<Value, Error> {
        for aspect in [Aspect::Explored, Aspect::Length] {
            let mut text = sheet.header(aspect);
            for line in lines {
                text += &sheet.line(line, aspect);
            }
            self.print(&text)?;
        }
        self.print(&render::footer(lines))?;
        Ok(sheet.document(lines, self.config.timeout))
    }

    /// A row of table 2, unless it is not wanted.
    fn row(&mut self, sheet: &Sheet, name: &'static str) -> Result<Option<Line>, Error> {
        if !self.wants(name) {
            return Ok(None);
        }
        if let Some(line) = self.measured.iter().find(|line| line.name == name) {
            return Ok(Some(line.clone()));
        }
        let Some(row) = paper::rows().find(|row| row.name == name) else {
            return Err(Error::new(format_args!("{name} is no row of table 2")));
        };
        let printed = row
            .seconds
            .into_iter()
            .zip(row.explored)
            .map(|(seconds, explored)| Printed {
                seconds,
                explored,
                length: if explored == "–" { "–" } else { row.length },
            });
        let line = self.measure(sheet, name, printed.collect())?;
        self.measured.push(line.clone());
        Ok(Some(line))
    }

    fn measure(&mut self, sheet: &Sheet, name: &'static str, printed: Vec<Printed>) -> Result<Line, Error> {
        let Some(source) = Source::of(name, self.config.models.as_deref()) else {
            return Err(Error::new(format_args!("there is no model for {name}")));
        };
        let mut ours = Vec::new();
        for method in &sheet.methods {
            let measured = match self.control.is_interrupted() {
                true => None,
                false => Some(measure(&source, method, self.config.timeout)?),
            };
            // Ctrl-C ends the search that is under way, too: that is no measurement.
            ours.push(measured.filter(|_| !self.control.is_interrupted()));
        }
        Ok(Line {
            name,
            source,
            printed,
            ours,
        })
    }
}

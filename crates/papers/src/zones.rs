//! The zone graph beside TChecker: TChecker's scalable examples in UPPAAL's language, explored completely.

use super::child;
use super::grid::{Grid, Number, beside, line};
use super::model::Effort;
use super::results::Key;
use super::session::Session;
use crate::output::Error;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;

/// There is one table.
pub(super) const NUMBERS: [u32; 1] = [1];

/// Figures of TChecker 0.8 for the same systems by `tck-reach -a covreach -s bfs`: states visited and stored, transitions,
/// processor seconds, MiB. Measured on a machine with two cores that others used, too: ± 20 %.
const TCHECKER: [(&str, [&str; 5]); 17] = [
    ("fischer8", ["40536", "25080", "132592", "1.225", "28"]),
    ("fischer9", ["135485", "81035", "487458", "5.698", "54"]),
    ("fischer10", ["447598", "260998", "1758660", "29.488", "141"]),
    ("fischer11", ["1464971", "837949", "6245074", "160.562", "423"]),
    ("csmacd9", ["55554", "55554", "127437", "2.274", "42"]),
    ("csmacd10", ["144898", "144898", "328381", "7.257", "78"]),
    ("csmacd11", ["369666", "369666", "827307", "23.590", "163"]),
    ("csmacd12", ["925698", "925698", "2045847", "89.873", "383"]),
    ("critical-region4", ["76130", "53697", "436444", "1.722", "36"]),
    ("critical-region5", ["", "", "", "> 28", "165"]),
    ("train_gate5", ["215375", "215375", "608275", "2.561", "70"]),
    ("train_gate6", ["", "", "", "> 55", "543"]),
    ("corsso3", ["64378", "61948", "242418", "0.956", "34"]),
    ("corsso4", ["", "", "", "> 40", "198"]),
    ("dining-philosophers8", ["", "", "", "> 55", "98"]),
    ("fddi10", ["10219", "525", "14052", "1.410", "78"]),
    ("fire-alarm10", ["1053", "1053", "5160", "0.048", "22"]),
];

/// Explores the systems one after the other.
pub(super) fn run(session: &mut Session<'_>) -> Result<Vec<Value>, Error> {
    let config = session.config;
    let effort = Effort::new(config, (1, 1), (60, 5));
    let grid = Grid {
        id: "zones-1".to_owned(),
        title: "The zone graph beside TChecker 0.8".to_owned(),
        lines: "model",
        columns: ["explored", "stored", "transitions", "processor s", "MiB"]
            .map(str::to_owned)
            .to_vec(),
    };
    session.print(&legend(&effort))?;
    session.print(&grid.header())?;
    let mut lines = Vec::new();
    for (name, printed) in TCHECKER.into_iter().filter(|(name, _)| config.wants_row(name)) {
        // The larger ones take minutes.
        let is_quick = printed[3].parse::<f64>().is_ok_and(|seconds| seconds < 10.0);
        if config.quick && !is_quick {
            continue;
        }
        let model = config
            .models
            .as_ref()
            .and_then(|models| file(models, name, |file| config.has(file)));
        let measured = match model {
            Some(file) => {
                let key = Key {
                    table: grid.id.clone(),
                    row: name.to_owned(),
                    column: String::new(),
                    settings: format!("{} s", effort.timeout.as_secs_f64()),
                };
                session
                    .cell(key, effort.timeout, |_| explore(&file, &effort))?
                    .ok_or("not run")
            }
            None => Err("no model"),
        };
        let numbers: [Number; 5] = match measured.and_then(|measured| measured.ok_or("time")) {
            Ok(measured) => measured.map(Number::exactly),
            Err(why) => std::array::from_fn(|_| Number::Missing(why.to_owned())),
        };
        let cells = beside(Some(&numbers), &printed);
        session.print(&line(name, &cells))?;
        lines.push((name.to_owned(), cells));
    }
    let places = session.places();
    session.print(&format!("\nOne thread. {places}.\n"))?;
    Ok(vec![grid.document(&lines, &effort, &places)])
}

fn legend(effort: &Effort) -> String {
    format!(
        "`zonewalk explore MODEL --search bfs` in a process of its own, loading included / TChecker by its covering search, breadth \
         first, on a machine of the same kind. MiB: the most memory of the whole process. time: not within {} s of the processor; no model: its file is not at hand; not run: it is not in the \
         results.\n",
        effort.timeout.as_secs_f64()
    )
}

fn file(models: &Path, name: &str, has: impl Fn(&Path) -> bool) -> Option<std::path::PathBuf> {
    let mut files = ["tchecker-twins", ""]
        .map(|folder| models.join(folder).join(format!("{name}.xta")))
        .into_iter();
    files.find(|file| has(file))
}

/// Explores a model; `None` if that takes too long.
fn explore(file: &Path, effort: &Effort) -> Result<Option<[f64; 5]>, Error> {
    let refuse = |why: &dyn std::fmt::Display| {
        Error::new(format_args!("{} cannot be explored: {why}", file.display()))
    };
    // Memory is that of a process, and what an earlier model needed must not count.
    let words = ["--search", "bfs", "--format", "json", "--quiet"].map(OsStr::new);
    let args = [OsStr::new("explore"), file.as_os_str()].into_iter().chain(words);
    let process = child::run(args, None, effort.timeout).map_err(|error| refuse(&error))?;
    if process.is_late {
        return Ok(None);
    }
    let document: Value =
        serde_json::from_slice(&process.output).map_err(|_| refuse(&process.errors.trim()))?;
    let result = &document["results"][0];
    if result["proof"] != true {
        return Ok(None);
    }
    let number = |value: &Value| value.as_f64();
    let stats = &result["stats"];
    let numbers = (|| {
        Some([
            number(&stats["states_explored"])?,
            number(&stats["states_stored"])?,
            number(&stats["transitions"])?,
            number(&result["cpu_s"])?,
            number(&result["peak_memory_bytes"])? / f64::from(1 << 20),
        ])
    })();
    numbers.map(Some).ok_or_else(|| refuse(&"it has no statistics"))
}

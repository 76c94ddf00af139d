//! The tables of all papers: their names, and the modules that measure them.

use crate::config::Paper;
use crate::output::Error;
use crate::session::Session;
use crate::{drs, fmics, highway, mcta, setta, smc, zones};
use serde_json::Value;

impl Paper {
    const ALL: [(Paper, &str); 7] = [
        (Paper::Fmics, "fmics"),
        (Paper::Drs, "drs"),
        (Paper::Highway, "highway"),
        (Paper::Setta, "setta"),
        (Paper::Mcta, "mcta"),
        (Paper::Zones, "zones"),
        (Paper::Smc, "smc"),
    ];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        Paper::ALL
            .iter()
            .find(|(paper, _)| *paper == self)
            .map_or("", |(_, name)| name)
    }

    fn numbers(self) -> Vec<u32> {
        match self {
            Paper::Fmics => fmics::numbers().collect(),
            Paper::Drs => drs::numbers().collect(),
            Paper::Highway => highway::NUMBERS.to_vec(),
            Paper::Setta => setta::numbers().collect(),
            Paper::Mcta => mcta::NUMBERS.to_vec(),
            Paper::Zones => zones::NUMBERS.to_vec(),
            Paper::Smc => smc::NUMBERS.to_vec(),
        }
    }
}

/// Name for the tables of all five papers.
const ALL: &str = "all";

/// The tables and figures that a name stands for: all of them, all of a paper, or one.
pub fn tables(name: &str) -> Option<Vec<(Paper, u32)>> {
    if name == ALL {
        let is_printed = |(paper, _): &(Paper, _)| !matches!(paper, Paper::Zones | Paper::Smc);
        let papers = Paper::ALL.into_iter().filter(is_printed);
        let tables =
            papers.flat_map(|(paper, _)| paper.numbers().into_iter().map(move |number| (paper, number)));
        return Some(tables.collect());
    }
    let (paper, rest) = Paper::ALL
        .into_iter()
        .find_map(|(paper, title)| Some((paper, name.strip_prefix(title)?)))?;
    let all = paper.numbers();
    let numbers = match rest {
        "" => all,
        _ => {
            let wanted = rest.strip_prefix('-')?;
            all.into_iter().filter(|n| n.to_string() == wanted).collect()
        }
    };
    (!numbers.is_empty()).then(|| numbers.into_iter().map(|number| (paper, number)).collect())
}

/// Goes through all tables that are wanted.
pub(crate) fn fill(session: &mut Session<'_>) -> Result<Vec<Value>, Error> {
    let mut documents = Vec::new();
    for (paper, _) in Paper::ALL {
        let wanted = session.config.tables.iter().filter(|(of, _)| *of == paper);
        let numbers: Vec<u32> = wanted.map(|(_, number)| *number).collect();
        if numbers.is_empty() {
            continue;
        }
        documents.extend(match paper {
            Paper::Fmics => fmics::run(session, &numbers)?,
            Paper::Drs => drs::run(session, &numbers)?,
            Paper::Highway => highway::run(session, &numbers)?,
            Paper::Setta => setta::run(session, &numbers)?,
            Paper::Mcta => mcta::run(session, &numbers)?,
            Paper::Zones => zones::run(session)?,
            Paper::Smc => smc::run(session, &numbers)?,
        });
    }
    Ok(documents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables() {
        assert_eq!(tables("drs-3"), Some(vec![(Paper::Drs, 3)]));
        assert_eq!(tables("fmics").map(|list| list.len()), Some(8));
        assert_eq!(tables("highway").map(|list| list.len()), Some(7));
        assert_eq!(tables("zones"), Some(vec![(Paper::Zones, 1)]));
        assert_eq!(tables("smc-2"), Some(vec![(Paper::Smc, 2)]));
        let setta = [1, 2, 3, 4, 5, 6, 10].map(|number| (Paper::Setta, number));
        assert_eq!(tables("setta"), Some(setta.to_vec()));
        let mcta = [1, 2, 3, 4].map(|number| (Paper::Mcta, number));
        assert_eq!(tables("mcta"), Some(mcta.to_vec()));
        assert_eq!(tables("setta-10"), Some(vec![(Paper::Setta, 10)]));
        assert_eq!(tables("all").map(|list| list.len()), Some(30));
        for wrong in ["drs-5", "fmic", "fmics9", "highway-", "setta-7"] {
            assert_eq!(tables(wrong), None, "{wrong}");
        }
    }
}

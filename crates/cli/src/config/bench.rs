//! Configuration of `zonewalk bench`.

use crate::args::{BenchArgs, BenchFormat};
use crate::status::Error;
use zonewalk_checker::Schedule;
use zonewalk_papers::{Config, Format, Paper, tables as tables_of};

/// The measurements that the arguments ask for.
pub(crate) fn config(args: BenchArgs) -> Result<Config, Error> {
    let mut tables = Vec::new();
    for name in &args.tables {
        match tables_of(name) {
            Some(of_name) => tables.extend(of_name),
            None => {
                return Err(Error::new(format_args!(
                    "unknown table `{name}`; all stands for every table; fmics, drs, highway, setta and mcta stand for all \
                     tables of a paper; the single ones are fmics-1, fmics-3 (a figure), fmics-4 to fmics-9, drs-1 to drs-4, \
                     highway-1 (the table), highway-2, -3, -4, -6, -7 and -8 (figures), setta-1 to setta-6, setta-10 (a \
                     figure), mcta-1, mcta-2, mcta-3 (a web page) and mcta-4 (proofs); zones is the zone graph compared \
                     with TChecker, smc-1 to smc-4 are statistical queries"
                )));
            }
        }
    }
    if tables.is_empty() {
        tables = tables_of("fmics").unwrap_or_default();
    }
    use Paper::{Fmics, Mcta, Setta};
    let has_columns = |paper: &Paper| matches!(paper, Fmics | Setta | Mcta);
    if !args.columns.is_empty() && tables.iter().any(|(paper, _)| !has_columns(paper)) {
        return Err(Error::new(
            "--column applies to the tables of fmics, setta and mcta; the others measure all columns of a row at once",
        ));
    }
    let is_new = !args.resume && !args.print;
    if let Some(results) = args.results.as_ref().filter(|file| is_new && file.exists()) {
        return Err(Error::new(format_args!(
            "{} already exists: --resume measures what is missing, --print shows what it contains",
            results.display()
        )));
    }
    if let Some(models) = args
        .models
        .as_ref()
        .filter(|models| !args.print && !models.is_dir())
    {
        return Err(Error::new(format_args!("{} is not a folder", models.display())));
    }
    if args.retry.is_some() && !tables.iter().any(|(paper, _)| *paper == Fmics) {
        return Err(Error::new("--retry is for the tables of fmics"));
    }
    let has_walks = |paper: &Paper| matches!(paper, Fmics | Setta);
    if args.schedule == Some(Schedule::Paper) && tables.iter().any(|(paper, _)| !has_walks(paper)) {
        return Err(Error::new(
            "--schedule applies to the walks of fmics and setta; the other tables have none",
        ));
    }
    Ok(Config {
        schedule: args.schedule,
        tables,
        quick: args.quick,
        models: args.models,
        format: args.format.into(),
        rows: args.rows,
        columns: args.columns,
        seeds: args.seeds.map(|seeds| u32::from(seeds).into()),
        timeout: args.timeout,
        retry: args.retry,
        svg: args.svg,
        results: args.results,
        prints_only: args.print,
        build: env!("ZONEWALK_BUILD"),
    })
}

impl From<BenchFormat> for Format {
    fn from(format: BenchFormat) -> Self {
        match format {
            BenchFormat::Md => Format::Md,
            BenchFormat::Text => Format::Text,
            BenchFormat::Json => Format::Json,
            BenchFormat::Csv => Format::Csv,
        }
    }
}

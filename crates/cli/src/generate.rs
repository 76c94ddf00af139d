//! `zonewalk generate`

use crate::config::GenerateConfig;
use crate::output::Output;
use crate::status::{Error, Status};
use crate::whole_file;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use zonewalk_families::{Family, all, generate, generate_project};

/// Writes a member of a family, or lists the families.
pub(crate) fn run(config: &GenerateConfig, output: &mut Output) -> Result<Status, Error> {
    match config {
        GenerateConfig::List => {
            let families: Vec<_> = all().map(describe).collect();
            output.text(&families.join("\n"))?;
        }
        GenerateConfig::Member {
            family,
            params,
            output: None,
        } => output.result(&generate(family, params).map_err(Error::new)?)?,
        GenerateConfig::Member {
            family,
            params,
            output: Some(file),
        } if file.extension().is_some_and(|extension| extension == "xml") => {
            whole_file::expect_writable("a model", file)?;
            let text = generate(family, params).map_err(Error::new)?;
            whole_file::write(file, |out| out.write_all(text.as_bytes()))
                .map_err(|error| Error::new(whole_file::failure("a model", file, &error)))?;
        }
        GenerateConfig::Member {
            family,
            params,
            output: Some(folder),
        } => {
            let files = generate_project(family, params).map_err(Error::new)?;
            write_project(folder, &files)?;
        }
    }
    output.flush()?;
    Ok(Status::Success)
}

/// Writes the files of a project into a folder, which must be new or empty: components that lie there already would belong to the
/// project as well.
fn write_project(folder: &Path, files: &[(String, String)]) -> Result<(), Error> {
    let complain =
        |path: &Path, error: &std::io::Error| Error::new(whole_file::failure("a project", path, error));
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Error::new(format_args!(
            "{} is not empty; give the name of a new folder",
            folder.display()
        )));
    }
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| complain(parent, &error))?;
        }
        whole_file::write(&path, |out| out.write_all(text.as_bytes()))
            .map_err(|error| complain(&path, &error))?;
    }
    Ok(())
}

/// A family and its parameters.
fn describe(family: &Family) -> String {
    let mut text = format!("{}\n    {}\n", family.name, family.summary);
    for param in family.params {
        let name = match param.name {
            "n" => "-n".to_owned(),
            name => format!("--param {name}"),
        };
        let values = if param.words.is_empty() {
            format!("{} to {}", param.min, param.max)
        } else {
            param.words.join(", ")
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "    {name}: {} ({values}) [{}]",
            param.summary,
            param.text(param.default)
        );
    }
    text
}

//! `zonewalk draw`

use crate::advice;
use crate::args::Format;
use crate::config::{DrawConfig, Picture};
use crate::document;
use crate::input;
use crate::load::Malformed;
use crate::output::Output;
use crate::refine;
use crate::status::{Error, Status};
use crate::whole_file;
use zonewalk_drawing::{Drawing, component, dot, svg, template};
use zonewalk_syntax::diagnostic::{Diagnostics, Severity};
use zonewalk_syntax::read::read_model;
use zonewalk_syntax::source::SourceMap;

/// Draws the automata of a model. Their text is all that is needed: a model with errors in names or types is drawn.
pub(crate) fn run(config: &DrawConfig, output: &mut Output) -> Result<Status, Error> {
    whole_file::expect_writable("the drawing", &config.file)?;
    let drawings = match all(config, output)? {
        Ok(drawings) => drawings,
        Err(malformed) => {
            document::refuse(Format::Text, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    let drawings = select(config, drawings)?;
    let text = match config.format {
        Picture::Svg => svg::sheet(&drawings),
        Picture::Dot => dot::file(&drawings),
    };
    whole_file::write(&config.file, |out| out.write_all(text.as_bytes()))
        .map_err(|error| Error::new(whole_file::failure("the drawing", &config.file, &error)))?;
    Ok(Status::Success)
}

fn all(config: &DrawConfig, output: &mut Output) -> Result<Result<Vec<Drawing>, Malformed>, Error> {
    let name = input::name(&config.model);
    if config.model.is_dir() {
        return Ok(refine::load(&config.model)?.map(|loaded| {
            if !config.quiet {
                for broken in &loaded.project.broken {
                    output.note(&format!("component `{}` has errors and is left out", broken.name));
                }
            }
            let components = loaded.project.components.iter();
            components
                .map(|one| component(one, &loaded.project.actions))
                .collect()
        }));
    }
    if input::is_explicit(&config.model) {
        return Err(Error::new(format_args!(
            "{name} is an explicit system, which has no automata to draw"
        )));
    }
    if let Some(why) = advice::of_name(&config.model) {
        return Err(Error::new(why));
    }
    let bytes = input::read(&config.model)?;
    let mut sources = SourceMap::new();
    let (document, diagnostics) = read_model(&name, &bytes, None, &mut sources);
    match document.filter(|_| !diagnostics.has_errors()) {
        Some(document) => Ok(Ok(document.templates.iter().map(template).collect())),
        None => {
            let mut errors = Diagnostics::new();
            let only = diagnostics.iter().filter(|d| d.severity == Severity::Error);
            only.for_each(|error| errors.push(error.clone()));
            Ok(Err(Malformed {
                name,
                sources,
                diagnostics: errors,
            }))
        }
    }
}

fn select(config: &DrawConfig, mut drawings: Vec<Drawing>) -> Result<Vec<Drawing>, Error> {
    let names: Vec<&str> = drawings.iter().map(|drawing| drawing.name.as_str()).collect();
    if names.is_empty() {
        let name = input::name(&config.model);
        return Err(Error::new(format_args!("{name} has no templates to draw")));
    }
    if let Some(unknown) = config
        .templates
        .iter()
        .find(|name| !names.contains(&name.as_str()))
    {
        return Err(Error::new(format_args!(
            "--template {unknown}: there is none of that name; there are {}",
            names.join(", ")
        )));
    }
    if !config.templates.is_empty() {
        drawings.retain(|drawing| config.templates.contains(&drawing.name));
    }
    Ok(drawings)
}

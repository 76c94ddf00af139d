//! `save-as`: a component that was made becomes a file of the project.

use crate::whole_file;
use std::path::{Path, PathBuf};
use zonewalk_tioa::write::component_json;
use zonewalk_tioa::{Component, Project, Query};

/// The name that a query saves by.
pub(crate) fn name(query: &Query) -> Option<&str> {
    match query {
        Query::GetComponent { save_as, .. } | Query::Prune { save_as, .. } => save_as.as_deref(),
        _ => None,
    }
}

/// Where a component of this name goes; known before a long run rather than after it.
///
/// # Errors
/// Why it cannot go there, with the remedy.
pub(crate) fn destination(
    folder: &Path,
    project: &Project,
    name: &str,
    force: bool,
) -> Result<PathBuf, String> {
    if !folder.is_dir() {
        return Err(format!(
            "`save-as {name}` needs a project that is a folder of JSON files; {} is not",
            folder.display()
        ));
    }
    let path = folder.join("Components").join(format!("{name}.json"));
    let shown = path.display();
    if path.exists() && !force {
        return Err(format!(
            "{shown} already exists; use --force to replace it, or save under another name"
        ));
    }
    let is_taken =
        project.component(name).is_some() || project.broken.iter().any(|broken| broken.name == name);
    if is_taken && !path.exists() {
        return Err(format!(
            "there is already a component `{name}`, in a file other than {shown}; save under another name"
        ));
    }
    match whole_file::expect_writable("the component", &path) {
        Ok(()) => Ok(path),
        Err(crate::status::Error::Message(message)) => Err(message),
        Err(crate::status::Error::BrokenPipe) => Err(format!("cannot write {shown}")),
    }
}

/// Writes a component whole or not at all, and lets later queries use it.
///
/// # Errors
/// Why it could not be written.
pub(crate) fn save(path: &Path, component: &Component, project: &mut Project) -> Result<(), String> {
    let text = component_json(component, &project.actions);
    whole_file::write(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| whole_file::failure("the component", path, &error))?;
    project.components.retain(|other| other.name != component.name);
    project.broken.retain(|other| other.name != component.name);
    project.components.push(component.clone());
    Ok(())
}

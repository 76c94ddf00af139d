//! `save-as`: later queries can use a component that was made, and with `--output` it becomes a file of a project.

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

/// The file that a component of this name goes to, if it goes to any; known before a long run rather than after it.
///
/// # Errors
/// Why it cannot go there, with the remedy.
pub(crate) fn destination(
    folder: Option<&Path>,
    project: &Project,
    name: &str,
    force: bool,
) -> Result<Option<PathBuf>, String> {
    let is_taken =
        project.component(name).is_some() || project.broken.iter().any(|broken| broken.name == name);
    let Some(folder) = folder else {
        return match is_taken && !force {
            true => Err(format!(
                "there is already a component `{name}`; use --force to replace it for later queries, or save under another name"
            )),
            false => Ok(None),
        };
    };
    let components = folder.join("Components");
    let path = components.join(format!("{name}.json"));
    let shown = path.display();
    if path.exists() && !force {
        return Err(format!(
            "{shown} already exists; use --force to replace it, or save under another name"
        ));
    }
    if is_taken && !path.exists() {
        return Err(format!(
            "there is already a component `{name}`, in a file other than {shown}; save under another name"
        ));
    }
    std::fs::create_dir_all(&components)
        .map_err(|error| format!("cannot make the folder {}: {error}", components.display()))?;
    match whole_file::expect_writable("the component", &path) {
        Ok(()) => Ok(Some(path)),
        Err(crate::status::Error::Message(message)) => Err(message),
        Err(crate::status::Error::BrokenPipe) => Err(format!("cannot write {shown}")),
    }
}

/// Writes a component whole or not at all, if it has a file, and lets later queries use it.
///
/// # Errors
/// Why it could not be written.
pub(crate) fn save(path: Option<&Path>, component: &Component, project: &mut Project) -> Result<(), String> {
    if let Some(path) = path {
        let text = component_json(component, &project.actions);
        whole_file::write(path, |out| out.write_all(text.as_bytes()))
            .map_err(|error| whole_file::failure("the component", path, &error))?;
    }
    project.components.retain(|other| other.name != component.name);
    project.broken.retain(|other| other.name != component.name);
    project.components.push(component.clone());
    Ok(())
}

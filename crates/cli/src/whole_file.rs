//! Files that are written whole or not at all.

use crate::status::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use zonewalk_checker::load::io_reason;

/// Writes a file under another name first: a run that ends half-way leaves the old file, or none.
pub(crate) fn write(path: &Path, render: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // What is not a file cannot be replaced by one: devices and pipes are written to.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        render(&mut out)?;
        return out.flush();
    }
    // A link stays one, and the file behind it is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let draft = draft(&path);
    let written = (|| {
        let mut out = BufWriter::new(File::options().write(true).create_new(true).open(&draft)?);
        render(&mut out)?;
        out.flush()?;
        // Who may read the old file may read the new one, and nobody else.
        if let Ok(old) = fs::metadata(&path) {
            out.get_ref().set_permissions(old.permissions())?;
        }
        out.get_ref().sync_all()?;
        fs::rename(&draft, &path)
    })();
    if written.is_err() {
        // It may never have come into being.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Message about a file that cannot be written.
pub(crate) fn failure(what: &str, path: &Path, error: &io::Error) -> String {
    format!("cannot write {what} to {}: {}", path.display(), io_reason(error))
}

/// Refuses a name for a file that cannot be written, before a long run rather than after it.
pub(crate) fn expect_writable(what: &str, path: &Path) -> Result<(), Error> {
    let complain = |why: &str| {
        Err(Error::new(format_args!(
            "cannot write {what} to {}: {why}",
            path.display()
        )))
    };
    if path.is_dir() {
        return complain("it is a folder; give the name of a file in it");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.exists() => complain(&format!(
            "there is no folder {}; create it first (mkdir -p)",
            folder.display()
        )),
        Some(folder) if !folder.is_dir() => complain(&format!("{} is not a folder", folder.display())),
        // Devices and pipes are there or not; whether a folder takes files is known when one is made.
        _ if path.exists() && !path.is_file() => Ok(()),
        _ => match File::options().write(true).create_new(true).open(draft(path)) {
            Ok(_) => {
                // It takes no room, and was not there before.
                let _ = fs::remove_file(draft(path));
                Ok(())
            }
            Err(error) => Err(Error::new(format_args!(
                "{}; choose another folder",
                failure(what, path, &error)
            ))),
        },
    }
}

/// The name under which a file is written first.
fn draft(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

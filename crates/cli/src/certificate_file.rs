//! Certificates in files.

use crate::output::Output;
use crate::status::Status;
use crate::trace_file;
use crate::whole_file;
use std::path::{Path, PathBuf};
use zonewalk_certificate::Header;
use zonewalk_checker::KeptCertificate;
use zonewalk_report::verdict::QueryResult;

/// Where the certificates of a run go.
pub(crate) struct CertificateFiles<'c> {
    path: &'c Path,
    /// Whether the names of files have numbers.
    is_numbered: bool,
    has_written: bool,
}

impl<'c> CertificateFiles<'c> {
    /// Files of this name, unless none can be written there, which is reported.
    pub(crate) fn new(
        path: Option<&'c Path>,
        is_numbered: bool,
        output: &mut Output,
    ) -> (Option<Self>, Status) {
        let Some(path) = path else {
            return (None, Status::Success);
        };
        match whole_file::expect_writable("the certificate", path) {
            Ok(()) => (
                Some(CertificateFiles {
                    path,
                    is_numbered,
                    has_written: false,
                }),
                Status::Success,
            ),
            Err(error) => (None, error.report(output)),
        }
    }

    /// Whether a certificate was written.
    pub(crate) fn has_written(&self) -> bool {
        self.has_written
    }

    /// Writes the certificate of an answer; returns what went wrong.
    pub(crate) fn write(
        &mut self,
        number: usize,
        kept: &KeptCertificate,
        (model, overrides): (&str, &[(String, String)]),
        result: &mut QueryResult,
    ) -> Option<String> {
        let path: PathBuf = if self.is_numbered {
            trace_file::numbered(self.path, number)
        } else {
            self.path.to_owned()
        };
        let header = Header {
            model: model_line(model, overrides),
            query: result.query.clone().unwrap_or_default(),
        };
        let is_compressed = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
        let written = kept.to_bytes(header, is_compressed).and_then(|bytes| {
            whole_file::write(&path, |out| out.write_all(&bytes))?;
            Ok(bytes.len())
        });
        match written {
            Ok(size) => {
                if let Some(info) = &mut result.certificate {
                    info.file = Some(path.display().to_string());
                    info.bytes = Some(size as u64);
                }
                self.has_written = true;
                None
            }
            Err(error) => Some(whole_file::failure("the certificate", &path, &error)),
        }
    }
}

/// `fischer.xml -D N=8`
pub(crate) fn model_line(model: &str, overrides: &[(String, String)]) -> String {
    let mut line = model.to_owned();
    for (name, value) in overrides {
        line.push_str(&format!(" -D {name}={value}"));
    }
    line
}

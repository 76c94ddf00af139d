//! Tells the command what it was built from. Without git, or outside a repository, it is told less.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut parts = Vec::new();
    if let Some(commit) = git(&["rev-parse", "--short=10", "HEAD"]) {
        // A commit changes one of these.
        for name in ["HEAD", "logs/HEAD"] {
            if let Some(path) = git(&["rev-parse", "--git-path", name]) {
                println!("cargo::rerun-if-changed={path}");
            }
        }
        parts.push(format!("commit {commit}"));
    }
    for name in ["TARGET", "PROFILE"] {
        parts.extend(std::env::var(name));
    }
    println!("cargo::rustc-env=ZONEWALK_BUILD={}", parts.join(", "));
}

/// The only line that git prints; `None` where there is no git or no repository.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}

//! Advice about the commonest mistakes, where the error itself has none.

use std::path::Path;
use zonewalk_checker::{Limit, Reason, Search};
use zonewalk_syntax::similar::distance;

/// Advice about a search that did not get to its end.
pub(crate) fn of_limit(reason: &Reason, search: &str) -> Option<&'static str> {
    // `auto` and other words that do not name a search take some steps by chance.
    let is_by_chance = search
        .parse()
        .map_or(true, |search: Search| search.info().is_by_chance);
    match reason.limit {
        Limit::Time if !is_by_chance => {
            Some("a longer --timeout or another --search (`zonewalk help searches`)")
        }
        Limit::Time => {
            Some("a longer --timeout, another --search or another --seed (`zonewalk help searches`)")
        }
        Limit::Memory => {
            Some("a larger --memory, or --search ret, which needs hardly any memory but proves nothing")
        }
        Limit::States => Some("a larger --max-states"),
        _ => None,
    }
}

/// Why a file is not a model, as far as its name tells.
pub(crate) fn of_name(path: &Path) -> Option<String> {
    let name = path.display();
    let extension = path.extension()?.to_string_lossy().to_lowercase();
    match extension.as_str() {
        "q" => Some(format!(
            "{name} is a query file; the model comes first: `zonewalk check MODEL {name}`"
        )),
        "json" => Some(format!(
            "{name} is not a model; for a trace, use `zonewalk replay MODEL {name}`"
        )),
        "xtr" | "txt" | "md" | "html" | "pdf" | "zip" | "gz" | "log" | "csv" | "png" => Some(format!(
            "{name} is not a model; zonewalk reads .xml, .xta and .ta"
        )),
        _ => None,
    }
}

/// Why a file that is there holds no queries; in one line, whatever it holds.
pub(crate) fn of_query_file(path: &Path, bytes: &[u8]) -> Option<String> {
    let is_model = |extension: &str| ["xml", "xta", "ta", "aut"].contains(&extension);
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let is_xml = bytes.trim_ascii_start().starts_with(b"<");
    (is_xml || is_model(&extension.to_lowercase())).then(|| {
        let name = path.display();
        format!("{name} is a model; expected a query file after the model, such as {QUERY_FILE}")
    })
}

/// Form of a file of queries.
const QUERY_FILE: &str = "queries.q with one query per line";

/// Whether something that is not a file is a formula.
pub(crate) fn is_formula(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let text = text.trim_start();
    ["E<>", "A[]", "E[]", "A<>", "sup", "inf", "bounds"]
        .iter()
        .any(|word| text.starts_with(word))
        || text.contains("-->")
}

/// Name that `check` has for an option of `verifyta`.
pub(crate) fn of_foreign_option(word: &str) -> Option<String> {
    let ours = match word {
        "-t" => Some("--trace some|shortest|fastest"),
        "-o" => Some("--search bfs|dfs|rdfs"),
        "-f" | "-X" => Some("--trace-file FILE.json"),
        "-r" => Some("--seed N"),
        "-n" => Some("--extrapolation none|m|lu|lu+"),
        "-s" => Some("--progress never"),
        "-u" => Some("--format json"),
        "-A" | "-C" | "-H" | "-S" | "-T" | "-U" | "-Z" | "-e" | "-y" => None,
        _ => return None,
    };
    let here = ours.map(|option| format!("; here, use {option}"));
    Some(format!(
        "{word} is a verifyta option; `zonewalk verifyta` accepts it{}",
        here.unwrap_or_default()
    ))
}

/// A file beside one that is not there, with nearly the same name.
pub(crate) fn nearby(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let near = names
        .map(|name| (distance(wanted, &name), name))
        .filter(|(distance, _)| *distance <= 2)
        .min()?;
    Some(path.with_file_name(near.1).display().to_string())
}

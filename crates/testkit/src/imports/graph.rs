//! The top modules of a crate, and which imports from which.

use super::reader::{Named, Use, paths};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The root of a crate is a module like the others, as far as others use what it defines.
const ROOT: &str = "lib";

/// The top modules of one crate.
pub(crate) struct Modules {
    /// All imports from one to another, with their place.
    imports: Vec<(String, String, String)>,
}

impl Modules {
    /// Reads the folder `src` of a crate.
    pub(crate) fn read(src: &Path) -> Modules {
        let mut files = Vec::new();
        for path in crate::files(src, &["rs"]) {
            let text = std::fs::read_to_string(&path).unwrap();
            let module = module(path.strip_prefix(src).unwrap());
            let place = path.strip_prefix(src).unwrap().display().to_string();
            // A module of unit tests may import anything.
            if !module.iter().any(|part| part == "tests") {
                files.push((module, place, paths(&text)));
            }
        }
        Modules::new(&files)
    }

    /// Modules of files: the path of each as a module, its place for messages, and the paths that it names.
    fn new(files: &[(Vec<String>, String, Vec<Named>)]) -> Modules {
        let top: BTreeSet<&str> = files
            .iter()
            .filter_map(|(m, ..)| Some(m.first()?.as_str()))
            .collect();
        let mut exported: BTreeMap<&str, &str> = BTreeMap::new();
        for (_, _, named) in files.iter().filter(|(module, ..)| module.is_empty()) {
            for named in named.iter().filter(|named| named.how != Use::Mention) {
                let mut path = named.path.iter().map(String::as_str);
                let first = path.find(|part| !matches!(*part, "self" | "crate"));
                if let Some(module) = first.and_then(|first| top.get(first)) {
                    exported.insert(&named.name, module);
                }
            }
        }
        let mut imports = Vec::new();
        for (module, place, named) in files {
            let from = module.first().map_or(ROOT, String::as_str);
            for named in named {
                let Some(path) = from_root(module, &named.path, &top) else {
                    continue;
                };
                let Some(first) = path.first().map(String::as_str) else {
                    continue;
                };
                let to = top.get(first).or(exported.get(first)).copied().unwrap_or(ROOT);
                // The root does not need what it passes on.
                if to != from && !(from == ROOT && named.how == Use::Export) {
                    imports.push((from.to_owned(), to.to_owned(), format!("{place}:{}", named.line)));
                }
            }
        }
        Modules { imports }
    }

    pub(crate) fn imports(&self) -> &[(String, String, String)] {
        &self.imports
    }

    /// The modules that reach themselves, in the order of the alphabet.
    pub(crate) fn circles(&self) -> Vec<&str> {
        let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (from, to, _) in &self.imports {
            next.entry(from).or_default().push(to);
        }
        let reached = |from: &str| {
            let mut seen = BTreeSet::new();
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                let new = next.get(at).into_iter().flatten();
                open.extend(new.copied().filter(|to| seen.insert(*to)));
            }
            seen.contains(from)
        };
        next.keys().copied().filter(|from| reached(from)).collect()
    }
}

/// The path of a file as a module.
fn module(file: &Path) -> Vec<String> {
    let file = file.with_extension("");
    let mut parts: Vec<_> = file
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    parts.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
    parts
}

/// A path as seen from the root; none if it leads out of the crate, or is one from a module on.
fn from_root(module: &[String], path: &[String], top: &BTreeSet<&str>) -> Option<Vec<String>> {
    let mut base = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => module.to_vec(),
        first if module.is_empty() && top.contains(first) => Vec::new(),
        _ => return None,
    };
    let named = path.iter().skip_while(|part| {
        if *part == "super" {
            base.pop();
        }
        matches!(part.as_str(), "crate" | "self" | "super")
    });
    let named: Vec<_> = named.cloned().collect();
    base.extend(named);
    Some(base)
}

#[cfg(test)]
mod tests {
    use super::{Modules, module};
    use crate::imports::reader::paths;
    use std::path::Path;

    fn circles(files: &[(&str, &str)]) -> String {
        let files = files.iter();
        let files: Vec<_> = files
            .map(|(file, text)| (module(Path::new(file)), (*file).to_owned(), paths(text)))
            .collect();
        let modules = Modules::new(&files);
        modules.circles().join(" ")
    }

    #[test]
    fn a_circle_is_found_through_any_form_of_import() {
        let a = ("a.rs", "use crate::{x::Y, b::{c::D, e}};");
        assert_eq!(
            circles(&[a, ("b/c.rs", "use super::super::a::F;"), ("x.rs", "")]),
            "a b"
        );
        assert_eq!(circles(&[a, ("b/mod.rs", "fn f() -> crate::a::F {}")]), "a b");
        assert_eq!(
            circles(&[a, ("b.rs", "use super::x;"), ("x.rs", "use super::a;")]),
            "a b x"
        );
        assert_eq!(
            circles(&[a, ("b.rs", "use std::a; mod c;"), ("b/c.rs", "use super::a;")]),
            ""
        );
    }

    #[test]
    fn what_the_root_exports_belongs_to_its_module() {
        let files = |user| {
            [
                ("lib.rs", "mod a; pub use a::B as C;"),
                ("a.rs", "use crate::d;"),
                ("d.rs", user),
            ]
        };
        assert_eq!(circles(&files("use crate::C;")), "a d");
        assert_eq!(circles(&files("use crate::E;")), "");
    }

    #[test]
    fn the_root_takes_part_by_what_it_defines() {
        let root = ("lib.rs", "mod a; pub struct B; fn c() { a::d() }");
        assert_eq!(circles(&[root, ("a.rs", "use crate::B;")]), "a lib");
        assert_eq!(circles(&[root, ("a.rs", "fn d() {}")]), "");
    }
}

//! The sources of the workspace's libraries, and what the names in them stand for.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use syn::{Attribute, Item, UseTree};

/// A module by its crate and its path inside of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Module {
    pub(crate) library: String,
    pub(crate) path: Vec<String>,
}

impl Module {
    fn child(&self, name: &str) -> Module {
        let mut path = self.path.clone();
        path.push(name.to_owned());
        Module {
            library: self.library.clone(),
            path,
        }
    }
}

/// Meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Module(Module),
    /// An item of a module.
    Item(Module, String),
}

/// All libraries.
#[derive(Default)]
pub(crate) struct Workspace {
    pub(crate) modules: BTreeMap<Module, Vec<Item>>,
}

impl Workspace {
    /// Reads the libraries of the packages in a folder.
    pub(crate) fn new(folder: &Path) -> Workspace {
        let mut workspace = Workspace::default();
        for entry in fs::read_dir(folder).unwrap() {
            let folder = entry.unwrap().path();
            let root = folder.join("src/lib.rs");
            if !root.exists() {
                continue;
            }
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let name = manifest.lines().find_map(|line| line.strip_prefix("name = "));
            let library = name.unwrap().trim_matches('"').replace('-', "_");
            let module = Module {
                library,
                path: Vec::new(),
            };
            workspace.read(module, &root, &folder.join("src"));
        }
        workspace
    }

    /// A library of one text.
    pub(crate) fn add_text(&mut self, library: &str, text: &str) {
        let module = Module {
            library: library.to_owned(),
            path: Vec::new(),
        };
        let items = syn::parse_file(text).unwrap().items;
        self.add(module, items, None);
    }

    /// A module in a file; those inside of it are in a folder.
    fn read(&mut self, module: Module, file: &Path, folder: &Path) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let items = syn::parse_file(&text).unwrap().items;
        self.add(module, items, Some(folder));
    }

    fn add(&mut self, module: Module, items: Vec<Item>, folder: Option<&Path>) {
        for item in &items {
            let Item::Mod(inner) = item else { continue };
            if is_for_tests(&inner.attrs) {
                continue;
            }
            let name = inner.ident.to_string();
            let child = module.child(&name);
            match (&inner.content, folder) {
                (Some((_, items)), _) => {
                    let folder = folder.map(|folder| folder.join(&name));
                    self.add(child, items.clone(), folder.as_deref());
                }
                (None, Some(folder)) => {
                    let beside = folder.join(format!("{name}.rs"));
                    let inside = folder.join(&name);
                    let file = if beside.exists() {
                        beside
                    } else {
                        inside.join("mod.rs")
                    };
                    self.read(child, &file, &inside);
                }
                (None, None) => {}
            }
        }
        self.modules.insert(module, items);
    }

    /// Resolves a path in a module; `None` outside the workspace.
    pub(crate) fn resolve(&self, module: &Module, path: &[String]) -> Option<Meaning> {
        let (first, rest) = path.split_first()?;
        let parent = || {
            let mut path = module.path.clone();
            path.pop();
            Module {
                path,
                ..module.clone()
            }
        };
        let start = match first.as_str() {
            "crate" => Meaning::Module(Module {
                path: Vec::new(),
                ..module.clone()
            }),
            "self" => Meaning::Module(module.clone()),
            "super" => Meaning::Module(parent()),
            name => self.named(module, name, 0).or_else(|| {
                let root = Module {
                    library: name.to_owned(),
                    path: Vec::new(),
                };
                self.modules.contains_key(&root).then_some(Meaning::Module(root))
            })?,
        };
        rest.iter().try_fold(start, |meaning, name| match meaning {
            Meaning::Module(module) if name == "super" => {
                let mut path = module.path.clone();
                path.pop();
                Some(Meaning::Module(Module { path, ..module }))
            }
            Meaning::Module(module) => self.named(&module, name, 0),
            Meaning::Item(..) => None,
        })
    }

    /// Resolves a name in a module.
    fn named(&self, module: &Module, name: &str, depth: usize) -> Option<Meaning> {
        assert!(depth < 50, "{name} is re-exported in a circle");
        let child = module.child(name);
        if self.modules.contains_key(&child) {
            return Some(Meaning::Module(child));
        }
        let items = self.modules.get(module)?;
        if items
            .iter()
            .any(|item| ident(item).is_some_and(|own| own == name))
        {
            return Some(Meaning::Item(module.clone(), name.to_owned()));
        }
        for item in items {
            let Item::Use(import) = item else { continue };
            for (path, alias) in leaves(&import.tree) {
                if alias == name && path.last().map(String::as_str) != Some("*") {
                    let is_itself = path.len() == 1 && path[0] == name;
                    if is_itself {
                        continue;
                    }
                    return self.resolve(module, &path);
                }
            }
        }
        // A macro may declare it.
        let is_declared = items.iter().any(|item| match item {
            Item::Macro(call) => call.ident.is_none() && call.mac.tokens.to_string().contains(name),
            _ => false,
        });
        let declares = |item: &Item| matches!(item, Item::Macro(call) if call.ident.is_some() && call.mac.tokens.to_string().contains(&format!("enum {name}")));
        (is_declared || items.iter().any(declares)).then(|| Meaning::Item(module.clone(), name.to_owned()))
    }
}

/// The paths that a `use` names, each with the name that it gets; the name of a glob is `*`.
pub(crate) fn leaves(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    let prefixed = |name: String, inner: Vec<(Vec<String>, String)>| {
        let with = |(path, alias): (Vec<String>, String)| {
            let is_self = path.len() == 1 && path[0] == "self";
            let alias = if is_self && alias == "self" {
                name.clone()
            } else {
                alias
            };
            let rest = if is_self { Vec::new() } else { path };
            (std::iter::once(name.clone()).chain(rest).collect(), alias)
        };
        inner.into_iter().map(with).collect()
    };
    match tree {
        UseTree::Path(path) => prefixed(path.ident.to_string(), leaves(&path.tree)),
        UseTree::Name(name) => vec![(vec![name.ident.to_string()], name.ident.to_string())],
        UseTree::Rename(name) => vec![(vec![name.ident.to_string()], name.rename.to_string())],
        UseTree::Glob(_) => vec![(vec!["*".to_owned()], "*".to_owned())],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// The name that an item declares.
pub(crate) fn ident(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(ident.to_string())
}

pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = quote::ToTokens::to_token_stream(attribute).to_string();
        text.contains("cfg (test)") || text.contains("cfg (doctest)")
    })
}

pub(crate) fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        quote::ToTokens::to_token_stream(attribute)
            .to_string()
            .contains("doc (hidden)")
    })
}

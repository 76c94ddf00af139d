//! The public items of a library, a line each.

use crate::library::{Meaning, Module, Workspace, ident, is_for_tests, is_hidden, leaves};
use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Type, Visibility};

/// Adds a line for each public item of a library and for each of its fields, variants, methods and traits. Modules that are
/// left out are only named.
pub(crate) fn list(workspace: &Workspace, library: &str, without: &[&str], lines: &mut Vec<String>) {
    let root = Module {
        library: library.to_owned(),
        path: Vec::new(),
    };
    list_module(workspace, &root, library, without, lines);
}

fn list_module(
    workspace: &Workspace,
    module: &Module,
    name: &str,
    without: &[&str],
    lines: &mut Vec<String>,
) {
    lines.push(format!("mod {name}"));
    let Some(items) = workspace.modules.get(module) else {
        panic!("{module:?} is not in the workspace");
    };
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    for item in items {
        let (attributes, visibility) = head(item);
        if !matches!(visibility, Some(Visibility::Public(_)))
            || is_hidden(attributes)
            || is_for_tests(attributes)
        {
            continue;
        }
        if let Item::Use(import) = item {
            for (path, alias) in leaves(&import.tree) {
                let mut own = Vec::new();
                let full = format!("{name}::{alias}");
                if path.last().map(String::as_str) == Some("*") {
                    panic!("{name} re-exports everything of {path:?}: name the items");
                }
                match workspace.resolve(module, &path) {
                    Some(Meaning::Module(_)) if without.contains(&alias.as_str()) => {
                        own.push(format!("mod {full}: see there"));
                    }
                    Some(Meaning::Module(inner)) => list_module(workspace, &inner, &full, &[], &mut own),
                    Some(Meaning::Item(home, item)) => list_item(workspace, &home, &item, &full, &mut own),
                    None => own.push(format!("{full} = {}", path.join("::"))),
                }
                parts.push((alias, own));
            }
            continue;
        }
        let Some(own_name) = ident(item).or_else(|| match item {
            Item::Mod(inner) => Some(inner.ident.to_string()),
            _ => None,
        }) else {
            continue;
        };
        let mut own = Vec::new();
        let full = format!("{name}::{own_name}");
        match item {
            Item::Mod(_) => {
                let mut path = module.path.clone();
                path.push(own_name.clone());
                let inner = Module {
                    path,
                    ..module.clone()
                };
                list_module(workspace, &inner, &full, &[], &mut own);
            }
            _ => list_item(workspace, module, &own_name, &full, &mut own),
        }
        parts.push((own_name, own));
    }
    parts.sort();
    lines.extend(parts.into_iter().flat_map(|(_, own)| own));
}

/// An item under the name that the library gives it.
fn list_item(workspace: &Workspace, home: &Module, name: &str, full: &str, lines: &mut Vec<String>) {
    let items = &workspace.modules[home];
    let found = items
        .iter()
        .find(|item| ident(item).is_some_and(|own| own == name));
    let found = found.filter(|item| !matches!(item, Item::Macro(_)));
    match found {
        Some(item) => describe(item, full, lines),
        None => {
            // Declared by a macro: its whole call is what there is.
            for item in items {
                if let Item::Macro(call) = item
                    && call.ident.is_none()
                {
                    lines.push(format!(
                        "{full} by {}",
                        shown(&without_docs(&call.mac.tokens.to_string()))
                    ));
                }
            }
        }
    }
    let mut own = Vec::new();
    for (module, items) in workspace
        .modules
        .iter()
        .filter(|(module, _)| module.library == home.library)
    {
        for item in items {
            let Item::Impl(block) = item else { continue };
            let Type::Path(ty) = &*block.self_ty else { continue };
            let path: Vec<String> = ty.path.segments.iter().map(|s| s.ident.to_string()).collect();
            if is_for_tests(&block.attrs)
                || workspace.resolve(module, &path) != Some(Meaning::Item(home.clone(), name.to_owned()))
            {
                continue;
            }
            match &block.trait_ {
                Some((path, _)) => own.push(format!("  impl {}", tokens(path))),
                None => methods(&block.items, &mut own),
            }
        }
    }
    own.sort();
    own.dedup();
    lines.extend(own);
}

fn methods(items: &[ImplItem], lines: &mut Vec<String>) {
    for item in items {
        match item {
            ImplItem::Fn(method) if is_public(&method.vis) && !is_hidden(&method.attrs) => {
                lines.push(format!("  {}", tokens(&method.sig)));
            }
            ImplItem::Const(constant) if is_public(&constant.vis) => {
                lines.push(format!("  const {}: {}", constant.ident, tokens(&constant.ty)));
            }
            _ => {}
        }
    }
}

fn describe(item: &Item, full: &str, lines: &mut Vec<String>) {
    match item {
        Item::Struct(item) => {
            let (marks, generics) = (marks(&item.attrs), tokens(&item.generics));
            lines.push(format!("{marks}struct {full}{generics}"));
            fields(&item.fields, true, lines);
        }
        Item::Enum(item) => {
            lines.push(format!(
                "{}enum {full}{}",
                marks(&item.attrs),
                tokens(&item.generics)
            ));
            for variant in &item.variants {
                lines.push(format!("  {}{}", marks(&variant.attrs), variant.ident));
                let mut inner = Vec::new();
                fields(&variant.fields, false, &mut inner);
                lines.extend(inner.into_iter().map(|line| format!("  {line}")));
            }
        }
        Item::Fn(item) => {
            let own = format!("fn {}", item.sig.ident);
            lines.push(tokens(&item.sig).replacen(&own, &format!("fn {full}"), 1));
        }
        Item::Trait(item) => {
            let bounds = tokens(&item.supertraits);
            lines.push(format!("trait {full}{}: {bounds}", tokens(&item.generics)));
            for member in &item.items {
                match member {
                    TraitItem::Fn(method) => {
                        let given = if method.default.is_some() {
                            " (provided)"
                        } else {
                            ""
                        };
                        lines.push(format!("  {}{given}", tokens(&method.sig)));
                    }
                    TraitItem::Type(ty) => lines.push(format!(
                        "  type {}{}: {}",
                        ty.ident,
                        tokens(&ty.generics),
                        tokens(&ty.bounds)
                    )),
                    TraitItem::Const(constant) => {
                        lines.push(format!("  const {}: {}", constant.ident, tokens(&constant.ty)));
                    }
                    _ => {}
                }
            }
        }
        Item::Const(item) => lines.push(format!("const {full}: {}", tokens(&item.ty))),
        Item::Static(item) => lines.push(format!("static {full}: {}", tokens(&item.ty))),
        Item::Type(item) => lines.push(format!(
            "type {full}{} = {}",
            tokens(&item.generics),
            tokens(&item.ty)
        )),
        _ => lines.push(format!("item {full}")),
    }
}

/// Fields; of a structure the public ones, and whether there are others.
fn fields(fields: &Fields, of_struct: bool, lines: &mut Vec<String>) {
    let mut is_partly_private = false;
    for (index, field) in fields.iter().enumerate() {
        if of_struct && !is_public(&field.vis) {
            is_partly_private = true;
            continue;
        }
        let name = field
            .ident
            .as_ref()
            .map_or(index.to_string(), ToString::to_string);
        lines.push(format!("  {name}: {}", tokens(&field.ty)));
    }
    if is_partly_private {
        lines.push("  private fields".to_owned());
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Attributes that users of a type rely on besides its fields.
fn marks(attributes: &[Attribute]) -> String {
    let kept = attributes.iter().map(tokens).filter(|text| {
        ["#[derive", "#[non_exhaustive", "#[must_use", "#[default"]
            .iter()
            .any(|start| text.starts_with(start))
    });
    kept.map(|text| text + " ").collect()
}

fn head(item: &Item) -> (&[Attribute], Option<&Visibility>) {
    match item {
        Item::Const(item) => (&item.attrs, Some(&item.vis)),
        Item::Enum(item) => (&item.attrs, Some(&item.vis)),
        Item::Fn(item) => (&item.attrs, Some(&item.vis)),
        Item::Mod(item) => (&item.attrs, Some(&item.vis)),
        Item::Static(item) => (&item.attrs, Some(&item.vis)),
        Item::Struct(item) => (&item.attrs, Some(&item.vis)),
        Item::Trait(item) => (&item.attrs, Some(&item.vis)),
        Item::Type(item) => (&item.attrs, Some(&item.vis)),
        Item::Use(item) => (&item.attrs, Some(&item.vis)),
        _ => (&[], None),
    }
}

fn tokens(part: &impl ToTokens) -> String {
    shown(&part.to_token_stream().to_string())
}

/// Tokens as people write them, nearly.
fn shown(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let closer = [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" < ", "<"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("> (", ">("),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (" :", ":"),
        ("& ", "&"),
        ("# [", "#["),
        (" ]", "]"),
        ("[ ", "["),
        (" ;", ";"),
        (" !", "!"),
        ("' ", "'"),
    ];
    for (wide, narrow) in closer {
        text = text.replace(wide, narrow);
    }
    text.replace("->", "-> ")
        .replace("->  ", "-> ")
        .replace("- >", "->")
}

/// The tokens of a macro call without the documentation in them.
fn without_docs(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("# [doc") {
        kept.push_str(&rest[..start]);
        rest = rest[start..]
            .find("\"]")
            .map_or("", |end| &rest[start + end + 2..]);
    }
    kept + rest
}

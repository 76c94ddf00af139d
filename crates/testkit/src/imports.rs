//! Layers inside crates: the top modules of a crate, with an edge from each to those that it imports from, have no circle.
//!
//! The compiler sees to it that crates have none. Within a crate it allows them, and then no module can be read before the others.

mod graph;
mod reader;

use graph::Modules;

#[test]
fn modules_of_a_crate_import_each_other_one_way() {
    let (mut imports, mut wrong) = (0, Vec::new());
    for folder in std::fs::read_dir(crate::root().join("crates")).unwrap() {
        let folder = folder.unwrap().path();
        let modules = Modules::read(&folder.join("src"));
        imports += modules.imports().len();
        let circles = modules.circles();
        if !circles.is_empty() {
            let between = modules
                .imports()
                .iter()
                .filter(|(from, to, _)| [from, to].iter().all(|module| circles.contains(&module.as_str())));
            let between = between.map(|(from, to, at)| format!("\n    {from} imports {to}: {at}"));
            let name = folder.file_name().unwrap().display();
            wrong.push(format!(
                "{name}: `{}` import each other{}",
                circles.join(" "),
                between.collect::<String>()
            ));
        }
    }
    assert!(imports > 500, "{imports}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

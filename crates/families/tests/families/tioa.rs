//! Families of timed I/O automata: what is written as a project of ECDAR.

use serde_json::Value;

/// The files of a member, each by its path; `params` as in `n=3 v=2`.
fn project(family: &str, params: &str) -> Vec<(String, Value)> {
    let params: Vec<_> = params
        .split_whitespace()
        .map(|param| param.split_once('=').unwrap())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let files = zonewalk_families::generate_project(family, &params).unwrap();
    files
        .into_iter()
        .map(|(path, text)| (path, serde_json::from_str(&text).unwrap()))
        .collect()
}

fn file<'a>(project: &'a [(String, Value)], path: &str) -> &'a Value {
    &project.iter().find(|(known, _)| known == path).unwrap().1
}

/// Locations and edges of a component.
fn size(project: &[(String, Value)], name: &str) -> (usize, usize) {
    let component = file(project, &format!("Components/{name}.json"));
    assert_eq!(component["name"], name);
    let count = |list: &str| component[list].as_array().unwrap().len();
    (count("locations"), count("edges"))
}

/// The initial location of a component.
fn initial(project: &[(String, Value)], name: &str) -> String {
    let component = file(project, &format!("Components/{name}.json"));
    let locations = component["locations"].as_array().unwrap().iter();
    let initial: Vec<_> = locations.filter(|l| l["type"] == "INITIAL").collect();
    assert_eq!(initial.len(), 1);
    initial[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn milner_has_a_component_for_each_node() {
    let project = project("milner-tioa", "n=4 d=5 v=2");
    assert_eq!(project.len(), 3 + 5);
    for node in 0..4 {
        assert_eq!(size(&project, &format!("N{node}")), (4, 8));
    }
    assert_eq!(initial(&project, "N0"), "Both");
    assert_eq!(initial(&project, "N1"), "Idle");
    assert_eq!(size(&project, "Spec"), (1, 8));
    // 2 % of 150.
    let spec = file(&project, "Components/Spec.json");
    assert_eq!(spec["locations"][0]["invariant"], "z <= 147");
    let queries = file(&project, "Queries.json");
    assert_eq!(queries[0]["query"], "refinement: N0 || N1 || N2 || N3 <= Spec");
    let system = &file(&project, "SystemDeclarations.json")["declarations"];
    let system = system.as_str().unwrap();
    assert!(system.contains("system N0, N1, N2, N3, Spec;"), "{system}");
    assert!(system.contains("IO N3 { rec0!, rec3?, w3! }"), "{system}");
}

/// The constants of the authors' own file: 61, 301 and 601 less for 100, 500 and 1000 nodes.
#[test]
fn percents_are_rounded_up() {
    for (n, bound) in [
        (100, 101 * 30 - 61),
        (500, 501 * 30 - 301),
        (1000, 1001 * 30 - 601),
    ] {
        let project = project("milner-tioa", &format!("n={n} v=2"));
        let spec = file(&project, "Components/Spec.json");
        assert_eq!(spec["locations"][0]["invariant"], format!("z <= {bound}"));
    }
}

#[test]
fn leader_election_has_a_location_for_each_recorded_priority() {
    let project = project("leader-tioa", "n=5");
    // Priorities are 0, 2, 4, 1 and 3. Each location takes five inputs, and says or declares something but for the last.
    for (node, priority) in [(0, 0), (1, 2), (2, 4), (3, 1), (4, 3)] {
        let runs = 5 - priority;
        let silent = priority;
        let edges = runs * 6 + 6 + 5 + silent;
        assert_eq!(size(&project, &format!("N{node}")), (runs + 2, edges));
        assert_eq!(initial(&project, &format!("N{node}")), format!("Run{priority}"));
    }
    // All of send in both locations, the right leader, and four others that are known and never come.
    assert_eq!(size(&project, "Spec"), (2, 25 + 25 + 1 + 4));
}

#[test]
fn mutants_differ_where_they_should() {
    let invariant = |params: &str, name: &str| {
        let project = project("leader-tioa", params);
        let component = file(&project, &format!("Components/{name}.json"));
        component["locations"][0]["invariant"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(invariant("mutant=m1", "N0"), "x <= 4");
    assert_eq!(invariant("mutant=m1", "N1"), "x <= 2");
    assert_eq!(invariant("mutant=m1 mutants=all", "N1"), "x <= 4");
    // Who records nothing, or its own id of 0, has one location to run in.
    assert_eq!(size(&project("leader-tioa", "mutant=m3"), "N0").0, 3);
    assert_eq!(size(&project("leader-tioa", "mutant=m4"), "N0").0, 3);
    // Node 4 has priority 3 and records 4, its id.
    assert_eq!(size(&project("leader-tioa", "mutant=m4 mutants=all"), "N4").0, 4);
    // Who sends its own priority sends nothing else.
    let mutated = project("leader-tioa", "mutant=m2");
    let edges = file(&mutated, "Components/N0.json")["edges"].as_array().unwrap();
    let sent = edges
        .iter()
        .filter(|edge| edge["status"] == "OUTPUT" && edge["guard"] != "false");
    let mut sent: Vec<_> = sent.map(|edge| edge["sync"].as_str().unwrap()).collect();
    sent.dedup();
    assert_eq!(sent, ["send0_0", "leader0"]);
}

#[test]
fn networks_are_no_projects() {
    let error = zonewalk_families::generate_project("fischer", &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`fischer` is a network of timed automata: write it to a file, such as fischer.xml; ECDAR projects are milner-tioa, leader-tioa"
    );
}

#[test]
fn large_projects_are_written_at_once() {
    for family in zonewalk_families::tioa() {
        let start = std::time::Instant::now();
        let files = project(family.name, &format!("n={}", family.params[0].max));
        assert!(files.len() > 20);
        assert!(
            start.elapsed() < std::time::Duration::from_secs(10),
            "{}",
            family.name
        );
    }
}

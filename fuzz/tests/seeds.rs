//! Every seed passes through its target, on a stable toolchain and without libFuzzer.

use std::path::Path;

fn seeds(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let seed = std::fs::read(&path).unwrap();
        println!("{}", path.display());
        run(&seed);
        // Damaged, too: without its end, and with a byte changed here and there.
        run(&seed[..seed.len() / 2]);
        for at in (0..seed.len()).step_by(seed.len() / 16 + 1) {
            let mut damaged = seed.clone();
            damaged[at] ^= 0x15;
            run(&damaged);
        }
        count += 1;
    }
    assert!(count > 0, "no seeds in {}", folder.display());
}

#[test]
fn aut() {
    seeds("aut", zonewalk_fuzz::aut::run);
}

#[test]
fn certificate() {
    seeds("certificate", zonewalk_fuzz::certificate::run);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/certificate");
    let accepted = std::fs::read_dir(folder).unwrap().filter(|entry| {
        let seed = std::fs::read(entry.as_ref().unwrap().path()).unwrap();
        zonewalk_fuzz::certificate::accepts(&seed)
    });
    assert!(
        accepted.count() >= 6,
        "few seeds are certificates that the judge accepts"
    );
}

#[test]
fn expression() {
    seeds("expression", zonewalk_fuzz::expression::run);
}

#[test]
fn front() {
    seeds("front", zonewalk_fuzz::front::run);
}

#[test]
fn store() {
    seeds("store", zonewalk_fuzz::store::run);
}

#[test]
fn tioa() {
    seeds("tioa", zonewalk_fuzz::tioa::run);
}

#[test]
fn tioa_query() {
    seeds("tioa_query", zonewalk_fuzz::tioa_query::run);
}

#[test]
fn verdict() {
    seeds("verdict", zonewalk_fuzz::verdict::run);
}

#[test]
fn xml() {
    seeds("xml", zonewalk_fuzz::xml::run);
}

/// A target without a test here would not run its seeds.
#[test]
fn every_target_has_seeds_and_a_test() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = include_str!("seeds.rs");
    for entry in std::fs::read_dir(manifest.join("fuzz_targets")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(manifest.join("seeds").join(name).is_dir(), "no seeds for {name}");
        assert!(here.contains(&format!("seeds({name:?}")), "no test for {name}");
    }
}

//! Errors shown for invalid requests.

use insta::assert_snapshot;
use zonewalk_families::{Error, generate};

fn request(family: &str, params: &str) -> Result<String, Error> {
    let params = params
        .split_whitespace()
        .filter_map(|param| param.split_once('='));
    let params: Vec<_> = params.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    generate(family, &params)
}

#[test]
fn messages() {
    let mut messages = String::new();
    for (family, params) in [
        ("fisher", ""),
        ("train", ""),
        ("CSMA_CD", ""),
        ("philosophers", ""),
        ("", ""),
        ("fischer", "bugy=1"),
        ("train-gate", "k=1"),
        ("train-gate", "n=3 n=4"),
        ("fischer", "n=1"),
        ("fischer", "n=many"),
        ("fischer", "n=99999999999999999999"),
        ("leader-election", "variant=ring"),
        ("leader-election", "variant=2"),
        ("milner", "d=30"),
        ("milner", "n=2 slack=91"),
        ("csma-cd", "lambda=51"),
        ("swp", "n=3 numbers=3"),
        ("plc-mutex", "requests=4"),
        ("plc-mutex", "n=3 spread=500"),
        ("plc-track", "cycle=4 short=9"),
        ("arbiter-tree", "short=8"),
        ("diamond", "n=4 number=5"),
        ("scc", "number=6"),
        ("milner-tioa", "deadline=4"),
        ("leader-tioa", "n=3 v=7"),
    ] {
        let error = request(family, params).unwrap_err();
        messages += &format!("{family} {params}\n    {error}\n");
    }
    assert_snapshot!(messages);
}

#[test]
fn long_names_are_not_compared() {
    let error = request(&"x".repeat(1_000_000), "").unwrap_err();
    assert!(matches!(error, Error::UnknownFamily { similar: None, .. }));
}

#[test]
fn words_are_numbers() {
    let member = |style: &str| request("gossip", &format!("style={style}")).unwrap();
    assert_eq!(member("board"), member("1"));
    assert_ne!(member("board"), member("calls"));
}

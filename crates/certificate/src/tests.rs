use crate::{
    Certificate, Claim, Columns, Constraint, End, Header, Interval, LARGEST_BOUND, Node, compress, text_of,
};
use proptest::prelude::*;
use zonewalk_model::ids::{ClockId, LocationId, ProcessId};
use zonewalk_testkit::{Loaded, xta};

/// Names that are hard to take apart: signs in arguments, a location called `end`, indices that do not begin at 0.
fn model() -> Loaded {
    xta("typedef struct { bool b; int[0,3] n; } S;
        int[-2,9] a[int[1,2]]; S s; clock x; meta int m; const int k = 3;
        process P(const int[-1,0] i) { clock y; int[0,5] v;
            state idle, end; init idle; trans idle -> end { guard y >= 3; assign v = 1; }; }
        system P;")
}

fn columns(loaded: &Loaded) -> Columns {
    Columns::of(&loaded.model, &loaded.system).unwrap()
}

fn node() -> Node {
    let clock = |i| Some(ClockId(i));
    let constraint = |left, right, bound, strict| Constraint {
        left,
        right,
        bound,
        strict,
    };
    Node {
        locations: vec![LocationId(1), LocationId(0)],
        values: vec![Some(-2), None, Some(1), None, Some(5), Some(0)],
        constraints: vec![
            constraint(clock(1), None, 7, false),
            constraint(None, clock(0), -3, true),
            constraint(clock(1), clock(2), -1, true),
        ],
        depth: None,
        rank: Some(4),
    }
}

fn certificate(nodes: Vec<Node>) -> Certificate {
    let header = Header {
        model: "m.xta".into(),
        query: "A[] not P(-1).end".into(),
    };
    Certificate {
        header,
        claim: Claim::Unreachable,
        nodes,
    }
}

fn text(certificate: &Certificate, columns: &Columns) -> String {
    String::from_utf8(certificate.to_text(columns).unwrap()).unwrap()
}

const TEXT: &str = "\
zonewalk-certificate 1
model m.xta
query A[] not P(-1).end
claim unreachable
processes P(-1) P(0)
clocks x P(-1).y P(0).y
variables a[1] a[2] s.b s.n P(-1).v P(0).v
end idle | -2 * 1 * 5 0 | P(-1).y<=7 x>3 P(-1).y-P(0).y<-1 | rank 4
end 1
";

#[test]
fn the_text_of_a_certificate() {
    let loaded = model();
    let columns = columns(&loaded);
    let certificate = certificate(vec![node()]);
    assert_eq!(text(&certificate, &columns), TEXT);
    assert_eq!(Certificate::read(TEXT.as_bytes(), &columns), Ok(certificate));
    assert!(
        TEXT.lines()
            .nth(crate::FIRST_NODE_LINE - 1)
            .unwrap()
            .starts_with("end idle |")
    );
}

#[test]
fn columns_have_the_values_of_memories() {
    let loaded = model();
    let columns = columns(&loaded);
    assert_eq!(columns.values(&loaded.system.initial), vec![Some(0); 6]);
    assert_eq!(columns.location(ProcessId(1), LocationId(1)), Some("end"));
    assert_eq!(columns.location(ProcessId(1), LocationId(2)), None);
    assert_eq!(columns.clock(columns.time()), Some("#time"));
    let domains: Vec<(i32, i32)> = columns.cells.iter().map(|c| (c.domain.lo, c.domain.hi)).collect();
    assert_eq!(domains, [(-2, 9), (-2, 9), (0, 1), (0, 3), (0, 5), (0, 5)]);
}

/// Every mistake has its place.
#[test]
fn mistakes_are_named_with_their_places() {
    let loaded = model();
    let columns = columns(&loaded);
    let told = |from: &str, to: &str| {
        assert!(TEXT.contains(from), "{from}");
        Certificate::read(TEXT.replacen(from, to, 1).as_bytes(), &columns)
            .unwrap_err()
            .to_string()
    };
    let mistakes = [
        ("zonewalk-certificate 1", "zonewalk-certificate 2"),
        ("zonewalk-certificate 1", "<nta>"),
        ("claim unreachable", "claim safe"),
        ("clocks x", "clock x"),
        ("P(-1) P(0)", "P(-1) P(1)"),
        ("a[1] a[2]", "a[2]"),
        ("P(-1).v P(0).v", "P(-1).v P(0).v P(0).w"),
        ("P(-1).v P(0).v", "P(-1).v"),
        ("end idle |", "end |"),
        ("end idle |", "end nowhere |"),
        ("end idle |", "end idle idle |"),
        ("-2 *", "-3 *"),
        ("-2 *", "? *"),
        ("5 0 |", "5 |"),
        ("5 0 |", "5 0 0 |"),
        ("<=7", "<=7.5"),
        ("<=7", "=7"),
        ("<=7", "<=99999999999999"),
        ("x>3", "z>3"),
        ("x>3", "x-z>3"),
        ("rank 4", "rank"),
        ("rank 4", "rank 4 | rank 4"),
        ("rank 4", "colour 4"),
        ("end 1\n", ""),
        ("end 1\n", "end 2\n"),
        ("end 1\n", "end\n"),
        ("end 1\n", "end 1\n\nmore\n"),
    ];
    let all: Vec<String> = mistakes
        .iter()
        .map(|(from, to)| format!("{to:?}: {}", told(from, to)))
        .collect();
    insta::assert_snapshot!(all.join("\n"));
    let not_text = Certificate::read(b"zonewalk-certificate 1\n\xff", &columns).unwrap_err();
    assert_eq!(not_text.to_string(), "line 2: this is not UTF-8 text");
}

#[test]
fn claims_are_read_as_they_are_written() {
    let end = |at, strict| Some(End { at, strict });
    let interval = |lower, upper| Interval { lower, upper };
    let values = vec![
        vec![
            interval(end(0, false), end(3, false)),
            interval(end(5, true), end(8, true)),
        ],
        vec![],
        vec![interval(None, None)],
    ];
    let shown = "values [0,3]+(5,8) none (-inf,inf)";
    assert_eq!(Claim::Values(values).to_string(), shown);
    let claims = [
        "unreachable",
        "error-free",
        "inevitable",
        "explored",
        "steps 3",
        "time >=12",
        "time >12",
        shown,
    ];
    for claim in claims {
        assert_eq!(Claim::parse(claim).map(|c| c.to_string()), Some(claim.to_owned()));
    }
    for claim in [
        "",
        "unreachable 3",
        "steps",
        "steps -1",
        "time 3",
        "values [1",
        "values 1,2",
        "time >=99999999999999",
    ] {
        assert_eq!(Claim::parse(claim), None, "{claim}");
    }
}

#[test]
fn sorting_makes_equal_proofs_equal() {
    let (mut turned, mut other) = (node(), node());
    turned.constraints.reverse();
    other.locations.reverse();
    let (mut a, mut b) = (
        certificate(vec![node(), other.clone()]),
        certificate(vec![other, turned, node()]),
    );
    a.sort();
    b.sort();
    assert_eq!(a, b);
    assert_eq!(a.nodes.len(), 2);
}

#[test]
fn compressed_files_are_those_of_gzip() {
    let compressed = compress(b"zonewalk\n");
    // What `gzip -n` says of the same text: its checksum and length.
    assert_eq!(
        compressed[compressed.len() - 8..],
        [0x2c, 0x83, 0x86, 0xe6, 9, 0, 0, 0]
    );
    assert_eq!(text_of(&compressed, 9).unwrap(), &b"zonewalk\n"[..]);
    assert!(
        text_of(&compressed, 8)
            .unwrap_err()
            .message
            .contains("more than 8 bytes")
    );
    assert!(text_of(b"zonewalk\n", 8).is_err());
    let mut damaged = compressed.clone();
    damaged[12] ^= 1;
    assert!(text_of(&damaged, 100).is_err());
    for end in 2..compressed.len() {
        assert!(text_of(&compressed[..end], 100).is_err(), "{end}");
    }
    // With a file name, as `gzip` writes it where it is given one.
    let mut named = compressed[..3].to_vec();
    named.push(8);
    named.extend(&compressed[4..10]);
    named.extend(b"name\0");
    named.extend(&compressed[10..]);
    assert_eq!(text_of(&named, 9).unwrap(), &b"zonewalk\n"[..]);
}

fn any_node() -> impl Strategy<Value = Node> {
    let clock = prop::option::of((0..4u32).prop_map(ClockId));
    let constraint = (
        clock.clone(),
        clock,
        -LARGEST_BOUND..=LARGEST_BOUND,
        any::<bool>(),
    );
    let constraint = constraint.prop_map(|(left, right, bound, strict)| Constraint {
        left,
        right,
        bound,
        strict,
    });
    let number = prop::option::of(any::<u32>());
    let values = (
        prop::option::of(-2..10),
        prop::option::of(0..2),
        prop::option::of(0..6),
    );
    (
        values,
        prop::collection::vec(constraint, 0..5),
        number.clone(),
        number,
        0..2u32,
    )
        .prop_map(|((a, b, v), constraints, depth, rank, location)| Node {
            locations: vec![LocationId(location), LocationId(1 - location)],
            values: vec![a, None, b, b, v, v],
            constraints,
            depth,
            rank,
        })
}

proptest! {
    #[test]
    fn what_is_written_is_read(nodes in prop::collection::vec(any_node(), 0..5)) {
        let loaded = model();
        let columns = columns(&loaded);
        let certificate = certificate(nodes);
        let text = certificate.to_text(&columns).unwrap();
        prop_assert_eq!(Certificate::read(&text, &columns).unwrap(), certificate);
        let compressed = compress(&text);
        prop_assert_eq!(text_of(&compressed, text.len()).unwrap(), text);
    }

    /// Bytes are refused or read, and what is read is written again.
    #[test]
    fn damaged_files_do_no_harm(at in 0..TEXT.len(), bytes in prop::collection::vec(any::<u8>(), 0..6), skip in 0..9usize) {
        let loaded = model();
        let columns = columns(&loaded);
        let rest = &TEXT.as_bytes()[(at + skip).min(TEXT.len())..];
        let damaged = [&TEXT.as_bytes()[..at], &bytes, rest].concat();
        if let Ok(read) = Certificate::read(&damaged, &columns) {
            let again = Certificate::read(&read.to_text(&columns).unwrap(), &columns);
            prop_assert_eq!(again.map(|c| c.nodes), Ok(read.nodes));
        }
        let _ = text_of(&damaged, 1000);
    }
}

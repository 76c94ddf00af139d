//! `zonewalk serve`, as a browser and as strangers meet it.

mod client;

use crate::command::zonewalk;
use client::{Reply, Served};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const BROKEN: &str = "models/fischer-broken.xml";

#[test]
fn bad_usage() {
    let run = zonewalk(&["serve", "-"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("cannot come from standard input"),
        "{}",
        run.stderr
    );
    let run = zonewalk(&["serve", "models/vending.aut"]);
    assert_eq!(run.status, 2);
    let run = zonewalk(&["serve", "models/no-such.xml"]);
    assert_eq!(run.status, 2);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let run = zonewalk(&["serve", BROKEN, "--port", &port]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains(&format!("port {port}")), "{}", run.stderr);
}

#[test]
fn only_those_who_know_the_token_are_let_in() {
    let served = Served::start(&[BROKEN]);
    // The page and all else need it, in the one place that is meant for it.
    for (path, headers) in [
        ("/", ""),
        ("/?token=", ""),
        ("/?token=0123456789abcdef0123456789abcdef0123456789abcdef", ""),
        ("/api/run", ""),
        ("/api/run", "Authorization: Bearer wrong\r\n"),
        (&format!("/api/run?token={}", served.token), ""),
        ("/nothing", ""),
    ] {
        let reply = served.raw("GET", path, &served.host(), headers, b"");
        assert_eq!(reply.status, 401, "{path} {headers}");
        assert!(reply.message().contains("access token"), "{}", reply.body);
        assert!(!reply.body.contains(&served.token));
    }
    let reply = served.raw(
        "POST",
        "/api/undo",
        &served.host(),
        "Content-Type: application/json\r\n",
        b"{}",
    );
    assert_eq!(reply.status, 401);
    // With it, the page comes with a strict policy.
    let page = served.raw(
        "GET",
        &format!("/?token={}", served.token),
        &served.host(),
        "",
        b"",
    );
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'nonce-"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    let nonce = policy
        .split("nonce-")
        .nth(1)
        .and_then(|rest| rest.split('\'').next())
        .unwrap();
    assert!(
        page.body.contains(&format!("<script nonce=\"{nonce}\">")),
        "the script may run"
    );
    assert!(
        !page.body.contains(&served.token),
        "the token is in the address alone"
    );
    for reply in [page, served.get("/api/run"), served.get("/nothing")] {
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert!(
            reply
                .header("content-security-policy")
                .starts_with("default-src 'none'")
        );
    }
}

#[test]
fn only_the_loopback_address_and_another_secret_each_time() {
    let (first, second) = (Served::start(&[BROKEN]), Served::start(&[BROKEN]));
    assert_ne!(first.port, second.port);
    assert_ne!(first.token, second.token);
    assert!(first.token.len() >= 32, "{}", first.token);
    // The address that this machine has in a network, if it has one; nothing is sent.
    let other = std::net::UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    if let Some(other) = other.ok().filter(|other| !other.ip().is_loopback()) {
        let address = std::net::SocketAddr::new(other.ip(), first.port);
        let reached = std::net::TcpStream::connect_timeout(&address, Duration::from_secs(5));
        assert!(reached.is_err(), "{address} is reached");
    }
    // A run comes as it is; no name of a file on the server is taken for one.
    for body in [
        json!("/etc/hostname"),
        json!({"file": "/etc/hostname"}),
        json!({"path": "models/fischer.xml"}),
    ] {
        let refused = first.post("/api/load", &body);
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert!(refused.message().contains("not a trace"), "{}", refused.body);
    }
    for path in [
        "/models/fischer-broken.xml",
        "/../Cargo.toml",
        "/api/../../Cargo.toml",
        "/%2e%2e/Cargo.toml",
    ] {
        assert_eq!(first.get(path).status, 404, "{path}");
    }
}

#[test]
fn foreign_origins_and_hosts_are_refused() {
    let served = Served::start(&[BROKEN]);
    let with_token = format!("Authorization: Bearer {}\r\n", served.token);
    let port = served.port;
    for host in [
        "example.org",
        "127.0.0.1",
        "127.0.0.1:1",
        &format!("evil.example:{port}"),
        &format!("[::1]:{port}"),
    ] {
        let reply = served.raw("GET", "/api/run", host, &with_token, b"");
        assert_eq!(reply.status, 403, "{host}");
    }
    let two = format!("{with_token}Host: example.org\r\n");
    assert!(matches!(
        served.raw("GET", "/api/run", &served.host(), &two, b"").status,
        400 | 403
    ));
    for foreign in [
        "Origin: http://example.org\r\n",
        "Origin: null\r\n",
        "Origin: http://127.0.0.1:1\r\n",
        &format!("Origin: https://127.0.0.1:{port}\r\n"),
        &format!("Origin: http://127.0.0.1:{port}.example.org\r\n"),
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
    ] {
        for (method, path) in [
            ("GET", "/api/run"),
            ("POST", "/api/undo"),
            ("OPTIONS", "/api/undo"),
        ] {
            let headers = format!("{with_token}{foreign}Content-Type: application/json\r\n");
            let reply = served.raw(method, path, &served.host(), &headers, b"{}");
            assert_eq!(reply.status, 403, "{foreign} {method}");
            assert!(
                !reply.head.to_lowercase().contains("access-control-allow"),
                "{}",
                reply.head
            );
        }
    }
    for own in [
        format!("Origin: http://127.0.0.1:{port}\r\n"),
        format!("Origin: http://localhost:{port}\r\nSec-Fetch-Site: same-origin\r\n"),
    ] {
        let reply = served.raw(
            "GET",
            "/api/run",
            &format!("localhost:{port}"),
            &format!("{with_token}{own}"),
            b"",
        );
        assert_eq!(reply.status, 200, "{own}");
    }
}

#[test]
fn bad_requests_are_refused_with_a_message_and_change_nothing() {
    let served = Served::start(&[BROKEN]);
    let before = served.get("/api/run").json();
    for path in [
        "take", "wait", "undo", "restart", "jump", "random", "check", "open", "cancel", "load",
    ] {
        for method in ["GET", "PUT", "DELETE", "HEAD"] {
            let reply = served.with_token(method, &format!("/api/{path}"), b"");
            assert_eq!(reply.status, 405, "{method} {path}");
        }
    }
    for path in ["run", "model", "steps", "trace", "zone", "save", "status"] {
        let reply = served.post(&format!("/api/{path}"), &json!({}));
        assert_eq!(reply.status, 405, "{path}");
    }
    let large = vec![b' '; 65 << 10];
    assert_eq!(served.with_token("POST", "/api/take", &large).status, 413);
    let huge = format!(
        "Authorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
        served.token,
        1u64 << 40
    );
    assert_eq!(
        served
            .raw_with_length("POST", "/api/load", &served.host(), &huge)
            .status,
        413
    );
    let form = format!(
        "Authorization: Bearer {}\r\nContent-Type: text/plain\r\n",
        served.token
    );
    assert_eq!(
        served
            .raw("POST", "/api/undo", &served.host(), &form, b"{}")
            .status,
        415
    );
    for (path, body, status, message) in [
        ("take", json!({}), 400, "missing field `choice`"),
        ("take", json!({"choice": 99}), 422, "choice number 100"),
        ("take", json!({"choice": 0, "delay": "1/0"}), 400, "1/0"),
        (
            "take",
            json!({"choice": 0, "delay": "-1"}),
            422,
            "this choice is possible after",
        ),
        (
            "take",
            json!({"choice": 0, "revision": 77}),
            409,
            "changed in the meantime",
        ),
        ("wait", json!({"delay": 0.5}), 400, "not as expected"),
        ("wait", json!({"delay": "-2"}), 422, "delay"),
        ("jump", json!({"step": 5}), 422, "0 steps"),
        ("jump", json!({"step": -1}), 400, "not as expected"),
        (
            "random",
            json!({"seed": 1, "steps": 1_000_000_000}),
            400,
            "at most",
        ),
        ("undo", json!({}), 409, "nothing to undo"),
        ("undo", json!(3), 400, "not as expected"),
        ("open", json!({}), 409, "no run to open"),
        ("cancel", json!({}), 409, "no query is being decided"),
        ("check", json!({"query": 77}), 400, "there is no query 77"),
        ("check", json!({"query": 1, "formula": "E<> true"}), 400, "either"),
    ] {
        let reply = served.post(&format!("/api/{path}"), &body);
        assert_eq!(reply.status, status, "{path} {body}: {}", reply.body);
        assert!(reply.message().contains(message), "{path} {body}: {}", reply.body);
    }
    assert_eq!(served.get("/api/steps?from=x").status, 400);
    assert_eq!(served.get("/api/run").json(), before);
}

#[test]
fn a_run_by_hand() {
    let served = Served::start(&[BROKEN]);
    let model = served.get("/api/model").json();
    assert_eq!(model["name"], BROKEN);
    let drawing = &model["page"]["templates"][0]["svg"];
    assert!(drawing.as_str().unwrap().starts_with("<svg"));
    let first = served.get("/api/run").json();
    assert_eq!(
        (&first["steps"], &first["position"], &first["changes"]),
        (&json!(0), &json!(0), &json!(0))
    );
    let choices = first["choices"].as_array().unwrap();
    assert!(!choices.is_empty() && choices[0]["windows"]["text"].is_string());
    let run = served.change(
        "/api/take",
        &json!({"choice": 0, "delay": "1/2", "revision": first["revision"]}),
    );
    assert_eq!(
        (&run["steps"], &run["position"], &run["time"]),
        (&json!(1), &json!(1), &json!("1/2"))
    );
    let steps = served.get("/api/steps?from=0&count=10").json();
    assert_eq!(steps["total"], 1);
    assert_eq!(steps["steps"][0]["delay"], "1/2");
    assert_eq!(steps["steps"][0]["edges"], choices[0]["edges"]);
    let played = served.change("/api/random", &json!({"seed": 7, "steps": 20}));
    assert_eq!(played["played"]["steps"], 20);
    let end = played["state"].clone();
    let middle = served.change("/api/jump", &json!({"step": 3}));
    assert_eq!((&middle["steps"], &middle["position"]), (&json!(21), &json!(3)));
    assert_eq!(served.change("/api/jump", &json!({"step": 21}))["state"], end);
    let zone = served.get("/api/zone").json();
    assert_eq!(zone["position"], 21);
    assert_eq!(zone["pieces"].as_array().unwrap().len(), 1, "{zone}");
    // The page gets the run in its own form; a jump does not change it, a change in the middle begins it anew.
    let shown = served.get("/api/trace").json();
    assert_eq!(shown["run"]["steps"].as_array().unwrap().len(), 21);
    assert_eq!(shown["trace"], served.get("/api/run").json()["trace"]);
    served.change("/api/jump", &json!({"step": 3}));
    assert_eq!(served.get("/api/trace").json(), shown);
    served.change("/api/take", &json!({"choice": 0}));
    let cut = served.get("/api/trace").json();
    assert_eq!(cut["run"]["steps"].as_array().unwrap().len(), 4);
    assert_ne!(cut["trace"], shown["trace"]);
    served.change("/api/undo", &json!({}));
    assert_eq!(served.get("/api/trace").json()["run"], shown["run"]);
    served.change("/api/jump", &json!({"step": 21}));
    // The same seed gives the same steps again.
    let undone = served.change("/api/undo", &json!({}));
    assert_eq!(undone["steps"], 1);
    let again = served.change("/api/random", &json!({"seed": 7, "steps": 20}));
    assert_eq!(again["state"], end);
    // Saved, lost and loaded.
    let saved = served.get("/api/save");
    assert!(saved.header("content-disposition").starts_with("attachment"));
    assert_eq!(saved.json()["steps"].as_array().unwrap().len(), 21);
    let restarted = served.change("/api/restart", &json!({}));
    assert_eq!(restarted["steps"], 0);
    let loaded = served.with_token("POST", "/api/load", saved.body.as_bytes());
    assert_eq!(loaded.status, 200, "{}", loaded.body);
    assert_eq!(loaded.json()["state"], end);
    // What the command saves and what it replays are the same.
    let folder = client::folder("by-hand");
    let file = folder.join("run.json");
    std::fs::write(&file, &saved.body).unwrap();
    let replayed = zonewalk(&["replay", BROKEN, file.to_str().unwrap()]);
    assert_eq!(replayed.status, 0, "{}", replayed.shown());
    // A broken one is refused with its reason, and nothing changes.
    let mut broken = saved.json();
    broken["steps"][4]["delay"] = json!("1000");
    let refused = served.post("/api/load", &broken);
    assert_eq!(refused.status, 422);
    assert!(refused.message().contains("step 5"), "{}", refused.body);
    let refused = served.post("/api/load", &json!({"steps": 3}));
    assert_eq!(refused.status, 400);
    assert!(refused.message().contains("not a trace"), "{}", refused.body);
    assert_eq!(served.get("/api/run").json()["state"], end);
}

#[test]
fn queries_with_their_counterexamples() {
    let served = Served::start(&[BROKEN, "--seed", "3"]);
    let model = served.get("/api/model").json();
    let text = model["queries"][0]["text"].as_str().unwrap();
    let begun = served.post("/api/check", &json!({"query": model["queries"][0]["number"]}));
    assert_eq!(begun.status, 200, "{}", begun.body);
    let job = served.finished();
    assert_eq!(job["result"]["verdict"], "not satisfied", "{job}");
    assert_eq!((&job["query"], &job["has_run"]), (&json!(text), &json!(true)));
    let run = served.change("/api/open", &json!({}));
    assert_eq!(run["query"], text);
    assert_eq!(run["end"]["reason"], "goal");
    let critical = run["state"]["locations"].as_array().unwrap().iter();
    assert!(
        critical.filter(|at| at["location"] == "critical").count() >= 2,
        "{run}"
    );
    // Saved and loaded it is for the same query; one that does not show it is refused.
    let saved = served.get("/api/save").json();
    assert_eq!(served.change("/api/load", &saved)["query"], text);
    let mut other = saved;
    other["steps"].as_array_mut().unwrap().pop();
    other["last_delay"] = json!(0);
    let refused = served.post("/api/load", &other);
    assert_eq!(refused.status, 422);
    assert!(
        refused.message().contains("where the query says"),
        "{}",
        refused.body
    );
    // And on by hand from there, and from the middle of it.
    let next = served.change("/api/take", &json!({"choice": 0}));
    assert_eq!(next["steps"].as_u64(), run["steps"].as_u64().map(|n| n + 1));
    assert_eq!(next["query"], Value::Null, "the changed run decides nothing");
    served.change("/api/jump", &json!({"step": 1}));
    assert_eq!(served.change("/api/take", &json!({"choice": 0}))["steps"], 2);
    // A formula of the user's own, good or bad.
    served.change("/api/check", &json!({"formula": "E<> deadlock"}));
    assert!(served.finished()["result"]["verdict"].is_string());
    served.change("/api/check", &json!({"formula": "E<> no_such_thing"}));
    let job = served.finished();
    assert!(
        job["text"].as_str().unwrap_or_default().contains("no_such_thing"),
        "{job}"
    );
    assert_eq!(served.post("/api/open", &json!({})).status, 409);
}

#[test]
fn a_long_query_shows_its_progress_and_is_cancelled() {
    let folder = client::folder("cancel");
    let model = client::long(&folder);
    let served = Served::start(&[&model, "--search", "bfs"]);
    served.change("/api/check", &json!({"formula": "A[] true"}));
    let refused = served.post("/api/check", &json!({"formula": "A[] true"}));
    assert_eq!(refused.status, 409);
    // Runs go on meanwhile.
    assert_eq!(
        served.change("/api/random", &json!({"seed": 1, "steps": 5}))["steps"],
        5
    );
    let job = served.until(|job| job["progress"].to_string().contains("bfs"));
    assert_eq!(job["running"], true);
    let start = Instant::now();
    served.change("/api/cancel", &json!({}));
    let job = served.finished();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(
        (&job["cancelled"], &job["result"]["verdict"]),
        (&json!(true), &json!("unknown"))
    );
    assert_eq!(job["has_run"], false);
}

#[test]
fn a_changed_model_is_loaded_again_and_a_broken_one_is_not() {
    let folder = client::folder("reload");
    let file = folder.join("m.xta");
    let text = |invariant: &str| {
        format!(
            "clock x; process P() {{ state a {{ {invariant} }}, b; init a; trans a -> b {{ guard x >= 2; }}; }} system P;"
        )
    };
    std::fs::write(&file, text("x <= 5")).unwrap();
    let served = Served::start(&[file.to_str().unwrap()]);
    served.change("/api/take", &json!({"choice": 0, "delay": 4}));
    let news = |wanted: &dyn Fn(&Value) -> bool| served.status_until(|status| wanted(&status["news"]));
    std::fs::write(&file, text("x <= ")).unwrap();
    let broken = news(&|news| news["broken"].is_string());
    assert!(
        broken["news"]["broken"].as_str().unwrap().contains("m.xta:1"),
        "{broken}"
    );
    assert_eq!(
        served.get("/api/run").json()["steps"],
        1,
        "the earlier model stays"
    );
    // The run is still one of the changed model.
    std::fs::write(&file, text("x <= 50")).unwrap();
    let status = news(&|news| news["model"] == 1);
    assert_eq!(status["news"]["broken"], Value::Null);
    assert_eq!(served.get("/api/run").json()["steps"], 1);
    // Now it is not.
    std::fs::write(&file, text("x <= 3")).unwrap();
    let status =
        served.status_until(|status| status["news"]["model"] == 2 && status["news"]["note"].is_string());
    assert!(
        status["news"]["note"].as_str().unwrap().contains("given up"),
        "{status}"
    );
    let run = served.get("/api/run").json();
    assert_eq!(
        (&run["steps"], &run["choices"][0]["windows"]["text"]),
        (&json!(0), &json!("[2, 3]"))
    );
}

#[test]
fn names_in_a_model_are_data() {
    let folder = client::folder("escape");
    let file = folder.join("m.xml");
    let text = "<nta><declaration>clock x;</declaration><template><name>P</name>\
        <location id=\"a\" x=\"0\" y=\"0\"><name>a</name><label kind=\"comments\">&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;</label></location>\
        <init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"a\"/><label kind=\"comments\">\"&gt;&lt;svg onload=alert(2)&gt;</label></transition></template>\
        <system>system P;</system><queries><query><formula>E&lt;&gt; P.a</formula><comment>&lt;b onclick=alert(3)&gt;</comment></query></queries></nta>";
    std::fs::write(&file, text).unwrap();
    let served = Served::start(&[file.to_str().unwrap()]);
    let model: Reply = served.get("/api/model");
    assert_eq!(model.header("content-type"), "application/json; charset=utf-8");
    let svg = model.json()["page"]["templates"][0]["svg"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        !svg.contains("<img") && !svg.contains("<svg onload") && svg.contains("&lt;img"),
        "{svg}"
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_within_a_second_also_while_a_query_runs() {
    let folder = client::folder("interrupt");
    let model = client::long(&folder);
    for is_busy in [false, true] {
        let mut served = Served::start(&[&model, "--search", "bfs"]);
        if is_busy {
            served.change("/api/check", &json!({"formula": "A[] true"}));
            served.until(|job| job["progress"].to_string().contains("bfs"));
        }
        // A connection that is held open and says nothing.
        let _idle = std::net::TcpStream::connect(served.address()).unwrap();
        let (status, took) = served.interrupt();
        assert_eq!(status, Some(0), "busy: {is_busy}");
        assert!(took < Duration::from_secs(1), "busy: {is_busy}, {took:?}");
    }
}

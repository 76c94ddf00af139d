//! A page about a run agrees with the reference interpreter.

use zonewalk_page::{Document, RunBuilder, Timed, html, model_of};
use zonewalk_reference::Interpreter;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::RandomRun;
use zonewalk_report::trace::{End, State, Time, Trace};
use zonewalk_syntax::read::read_model;
use zonewalk_syntax::source::SourceMap;
use zonewalk_testkit::{Loaded, own};

/// A random run as data, and the states that it goes through.
fn walk(loaded: &Loaded, steps: usize) -> (zonewalk_page::Run, Vec<zonewalk_reference::State>) {
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let mut random = RandomRun::new(&interpreter, 7).unwrap();
    let mut run = RunBuilder::new(&interpreter, "a walk", steps).unwrap();
    let mut states = vec![random.state().clone()];
    for _ in 0..steps {
        let before = random.state().clone();
        let Ok(Some(taken)) = random.step() else { break };
        let delayed = interpreter.delay(&before, taken.step.delay).unwrap();
        run.step(
            taken.step.delay,
            &taken.step.parts,
            taken.transition.channel,
            &delayed,
            &taken.state,
        );
        states.push(taken.state);
    }
    let trace = Trace {
        initial: State::default(),
        steps: Vec::new(),
        last_delay: Time::ZERO,
        end: End::Steps,
    };
    (run.finish(&trace).unwrap(), states)
}

fn number(timed: &Timed) -> i128 {
    match timed {
        Timed::Small(value) => (*value).into(),
        Timed::Large(digits) => digits.parse().unwrap(),
    }
}

#[test]
fn columns_add_up_to_the_states() {
    let mut examined = 0;
    for own in own::models() {
        let loaded = &own.loaded;
        if Interpreter::new(&loaded.model, &loaded.system).is_err() {
            continue;
        }
        let (run, states) = walk(loaded, 30);
        let unit = number(&run.unit);
        let time = |timed: &Timed| Rational::new(number(timed), unit).unwrap();
        let mut clocks: Vec<Rational> = run.start.clocks.iter().map(&time).collect();
        let mut rates = run.start.rates.clone();
        let mut locations = run.start.locations.clone();
        let (mut next, mut now) = (0, Rational::ZERO);
        assert_eq!(run.steps.len() + 1, states.len(), "{}", own.name);
        for (step, state) in states.iter().enumerate().skip(1) {
            let delay = time(&run.delays[step - 1]);
            now = now.plus(delay).unwrap();
            for (clock, rate) in clocks.iter_mut().zip(&rates) {
                let rate = Rational::from(i32::try_from(*rate).unwrap());
                *clock = clock.plus(rate.times(delay).unwrap()).unwrap();
            }
            for _ in 0..run.clocks.count[step - 1] {
                let clock = run.clocks.id[next];
                clocks[clock] = time(&run.clocks.value[next]);
                rates[clock] = run.rates[next];
                next += 1;
            }
            let mut rest = &run.transitions[run.steps[step - 1]][1..];
            while let [process, edge, count, more @ ..] = rest {
                let (process, edge) = (*process as usize, *edge as usize);
                let template = loaded.system.processes[process].template.index();
                locations[process] = loaded.model.templates[template].edges[edge].target.index();
                rest = &more[*count as usize..];
            }
            let real: Vec<usize> = state.locations.iter().map(|location| location.index()).collect();
            assert_eq!(locations, real, "{}: step {step}", own.name);
            assert_eq!(clocks, state.clocks, "{}: step {step}", own.name);
            assert_eq!(now, state.time, "{}: step {step}", own.name);
            // The transition that was taken is among those that were possible.
            let possible = &run.enabled[step - 1];
            assert!(
                possible.iter().any(|(one, _)| *one == run.steps[step - 1]),
                "{}",
                own.name
            );
        }
        examined += 1;
    }
    assert!(examined > 40, "{examined}");
}

#[test]
fn rows_of_a_gantt_section() {
    let text = "clock x; int[0,3] n; chan c;
        gantt { All : n > 0 -> n; Late(i : int[1,2]) : x > i -> i; }
        process P() { state A; init A; trans A -> A { guard x == 3; assign x = 0, n = 1; }; }
        system P;";
    let loaded = zonewalk_testkit::xta(text);
    let (run, _) = walk(&loaded, 3);
    let rows: Vec<_> = run
        .gantt
        .iter()
        .map(|row| {
            let bars = row
                .bars
                .iter()
                .map(|(from, to, color)| (number(from), number(to), *color));
            (row.name.as_str(), bars.collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(number(&run.unit), 1);
    assert_eq!(rows[0], ("All", vec![(3, 9, 1)]));
    assert_eq!(rows[1].0, "Late(1)");
    assert_eq!(rows[1].1[0], (1, 3, 1));
    assert_eq!(rows[2].0, "Late(2)");
    assert_eq!(rows[2].1[0], (2, 3, 2));
}

#[test]
fn pages_of_our_models_are_small_and_closed() {
    for path in own::paths() {
        let loaded = zonewalk_testkit::load_file(&path).unwrap();
        if Interpreter::new(&loaded.model, &loaded.system).is_err() {
            continue;
        }
        let name = path.display().to_string();
        let bytes = std::fs::read(&path).unwrap();
        let (document, _) = read_model(&name, &bytes, None, &mut SourceMap::new());
        let (run, _) = walk(&loaded, 100);
        let model = model_of(
            &loaded.model,
            &loaded.system,
            &document.unwrap().templates,
            Vec::new(),
        );
        let page = html(&Document {
            title: name.clone(),
            model,
            runs: vec![run],
            ..Document::default()
        });
        assert!(page.len() < 1_000_000, "{name}: {} bytes", page.len());
        assert!(page.contains("default-src 'none'"));
        // Nothing to load from anywhere.
        for mark in [
            " src=",
            " href=\"http",
            "url(",
            "@import",
            "fetch(",
            "XMLHttpRequest",
        ] {
            assert!(!page.contains(mark), "{name}: {mark}");
        }
    }
}

#[test]
fn what_a_model_says_is_text() {
    let evil = "</script><script>window.hacked = 1</script>\"><img src=x onerror=\"window.hacked = 2\">";
    let page = html(&Document {
        title: evil.to_owned(),
        commands: vec![evil.to_owned()],
        notices: vec![zonewalk_page::Notice {
            kind: "warning",
            text: evil.to_owned(),
        }],
        results: vec![zonewalk_page::Result {
            query: evil.to_owned(),
            verdict: evil.to_owned(),
            finding: "failed".into(),
            remark: Some(evil.to_owned()),
            comment: Some(evil.to_owned()),
            warnings: vec![evil.to_owned()],
            details: evil.to_owned(),
            ..zonewalk_page::Result::default()
        }],
        ..Document::default()
    });
    assert!(!page.contains("<img"), "{page}");
    assert!(!page.contains("<script>window"), "{page}");
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
}

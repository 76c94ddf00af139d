//! The symbolic view of a run: its zones hold the run's own points, and say what the model says.

use std::time::Duration;
use zonewalk_network::Network;
use zonewalk_reference::Interpreter;
use zonewalk_reference::rational::Rational;
use zonewalk_session::{PathZones, Session, Zone};
use zonewalk_symbolic::path_zones::ZonesAlong;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_testkit::{own, xta};

const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn readable_constraints() {
    let loaded = xta("
        clock x, y;
        process P() { state a { x <= 5 }, b, c; init a; trans
            a -> b { guard x > 2; assign y = 0; }, b -> c { guard y >= 1 && x < 9; }; }
        system P;");
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let network = Network::compile(&loaded.model, &loaded.system).unwrap();
    let plan = ZonePlan::new(&network).unwrap();
    let mut zones = PathZones::new(&plan, vec!["x".to_owned(), "y".to_owned()]).unwrap();
    let mut session = Session::new(&interpreter).unwrap();
    let mut shown = |session: &Session<'_, '_>| zones.after(session.steps(), LIMIT).unwrap().pieces;
    assert_eq!(shown(&session), ["x <= 5, x == y"]);
    session.take(0, Some("3".parse().unwrap())).unwrap();
    // Whatever the delay of this run was: all runs along the same transitions.
    assert_eq!(shown(&session), ["x - y <= 5, y - x < -2"]);
    session.take(0, None).unwrap();
    assert_eq!(shown(&session), ["1 <= y, x - y <= 5, y - x < -2"]);
    session.undo().unwrap();
    assert_eq!(shown(&session), ["x - y <= 5, y - x < -2"]);
    assert_eq!(zones.after([].iter(), LIMIT).unwrap().pieces, ["x <= 5, x == y"]);
}

fn holds(state: &ZoneState<i64>, clocks: &[Rational]) -> bool {
    let dim = state.dim();
    let value = |index: usize| match index.checked_sub(1) {
        Some(index) => clocks[state.clocks[index].index()],
        None => Rational::ZERO,
    };
    (0..dim * dim).all(|at| {
        let bound = state.zone[at];
        let difference = value(at / dim).minus(value(at % dim)).unwrap();
        let constant = Rational::from(bound.constant());
        bound.is_infinite() || difference < constant || (!bound.is_strict() && difference == constant)
    })
}

/// On random runs of all models the concrete clocks are in the zone of the path, and the text is there.
#[test]
fn the_run_is_in_its_zone() {
    let mut compared = 0;
    for own in own::models() {
        let (model, system) = (&own.loaded.model, &own.loaded.system);
        let (Ok(interpreter), Ok(network)) =
            (Interpreter::new(model, system), Network::compile(model, system))
        else {
            continue;
        };
        let Ok(plan) = ZonePlan::new(&network) else {
            continue;
        };
        let names: Vec<_> = system.clocks.iter().map(|clock| clock.name.to_string()).collect();
        let mut session = Session::new(&interpreter).unwrap();
        session.play(5, 30, &|| false);
        let mut along = ZonesAlong::new(&plan).unwrap();
        let mut zones = PathZones::new(&plan, names).unwrap();
        for number in 0..=session.len() {
            let state = session.state_after(number).unwrap();
            assert!(
                along.zones().iter().any(|zone| holds(zone, &state.clocks)),
                "{}: the state after {number} steps is not in the zone of the path",
                own.name
            );
            compared += 1;
            let shown: Zone = zones.after(session.steps().take(number), LIMIT).unwrap();
            assert_eq!(shown.pieces.len(), along.zones().len());
            assert!(shown.pieces.iter().all(|piece| piece != "false"));
            if let Some(step) = session.steps().nth(number) {
                let is_wanted = |found: zonewalk_symbolic::graph::Step<'_>| {
                    network.step(0, found.parts, found.selects).parts == step.parts
                };
                assert!(along.advance(is_wanted).unwrap(), "{}: step {number}", own.name);
            }
        }
    }
    assert!(compared > 1000, "only {compared} states");
}

//! The zone graphs of the models of this repository: walks of the interpreter stay in them, all searches give the same answers to
//! their queries, and queries about runs without end have the verdicts that are recorded.

use crate::live::rows::{Answer, decide};
use crate::support::models::{searches_agree, walks_stay};
use zonewalk_testkit::own;

#[test]
fn searches_agree_on_own_models() {
    let agreed = searches_agree(&own::paths());
    assert!(
        agreed.decided > agreed.reached && agreed.reached > 5,
        "{agreed:?}"
    );
}

#[test]
fn walks_stay_in_the_zone_graphs_of_own_models() {
    let stayed = walks_stay(&own::paths());
    assert!(stayed.models >= 30 && stayed.finished >= 5, "{stayed:?}");
    assert!(stayed.steps > 100 && stayed.points > 100, "{stayed:?}");
}

#[test]
fn recorded_verdicts_about_runs() {
    let (mut decided, mut open) = (0, Vec::new());
    for model in own::models() {
        for (query, recorded) in model.queries() {
            let Some(recorded) = recorded else { continue };
            let text = &query.text;
            match decide(&model.name, &model.loaded, text, None) {
                Answer::Holds(truth, how) => {
                    assert_eq!(truth, recorded, "{}: {text}: {how}", model.name);
                    decided += 1;
                }
                Answer::Open(reason) => open.push(format!("{}: {text}: {reason}", model.name)),
            }
        }
    }
    assert!(decided >= 8, "{decided} decided, open:\n{}", open.join("\n"));
}

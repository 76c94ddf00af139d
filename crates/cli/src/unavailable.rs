//! Commands to come: known by name, so that asking for one gets a straight answer.

/// Commands that this version does not have.
const COMMANDS: &[&str] = &[
    #[cfg(not(feature = "papers"))]
    "bench",
    #[cfg(not(feature = "serve"))]
    "serve",
];

/// Commands that it has.
const AVAILABLE: &[&str] = &[
    "check",
    "explore",
    "refine",
    "replay",
    "judge",
    "generate",
    #[cfg(feature = "papers")]
    "bench",
    "info",
    "lint",
    "simulate",
    #[cfg(feature = "serve")]
    "serve",
    "draw",
    "view",
    "verifyta",
    "completions",
    "man",
    "help",
];

/// Answer to a command that is not in this build.
pub(crate) fn refuse(command: &str) -> String {
    refuse_among(command, COMMANDS)
}

/// Refuses a command, with these commands to come.
fn refuse_among(command: &str, to_come: &[&'static str]) -> String {
    if to_come.contains(&command) {
        return format!("{command} is not available yet; `zonewalk help` lists the commands");
    }
    let near = |names: &[&'static str]| names.iter().copied().find(|known| is_near(command, known));
    if let Some(known) = near(AVAILABLE) {
        format!("there is no command `{command}`; did you mean `{known}`?")
    } else if let Some(known) = near(to_come) {
        format!("there is no command `{command}`, and {known} is not available yet")
    } else if command.contains(['.', '/']) {
        format!("there is no command `{command}`; to check a model, use `zonewalk check {command}`")
    } else {
        format!("there is no command `{command}`; `zonewalk help` lists the commands")
    }
}

/// Whether at most two letters differ, counted position by position after the common beginning and end.
fn is_near(given: &str, known: &str) -> bool {
    let prefix = given
        .bytes()
        .zip(known.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let suffix = given
        .bytes()
        .rev()
        .zip(known.bytes().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let rest = |length: usize| length.saturating_sub(prefix + suffix);
    rest(given.len()).max(rest(known.len())) <= 2 && prefix + suffix >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_near_and_far() {
        let to_come = ["dissolve"];
        assert!(refuse_among("dissolve", &to_come).starts_with("dissolve is not available yet"));
        assert!(refuse_among("disolve", &to_come).contains("dissolve is not available yet"));
        assert!(refuse("simulat").contains("`simulate`"));
        assert!(refuse("chekc").contains("`check`"));
        assert!(refuse("refien").contains("`refine`"));
        assert!(refuse("m.xml").contains("zonewalk check m.xml"));
        assert!(refuse("frobnicate").contains("zonewalk help"));
    }
}

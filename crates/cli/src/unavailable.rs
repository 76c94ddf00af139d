//! Commands and options to come: known by name, so that asking for one gets a straight answer.

/// Those that this version does not have.
const COMMANDS: [&str; 7] = [
    "check", "explore", "refine", "replay", "generate", "bench", "verifyta",
];

/// Those that it has.
const AVAILABLE: [&str; 3] = ["info", "simulate", "help"];

/// What to tell someone who asked for a command that is not there.
pub(crate) fn refuse(command: &str) -> String {
    if COMMANDS.contains(&command) {
        return format!("{command} is not available yet\n\nThis version has the commands info and simulate.");
    }
    let near = |names: &[&'static str]| names.iter().copied().find(|known| is_near(command, known));
    if let Some(known) = near(&AVAILABLE) {
        format!("there is no command `{command}`; did you mean `{known}`?")
    } else if let Some(known) = near(&COMMANDS) {
        format!("there is no command `{command}`, and {known} is not available yet")
    } else if command.contains(['.', '/']) {
        format!("there is no command `{command}`; to look at a model, say `zonewalk info {command}`")
    } else {
        format!("there is no command `{command}`; `zonewalk help` lists the commands")
    }
}

/// Options of those commands.
const OPTIONS: [&str; 30] = [
    "--action",
    "--cutoff",
    "--delays",
    "--exact",
    "--expect",
    "--extrapolation",
    "--fringe",
    "--heuristic",
    "--increment",
    "--list",
    "--max-states",
    "--max-steps",
    "--max-walks",
    "--memory",
    "--models",
    "--non-zeno",
    "--param",
    "--progress",
    "--query-index",
    "--queues",
    "--quick",
    "--report",
    "--search",
    "--store",
    "--threads",
    "--time-bound",
    "--timeout",
    "--trace",
    "--trace-file",
    "--walks",
];

/// What to tell someone who mentioned a command or an option to come; `None` when nobody ever promised it.
pub(crate) fn mention(word: &str) -> Option<String> {
    let name = word.split('=').next().unwrap_or(word);
    let is_known = OPTIONS.contains(&name) || COMMANDS.contains(&name);
    is_known.then(|| format!("{name} is not available yet"))
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
        assert!(refuse("check").starts_with("check is not available yet"));
        assert!(refuse("simulat").contains("`simulate`"));
        assert!(refuse("chekc").contains("check is not available yet"));
        assert_eq!(
            mention("--search=ret").as_deref(),
            Some("--search is not available yet")
        );
        assert_eq!(mention("--frobnicate"), None);
        assert!(refuse("m.xml").contains("zonewalk info m.xml"));
        assert!(refuse("frobnicate").contains("zonewalk help"));
    }
}

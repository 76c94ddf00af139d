//! Commands to come: known by name, so that asking for one gets a straight answer.

/// Those that this version does not have.
const COMMANDS: [&str; 7] = ["check", "explore", "refine", "replay", "generate", "bench", "verifyta"];

/// Those that it has.
const AVAILABLE: [&str; 3] = ["info", "simulate", "help"];

/// What to tell someone who asked for a command that is not there.
pub(crate) fn refuse(command: &str) -> String {
    if COMMANDS.contains(&command) {
        return format!("{command} is not available yet\n\nThis version has the commands info and simulate.");
    }
    let near = AVAILABLE.iter().chain(&COMMANDS).find(|known| is_near(command, known));
    match near {
        Some(known) => format!("there is no command `{command}`; did you mean `{known}`?"),
        None if command.contains('.') || command.contains('/') => {
            format!("there is no command `{command}`; to look at a model, say `zonewalk info {command}`")
        }
        None => format!("there is no command `{command}`; `zonewalk help` lists the commands"),
    }
}

/// Whether at most two letters differ, counted position by position after the common beginning and end.
fn is_near(given: &str, known: &str) -> bool {
    let prefix = given.bytes().zip(known.bytes()).take_while(|(a, b)| a == b).count();
    let suffix = given.bytes().rev().zip(known.bytes().rev()).take_while(|(a, b)| a == b).count();
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
        assert!(refuse("chekc").contains("`check`"));
        assert!(refuse("m.xml").contains("zonewalk info m.xml"));
        assert!(refuse("frobnicate").contains("zonewalk help"));
    }
}

//! The name that was probably meant.

use zonewalk_syntax::similar;

/// The closest of the known names, if one is close: two edits at most, and fewer for short names.
pub(crate) fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = match length {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        if candidate.chars().count().abs_diff(length) > limit {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(name) {
            0
        } else {
            similar::distance(name, candidate)
        };
        if distance <= limit && distance < length.max(1) && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn close_names_are_found() {
        assert_eq!(
            closest("Machin", ["Adm", "Machine", "Researcher"]),
            Some("Machine")
        );
        assert_eq!(closest("machine", ["Machine"]), Some("Machine"));
        assert_eq!(closest("x", ["Machine", "yz"]), None);
        assert_eq!(closest("", ["A"]), None);
    }
}

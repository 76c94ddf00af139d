//! The name that was probably meant.

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
            distance(name, candidate)
        };
        if distance <= limit && distance < length.max(1) && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// The number of letters to insert, delete or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
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

//! Arrays in one entry: `list = {0 × 201}` rather than 201 cells.

/// Equal neighbours from which on they are counted.
const COUNTED: usize = 3;
/// Elements, or groups of equal ones, that are listed in an array.
const LISTED: usize = 24;

/// Cells with their values, in the order of declaration, as `name = value`: cells of one array, which follow each other, together.
pub(super) fn folded<'a>(cells: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let mut entries: Vec<(&str, String)> = cells.collect();
    // Innermost arrays first: what is left then is cells of the array around them.
    while let Some(joined) = join(&entries) {
        entries = joined;
    }
    entries
        .into_iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect()
}

/// The entries with those joined that are elements of the same array and have the most indices; `None` where no element is left.
fn join<'a>(entries: &[(&'a str, String)]) -> Option<Vec<(&'a str, String)>> {
    let deepest = entries.iter().map(|(name, _)| indices(name)).max()?;
    if deepest == 0 {
        return None;
    }
    let mut joined: Vec<(&str, String)> = Vec::new();
    let mut elements: Vec<&str> = Vec::new();
    for (at, (name, value)) in entries.iter().enumerate() {
        let Some(array) = array_of(name).filter(|_| indices(name) == deepest) else {
            joined.push((name, value.clone()));
            continue;
        };
        elements.push(value);
        let next = entries.get(at + 1).and_then(|(next, _)| array_of(next));
        if next != Some(array) {
            joined.push((array, list(&elements)));
            elements.clear();
        }
    }
    Some(joined)
}

/// `{0 × 3, 7, 8}`
fn list(elements: &[&str]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut left = elements;
    while let Some(first) = left.first() {
        if parts.len() == LISTED {
            parts.push(format!("… {} more", left.len()));
            break;
        }
        let equal = left.iter().take_while(|value| *value == first).count();
        let taken = if equal >= COUNTED {
            parts.push(format!("{first} × {equal}"));
            equal
        } else {
            parts.push((*first).to_owned());
            1
        };
        left = &left[taken..];
    }
    format!("{{{}}}", parts.join(", "))
}

/// The array that a cell is an element of: `a[1]` of `a[1][2]`.
fn array_of(name: &str) -> Option<&str> {
    let start = name.strip_suffix(']')?.rfind('[')?;
    Some(&name[..start])
}

/// Number of indices at the end of a name.
fn indices(name: &str) -> usize {
    let mut count = 0;
    let mut rest = name;
    while let Some(array) = array_of(rest) {
        count += 1;
        rest = array;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(cells: &[(&str, i32)]) -> String {
        folded(cells.iter().map(|&(name, value)| (name, value.to_string()))).join("; ")
    }

    #[test]
    fn arrays_are_one_entry() {
        assert_eq!(
            shown(&[("i", 1), ("a[0]", 0), ("a[1]", 0), ("j", 2)]),
            "i = 1; a = {0, 0}; j = 2"
        );
        assert_eq!(
            shown(&[("a[0]", 0), ("a[1]", 0), ("a[2]", 0), ("a[3]", 7), ("b[0]", 1)]),
            "a = {0 × 3, 7}; b = {1}"
        );
        assert_eq!(
            shown(&[
                ("m[0][0]", 0),
                ("m[0][1]", 1),
                ("m[1][0]", 0),
                ("m[1][1]", 1),
                ("P(1).v[0]", 3)
            ]),
            "m = {{0, 1}, {0, 1}}; P(1).v = {3}"
        );
        // Fields of structs stand for themselves.
        assert_eq!(
            shown(&[("s[0].x", 1), ("s[1].x", 1), ("]", 3)]),
            "s[0].x = 1; s[1].x = 1; ] = 3"
        );
    }

    #[test]
    fn long_arrays_are_cut() {
        let names: Vec<String> = (0..100).map(|i| format!("a[{i}]")).collect();
        let cells: Vec<_> = (0..).zip(&names).map(|(i, name)| (name.as_str(), i)).collect();
        let text = shown(&cells);
        assert!(
            text.starts_with("a = {0, 1, 2") && text.ends_with("22, 23, … 76 more}"),
            "{text}"
        );
        let zeros: Vec<_> = names.iter().map(|name| (name.as_str(), 0)).collect();
        assert_eq!(shown(&zeros), "a = {0 × 100}");
    }
}

//! Where the model of a row comes from: the authors' files, or a member of a family of our own.

use crate::model::{Model, QueryChoice, Source};
use std::path::Path;

/// The largest best-case fraction that has a file of its own, in percent.
const LAST_HERSCHEL: i32 = 75;

/// Table 8 asks for two clusters of two and four girls, in each of which all know the secrets of the cluster and no others. Its
/// queries were not published: these are ours, with the constant for the number of girls.
const CLUSTERS: [(&str, &str); 10] = [
    (
        "PERSONS",
        "E<> forall (i : person_t) Person(i).secrets == (i < 2 ? 3 : 60)",
    ),
    (
        "Numberofpersons",
        "E<> forall (i : person_t) forall (j : person_t) sharedsecrets[i][j] == ((i < 2) == (j < 2))",
    ),
    (
        "N",
        "E<> forall (i : id_p) forall (j : id_p) Person(i).secrets[j] == ((i < 2) == (j < 2))",
    ),
    (
        "N",
        "E<> forall (i : id_t) forall (j : id_t) knows[i][j] == ((i < 2) == (j < 2))",
    ),
    (
        "numberOfGirls",
        "E<> forall (i : id_girl) forall (j : id_girl) secrets[i][j] == ((i < 2) == (j < 2))",
    ),
    ("N", "E<> forall (i : id_t) known[i] == (i < 2 ? 3 : 60)"),
    (
        "GIRLS",
        "E<> forall (i : girl_t) Girl(i).secrets == (i < 2 ? 3 : 60)",
    ),
    (
        "N",
        "E<> forall (i : id_t) forall (j : id_t) GirlTotalTime(i).localArray[j] == ((i < 2) == (j < 2))",
    ),
    (
        "N",
        "E<> forall (i : girl_t) forall (j : girl_t) Girl(i).my_secrets[j] == ((i < 2) == (j < 2))",
    ),
    // Secrets are a list.
    (
        "NGirls",
        "E<> forall (i : girls_id_type) GossipGirl(i).secretsLen == (i < 2 ? 2 : 4) && (forall (j : girls_id_type) \
         j >= GossipGirl(i).secretsLen || (GossipGirl(i).secrets[j] < 2) == (i < 2))",
    ),
];

/// The authors' file for a row, in the layout of their archive; nothing where it is not in there.
pub(super) fn published(models: &Path, table: u32, row: &str) -> Option<Source> {
    let (name, number) = split(row);
    let mut overrides = Vec::new();
    let mut asked = QueryChoice::Number(1);
    let path = match (table, name) {
        // Files are there up to f = 75, and differ in one constant.
        (4 | 5, _) => {
            let f: i32 = number.strip_prefix('f')?.parse().ok()?;
            overrides.extend((f > LAST_HERSCHEL).then(|| ("BCEF".to_owned(), f.to_string())));
            format!("Herschel-Planck/Herschel-f{}.xml", f.min(LAST_HERSCHEL))
        }
        (6, "IMAOptim") => format!("IMAOptim/{number}.xml"),
        (6, "md5") => return None,
        (6, _) => match row.strip_prefix("MP-") {
            Some(variant) => format!("TetaSARTS/minepump-{variant}.xml"),
            None => format!("TetaSARTS/{row}.xml"),
        },
        (7, _) => format!("GosGirls/goss-{number}.xml"),
        (8, _) => {
            let place = number.parse::<usize>().ok()?.checked_sub(1)?;
            let (constant, query) = CLUSTERS.get(place)?;
            overrides.push(((*constant).to_owned(), "6".to_owned()));
            asked = QueryChoice::Formulas(vec![(*query).to_owned()]);
            format!("GosGirls/goss-{number}.xml")
        }
        (9, "csma-cd") => format!("CSMA-CD/csma-{number}.xml"),
        (9, "Fischer") => format!("Fischer/fischer-{number}.xml"),
        (9, "FischerME") => format!("Fischer/fischerImply-{number}.xml"),
        (9, "LE-Chan" | "LE-Hops") => format!("Lamports-LE/{row}.xml"),
        (9, "Milner") => format!("Milner/{row}-d4-v2.xml"),
        (9, "Train") => format!("Train/train-{number}.xml"),
        _ => return None,
    };
    Some(Source {
        model: Model::File(models.join(path), overrides),
        asked,
    })
}

/// The member of our own families that comes closest to a row.
pub(super) fn generated(table: u32, row: &str) -> Option<Source> {
    let (name, number) = split(row);
    let digits = number.trim_matches(|c: char| !c.is_ascii_digit());
    let (family, params, query): (_, Vec<(&str, &str)>, _) = match (table, name) {
        (4 | 5, _) => ("scheduler", vec![("f", digits)], 1),
        (7, "Gosgirls") if number == "1" => ("gossip", vec![("n", "8")], 1),
        (7, "Gosgirls") if number == "2" => ("gossip", vec![("n", "8"), ("style", "board")], 1),
        (8, "Gosgirls") if number == "1" => ("gossip", vec![("n", "6")], 2),
        (8, "Gosgirls") if number == "2" => ("gossip", vec![("n", "6"), ("style", "board")], 2),
        (9, "csma-cd") => ("csma-cd", vec![("n", digits)], 1),
        (9, "Fischer") => ("fischer", vec![("n", digits)], 2),
        (9, "FischerME") => ("fischer", vec![("n", digits)], 1),
        (9, "LE-Chan") => ("leader-election", vec![("n", digits), ("variant", "channels")], 1),
        (9, "LE-Hops") => ("leader-election", vec![("n", digits)], 1),
        (9, "Milner") => ("milner", vec![("n", digits)], 1),
        (9, "Train") => ("train-gate", vec![("n", digits)], 1),
        _ => return None,
    };
    let params = params.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    Some(Source {
        model: Model::Member {
            family,
            params: params.collect(),
        },
        asked: QueryChoice::Number(query),
    })
}

/// The family of a row and what tells its members apart.
pub(super) fn split(row: &str) -> (&str, &str) {
    row.rsplit_once('-').unwrap_or((row, ""))
}

#[cfg(test)]
mod tests {
    use super::super::paper::TABLES;
    use super::*;

    #[test]
    fn members_exist() {
        let mut members = 0;
        for table in &TABLES {
            for (row, _) in table.rows() {
                if let Some(Source {
                    model: Model::Member { family, params },
                    asked: QueryChoice::Number(query),
                }) = generated(table.number, row)
                {
                    members += 1;
                    // The large ones are no different, and slow to write.
                    if !row.ends_with("000N") {
                        let text = zonewalk_families::generate(family, &params);
                        let queries = text.map(|text| text.matches("<formula>").count());
                        assert!(queries.is_ok_and(|count| count >= query), "{row}");
                    }
                }
            }
        }
        assert_eq!(members, 14 + 13 + 2 + 2 + 30);
    }
}

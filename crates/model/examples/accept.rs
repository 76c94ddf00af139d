//! Scratch: acceptance of the corpus.
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;
fn main() {
    let root = std::env::args().nth(1).unwrap();
    let verbose = std::env::args().nth(2);
    let table = std::fs::read_to_string(format!("{root}/accept.tsv")).unwrap();
    let (mut good, mut all) = (0, 0);
    for line in table.lines().skip(1) {
        let cols: Vec<&str> = line.split('\t').collect();
        if let Some(v) = &verbose
            && !cols[0].contains(v.as_str())
        {
            continue;
        }
        if cols[1] == "LIBRARY" {
            continue;
        }
        let bytes = std::fs::read(format!("{root}/{}", cols[0])).unwrap();
        let mut sources = SourceMap::new();
        let start = std::time::Instant::now();
        let (doc, mut diags) = read::read_model(cols[0], &bytes, None, &mut sources);
        let mut ok = false;
        if let Some(doc) = doc
            && !diags.has_errors()
        {
            let (model, more) = zonewalk_model::check::check(sources.clone(), &doc, &[]);
            diags.append(more);
            if let Ok(model) = model {
                ok = true;
                match zonewalk_model::instance::instantiate(&model) {
                    Ok(_) => {}
                    Err(e) => {
                        for d in e {
                            println!("INSTANCE {}: {}", cols[0], d.message);
                        }
                    }
                }
                for (r, q) in zonewalk_model::check::queries(&model, &doc.queries)
                    .iter()
                    .zip(&doc.queries)
                {
                    if let Err(e) = r {
                        for d in e {
                            println!("QUERY {}: {}   {}", cols[0], q.text, d.message);
                        }
                    }
                }
            }
        }
        let t = start.elapsed();
        if t.as_millis() > 500 {
            println!("SLOW {} {:?}", cols[0], t);
        }
        all += 1;
        if ok == (cols[1] == "ACCEPT") {
            good += 1;
        } else {
            println!("{} expected {} {}", cols[0], cols[1], cols.get(4).unwrap_or(&""));
            for d in diags.iter().filter(|d| d.is_error()).take(2) {
                let s = sources.source(d.primary.span.start);
                let p = s.map(|s| s.position(d.primary.span.start));
                println!(
                    "    {:?} {} [{}] {}",
                    p.map(|p| (p.line, p.column)),
                    d.message,
                    s.and_then(|s| s.element(d.primary.span.start)).unwrap_or(""),
                    s.map(|s| s.slice(d.primary.span)).unwrap_or("")
                );
            }
        }
    }
    println!("{good}/{all}");
}

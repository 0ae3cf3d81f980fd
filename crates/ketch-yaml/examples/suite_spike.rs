//! Runs yaml-test-suite's events.
use ketch_yaml::*;
fn events(yaml: &[u8]) -> (String, Option<Error>) {
    let mut p = Parser::new(yaml);
    let mut n = notation::Notation::start(Vec::new()).unwrap();
    loop { match p.next_chunk() { Ok(Some(c)) => n.chunk(&c).unwrap(), Ok(None) => return (String::from_utf8(n.end().unwrap()).unwrap(), None), Err(e) => return (String::from_utf8(n.into_inner()).unwrap(), Some(e)) } }
}
fn main() {
    let v: serde_json::Value = serde_json::from_slice(&std::fs::read(std::env::args().nth(1).unwrap()).unwrap()).unwrap();
    let (mut ok, mut bad) = (0, 0);
    for c in v.as_array().unwrap() {
        let yaml = c["yaml"].as_str().unwrap();
        let (out, err) = events(yaml.as_bytes());
        let good = if c["fail"] == true { err.is_some() } else { err.is_none() && out == c["tree"].as_str().unwrap() };
        if good { ok += 1; if std::env::var("ERRORS").is_ok() { if let Some(e) = err { println!("{}: {}\n", c["id"], e); } } } else { bad += 1; println!("=== {} fail={}\n{}--- want\n{}--- got\n{}{}\n", c["id"], c["fail"], yaml, c["tree"].as_str().unwrap_or(""), out, err.map(|e| e.to_string()).unwrap_or_default()); }
    }
    println!("{ok} ok {bad} bad");
}

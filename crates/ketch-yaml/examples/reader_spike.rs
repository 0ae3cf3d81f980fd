//! Reader against slice.
use ketch_yaml::*;
use std::io::Read;
struct Cut<'a>(&'a [u8], usize);
impl Read for Cut<'_> { fn read(&mut self, b: &mut [u8]) -> std::io::Result<usize> { let n = self.1.min(self.0.len()).min(b.len()); b[..n].copy_from_slice(&self.0[..n]); self.0 = &self.0[n..]; Ok(n) } }
fn slice(yaml: &[u8], o: &Options) -> String {
    let mut p = Parser::with_options(yaml, o);
    let mut n = notation::Notation::start(Vec::new()).unwrap();
    loop { match p.next_chunk() { Ok(Some(c)) => n.chunk(&c).unwrap(), Ok(None) => return String::from_utf8(n.end().unwrap()).unwrap(), Err(e) => return format!("{}{:?} {} {} {}", String::from_utf8(n.into_inner()).unwrap(), e.problem(), e.offset(), e.line(), e.column()) } }
}
fn read(yaml: &[u8], cut: usize, o: &Options) -> String {
    let mut p = ReadParser::with_options(Cut(yaml, cut), o);
    let mut n = notation::Notation::start(Vec::new()).unwrap();
    loop { match p.next_chunk() { Ok(Some(c)) => n.chunk(&c).unwrap(), Ok(None) => return String::from_utf8(n.end().unwrap()).unwrap(), Err(e) => return format!("{}{:?} {} {} {}", String::from_utf8(n.into_inner()).unwrap(), e.problem(), e.offset(), e.line(), e.column()) } }
}
fn main() {
    let v: serde_json::Value = serde_json::from_slice(&std::fs::read(std::env::args().nth(1).unwrap()).unwrap()).unwrap();
    let mut bad = 0;
    for c in v.as_array().unwrap() { if std::env::var("V").is_ok() { eprintln!("{}", c["id"]); }
        let lf = c["yaml"].as_str().unwrap();
        for yaml in [lf.to_owned(), lf.replace('\n', "\r\n"), lf.replace('\n', "\r")] {
        let whole = slice(yaml.as_bytes(), &Options::default());
        for words in [1, 2, 3, 4096] { let mut o = Options::default(); o.chunk_words = words;
        for cut in 1..=yaml.len().min(40) {
            let got = read(yaml.as_bytes(), cut, &o);
            if got != whole { bad += 1; if bad < 10 { println!("=== {} cut {cut} words {words}\n{whole}\n--- got\n{got}", c["id"]); } break; }
        }}}
    }
    println!("{bad} bad");
}

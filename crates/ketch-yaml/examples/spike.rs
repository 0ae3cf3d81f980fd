//! Times the event engine on files.
use ketch_yaml::*;
fn main() {
    let levels: Vec<Level> = if std::env::var("ALL").is_ok() { Level::available().collect() } else { vec![Level::detect()] };
    for path in std::env::args().skip(1) {
        let input = std::fs::read(&path).unwrap();
        for &level in &levels {
            let mut options = Options::default(); options.level = level;
            let mut best = f64::MAX; let mut n = 0u64;
            let reps = (20_000_000 / input.len().max(1)).clamp(5, 20000);
            let mut failed = None;
            for _ in 0..reps {
                let t = std::time::Instant::now();
                let mut p = Parser::with_options(&input, &options);
                n = 0;
                loop { match p.next_chunk() { Ok(Some(c)) => { for e in c.events() { n += e.kind as u64; } }, Ok(None) => break, Err(e) => { failed = Some(e.to_string()); break } } }
                best = best.min(t.elapsed().as_secs_f64());
            }
            println!("{:8.1} MB/s {:7} {} {} {}", input.len() as f64 / best / 1e6, level, n, path.rsplit('/').next().unwrap(), failed.unwrap_or_default());
        }
    }
}

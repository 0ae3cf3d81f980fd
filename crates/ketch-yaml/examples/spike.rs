//! Times the event engine on files.
use ketch_yaml::*;
fn cpu() -> f64 { use std::sync::OnceLock; static T: OnceLock<std::time::Instant> = OnceLock::new(); T.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() }
fn main() {
    let levels: Vec<Level> = if std::env::var("ALL").is_ok() { Level::available().collect() } else { vec![Level::detect()] };
    let reps_env = std::env::var("REPS").ok().and_then(|s| s.parse::<usize>().ok());
    let mut logs = 0.0; let mut count = 0;
    for path in std::env::args().skip(1) {
        let input = std::fs::read(&path).unwrap();
        let lines = input.iter().filter(|&&b| b == b'\n').count();
        for &level in &levels {
            let mut options = Options::default(); options.level = level;
            let mut best = f64::MAX; let mut n = 0u64;
            let inner = (2_000_000 / input.len().max(1)).max(1);
            let reps = reps_env.unwrap_or(25);
            let mut failed = None;
            for _ in 0..reps {
                let t = cpu();
                for _ in 0..inner {
                let mut p = Parser::with_options(&input, &options);
                let mut counter = Counter::default();
                if let Err(e) = p.push_into(&mut counter) { failed = Some(e.to_string()); }
                n = counter.events();
                }
                best = best.min((cpu() - t) / inner as f64);
            }
            logs += (input.len() as f64 / best / 1e6).ln(); count += 1;
            println!("{:8.1} MB/s {:6.1} ns/line {:5.1} B/line {:7} {} {} {}", input.len() as f64 / best / 1e6, best * 1e9 / lines.max(1) as f64, input.len() as f64 / lines.max(1) as f64, level, n, path.rsplit('/').next().unwrap(), failed.unwrap_or_default());
        }
    }
    println!("geomean {:.1}", (logs / count as f64).exp());
}

//! Inputs on which a fuzz target once failed: `fuzz/regressions/<target>/<name>`.

use ketch_conformance::checks::Failures;
use ketch_conformance::targets;
use std::fs;
use std::path::Path;

#[test]
fn fixed_bugs_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/regressions");
    let mut failures = Failures::default();
    for (name, target) in targets::ALL {
        for file in fs::read_dir(folder.join(name)).into_iter().flatten() {
            let path = file.expect("a readable folder").path();
            let data = fs::read(&path).expect("a readable file");
            failures.note(path.display(), target(&data));
        }
    }
    failures.finish();
}

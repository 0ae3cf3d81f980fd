//! Passes any text to the parser, the checks, the formatter, and the comparison with itself.
#![no_main]

use ketch_extprot::compat::compare;
use ketch_extprot::schema::{NoLoader, check_schema, format_schema};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(formatted) = format_schema("f", text) {
        assert_eq!(format_schema("f", &formatted).expect("own text"), formatted);
        let same = check_schema("f", &formatted, &mut NoLoader).is_ok();
        assert_eq!(same, check_schema("f", text, &mut NoLoader).is_ok());
    }
    match check_schema("f", text, &mut NoLoader) {
        Ok(schema) => {
            let report = compare(&schema, &schema);
            assert!(report.is_backward_compatible() && report.is_forward_compatible(), "{report}");
        }
        Err(errors) => assert!(!errors.to_string().is_empty()),
    }
});

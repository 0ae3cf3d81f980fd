//! Edits a file by a program, and prints the new text: `edit PROGRAM FILE`

use ketch_query::Query;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [program, file] = &words[..] else {
        eprintln!("edit PROGRAM FILE");
        return ExitCode::from(2);
    };
    let text = std::fs::read_to_string(file).expect("a text in UTF-8");
    match Query::new(program, &[]).expect("a valid program").edit(&text) {
        Ok(edit) => print!("{}", edit.text()),
        Err(error) => {
            eprintln!("{file}: {}: {error}", error.kind_name());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

//! Makes a thousand edits in one session. Prints the processor time of the edits and of a parse of the text, both in
//! microseconds, and writes the result. The row `edit.session` of the board does the same in Ruby.

use ketch_edit::{Action, Edit, Operation};
use ketch_yaml::Parser;
use ketch_yaml::path::Step;

/// Returns the processor time of this thread in nanoseconds, on Linux.
fn cpu_time() -> Result<u64, Box<dyn std::error::Error>> {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(times.split(' ').next().unwrap_or_default().parse()?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: edit_session FILE OUT".into());
    };
    let text = std::fs::read_to_string(path)?;
    let started = cpu_time()?;
    let mut parser = Parser::new(text.as_bytes());
    while parser.next_chunk()?.is_some() {}
    let parse = cpu_time()? - started;
    let mut edit = Edit::open(&text)?;
    let at = |index: i64| [Step::Key("items".into()), Step::Index(index), Step::Key("port".into())];
    // The first edit finds the items.
    edit.apply(&[Operation::new(Action::set("1"), &at(5))])?;
    let started = cpu_time()?;
    for index in 0..1000 {
        let action = Action::set(index.to_string());
        edit.apply(&[Operation::new(action, &at(index * 97 % 50_000))])?;
    }
    println!("{} {}", (cpu_time()? - started) / 1000, parse / 1000);
    std::fs::write(out, edit.text())?;
    Ok(())
}

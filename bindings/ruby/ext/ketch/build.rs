//! Sets linker flags and `cfg`s for the Ruby that the extension is built for.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rb_sys_env::activate()?;
    Ok(())
}

//! The options of the programs that compare Ketch with another reader.

/// What is compared, and with which program.
#[derive(Debug)]
pub struct Options {
    /// The command that starts the other reader.
    pub oracle: String,
    /// The number of inputs.
    pub count: usize,
    /// The seed of the generator.
    pub seed: u64,
    /// The number of differences to print.
    pub show: usize,
}

impl Options {
    /// Returns the options that this process was started with. `inputs` is the name of the option
    /// for the number of inputs, whose default is `count`.
    ///
    /// # Errors
    ///
    /// Fails if an option is unknown, or has no value or an invalid one.
    pub fn from_args(inputs: &str, count: usize) -> Result<Options, String> {
        let mut options = Options { oracle: String::new(), count, seed: 20, show: 5 };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
            let number = || value.parse::<u64>().map_err(|error| format!("{name}: {error}"));
            match name.as_str() {
                "--oracle" => options.oracle = value,
                "--seed" => options.seed = number()?,
                "--show" => options.show = number()? as usize,
                _ if name == inputs => options.count = number()? as usize,
                _ => return Err(format!("unknown option {name}")),
            }
        }
        Ok(options)
    }
}

//! Parses the options, the expression and the files in arguments of yq.

/// The meaning of the arguments of yq.
#[derive(Debug, Default)]
pub struct Words {
    pub expression: String,
    pub files: Vec<String>,
    pub in_place: bool,
    pub raw: bool,
    /// Whether the output is JSON. `is_compact` says whether it is on one line.
    pub json: bool,
    pub is_compact: bool,
    /// Whether the input is JSON.
    pub from_json: bool,
    /// Whether all files are treated as one input.
    pub is_all: bool,
    /// The expression that determines the names of the files into which documents are split.
    pub split: Option<String>,
}

/// The subcommands of yq that evaluate an expression.
const COMMANDS: [&str; 4] = ["eval", "e", "eval-all", "ea"];

impl Words {
    /// Parses `arguments`. Returns `None` if they are not those of yq.
    pub fn of(arguments: &[String]) -> Option<Words> {
        let mut words = Words::default();
        let mut rest = arguments.iter().map(String::as_str).peekable();
        let is_named = rest.next_if_eq(&"yq").is_some();
        let command = rest.next_if(|word| COMMANDS.contains(word));
        words.is_all = command.is_some_and(|command| command.contains('a') && command != "eval");
        let mut plain = Vec::new();
        while let Some(word) = rest.next() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) if word.starts_with('-') => (option, Some(value)),
                _ => (word, None),
            };
            match option {
                "-i" | "--inplace" => words.in_place = true,
                "-r" | "--unwrapScalar" => words.raw = true,
                "-j" | "--tojson" | "-oj" | "-ojson" => words.json = true,
                "-I0" => words.is_compact = true,
                "-o" | "--output-format" => words.json = is_json(value.or_else(|| rest.next())?)?,
                "-p" | "--input-format" => {
                    words.from_json = is_json(value.or_else(|| rest.next())?)?;
                }
                "-s" | "--split-exp" => {
                    words.split = Some(value.or_else(|| rest.next())?.to_owned())
                }
                "-pj" | "-pjson" => words.from_json = true,
                "-P" | "--prettyPrint" | "-e" | "--exit-status" | "-N" | "--no-doc" | "-M"
                | "-C" => {}
                _ if option.len() > 1 && option.starts_with('-') => return None,
                _ => plain.push(word),
            }
        }
        let mut plain = plain.into_iter();
        words.expression = match words.split {
            Some(_) => ".".to_owned(),
            None => plain.next()?.to_owned(),
        };
        words.files = plain.map(str::to_owned).collect();
        (is_named || command.is_some() || words.has_expression()).then_some(words)
    }

    /// Returns whether the first word looks like an expression, and not like a file.
    fn has_expression(&self) -> bool {
        self.expression.starts_with(['.', '(']) || self.expression.contains(['(', '|'])
    }
}

/// Returns whether `format` is JSON, or `None` if ketch does not have this format.
fn is_json(format: &str) -> Option<bool> {
    match format {
        "json" | "j" => Some(true),
        "yaml" | "y" => Some(false),
        _ => None,
    }
}

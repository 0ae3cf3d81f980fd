//! Checks a parsed schema and resolves its types: names, arities, defaults, and all other static checks
//! (specification 12).

mod checker;
mod declarations;
mod loader;
mod messages;
mod subsets;
mod types;

pub use loader::{FileLoader, Loader, NoLoader};

use super::diagnostic::{Diagnostic, Diagnostics, Rule, Source, Sources, Span};
use super::types::Schema;
use checker::{Checker, SUGGESTIONS_MAX, Scope};
use std::collections::HashMap;
use std::sync::Arc;

/// Checks the schema `text`, which errors call `name`, and all schemas that it includes.
///
/// # Errors
/// Returns all errors, each with its location and how to fix it.
///
/// ```
/// use ketch_extprot::schema::{NoLoader, check_schema};
/// let schema = check_schema("a.proto", "message user = { id : int; name : string }", &mut NoLoader)?;
/// assert!(schema.lookup("user").is_some());
/// let wrong = check_schema("a.proto", "message m = { a : foo }", &mut NoLoader).unwrap_err();
/// assert!(wrong.to_string().starts_with("a.proto:1:19: foo is not declared"));
/// # Ok::<(), ketch_extprot::schema::Diagnostics>(())
/// ```
pub fn check_schema(
    name: &str,
    text: &str,
    loader: &mut dyn Loader,
) -> Result<Schema, Diagnostics> {
    let mut checker = Checker {
        loader,
        sources: Vec::new(),
        files: Vec::new(),
        types: Vec::new(),
        known: HashMap::new(),
        errors: Vec::new(),
        modules: HashMap::new(),
        depth: 0,
        suggestions_left: SUGGESTIONS_MAX,
    };
    let mut scope = Scope::default();
    checker.file(Source { name: name.into(), text: text.into() }, &mut scope);
    let sources = Arc::new(Sources(checker.sources));
    if !checker.errors.is_empty() {
        return Err(Diagnostics { list: checker.errors, sources });
    }
    let names =
        scope.names.iter().filter_map(|(n, d)| d.resolved.map(|id| (n.clone(), id))).collect();
    Ok(Schema {
        types: checker.types,
        program: Arc::default(),
        names,
        messages: scope.messages,
        sources,
        files: checker.files,
    })
}

/// Reads and checks a schema file.
///
/// # Errors
/// Returns all errors in the schema. A file that cannot be read is one error.
pub fn check_file(path: &str) -> Result<Schema, Diagnostics> {
    match FileLoader.load(path, "") {
        Ok(source) => check_schema(&source.name, &source.text, &mut FileLoader),
        Err(error) => {
            let sources = Sources(vec![Source { name: path.into(), text: String::new() }]);
            let diagnostic = Diagnostic {
                rule: Rule::IncludeFile,
                span: Span::default(),
                message: format!("cannot read the schema: {error}"),
                help: "give the path of a schema file".into(),
                related: None,
            };
            Err(Diagnostics { list: vec![diagnostic], sources: Arc::new(sources) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rules that the schema violates.
    fn errors(text: &str) -> Vec<Rule> {
        match check_schema("t.proto", text, &mut NoLoader) {
            Ok(_) => Vec::new(),
            Err(errors) => errors.list.iter().map(|error| error.rule).collect(),
        }
    }

    #[test]
    fn each_error_points_at_its_location() {
        let text = "type t = A | B\nmessage m = {\n  a : int;\n  b : tt;\n}";
        let error = check_schema("dir/x.proto", text, &mut NoLoader).unwrap_err().to_string();
        let expected = "\
dir/x.proto:4:7: tt is not declared
    4 |   b : tt;
      |       ^^
  help: declare or include it above its use
";
        assert_eq!(error, expected);
    }

    #[test]
    fn all_errors_are_reported_together() {
        let text = "type a = [ b ] type a2 = int message m = { x : a3; x : int [@foo 1] }";
        let expected =
            [Rule::UnboundName, Rule::DuplicateName, Rule::UnboundName, Rule::UnknownOption];
        assert_eq!(errors(text), expected);
    }

    #[test]
    fn only_the_first_unknown_names_get_suggestions() {
        let declared: String = (0..200).map(|i| format!("type name{i} = int\n")).collect();
        let used: String = (0..200).map(|i| format!(" f{i} : nome{i};")).collect();
        let text = format!("{declared}message m = {{{used} }}");
        let errors = check_schema("t.proto", &text, &mut NoLoader).unwrap_err().list;
        assert_eq!(errors.len(), 200);
        let suggested = errors.iter().filter(|error| error.help.starts_with("did you mean"));
        assert_eq!(suggested.count(), SUGGESTIONS_MAX);
        assert_eq!(errors[7].help, "did you mean name7?");
    }

    #[test]
    fn expansion_of_templates_is_limited() {
        let mut text = String::from("type t0 'a = (int * 'a)\n");
        for i in 1..40 {
            text += &format!("type t{i} 'a = (t{0}<[ 'a ]> * t{0}<[| 'a |]>)\n", i - 1);
        }
        text += "message m = { a : t39<int> }";
        assert_eq!(errors(&text).first(), Some(&Rule::Limit));
    }

    #[test]
    fn equal_types_are_stored_once() {
        let mut text = String::from("type t0 = (int * int)\n");
        for i in 1..40 {
            text += &format!("type t{i} = (t{0} * t{0})\n", i - 1);
        }
        text += "message m = { a : t39 }";
        let schema = check_schema("t.proto", &text, &mut NoLoader).unwrap();
        assert!(schema.types.len() < 50);
        // The default of `t39` would have 2^39 parts, which exceeds a limit.
        let text = text.replace("(int * int)", "(bool * bool)");
        let schema = check_schema("t.proto", &text, &mut NoLoader).unwrap();
        let error = schema.default_value(schema.lookup("m").unwrap()).unwrap_err();
        assert!(matches!(error.problem(), crate::Problem::LimitExceeded { .. }));
    }

    #[test]
    fn deep_types_are_rejected_without_a_stack_overflow() {
        let deep =
            format!("message m = {{ a : {}int{} }}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(errors(&deep), [Rule::Limit]);
        let mut chain = String::from("type a0 = [ int ]\n");
        for i in 1..1000 {
            chain += &format!("type a{i} = [ a{} ]\n", i - 1);
        }
        assert_eq!(errors(&chain).first(), Some(&Rule::Limit));
        let mut chain = String::from("type a0 'x = [ 'x ]\n");
        for i in 1..5_000 {
            chain += &format!("type a{i} 'x = a{}<'x>\n", i - 1);
        }
        chain += "message m = { a : a4999<int> }";
        assert_eq!(errors(&chain).first(), Some(&Rule::Limit));
    }
}

//! From syntax to types: names, arities, defaults, and all the static checks (specification 12).

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use super::ast::{
    self, CaseBody, DeclarationKind, File, MessageBody, Name, Regime, TypeBody, TypeExpr,
    TypeExprKind,
};
use super::defaults::default_value;
use super::diagnostic::{Diagnostic, Diagnostics, Rule, Source, Sources, Span};
use super::parse::{DEPTH_MAX, parse};
use super::types::{
    Case, Constructor, Default, Field, Message, Schema, Sum, Type, TypeId, TypeInfo,
};

/// The most types a schema may have once every type variable is filled in. Templates can ask for
/// exponentially many.
const TYPES_MAX: usize = 1 << 18;

/// A field that is not larger than this is never lazy.
const SMALL_WORDS: u32 = 8;

/// Finds the files that a schema includes, and the schemas of other modules it names.
pub trait Loader {
    /// The text of the file `path` names when written in the file `from`, with the name to show and
    /// to know it by.
    fn load(&mut self, path: &str, from: &str) -> io::Result<Source>;
}

/// Reads from the file system; paths are relative to the file they are written in.
#[derive(Debug, Clone, Copy, Default)]
pub struct FileLoader;

impl Loader for FileLoader {
    fn load(&mut self, path: &str, from: &str) -> io::Result<Source> {
        let base = std::path::Path::new(from).parent().unwrap_or(std::path::Path::new(""));
        let path = base.join(path);
        let text = std::fs::read_to_string(&path)?;
        Ok(Source { name: path.to_string_lossy().into_owned(), text })
    }
}

/// Finds nothing: for schemas in one file.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLoader;

impl Loader for NoLoader {
    fn load(&mut self, path: &str, _from: &str) -> io::Result<Source> {
        Err(io::Error::new(io::ErrorKind::NotFound, format!("{path} cannot be included here")))
    }
}

/// Checks the schema `text`, called `name`, and all that it includes.
///
/// # Errors
/// Everything that is wrong, each with its place and how to fix it.
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
        names,
        messages: scope.messages,
        sources,
        files: checker.files,
    })
}

/// Reads and checks a schema file.
///
/// # Errors
/// Everything that is wrong with it; a file that cannot be read is one diagnostic.
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

/// The names visible in a file.
#[derive(std::default::Default)]
struct Scope {
    names: HashMap<String, Declared>,
    messages: Vec<(String, TypeId)>,
    /// The files being included, to see one that includes itself.
    open: Vec<String>,
    /// The module names of included files.
    modules: Vec<String>,
    /// The declaration being checked.
    current: Option<Name>,
}

struct Declared {
    span: Span,
    /// Where the declaration is: file and place in it.
    file: usize,
    index: usize,
    parameters: usize,
    is_message: bool,
    /// The type, when there are no parameters.
    resolved: Option<TypeId>,
}

/// What a use of types is known by: equal keys are one type.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Primitive(ast::Primitive, Option<Default>),
    List(TypeId),
    Array(TypeId),
    Tuple(Vec<TypeId>),
    /// A declaration (file, index), its arguments, and whether fields are lazy by themselves; the
    /// last part tells the renamed copies of a record apart.
    Declared(usize, usize, Vec<TypeId>, bool, Option<String>),
    External(String),
}

/// An error was reported; what depends on it says nothing.
struct Reported;

type Checked<T> = Result<T, Reported>;

struct Checker<'l> {
    loader: &'l mut dyn Loader,
    sources: Vec<Source>,
    files: Vec<File>,
    types: Vec<TypeInfo>,
    known: HashMap<Key, TypeId>,
    errors: Vec<Diagnostic>,
    /// Schemas of other modules: their scopes, or `None` where there is none.
    modules: HashMap<String, Option<HashMap<String, TypeId>>>,
    depth: usize,
    /// How many more names get a suggestion, which takes a comparison with every declared name.
    suggestions_left: usize,
}

/// The names that get a suggestion. A schema with more unknown names has another problem than typos.
const SUGGESTIONS_MAX: usize = 100;

/// The values of the type variables.
type Bindings = HashMap<String, TypeId>;

impl Checker<'_> {
    fn report<T>(&mut self, rule: Rule, span: Span, message: String, help: &str) -> Checked<T> {
        let help = help.into();
        self.errors.push(Diagnostic { rule, span, message, help, related: None });
        Err(Reported)
    }

    fn relate(&mut self, span: Span, reason: &str) {
        if let Some(error) = self.errors.last_mut() {
            error.related = Some((span, reason.into()));
        }
    }

    // ---- files and declarations

    fn file(&mut self, source: Source, scope: &mut Scope) {
        let number = self.sources.len();
        let parsed = parse(&source.text, number as u32);
        scope.open.push(source.name.clone());
        self.sources.push(source);
        // The number must be taken before included files take theirs.
        self.files.push(File { declarations: Vec::new(), comments: Vec::new() });
        match parsed {
            Ok(file) => {
                self.files[number] = file;
                for index in 0..self.files[number].declarations.len() {
                    self.declaration(number, index, scope);
                }
            }
            Err(error) => self.errors.push(error),
        }
        scope.open.pop();
    }

    fn declaration(&mut self, file: usize, index: usize, scope: &mut Scope) {
        let declaration = self.files[file].declarations[index].clone();
        self.check_options(&declaration);
        let (name, parameters, is_message) = match &declaration.kind {
            DeclarationKind::Include { path, path_span } => {
                let _ = self.include(path, *path_span, scope);
                return;
            }
            DeclarationKind::Type { name, parameters, .. } => (name, parameters.len(), false),
            DeclarationKind::Message { name, .. } => (name, 0, true),
        };
        if let Some(first) = scope.names.get(&name.text).map(|d| d.span) {
            let message = format!("{} is declared twice", name.text);
            let help = "rename one; types and messages share their names, also those included";
            let _: Checked<()> = self.report(Rule::DuplicateName, name.span, message, help);
            self.relate(first, "it is declared here first");
            return;
        }
        scope.current = Some(name.clone());
        let before = self.errors.len();
        self.check_syntax(&declaration.kind, scope);
        let sound = self.errors.len() == before;
        let mut declared =
            Declared { span: name.span, file, index, parameters, is_message, resolved: None };
        if sound && parameters == 0 {
            let resolved = self.resolve(&declaration, (file, index), scope);
            match resolved {
                Ok(id) => declared.resolved = Some(id),
                // A type is checked where a message uses it; until then it may have, for one,
                // a default that does not fit.
                Err(Reported) if !is_message => {
                    let keep = |e: &Diagnostic| e.rule != Rule::DefaultValue;
                    let tail: Vec<_> = self.errors.drain(before..).filter(keep).collect();
                    self.errors.extend(tail);
                }
                Err(Reported) => {}
            }
        }
        scope.current = None;
        if is_message && let Some(id) = declared.resolved {
            scope.messages.push((name.text.clone(), id));
        }
        scope.names.insert(name.text.clone(), declared);
    }

    fn include(&mut self, path: &str, span: Span, scope: &mut Scope) -> Checked<()> {
        let from = self.sources[span.file as usize].name.clone();
        match self.loader.load(path, &from) {
            Ok(source) if scope.open.contains(&source.name) => {
                let message = format!("{path} includes itself");
                let help = "remove one include; move what both need to a third file";
                self.report(Rule::Recursion, span, message, help)
            }
            Ok(source) => {
                scope.modules.push(module_name(&source.name));
                self.file(source, scope);
                Ok(())
            }
            Err(error) => {
                let message = format!("cannot read {path}: {error}");
                let help = "give a path relative to this file";
                self.report(Rule::IncludeFile, span, message, help)
            }
        }
    }

    fn check_options(&mut self, declaration: &ast::Declaration) {
        for option in &declaration.options {
            let known = option.name == "default"
                || option.name == "autolazy"
                || option
                    .name
                    .rsplit_once('.')
                    .is_some_and(|(_, kind)| matches!(kind, "type" | "type_equals" | "pp"));
            if !known {
                let message = format!("there is no option {}", option.name);
                let help = "the options are default, autolazy and, for any language, \
                    lang.type, lang.type_equals and lang.pp";
                let _: Checked<()> =
                    self.report(Rule::UnknownOption, option.name_span, message, help);
            }
            if option.name == "ocaml.type" {
                let parts = option.value.split(|&b| b == b';').count();
                if !(3..=4).contains(&parts) {
                    let message = "ocaml.type needs three or four parts".into();
                    let help = "write \"type; of_wire; to_wire\", with \"; default\" if need be";
                    let _: Checked<()> =
                        self.report(Rule::OcamlOption, option.value_span, message, help);
                }
            }
        }
    }

    // ---- checks that need no types: duplicates, unbound names, arities

    fn check_syntax(&mut self, kind: &DeclarationKind, scope: &Scope) {
        match kind {
            DeclarationKind::Include { .. } => {}
            DeclarationKind::Type { parameters, body, .. } => {
                self.check_unique(parameters.iter(), "type variable");
                match body {
                    TypeBody::Sum(constructors) => {
                        self.check_unique(constructors.iter().map(|c| &c.name), "constructor");
                        for ty in constructors.iter().flat_map(|c| &c.arguments) {
                            self.check_names(ty, parameters, scope);
                        }
                    }
                    TypeBody::Record(fields) => self.check_fields(fields, parameters, scope),
                    TypeBody::Alias(ty) => self.check_names(ty, parameters, scope),
                }
            }
            DeclarationKind::Message { body, .. } => match body {
                MessageBody::Plain(case) => self.check_case(case, scope),
                MessageBody::Union(cases) => {
                    self.check_unique(cases.iter().map(|(name, _)| name), "case");
                    for (_, case) in cases {
                        self.check_case(case, scope);
                    }
                }
                MessageBody::Subset(_, fields) => {
                    for ty in fields.iter().filter_map(|field| field.ty.as_ref()) {
                        self.check_names(ty, &[], scope);
                    }
                }
                MessageBody::External(..) | MessageBody::SubsetNot(..) => {}
            },
        }
    }

    fn check_case(&mut self, case: &CaseBody, scope: &Scope) {
        match case {
            CaseBody::Record(fields) => self.check_fields(fields, &[], scope),
            CaseBody::Apply(name, arguments) => {
                let _ = self.check_application(name, arguments, &[], scope);
            }
        }
    }

    fn check_fields(&mut self, fields: &[ast::Field], parameters: &[Name], scope: &Scope) {
        self.check_unique(fields.iter().map(|field| &field.name), "field");
        for field in fields {
            self.check_names(&field.ty, parameters, scope);
        }
    }

    fn check_unique<'n>(&mut self, names: impl Iterator<Item = &'n Name>, what: &str) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for name in names {
            if let Some(first) = seen.insert(&name.text, name.span) {
                let message = format!("the {what} {} occurs twice", name.text);
                let _: Checked<()> =
                    self.report(Rule::DuplicateName, name.span, message, "rename one of them");
                self.relate(first, "it occurs here first");
            }
        }
    }

    /// Recursion here is bounded by the parser's limit on nesting.
    fn check_names(&mut self, ty: &TypeExpr, parameters: &[Name], scope: &Scope) {
        match &ty.kind {
            TypeExprKind::Primitive(_, annotations) => {
                for annotation in annotations.iter().filter(|a| a.name.text != "default") {
                    let message = format!("there is no annotation {}", annotation.name.text);
                    let help = "the only annotation of a type is [@default value]";
                    let _: Checked<()> =
                        self.report(Rule::UnknownOption, annotation.name.span, message, help);
                }
            }
            TypeExprKind::List(element) | TypeExprKind::Array(element) => {
                self.check_names(element, parameters, scope);
            }
            TypeExprKind::Tuple(elements) => {
                elements.iter().for_each(|e| self.check_names(e, parameters, scope));
            }
            TypeExprKind::Variable(name) => {
                if !parameters.iter().any(|p| p.text == *name) {
                    let message = format!("the type variable '{name} is not declared");
                    let help = "name it before the =, as in type t 'a = ...; messages have none";
                    let _: Checked<()> = self.report(Rule::UnboundName, ty.span, message, help);
                }
            }
            TypeExprKind::Apply(name, arguments) => {
                let _ = self.check_application(name, arguments, parameters, scope);
            }
            TypeExprKind::External(..) => {}
        }
    }

    fn check_application(
        &mut self,
        name: &Name,
        arguments: &[TypeExpr],
        parameters: &[Name],
        scope: &Scope,
    ) -> Checked<()> {
        let result = match scope.names.get(&name.text) {
            None => self.unbound(name, scope),
            Some(declared) if declared.parameters != arguments.len() => {
                let (wanted, span) = (declared.parameters, declared.span);
                let kind = if declared.is_message { "message" } else { "type" };
                let message = format!(
                    "the {kind} {} takes {wanted} type argument{}, {} given",
                    name.text,
                    if wanted == 1 { "" } else { "s" },
                    arguments.len()
                );
                let help = "give one type for each type variable of the declaration";
                let result = self.report(Rule::Arity, name.span, message, help);
                self.relate(span, "it is declared here");
                result
            }
            Some(_) => Ok(()),
        };
        arguments.iter().for_each(|a| self.check_names(a, parameters, scope));
        result
    }

    fn unbound<T>(&mut self, name: &Name, scope: &Scope) -> Checked<T> {
        if scope.current.as_ref().is_some_and(|current| current.text == name.text) {
            let message = format!("{} contains itself: it is recursive", name.text);
            let help = "schemas are finite trees; nest as deep as you need, or keep \
                references as keys";
            return self.report(Rule::Recursion, name.span, message, help);
        }
        let close = match self.suggestions_left.checked_sub(1) {
            Some(left) => {
                self.suggestions_left = left;
                scope.names.keys().filter(|known| close(known, &name.text)).min()
            }
            None => None,
        };
        let help = match close {
            Some(known) => format!("perhaps {known} is meant"),
            None => "declare or include it above its use".into(),
        };
        let message = format!("{} is not declared", name.text);
        self.report(Rule::UnboundName, name.span, message, &help)
    }

    // ---- types

    fn intern(&mut self, key: Key, ty: Type, span: Span) -> Checked<TypeId> {
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let info = ty.info(&self.types);
        if info.depth as usize > DEPTH_MAX {
            let message = format!("types nested more than {DEPTH_MAX} deep");
            return self.report(Rule::Limit, span, message, "flatten the schema");
        }
        if self.types.len() >= TYPES_MAX {
            let message = format!("more than {TYPES_MAX} types once all variables are filled in");
            return self.report(Rule::Limit, span, message, "use fewer type arguments");
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(info);
        self.known.insert(key, id);
        Ok(id)
    }

    /// The type of a declaration without parameters.
    fn resolve(
        &mut self,
        declaration: &ast::Declaration,
        at: (usize, usize),
        scope: &Scope,
    ) -> Checked<TypeId> {
        match &declaration.kind {
            DeclarationKind::Include { .. } => Err(Reported),
            DeclarationKind::Type { .. } => self.instantiate(at, Vec::new(), scope),
            DeclarationKind::Message { name, autolazy, body } => {
                self.message(name, *autolazy, body, at, scope)
            }
        }
    }

    /// A type declaration with its variables filled in.
    fn instantiate(
        &mut self,
        at: (usize, usize),
        arguments: Vec<TypeId>,
        scope: &Scope,
    ) -> Checked<TypeId> {
        let key = Key::Declared(at.0, at.1, arguments.clone(), false, None);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let declaration = self.files[at.0].declarations[at.1].clone();
        let DeclarationKind::Type { name, parameters, body } = &declaration.kind else {
            return Err(Reported);
        };
        if self.depth == DEPTH_MAX {
            let message = format!("types nested more than {DEPTH_MAX} deep");
            return self.report(Rule::Limit, name.span, message, "flatten the schema");
        }
        self.depth += 1;
        let bindings: Bindings =
            parameters.iter().map(|p| p.text.clone()).zip(arguments.iter().copied()).collect();
        let result = match body {
            TypeBody::Sum(constructors) => {
                let sum = self.sum(name, constructors, &bindings, scope);
                sum.and_then(|mut sum| {
                    sum.arguments.clone_from(&arguments);
                    self.intern(key.clone(), Type::Sum(sum), name.span)
                })
            }
            TypeBody::Record(fields) => {
                let message = self.record(name, fields, &bindings, false, scope);
                message.and_then(|mut message| {
                    message.arguments.clone_from(&arguments);
                    self.intern(key.clone(), Type::Message(message), name.span)
                })
            }
            TypeBody::Alias(ty) => {
                let aliased = self.type_expr(ty, &bindings, scope);
                aliased.and_then(|id| match (&ty.kind, &self.types[id.0 as usize].ty) {
                    (TypeExprKind::Apply(_, arguments), Type::Message(message))
                        if arguments.is_empty() && parameters.is_empty() =>
                    {
                        let message = renamed(message, &name.text);
                        self.intern(key.clone(), Type::Message(message), name.span)
                    }
                    _ => Ok(id),
                })
            }
        };
        self.depth -= 1;
        let id = self.with_default(result?, &declaration)?;
        self.check_ocaml_default(id, &declaration)?;
        self.known.insert(key, id);
        Ok(id)
    }

    /// Gives a primitive the default of its declaration, unless an inner one has given it one.
    fn with_default(&mut self, id: TypeId, declaration: &ast::Declaration) -> Checked<TypeId> {
        let Some(option) = declaration.options.iter().find(|o| o.name == "default") else {
            return Ok(id);
        };
        let Type::Primitive(primitive, None) = self.types[id.0 as usize].ty else {
            return Ok(id);
        };
        let value = ast::AnnotationValue::String(option.value.clone());
        let default = self.default(primitive, &value, option.value_span)?;
        self.primitive(primitive, Some(default), option.value_span)
    }

    fn default(
        &mut self,
        primitive: ast::Primitive,
        value: &ast::AnnotationValue,
        span: Span,
    ) -> Checked<Default> {
        match default_value(primitive, value) {
            Ok(default) => Ok(default),
            Err(help) => {
                let message = format!("this is no {}", primitive.name());
                self.report(Rule::DefaultValue, span, message, help)
            }
        }
    }

    /// Where the wire type has a default, the program's own type must have one, too.
    fn check_ocaml_default(&mut self, id: TypeId, declaration: &ast::Declaration) -> Checked<()> {
        for option in declaration.options.iter().filter(|o| o.name == "ocaml.type") {
            let parts = option.value.split(|&b| b == b';').count();
            if parts == 3 && self.types[id.0 as usize].has_default {
                let message = "the type has a default, but ocaml.type gives none".into();
                let help = "add a fourth part to ocaml.type: the default";
                return self.report(Rule::DefaultValue, option.value_span, message, help);
            }
        }
        Ok(())
    }

    fn primitive(
        &mut self,
        primitive: ast::Primitive,
        default: Option<Default>,
        span: Span,
    ) -> Checked<TypeId> {
        let key = Key::Primitive(primitive, default.clone());
        self.intern(key, Type::Primitive(primitive, default), span)
    }

    /// Recursion here is bounded by the limits on nesting.
    fn type_expr(&mut self, ty: &TypeExpr, bindings: &Bindings, scope: &Scope) -> Checked<TypeId> {
        match &ty.kind {
            TypeExprKind::Primitive(primitive, annotations) => {
                // The first written counts; the others must fit all the same.
                let mut default = None;
                for annotation in annotations {
                    let value = self.default(*primitive, &annotation.value, annotation.span)?;
                    default.get_or_insert(value);
                }
                self.primitive(*primitive, default, ty.span)
            }
            TypeExprKind::List(element) => {
                let element = self.type_expr(element, bindings, scope)?;
                self.intern(Key::List(element), Type::List(element), ty.span)
            }
            TypeExprKind::Array(element) => {
                let element = self.type_expr(element, bindings, scope)?;
                self.intern(Key::Array(element), Type::Array(element), ty.span)
            }
            TypeExprKind::Tuple(elements) => {
                let elements = self.type_exprs(elements, bindings, scope)?;
                self.intern(Key::Tuple(elements.clone()), Type::Tuple(elements), ty.span)
            }
            TypeExprKind::Variable(name) => bindings.get(name).copied().ok_or(Reported),
            TypeExprKind::Apply(name, arguments) => {
                let arguments = self.type_exprs(arguments, bindings, scope)?;
                self.apply(name, arguments, scope)
            }
            TypeExprKind::External(path, name) => self.external(path, name, ty.span, scope),
        }
    }

    fn type_exprs(
        &mut self,
        types: &[TypeExpr],
        bindings: &Bindings,
        scope: &Scope,
    ) -> Checked<Vec<TypeId>> {
        types.iter().map(|ty| self.type_expr(ty, bindings, scope)).collect()
    }

    fn apply(&mut self, name: &Name, arguments: Vec<TypeId>, scope: &Scope) -> Checked<TypeId> {
        match scope.names.get(&name.text) {
            None => self.unbound(name, scope),
            Some(Declared { resolved: Some(id), .. }) => Ok(*id),
            // The error in the message was reported where it stands.
            Some(declared) if declared.is_message => Err(Reported),
            Some(declared) => {
                let at = (declared.file, declared.index);
                self.instantiate(at, arguments, scope)
            }
        }
    }

    fn sum(
        &mut self,
        name: &Name,
        constructors: &[ast::Constructor],
        bindings: &Bindings,
        scope: &Scope,
    ) -> Checked<Sum> {
        let mut sum = Sum {
            name: name.text.clone(),
            constructors: Vec::new(),
            constants: Vec::new(),
            non_constants: Vec::new(),
            arguments: Vec::new(),
            span: name.span,
        };
        for (index, constructor) in constructors.iter().enumerate() {
            let arguments = self.type_exprs(&constructor.arguments, bindings, scope)?;
            let same_kind =
                if arguments.is_empty() { &mut sum.constants } else { &mut sum.non_constants };
            let tag = same_kind.len() as u32;
            same_kind.push(index as u32);
            let (name, span) = (constructor.name.text.clone(), constructor.name.span);
            sum.constructors.push(Constructor { name, arguments, tag, span });
        }
        Ok(sum)
    }

    fn record(
        &mut self,
        name: &Name,
        fields: &[ast::Field],
        bindings: &Bindings,
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Message> {
        let case = Case {
            name: String::new(),
            module: capitalized(&name.text),
            fields: self.fields(fields, bindings, autolazy, scope)?,
            span: name.span,
        };
        let (name, span) = (name.text.clone(), name.span);
        Ok(Message {
            name,
            cases: vec![case],
            union: false,
            subset: false,
            arguments: Vec::new(),
            span,
        })
    }

    fn fields(
        &mut self,
        fields: &[ast::Field],
        bindings: &Bindings,
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Vec<Field>> {
        let mut resolved = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let ty = self.type_expr(&field.ty, bindings, scope)?;
            resolved.push(Field {
                name: field.name.text.clone(),
                ty,
                lazy: self.is_lazy(ty, field.regime, autolazy),
                mutable: field.mutable,
                wire_index: index as u32,
                span: field.name.span,
            });
        }
        Ok(resolved)
    }

    /// Specification 8: small types and primitives are decoded at once whatever is declared.
    fn is_lazy(&self, ty: TypeId, regime: Option<Regime>, autolazy: bool) -> bool {
        let wanted = regime == Some(Regime::Lazy) || regime.is_none() && autolazy;
        let info = &self.types[ty.0 as usize];
        wanted && info.words > SMALL_WORDS && !matches!(info.ty, Type::Primitive(..))
    }

    // ---- messages

    fn message(
        &mut self,
        name: &Name,
        autolazy: bool,
        body: &MessageBody,
        at: (usize, usize),
        scope: &Scope,
    ) -> Checked<TypeId> {
        let key = Key::Declared(at.0, at.1, Vec::new(), autolazy, None);
        let message = match body {
            MessageBody::Plain(CaseBody::Record(fields)) => {
                self.record(name, fields, &Bindings::new(), autolazy, scope)?
            }
            MessageBody::Plain(CaseBody::Apply(target, arguments)) => {
                let id = self.record_named(target, arguments, scope)?;
                if !autolazy {
                    return Ok(id);
                }
                let Type::Message(message) = self.types[id.0 as usize].ty.clone() else {
                    return Err(Reported);
                };
                self.autolazy_copy(message, target, scope)
            }
            MessageBody::Union(cases) => self.union(name, cases, autolazy, scope)?,
            MessageBody::External(module, target) => {
                let path = std::slice::from_ref(module);
                return self.external(path, target, module.span.to(target.span), scope);
            }
            MessageBody::Subset(source, fields) => {
                self.subset(name, source, fields, autolazy, scope)?
            }
            MessageBody::SubsetNot(source, excluded) => {
                self.subset_not(name, source, excluded, autolazy, scope)?
            }
        };
        self.intern(key, Type::Message(message), name.span)
    }

    /// A record or message by name, where only those may stand.
    fn record_named(
        &mut self,
        name: &Name,
        arguments: &[TypeExpr],
        scope: &Scope,
    ) -> Checked<TypeId> {
        let arguments = self.type_exprs(arguments, &Bindings::new(), scope)?;
        let id = self.apply(name, arguments, scope)?;
        if matches!(self.types[id.0 as usize].ty, Type::Message(_) | Type::External(_)) {
            return Ok(id);
        }
        let message = format!("{} is no record or message", name.text);
        let help = "a message is a record; put the type into a field: { value : ... }";
        self.report(Rule::NotARecord, name.span, message, help)
    }

    /// The fields of a record declared elsewhere, lazy unless annotated or small.
    fn autolazy_copy(&mut self, mut message: Message, target: &Name, scope: &Scope) -> Message {
        let regimes = self.declared_regimes(target, scope);
        for field in message.cases.iter_mut().flat_map(|case| &mut case.fields) {
            let regime = regimes.get(&field.name).copied().flatten();
            field.lazy = self.is_lazy(field.ty, regime, true);
        }
        message
    }

    fn declared_regimes(&self, name: &Name, scope: &Scope) -> HashMap<String, Option<Regime>> {
        let Some(declared) = scope.names.get(&name.text) else { return HashMap::new() };
        let fields = match &self.files[declared.file].declarations[declared.index].kind {
            DeclarationKind::Type { body: TypeBody::Record(fields), .. } => fields.as_slice(),
            DeclarationKind::Message {
                body: MessageBody::Plain(CaseBody::Record(fields)), ..
            } => fields,
            _ => &[],
        };
        fields.iter().map(|f| (f.name.text.clone(), f.regime)).collect()
    }

    fn union(
        &mut self,
        name: &Name,
        cases: &[(Name, CaseBody)],
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Message> {
        let mut resolved = Vec::new();
        for (case_name, body) in cases {
            let (module, fields) = match body {
                CaseBody::Record(fields) => {
                    let module = format!("{}.{}", capitalized(&name.text), case_name.text);
                    (module, self.fields(fields, &Bindings::new(), autolazy, scope)?)
                }
                CaseBody::Apply(target, arguments) => {
                    self.case_of_record(target, arguments, scope)?
                }
            };
            let (name, span) = (case_name.text.clone(), case_name.span);
            resolved.push(Case { name, module, fields, span });
        }
        let (name, span) = (name.text.clone(), name.span);
        Ok(Message {
            name,
            cases: resolved,
            union: true,
            subset: false,
            arguments: Vec::new(),
            span,
        })
    }

    fn case_of_record(
        &mut self,
        target: &Name,
        arguments: &[TypeExpr],
        scope: &Scope,
    ) -> Checked<(String, Vec<Field>)> {
        let id = self.record_named(target, arguments, scope)?;
        match &self.types[id.0 as usize].ty {
            Type::Message(message) if !message.union && !message.subset => {
                let case = &message.cases[0];
                Ok((case.module.clone(), case.fields.clone()))
            }
            _ => {
                let message = format!("{} is no record", target.text);
                let help = "a case of a union is a record, or a message that is one";
                self.report(Rule::NotARecord, target.span, message, help)
            }
        }
    }

    // ---- subsets (specification 7)

    /// The record a subset takes its fields from.
    fn subset_source(&mut self, source: &Name, scope: &Scope) -> Checked<Vec<Field>> {
        let help = "take fields of a message defined by a record or by one record type, or of a \
            record type without type variables";
        let Some(declared) = scope.names.get(&source.text) else {
            let message = format!("{} is not declared", source.text);
            return self.report(Rule::SubsetSource, source.span, message, help);
        };
        let (at, id) = ((declared.file, declared.index), declared.resolved);
        let rule = match &self.files[at.0].declarations[at.1].kind {
            DeclarationKind::Type { body: TypeBody::Record(_), parameters, .. }
                if parameters.is_empty() =>
            {
                None
            }
            DeclarationKind::Message { body: MessageBody::Plain(body), .. } => match body {
                CaseBody::Record(_) => None,
                // One alias is followed, an alias of an alias is not.
                CaseBody::Apply(target, _) => self.alias_rule(target, scope),
            },
            _ => Some(Rule::SubsetSource),
        };
        if let Some(rule) = rule {
            let message = format!("{} has no fields to take", source.text);
            return self.report(rule, source.span, message, help);
        }
        match id.map(|id| &self.types[id.0 as usize].ty) {
            Some(Type::Message(m)) if !m.union && !m.subset => Ok(m.cases[0].fields.clone()),
            Some(_) => {
                let message = format!("{} has no fields to take", source.text);
                self.report(Rule::SubsetSource, source.span, message, help)
            }
            None => Err(Reported),
        }
    }

    fn alias_rule(&self, target: &Name, scope: &Scope) -> Option<Rule> {
        let declared = scope.names.get(&target.text)?;
        match &self.files[declared.file].declarations[declared.index].kind {
            DeclarationKind::Type { body: TypeBody::Record(_), .. }
            | DeclarationKind::Message { body: MessageBody::Plain(CaseBody::Record(_)), .. } => {
                None
            }
            _ => Some(Rule::NotARecord),
        }
    }

    fn subset(
        &mut self,
        name: &Name,
        source: &Name,
        fields: &[ast::SubsetField],
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Message> {
        let source_fields = self.subset_source(source, scope)?;
        let regimes = self.declared_regimes(source, scope);
        let mut selected: Vec<Field> = Vec::new();
        for field in fields {
            let found = source_fields.iter().find(|f| f.name == field.name.text);
            let Some(mut resolved) = found.cloned() else {
                return self.no_such_field(&field.name, source);
            };
            if let Some(ty) = &field.ty {
                resolved.ty = self.type_expr(ty, &Bindings::new(), scope)?;
            }
            let declared = regimes.get(&field.name.text).copied().flatten();
            let inherited = resolved.lazy.then_some(Regime::Lazy).or(declared);
            resolved.lazy = self.is_lazy(resolved.ty, field.regime.or(inherited), autolazy);
            if selected.iter().all(|f| f.wire_index != resolved.wire_index) {
                selected.push(resolved);
            }
        }
        selected.sort_by_key(|field| field.wire_index);
        Ok(subset_message(name, selected))
    }

    fn subset_not(
        &mut self,
        name: &Name,
        source: &Name,
        excluded: &[Name],
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Message> {
        let mut fields = self.subset_source(source, scope)?;
        let regimes = self.declared_regimes(source, scope);
        for name in excluded {
            if fields.iter().all(|f| f.name != name.text) {
                return self.no_such_field(name, source);
            }
        }
        fields.retain(|f| excluded.iter().all(|name| name.text != f.name));
        for field in &mut fields {
            let declared = regimes.get(&field.name).copied().flatten();
            field.lazy = field.lazy || self.is_lazy(field.ty, declared, autolazy);
        }
        if fields.is_empty() {
            let message = format!("nothing is left of {}", source.text);
            return self.report(Rule::SubsetEmpty, name.span, message, "keep at least one field");
        }
        Ok(subset_message(name, fields))
    }

    fn no_such_field<T>(&mut self, name: &Name, source: &Name) -> Checked<T> {
        let message = format!("{} has no field {}", source.text, name.text);
        self.report(Rule::SubsetField, name.span, message, "name fields of the source")
    }

    // ---- messages of other modules

    fn external(
        &mut self,
        path: &[Name],
        name: &Name,
        span: Span,
        scope: &Scope,
    ) -> Checked<TypeId> {
        let full = path.iter().map(|p| p.text.as_str()).chain([name.text.as_str()]);
        let full = full.collect::<Vec<_>>().join(".");
        let unknown = |checker: &mut Self| {
            checker.intern(Key::External(full.clone()), Type::External(full.clone()), span)
        };
        let [module] = path else { return unknown(self) };
        let found = if scope.modules.contains(&module.text) {
            scope.names.get(&name.text).and_then(|declared| declared.resolved)
        } else {
            let from = self.sources[span.file as usize].name.clone();
            match self.module(&module.text, &from) {
                Some(names) => names.get(&name.text).copied(),
                None => return unknown(self),
            }
        };
        match found {
            Some(id) if matches!(self.types[id.0 as usize].ty, Type::Message(_)) => Ok(id),
            _ => {
                let message = format!("{} has no message {}", module.text, name.text);
                self.report(Rule::UnboundName, name.span, message, "name a message of that schema")
            }
        }
    }

    /// The names of another module's schema, if it can be found beside this one.
    fn module(&mut self, module: &str, from: &str) -> Option<HashMap<String, TypeId>> {
        if let Some(names) = self.modules.get(module) {
            return names.clone();
        }
        // Unknown until it is read: two modules that name each other end here.
        self.modules.insert(module.into(), None);
        let mut file = module.to_owned();
        file[..1].make_ascii_lowercase();
        let source = self.loader.load(&format!("{file}.proto"), from).ok()?;
        let mut scope = Scope::default();
        self.file(source, &mut scope);
        let names: HashMap<String, TypeId> =
            scope.names.into_iter().filter_map(|(n, d)| d.resolved.map(|id| (n, id))).collect();
        self.modules.insert(module.into(), Some(names.clone()));
        Some(names)
    }
}

fn subset_message(name: &Name, fields: Vec<Field>) -> Message {
    let module = capitalized(&name.text);
    let case = Case { name: String::new(), module, fields, span: name.span };
    let (name, span) = (name.text.clone(), name.span);
    Message { name, cases: vec![case], union: false, subset: true, arguments: Vec::new(), span }
}

/// `type palias = point` is a record of its own in the reference: only its printed name differs.
fn renamed(message: &Message, name: &str) -> Message {
    let (old, new) = (capitalized(&message.name), capitalized(name));
    let mut message = Message { name: name.into(), ..message.clone() };
    for case in &mut message.cases {
        if case.module == old {
            case.module.clone_from(&new);
        } else if case.module == format!("{old}.{}", case.name) {
            case.module = format!("{new}.{}", case.name);
        }
    }
    message
}

/// `user` to `User`: a declaration's module in the pretty printer's text.
pub(crate) fn capitalized(name: &str) -> String {
    let mut name = name.to_owned();
    name[..1].make_ascii_uppercase();
    name
}

/// `dir/inc_base.proto` to `Inc_base`.
fn module_name(file: &str) -> String {
    let stem = std::path::Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    if stem.starts_with(|c: char| c.is_ascii_lowercase()) {
        capitalized(&stem)
    } else {
        stem.into()
    }
}

/// Whether two names differ in one letter: one changed, added or left out.
fn close(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let tail = a[same..].iter().rev().zip(b[same..].iter().rev()).take_while(|(x, y)| x == y);
    let longest = a.len().max(b.len());
    longest > 2 && same + tail.count() + 1 >= longest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<Rule> {
        match check_schema("t.proto", text, &mut NoLoader) {
            Ok(_) => Vec::new(),
            Err(errors) => errors.list.iter().map(|error| error.rule).collect(),
        }
    }

    #[test]
    fn each_error_points_at_its_place() {
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
    fn all_errors_are_told_at_once() {
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
        let suggested = errors.iter().filter(|error| error.help.starts_with("perhaps"));
        assert_eq!(suggested.count(), SUGGESTIONS_MAX);
        assert_eq!(errors[7].help, "perhaps name7 is meant");
    }

    #[test]
    fn templates_cannot_explode() {
        let mut text = String::from("type t0 'a = (int * 'a)\n");
        for i in 1..40 {
            text += &format!("type t{i} 'a = (t{0}<[ 'a ]> * t{0}<[| 'a |]>)\n", i - 1);
        }
        text += "message m = { a : t39<int> }";
        assert_eq!(errors(&text).first(), Some(&Rule::Limit));
    }

    #[test]
    fn shared_parts_are_one_type() {
        let mut text = String::from("type t0 = (int * int)\n");
        for i in 1..40 {
            text += &format!("type t{i} = (t{0} * t{0})\n", i - 1);
        }
        text += "message m = { a : t39 }";
        let schema = check_schema("t.proto", &text, &mut NoLoader).unwrap();
        assert!(schema.types.len() < 50);
        // Its default would have 2^39 parts; a budget ends it.
        let text = text.replace("(int * int)", "(bool * bool)");
        let schema = check_schema("t.proto", &text, &mut NoLoader).unwrap();
        let error = schema.default_value(schema.lookup("m").unwrap()).unwrap_err();
        assert!(matches!(error.kind(), crate::ErrorKind::LimitExceeded { .. }));
    }

    #[test]
    fn depth_is_limited_before_the_stack_is() {
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

//! Modules and files of data that programs import.

use crate::syntax::tree::{Def, Expr, ExprId, Import, ImportTarget, Tree};
use crate::syntax::{self, SyntaxError};
use crate::value::{Entries, Number, Object, Value};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What an `import` or `include` asks for.
#[derive(Clone, Copy, Debug)]
pub struct ModuleRequest<'r> {
    /// The path in the program.
    pub path: &'r str,
    /// The value of `search` in the metadata of the import.
    pub search: Option<&'r Value>,
    /// The name of the module that imports it, or `None` for the program.
    pub from: Option<&'r str>,
    /// Whether it is a file of data.
    pub is_data: bool,
}

/// A file that a program imports.
#[derive(Clone, Debug)]
pub struct ModuleFile {
    /// A name that no other file has, such as its absolute path.
    pub name: Arc<str>,
    /// Its content.
    pub text: String,
}

/// Finds what programs import.
pub trait Modules {
    /// Returns the file that is asked for, or a message that says why there is none.
    fn source(&self, request: ModuleRequest<'_>) -> Result<ModuleFile, String>;
}

/// Modules in folders, which are searched in their order, as jq does with its option `-L`.
///
/// An import may say where to search with `{search: "./"}` or an array of folders, which are relative to the module with
/// the import.
#[derive(Clone, Debug, Default)]
pub struct ModuleFolders {
    /// The folders.
    pub folders: Vec<PathBuf>,
}

impl ModuleFolders {
    /// Returns whether a file is in one of the folders, however a path or a link leads to it.
    fn contain(&self, file: &Path) -> bool {
        let mut folders = self.folders.iter().filter_map(|folder| folder.canonicalize().ok());
        folders.any(|folder| file.starts_with(folder))
    }

    /// Returns the folders to search.
    fn searched(&self, request: ModuleRequest<'_>) -> Vec<PathBuf> {
        let texts: Vec<Arc<str>> = match request.search.map(|search| (search, search.as_array())) {
            None => return self.folders.clone(),
            Some((_, Some(array))) => array.entries.iter().filter_map(Value::as_text).collect(),
            Some((search, None)) => search.as_text().into_iter().collect(),
        };
        let base = request.from.and_then(|from| Path::new(from).parent()).map(Path::to_owned);
        let base = base.or_else(|| self.folders.first().cloned()).unwrap_or_default();
        texts.iter().map(|text| base.join(&**text)).collect()
    }
}

impl Modules for ModuleFolders {
    fn source(&self, request: ModuleRequest<'_>) -> Result<ModuleFile, String> {
        let path = request.path;
        if path.split('/').any(|part| part == "..") {
            return Err(format!("the path `{path}` must not contain `..`"));
        }
        let ending = if request.is_data { "json" } else { "jq" };
        let last = path.rsplit('/').next().unwrap_or(path);
        for folder in self.searched(request) {
            for name in [path.to_owned(), format!("{path}/jq/main"), format!("{path}/{last}")] {
                let file = folder.join(format!("{name}.{ending}"));
                if let (Ok(text), Ok(name)) = (std::fs::read_to_string(&file), file.canonicalize())
                    && self.contain(&name)
                {
                    return Ok(ModuleFile { name: name.display().to_string().into(), text });
                }
            }
        }
        Err(format!("there is no module `{path}`"))
    }
}

/// No modules.
pub(crate) struct NoModules;

impl Modules for NoModules {
    fn source(&self, request: ModuleRequest<'_>) -> Result<ModuleFile, String> {
        Err(format!("there is no module `{}`", request.path))
    }
}

/// Returns what `modulemeta` shows of a module: its metadata, what it imports, and what it defines.
pub(crate) fn described(text: &str) -> Result<Value, SyntaxError> {
    let tree = syntax::parse(text)?;
    let mut entries = metadata(&tree, tree.metadata);
    let deps = tree.imports.iter().map(|import| dependency(&tree, import));
    entries.insert("deps".into(), Value::array(deps.collect()));
    let name = |def: &Def| format!("{}/{}", def.name.text, def.params.len()).into();
    entries.insert("defs".into(), Value::array(tree.defs.iter().map(name).collect()));
    Ok(Value::object(entries))
}

/// Returns an import as an object.
fn dependency(tree: &Tree, import: &Import) -> Value {
    let mut entries = metadata(tree, import.metadata);
    let name = match &import.target {
        ImportTarget::All => None,
        ImportTarget::Module(name) | ImportTarget::Data(name) => Some(name.text.clone()),
    };
    entries.extend(name.map(|name| ("as".into(), name.into())));
    let is_data = matches!(import.target, ImportTarget::Data(_));
    entries.insert("is_data".into(), is_data.into());
    entries.insert("relpath".into(), import.path.clone().into());
    Value::object(entries)
}

/// Returns the entries of the metadata of a module or an import.
pub(crate) fn metadata(tree: &Tree, id: Option<ExprId>) -> Entries {
    let value = id.map(|id| constant(tree, id)).unwrap_or_default();
    value.as_object().map(Object::take).unwrap_or_default()
}

/// Returns the value of a constant expression. Parts have lower numbers than what they are in, so no recursion is
/// needed.
fn constant(tree: &Tree, id: ExprId) -> Value {
    let mut values: HashMap<ExprId, Vec<Value>> = HashMap::new();
    for (at, expr) in tree.exprs.iter().enumerate().take(id.0 as usize + 1) {
        let mut part = |id: &ExprId| values.remove(id).unwrap_or_default();
        let found = match expr {
            Expr::Number(text) => vec![Number::spelled(text).unwrap_or_else(Number::nan).into()],
            // Texts may be keys of several entries.
            Expr::Text(text) => vec![text.clone().into()],
            Expr::Array(body) => vec![Value::array(body.as_ref().map(part).unwrap_or_default())],
            Expr::Comma(left, right) => {
                let mut all = part(left);
                all.extend(part(right));
                all
            }
            Expr::Object(pairs) => {
                let pair = |(key, value): &(ExprId, ExprId)| {
                    let Expr::Text(key) = &tree.exprs[key.0 as usize] else { return None };
                    Some((key.clone(), part(value).pop().unwrap_or_default()))
                };
                vec![Value::object(pairs.iter().filter_map(pair).collect())]
            }
            Expr::Call { name, .. } if *name.text == *"true" => vec![true.into()],
            Expr::Call { name, .. } if *name.text == *"false" => vec![false.into()],
            _ => vec![Value::Null],
        };
        values.insert(ExprId(at as u32), found);
    }
    values.remove(&id).and_then(|mut values| values.pop()).unwrap_or_default()
}

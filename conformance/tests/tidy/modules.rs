//! The files of a crate, and the files that each of them uses according to `use` items and paths in
//! code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// The path of a module from the crate's root. For the root, it is empty.
type Module = Vec<String>;

/// The source files of a crate, without tests.
pub struct Crate {
    files: BTreeMap<Module, File>,
}

struct File {
    /// The path of the file from the crate's source folder.
    name: String,
    lines: usize,
    syntax: syn::File,
    /// The imports. Each consists of the name in this module (`*` for all names) and the path.
    imports: Vec<(String, Vec<String>)>,
    /// The indexes of the `imports` that this module re-exports.
    reexports: BTreeSet<usize>,
    /// The modules that are declared only for tests.
    test_modules: BTreeSet<String>,
}

impl Crate {
    /// Reads the crate whose source folder is `folder`.
    pub fn read(folder: &Path) -> io::Result<Crate> {
        let mut files = BTreeMap::new();
        read_folder(folder, folder, &mut files)?;
        let is_test = |module: &Module| {
            (0..module.len()).any(|depth| {
                let parent: Option<&File> = files.get(&module[..depth]);
                parent.is_some_and(|file| file.test_modules.contains(&module[depth]))
            })
        };
        let tests: Vec<Module> = files.keys().filter(|module| is_test(module)).cloned().collect();
        for module in tests {
            files.remove(&module);
        }
        Ok(Crate { files })
    }

    pub fn file_lengths(&self) -> impl Iterator<Item = (&str, usize)> {
        self.files.values().map(|file| (file.name.as_str(), file.lines))
    }

    /// Returns the length of each function in lines, together with its name.
    pub fn function_lengths(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for file in self.files.values() {
            let mut functions = Functions { file: &file.name, found: &mut found };
            functions.visit_file(&file.syntax);
        }
        found
    }

    /// Returns the derives that do not follow `order`.
    pub fn derives_out_of_order(&self, order: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        for file in self.files.values() {
            let mut derives = Derives { order, file: &file.name, found: &mut found };
            derives.visit_file(&file.syntax);
        }
        found
    }

    /// Returns which files use which, each with an example, as `(from, to, path)`.
    pub fn edges(&self) -> Vec<(String, String, String)> {
        let mut edges = BTreeMap::new();
        for (module, file) in &self.files {
            let mut paths = Paths { module, code: self, found: Vec::new() };
            paths.visit_file(&file.syntax);
            for (index, (_, path)) in file.imports.iter().enumerate() {
                if !file.reexports.contains(&index) {
                    paths.found.push(path.clone());
                }
            }
            for path in paths.found {
                let Some(target) = self.home(module, &path, 0) else { continue };
                if target != *module {
                    let to = self.files[&target].name.clone();
                    edges.entry((file.name.clone(), to)).or_insert_with(|| path.join("::"));
                }
            }
        }
        edges.into_iter().map(|((from, to), path)| (from, to, path)).collect()
    }

    /// Returns the modules below the crate's root, each with those that it uses.
    fn module_graph(&self) -> BTreeMap<String, BTreeSet<String>> {
        let top = |file: &str| {
            let name = file.split('/').next().unwrap_or(file);
            name.strip_suffix(".rs").unwrap_or(name).to_owned()
        };
        let mut graph: BTreeMap<String, BTreeSet<String>> =
            self.files.values().map(|file| (top(&file.name), BTreeSet::new())).collect();
        graph.retain(|module, _| !matches!(module.as_str(), "lib" | "main"));
        for (from, to, _) in self.edges() {
            let (from, to) = (top(&from), top(&to));
            if from != to && graph.contains_key(&to) {
                graph.entry(from).and_modify(|used| used.extend([to]));
            }
        }
        graph
    }

    /// Returns the modules below the crate's root that use each other.
    pub fn module_circles(&self) -> Vec<Vec<String>> {
        let graph = self.module_graph();
        let uses = |(module, used): (&'_ String, &BTreeSet<String>)| -> Vec<(String, String)> {
            used.iter().map(|used| (module.clone(), used.clone())).collect()
        };
        let edges: Vec<(String, String)> = graph.iter().flat_map(uses).collect();
        circles(edges.iter().map(|(from, to)| (from.as_str(), to.as_str())))
    }

    /// Returns the number of fields of each struct.
    pub fn struct_fields(&self) -> Vec<(String, usize)> {
        let mut types = Types::default();
        self.files.values().for_each(|file| types.visit_file(&file.syntax));
        types.fields
    }

    /// Returns the files with an `impl` of each type that the crate declares.
    pub fn impl_files(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (module, file) in &self.files {
            let mut types = Types::default();
            types.visit_file(&file.syntax);
            for name in types.impls {
                let Some(home) = self.home_of_type(module, &name) else { continue };
                let key = format!("{}: {name}", self.files[&home].name);
                found.entry(key).or_default().insert(file.name.clone());
            }
        }
        found
    }

    /// Returns the module that declares the type `name`, which `module` uses.
    fn home_of_type(&self, module: &Module, name: &str) -> Option<Module> {
        let file = &self.files[module];
        if declares(&file.syntax.items, name) {
            return Some(module.clone());
        }
        let mut imports = file.imports.iter().filter(|(import, _)| import == name || import == "*");
        imports.find_map(|(_, path)| {
            let home = self.home(module, path, 0)?;
            declares(&self.files[&home].syntax.items, name).then_some(home)
        })
    }

    /// Returns the modules below the crate's root, each on a line with the modules that it uses. A
    /// module comes before those that it uses.
    pub fn picture(&self) -> String {
        let graph = self.module_graph();
        let mut order = DiGraphMap::<&str, ()>::new();
        for (module, used) in &graph {
            order.add_node(module);
            order.extend(used.iter().map(|used| (module.as_str(), used.as_str())));
        }
        let width = graph.keys().map(|module| module.len()).max().unwrap_or(0);
        let line = |module: &&str| {
            let used: Vec<&str> = graph[*module].iter().map(String::as_str).collect();
            let arrow = if used.is_empty() { "" } else { "─▶" };
            format!("{module:width$} {arrow} {}", used.join(", ")).trim_end().to_owned() + "\n"
        };
        // The components come in reverse order: a used one comes before those that use it.
        let modules = tarjan_scc(&order);
        modules.iter().rev().flatten().map(line).collect()
    }

    /// Returns the sets of files that use each other in cycles.
    pub fn cycles(&self) -> Vec<BTreeSet<String>> {
        let edges = self.edges();
        let circles = circles(edges.iter().map(|(from, to, _)| (from.as_str(), to.as_str())));
        circles.into_iter().map(BTreeSet::from_iter).collect()
    }

    /// Returns the module to which a path in `module` leads, or `None` for a path to another crate.
    fn home(&self, module: &Module, path: &[String], depth: usize) -> Option<Module> {
        if depth > 16 {
            return None;
        }
        let (mut at, mut rest) = self.start(module, path)?;
        while let Some(name) = rest.first() {
            let child: Module = at.iter().chain([name]).cloned().collect();
            if self.files.contains_key(&child) {
                (at, rest) = (child, &rest[1..]);
                continue;
            }
            let file = &self.files[&at];
            let named = file.imports.iter().find(|(import, _)| import == name);
            if let Some((_, target)) = named {
                let path: Vec<String> = target.iter().chain(&rest[1..]).cloned().collect();
                return self.home(&at, &path, depth + 1).or(Some(at));
            }
            if !declares(&file.syntax.items, name) {
                let globs = file.imports.iter().filter(|(import, _)| import == "*");
                for (_, target) in globs {
                    let Some(module) = self.home(&at, target, depth + 1) else { continue };
                    if declares(&self.files[&module].syntax.items, name) {
                        return Some(module);
                    }
                }
            }
            break;
        }
        Some(at)
    }

    /// Returns the module at which a path starts, and the rest of the path.
    fn start<'p>(&self, module: &Module, path: &'p [String]) -> Option<(Module, &'p [String])> {
        match path.first()?.as_str() {
            "crate" => Some((Vec::new(), &path[1..])),
            "self" => Some((module.clone(), &path[1..])),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let depth = module.len().checked_sub(ups)?;
                Some((module[..depth].to_vec(), &path[ups..]))
            }
            first => {
                let child: Module =
                    module.iter().map(String::as_str).chain([first]).map(str::to_owned).collect();
                self.files.contains_key(&child).then(|| (module.clone(), path))
            }
        }
    }
}

/// Returns the sets of nodes that reach each other, each in order.
fn circles<'e>(edges: impl Iterator<Item = (&'e str, &'e str)>) -> Vec<Vec<String>> {
    let graph: DiGraphMap<&str, ()> = edges.collect();
    let parts = tarjan_scc(&graph).into_iter().filter(|part| part.len() > 1);
    let mut parts: Vec<Vec<String>> =
        parts.map(|part| part.into_iter().map(str::to_owned).collect()).collect();
    parts.iter_mut().for_each(|part| part.sort());
    parts.sort();
    parts
}

fn read_folder(root: &Path, folder: &Path, files: &mut BTreeMap<Module, File>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_folder(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)?;
            let syntax = syn::parse_file(&text)
                .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
            let name = path.strip_prefix(root).map_err(io::Error::other)?.display().to_string();
            let mut module: Module =
                name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
                module.pop();
            }
            files.insert(module, File::new(name, &text, syntax));
        }
    }
    Ok(())
}

impl File {
    fn new(name: String, text: &str, mut syntax: syn::File) -> File {
        let mut test_modules = BTreeSet::new();
        syntax.items.retain(|item| {
            let is_test = is_for_tests(attributes(item));
            if let (true, Item::Mod(module)) = (is_test, item) {
                test_modules.insert(module.ident.to_string());
            }
            !is_test
        });
        let (mut imports, mut reexports) = (Vec::new(), BTreeSet::new());
        for item in &syntax.items {
            let Item::Use(item) = item else { continue };
            let first = imports.len();
            flatten(&item.tree, &mut Vec::new(), &mut imports);
            if !matches!(item.vis, syn::Visibility::Inherited) {
                reexports.extend(first..imports.len());
            }
        }
        let lines = text.lines().count();
        File { name, lines, syntax, imports, reexports, test_modules }
    }
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, out: &mut Vec<(String, Vec<String>)>) {
    let mut leaf = |name: String, last: Option<String>| {
        out.push((name, path.iter().cloned().chain(last).collect()));
    };
    match tree {
        UseTree::Path(step) => {
            path.push(step.ident.to_string());
            flatten(&step.tree, path, out);
            path.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            leaf(path.last().cloned().unwrap_or_default(), None)
        }
        UseTree::Name(name) => leaf(name.ident.to_string(), Some(name.ident.to_string())),
        UseTree::Rename(name) if name.ident == "self" => leaf(name.rename.to_string(), None),
        UseTree::Rename(name) => leaf(name.rename.to_string(), Some(name.ident.to_string())),
        UseTree::Glob(_) => leaf("*".to_owned(), None),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, path, out)),
    }
}

/// Returns whether one of the items declares this name.
fn declares(items: &[Item], name: &str) -> bool {
    items.iter().any(|item| match item {
        Item::Const(item) => item.ident == name,
        Item::Enum(item) => item.ident == name,
        Item::Fn(item) => item.sig.ident == name,
        Item::Macro(item) => item.ident.as_ref().is_some_and(|ident| ident == name),
        Item::Static(item) => item.ident == name,
        Item::Struct(item) => item.ident == name,
        Item::Trait(item) => item.ident == name,
        Item::Type(item) => item.ident == name,
        _ => false,
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute
                    .parse_args::<syn::Path>()
                    .is_ok_and(|path| path.is_ident("test") || path.is_ident("doctest"))
    })
}

/// Collects the paths in code that may lead to other files.
struct Paths<'c> {
    module: &'c Module,
    code: &'c Crate,
    found: Vec<Vec<String>>,
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, _item: &'ast syn::ItemUse) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if names.len() > 1 && names[0] != "self" && self.code.start(self.module, &names).is_some() {
            self.found.push(names);
        }
        visit::visit_path(self, path);
    }
}

/// Collects the functions and their lengths.
struct Functions<'c> {
    file: &'c str,
    found: &'c mut Vec<(usize, String)>,
}

impl Functions<'_> {
    fn add(&mut self, attributes: &[Attribute], name: &syn::Ident, body: &syn::Block) {
        if !is_for_tests(attributes) {
            let lines = body.span().end().line - name.span().start().line + 1;
            self.found.push((lines, format!("{}: {name}", self.file)));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.attrs, &item.sig.ident, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.attrs, &item.sig.ident, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(&item.attrs, &item.sig.ident, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

/// Collects the structs with their numbers of fields, and the types with an `impl` of their own.
#[derive(Default)]
struct Types {
    fields: Vec<(String, usize)>,
    impls: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Types {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.fields.push((item.ident.to_string(), item.fields.len()));
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let (syn::Type::Path(path), None) = (&*item.self_ty, &item.trait_) {
            self.impls.extend(path.path.segments.last().map(|last| last.ident.to_string()));
        }
    }
}

/// Collects the derives that are out of order.
struct Derives<'c> {
    order: &'c [&'c str],
    file: &'c str,
    found: &'c mut Vec<String>,
}

impl<'ast> Visit<'ast> for Derives<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if !attribute.path().is_ident("derive") {
            return;
        }
        let mut ranks = Vec::new();
        // Traits of other crates may be anywhere among the derives.
        let parsed = attribute.parse_nested_meta(|meta| {
            ranks.extend(self.order.iter().position(|name| meta.path.is_ident(name)));
            Ok(())
        });
        if parsed.is_err() || !ranks.is_sorted() {
            let line = attribute.span().start().line;
            self.found.push(format!("{}:{line}", self.file));
        }
    }
}

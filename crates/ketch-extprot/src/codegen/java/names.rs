//! Chooses Java names for the names of a schema.

use crate::codegen::mangle;
use crate::codegen::names::{Taken, type_name, variant_name};
use crate::schema::{Schema, Type, TypeId};
use std::collections::HashMap;

/// Names that a record component cannot get: words that are not identifiers, names that Java
/// forbids for components, and names that would hide a package or a method.
const RESERVED: [&str; 66] = [
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "clone",
    "const",
    "continue",
    "default",
    "dev",
    "do",
    "double",
    "else",
    "encode",
    "enum",
    "extends",
    "false",
    "final",
    "finalize",
    "finally",
    "float",
    "for",
    "getClass",
    "goto",
    "hashCode",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "java",
    "long",
    "native",
    "new",
    "notify",
    "notifyAll",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "toString",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "wait",
    "while",
    "yield",
    "_",
];

/// Chooses and returns the Java names of the types in `order`. Types without type variables get
/// their names first, so that types with type arguments cannot take them.
pub(super) fn claim_names(
    schema: &Schema,
    order: &[TypeId],
    class: &str,
) -> HashMap<TypeId, String> {
    let mut taken = Taken::default();
    taken.claim(class);
    let mut names = HashMap::new();
    for is_template in [false, true] {
        for id in order {
            let (mut name, arguments, is_plain) = match schema.get(*id) {
                Type::Sum(sum) => (type_name(&sum.name), &sum.arguments, sum.arguments.is_empty()),
                Type::Message(message) => {
                    (type_name(&message.name), &message.arguments, message.arguments.is_empty())
                }
                Type::Tuple(types) => ("Tuple".into(), types, false),
                _ => continue,
            };
            if is_plain == is_template {
                continue;
            }
            arguments.iter().for_each(|argument| mangle(schema, *argument, &mut name));
            // `pair<int, bool>` must not take the name of a message that is declared as an alias of
            // it.
            let name = match is_template && schema.lookup_type_name(&name) {
                true => taken.claim(&(name + "_")),
                false => taken.claim(&name),
            };
            names.insert(*id, name);
        }
    }
    names
}

/// Returns a Java name for each constructor or case in `names`. The names differ from each other,
/// and from `class` and `own`, which are the classes around them.
pub(super) fn variants<'n>(
    names: impl Iterator<Item = &'n str>,
    class: &str,
    own: &str,
) -> Vec<String> {
    let mut taken = Taken::default();
    for name in [class, own, "VALUES"] {
        taken.claim(name);
    }
    names.map(|name| taken.claim(&variant_name(name))).collect()
}

/// Returns a Java name for each record component in `names`. The names differ from each other.
pub(super) fn components<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken = Taken::default();
    let component = |name: &str| {
        let name = name.replace('\'', "_prime");
        let is_reserved = RESERVED.contains(&name.as_str());
        taken.claim(&if is_reserved { name + "_" } else { name })
    };
    names.map(component).collect()
}

impl Schema {
    /// Returns whether a message is called `name` in generated code.
    fn lookup_type_name(&self, name: &str) -> bool {
        self.messages().any(|(message, _)| type_name(message) == name)
    }
}

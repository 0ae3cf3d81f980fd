//! The syntax tree of a schema file, with the location of each part (specification 11.2).

use super::diagnostic::Span;

/// A name and its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its location.
    pub span: Span,
}

/// A file: its declarations in order, and its comments, which are not attached to declarations.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The declarations.
    pub declarations: Vec<Declaration>,
    /// The comments and line directives, in order.
    pub comments: Vec<Span>,
}

/// `include`, `type` or `message`, with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The kind of the declaration.
    pub kind: DeclarationKind,
    /// The location, from the first word to the last.
    pub span: Span,
    /// `options "name" = "value" ...`
    pub options: Vec<OptionPair>,
    /// Whether the word `options` is present, even with nothing after it.
    pub has_options: bool,
}

/// The three kinds of declarations.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclarationKind {
    /// `include "file"`
    Include {
        /// The path as written.
        path: String,
        /// The location of the string.
        path_span: Span,
    },
    /// `type name 'a 'b = ...`
    Type {
        /// The name.
        name: Name,
        /// The type variables, without their quotes.
        parameters: Vec<Name>,
        /// The right side of the declaration.
        body: TypeBody,
    },
    /// `message name = ...`
    Message {
        /// The name.
        name: Name,
        /// Whether `[@autolazy]` is before the `=`.
        autolazy: bool,
        /// The right side of the declaration.
        body: MessageBody,
    },
}

/// `"name" = "value"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionPair {
    /// The name.
    pub name: String,
    /// The location of the name.
    pub name_span: Span,
    /// The value, which may be any bytes.
    pub value: Vec<u8>,
    /// The location of the value.
    pub value_span: Span,
}

/// The right side of a type declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeBody {
    /// `A | B int`
    Sum(Vec<Constructor>),
    /// `{ a : int }`
    Record(Vec<Field>),
    /// Another type.
    Alias(TypeExpr),
}

/// `A` or `B int string`
#[derive(Clone, Debug, PartialEq)]
pub struct Constructor {
    /// The name.
    pub name: Name,
    /// The arguments; a constant has none.
    pub arguments: Vec<TypeExpr>,
}

/// When a field is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// On first access.
    Lazy,
    /// With its message.
    Eager,
}

/// `mutable name [@lazy] : type`
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Whether the field is declared `mutable`.
    pub mutable: bool,
    /// The name.
    pub name: Name,
    /// The annotation `[@lazy]` or `[@eager]`, if the field has one.
    pub regime: Option<Regime>,
    /// The type.
    pub ty: TypeExpr,
}

/// The right side of a message declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum MessageBody {
    /// `{ a : int }`, or the name of a record or message with arguments.
    Plain(CaseBody),
    /// `A { a : int } | B r<int>`
    Union(Vec<(Name, CaseBody)>),
    /// `Module.message`
    External(Name, Name),
    /// `{| source | a; b : long |}`
    Subset(Name, Vec<SubsetField>),
    /// `{| source | not a; b |}`
    SubsetNot(Name, Vec<Name>),
}

/// The fields of a message or of a case of a union.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseBody {
    /// The fields themselves.
    Record(Vec<Field>),
    /// The name of a record type or message, with its type arguments.
    Apply(Name, Vec<TypeExpr>),
}

/// `name [@lazy] : type`
#[derive(Clone, Debug, PartialEq)]
pub struct SubsetField {
    /// The name.
    pub name: Name,
    /// The annotation `[@lazy]` or `[@eager]`, if the field has one.
    pub regime: Option<Regime>,
    /// The type as which the field is read, or `None` for the type that it has in the source.
    pub ty: Option<TypeExpr>,
}

/// A use of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// The kind of the type.
    pub kind: TypeExprKind,
    /// Its location.
    pub span: Span,
}

/// The kinds of types that a schema can use.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeExprKind {
    /// `int [@default 3]`
    Primitive(Primitive, Vec<Annotation>),
    /// `[ t ]`
    List(Box<TypeExpr>),
    /// `[| t |]`
    Array(Box<TypeExpr>),
    /// `(t * u)`
    Tuple(Vec<TypeExpr>),
    /// `'a`
    Variable(String),
    /// `name<t, u>`
    Apply(Name, Vec<TypeExpr>),
    /// `Module.name`
    External(Vec<Name>, Name),
}

/// The six primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `string`
    String,
}

impl Primitive {
    /// Returns the primitive with this name in the schema language, or `None` if there is none.
    pub fn from_name(name: &str) -> Option<Primitive> {
        Some(match name {
            "bool" => Primitive::Bool,
            "byte" => Primitive::Byte,
            "int" => Primitive::Int,
            "long" => Primitive::Long,
            "float" => Primitive::Float,
            "string" => Primitive::String,
            _ => return None,
        })
    }

    /// Returns the name of the primitive in the schema language.
    pub fn name(self) -> &'static str {
        match self {
            Primitive::Bool => "bool",
            Primitive::Byte => "byte",
            Primitive::Int => "int",
            Primitive::Long => "long",
            Primitive::Float => "float",
            Primitive::String => "string",
        }
    }
}

/// `[@name value]`
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// The name.
    pub name: Name,
    /// The value.
    pub value: AnnotationValue,
    /// Whether a minus sign precedes the literal.
    pub is_negative: bool,
    /// The literal.
    pub literal: Span,
    /// The location, from bracket to bracket.
    pub span: Span,
}

/// The value of an annotation.
#[derive(Clone, Debug, PartialEq)]
pub enum AnnotationValue {
    /// `true` or `false`
    Bool(bool),
    /// A string, which may be any bytes.
    String(Vec<u8>),
    /// An integer, with or without `L`.
    Int(i128),
    /// A float, as written, with its sign.
    Float(String),
}

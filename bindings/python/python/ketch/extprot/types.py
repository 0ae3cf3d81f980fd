"""The types of schemas, and the decorators that connect classes with them.

``ketch extprot generate --lang python`` writes modules that use this one:

>>> from __future__ import annotations
>>> from dataclasses import dataclass, field
>>> from ketch.extprot import types
>>> @types.message("ship", name=types.STRING, masts=types.List(types.INT))
... @dataclass(slots=True, kw_only=True)
... class Ship(types.Message):
...     name: str | bytes
...     masts: list[int] = field(default_factory=list)
>>> Ship.loads(Ship(name="ketch", masts=[2]).dumps())
Ship(name='ketch', masts=[2])

A type is an instance of one of the classes below, or a decorated class. Each has ``decode`` and
``encode``, which are used where the extension is missing, and ``description``, which the extension
compiles.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeVar

from ._cursor import Cursor, TypedWriter
from ._stream import Stream, whole
from ._values import Error, Lazy

T = TypeVar("T")
M = TypeVar("M", bound="_Readable")

#: The number of the wire type that each primitive is written as.
_WIRES = {"bool": 2, "byte": 2, "int": 0, "long": 6, "float": 8, "string": 3, "text": 3}
#: The numbers of the wire types that each primitive can be read from.
_READ = {
    "bool": (2,),
    "byte": (2,),
    "int": (0, 2),
    "long": (6, 0, 2, 4),
    "float": (8, 6, 0, 4, 2),
    "string": (3,),
    "text": (3,),
}
_RANGES = {"byte": (0, 255), "int": (-(1 << 62), (1 << 62) - 1), "long": (-(1 << 63), (1 << 63) - 1)}


class Type:
    """A type of a schema."""

    #: The program to which the extension has compiled the type, if it has.
    program: Any = None
    #: The wire type of a primitive.
    wire: int | None = None
    #: Whether the type has a default, so that its value can be missing.
    has_default = False

    @property
    def name(self) -> str:
        """The type in the syntax of schemas."""
        raise NotImplementedError

    def description(self) -> tuple[Any, ...]:
        """Return a description of the type and its parts, for the extension."""
        raise NotImplementedError

    def decode(self, cursor: Cursor) -> Any:
        """Read a value of this type."""
        raise NotImplementedError

    def default(self, cursor: Cursor) -> Any:
        """Return the value of a field that is missing from the data."""
        raise NotImplementedError

    def encode(self, writer: TypedWriter, value: Any) -> bool:
        """Write a value. Return False if it does not have this type."""
        raise NotImplementedError

    def promoted(self, cursor: Cursor, wire: int) -> Any:
        """Read the value of a primitive whose prefix has already been read."""
        raise NotImplementedError


def type_of(what: Any) -> Type:
    """Return the type that ``what``, a Type or a decorated class, represents."""
    return what if isinstance(what, Type) else what.__extprot__


class Primitive(Type):
    """One of the primitive types."""

    __slots__ = ("_default", "has_default", "kind", "program", "wire")

    def __init__(self, kind: str, default: Any = None) -> None:
        self.kind = kind
        self.wire = _WIRES[kind]
        self.program = None
        self._default = default
        self.has_default = default is not None

    def with_default(self, value: Any) -> Primitive:
        """Return the same type, with a default that a schema declares."""
        return Primitive(self.kind, value)

    @property
    def name(self) -> str:
        return "string" if self.kind == "text" else self.kind

    def description(self) -> tuple[Any, ...]:
        return "primitive", self.kind, self._default

    def default(self, cursor: Cursor) -> Any:
        cursor.spend_default()
        if self._default is None:
            cursor.fail("missing_field", "a field is missing and has no default")
        return self._default

    def decode(self, cursor: Cursor) -> Any:
        wire = cursor.untagged_wire()
        if wire != 1:
            return self.promoted(cursor, wire)
        count, _, outer = cursor.enter()
        if count == 0:
            cursor.bad_wire_type(self.kind, 1)
        value = self.promoted(cursor, cursor.untagged_wire())
        cursor.leave(outer)
        return value

    def promoted(self, cursor: Cursor, wire: int) -> Any:
        kind = self.kind
        if wire not in _READ[kind]:
            cursor.bad_wire_type(kind, wire)
        if wire == 3:
            return cursor.string(kind == "text")
        value = cursor.scalar(wire)
        if kind == "bool":
            return value != 0
        return float(value) if kind == "float" else value

    def encode(self, writer: TypedWriter, value: Any) -> bool:
        kind = self.kind
        if kind in _RANGES:
            low, high = _RANGES[kind]
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                return False
        elif kind == "float":
            if not isinstance(value, (float, int)) or isinstance(value, bool):
                return False
        elif kind == "bool":
            if value is not True and value is not False:
                return False
        elif not isinstance(value, str) and (kind == "text" or not isinstance(value, (bytes, bytearray))):
            return False
        writer.primitive(kind, value)
        return True


class List(Type):
    """A list or an array, both of which are a list in Python."""

    __slots__ = ("element", "program")
    has_default = True

    def __init__(self, element: Any) -> None:
        self.element = type_of(element)
        self.program = None

    @property
    def name(self) -> str:
        return f"[ {self.element.name} ]"

    def description(self) -> tuple[Any, ...]:
        return "list", self.element

    def default(self, cursor: Cursor) -> Any:
        cursor.spend_default()
        return []

    def decode(self, cursor: Cursor) -> Any:
        wire = cursor.vint() & 15
        if wire != 5:
            cursor.bad_wire_type("a list or array", wire)
        count, length, outer = cursor.enter()
        cursor.check_list(count, length)
        decode = self.element.decode
        values: list[Any] = []
        try:
            for _ in range(count):
                values.append(decode(cursor))
        except Error as error:
            raise error._within(f"[{len(values)}]") from None
        cursor.leave(outer)
        return values

    def encode(self, writer: TypedWriter, value: Any) -> bool:
        if not isinstance(value, (list, tuple)):
            return False
        mark = writer.size
        for index in range(len(value) - 1, -1, -1):
            _write(self.element, writer, value[index], f"[{index}]")
        writer.header(mark, len(value), 0, 5)
        return True


class Tuple(Type):
    """A tuple whose elements have these types."""

    __slots__ = ("elements", "has_default", "program")

    def __init__(self, *elements: Any) -> None:
        self.elements = tuple(type_of(element) for element in elements)
        self.has_default = all(element.has_default for element in self.elements)
        self.program = None

    @property
    def name(self) -> str:
        return f"({' * '.join(element.name for element in self.elements)})"

    def description(self) -> tuple[Any, ...]:
        return "tuple", self.elements

    def default(self, cursor: Cursor) -> Any:
        cursor.spend_default()
        return tuple(element.default(cursor) for element in self.elements)

    def decode(self, cursor: Cursor) -> Any:
        prefix = cursor.vint()
        if prefix & 15 == 1:
            count, _, outer = cursor.enter()
            values = _elements(self.elements, cursor, count)
            cursor.leave(outer)
            return tuple(values)
        promoted = _promoted(self.elements, cursor, prefix)
        if promoted is None:
            cursor.bad_wire_type("a tuple", prefix & 15)
        return tuple(promoted)

    def encode(self, writer: TypedWriter, value: Any) -> bool:
        if not isinstance(value, (tuple, list)) or len(value) != len(self.elements):
            return False
        _write_elements(self.elements, writer, value, 0)
        return True


def _elements(types: tuple[Type, ...], cursor: Cursor, count: int) -> list[Any]:
    """Read the elements of a tuple or the arguments of a constructor. Missing ones get their defaults."""
    values: list[Any] = []
    try:
        for index, type in enumerate(types):
            if index < count:
                values.append(type.decode(cursor))
            elif type.has_default:
                values.append(type.default(cursor))
            else:
                cursor.fail("missing_tuple_element", f"element {index} is missing and has no default")
    except Error as error:
        raise error._within(f"[{len(values)}]") from None
    return values


def _promoted(types: Iterable[Type], cursor: Cursor, prefix: int) -> list[Any] | None:
    """Read the elements, only the first of which is in the data, without a block. None if that is wrong."""
    first, *others = types
    if first.wire != prefix & 15 or not all(other.has_default for other in others):
        return None
    return [first.promoted(cursor, prefix & 15), *(other.default(cursor) for other in others)]


def _write(type: Type, writer: TypedWriter, value: Any, step: str) -> None:
    try:
        if not type.encode(writer, value):
            raise Error(f"the value is not of type {type.name}", {"name": "shape"})
    except Error as error:
        raise error._within(step) from None


def _write_elements(types: tuple[Type, ...], writer: TypedWriter, values: Any, tag: int) -> None:
    mark = writer.size
    for index in range(len(types) - 1, -1, -1):
        _write(types[index], writer, values[index], f"[{index}]")
    writer.header(mark, len(types), tag, 1)


class Deferred:
    """Marks the type of a field that is decoded on first use."""

    def __init__(self, type: Any) -> None:
        self.type = type_of(type)


def lazy(type: Any) -> Any:
    """Return the type of a field that is decoded on first use."""
    return Deferred(type)


def at(index: int, type: Any) -> Any:
    """Return a field of a subset: its index in the message, and its type."""
    return index, type


class Slot:
    """The attribute of a lazy field. Reading it decodes the field."""

    def __init__(self, member: Any) -> None:
        #: The descriptor that stores the value or the `Lazy`.
        self.member = member

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        stored = self.member.__get__(instance)
        return stored.value() if isinstance(stored, Lazy) else stored

    def __set__(self, instance: Any, value: Any) -> None:
        self.member.__set__(instance, value)

    def stored(self, instance: Any) -> Any:
        """Return the value, or the `Lazy` if it is not decoded yet."""
        return self.member.__get__(instance)


class Field:
    """A field of a message."""

    __slots__ = ("index", "is_lazy", "name", "slot", "type")

    def __init__(self, cls: type, name: str, index: int, what: Any) -> None:
        if isinstance(what, tuple):
            index, what = what
        self.name = name
        self.index = index
        self.is_lazy = isinstance(what, Deferred)
        self.type = what.type if isinstance(what, Deferred) else type_of(what)
        self.slot: Slot | None = None
        if self.is_lazy:
            self.slot = Slot(cls.__dict__[name])
            setattr(cls, name, self.slot)


class Case:
    """The class of a message, or of a case of a union, with its fields."""

    def __init__(self, cls: Any, name: str | None, fields: dict[str, Any]) -> None:
        self.cls = cls
        self.name = name
        self.fields = tuple(Field(cls, field, at, what) for at, (field, what) in enumerate(fields.items()))

    def description(self) -> tuple[Any, ...]:
        """Return the class, the name, and the fields."""
        fields = ((field.name, field.type, field.is_lazy, field.index, field.slot) for field in self.fields)
        return self.cls, self.name, tuple(fields)

    def make(self, values: Iterable[Any]) -> Any:
        """Return an object of the class whose fields have these values."""
        made = object.__new__(self.cls)
        for field, value in zip(self.fields, values, strict=True):
            object.__setattr__(made, field.name, value)
        return made

    def decode(self, cursor: Cursor, count: int) -> Any:
        """Read the fields of a block, which contains ``count`` values."""
        values: list[Any] = []
        seen = 0
        try:
            for field in self.fields:
                # Only a subset has gaps between its fields.
                while seen < field.index and seen < count:
                    cursor.skip()
                    seen += 1
                seen += 1
                if field.index >= count:
                    values.append(_missing(field.type, cursor))
                elif field.is_lazy and not cursor.is_decoded_eagerly(field.type):
                    offset = cursor.at
                    values.append(Lazy(cursor.raw(), field.type, offset))
                else:
                    values.append(field.type.decode(cursor))
        except Error as error:
            raise error._within(self.fields[len(values)].name) from None
        return self.make(values)

    def promoted(self, cursor: Cursor, prefix: int) -> Any:
        """Read a message whose first field alone is in the data, without a block. None if that is wrong."""
        first, *others = self.fields
        if first.type.wire != prefix & 15:
            return None
        value = first.type.promoted(cursor, prefix & 15)
        return self.make([value, *(_missing(field.type, cursor) for field in others)])

    def default(self, cursor: Cursor) -> Any:
        """Return an object whose fields have their defaults."""
        values: list[Any] = []
        try:
            for field in self.fields:
                values.append(_missing(field.type, cursor))
        except Error as error:
            raise error._within(self.fields[len(values)].name) from None
        return self.make(values)

    def encode(self, writer: TypedWriter, value: Any, tag: int) -> None:
        """Write the fields as a block with this tag."""
        mark = writer.size
        for field in reversed(self.fields):
            stored = getattr(value, field.name) if field.slot is None else field.slot.stored(value)
            if isinstance(stored, Lazy):
                writer.put(stored.bytes)
            else:
                _write(field.type, writer, stored, field.name)
        writer.header(mark, len(self.fields), tag, 1)


def _missing(type: Type, cursor: Cursor) -> Any:
    if not type.has_default:
        cursor.fail("missing_field", "a field is missing and has no default")
    return type.default(cursor)


class MessageType(Type):
    """The type of a message, which is a record, a union or a subset."""

    has_default = True

    def __init__(self, name: str, is_subset: bool = False) -> None:
        self._name = name
        self.is_subset = is_subset
        self.cases: list[Case] = []

    @property
    def name(self) -> str:
        return self._name

    def description(self) -> tuple[Any, ...]:
        return "message", self._name, self.is_subset, tuple(case.description() for case in self.cases)

    def default(self, cursor: Cursor) -> Any:
        cursor.spend_default()
        try:
            return self.cases[0].default(cursor)
        except Error as error:
            raise error._within(self._name, True) from None

    def decode(self, cursor: Cursor) -> Any:
        try:
            return self._decode(cursor)
        except Error as error:
            raise error._within(self._name, True) from None

    def _decode(self, cursor: Cursor) -> Any:
        prefix = cursor.vint()
        if prefix & 15 == 1:
            count, length, outer = cursor.enter()
            cursor.check_message(count, length)
            value = self._case(cursor, prefix >> 4).decode(cursor, count)
            cursor.leave(outer)
            return value
        value = None if self.is_subset else self._case(cursor, prefix >> 4).promoted(cursor, prefix)
        if value is None:
            cursor.bad_wire_type("a message", prefix & 15)
        return value

    def _case(self, cursor: Cursor, tag: int) -> Case:
        if tag >= len(self.cases):
            cursor.unknown_tag(tag)
        return self.cases[tag]

    def encode(self, writer: TypedWriter, value: Any) -> bool:
        for tag, case in enumerate(self.cases):
            if type(value) is case.cls:
                break
        else:
            return False
        if self.is_subset:
            raise Error("a subset can be read, but not written", {"name": "read_only"})
        try:
            case.encode(writer, value, tag)
        except Error as error:
            raise error._within(self._name, True) from None
        return True


class SumType(Type):
    """A sum type."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.constants: tuple[Any, ...] = ()
        #: For each constructor: its class and name, and its attributes' names and types.
        self.constructors: list[tuple[Any, str, tuple[str, ...], tuple[Type, ...]]] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def has_default(self) -> bool:  # type: ignore[override]
        return bool(self.constants)

    def description(self) -> tuple[Any, ...]:
        return "sum", self._name, self.constants, tuple(self.constructors)

    def default(self, cursor: Cursor) -> Any:
        cursor.spend_default()
        if not self.constants:
            cursor.fail("missing_field", "a field is missing and has no default")
        return self.constants[0]

    def decode(self, cursor: Cursor) -> Any:
        prefix = cursor.vint()
        tag, wire = prefix >> 4, prefix & 15
        if wire == 10 and self.constants:
            if tag >= len(self.constants):
                cursor.unknown_tag(tag)
            return self.constants[tag]
        if wire == 1 and self.constructors:
            if tag >= len(self.constructors):
                cursor.unknown_tag(tag)
            cls, name, _, types = self.constructors[tag]
            try:
                count, _, outer = cursor.enter()
                values = _elements(types, cursor, count)
            except Error as error:
                raise error._within(name) from None
            cursor.leave(outer)
            return cls(*values)
        promoted = _promoted(self.constructors[0][3], cursor, prefix) if self.constructors else None
        if promoted is None:
            cursor.bad_wire_type("a constructor", wire)
        return self.constructors[0][0](*promoted)

    def encode(self, writer: TypedWriter, value: Any) -> bool:
        for tag, constant in enumerate(self.constants):
            if value is constant:
                writer.constant(tag)
                return True
        for tag, (cls, name, names, types) in enumerate(self.constructors):
            if type(value) is cls:
                try:
                    _write_elements(types, writer, [getattr(value, name) for name in names], tag)
                except Error as error:
                    raise error._within(name) from None
                return True
        return False


BOOL = Primitive("bool", False)
BYTE = Primitive("byte")
INT = Primitive("int")
LONG = Primitive("long")
FLOAT = Primitive("float")
#: A str if the bytes are UTF-8, otherwise bytes.
STRING = Primitive("string")
#: A str; bytes that are not UTF-8 are an error.
TEXT = Primitive("text")


class _Readable:
    """The methods of the classes of messages and unions."""

    __slots__ = ()
    __extprot__: ClassVar[Any]

    @classmethod
    def loads(cls: type[M], data: Any, /, *, codec: Any = None, **limits: Any) -> M:
        """Return the only message in ``data``. The limits are those of ``ketch.extprot.loads``."""
        read: M = _codec(codec).read_typed(cls.__extprot__, data, limits)
        return read

    @classmethod
    def load(cls: type[M], source: Any, /, *, codec: Any = None, **limits: Any) -> M:
        """Return the only message in the file at a path, or the next one in an open file. Reads no byte after
        that message, so the next one can be read even if this one is invalid.
        """
        return cls.loads(whole(source), codec=codec, **limits)

    @classmethod
    def decoder(cls: type[M], source: Any, /, *, codec: Any = None, **limits: Any) -> Stream[M]:
        """Return an iterator over the messages in a file at a path, an open file or bytes. The iterator
        continues after an invalid message.
        """
        own = _codec(codec)
        return Stream(source, lambda data, at, base: own.typed_batch(cls.__extprot__, data, at, base, limits))

    def dumps(self, *, codec: Any = None) -> bytes:
        """Return the bytes of the message."""
        written: bytes = _codec(codec).write_typed(self.__extprot__, self)
        return written

    def dump(self, file: Any, /, *, codec: Any = None) -> None:
        """Write the message to an open file."""
        file.write(self.dumps(codec=codec))


class Message(_Readable):
    """The base class of messages and records."""

    __slots__ = ()


class Union(_Readable):
    """The base class of unions of messages, and of their cases."""

    __slots__ = ()


class Sum:
    """The base class of sum types, of their constants and their constructors."""

    __slots__ = ()
    __extprot__: ClassVar[Any]


def _codec(given: Any) -> Any:
    if given is not None:
        return given
    from . import _codec

    return _codec.DEFAULT


def message(name: str, /, **fields: Any) -> Callable[[type[T]], type[T]]:
    """Connect the dataclass of a message or record with the types of its fields."""
    return _message(MessageType(name), fields)


def subset(name: str, /, **fields: Any) -> Callable[[type[T]], type[T]]:
    """Connect the dataclass of a subset, which can only be read, with the types of its fields."""
    return _message(MessageType(name, is_subset=True), fields)


def _message(own: MessageType, fields: dict[str, Any]) -> Callable[[type[T]], type[T]]:
    def decorate(cls: Any) -> Any:
        own.cases.append(Case(cls, None, fields))
        cls.__extprot__ = own
        return cls

    return decorate


def union(name: str, /) -> Callable[[type[T]], type[T]]:
    """Make a class the base of the cases of a union."""

    def decorate(cls: Any) -> Any:
        cls.__extprot__ = MessageType(name)
        return cls

    return decorate


def case(name: str, /, **fields: Any) -> Callable[[type[T]], type[T]]:
    """Connect the dataclass of the next case of a union with the types of its fields."""

    def decorate(cls: Any) -> Any:
        cls.__extprot__.cases.append(Case(cls, name, fields))
        return cls

    return decorate


def constants(name: str, /) -> Callable[[type[T]], type[T]]:
    """Make an Enum a sum type of constants, whose tags follow the order of the members."""

    def decorate(cls: Any) -> Any:
        own = SumType(name)
        own.constants = tuple(cls)
        cls.__extprot__ = own
        return cls

    return decorate


def sum_type(name: str, /, **constants: str) -> Callable[[type[T]], type[T]]:
    """Make a class the base of the constructors of a sum type. The constants become its attributes."""

    def decorate(cls: Any) -> Any:
        own = SumType(name)
        own.constants = tuple(_constant(cls, attribute, word) for attribute, word in constants.items())
        cls.__extprot__ = own
        return cls

    return decorate


def _constant(cls: Any, attribute: str, name: str) -> Any:
    space = {
        "__slots__": (),
        "__module__": cls.__module__,
        "__repr__": lambda _: f"{cls.__qualname__}.{attribute}",
        "__reduce__": lambda _: (getattr, (cls, attribute)),
        "__copy__": lambda self: self,
        "__deepcopy__": lambda self, _: self,
        "name": name,
    }
    value = type(attribute, (cls,), space)()
    setattr(cls, attribute, value)
    return value


def constructor(name: str, /, *types: Any) -> Callable[[type[T]], type[T]]:
    """Connect the dataclass of the next constructor of a sum type with the types of its arguments."""

    def decorate(cls: Any) -> Any:
        names = tuple(cls.__dataclass_fields__)
        cls.__extprot__.constructors.append((cls, name, names, tuple(type_of(type) for type in types)))
        return cls

    return decorate


def is_constant(value: Any, type: Type) -> bool:
    """Return whether a value of a sum type is one of its constants."""
    return isinstance(value, enum.Enum) or any(value is own for own in getattr(type, "constants", ()))


class Versions:
    """Messages after a header of two bytes that contains their version: 0 for the first of the given classes,
    1 for the second, and so on.
    """

    def __init__(self, *messages: Any) -> None:
        self._messages = messages

    def load(self, file: Any, /, **options: Any) -> Any:
        """Return the next message in an open file."""
        return self._of(file.read(2)).load(file, **options)

    def loads(self, data: Any, /, **options: Any) -> Any:
        """Return the only message in ``data``."""
        data = bytes(memoryview(data))
        return self._of(data[:2]).loads(data[2:], **options)

    def _of(self, header: bytes) -> Any:
        version = int.from_bytes(header, "little") if len(header) == 2 else -1
        if 0 <= version < len(self._messages):
            return self._messages[version]
        found = "the version header is incomplete" if version < 0 else f"version {version} is unknown"
        facts = {"name": "wrong_protocol_version"}
        raise Error(f"{found}: {len(self._messages)} are known", facts)

    def dumps(self, message: Any, /, **options: Any) -> bytes:
        """Return the bytes of the header and the message."""
        for version, cls in enumerate(self._messages):
            if isinstance(message, cls):
                written: bytes = version.to_bytes(2, "little") + message.dumps(**options)
                return written
        raise TypeError(f"a {type(message).__qualname__} is not one of the versions")

    def dump(self, message: Any, file: Any, /, **options: Any) -> None:
        """Write the header and the message to an open file."""
        file.write(self.dumps(message, **options))

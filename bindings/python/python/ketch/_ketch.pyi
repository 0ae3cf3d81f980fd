from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, final, overload

from typing_extensions import Buffer

from ._errors import Error
from ._located import Located

__all__ = [
    "DocumentReader",
    "EditSession",
    "ExtprotProgram",
    "QueryProgram",
    "QueryResults",
    "Tree",
    "conversion_error",
    "dumps",
    "dumps_all",
    "events",
    "events_until",
    "extprot_batch",
    "extprot_dumps",
    "extprot_loads",
    "extprot_schema_source",
    "loads",
    "loads_all",
    "plant_panic",
    "pyyaml_breaks",
    "pyyaml_document",
    "pyyaml_values",
    "replace_file",
    "trees",
]

_T = TypeVar("_T")
_Schema: TypeAlias = Literal["core", "json", "failsafe", "yaml11", "syck"]
_DuplicateKeys: TypeAlias = Literal["error", "first", "last"]
_Sequences: TypeAlias = Literal["flush", "indented"]
_Limit: TypeAlias = float | None
_Budget: TypeAlias = float | tuple[float, float] | None

class _Readable(Protocol):
    def read(self, size: int, /) -> str | bytes: ...

@overload
def loads(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: None = None,
    positions: Literal[False] = False,
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> Any: ...
@overload
def loads(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: None = None,
    positions: Literal[True],
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> Located[Any]: ...
@overload
def loads(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: type[_T],
    positions: Literal[False] = False,
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> _T: ...
@overload
def loads(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: type[_T],
    positions: Literal[True],
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> Located[_T]: ...
@overload
def loads(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: object,
    positions: Literal[False] = False,
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> Any: ...
@overload
def loads(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: object,
    positions: Literal[True],
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> Located[Any]: ...
@overload
def loads_all(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: None = None,
    positions: Literal[False] = False,
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> list[Any]: ...
@overload
def loads_all(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: None = None,
    positions: Literal[True],
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> list[Located[Any]]: ...
@overload
def loads_all(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: type[_T],
    positions: Literal[False] = False,
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> list[_T]: ...
@overload
def loads_all(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: type[_T],
    positions: Literal[True],
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> list[Located[_T]]: ...
@overload
def loads_all(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: object,
    positions: Literal[False] = False,
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> list[Any]: ...
@overload
def loads_all(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    type: object,
    positions: Literal[True],
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> list[Located[Any]]: ...
def events(
    data: str | Buffer,
    /,
    *,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> list[tuple[Any, ...]]: ...
def events_until(data: str | Buffer, /) -> tuple[list[tuple[Any, ...]], Error | None]: ...
@overload
def dumps(
    value: Any,
    /,
    *,
    indent: int = 2,
    sequences: _Sequences = "flush",
    width: int | None = None,
    flow: bool = False,
    ascii: bool = False,
    header: bool = False,
    sort_keys: bool = False,
    default: Callable[[Any], Any] | None = None,
    encoding: None = None,
) -> str: ...
@overload
def dumps(
    value: Any,
    /,
    *,
    indent: int = 2,
    sequences: _Sequences = "flush",
    width: int | None = None,
    flow: bool = False,
    ascii: bool = False,
    header: bool = False,
    sort_keys: bool = False,
    default: Callable[[Any], Any] | None = None,
    encoding: str,
) -> bytes: ...
@overload
def dumps_all(
    values: Iterable[Any],
    /,
    *,
    indent: int = 2,
    sequences: _Sequences = "flush",
    width: int | None = None,
    flow: bool = False,
    ascii: bool = False,
    header: bool = False,
    sort_keys: bool = False,
    default: Callable[[Any], Any] | None = None,
    encoding: None = None,
) -> str: ...
@overload
def dumps_all(
    values: Iterable[Any],
    /,
    *,
    indent: int = 2,
    sequences: _Sequences = "flush",
    width: int | None = None,
    flow: bool = False,
    ascii: bool = False,
    header: bool = False,
    sort_keys: bool = False,
    default: Callable[[Any], Any] | None = None,
    encoding: str,
) -> bytes: ...
def conversion_error(
    data: str | Buffer,
    document: int,
    path: list[Any],
    in_key: bool,
    problem: str,
    help: str,
    options: dict[str, Any] | None,
    /,
) -> Error: ...
def plant_panic(panics: bool, /) -> None: ...
def pyyaml_breaks(text: str, /) -> tuple[str, dict[int, str]]: ...
def pyyaml_document(
    value: Any,
    layout: tuple[int, int, str, bool, bool],
    structure: tuple[bool | None, bool, bool, bool, bool],
    /,
) -> tuple[str, bool] | None: ...
def pyyaml_values(
    data: str | Buffer, /, tags: frozenset[str] | None = None, prefixes: list[str] = ...
) -> tuple[list[Any], list[tuple[Any, Any, list[tuple[Any, ...]]]] | None] | None: ...
def extprot_loads(
    data: Buffer,
    /,
    *,
    form: Literal["values", "tagged", "plain"] = "values",
    max_depth: _Limit = ...,
    max_string_bytes: _Limit = ...,
    max_elements: _Limit = ...,
    max_block_bytes: _Limit = ...,
    strict: bool = False,
) -> Any: ...
def extprot_batch(
    data: Buffer, at: int, base: int, options: dict[str, Any], /
) -> tuple[list[Any], int, Exception | None, bool]: ...
def extprot_dumps(value: Any, /) -> bytes: ...
def extprot_schema_source(name: str, text: str | None, /) -> str: ...

@final
class ExtprotProgram:
    def __new__(cls, root: Any) -> ExtprotProgram: ...
    def read(self, data: Buffer, options: dict[str, Any], /) -> Any: ...
    def batch(
        self, data: Buffer, at: int, base: int, options: dict[str, Any], /
    ) -> tuple[list[Any], int, Exception | None, bool]: ...
    def write(self, value: Any, /) -> bytes: ...

@final
class Tree:
    def __len__(self) -> int: ...
    def markers(self) -> tuple[bool, bool]: ...
    def file(self) -> str | None: ...
    def kind(self, number: int) -> str: ...
    def style(self, number: int) -> str: ...
    def tag(self, number: int) -> str | None: ...
    def anchor(self, number: int) -> str | None: ...
    def target(self, number: int) -> int | None: ...
    def text(self, number: int) -> str | None: ...
    def count(self, number: int) -> int: ...
    def item(self, number: int, index: int) -> int | None: ...
    def items(self, number: int) -> list[int]: ...
    def pair(self, number: int, key: Any) -> tuple[int, int] | None: ...
    def pairs(self, number: int) -> list[tuple[int, int, bool]]: ...
    def value(self, number: int) -> Any: ...
    def key(self, number: int) -> Any: ...
    def read(self, number: int) -> tuple[bool, Any]: ...
    def place(self, number: int) -> tuple[int, int, int, int, int, int]: ...
    def line(self, number: int) -> tuple[str, int]: ...
    def comments(self, number: int) -> tuple[list[str], str | None]: ...

def trees(
    data: str | Buffer,
    /,
    *,
    schema: _Schema = "core",
    duplicate_keys: _DuplicateKeys = "error",
    merge: bool | None = None,
    lenient: bool = False,
    final_break: bool = True,
    filename: str | None = None,
    max_depth: _Budget = None,
    max_alias_nodes: _Budget = None,
    max_nodes: _Budget = None,
    max_tag_bytes: _Budget = None,
    max_tag_handles: _Limit = None,
    max_implicit_key_chars: _Limit = None,
    max_scalar_bytes: _Limit = None,
    max_buffer_bytes: _Limit = None,
) -> list[Tree]: ...
def replace_file(path: str | PathLike[str], content: bytes, /) -> None: ...

@final
class DocumentReader:
    def __new__(
        cls,
        file: _Readable,
        /,
        *,
        schema: _Schema = "core",
        duplicate_keys: _DuplicateKeys = "error",
        merge: bool | None = None,
        lenient: bool = False,
        final_break: bool = True,
        filename: str | None = None,
        max_depth: _Budget = None,
        max_alias_nodes: _Budget = None,
        max_nodes: _Budget = None,
        max_tag_bytes: _Budget = None,
        max_tag_handles: _Limit = None,
        max_implicit_key_chars: _Limit = None,
        max_scalar_bytes: _Limit = None,
        max_buffer_bytes: _Limit = None,
    ) -> DocumentReader: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __next__(self) -> Any: ...

@final
class EditSession:
    def __new__(
        cls,
        data: str | Buffer,
        /,
        *,
        schema: _Schema = "core",
        duplicate_keys: _DuplicateKeys = "error",
        merge: bool | None = None,
        lenient: bool = False,
        final_break: bool = True,
        filename: str | None = None,
        max_depth: _Budget = None,
        max_alias_nodes: _Budget = None,
        max_nodes: _Budget = None,
        max_tag_bytes: _Budget = None,
        max_tag_handles: _Limit = None,
        max_implicit_key_chars: _Limit = None,
        max_scalar_bytes: _Limit = None,
        max_buffer_bytes: _Limit = None,
    ) -> EditSession: ...
    @staticmethod
    def of_file(
        path: str | PathLike[str],
        /,
        *,
        schema: _Schema = "core",
        duplicate_keys: _DuplicateKeys = "error",
        merge: bool | None = None,
        lenient: bool = False,
        final_break: bool = True,
        filename: str | None = None,
        max_depth: _Budget = None,
        max_alias_nodes: _Budget = None,
        max_nodes: _Budget = None,
        max_tag_bytes: _Budget = None,
        max_tag_handles: _Limit = None,
        max_implicit_key_chars: _Limit = None,
        max_scalar_bytes: _Limit = None,
        max_buffer_bytes: _Limit = None,
    ) -> EditSession: ...
    def is_file(self) -> bool: ...
    def save(self, write_through: bool, /) -> bool: ...
    def document_count(self) -> int: ...
    def text(self) -> str: ...
    def original(self) -> str: ...
    def bytes(self) -> bytes: ...
    def is_changed(self) -> bool: ...
    def patches(self, inverse: bool) -> list[tuple[int, int, str]]: ...
    def lsp(self) -> str: ...
    def diff(self, old: str, new: str) -> str: ...
    def root(self, doc: int) -> int: ...
    def child(self, view: int, key: Any) -> tuple[bool | None, Any] | None: ...
    def kind(self, view: int) -> str | None: ...
    def count(self, view: int) -> int: ...
    def read(self, view: int, keys: list[Any]) -> Any: ...
    def entries(self, view: int) -> list[tuple[Any, Any]]: ...
    def path(self, view: int) -> str: ...
    def facts(self, view: int, keys: list[Any]) -> dict[str, Any] | None: ...
    def comments(self, view: int, keys: list[Any]) -> tuple[str | None, str | None]: ...
    def operate(self, list: list[tuple[str, int, list[Any], dict[str, Any]]]) -> None: ...
    def operate_data(self, data: Any) -> None: ...

@final
class QueryProgram:
    def __new__(cls, program: str, variables: str, modules: str, messages: bool, /) -> QueryProgram: ...
    def run(self, data: str | Buffer | _Readable, options: dict[str, Any], /) -> QueryResults: ...
    def edit(self, text: str, options: dict[str, Any], /) -> str: ...

@final
class QueryResults(Iterator[Any]):
    def __iter__(self) -> QueryResults: ...
    def __next__(self) -> Any: ...
    def close(self) -> None: ...
